"""A search as of a time, and one of a history: what held then is found however much came later, what was is marked."""

from dataclasses import replace
from datetime import datetime

import pytest

from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimKind
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.hits import Fusion, SearchHit
from graphmem.model.interval import END, LATEST, shown
from graphmem.model.scope import Scope
from graphmem.model.search import BELIEFS, Filters
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from tests.models import memory_on
from tests.store.test_evidence import claim, day

LATER = 150


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


async def search(
    memory: Memory,
    group: str,
    text: str,
    *,
    known_at: datetime = LATEST,
    fusion: Fusion = Fusion.WEIGHTED,
    at: int = 900,
) -> list[SearchHit]:
    scope = Scope(group, day(at), known_at, history=True)
    return list((await memory.searcher.search(scope, text, kinds=BELIEFS, limit=20, fusion=fusion)).hits)


def told(found: list[SearchHit], at: int = 900) -> list[tuple[str, datetime | None, bool, bool]]:
    """Statement, end, whether it is still believed, and whether it held."""
    beliefs = [hit.thing for hit in found if isinstance(hit.thing, BeliefRow)]
    return [(one.statement, shown(one.valid_to), one.superseded_at == END, one.holds_at(day(at))) for one in beliefs]


def visit(number: int, **changes: object) -> StructuredClaim:
    """The same words each time, true on a day of its own."""
    plain = claim("Rome", number, predicate="visited", valid_to=day(number + 1), external_id=str(number))
    return replace(plain, statement="Maya visited Rome.", **changes)


@pytest.mark.parametrize("fusion", Fusion)
async def test_what_held_then_is_found_behind_150_later_ones_of_the_same_words(
    memory: Memory, group: str, fusion: Fusion
) -> None:
    await memory.intake.assert_claims(group, [visit(1), *(visit(100 + 2 * number) for number in range(LATER))])

    for valid_at in (1, 100 + 2 * (LATER - 1)):
        found = await memory.searcher.search(Scope(group, day(valid_at)), "Maya visited Rome.", limit=5, fusion=fusion)
        (hit,) = [hit for hit in found.hits if isinstance(hit.thing, BeliefRow)]
        assert isinstance(hit.thing, BeliefRow)
        assert hit.thing.valid_from == day(valid_at)
        channels = {part.channel.partition(":")[0] for part in hit.ranked.contributions}
        assert {"text", "vector"} <= channels


async def test_what_was_believed_then_is_found_behind_150_that_were_learnt_later(memory: Memory, group: str) -> None:
    (first,), _ = await memory.intake.assert_claims(group, [visit(1, valid_to=None)])
    (before,) = (await memory.reader.graph(Scope(group, day(900)), GraphQuery())).beliefs
    await memory.intake.retract(group, first.claim_id)
    others = [visit(2, valid_to=None, predicate=f"visited_{number}") for number in range(LATER)]
    await memory.intake.assert_claims(group, [replace(one, external_id=one.predicate) for one in others])

    async def rows(known_at: datetime) -> list[str]:
        scope = Scope(group, day(900), known_at)
        found = await memory.searcher.search(scope, "Maya visited Rome.", kinds=BELIEFS, limit=5)
        return [hit.ranked.id for hit in found.hits]

    assert await rows(before.recorded_at) == [before.id]
    now = await rows(LATEST)
    assert len(now) == 5
    assert before.id not in now


@pytest.mark.parametrize("fusion", Fusion)
async def test_what_replaced_something_stands_above_it_and_both_say_so(
    memory: Memory, group: str, fusion: Fusion
) -> None:
    """The question is word for word the old one: by itself the old one would come first."""
    await memory.intake.assert_claims(group, [claim("Lisbon", 0)])
    await memory.intake.assert_claims(group, [claim("Porto", 10)])
    await memory.intake.assert_claims(group, [claim("Oslo", 20)])

    found = await search(memory, group, "Maya lives in Lisbon.", fusion=fusion)

    assert told(found) == [
        ("Maya lives in Oslo.", None, True, True),
        ("Maya lives in Porto.", day(20), True, False),
        ("Maya lives in Lisbon.", day(10), True, False),
    ]
    for hit in found:
        assert hit.ranked.score == pytest.approx(sum(part.contribution for part in hit.ranked.contributions))
        assert isinstance(hit.thing, BeliefRow)
        assert hit.thing.evidence
    reasons = {part.channel for part in found[0].ranked.contributions}
    assert fusion is Fusion.RRF or "replaces" in reasons
    assert len((await memory.searcher.search(Scope(group, day(900)), "Maya lives in Lisbon.", kinds=BELIEFS)).hits) == 1
    assert [statement for statement, *_ in told(await search(memory, group, "Maya lives in Lisbon.", at=15))] == [
        "Maya lives in Porto.",
        "Maya lives in Lisbon.",
    ], "what had not begun is no history"


async def test_what_is_no_longer_believed_is_below_what_is_with_the_evidence_that_it_had(
    memory: Memory, group: str
) -> None:
    (wrong,), _ = await memory.intake.assert_claims(group, [claim("Lisbon", 0)])
    (before,) = (await memory.reader.graph(Scope(group, day(900)), GraphQuery())).beliefs
    await memory.intake.retract(group, wrong.claim_id)
    await memory.intake.assert_claims(group, [claim("Porto", 0)])

    found = await search(memory, group, "Maya lives in Lisbon.")

    assert told(found) == [("Maya lives in Porto.", None, True, True), ("Maya lives in Lisbon.", None, False, False)]
    assert isinstance(found[1].thing, BeliefRow)
    assert [one.claim_id for one in found[1].thing.evidence] == [wrong.claim_id]
    assert told(await search(memory, group, "Maya lives in Lisbon.", known_at=before.recorded_at)) == [
        ("Maya lives in Lisbon.", None, True, True)
    ]


async def test_of_what_may_be_many_at_a_time_none_replaces_another(memory: Memory, group: str) -> None:
    acme, zeta = ThingName("Acme", "organization"), ThingName("Zeta", "organization")
    jobs = [claim("", 0, predicate="advises", object=acme), claim("", 10, predicate="advises", object=zeta)]
    over = claim("", 5, predicate="advises", object=acme, kind=ClaimKind.ENDS)
    await memory.intake.assert_claims(group, [*jobs, over])

    found = await search(memory, group, "Maya advises Acme.")

    assert told(found) == [("Maya advises Acme.", day(5), True, False), ("Maya advises Zeta.", None, True, True)]


@pytest.mark.parametrize("fusion", Fusion)
async def test_what_ended_comes_with_what_replaced_it_where_no_index_finds_that(
    memory: Memory, group: str, fusion: Fusion
) -> None:
    """The successor has no word of the question, and 150 others are as near to it by their vectors."""
    noise = [claim(f"Town {number}", 5, subject=ThingName(f"Tom {number}", "person")) for number in range(LATER)]
    await memory.intake.assert_claims(group, [replace(one, statement="Rents a flat in Rome.") for one in noise])
    await memory.intake.assert_claims(group, [claim("Rome", 0, statement="Rents a flat in Rome since long.")])
    await memory.intake.assert_claims(group, [claim("Oslo", 10, statement="She moved north.")])

    scope = Scope(group, day(900), history=True)
    recall = await memory.searcher.search(scope, "rents since long", kinds=BELIEFS, limit=5, fusion=fusion)
    found = list(recall.hits)
    assert [statement for statement, *_ in told(found)][:2] == ["She moved north.", "Rents a flat in Rome since long."]
    assert {part.channel for part in found[0].ranked.contributions} <= {"replaces", "vector"}

    towns = Filters(predicates=("lives_in",), until=day(10))
    recall = await memory.searcher.search(scope, "rents since long", kinds=BELIEFS, limit=5, filters=towns)
    assert "She moved north." not in [statement for statement, *_ in told(list(recall.hits))]
    scope = replace(scope, valid_at=day(9))
    recall = await memory.searcher.search(scope, "rents since long", kinds=BELIEFS, limit=5, fusion=fusion)
    assert "She moved north." not in [statement for statement, *_ in told(list(recall.hits))]
