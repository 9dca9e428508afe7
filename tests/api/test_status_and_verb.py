"""Structured claims that say how something is said, and what somebody did."""

from typing import Any

import pytest

from tests.api.claiming import MAYA, post
from tests.api.conftest import Service

SAID = {"subject": MAYA, "occurred_at": "2025-05-20T10:00:00Z"}
PLAN = SAID | {"predicate": "plans", "value": "go to Rome", "status": "planned"}
DEED = SAID | {"predicate": "did", "value": "old bench", "verb": "varnish"}
REPAIRED = SAID | {"predicate": "repaired", "value": "bike", "open": True}


def shown(service: Service, group: str) -> list[tuple[Any, ...]]:
    beliefs = service.get(f"/v1/groups/{group}/graph").json()["beliefs"]
    rows = [(one["predicate"], one["value"], one["status"], one["open"], one["attributes"]) for one in beliefs]
    return sorted(rows, key=str)


def test_claims_state_their_status_and_their_verb(service: Service, group: str) -> None:
    post(service, group, PLAN, DEED, REPAIRED)
    assert shown(service, group) == [
        ("did", "old bench", "asserted", True, {"verb": "varnish"}),
        ("plans", "go to Rome", "planned", True, {}),
        ("repaired", "bike", "asserted", True, {}),
    ]


def test_a_claim_without_a_sentence_gets_one(service: Service, group: str) -> None:
    denied = PLAN | {"predicate": "not", "status": "negated"}
    post(service, group, PLAN, DEED, denied, DEED | {"kind": "ends", "value": "old hut"})
    (entity,) = service.get(f"/v1/groups/{group}/entities", name="Maya").json()["entities"]
    shown = service.get(f"/v1/groups/{group}/entities/{entity['id']}").json()["beliefs"]
    sentences = ["It is not so: Maya go to Rome.", "Maya plans: go to Rome.", "Maya: varnish old bench."]
    assert sorted(one["statement"] for one in shown) == sentences


def test_without_a_status_a_claim_is_asserted(service: Service, group: str) -> None:
    post(service, group, {key: value for key, value in PLAN.items() if key != "status"})
    assert shown(service, group) == [("plans", "go to Rome", "asserted", False, {})]


def test_two_verbs_are_two_beliefs(service: Service, group: str) -> None:
    post(service, group, DEED, DEED | {"verb": "sand"}, DEED | {"occurred_at": "2025-05-21T10:00:00Z"})
    assert [attributes["verb"] for *_, attributes in shown(service, group)] == ["sand", "varnish"]


def test_a_correction_over_http_keeps_status_and_verb(service: Service, group: str) -> None:
    for claim, value in ((PLAN, "go to Oslo"), (DEED, "new bench")):
        (claim_id,) = post(service, group, claim)
        bare = SAID | {"predicate": claim["predicate"], "value": value}
        answer = service.post(f"/v1/groups/{group}/claims/{claim_id}/correct", {"claim": bare})
        assert answer.status_code == 200, answer.text
    assert shown(service, group) == [
        ("did", "new bench", "asserted", True, {"verb": "varnish"}),
        ("plans", "go to Oslo", "planned", True, {}),
    ]


def test_a_correction_makes_of_a_plan_what_it_says(service: Service, group: str) -> None:
    (claim_id,) = post(service, group, PLAN)
    went = SAID | {"predicate": "went_to", "object": {"name": "Rome", "type": "place"}}
    service.post(f"/v1/groups/{group}/claims/{claim_id}/correct", {"claim": went})
    assert shown(service, group) == [("went_to", None, "asserted", False, {})]


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        (PLAN | {"status": "hoped"}, "'asserted', 'planned', 'wished', 'able' or 'negated'"),
        (PLAN | {"predicate": "visits"}, "the predicate 'plans'"),
        (PLAN | {"value": None, "object": {"name": "Rome", "type": "place"}}, "as a value"),
        (PLAN | {"open": False}, "leave open out"),
        (PLAN | {"status": "asserted", "open": True}, "leave the status out"),
        (DEED | {"verb": None}, "which verb"),
        (DEED | {"predicate": "repaired"}, "leave verb out"),
        (DEED | {"attributes": {"verb": "sand"}}, "one verb"),
        (DEED | {"open": False}, "leave open out"),
    ],
    ids=str,
)
def test_what_contradicts_itself_is_refused_and_says_what_to_do(
    service: Service, group: str, claim: dict[str, Any], told: str
) -> None:
    answer = service.post(f"/v1/groups/{group}/claims", [claim])
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert told in answer.json()["detail"], answer.text
    assert answer.json()["errors"][0]["pointer"].startswith("/0")


# events ---------------------------------------------------------------------------------------------------------------

ROME = {"name": "Rome", "type": "place"}
VISITED = SAID | {"predicate": "visited", "object": ROME}


def happened(service: Service, group: str) -> list[dict[str, Any]]:
    beliefs = service.get(f"/v1/groups/{group}/graph").json()["beliefs"]
    return sorted((one["event"] for one in beliefs), key=str)


def test_an_event_is_of_the_day_where_it_happened(service: Service, group: str) -> None:
    late = VISITED | {"valid_from": "2025-05-03T23:30:00-05:00"}
    post(service, group, late, late | {"time_zone": "Asia/Tokyo"})
    assert happened(service, group) == [
        {"day": "2025-05-03", "from": "2025-05-04T04:30:00Z", "to": "2025-05-04T05:00:00Z"},
        {"day": "2025-05-04", "from": "2025-05-04T04:30:00Z", "to": "2025-05-04T15:00:00Z"},
    ]


def test_an_event_may_be_known_to_the_month(service: Service, group: str) -> None:
    post(service, group, VISITED | {"event": {"day": "2025-05"}}, REPAIRED | {"event": {"day": "2024"}})
    assert happened(service, group) == [
        {"day": "2024", "from": "2024-01-01T00:00:00Z", "to": "2025-01-01T00:00:00Z"},
        {"day": "2025-05", "from": "2025-05-01T00:00:00Z", "to": "2025-06-01T00:00:00Z"},
    ]


@pytest.mark.parametrize(
    ("claim", "pointer"),
    [
        (VISITED | {"event": {"day": "May"}}, "/event/day"),
        (VISITED | {"event": {"day": "2025-05"}, "valid_from": "2025-05-03T00:00:00Z"}, "/0"),
        (VISITED | {"event": {"day": "2025-05"}, "kind": "ends"}, "/0"),
        (PLAN | {"event": {"day": "2025-05"}}, "/0"),
    ],
    ids=str,
)
def test_an_event_that_is_none_is_refused(service: Service, group: str, claim: dict[str, Any], pointer: str) -> None:
    answer = service.post(f"/v1/groups/{group}/claims", claim)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, pointer)
