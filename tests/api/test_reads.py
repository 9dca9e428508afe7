"""Reads on both axes of time: history, difference and evidence; what is settled; what a limit cuts."""

from typing import Any

import pytest

from tests.api.claiming import ABSENT, JANUARY, JULY, MARCH, MAY, MAYA, lives, moves, post
from tests.api.conftest import Service

AGE = {"subject": MAYA, "predicate": "age", "value": 30, "valid_from": JANUARY, "occurred_at": JANUARY}


def read(service: Service, group: str, path: str, **params: Any) -> dict[str, Any]:
    answer = service.get(f"/v1/groups/{group}/{path}", **params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def maya(service: Service, group: str) -> str:
    return read(service, group, "entities", name="Maya")["entities"][0]["id"]


def cities(beliefs: list[dict[str, Any]]) -> list[tuple[str, str | None, str | None]]:
    return [(item["object"]["name"], item["valid_from"], item["valid_to"]) for item in beliefs]


@pytest.fixture
def moved(service: Service, group: str) -> str:
    return moves(service, group)


# history ------------------------------------------------------------------------------------------------------------


def test_a_history_has_every_version_on_both_axes(service: Service, moved: str) -> None:
    found = read(service, moved, f"entities/{maya(service, moved)}/history")
    rows = {
        (item["object"]["name"], item["valid_to"], item["recorded_at"], item["superseded_at"])
        for item in found["versions"]
    }
    assert rows == {
        ("Porto", None, JANUARY, JULY),
        ("Porto", MAY, JULY, None),
        ("Lisbon", None, JULY, None),
    }
    assert all(item["evidence"] for item in found["versions"])
    assert (found["entity"]["name"], found["valid_at"], found["next_cursor"]) == ("Maya", None, None)


def test_a_history_knows_nothing_of_what_came_later(service: Service, moved: str) -> None:
    (version,) = read(service, moved, f"entities/{maya(service, moved)}/history", known_at=MAY)["versions"]
    assert (version["object"]["name"], version["valid_to"], version["superseded_at"]) == ("Porto", None, None)


def test_a_history_is_narrowed_by_predicate_and_by_valid_at_if_given(service: Service, moved: str) -> None:
    path = f"entities/{maya(service, moved)}/history"
    march = read(service, moved, path, valid_at=MARCH)
    assert march["valid_at"] == MARCH
    assert {item["object"]["name"] for item in march["versions"]} == {"Porto"}
    assert read(service, moved, path, predicate="likes")["versions"] == []


def test_a_history_is_paged_in_one_order(service: Service, moved: str) -> None:
    path = f"entities/{maya(service, moved)}/history"
    post(service, moved, AGE | {"valid_from": None, "recorded_at": JULY})
    whole = read(service, moved, path)["versions"]
    paged: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while True:
        page = read(service, moved, path, limit=1, **cursor)
        paged += page["versions"]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert (paged, len(whole)) == (whole, 4)


def test_a_superseded_version_keeps_the_evidence_it_was_believed_on(service: Service, group: str) -> None:
    (claim_id,) = post(service, group, lives("Porto", JANUARY))
    service.post(f"/v1/groups/{group}/claims/{claim_id}/retract", {})
    (version,) = read(service, group, f"entities/{maya(service, group)}/history")["versions"]
    assert version["superseded_at"] is not None
    assert [item["claim_id"] for item in version["evidence"]] == [claim_id]


# diff ---------------------------------------------------------------------------------------------------------------


def test_along_valid_time_one_home_ended_and_the_next_began(service: Service, moved: str) -> None:
    found = read(service, moved, "diff", axis="valid", **{"from": MARCH, "to": JULY})
    assert (cities(found["began"]), cities(found["ended"])) == ([("Lisbon", MAY, None)], [("Porto", JANUARY, MAY)])
    assert (found["changed"], found["complete"], found["valid_at"]) == ([], True, None)
    assert all(item["evidence"] for item in (*found["began"], *found["ended"]))


def test_along_valid_time_as_known_before_nothing_happened(service: Service, moved: str) -> None:
    found = read(service, moved, "diff", axis="valid", known_at=MAY, **{"from": MARCH, "to": JULY})
    assert (found["began"], found["ended"], found["changed"]) == ([], [], [])


def test_along_transaction_time_we_came_to_know_better(service: Service, moved: str) -> None:
    found = read(service, moved, "diff", axis="known", valid_at=MARCH, **{"from": MAY, "to": JULY})
    (change,) = found["changed"]
    assert change["fields"] == ["to_inferred", "valid_to", "ended_by"]
    assert (change["before"]["valid_to"], change["after"]["valid_to"]) == (None, MAY)
    assert (change["before"]["superseded_at"], found["began"], found["ended"]) == (None, [], [])
    assert change["before"]["evidence"] == change["after"]["evidence"]


def test_what_began_for_us_is_not_what_began_in_the_world(service: Service, moved: str) -> None:
    found = read(service, moved, "diff", axis="known", valid_at=JULY, **{"from": MAY, "to": JULY})
    assert (cities(found["began"]), cities(found["ended"])) == ([("Lisbon", MAY, None)], [("Porto", JANUARY, None)])


def test_a_stay_that_came_back_has_changed(service: Service, group: str) -> None:
    porto = lives("Porto", JANUARY, valid_to=MARCH, predicate="stays_in")
    post(service, group, porto, porto | {"valid_from": MAY, "valid_to": None, "occurred_at": MAY})
    (change,) = read(service, group, "diff", axis="valid", **{"from": JANUARY, "to": JULY})["changed"]
    assert change["fields"] == ["to_stated", "valid_from", "valid_to"]


def test_a_diff_is_narrowed_by_entity_and_predicate_and_cut_by_limit(service: Service, moved: str) -> None:
    ann = {"subject": {"name": "Ann", "type": "person"}, "recorded_at": JULY}
    post(service, moved, AGE | ann | {"valid_from": MAY})
    span = {"axis": "valid", "from": MARCH, "to": JULY}
    everything = read(service, moved, "diff", **span)
    first = read(service, moved, "diff", limit=1, **span)
    assert (len(everything["began"]), len(everything["ended"])) == (2, 1)
    assert (first["began"], first["ended"], first["complete"]) == (everything["began"][:1], [], False)
    assert [item["value"] for item in read(service, moved, "diff", entity="ann", **span)["began"]] == [30]
    assert read(service, moved, "diff", predicate="age", **span)["ended"] == []


@pytest.mark.parametrize(
    ("params", "status"),
    [
        ({"axis": "valid", "from": MAY, "to": MAY}, 422),
        ({"axis": "valid", "from": MAY, "to": MARCH}, 422),
        ({"axis": "valid", "from": MARCH, "to": MAY, "valid_at": MAY}, 422),
        ({"axis": "known", "from": MARCH, "to": MAY, "known_at": MAY}, 422),
        ({"axis": "both", "from": MARCH, "to": MAY}, 422),
        ({"axis": "valid", "to": MAY}, 422),
        ({"axis": "valid", "from": MARCH, "to": MAY, "entity": "Nobody"}, 404),
    ],
)
def test_a_diff_that_makes_no_sense_is_refused(
    service: Service, moved: str, params: dict[str, str], status: int
) -> None:
    assert service.get(f"/v1/groups/{moved}/diff", **params).status_code == status


# evidence -----------------------------------------------------------------------------------------------------------


def test_evidence_leads_to_the_characters_of_an_episode(service: Service, group: str) -> None:
    body = {"content": "Well. Maya lives_in Porto.", "occurred_at": JANUARY}
    service.post(f"/v1/groups/{group}/episodes", body, wait=30)
    (belief,) = read(service, group, "graph")["beliefs"]
    found = read(service, group, f"beliefs/{belief['id']}/evidence")
    ((claim,), (episode,)) = found["claims"], found["episodes"]
    assert (found["belief"], episode["id"], "status" in episode) == (belief, claim["episode_id"], False)
    assert episode["content"][claim["start"] : claim["end"]] == claim["quote"] == "Maya lives_in Porto."
    assert (claim["kind"], claim["retracted_at"], claim["extractor"]) == ("starts", None, "scripted")


def test_evidence_is_all_of_it_page_by_page(service: Service, group: str) -> None:
    posted = post(service, group, *(lives("Porto", JANUARY, external_id=str(number)) for number in range(12)))
    (belief,) = read(service, group, "graph")["beliefs"]
    first = read(service, group, f"beliefs/{belief['belief_id']}/evidence", limit=7)
    rest = read(service, group, f"beliefs/{belief['belief_id']}/evidence", limit=7, cursor=first["next_cursor"])
    assert {item["claim_id"] for item in (*first["claims"], *rest["claims"])} == set(posted)
    assert (len(first["claims"]), len(first["episodes"]), rest["next_cursor"]) == (7, 7, None)


def test_evidence_shows_what_ended_a_belief_and_what_was_retracted_when(service: Service, group: str) -> None:
    start, second = post(service, group, lives("Porto", JANUARY), lives("Porto", JANUARY, external_id="2"))
    (end,) = post(service, group, lives("Porto", MAY, kind="ends"))
    before = read(service, group, "graph")["known_at"]
    gone = service.post(f"/v1/groups/{group}/claims/{second}/retract", {}).json()["retracted_at"]
    (belief,) = read(service, group, "graph", valid_at=MARCH)["beliefs"]
    path = f"beliefs/{belief['belief_id']}/evidence"
    now = {item["claim_id"]: (item["kind"], item["retracted_at"]) for item in read(service, group, path)["claims"]}
    then = {item["claim_id"]: item["retracted_at"] for item in read(service, group, path, known_at=before)["claims"]}
    assert now == {start: ("starts", None), second: ("starts", gone), end: ("ends", None)}
    assert then == dict.fromkeys((start, second, end))


def test_evidence_of_a_version_is_that_of_its_time(service: Service, moved: str) -> None:
    (then,) = read(service, moved, "graph", known_at=MAY, valid_at=MARCH)["beliefs"]
    (now,) = read(service, moved, "graph", valid_at=MARCH)["beliefs"]
    by_row = read(service, moved, f"beliefs/{then['id']}/evidence")
    by_belief = read(service, moved, f"beliefs/{then['belief_id']}/evidence")
    known_in_may = read(service, moved, f"beliefs/{then['belief_id']}/evidence", known_at=MAY)
    assert (by_row["belief"]["superseded_at"], by_belief["belief"], known_in_may["belief"]) == (JULY, now, then)
    assert read(service, moved, f"beliefs/{then['id']}/evidence", valid_at=MARCH)["valid_at"] == MARCH


def test_evidence_of_nothing_is_not_found(service: Service, moved: str) -> None:
    (now,) = read(service, moved, "graph", valid_at=JULY)["beliefs"]
    assert service.get(f"/v1/groups/{moved}/beliefs/{ABSENT}/evidence").status_code == 404
    assert service.get(f"/v1/groups/{moved}/beliefs/{now['id']}/evidence", known_at=MAY).status_code == 404
    assert service.get(f"/v1/groups/{moved}/beliefs/x/evidence").status_code == 422


# settled ------------------------------------------------------------------------------------------------------------


def settled_reads(service: Service, group: str, known_at: str, **params: str) -> list[dict[str, Any]]:
    """Every read that can settle, as known at ``known_at``."""
    id_, at = maya(service, group), {"known_at": known_at, "valid_at": MARCH}
    (belief,) = read(service, group, "graph", **at)["beliefs"]
    known = {"from": JANUARY, "to": known_at}
    return [
        read(service, group, "graph", **at),
        read(service, group, "graph", entity="Maya", **at),
        read(service, group, "entities", **at),
        read(service, group, f"entities/{id_}", **at),
        read(service, group, f"entities/{id_}/history", known_at=known_at),
        read(service, group, "diff", axis="known", valid_at=MARCH, **known),
        read(service, group, "diff", axis="valid", known_at=known_at, **{"from": JANUARY, "to": JULY}),
        read(service, group, f"beliefs/{belief['belief_id']}/evidence", known_at=known_at),
        service.post(f"/v1/groups/{group}/search", {"query": "Porto", **at, **params}).json(),
        service.post(f"/v1/groups/{group}/context", {"query": "Porto", **at, **params}).json(),
    ]


def test_what_lies_below_an_imports_last_stamp_is_settled(service: Service, moved: str) -> None:
    assert {item["settled"] for item in settled_reads(service, moved, MAY)} == {True}
    assert {item["settled"] for item in settled_reads(service, moved, JULY)} == {False}


def test_a_settled_answer_is_the_same_after_later_writes(service: Service, moved: str) -> None:
    before = settled_reads(service, moved, MAY)
    later = "2025-08-01T00:00:00Z"
    (claim_id,) = post(service, moved, lives("PORTO", "2024-01-01T00:00:00Z", recorded_at=later, confidence=0.5))
    service.post(f"/v1/groups/{moved}/claims/{claim_id}/retract", {"recorded_at": later})
    post(service, moved, *(lives(f"City {number}", JANUARY, recorded_at=later) for number in range(20)))
    service.post(f"/v1/groups/{moved}/import/end", {})
    post(service, moved, lives("Rome", MARCH), AGE)
    assert settled_reads(service, moved, MAY)[:-2] == before[:-2]


def test_by_the_clock_only_the_past_beyond_the_time_out_is_settled(service: Service, group: str) -> None:
    post(service, group, lives("Porto", JANUARY))
    now = read(service, group, "graph")
    assert (now["settled"], read(service, group, "graph", known_at=now["known_at"])["settled"]) == (False, False)
    assert read(service, group, "graph", known_at="2020-01-01T00:00:00Z")["settled"] is True
    assert read(service, group, "entities", known_at="9999-12-30T00:00:00Z")["settled"] is False


# limits -------------------------------------------------------------------------------------------------------------


def test_a_graph_at_its_limit_is_complete_and_over_it_is_cut_by_id(service: Service, group: str) -> None:
    ann = {"subject": {"name": "Ann", "type": "person"}, "predicate": "knows", "object": MAYA}
    post(service, group, lives("Porto", JANUARY), AGE, ann)
    whole = read(service, group, "graph", entity="Ann", depth=2)["beliefs"]
    assert read(service, group, "graph", entity="Ann", depth=2, limit=3)["complete"] is True
    cut = read(service, group, "graph", entity="Ann", depth=2, limit=2)
    far = sorted(item["id"] for item in whole if item["predicate"] != "knows")
    assert {item["id"] for item in cut["beliefs"]} == {far[0], *(i["id"] for i in whole if i["predicate"] == "knows")}
    assert (cut["complete"], [item["kind"] for item in whole]) == (False, ["fact", "relationship", "relationship"])
