"""How a group writes days, over HTTP: shown, set, and read by; and the times that nobody could read."""

from collections.abc import Generator, Iterator
from datetime import datetime
from typing import Any

import pytest
from typer.testing import CliRunner

from graphmem.client import GraphmemClient
from graphmem.client.cli import app
from graphmem.errors import InvalidInput
from graphmem.extract.offline.extractor import OfflineExtractor
from tests.api.conftest import PATIENCE, OpenService, Service

SAID_AT = "2025-05-20T10:00:00Z"


@pytest.fixture
def client(service: Service) -> Generator[GraphmemClient]:
    with GraphmemClient(service.url, service.token) as opened:
        yield opened


@pytest.fixture(scope="module")
def reading(open_service: OpenService) -> Iterator[Service]:
    """A service that reads offline."""
    with open_service(patience=PATIENCE, extractor=OfflineExtractor()) as opened:
        yield opened


def tell(service: Service, group: str, content: str, occurred_at: str = SAID_AT) -> dict[str, Any]:
    """Hand in one episode of Maya's; returns what came of it."""
    episode = {"content": content, "session": "s", "speaker": "Maya", "occurred_at": occurred_at}
    answer = service.post(f"/v1/groups/{group}/episodes", episode, wait=30)
    assert answer.is_success, answer.text
    (accepted,) = answer.json()["episodes"]
    assert accepted["status"] == "digested", accepted
    return accepted


def homes(service: Service, group: str, **asked: str) -> list[tuple[str, str | None, str | None]]:
    """Where Maya lives: (place, since when, until when)."""
    answer = service.get(f"/v1/groups/{group}/graph", predicate="lives_in", **asked)
    assert answer.is_success, answer.text
    beliefs = answer.json()["beliefs"]
    return [(each["object"]["name"], each["valid_from"], each["valid_to"]) for each in beliefs]


def evidence(service: Service, group: str, belief: dict[str, Any]) -> list[dict[str, Any]]:
    answer = service.get(f"/v1/groups/{group}/beliefs/{belief['belief_id']}/evidence")
    assert answer.is_success, answer.text
    return answer.json()["claims"]


def starts(client: GraphmemClient, group: str, text: str) -> list[str | None]:
    """When the claims of a text would start."""
    read = client.extract(group, text, speaker="Maya", occurred_at=SAID_AT)
    return [claim.valid_from and claim.valid_from.date().isoformat() for claim in read.claims]


def test_a_group_says_how_it_writes_days_and_is_read_so(client: GraphmemClient, group: str) -> None:
    client.make_group(group)
    usual = client.dates(group)
    assert (usual.month_first, usual.fiscal_year_start, usual.changed_at) == (False, 1, None)
    assert starts(client, group, "I moved to Rome on 05/06/2024.") == ["2024-06-05"]

    own = client.put_dates(group, month_first=True, fiscal_year_start=10)

    assert (own.month_first, own.fiscal_year_start) == (True, 10)
    assert client.put_dates(group, month_first=True, fiscal_year_start=10) == own == client.dates(group)
    assert starts(client, group, "I moved to Rome on 05/06/2024.") == ["2024-05-06"]
    assert starts(client, group, "I moved to Rome in FY24.") == ["2023-10-01"]


def test_a_month_that_there_is_not_is_refused(client: GraphmemClient, group: str) -> None:
    with pytest.raises(InvalidInput, match="fiscal_year_start"):
        client.put_dates(group, fiscal_year_start=13)


@pytest.mark.parametrize(
    ("body", "name", "says"),
    [
        ({"fiscal_year_start": 0}, "fiscal_year_start", "greater than or equal to 1"),
        ({"fiscal_year_start": 13}, "fiscal_year_start", "less than or equal to 12"),
        ({"fiscal_year_start": "april"}, "fiscal_year_start", "valid integer"),
        ({"month_first": "sometimes"}, "month_first", "valid boolean"),
        ({"month_last": True}, "month_last", "not permitted"),
    ],
)
def test_what_is_no_way_to_write_days_is_refused_and_changes_nothing(
    service: Service, group: str, body: dict[str, Any], name: str, says: str
) -> None:
    path = f"/v1/groups/{group}/dates"
    assert service.http.put(path, json={"month_first": True}).is_success

    refused = service.http.put(path, json=body)

    assert (refused.status_code, refused.headers["content-type"]) == (422, "application/problem+json")
    assert name in refused.text
    assert says in refused.text
    assert service.get(path).json()["month_first"]


def test_a_change_is_for_what_is_read_from_then_on_and_what_was_known_stays(reading: Service, group: str) -> None:
    told = tell(reading, group, "I moved to Rome on 05/06/2024.")
    assert homes(reading, group) == [("Rome", "2024-06-05T00:00:00Z", None)]
    before = reading.get(f"/v1/groups/{group}/graph").json()["known_at"]

    changed = reading.http.put(f"/v1/groups/{group}/dates", json={"month_first": True}).json()
    assert datetime.fromisoformat(changed["changed_at"])
    assert homes(reading, group) == [("Rome", "2024-06-05T00:00:00Z", None)]

    again = reading.http.post(f"/v1/groups/{group}/episodes/{told['id']}/reprocess", json={})
    assert again.is_success, again.text
    assert homes(reading, group) == [("Rome", "2024-05-06T00:00:00Z", None)]
    assert homes(reading, group, known_at=changed["changed_at"]) == [("Rome", "2024-06-05T00:00:00Z", None)]

    def shown(known_at: str) -> tuple[bool, str | None]:
        dates = reading.get(f"/v1/groups/{group}/dates", known_at=known_at).json()
        return dates["month_first"], dates["changed_at"]

    later = reading.http.put(f"/v1/groups/{group}/dates", json={"month_first": False}).json()
    assert shown(before) == (False, None)
    assert shown(changed["changed_at"]) == (True, changed["changed_at"])
    assert shown(later["changed_at"]) == (False, later["changed_at"])


def test_the_command_shows_and_sets_it(service: Service, group: str) -> None:
    assert service.http.put(f"/v1/groups/{group}/dates", json={}).is_success

    def run(*options: str) -> str:
        where = ("--group", group, "--url", service.url, "--key", service.token)
        result = CliRunner().invoke(app, ["admin", "dates", *options, *where], env={"COLUMNS": "200"})
        return result.output if result.exit_code == 0 else f"{result.exit_code}: {result.output}"

    assert "the day first; its fiscal years begin in month 1." in run()
    assert "the month first; its fiscal years begin in month 10." in run("--month-first", "--fiscal-year-start", "10")
    assert "the day first; its fiscal years begin in month 10." in run("--day-first")
    assert run("--fiscal-year-start", "13").startswith("2:")
    assert "the day first; its fiscal years begin in month 10." in run()


def test_a_day_that_there_is_not_is_said(reading: Service, group: str) -> None:
    text = "I moved to Berlin on 29 February 2023."
    read = reading.post(f"/v1/groups/{group}/extract", {"content": text, "speaker": "Maya", "occurred_at": SAID_AT})
    (unread,) = read.json()["unread_times"]
    assert (unread["text"], unread["why"]) == ("on 29 February 2023", "29 February 2023 does not exist")

    assert tell(reading, group, text)["outcome"]["unread_times"] == ["29 February 2023 does not exist"]
    assert homes(reading, group) == [("Berlin", None, None)]
    assert tell(reading, group, "We met on 31 April 2024.")["outcome"]["unread_times"] == [
        "31 April 2024 does not exist"
    ]


def test_a_time_that_is_not_understood_moves_no_house_and_loses_none(reading: Service, group: str) -> None:
    tell(reading, group, "I live in Rome since 2019.")
    before = reading.get(f"/v1/groups/{group}/graph").json()["known_at"]
    words = "before the war"
    told = tell(reading, group, f"I moved to Oslo {words}.", "2025-05-21T10:00:00Z")

    assert told["outcome"]["unread_times"] == [f"“{words}” is no time that is understood"]
    assert homes(reading, group, valid_at="2025-05-22T00:00:00Z", known_at=before) == [
        ("Rome", "2019-01-01T00:00:00Z", None)
    ]
    beliefs = reading.get(f"/v1/groups/{group}/graph", valid_at="2025-05-22T00:00:00Z").json()["beliefs"]
    assert {home["object"]["name"] for home in beliefs} == {"Rome", "Oslo"}
    (home,) = (home for home in beliefs if home["object"]["name"] == "Oslo")
    assert (home["from_stated"], home["valid_from"]) == (False, None)
    assert [claim["time_unread"] for claim in evidence(reading, group, home)] == [words]
    assert "Rome" in {earlier[0] for earlier in homes(reading, group, valid_at="2021-01-01T00:00:00Z")}


def test_a_time_that_is_not_understood_is_since_nobody_knows_when_where_nothing_was_known(
    reading: Service, group: str
) -> None:
    tell(reading, group, "I moved to Oslo before the war.")
    for valid_at in ("1990-01-01T00:00:00Z", "2025-05-20T09:00:00Z", "2025-05-21T00:00:00Z"):
        assert homes(reading, group, valid_at=valid_at) == [("Oslo", None, None)]
