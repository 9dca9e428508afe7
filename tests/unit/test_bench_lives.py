"""What is right of a life, as its benchmark counts it, and how a life is told."""

import json
from typing import Any

import httpx
import pytest

from bench import lives
from bench.lives import Life, Memory, States, figures, is_named, judged

LIFE = Life(
    "l1",
    [
        {"session": "b", "role": "user", "speaker": "Ada", "time": "2025-01-02T00:00:00Z", "content": "one"},
        {"session": "b", "role": "assistant", "time": "2025-01-02T00:00:00Z", "content": "two"},
        {"session": "a", "role": "user", "speaker": "Cy", "time": "2025-01-01T00:00:00Z", "content": "three"},
        {"session": "b", "role": "user", "speaker": "Ada", "time": "2025-01-02T00:00:00Z", "content": "four"},
    ],
    [],
)


def belief(predicate: str = "lives_in", name: str = "Porto", **more: Any) -> dict[str, Any]:
    statement = f"Ada {predicate} {name}"
    empty: dict[str, Any] = {"value": None, "attributes": {}, "status": None, "event": None}
    return {
        **empty,
        "subject": {"name": "Ada"},
        "predicate": predicate,
        "statement": statement,
        "object": {"name": name},
        **more,
    }


def check(expect: str = "", forbid: str = "", state: str = "lives_in", **more: Any) -> dict[str, Any]:
    asked = {"subject": "Ada", "valid_at": "2025-01-01T00:00:00Z", "known_at": None, "kind": "state", "state": state}
    return {**asked, "expect": [expect] if expect else [], "not": [forbid] if forbid else [], **more}


RIGHT = (
    (check("porto"), [belief()], True),
    (check("Rome"), [belief()], False),
    (check("Porto"), [belief("likes")], False),
    (check("Porto"), [belief(status="planned")], False),
    (check("Porto", state="plan"), [belief("will_visit", status="planned")], True),
    (check("Porto", state="plan"), [belief("will_visit", status="negated")], False),
    (check(forbid="Porto"), [belief()], False),
    (check(forbid="Ada"), [belief()], True),
    (check(forbid="Porto"), [belief("likes")], True),
    (check(forbid="Porto"), [belief(status="wished")], True),
    (check(forbid="Porto"), [belief(event={"day": "2025"})], True),
    (check(forbid="Porto", state="event"), [belief(event={"day": "2025"})], False),
    (check(forbid="vet"), [belief(object=None, value="the vet's")], False),
    (check("2025", state="event"), [belief(event={"day": "2025"})], True),
)


def test_a_check_is_right_if_what_it_expects_is_believed_and_nothing_it_forbids(subtests: pytest.Subtests) -> None:
    for asked, beliefs, right in RIGHT:
        with subtests.test(asked=asked, beliefs=beliefs):
            assert judged(States.read(), "l1", asked, beliefs).right == right


def test_figures_count_by_kind_and_state() -> None:
    asked = [check("Porto"), check("Rome", kind="change"), check(forbid="Porto", state="event")]
    told = figures([judged(States.read(), "l1", each, [belief()]) for each in asked])

    assert (told["right"], told["total"]) == (1, 3)
    assert told["by_kind"] == {"change": [0, 1], "state": [1, 2]}
    assert told["by_state"] == {"event": [0, 1], "lives_in": [1, 2]}
    assert (told["forbidden_believed"], told["expected_missing"]) == ([1, 1], [1, 2])


@pytest.mark.parametrize("user", [None, "Ada"])
def test_each_session_is_one_request_in_list_order_and_reads_know_what_was_known_before_it(
    monkeypatch: pytest.MonkeyPatch, user: str | None
) -> None:
    monkeypatch.setattr(lives, "PAUSES", (0, 0))
    posted, asked = list[list[dict[str, Any]]](), list[httpx.QueryParams]()

    def service(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            posted.append(json.loads(request.read()))
        if request.url.path.endswith("/graph"):
            asked.append(request.url.params)
        return httpx.Response(200, json={"work": {"pending": 0, "failed": 0}, "beliefs": []})

    with httpx.Client(base_url="http://bench", transport=httpx.MockTransport(service)) as client:
        memory = Memory(client, "g", user)
        memory.hear(LIFE)
        memory.asked(check(known_at="before:a"))

    assert [[body["content"] for body in bodies] for bodies in posted] == [["one", "two", "four"], ["three"]]
    assert [body.get("user") for body in posted[0]] == [user] * 3
    assert posted[1][0]["role"] == (lives.PARTICIPANT if user else "user")
    assert [params.get("entity") for params in asked] == ["Ada", None]
    assert {params["known_at"] for params in asked} == {memory.marks["before:a"]}
    assert memory.marks["before:b"] < memory.marks["before:a"]


def test_somebody_goes_by_a_part_of_the_name() -> None:
    names = {"Ada": True, "ada m lovelace": True, "Grace": False, "Ada Lovelace Smith": True}
    found = {name: is_named(belief(subject={"name": "x"}, name=name), "Ada Lovelace") for name in names}
    assert found == {**names, "ada m lovelace": True}
