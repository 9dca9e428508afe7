"""How each call of the API addresses a thing by an id: in its path, in a parameter, or in its body.

Alice has one of everything in private. What a probe asks for is such a thing, by its id, or nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import httpx

from graphmem.model.ids import digest
from tests.api.conftest import Service

GROUP = "/v1/groups/{group}"
HERE = "@"
"""The id that is asked for; with a name after it, that of another thing, which is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One way of addressing a ``thing``; ``path`` is what the path names.

    ``user`` is where a call says as whom it is made. ``narrows``: the id narrows an answer that comes in any
    case. ``of_all``: without a user it is about what everybody knows.
    """

    thing: str
    path: str = HERE
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: Any = None
    user: Literal["query", "body"] = "query"
    narrows: bool = False
    of_all: bool = False

    def send(
        self,
        service: Service,
        method: str,
        path: str,
        group: str,
        id_: str,
        others: Mapping[str, str],
        user: str | None,
    ) -> httpx.Response:
        ids = {HERE: id_} | {HERE + name: other for name, other in others.items()}

        def filled(value: Any) -> Any:
            if isinstance(value, Mapping):
                parts = cast("Mapping[str, Any]", value)
                return {name: filled(part) for name, part in parts.items()}
            if isinstance(value, list):
                return [filled(part) for part in cast("list[Any]", value)]
            return ids.get(value, value) if isinstance(value, str) else value

        params: dict[str, Any] = filled(self.params)
        body: Any = filled(self.body)
        if user is not None and self.user == "query":
            params["user"] = user
        if user is not None and self.user == "body":
            body["user"] = user
        return service.http.request(method, at(path, group, ids[self.path]), params=params, json=body)


def at(path: str, group: str, id_: str) -> str:
    """The address of a call: the group, and one id for whatever else stands in the path."""
    steps = path.replace("{group}", group).split("/")
    return "/".join(id_ if step.startswith("{") else step for step in steps)


_CLAIM = {
    "subject": {"name": "Maya", "type": "person"},
    "predicate": "likes",
    "value": "coffee",
    "occurred_at": "2025-06-01T00:00:00Z",
}
_BETWEEN = {"axis": "valid", "from": "2025-01-01T00:00:00Z", "to": "2025-06-01T00:00:00Z"}
_WHY = {"reason": "I say so."}
_ACT: dict[str, Any] = {"body": {}, "user": "body"}

PROBES: Mapping[tuple[str, str], tuple[Probe, ...]] = {
    ("GET", f"{GROUP}/episodes/{{episode_id}}"): (Probe(thing="episode"),),
    ("POST", f"{GROUP}/episodes/{{episode_id}}/reprocess"): (Probe(thing="episode"), Probe(thing="pending")),
    ("POST", f"{GROUP}/episodes/{{episode_id}}/retry"): (Probe(thing="failed"), Probe(thing="episode")),
    ("GET", f"{GROUP}/sessions/{{session_id}}"): (Probe(thing="session"),),
    ("GET", f"{GROUP}/summaries"): (Probe(thing="session", params={"session_id": HERE}, narrows=True),),
    ("GET", f"{GROUP}/jobs/{{job_id}}"): (Probe(thing="pending"),),
    ("GET", f"{GROUP}/entities/{{entity_id}}"): (Probe(thing="entity"),),
    ("GET", f"{GROUP}/entities/{{entity_id}}/profile"): (Probe(thing="entity"),),
    ("GET", f"{GROUP}/entities/{{entity_id}}/history"): (Probe(thing="entity"),),
    ("GET", f"{GROUP}/merges/{{merge_id}}"): (Probe(thing="merge"),),
    ("GET", f"{GROUP}/reviews/{{review_id}}"): (Probe(thing="review"),),
    ("GET", f"{GROUP}/pairs"): (
        Probe(thing="entity", params={"first": HERE, "second": "@known"}, of_all=True),
        Probe(thing="entity", params={"first": "@known", "second": HERE}, of_all=True),
    ),
    ("GET", f"{GROUP}/graph"): (
        Probe(thing="entity", params={"entity": HERE}),
        Probe(thing="entity", params={"entity": HERE, "depth": 0}),
        Probe(thing="entity", params={"entity": HERE, "depth": 2}),
    ),
    ("GET", f"{GROUP}/diff"): (Probe(thing="entity", params={**_BETWEEN, "entity": HERE}),),
    ("GET", f"{GROUP}/answer"): (Probe(thing="entity", params={"entity": HERE, "predicate": "lives_in"}),),
    ("GET", f"{GROUP}/beliefs/{{belief_id}}"): (Probe(thing="fact"), Probe(thing="belief")),
    ("GET", f"{GROUP}/beliefs/{{belief_id}}/evidence"): (Probe(thing="fact"), Probe(thing="belief")),
    ("GET", f"{GROUP}/facts"): (Probe(thing="entity", params={"subject": HERE}, narrows=True),),
    ("POST", f"{GROUP}/search"): (
        Probe(thing="entity", body={"query": "Maya", "entity": HERE}, user="body"),
        *(
            Probe(thing=thing, body={"query": "Zinnia", "why_not": [HERE]}, user="body", narrows=True)
            for thing in ("episode", "fact")
        ),
    ),
    ("POST", f"{GROUP}/forget"): (Probe(thing="episode", body={"episodes": [HERE]}, user="body", narrows=True),),
    ("POST", f"{GROUP}/context"): (
        Probe(thing="entity", body={"query": "Maya", "about": HERE}, user="body", narrows=True),
    ),
    # what changes something ---------------------------------------------------------------------------------------
    ("POST", f"{GROUP}/merges"): (
        Probe(thing="entity", body={"entities": [HERE, "@known"], **_WHY}, user="body", of_all=True),
        Probe(thing="entity", body={"entities": ["@known", HERE], **_WHY}, user="body", of_all=True),
    ),
    ("POST", f"{GROUP}/merges/{{merge_id}}/revert"): (Probe(thing="merge", body=_WHY),),
    ("POST", f"{GROUP}/reviews/{{review_id}}"): (Probe(thing="review", body={"verdict": "different", **_WHY}),),
    ("POST", f"{GROUP}/facts/{{belief_id}}/confirm"): (Probe(thing="fact", **_ACT), Probe(thing="gone", **_ACT)),
    ("POST", f"{GROUP}/facts/{{belief_id}}/share"): (Probe(thing="fact", **_ACT), Probe(thing="gone", **_ACT)),
    ("POST", f"{GROUP}/facts/{{belief_id}}/unshare"): (Probe(thing="fact", **_ACT), Probe(thing="gone", **_ACT)),
    ("POST", f"{GROUP}/conflicts/{{belief_id}}"): (
        Probe(thing="claim", path="@open conflict", body={"keep": HERE}, user="body"),
        Probe(thing="conflict", body={"keep": "@song"}, user="body"),
        Probe(thing="fact", body={"keep": "@song"}, user="body"),
    ),
    ("POST", f"{GROUP}/facts/{{belief_id}}/correct"): (
        Probe(thing="fact", body={"value": "blue"}, user="body"),
        Probe(thing="gone", body={"value": "blue"}, user="body"),
    ),
    ("DELETE", f"{GROUP}/facts/{{belief_id}}"): (Probe(thing="fact"), Probe(thing="gone")),
    ("POST", f"{GROUP}/claims/{{claim_id}}/correct"): (
        Probe(thing="claim", body={"claim": _CLAIM}),
        Probe(thing="retracted", body={"claim": _CLAIM}),
    ),
    ("POST", f"{GROUP}/claims/{{claim_id}}/retract"): (Probe(thing="claim"), Probe(thing="retracted")),
    ("POST", f"{GROUP}/summaries/{{summary_id}}/regenerate"): (Probe(thing="summary"), Probe(thing="version")),
    ("POST", f"{GROUP}/sessions/{{session_id}}/close"): (Probe(thing="session"),),
}
"""Those that change something come last, in an order in which each still has something to act on."""

SETTINGS = "settings of the whole group: no user's, and asked for without one"
LISTS = "lists what a reader may see, and is asked by no id (test_leaks, test_users)"
NAMES = "takes names and contents, and no id of ours (test_counts, test_leaks)"
OWN_ONLY = "tells and changes what is taken in of the very user that is asked for (test_tombstones)"
RECEIPTS = "receipts have no words of users, and are read by who asked for them"
AUDIT = "tells administrators what was done, in ids and hashes (test_audit)"
SERVICE = "speaks of the service, of no group's things"
ADDRESSES_NOTHING: Mapping[tuple[str, str], str] = {
    **{
        ("GET", path): SERVICE
        for path in ("/health/live", "/health/ready", "/metrics", "/v1/groups", "/v1/jobs", "/v1/keys", "/v1/keys/own")
    },
    ("GET", "/v1/jobs/{job_id}"): SERVICE,
    **{("GET", f"/v1/{path}"): SERVICE for path in ("audit", "audit/chain")},
    **{("GET", f"{GROUP}/{path}"): AUDIT for path in ("audit", "audit/chain")},
    **{("POST", path): SERVICE for path in ("/v1/groups", "/v1/keys", "/v1/keys/{key_id}/replace")},
    ("DELETE", "/v1/keys/{key_id}"): SERVICE,
    **{("POST", f"{GROUP}/{path}"): SETTINGS for path in ("import", "import/end")},
    ("POST", f"{GROUP}/jobs/{{kind}}"): SETTINGS,
    **{("PUT", f"{GROUP}/{path}"): SETTINGS for path in ("name", "archived")},
    **{(method, f"{GROUP}/ontology"): SETTINGS for method in ("GET", "PUT", "DELETE")},
    **{(method, f"{GROUP}/dates"): SETTINGS for method in ("GET", "PUT")},
    **{(method, f"{GROUP}/retention"): SETTINGS for method in ("GET", "PUT", "DELETE")},
    **{(method, f"{GROUP}/predicates/{{name}}"): SETTINGS for method in ("GET", "PUT", "DELETE")},
    ("GET", f"{GROUP}/forget/{{receipt_id}}"): RECEIPTS,
    ("POST", f"{GROUP}/forget/{{receipt_id}}/verify"): RECEIPTS,
    ("GET", f"{GROUP}/predicates"): SETTINGS,
    ("GET", f"{GROUP}/sources"): SETTINGS,
    ("PUT", f"{GROUP}/sources/{{source}}"): SETTINGS,
    ("PUT", f"{GROUP}/entities/{{entity_id}}/protected"): SETTINGS,
    **{
        ("GET", f"{GROUP}{path}"): LISTS
        for path in ("", "/export", "/episodes", "/sessions", "/reflections", "/entities", "/beliefs")
    },
    **{("GET", f"{GROUP}/{path}"): LISTS for path in ("merges", "reviews", "jobs", "conflicts", "memory/stats")},
    ("POST", f"{GROUP}/tombstones/lift"): OWN_ONLY,
    **{(method, f"{GROUP}/users/{{user}}/opt_out"): OWN_ONLY for method in ("GET", "PUT", "DELETE")},
    **{("POST", f"{GROUP}/{path}"): NAMES for path in ("episodes", "files", "claims", "facts", "extract")},
    ("PUT", f"{GROUP}/episodes/by-external-id/{{external_id}}"): NAMES,
}
"""Calls that address nothing of a user's by an id, and why."""


def nothing(thing: str) -> str:
    """An id that nothing has."""
    return digest("nothing", thing)
