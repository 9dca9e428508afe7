"""Structured claims of what happens: events of their days, as those that are read from what was said."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import Episode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.interval import END
from graphmem.model.scope import Scope
from graphmem.recall.reader import DiffQuery, GraphQuery
from graphmem.store.driver import Database
from tests.models import digest, extractor, memory_on

SAID_AT = datetime(2025, 6, 20, 10, tzinfo=UTC)
DAY = timedelta(days=1)
NOON = timedelta(hours=12)
MAY = datetime(2025, 5, 1, tzinfo=UTC)


def visited(when: datetime | None, **more: object) -> StructuredClaim:
    claim = StructuredClaim(
        subject=ThingName("Maya", "person"),
        predicate="visited",
        object=ThingName("Rome", "place"),
        valid_from=when or SAID_AT,
        from_stated=when is not None,
        occurred_at=SAID_AT,
    )
    return replace(claim, **more)


async def tell(database: Database, group: str, told: Sequence[StructuredClaim | str]) -> Memory:
    """Hand in claims, and have sentences read that Maya says, in this order."""
    memory = memory_on(database, extracts=extractor())
    for one in told:
        if isinstance(one, StructuredClaim):
            await memory.intake.assert_claims(group, [one])
            continue
        said = Episode(group_id=group, session="s", content=one, occurred_at=SAID_AT, speaker="Maya")
        await memory.intake.remember(group, [said])
        await digest(memory, group, said.id)
    return memory


async def visits(memory: Memory, group: str) -> list[BeliefRow]:
    scope = Scope(group, SAID_AT + 99 * DAY, open=False)
    rows = (await memory.reader.graph(scope, GraphQuery(predicates=("visited",)))).beliefs
    return sorted(rows, key=lambda row: row.day)


async def test_a_second_visit_on_another_day_is_not_swallowed(database: Database, group: str) -> None:
    memory = await tell(database, group, [visited(MAY + NOON), visited(MAY + NOON), visited(MAY + 3 * DAY)])
    assert [(row.day, row.valid_from, row.event_to, row.valid_to) for row in await visits(memory, group)] == [
        ("2025-05-01", MAY + NOON, MAY + DAY, END),
        ("2025-05-04", MAY + 3 * DAY, MAY + 4 * DAY, END),
    ]


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)], ids=["read first", "read last"])
async def test_an_event_is_that_which_the_reader_makes_and_told_once(
    database: Database, group: str, order: slice
) -> None:
    told = ["I visited Rome on 1 May 2025.", visited(MAY + NOON)][order]
    memory = await tell(database, group, told)
    (row,) = await visits(memory, group)
    assert (row.day, row.valid_from, row.event_to, len(row.evidence)) == ("2025-05-01", MAY + NOON, MAY + DAY, 2)
    query = DiffQuery(before=Scope(group, MAY - DAY, open=False), after=Scope(group, MAY + 2 * DAY, open=False))
    found = (await memory.reader.diff(query)).difference
    assert ([one.day for one in found.began], found.ended, found.changed) == (["2025-05-01"], (), ())


async def test_a_month_is_no_day_of_it_in_any_order(database: Database, group: str) -> None:
    told = ["I visited Rome in May 2025.", "I visited Rome on 1 May 2025.", visited(None, day="2025-05")]
    found: set[tuple[tuple[object, ...], ...]] = set()
    for number, order in enumerate(permutations(told)):
        memory = await tell(database, f"{group}-{number}", order)
        rows = await visits(memory, f"{group}-{number}")
        found.add(tuple((row.day, row.valid_from, row.event_to, len(row.evidence)) for row in rows))
    june = datetime(2025, 6, 1, tzinfo=UTC)
    assert found == {(("2025-05", MAY, june, 2), ("2025-05-01", MAY, MAY + DAY, 1))}


async def test_a_visit_of_several_days_is_one_event_that_ends(database: Database, group: str) -> None:
    memory = await tell(database, group, [visited(MAY, valid_to=MAY + 3 * DAY)])
    scope = Scope(group, MAY + DAY)
    (row,) = (await memory.reader.graph(scope, GraphQuery())).beliefs
    assert (row.day, row.event_to, row.valid_to) == ("2025-05-01/2025-05-03", MAY + 3 * DAY, MAY + 3 * DAY)


async def test_what_nobody_dates_or_what_lasts_is_no_event(database: Database, group: str) -> None:
    lives = visited(MAY, predicate="lives_in")
    again = visited(SAID_AT - DAY, from_stated=False, occurred_at=SAID_AT - DAY)
    memory = await tell(database, group, [visited(None), again, lives, visited(MAY, kind=ClaimKind.ENDS)])
    rows = (await memory.reader.graph(Scope(group, SAID_AT + DAY), GraphQuery())).beliefs
    assert sorted((row.predicate, row.day, len(row.evidence)) for row in rows) == [
        ("lives_in", "", 1),
        ("visited", "", 2),
    ]


async def test_a_correction_moves_an_event_to_another_day(database: Database, group: str) -> None:
    memory = await tell(database, group, [])
    deed = visited(None, predicate="did", verb="varnish", object=None, value="old bench", day="2025-05-01")
    (receipt,), _ = await memory.intake.assert_claims(group, [deed])
    moved = replace(deed, valid_from=MAY + 5 * DAY, from_stated=True, day="")
    await memory.intake.correct(group, receipt.claim_id, moved)
    (row,) = (await memory.reader.graph(Scope(group, SAID_AT + DAY), GraphQuery())).beliefs
    assert (row.open, row.distinguished_by, row.day, row.event_to) == (
        True,
        ('verb="varnish"',),
        "2025-05-06",
        MAY + 6 * DAY,
    )
