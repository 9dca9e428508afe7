"""What may be the same, over HTTP: asked, explained, decided, found by a job."""

from typing import Any

import pytest

from graphmem.store.driver import Database
from tests.api.claiming import compare
from tests.api.conftest import Service


@pytest.fixture
def group(service: Service, group: str) -> str:
    told = [("Thomas Okafor", "born", "1970-01-02"), ("Tom Okafor", "likes", "tea"), ("Room 101", "holds", 4)]
    claims = [
        {
            "subject": {"name": name, "type": "room" if name.startswith("Room") else "person"},
            "predicate": predicate,
            "value": value,
            "occurred_at": "2025-01-01T00:00:00Z",
        }
        for name, predicate, value in told
    ]
    assert service.post(f"/v1/groups/{group}/claims", claims).status_code == 201
    return f"/v1/groups/{group}"


def ids(service: Service, group: str) -> dict[str, str]:
    return {one["name"]: one["id"] for one in service.get(f"{group}/entities").json()["entities"]}


def test_any_pair_is_explained_in_weights_that_add_up(service: Service, group: str) -> None:
    named = ids(service, group)
    pair = {"first": named["Tom Okafor"], "second": named["Thomas Okafor"]}
    shown = service.get(f"{group}/pairs", **pair).json()
    assert shown["verdict"] == "review"
    assert sum(part["weight"] for part in shown["parts"]) == pytest.approx(shown["score"])
    assert shown["parts"][0]["part"] == "prior"
    assert not any(part["refined"] for part in shown["parts"])
    assert service.get(f"{group}/pairs", **{**pair, "second": "0" * 32}).status_code == 404
    assert service.get(f"{group}/pairs", **{**pair, "second": pair["first"]}).status_code == 422
    other = service.get(f"{group}/pairs", first=named["Tom Okafor"], second=named["Room 101"]).json()
    assert (other["verdict"], other["proposed"]) == ("different", False)
    assert other["vetoes"]


async def test_a_user_is_told_why_from_what_that_user_may_know(
    service: Service, group: str, database: Database
) -> None:
    named = ids(service, group)
    said: list[tuple[str, str | None]] = [("Tom Okafor", None), ("Thomas Okafor", "ann")]
    claims = [
        {
            "subject": {"name": name, "type": "person"},
            "predicate": "email",
            "value": "tom@acme.example",
            "occurred_at": "2025-01-01T00:00:00Z",
            "user": user,
        }
        for name, user in said
    ]
    assert service.post(f"{group}/claims", claims).status_code == 201
    await compare(database, group.rpartition("/")[2])
    pair = {"first": named["Tom Okafor"], "second": named["Thomas Okafor"]}
    for user, verdict in (("ann", "same"), ("bea", "review"), (None, "review")):
        reader = {"user": user} if user else {}
        shown = service.get(f"{group}/pairs", **pair, **reader).json()
        assert shown["verdict"] == verdict
        assert any(part["part"] == "email" for part in shown["parts"]) == (user == "ann")
        merges = service.get(f"{group}/merges", **reader).json()["merges"]
        assert [merge["user"] for merge in merges] == ([] if user == "bea" else ["ann"])


def test_nothing_is_asked_before_anything_is_compared(service: Service, group: str) -> None:
    assert service.get(f"{group}/reviews").json() == {"warnings": [], "reviews": [], "next_cursor": None}
    assert service.get(f"{group}/reviews/{'0' * 32}").status_code == 404
    decision = {"verdict": "same", "reason": "?"}
    assert service.post(f"{group}/reviews/{'0' * 32}", decision).status_code == 404
    assert service.post(f"{group}/reviews/{'0' * 32}", {**decision, "verdict": "perhaps"}).status_code == 422


def test_sources_that_tell_of_each_thing_once_are_named(service: Service, group: str) -> None:
    assert service.http.put(f"{group}/sources/crm", json={"unique": True}).json() == {"name": "crm", "unique": True}
    assert service.get(f"{group}/sources").json() == {
        "warnings": [],
        "sources": [{"name": "crm", "unique": True}],
    }
    assert service.http.put(f"{group}/sources/crm", json={"unique": False}).status_code == 200
    assert service.get(f"{group}/sources").json() == {"warnings": [], "sources": []}


def test_the_job_is_asked_for_without_a_target(service: Service, group: str) -> None:
    asked: dict[str, Any] = service.post(f"{group}/jobs/dedup", {}).json()["job"]
    assert (asked["kind"], asked["status"], asked["target"]) == ("dedup", "pending", None)
    assert service.post(f"{group}/jobs/dedup", {"target": "x"}).status_code == 422
    assert service.post(f"{group}/jobs/dedup", {"dry_run": True}).json()["job"]["id"] != asked["id"]


def tie(name: str, predicate: str, whom: str, user: str | None = None) -> dict[str, Any]:
    return {
        "subject": {"name": name, "type": "person"},
        "predicate": predicate,
        "object": {"name": whom, "type": "person"},
        "occurred_at": "2024-01-01T00:00:00Z",
        "user": user,
    }


TIES = {"Thomas Okafor": "met", "Tom Okafor": "knows"}


async def test_a_review_shows_both_and_whom_both_know_to_whom_may_see_it(
    service: Service, database: Database, group: str
) -> None:
    shared = [tie(name, predicate, "Ada") for name, predicate in TIES.items()]
    own = [tie(name, predicate, "Cem", "ann") for name, predicate in TIES.items()]
    assert service.post(f"{group}/claims", [*shared, *own]).status_code == 201
    await compare(database, group.rpartition("/")[2])
    (listed,) = service.get(f"{group}/reviews").json()["reviews"]
    assert "profiles" not in listed

    def shown(**user: str) -> tuple[dict[str, Any], list[str]]:
        review = service.get(f"{group}/reviews/{listed['id']}", **user).json()
        assert listed.items() <= review.items()
        profiles, neighbours = review["profiles"], review["shared_neighbours"]
        assert [one["id"] for one in profiles] == [review["first"]["id"], review["second"]["id"]]
        by = [[TIES[one["name"]]] for one in profiles]
        assert all([one["of_first"], one["of_second"]] == by for one in neighbours)
        return {one["name"]: one for one in profiles}, sorted(one["name"] for one in neighbours)

    both, neighbours = shown(user="bo")
    tom = both["Tom Okafor"]
    said = {(one["predicate"], one["entity"]["name"] if one["entity"] else one["value"]) for one in tom["beliefs"]}
    assert (said, tom["beliefs_total"]) == ({("knows", "Ada"), ("likes", "tea")}, 2)
    assert (neighbours, tom["first_seen"], tom["aliases"]) == (["Ada"], "2024-01-01T00:00:00Z", [])
    for whole, known in (shown(), shown(user="ann")):
        assert (known, whole["Tom Okafor"]["beliefs_total"]) == (["Ada", "Cem"], 3)
    pair = service.get(f"{group}/pairs", first=tom["id"], second=both["Thomas Okafor"]["id"], user="bo").json()
    assert {one["name"]: one for one in pair["profiles"]} == both


async def test_an_answer_that_moves_many_claims_is_a_job(
    service: Service, database: Database, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphmem.identity.merging.MOST_AT_ONCE", 0)
    await compare(database, group.rpartition("/")[2])
    (listed,) = service.get(f"{group}/reviews").json()["reviews"]
    path = f"{group}/reviews/{listed['id']}"

    answer = service.post(path, {"verdict": "same", "reason": "one"})

    assert answer.status_code == 202, answer.text
    assert answer.json()["job"]["arguments"]["verdict"] == "same"
    no = service.post(path, {"verdict": "different", "reason": "two"}).json()["job"]
    assert (no["id"], no["arguments"]["verdict"]) == (answer.json()["job"]["id"], "different")
