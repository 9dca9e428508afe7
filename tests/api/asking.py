"""Every read of the API, drawn from its own description: what is added later is asked too, or is missed here."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import quote

import httpx
from hypothesis import strategies as st

from graphmem.api import openapi
from tests.api.conftest import Service
from tests.api.hostile import (
    EXTERNAL,
    KEPT,
    NAMES,
    PREDICATES,
    QUERIES,
    READER,
    SESSIONS,
    SOURCES,
    STRANGERS,
    TAGS,
    secret,
)
from tests.api.tenants import Tenant

GROUP = "/v1/groups/{group}"
EXPORT = f"{GROUP}/export"
"""What it answers is as it is stored, with a hash of it all."""
AUDIT = (f"{GROUP}/audit", f"{GROUP}/audit/chain")
"""What they answer is how often something was done, by whomever; an administrator reads it."""
OF_ALL = frozenset({("POST", f"{GROUP}/forget/{{receipt_id}}/verify"), ("GET", f"{GROUP}/retention")})
"""What looks through a whole group, for whoever may erase all of it."""
READING_POSTS = frozenset({f"{GROUP}/search", f"{GROUP}/context", f"{GROUP}/extract"})
WRITES = frozenset(
    {
        *(("POST", path) for path in ("/v1/groups", "/v1/keys", "/v1/keys/{key_id}/replace")),
        ("DELETE", "/v1/keys/{key_id}"),
        *(
            ("POST", f"{GROUP}/{path}")
            for path in ("import", "import/end", "episodes", "files", "claims", "merges", "jobs/{kind}")
        ),
        *(("POST", f"{GROUP}/episodes/{{episode_id}}/{verb}") for verb in ("reprocess", "retry")),
        ("PUT", f"{GROUP}/episodes/by-external-id/{{external_id}}"),
        ("POST", f"{GROUP}/sessions/{{session_id}}/close"),
        ("POST", f"{GROUP}/summaries/{{summary_id}}/regenerate"),
        *(("POST", f"{GROUP}/claims/{{claim_id}}/{verb}") for verb in ("retract", "correct")),
        ("POST", f"{GROUP}/forget"),
        *(("POST", f"{GROUP}/{path}") for path in ("facts", "conflicts/{belief_id}")),
        *(("POST", f"{GROUP}/facts/{{belief_id}}/{verb}") for verb in ("confirm", "correct", "share", "unshare")),
        ("DELETE", f"{GROUP}/facts/{{belief_id}}"),
        *((method, f"{GROUP}/predicates/{{name}}") for method in ("PUT", "DELETE")),
        *((method, f"{GROUP}/ontology") for method in ("PUT", "DELETE")),
        *(("PUT", f"{GROUP}/{path}") for path in ("name", "archived", "dates")),
        *((method, f"{GROUP}/retention") for method in ("PUT", "DELETE")),
        *(("PUT", f"{GROUP}/{path}") for path in ("entities/{entity_id}/protected", "sources/{source}")),
        *(("POST", f"{GROUP}/{path}") for path in ("merges/{merge_id}/revert", "reviews/{review_id}")),
        ("POST", f"{GROUP}/tombstones/lift"),
        *((method, f"{GROUP}/users/{{user}}/opt_out") for method in ("PUT", "DELETE")),
    }
)
"""What changes a group. Whatever else there is, reads."""
_RANKED = (f"{GROUP}/search", f"{GROUP}/context")
_CUT = frozenset(
    {"limit", "max_tokens", "cursor", "least_score", "window", "earlier", "facts", "beliefs", "passages", "summaries"}
    | {"near_summaries", "least_summary_score", "least_relevance", "facts_share"}
)
"""What one of these leaves of an answer depends on ids, or on everybody's words: it must keep secrets, and no more."""
_ROOMY = {
    f"{GROUP}/search": {"limit": 100},
    f"{GROUP}/context": {
        "max_tokens": 100_000,
        "facts": 100,
        "beliefs": 100,
        "passages": 100,
        "summaries": 100,
        "near_summaries": 100,
        "least_summary_score": 0.0,
        "window": 200,
        "earlier": 200,
        "least_score": 0.0,
        "facts_share": 1.0,
    },
}
"""Limits that cut nothing; those of episodes, entities and the like are wide enough by themselves."""


def _ids(kind: str) -> list[str]:
    """Of what a reader may know, of what another user keeps, of what another group has, and of nothing."""
    return [f"@{whose}{kind} {number}@" for whose in ("", "hidden ", "foreign ") for number in range(4)] + ["@none@"]


_OTHERS = [secret("other"), secret("foreign"), f"{secret('other')} {NAMES[0]}", *NAMES]
_EPISODES = st.sampled_from([*_ids("episode"), *(f"@episode {number}@" for number in range(4, 12))])
_ENTITIES = st.sampled_from([*_ids("entity"), *(f"@entity {number}@" for number in range(4, 12))])
_BELIEFS = st.sampled_from([*_ids("row"), *_ids("belief"), *(f"@row {number}@" for number in range(4, 12))])
_TIMES = st.one_of(
    st.sampled_from(["2025-01-01T00:00:00Z", "2025-02-05T00:00:00Z", "2025-02-20T00:00:00Z", "2999-01-01T00:00:00Z"]),
    st.integers(0, 12).map(lambda number: f"@after {number}@"),
)
_OPEN = st.sampled_from([True, False])
_LIMITS = st.integers(1, 5)
_TYPES = st.sampled_from(["person", "place", f"type-{KEPT}other", "entity", "organization"])


def _listed(one: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(one, min_size=1, max_size=3)


VALUES: Mapping[str, st.SearchStrategy[Any]] = {
    "query": QUERIES,
    "content": st.one_of(
        QUERIES.filter(lambda text: "@" not in text), st.sampled_from(NAMES).map(lambda name: f"{name} likes {name}")
    ),
    **dict.fromkeys(("valid_at", "known_at", "since", "from", "occurred_at"), _TIMES),
    **dict.fromkeys(("until", "to"), st.sampled_from(["2025-03-01T00:00:00Z", "2998-01-01T00:00:00Z"])),
    **dict.fromkeys(("session", "exclude_session"), st.sampled_from([*SESSIONS, secret("other"), secret("foreign")])),
    **dict.fromkeys(("entity", "about"), st.one_of(_ENTITIES, st.sampled_from(_OTHERS))),
    **dict.fromkeys(("entity_id", "first", "second"), _ENTITIES),
    **dict.fromkeys(
        ("name", "speaker"),
        st.sampled_from([one for one in (*_OTHERS, *PREDICATES) if one != ".."]),  # in a path that is another path
    ),
    "type": _TYPES,
    "types": _listed(_TYPES),
    **dict.fromkeys(("predicates", "predicate"), _listed(st.sampled_from([*PREDICATES, secret("other")]))),
    "categories": _listed(st.sampled_from(["preference", "identity", "*", "zq*"])),
    "category": st.lists(st.sampled_from(["preference", "identity"]), min_size=1, max_size=2),
    "subject": st.one_of(_ENTITIES, st.sampled_from(_OTHERS)),
    "tag": st.sampled_from([*TAGS, secret("other")]),
    **dict.fromkeys(("diversity", "recency", "confidence"), st.sampled_from([0.0, 0.3, 1.0])),
    "half_life_days": st.sampled_from([1.0, 30.0]),
    **dict.fromkeys(("position", "occurrence"), st.sampled_from([0, 3])),
    "episode_days": st.just(30_000),
    "roles": _listed(st.sampled_from(["user", "participant", "assistant"])),
    "speakers": _listed(st.sampled_from(_OTHERS)),
    "sources": _listed(st.sampled_from([*SOURCES, secret("other")])),
    "tags": _listed(st.sampled_from([*TAGS, secret("other")])),
    "kinds": st.lists(
        st.sampled_from(["relationship", "fact", "episode", "entity", "summary", "reflection", "path"]),
        min_size=1,
        unique=True,
    ),
    **dict.fromkeys(("least_confidence", "least_importance", "facts_share"), st.sampled_from([0.0, 0.5, 0.95])),
    "least_score": st.sampled_from([-1.0, 0.0, 0.2, 0.9]),
    "least_relevance": st.sampled_from([0.0, 0.1, 0.9]),
    "least_summary_score": st.sampled_from([0.0, 0.55, 0.9]),
    **dict.fromkeys(
        ("open", "vectors", "include_history", "explain", "counts", "exclude_window", "weekly_insight", "remember"),
        _OPEN,
    ),
    "fusion": st.sampled_from(["weighted", "rrf"]),
    "why_not": st.lists(st.one_of(_EPISODES, _BELIEFS), min_size=1, max_size=6),
    "episode_id": _EPISODES,
    "session_id": st.sampled_from(_ids("session")),
    "agent": st.sampled_from(["clerk", secret("other")]),
    "belief_id": _BELIEFS,
    "merge_id": st.sampled_from(_ids("merge")),
    "review_id": st.sampled_from(_ids("review")),
    "receipt_id": st.sampled_from([*_ids("job"), *_ids("episode")]),
    "job_id": st.sampled_from([*_ids("job"), *_ids("episode")]),
    "key": st.sampled_from(["worker", secret("other")]),
    "by_user": st.sampled_from([READER, *STRANGERS]),
    "operation": st.sampled_from(["", "POST", secret("other")]),
    "thing": st.one_of(_EPISODES, _BELIEFS),
    "status": st.sampled_from(["pending", "refining", "digested", "failed", "redacted", "replaced"]),
    "kind": st.sampled_from(["digest", "dedup", "reproject", "merge", "embed"]),
    "axis": st.sampled_from(["valid", "known"]),
    "format": st.sampled_from(["json", "graphml", "csv"]),
    "depth": st.integers(0, 3),
    **dict.fromkeys(
        ("limit", "window", "earlier", "facts", "beliefs", "passages", "summaries", "near_summaries"), _LIMITS
    ),
    "max_tokens": st.sampled_from([1, 40, 200]),
    "after": st.sampled_from(["e30", "*"]),
    "cursor": st.sampled_from(["@cursor other@", "@cursor foreign@", "e30", "*"]),
    "user": st.sampled_from([READER] * 6 + list(STRANGERS)),
    "content_type": st.sampled_from(["message", "document"]),
    "role": st.sampled_from(["user", "assistant"]),
    "source": st.sampled_from(SOURCES),
    "external_id": st.sampled_from(EXTERNAL),
    "time_zone": st.sampled_from(["UTC", "Asia/Tokyo"]),
    "metadata": st.just({"*": "zq*"}),
    "sequence": st.integers(0, 3),
    "strategy": st.sampled_from(["*", "zqkeyother"]),
    "canaries": _listed(st.sampled_from(_OTHERS)),
}
"""What is asked by a parameter of each name, or as a member of a body. What stands in @…@ is filled in by a tenant."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, as a reader may send it to any group."""

    method: str
    path: str
    places: Mapping[str, Any]
    params: Mapping[str, Any]
    body: Mapping[str, Any] | None

    @property
    def given(self) -> Mapping[str, Any]:
        return {**self.params, **(self.body or {})}

    @property
    def ranked(self) -> bool:
        return self.path in _RANKED

    @property
    def by_token(self) -> bool:
        return self.has("@token") or self.has("@audience")

    @property
    def whole(self) -> bool:
        """Whether the answer is cut by nothing that depends on others."""
        roomy = _ROOMY.get(self.path, {})
        limits = {name: value for name, value in self.given.items() if name in _CUT}
        return GROUP in self.path and limits == roomy and self.path not in (EXPORT, *AUDIT)

    def by(self, user: str | None) -> "Asked":
        """The same of another reader; None reads the whole group."""

        def reading(given: Mapping[str, Any]) -> Mapping[str, Any]:
            others = {name: value for name, value in given.items() if name != "user"}
            return others if user is None or "user" not in given else {**others, "user": user}

        return Asked(self.method, self.path, self.places, reading(self.params), self.body and reading(self.body))

    def send(self, service: Service, tenant: Tenant) -> httpx.Response:
        path = self.path.replace("{group}", tenant.group)
        for name, value in self.places.items():
            path = path.replace(f"{{{name}}}", quote(tenant.filled(value), safe=""))
        body = None if self.body is None else tenant.filled(self.body)
        return service.http.request(self.method, path, params=tenant.filled(self.params), json=body)

    def has(self, word: str) -> bool:
        return word in json.dumps([self.places, self.given], ensure_ascii=False)


def reads(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for method, path, operation in openapi.operations(document):
        if (method, path) not in WRITES | OF_ALL:
            yield method, path, operation


def requests(document: dict[str, Any], most: Mapping[str, int]) -> st.SearchStrategy[list[Asked]]:
    """One request or more of every read, of some ``most`` at once."""
    every = [
        st.lists(_request(document, *read), min_size=(n := most.get(read[1], 2)), max_size=n)
        for read in reads(document)
    ]
    return st.tuples(*every).map(lambda lists: [asked for some in lists for asked in some])


def _request(document: dict[str, Any], method: str, path: str, operation: dict[str, Any]) -> st.SearchStrategy[Asked]:
    named = [one for one in operation.get("parameters", ()) if one["name"] != "group"]
    places = {one["name"]: VALUES[one["name"]] for one in named if one["in"] == "path"}
    needed = {one["name"]: _values(one) for one in named if one["in"] == "query" and one.get("required")}
    optional = {one["name"]: _values(one) for one in named if one["in"] == "query" and not one.get("required")}
    return st.builds(
        Asked,
        st.just(method),
        st.just(path),
        st.fixed_dictionaries(places),
        _few(needed, optional),
        _body(document, path, operation),
    )


def _values(parameter: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """What is asked by a parameter; one value where it takes no list."""
    takes = json.dumps(parameter["schema"])
    values = VALUES[parameter["name"]]
    return values if '"array"' in takes else values.map(_first)


def _first(value: Any) -> Any:
    return cast("list[Any]", value)[0] if isinstance(value, list) else value


def _body(document: dict[str, Any], path: str, operation: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "requestBody" not in operation:
        return st.none()
    reference = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    schema = document["components"]["schemas"][reference.rpartition("/")[2]]
    members = {name: VALUES[name] for name in schema["properties"]}
    asked = next(name for name in ("query", "content") if name in members)
    roomy = {name: st.just(value) for name, value in _ROOMY.get(path, {}).items()}
    needed = {asked: members[asked], **roomy}
    return st.one_of(_few(needed, members), _few({asked: members[asked]}, members) if roomy else st.nothing())


def _few(needed: Mapping[str, Any], optional: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """What is needed, a reader where there may be one, and few of the others: with many at once nothing is found."""
    named = {**({"user": optional["user"]} if "user" in optional else {}), **needed}
    others = sorted(optional.keys() - named.keys())
    if not others:
        return st.fixed_dictionaries(named)
    chosen = st.lists(st.sampled_from(others), max_size=3, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({**named, **{name: optional[name] for name in names}}))
