"""Courses of events that are known to go wrong, each by its name, told to a real store and asked on both axes."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from zoneinfo import ZoneInfo

import pytest

from graphmem.memory import Memory
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.interval import BEGIN, EARLIEST, LATEST, as_instant, shown
from graphmem.model.recall import FIRST_VERSION
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from tests.models import memory_on

MAYA = ThingName("Maya", "person")
MICROSECOND = timedelta(microseconds=1)
Row = tuple[str, datetime | None, datetime | None]


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


def on(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def said(
    place: str, since: datetime | None, at: datetime, *, predicate: str = "lives_in", until: datetime | None = None
) -> StructuredClaim:
    """What was said at a time; ``since`` None was not said."""
    return StructuredClaim(
        subject=MAYA,
        predicate=predicate,
        object=ThingName(place, "place"),
        statement=place,
        valid_from=since or at,
        from_stated=since is not None,
        valid_to=until,
        occurred_at=at,
    )


async def tell(memory: Memory, group: str, *claims: StructuredClaim) -> datetime:
    """Tell something; returns when it was recorded."""
    _, outcome = await memory.intake.assert_claims(group, claims)
    return outcome.recorded_at


async def believed(memory: Memory, group: str, valid_at: datetime, known_at: datetime = LATEST) -> list[Row]:
    graph = await memory.reader.graph(Scope(group, valid_at, known_at), GraphQuery())
    return sorted((row.statement, shown(row.valid_from), shown(row.valid_to)) for row in graph.beliefs)


async def versions(memory: Memory, group: str) -> set[tuple[Row, datetime, datetime | None]]:
    (maya,) = await memory.reader.entities(Scope(group, on(2030)), name="maya")
    rows = await memory.store.history_of_entity(
        Scope(group, LATEST), maya.id, valid_at=None, predicates=None, after=FIRST_VERSION, limit=100
    )
    return {
        ((row.statement, shown(row.valid_from), shown(row.valid_to)), row.recorded_at, shown(row.superseded_at))
        for row in rows.beliefs
    }


async def test_moving_house_told_a_month_late_is_three_rows(memory: Memory, group: str) -> None:
    first = await tell(memory, group, said("Elm Street", on(2024), on(2024)))
    second = await tell(memory, group, said("Oak Street", on(2025, 4, 1), on(2025, 5, 1)))

    assert await versions(memory, group) == {
        (("Elm Street", on(2024), None), first, second),
        (("Elm Street", on(2024), on(2025, 4, 1)), second, None),
        (("Oak Street", on(2025, 4, 1), None), second, None),
    }
    april = on(2025, 4, 15)
    assert [row[0] for row in await believed(memory, group, april)] == ["Oak Street"]
    assert [row[0] for row in await believed(memory, group, april, first)] == ["Elm Street"]


async def test_a_fact_learned_already_closed_is_visible_as_known(memory: Memory, group: str) -> None:
    told = await tell(memory, group, said("Rome", on(2010), on(2025), until=on(2012)))

    assert await believed(memory, group, on(2011)) == [("Rome", on(2010), on(2012))]
    assert await believed(memory, group, on(2011), told - MICROSECOND) == []
    assert await believed(memory, group, on(2025)) == []


async def test_going_back_to_where_she_lived_is_a_third_belief_of_the_same_words(memory: Memory, group: str) -> None:
    for place, year in (("Rome", 2020), ("Oslo", 2021), ("Rome", 2022)):
        await tell(memory, group, said(place, on(year), on(year)))

    assert await believed(memory, group, on(2020, 6)) == [("Rome", on(2020), on(2021))]
    assert await believed(memory, group, on(2021, 6)) == [("Oslo", on(2021), on(2022))]
    assert await believed(memory, group, on(2022, 6)) == [("Rome", on(2022), None)]


async def test_one_role_never_retires_another(memory: Memory, group: str) -> None:
    for place, year in (("Acme", 2020), ("Initech", 2021), ("Umbrella", 2022)):
        await tell(memory, group, said(place, on(year), on(year), predicate="advises"))

    assert [row[0] for row in await believed(memory, group, on(2023))] == ["Acme", "Initech", "Umbrella"]


async def test_one_job_follows_another_but_for_what_stands_beside_and_the_past_stays_put(
    memory: Memory, group: str
) -> None:
    job = partial(said, predicate="works_at")
    await tell(memory, group, job("Acme", on(2020), on(2020)))
    first = await tell(memory, group, replace(job("bakery", on(2021), on(2021)), beside=True))
    (receipt,), outcome = await memory.intake.assert_claims(group, [job("Otto", on(2022), on(2022))])

    both = [("Acme", on(2020), None), ("bakery", on(2021), None)]
    assert await believed(memory, group, on(2023)) == [("Otto", on(2022), None), ("bakery", on(2021), None)]
    assert await believed(memory, group, on(2021, 6)) == [("Acme", on(2020), on(2022)), ("bakery", on(2021), None)]
    assert await believed(memory, group, on(2023), first) == both
    graph = await memory.reader.graph(Scope(group, on(2021, 6)), GraphQuery())
    acme = next(row for row in graph.beliefs if row.statement == "Acme")
    assert (acme.to_stated, acme.to_inferred) == (False, True)
    assert acme.ended_by
    assert (acme.ended_by.claim_id, acme.ended_by.reason) == (receipt.claim_id, "From 2022-01-01 on: Otto")

    await memory.intake.retract(group, receipt.claim_id)
    assert await believed(memory, group, on(2023)) == both
    assert await believed(memory, group, on(2021, 6), outcome.recorded_at) == [
        ("Acme", on(2020), on(2022)),
        ("bakery", on(2021), None),
    ]


async def test_two_stays_in_one_city_stay_two(memory: Memory, group: str) -> None:
    await tell(memory, group, said("Rome", on(2010), on(2025), until=on(2012)))
    await tell(memory, group, said("Rome", on(2015), on(2025), until=on(2017)))

    assert await believed(memory, group, on(2011)) == [("Rome", on(2010), on(2012))]
    assert await believed(memory, group, on(2013)) == []
    assert await believed(memory, group, on(2016)) == [("Rome", on(2015), on(2017))]


async def test_one_of_two_supports_can_go_and_the_last_takes_the_belief_with_it(memory: Memory, group: str) -> None:
    receipts, _ = await memory.intake.assert_claims(
        group, [said("Rome", on(2020), on(2020)), said("Rome", on(2020), on(2021))]
    )
    one, other = (receipt.claim_id for receipt in receipts)

    await memory.intake.retract(group, one)
    assert [row[0] for row in await believed(memory, group, on(2022))] == ["Rome"]
    retraction, _ = await memory.intake.retract(group, other)
    assert await believed(memory, group, on(2022)) == []
    assert [row[0] for row in await believed(memory, group, on(2022), retraction.retracted_at - MICROSECOND)] == [
        "Rome"
    ]


BERLIN, KATHMANDU = ZoneInfo("Europe/Berlin"), timezone(timedelta(hours=5, minutes=45))


@pytest.mark.parametrize(
    ("local", "utc"),
    [
        (datetime(2025, 5, 1, 2, tzinfo=timezone(timedelta(hours=2))), on(2025, 5, 1)),
        (datetime(2025, 5, 1, 5, 45, tzinfo=KATHMANDU), on(2025, 5, 1)),
        (datetime(2025, 10, 26, 2, 30, tzinfo=BERLIN, fold=0), datetime(2025, 10, 26, 0, 30, tzinfo=UTC)),
        (datetime(2025, 10, 26, 2, 30, tzinfo=BERLIN, fold=1), datetime(2025, 10, 26, 1, 30, tzinfo=UTC)),
        (datetime(2024, 2, 29, 12, tzinfo=UTC), datetime(2024, 2, 29, 12, tzinfo=UTC)),
        (datetime(2025, 1, 1, 0, 0, 0, 1, tzinfo=UTC), on(2025) + MICROSECOND),
        (EARLIEST, EARLIEST),
        (LATEST, LATEST),
    ],
    ids=["offset", "quarter hour", "before the clock goes back", "after it", "leap day", "µs", "year 1", "year 9999"],
)
async def test_an_instant_begins_a_belief_to_the_microsecond(
    memory: Memory, group: str, local: datetime, utc: datetime
) -> None:
    await tell(memory, group, said("Rome", as_instant(local), on(2025)))

    assert await believed(memory, group, utc) == [("Rome", utc, None)]
    assert await believed(memory, group, utc - MICROSECOND) == []


async def test_an_unknown_start_has_always_been(memory: Memory, group: str) -> None:
    await tell(memory, group, replace(said("Rome", on(2025), on(2025)), valid_from=BEGIN, from_stated=True))
    assert await believed(memory, group, EARLIEST) == [("Rome", None, None)]
