"""“Yesterday” is a day of the zone in which it was said, whoever reads it."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.extract.llm.proposing import SourceTurn, propose
from graphmem.extract.llm.schema import Extraction
from graphmem.extract.offline.dates.finder import find_dates
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.dates import offset_of, zone, zone_name
from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE, ThingName
from graphmem.model.ontology import DEFAULT_ONTOLOGY

ZONES = ("UTC", "+09:00", "-08:00", "+05:45", "Asia/Tokyo", "America/New_York", "Europe/Lisbon", "Asia/Beirut")
MOVED = "I moved to Porto yesterday."


def said(written: str, time_zone: str, content: str = MOVED) -> Episode:
    moment = datetime.fromisoformat(written)
    return Episode(
        group_id="g", session="s", content=content, speaker="Maya",
        occurred_at=moment.astimezone(UTC), time_zone=time_zone,
    )  # fmt: skip


SAID = [
    ("2025-03-10T00:30:00+09:00", "+09:00", "2025-03-08T15:00:00+00:00"),
    ("2025-03-10T00:30:00+09:00", "UTC", "2025-03-08T00:00:00+00:00"),
    ("2025-03-09T23:30:00-08:00", "-08:00", "2025-03-08T08:00:00+00:00"),
    ("2025-03-10T00:30:00-04:00", "America/New_York", "2025-03-09T05:00:00+00:00"),  # the day the clocks went forward
    ("2025-03-11T00:30:00-04:00", "America/New_York", "2025-03-10T04:00:00+00:00"),
    ("2025-03-10T12:00:00+00:00", "Asia/Tokyo", "2025-03-08T15:00:00+00:00"),
    ("2022-03-28T09:00:00+03:00", "Asia/Beirut", "2022-03-26T22:00:00+00:00"),  # a day that begins at 01:00
]


@pytest.mark.parametrize(("written", "time_zone", "since"), SAID)
async def test_the_offline_reader_takes_days_of_the_zone(
    offline: OfflineExtractor, written: str, time_zone: str, since: str
) -> None:
    (claim,) = (await offline.extract(said(written, time_zone))).claims
    assert claim.valid_from == datetime.fromisoformat(since)


@pytest.mark.parametrize("words", ["yesterday", "the day before today"])
@pytest.mark.parametrize(("written", "time_zone", "since"), SAID)
def test_what_a_model_quotes_are_days_of_the_zone(written: str, time_zone: str, since: str, words: str) -> None:
    episode = said(written, time_zone)
    claim = {
        "turn": 0, "subject": "I", "predicate": "lives_in", "object": "Porto", "statement": "Maya lives in Porto.",
        "valid_from": words, "confidence": 0.9, "quote": MOVED,
    }  # fmt: skip
    porto = {"name": "Porto", "type": "place", "confidence": "high"}
    extraction = Extraction.model_validate({"entities": [porto], "claims": [claim]})

    (proposal,) = propose(extraction, [SourceTurn(episode, ThingName("Maya", "person"))], ALONE, DEFAULT_ONTOLOGY)

    expected = datetime.fromisoformat(since) if words in MOVED else None
    assert [each.valid_from for each in proposal.claims] == [expected]


def test_a_date_in_figures_is_a_day_of_the_zone() -> None:
    episode = said("2025-03-10T00:30:00+09:00", "+09:00", "I moved to Porto on 2025-03-09.")
    claim = {
        "turn": 0, "subject": "I", "predicate": "lives_in", "object": "Porto", "statement": "Maya lives in Porto.",
        "valid_from": "2025-03-09", "confidence": 0.9, "quote": "I moved to Porto",
    }  # fmt: skip
    porto = {"name": "Porto", "type": "place", "confidence": "high"}
    extraction = Extraction.model_validate({"entities": [porto], "claims": [claim]})

    (proposal,) = propose(extraction, [SourceTurn(episode, ThingName("Maya", "person"))], ALONE, DEFAULT_ONTOLOGY)

    assert [each.valid_from for each in proposal.claims] == [datetime(2025, 3, 8, 15, tzinfo=UTC)]


@given(st.datetimes(datetime(1950, 1, 3), datetime(2050, 1, 1), timezones=st.just(UTC)), st.sampled_from(ZONES))  # noqa: DTZ001 - hypothesis adds the zone
def test_yesterday_is_the_day_before_by_the_clock_of_the_zone(at: datetime, time_zone: str) -> None:
    local = at.astimezone(zone(time_zone))
    (dated,) = find_dates("yesterday", local)

    def begins(day: date) -> datetime:
        return datetime.combine(day, time(), zone(time_zone)).astimezone(UTC)

    assert (dated.days.start, dated.days.end) == (begins(local.date() - timedelta(1)), begins(local.date()))
    assert dated.days.end <= at


SKIPPED = [("Pacific/Apia", date(2011, 12, 30)), ("Pacific/Kwajalein", date(1993, 8, 21))]


@pytest.mark.parametrize(("time_zone", "skipped"), SKIPPED)
@pytest.mark.parametrize("days", [0, 1, 9])
def test_a_day_that_the_zone_left_out_is_no_date(time_zone: str, skipped: date, days: int) -> None:
    said_at = datetime.combine(skipped + timedelta(days=1 + days), time(12), zone(time_zone))
    text = f"{skipped:%d %B %Y}"

    assert not find_dates(f"I met Ana on {text}.", said_at)
    assert not find_dates(f"I was there from {text} to {skipped + timedelta(1):%d %B %Y}.", said_at)
    assert find_dates(f"I was there from {skipped - timedelta(1):%d %B %Y} to {text}.", said_at)
    if days == 0:
        assert not find_dates("I met Ana yesterday.", said_at)


@pytest.mark.parametrize("written", ["", "Mars/Olympus", "+9", "+24:00", "../etc/passwd", "Europe", "UTC+1", "x" * 99])
def test_what_is_no_zone_is_refused(written: str) -> None:
    with pytest.raises(InvalidInput, match="time zone"):
        zone(written)


def test_a_zone_is_written_in_one_way() -> None:
    assert [zone_name(written) for written in ("UTC", "+00:00", "-00:00", "+09:00", "Asia/Tokyo")] == [
        *("UTC", "UTC", "UTC", "+09:00", "Asia/Tokyo")
    ]
    assert offset_of(datetime.fromisoformat("2025-03-10T00:30:00-03:30")) == "-03:30"
    assert offset_of(datetime(2025, 7, 1, tzinfo=ZoneInfo("Europe/Lisbon"))) == "+01:00"
    assert offset_of(datetime(2025, 7, 1, tzinfo=UTC)) == "UTC"


def test_the_zone_is_no_part_of_an_episode_s_identity() -> None:
    here, there = said("2025-03-10T00:30:00+09:00", "+09:00"), said("2025-03-09T15:30:00+00:00", "UTC")
    assert (here.id, here.fingerprint) == (there.id, there.fingerprint)
