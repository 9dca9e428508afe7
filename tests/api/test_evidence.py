"""Evidence taken back, put right, streamed and imported."""

import json
from typing import Any

import httpx
import pytest

from tests.api.claiming import ABSENT, lives, post
from tests.api.conftest import Service

NDJSON = {"Content-Type": "application/x-ndjson"}


def stream(service: Service, group: str, *lines: str) -> httpx.Response:
    return service.http.post(f"/v1/groups/{group}/claims", content="\n".join(lines), headers=NDJSON)


def homes(service: Service, group: str, **params: str) -> list[tuple[str, str | None, str | None]]:
    beliefs = service.get(f"/v1/groups/{group}/graph", **params).json()["beliefs"]
    return sorted((item["object"]["name"], item["valid_from"], item["valid_to"]) for item in beliefs)


def test_a_retracted_claim_is_gone_from_now_on_and_not_from_the_past(service: Service, group: str) -> None:
    (claim_id,) = post(service, group, lives("Porto", "2024-01-01T00:00:00Z"))
    before = service.get(f"/v1/groups/{group}/graph").json()["known_at"]

    first = service.post(f"/v1/groups/{group}/claims/{claim_id}/retract", {}).json()
    again = service.http.post(f"/v1/groups/{group}/claims/{claim_id}/retract").json()

    assert (first["new"], first["superseded"], again["new"], again["superseded"]) == (True, 1, False, 0)
    assert again["retracted_at"] == first["retracted_at"]
    assert homes(service, group) == []
    assert homes(service, group, known_at=before) == [("Porto", "2024-01-01T00:00:00Z", None)]


def test_retracting_what_ended_a_belief_opens_it_again(service: Service, group: str) -> None:
    post(service, group, lives("Porto", "2024-01-01T00:00:00Z"))
    (claim_id,) = post(service, group, lives("Oslo", "2025-01-01T00:00:00Z"))
    service.post(f"/v1/groups/{group}/claims/{claim_id}/retract", {})
    assert homes(service, group) == [("Porto", "2024-01-01T00:00:00Z", None)]


def test_a_retracted_claim_that_comes_again_stays_retracted(service: Service, group: str) -> None:
    (claim_id,) = post(service, group, lives("Porto", "2024-01-01T00:00:00Z"))
    service.post(f"/v1/groups/{group}/claims/{claim_id}/retract", {})
    assert post(service, group, lives("Porto", "2024-01-01T00:00:00Z")) == [claim_id]
    assert homes(service, group) == []


def test_a_correction_retracts_and_replaces_at_one_instant(service: Service, group: str) -> None:
    (claim_id,) = post(service, group, lives("Porto", "2024-01-01T00:00:00Z"))
    right = lives("Porto", "2023-01-01T00:00:00Z")
    done = service.post(f"/v1/groups/{group}/claims/{claim_id}/correct", {"claim": right}).json()

    assert (done["new"], done["claim"]["new"], done["recorded"], done["superseded"]) == (True, True, 1, 1)
    assert homes(service, group) == [("Porto", "2023-01-01T00:00:00Z", None)]
    assert homes(service, group, known_at=done["retracted_at"]) == homes(service, group)


def test_a_correction_again_is_the_same_and_another_one_is_refused(service: Service, group: str) -> None:
    (claim_id,) = post(service, group, lives("Porto", "2024-01-01T00:00:00Z"))
    path = f"/v1/groups/{group}/claims/{claim_id}/correct"
    right = {"claim": lives("Porto", "2023-01-01T00:00:00Z")}
    first, again = service.post(path, right).json(), service.post(path, right).json()
    other = service.post(path, {"claim": lives("Porto", "2022-01-01T00:00:00Z")})

    assert (again["new"], again["claim"]["claim_id"]) == (False, first["claim"]["claim_id"])
    assert (other.status_code, "Correct what replaced it" in other.json()["detail"]) == (409, True)
    assert homes(service, group) == [("Porto", "2023-01-01T00:00:00Z", None)]


def test_a_correction_that_corrects_nothing_is_refused(service: Service, group: str) -> None:
    (claim_id,) = post(service, group, lives("Porto", "2024-01-01T00:00:00Z"))
    same = {"claim": lives("Porto", "2024-01-01T00:00:00Z")}
    assert service.post(f"/v1/groups/{group}/claims/{claim_id}/correct", same).status_code == 409
    assert homes(service, group) == [("Porto", "2024-01-01T00:00:00Z", None)]


@pytest.mark.parametrize(
    ("call", "body"), [("retract", {}), ("correct", {"claim": lives("Rome", "2024-01-01T00:00:00Z")})]
)
def test_a_claim_that_is_not_there_is_not_found(service: Service, group: str, call: str, body: Any) -> None:
    assert service.post(f"/v1/groups/{group}/claims/{ABSENT}/{call}", body).status_code == 404
    post(service, group, lives("Porto", "2024-01-01T00:00:00Z"))
    assert service.post(f"/v1/groups/{group}/claims/{ABSENT}/{call}", body).status_code == 404
    assert homes(service, group) == [("Porto", "2024-01-01T00:00:00Z", None)]


def test_lines_are_refused_one_by_one_without_the_others(service: Service, group: str) -> None:
    good = json.dumps(lives("Porto", "2024-01-01T00:00:00Z", external_id="1"))
    backwards = json.dumps(lives("Rome", "2024-01-01T00:00:00Z", valid_to="2023-01-01T00:00:00Z"))
    ancient = json.dumps(lives("Athens", "-0405-01-01T00:00:00Z"))
    other = json.dumps(lives("Oslo", "2025-01-01T00:00:00Z", external_id="1"))
    answer = stream(service, group, good, backwards, "", "no json", ancient, other)

    done = answer.json()
    assert answer.status_code == 207
    assert [item["line"] for item in done["claims"]] == [1]
    assert [item["line"] for item in done["refused"]] == [2, 4, 5, 6]
    assert [item["problem"]["status"] for item in done["refused"]] == [422, 422, 422, 409]
    assert "before the year 1" in done["refused"][2]["problem"]["detail"]
    assert homes(service, group) == [("Porto", "2024-01-01T00:00:00Z", None)]


def test_a_stream_without_faults_is_created(service: Service, group: str) -> None:
    lines = [json.dumps(lives(city, f"20{year}-01-01T00:00:00Z")) for city, year in (("Porto", 20), ("Rome", 21))]
    answer = stream(service, group, *lines)
    assert (answer.status_code, answer.json()["refused"]) == (201, [])
    assert [item["line"] for item in answer.json()["claims"]] == [1, 2]


# import ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def importing(service: Service, group: str) -> str:
    answer = service.post("/v1/groups", {"id": group, "importing": True})
    assert (answer.status_code, answer.json()["importing"]) == (201, True)
    return group


def known(day: int) -> str:
    return f"2020-01-{day:02}T00:00:00Z"


def test_an_import_brings_its_own_transaction_times(service: Service, importing: str) -> None:
    (porto,) = post(service, importing, lives("Porto", "2010-01-01T00:00:00Z", recorded_at=known(1)))
    post(service, importing, lives("Rome", "2015-01-01T00:00:00Z", recorded_at=known(5)))
    path = f"/v1/groups/{importing}/claims/{porto}"
    right = lives("Porto", "2009-01-01T00:00:00Z", recorded_at=known(9))
    assert service.post(f"{path}/correct", {"claim": right}).json()["retracted_at"] == known(9)

    rome = ("Rome", "2015-01-01T00:00:00Z", None)
    assert homes(service, importing, known_at="2019-12-31T00:00:00Z") == []
    assert homes(service, importing, known_at=known(1)) == [("Porto", "2010-01-01T00:00:00Z", None)]
    assert homes(service, importing, known_at=known(6)) == [rome]
    at = {"valid_at": "2011-01-01T00:00:00Z"}
    assert homes(service, importing, known_at=known(8), **at) == [("Porto", "2010-01-01T00:00:00Z", rome[1])]
    assert homes(service, importing, known_at=known(9), **at) == [("Porto", "2009-01-01T00:00:00Z", rome[1])]


def test_several_changes_at_one_instant_leave_one_row(service: Service, importing: str) -> None:
    post(
        service,
        importing,
        lives("Porto", "2010-01-01T00:00:00Z", recorded_at=known(1)),
        lives("Rome", "2015-01-01T00:00:00Z", recorded_at=known(1)),
    )
    (oslo,) = post(service, importing, lives("Oslo", "2018-01-01T00:00:00Z", recorded_at=known(1)))
    service.post(f"/v1/groups/{importing}/claims/{oslo}/retract", {"recorded_at": known(1)})
    assert homes(service, importing, known_at=known(1)) == [("Rome", "2015-01-01T00:00:00Z", None)]


@pytest.mark.parametrize(
    "recorded_at", [{}, {"recorded_at": "2020-01-04T23:59:59Z"}, {"recorded_at": "2150-01-01T00:00:00Z"}]
)
def test_an_import_that_goes_back_or_ahead_or_does_not_say_when_is_refused(
    service: Service, importing: str, recorded_at: dict[str, str]
) -> None:
    (porto,) = post(service, importing, lives("Porto", "2010-01-01T00:00:00Z", recorded_at=known(5)))
    claims = service.post(f"/v1/groups/{importing}/claims", lives("Rome", "2015-01-01T00:00:00Z", **recorded_at))
    retract = service.post(f"/v1/groups/{importing}/claims/{porto}/retract", recorded_at)
    assert (claims.status_code, retract.status_code) == (409, 409)
    assert homes(service, importing) == [("Porto", "2010-01-01T00:00:00Z", None)]


def test_a_group_that_imports_takes_no_episodes(service: Service, importing: str) -> None:
    answer = service.post(f"/v1/groups/{importing}/episodes", {"content": "Maya lives_in Porto"})
    assert (answer.status_code, "End the import" in answer.json()["detail"]) == (409, True)


def test_after_the_import_the_clock_goes_on_and_the_group_says_so(service: Service, importing: str) -> None:
    post(service, importing, lives("Porto", "2010-01-01T00:00:00Z", recorded_at=known(1)))
    ended = service.http.post(f"/v1/groups/{importing}/import/end").json()
    late = service.post(f"/v1/groups/{importing}/claims", lives("Rome", "2015-01-01T00:00:00Z", recorded_at=known(2)))
    post(service, importing, lives("Rome", "2015-01-01T00:00:00Z"))

    assert (ended["importing"], ended["imported"], ended["settled_until"]) == (False, True, known(1))
    assert late.status_code == 409
    assert homes(service, importing, known_at=known(2)) == [("Porto", "2010-01-01T00:00:00Z", None)]
    assert homes(service, importing) == [("Rome", "2015-01-01T00:00:00Z", None)]


def test_only_a_new_group_imports(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group})
    assert service.post("/v1/groups", {"id": group, "importing": True}).status_code == 409
    assert service.http.post(f"/v1/groups/{group}-absent/import/end").status_code == 404
