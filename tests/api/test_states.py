"""Answers about a state, which need no search: what holds, since when, known since when, and what it replaced."""

from typing import Any

from tests.api.claiming import ABSENT, JANUARY, JULY, MAY, lives, moves, post
from tests.api.conftest import Service


def answer(service: Service, group: str, entity: str = "Maya", predicate: str = "lives_in", **asked: Any) -> Any:
    found = service.get(f"/v1/groups/{group}/answer", entity=entity, predicate=predicate, **asked)
    assert found.status_code == 200, found.text
    return found.json()


def test_a_state_says_since_when_it_is_known_and_what_it_replaced(service: Service, group: str) -> None:
    moves(service, group)
    now = answer(service, group)
    (held,) = now["values"]
    assert held["belief"]["statement"] == "Maya lives in Lisbon."
    assert (held["belief"]["valid_from"], held["known_since"]) == (MAY, JULY)
    assert held["belief"]["evidence"][0]["quote"]
    assert [one["statement"] for one in held["replaced"]] == ["Maya lives in Porto."]
    assert (now["entity"]["name"], now["unknown"], now["before"], now["complete"]) == ("Maya", None, [], True)

    (in_may_as_known_in_june,) = answer(service, group, known_at="2025-06-01T00:00:00Z", valid_at=MAY)["values"]
    assert in_may_as_known_in_june["belief"]["statement"] == "Maya lives in Porto."
    (in_march,) = answer(service, group, valid_at="2025-03-01T00:00:00Z")["values"]
    assert (in_march["known_since"], in_march["replaced"]) == (JANUARY, [])
    assert in_march["belief"]["recorded_at"] == JULY, "a new version, of what was known before"


def test_who_is_asked_about_may_be_the_object(service: Service, group: str) -> None:
    moves(service, group)
    (held,) = answer(service, group, entity="Lisbon")["values"]
    assert (held["belief"]["subject"]["name"], held["as_object"]) == ("Maya", True)


def test_that_nothing_is_known_is_an_answer(service: Service, group: str) -> None:
    post(service, group, lives("Lisbon", MAY))
    post(service, group, lives("Lisbon", "2025-10-01T00:00:00Z", kind="ends"))
    ended = answer(service, group)
    assert (ended["values"], [one["statement"] for one in ended["before"]]) == ([], ["Maya lives in Lisbon."])
    assert ended["unknown"].endswith("“lives_in” of Maya then; until 30 September 2025: Maya lives in Lisbon.")
    never = answer(service, group, predicate="allergic_to", valid_at=JULY)
    assert never["unknown"] == "Nothing was ever known of “allergic_to” of Maya. What is known of Maya: lives_in."
    later = answer(service, group, valid_at="2024-01-01T00:00:00Z")
    assert later["unknown"].endswith("“lives_in” of Maya then; from 1 May 2025 on: Maya lives in Lisbon.")
    nobody = answer(service, group, entity="Mayra")
    assert (nobody["entity"], nobody["values"], nobody["near"]) == (None, [], ["Maya"])
    assert "nobody and nothing of the name 'Mayra'" in nobody["unknown"]
    for where, whom in ((group, ABSENT), ("no-such-group", "Maya")):
        assert service.get(f"/v1/groups/{where}/answer", entity=whom, predicate="lives_in").status_code == 404
    assert service.get(f"/v1/groups/{group}/answer", entity="Maya").status_code == 422


def test_a_short_name_is_taken_for_the_fuller_one(service: Service, group: str) -> None:
    post(service, group, lives("Oslo", JANUARY, subject={"name": "Nora Lindqvist", "type": "person"}))
    said = answer(service, group, entity="Nora")
    assert (said["taken_for"], len(said["values"])) == ({"Nora": "Nora Lindqvist"}, 1)


def test_what_another_user_is_told_is_unknown(service: Service, group: str) -> None:
    post(service, group, lives("Oslo", JANUARY, user="maya"))
    assert len(answer(service, group, user="maya")["values"]) == 1
    assert answer(service, group, user="ben")["entity"] is None


def test_one_belief_is_shown_by_its_id_or_by_that_of_a_version(service: Service, group: str) -> None:
    moves(service, group)
    (porto,) = answer(service, group, valid_at="2025-03-01T00:00:00Z")["values"]
    path = f"/v1/groups/{group}/beliefs"
    last = service.get(f"{path}/{porto['belief']['belief_id']}").json()
    assert last["belief"] == porto["belief"]
    first = service.get(f"{path}/{porto['belief']['belief_id']}", known_at="2025-06-01T00:00:00Z").json()
    assert (first["belief"]["valid_to"], first["belief"]["id"] == last["belief"]["id"]) == (None, False)
    assert service.get(f"{path}/{first['belief']['id']}").json()["belief"]["superseded_at"] == JULY
    assert service.get(f"{path}/{ABSENT}").status_code == 404


def test_all_beliefs_come_page_by_page(service: Service, group: str) -> None:
    named = [{"name": f"Person {number}", "type": "person"} for number in range(7)]
    post(service, group, *(lives("Oslo", JANUARY, subject=one) for one in named))
    path, seen, cursor = f"/v1/groups/{group}/beliefs", list[str](), None
    while True:
        page = service.get(path, limit=3, predicate="lives_in", **({"cursor": cursor} if cursor else {})).json()
        seen += [one["subject"]["name"] for one in page["beliefs"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert sorted(seen) == sorted(one["name"] for one in named)
    assert service.get(path, predicate="works_at").json()["beliefs"] == []
    assert service.get(path, valid_at="2024-01-01T00:00:00Z").json()["beliefs"] == []
