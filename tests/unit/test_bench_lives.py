"""How lives are posted and their checks judged, as the benchmark does it."""

from typing import Any

import pytest

from bench.lives import Check, Life, episodes, figures, verdict


def belief(statement: str, predicate: str, target: str | None = None, **more: Any) -> dict[str, Any]:
    thing = None if target is None else {"name": target}
    nothing = {"object": thing, "value": None, "attributes": {}, "status": None}
    return {"subject": {"name": "Zoe"}, "statement": statement, "predicate": predicate, **nothing, **more}


def check(state: str, expect: tuple[str, ...] = (), forbidden: tuple[str, ...] = ()) -> Check:
    return Check("Zoe", state, "change", None, None, expect, forbidden)


LYON, ROME = belief("Zoe lives in Lyon.", "lives_in", "Lyon"), belief("Zoe lives in Rome.", "lives_in", "Rome")
PLANNED = belief("Zoe plans to move to Rome.", "plans", value="move to Rome", status="planned")
TRIP = belief("Zoe went to Rome.", "went_to", "Rome", event=["2024-03-01", "2024-03-02"])

JUDGED: dict[str, tuple[Check, list[dict[str, Any]], bool]] = {
    "what is expected is believed": (check("lives_in", ("lyon",)), [LYON], True),
    "it is not believed": (check("lives_in", ("Lyon",)), [ROME], False),
    "it is believed of another state": (check("works_at", ("Lyon",)), [LYON], False),
    "what is forbidden is believed": (check("lives_in", ("Lyon",), ("Rome",)), [LYON, ROME], False),
    "a plan is no home": (check("lives_in", (), ("Rome",)), [PLANNED], True),
    "and no answer where one lives": (check("lives_in", ("Rome",)), [PLANNED], False),
    "but a plan": (check("plan", ("Rome",)), [PLANNED], True),
    "an event holds no state": (check("traveled_to", (), ("Rome",)), [TRIP], True),
    "nothing asked, nothing wrong": (check("lives_in"), [], True),
}


def test_a_check_is_right_if_all_that_is_expected_is_believed_and_nothing_else(subtests: pytest.Subtests) -> None:
    for name, (asked, beliefs, right) in JUDGED.items():
        with subtests.test(name):
            assert verdict("life", asked, beliefs).right is right


def test_figures_count_by_kind_and_what_is_missing_and_wrong() -> None:
    told = figures([verdict("life", asked, beliefs) for asked, beliefs, _ in JUDGED.values()])
    assert (told["right"], told["total"], told["by_kind"]) == (5, 9, {"change": [5, 9]})
    assert (told["forbidden_believed"], told["expected_missing"]) == ([1, 3], [3, 6])


def test_the_first_speaker_is_the_user_where_asked_for() -> None:
    life = Life(
        "a",
        (
            {"session": "s1", "role": "user", "speaker": "Zoe", "time": "2024-01-01T00:00:00Z", "content": "Hi"},
            {"session": "s1", "role": "assistant", "time": "2024-01-01T00:00:00Z", "content": "Hello"},
            {"session": "s1", "role": "user", "speaker": "Tom", "time": "2024-01-01T00:00:00Z", "content": "Hey"},
            {"session": "s2", "role": "user", "speaker": "Zoe", "time": "2024-02-01T00:00:00Z", "content": "Bye"},
        ),
        (),
    )
    assert [one.get("user") for one in episodes(life, "s1", users=True)] == ["user", None, None]
    assert [one.get("user") for one in episodes(life, "s1", users=False)] == [None, None, None]
    assert [one["content"] for one in episodes(life, "s2", users=False)] == ["Bye"]
