"""What a call does not take is refused on every route, and never ignored."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from graphmem.api import openapi
from tests.api.claiming import ABSENT, MAY, MAYA, post
from tests.api.conftest import OpenService, Service
from tests.api.probes import at

UNDESCRIBED = (
    "/docs",
    "/openapi.json",
    "/browser/guide.md",
    "/browser/{group}/guide.adoc",
    "/browser/{group}/style.grass",
)


def every_route(document: dict[str, Any]) -> Iterator[tuple[str, str, set[str]]]:
    """Method, path, and the query parameters that the description has."""
    for method, path, operation in openapi.operations(document):
        yield method, path, {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
    for path in UNDESCRIBED:
        yield "GET", path, {"key"} if path.startswith("/browser") else set()


def test_every_route_refuses_what_it_does_not_take_and_says_what_it_takes(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group})
    document = service.get("/openapi.json").json()
    for method, path, taken in every_route(document):
        answer = service.http.request(method, at(path, group, ABSENT), params={"usr": "ann"})
        (error,) = answer.json()["errors"]
        assert (answer.status_code, error["in"], error["pointer"]) == (422, "query", "/usr"), (method, path)
        listed = set(error["detail"].rpartition("It takes: ")[2].strip(".").replace("`", "").split(", "))
        assert listed == (taken or {"none"}), (method, path)


def test_a_key_that_a_call_does_not_take_is_refused(service: Service, group: str) -> None:
    """Who sends one believes that what comes twice is stored once."""
    service.post("/v1/groups", {"id": group})
    for method, path, operation in openapi.operations(service.get("/openapi.json").json()):
        if method == "GET":
            continue
        taken = any(one["name"].lower() == "idempotency-key" for one in operation.get("parameters", ()))
        answer = service.http.request(method, at(path, group, ABSENT), headers={"Idempotency-Key": "k"})
        refused = [one["pointer"] for one in answer.json().get("errors", ()) if one["in"] == "header"]
        assert refused == ([] if taken else ["/idempotency-key"]), (method, path)


def test_a_parameter_that_is_one_is_given_once(service: Service, group: str) -> None:
    post(service, group, {"subject": MAYA, "predicate": "likes", "value": "tea", "occurred_at": MAY})
    path = f"/v1/groups/{group}/graph"
    twice = service.http.get(path, params=[("user", "ann"), ("user", "bo")])
    assert (twice.status_code, twice.json()["errors"][0]["pointer"]) == (422, "/user")
    assert service.http.get(path, params=[("predicate", "likes"), ("predicate", "knows")]).status_code == 200


@pytest.mark.parametrize("body", [{"user": "ann"}, [], "ann"])
def test_a_call_without_a_body_refuses_one(service: Service, group: str, body: object) -> None:
    service.post("/v1/groups", {"id": group})
    refused = service.post(f"/v1/groups/{group}/episodes/{ABSENT}/retry", body)
    assert (refused.status_code, refused.json()["errors"][0]["in"]) == (422, "body")
    assert service.post(f"/v1/groups/{group}/episodes/{ABSENT}/retry", {}).status_code == 404


def test_a_claim_that_corrects_one_stays_with_its_user(service: Service, group: str) -> None:
    root = f"/v1/groups/{group}"
    claim = {"subject": MAYA, "predicate": "likes", "value": "tea", "occurred_at": MAY}
    (own,) = post(service, group, {**claim, "user": "ann"})

    def correct(value: str, said_for: str | None, claim_id: str = own) -> httpx.Response:
        return service.post(
            f"{root}/claims/{claim_id}/correct", {"claim": {**claim, "value": value, "user": said_for}}, user="ann"
        )

    foreign = correct("coffee", "bo")
    assert (foreign.status_code, foreign.json()["errors"][0]["pointer"]) == (422, "/claim/user")
    assert correct("coffee", None).is_success
    (belief,) = service.get(f"{root}/graph").json()["beliefs"]
    assert (belief["value"], belief["user"]) == ("coffee", "ann")


def test_who_shares_a_claim_is_the_only_one_to_change_it(service: Service, group: str) -> None:
    root = f"/v1/groups/{group}"
    claim = {"subject": MAYA, "predicate": "likes", "value": "tea", "occurred_at": MAY, "user": "ann"}
    (shared,) = post(service, group, claim)
    (belief,) = service.get(f"{root}/graph", user="ann").json()["beliefs"]
    assert service.post(f"{root}/facts/{belief['id']}/share", {"user": "ann"}).is_success

    refused = service.post(f"{root}/claims/{shared}/retract", {}, user="bo")
    assert (refused.status_code, "only 'ann' may change it" in refused.json()["detail"]) == (403, True)
    assert service.post(f"{root}/claims/{shared}/retract", {}, user="ann").is_success


def test_a_service_that_asks_for_a_user_answers_nobody_else(open_service: OpenService, group: str) -> None:
    """What is about a whole group stays open: whoever runs the service has to set it up."""
    said = {"subject": MAYA, "predicate": "likes", "value": "tea", "occurred_at": MAY}
    with open_service(require_user=True) as service:
        root = f"/v1/groups/{group}"
        assert service.post("/v1/groups", {"id": group}).status_code == 201
        refused = {
            path: service.http.request(method, f"{root}/{path}", json=body)
            for method, path, body in (
                ("GET", "graph", None),
                ("GET", "reviews", None),
                ("POST", "search", {"query": "tea"}),
                ("POST", "claims", said),
                ("POST", "claims", [said, {**said, "user": "ann"}]),
                ("POST", "episodes", {"content": "Maya likes tea."}),
                ("POST", "facts", {"subject": MAYA, "category": "hobby", "key": "drinks", "value": "tea"}),
                ("POST", f"claims/{ABSENT}/retract", {}),
                ("POST", "extract", {"content": "Maya likes tea."}),
            )
        }
        assert {answer.status_code for answer in refused.values()} == {422}
        assert {answer.json()["type"] for answer in refused.values()} == {"urn:graphmem:problem:user-required"}
        assert "`?user=…`" in refused["graph"].json()["detail"]
        lines = '{"subject": {"name": "Maya", "type": "person"}, "predicate": "likes", "value": "tea"}\n'
        each = service.http.post(f"{root}/claims", content=lines, headers={"content-type": "application/x-ndjson"})
        assert (each.status_code, each.json()["refused"][0]["problem"]["type"][-13:]) == (207, "user-required")
        for about_all in (f"{root}/predicates", f"{root}/jobs"):
            assert service.get(about_all).status_code == 200
        asked = service.post(f"{root}/jobs/dedup", {}).json()["job"]["id"]
        assert service.get(f"{root}/jobs/{asked}").status_code == 200
        assert service.get(f"/browser/{group}/guide.md").status_code == 403

        post(service, group, {**said, "user": "ann"})
        assert [one["value"] for one in service.get(f"{root}/graph", user="ann").json()["beliefs"]] == ["tea"]
        assert service.get(f"{root}/graph", user="bo").json()["beliefs"] == []


DAY = "2025-05-01"


def test_a_day_is_its_first_instant_wherever_an_instant_is_given(service: Service, group: str) -> None:
    root = f"/v1/groups/{group}"
    claim = {"subject": MAYA, "predicate": "likes", "value": "tea", "occurred_at": DAY, "valid_from": DAY}
    post(service, group, {**claim, "valid_to": "2025-06-01"})
    asked = {"valid_at": DAY, "known_at": "2999-01-01"}
    (belief,) = service.get(f"{root}/graph", **asked).json()["beliefs"]
    assert [belief[name] for name in ("valid_from", "valid_to")] == [f"{DAY}T00:00:00Z", "2025-06-01T00:00:00Z"]

    for answer in (
        service.get(f"{root}/graph", **asked),
        service.post(f"{root}/search", {"query": "tea", "since": DAY, "until": "2025-06-01", **asked}),
        service.post(f"{root}/context", {"query": "tea", **asked}),
    ):
        assert (answer.status_code, answer.json()["valid_at"]) == (200, f"{DAY}T00:00:00Z"), answer.text
    changed = service.get(f"{root}/diff", **{"axis": "valid", "from": "2025-04-30", "to": DAY}).json()
    assert (changed["from"], changed["to"]) == ("2025-04-30T00:00:00Z", f"{DAY}T00:00:00Z")


def test_a_time_without_an_offset_is_refused_with_what_to_write(service: Service, group: str) -> None:
    path = f"/v1/groups/{group}/graph"
    refused = service.get(path, valid_at="2025-05-01T10:00:00")
    assert refused.status_code == 422
    assert "Write 2025-05-01T10:00:00Z or add +HH:MM" in refused.json()["errors"][0]["detail"]


def test_a_day_and_a_time_zone_do_not_say_whose_day_it_is(service: Service, group: str) -> None:
    claim = {"subject": MAYA, "predicate": "visited", "value": "Rome", "valid_from": DAY, "time_zone": "Asia/Tokyo"}
    refused = service.post(f"/v1/groups/{group}/claims", claim)
    assert (refused.status_code, "or the day as `event`" in refused.json()["detail"]) == (422, True)
    assert service.post(f"/v1/groups/{group}/claims", {**claim, "valid_from": f"{DAY}T00:00:00+09:00"}).is_success
