"""What one user may see, over every read: as if nobody but this user and everybody had said anything.

Each example is told twice: to a group with all users, and to a group that heard only what one user may see. Whatever
the one answers to ``user=`` is what the other answers without, but for ids, times of recording and scores.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.conftest import Service

USERS = ("ann", "bo", "cem")
SINCE, LATER = "2025-01-01T00:00:00Z", "2025-06-01T00:00:00Z"
OF_A_ROW = frozenset(
    {
        "id",
        "belief_id",
        "claim_id",
        "episode_id",
        "entity_id",
        "recorded_at",
        "superseded_at",
        "digested_at",
        "known_at",
    }
    | {"episode_ids", "markdown"}
    | {"valid_at", "score", "rank", "contribution", "outcome", "next_cursor", "settled", "from", "to", "settled_until"}
    | {"made_as"}
)
"""What differs between two groups that heard the same, or depends on the words of everybody."""
NOT_OF_USERS = {
    "/v1/groups",
    "/v1/groups/{group}/audit",
    "/v1/groups/{group}/audit/chain",
    "/v1/groups/{group}/ontology",
    "/v1/groups/{group}/dates",
    "/v1/groups/{group}/retention",
    "/v1/groups/{group}/predicates",
    "/v1/groups/{group}/predicates/{name}",
    "/v1/groups/{group}/sources",
    "/v1/groups/{group}/forget/{receipt_id}",
}


@dataclass(frozen=True)
class Said:
    """One thing said: for a user, or to everybody; as an episode, or as a claim."""

    user: str | None
    subject: str
    predicate: str
    object: str
    day: int
    claimed: bool

    @property
    def at(self) -> str:
        return f"2025-02-{self.day:02}T00:00:00Z"

    def episode(self) -> dict[str, Any]:
        content = f"{self.subject} {self.predicate} {self.object}."
        return {"content": content, "occurred_at": self.at, "user": self.user, "session": "s"}

    def claim(self) -> dict[str, Any]:
        kind = "place" if self.predicate == "lives_in" else "person"
        return {
            "subject": {"name": self.subject, "type": "person"},
            "predicate": self.predicate,
            "object": {"name": self.object, "type": kind},
            "valid_from": self.at,
            "occurred_at": self.at,
            "user": self.user,
        }


SAID = st.builds(
    Said,
    user=st.sampled_from([None, *USERS]),
    subject=st.sampled_from(["Maya", "MAYA", "maya", "Bruno", "BRUNO"]),
    predicate=st.sampled_from(["lives_in", "likes"]),
    object=st.sampled_from(["Porto", "PORTO", "porto", "Rome", "ROME"]),
    day=st.integers(1, 27),
    claimed=st.booleans(),
)


@pytest.mark.full
@given(told=st.lists(SAID, min_size=4, max_size=8, unique_by=lambda one: (one.user, one.subject, one.object, one.day)))
@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_user_sees_what_was_said_to_everybody_and_to_that_user_in_every_answer(
    service: Service, told: list[Said]
) -> None:
    everybody = tell(service, told)
    for user in USERS:
        alone = tell(service, [one for one in told if one.user in (None, user)])
        answers = dict(reads(service, everybody, user))
        assert answers == dict(reads(service, alone, None)), user
        assert not set(USERS) - {user} & set(users_in(answers))


def tell(service: Service, told: Sequence[Said]) -> str:
    group = f"users-{uuid4().hex[:12]}"
    service.post("/v1/groups", {"id": group})
    for one in told:
        path, body = ("claims", one.claim()) if one.claimed else ("episodes", one.episode())
        answer = service.post(f"/v1/groups/{group}/{path}", body)
        assert answer.is_success, answer.text
    return group


def reads(service: Service, group: str, user: str | None) -> Iterator[tuple[str, object]]:
    """Every read of a group by what it asks; lists are in any order, because ids differ."""
    known = {"user": user} if user else {}

    def read(path: str, **params: Any) -> tuple[str, object]:
        answer = service.get(f"/v1/groups/{group}{path}", **params, **known)
        return f"{path} {params}", shown(answer.json()) if answer.is_success else answer.status_code

    yield read("", counts="true")
    yield read("/episodes")
    yield read("/episodes", session="s")
    yield read("/entities")
    yield read("/graph")
    yield read("/diff", axis="valid", **{"from": SINCE, "to": LATER})
    yield read("/diff", axis="known", **{"from": SINCE, "to": "2999-01-01T00:00:00Z"})
    for name in ("maya", "bruno", "porto", "rome"):
        yield read("/entities", name=name)
        yield read("/graph", entity=name, depth=2)
    listed = service.get(f"/v1/groups/{group}/entities", **known).json()["entities"]
    for entity in sorted(listed, key=lambda one: (one["type"], one["name"])):
        key = f"{entity['type']} {entity['name']}"
        for path in ("", "/history"):
            yield f"{key}{path}", read(f"/entities/{entity['id']}{path}")[1]
    yield "evidence", grounds(service, group, known)
    body = {"query": "Where does Maya live? Porto, Rome", "limit": 100, **known}
    hits = service.post(f"/v1/groups/{group}/search", body).json()["hits"]
    yield "search", shown(hits)
    wide = {**body, "include_history": True, "types": ["person", "place"], "since": SINCE, "least_confidence": 0.1}
    found = service.post(f"/v1/groups/{group}/search", wide).json()
    yield "search of a history", (shown(found["hits"]), shown(found["entities"]))
    for asked in ({"query": body["query"]}, {"session": "s"}, {"session": "s", "about": "maya"}):
        limits = {"max_tokens": 10_000, "passages": 100, "beliefs": 100, "least_score": 0, "least_importance": 0}
        found = service.post(f"/v1/groups/{group}/context", {**asked, **limits, **known}).json()
        warnings = [warning.replace(group, "G") for warning in found["warnings"]]
        yield f"context {asked}", (shown(found["parts"]), shown(found["left_out"]), warnings)


def grounds(service: Service, group: str, known: dict[str, str]) -> object:
    """The evidence of every belief that there is, whoever may see it; those that are not to be seen are not there."""
    beliefs = service.get(f"/v1/groups/{group}/graph", valid_at=LATER).json()["beliefs"]
    answers = [service.get(f"/v1/groups/{group}/beliefs/{one['id']}/evidence", **known) for one in beliefs]
    return shown([answer.json() for answer in answers if answer.status_code != 404])


def shown(value: Any) -> Any:
    """An answer without what differs from group to group, its lists sorted."""
    if isinstance(value, dict):
        found = cast("dict[str, Any]", value)
        return {name: shown(part) for name, part in found.items() if name not in OF_A_ROW}
    if isinstance(value, list):
        parts = cast("list[Any]", value)
        return sorted((shown(part) for part in parts), key=lambda part: json.dumps(part, sort_keys=True))
    return value


def users_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        found = cast("dict[str, Any]", value)
        if isinstance(found.get("user"), str):
            yield found["user"]
        for part in found.values():
            yield from users_in(part)
    elif isinstance(value, list):
        parts = cast("list[Any]", value)
        for part in parts:
            yield from users_in(part)


def test_the_ids_of_what_another_user_said_lead_nowhere(service: Service, group: str) -> None:
    one = Said("ann", "Maya", "lives_in", "Porto", 3, claimed=False)
    (episode,) = service.post(f"/v1/groups/{group}/episodes", one.episode()).json()["episodes"]
    graph = service.get(f"/v1/groups/{group}/graph").json()
    paths = [f"episodes/{episode['id']}"]
    paths += [f"entities/{item['id']}{part}" for item in graph["entities"] for part in ("", "/history")]
    paths += [f"beliefs/{item['id']}/evidence" for item in graph["beliefs"]]
    paths += [f"graph?entity={item['id']}" for item in graph["entities"]]

    def status(path: str, user: str) -> int:
        return service.http.get(f"/v1/groups/{group}/{path}{'&' if '?' in path else '?'}user={user}").status_code

    assert {status(path, "bo") for path in paths} == {404}
    assert {status(path, "ann") for path in paths} == {200}


def test_an_outcome_says_what_was_new_to_its_user_whoever_reads_it(service: Service, group: str) -> None:
    said = [Said(user, "Maya", "lives_in", "Porto", 3, claimed=False).episode() for user in ("ann", "bo")]
    ids = [service.post(f"/v1/groups/{group}/episodes", one).json()["episodes"][0]["id"] for one in said]
    query = {"query": "Maya Porto", "kinds": ["episode"], "limit": 5}

    def outcomes(**known: str) -> list[tuple[int, int]]:
        episodes = service.get(f"/v1/groups/{group}/episodes", **known).json()["episodes"]
        episodes += [service.get(f"/v1/groups/{group}/episodes/{ids[1]}", **known).json()]
        hits = service.post(f"/v1/groups/{group}/search", {**query, **known}).json()["hits"]
        episodes += [hit["thing"] for hit in hits]
        return [(one["outcome"]["entities"], one["outcome"]["new_entities"]) for one in episodes if one["id"] == ids[1]]

    assert outcomes() == outcomes(user="bo") == [(2, 2)] * 3


def test_every_read_of_a_group_takes_a_user(service: Service) -> None:
    paths = service.get("/openapi.json").json()["paths"]
    lacking = {
        path
        for path, methods in paths.items()
        if path.startswith("/v1/groups") and "get" in methods
        if "user" not in {parameter["name"] for parameter in methods["get"].get("parameters", ())}
    }
    assert lacking - NOT_OF_USERS == set()
