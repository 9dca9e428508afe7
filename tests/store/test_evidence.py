"""The one way to change the graph, on a real database: what is believed follows the evidence, the past stays put."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.clock import utc_now
from graphmem.errors import Conflict
from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimKind
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.interval import shown
from graphmem.model.projection.predicate import ONE
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Database
from graphmem.store.predicates import PredicateStore
from tests.models import labels_of_entities, memory_on, shipped_queries

MAYA = ThingName("Maya", "person")
Shown = list[tuple[str, datetime | None, datetime | None]]


def day(number: int) -> datetime:
    return datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=number)


def claim(city: str, start: int, **changes: object) -> StructuredClaim:
    plain = StructuredClaim(
        subject=MAYA,
        predicate="lives_in",
        object=ThingName(city, "place"),
        valid_from=day(start),
        occurred_at=day(start),
    )
    return replace(plain, **changes)


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


async def believed(memory: Memory, group: str, valid_at: int, known_at: datetime | None = None) -> list[BeliefRow]:
    when = Scope(group, day(valid_at)) if known_at is None else Scope(group, day(valid_at), known_at)
    return list((await memory.reader.graph(when, GraphQuery())).beliefs)


async def timeline(memory: Memory, group: str) -> set[tuple[str, datetime | None, datetime | None]]:
    found = [belief for number in range(0, 40, 2) for belief in await believed(memory, group, number)]
    return {(belief.statement, shown(belief.valid_from), shown(belief.valid_to)) for belief in found}


async def test_the_next_value_closes_the_one_before(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Lisbon", 0)])
    await memory.intake.assert_claims(group, [claim("Porto", 10)])

    assert await timeline(memory, group) == {
        ("Maya lives in Lisbon.", day(0), day(10)),
        ("Maya lives in Porto.", day(10), None),
    }


def job(start: int, **attributes: str) -> StructuredClaim:
    acme = ThingName("Acme", "organization")
    return claim("", start, predicate="works_at", object=acme, attributes=attributes, external_id=f"job-{start}")


async def test_a_changed_attribute_is_a_version_with_evidence_of_its_own(memory: Memory, group: str) -> None:
    silent, dev, lead = (await memory.intake.assert_claims(group, [job(0), job(2, role="dev"), job(6, role="lead")]))[0]
    (before,), (after,) = await believed(memory, group, 4), await believed(memory, group, 8)

    assert (before.attributes, after.attributes) == ('{"role": "dev"}', '{"role": "lead"}')
    assert [one.claim_id for one in before.evidence] == [silent.claim_id, dev.claim_id]
    assert [one.claim_id for one in after.evidence] == [silent.claim_id, lead.claim_id]
    grounds = await memory.reader.evidence(Scope(group, utc_now(), utc_now()), after.id)
    assert {one.id for one in grounds.claims} == {silent.claim_id, lead.claim_id}

    await memory.intake.retract(group, lead.claim_id)

    (joined,) = await believed(memory, group, 8)
    assert (joined.attributes, shown(joined.valid_from), shown(joined.valid_to)) == ('{"role": "dev"}', day(0), None)


async def test_a_claim_about_one_of_several_is_withdrawn_from_that_one(
    memory: Memory, database: Database, group: str
) -> None:
    nurse = claim("", 0, subject=ThingName("Maya", "person", "crm:1"), predicate="has_role", object=None, value="nurse")
    (receipt,), _ = await memory.intake.assert_claims(group, [nurse])
    await memory.intake.retract(group, receipt.claim_id)

    assert await believed(memory, group, 4) == []
    rows = await labels_of_entities(database, group)
    assert [row.type for row in rows] == ["person"], "nobody is added who has that name without a qualifier"


async def test_what_was_believed_earlier_stays_as_it_was(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Lisbon", 0)])
    before = await believed(memory, group, 20)
    known_at = before[0].recorded_at
    await memory.intake.assert_claims(group, [claim("Porto", 10)])

    assert [belief.statement for belief in await believed(memory, group, 20)] == ["Maya lives in Porto."]
    assert await believed(memory, group, 20, known_at) == before


async def test_transaction_times_never_run_backwards(memory: Memory, group: str) -> None:
    for number in range(6):
        await memory.intake.assert_claims(group, [claim(f"City {number % 3}", 20 - number)])

    rows = [row for number in range(14, 30) for row in await believed(memory, group, number)]
    assert all(row.recorded_at < row.superseded_at for row in rows)


async def test_any_order_and_any_batching_give_the_same_present(memory: Memory, group: str) -> None:
    claims = [claim("Lisbon", 0), claim("Porto", 10), claim("Lisbon", 20), claim("Oslo", 15, kind=ClaimKind.ENDS)]
    await memory.intake.assert_claims(f"{group}-a", claims)
    for one in reversed(claims):
        await memory.intake.assert_claims(f"{group}-b", [one])

    assert await timeline(memory, f"{group}-a") == await timeline(memory, f"{group}-b")


async def test_the_same_claim_again_changes_nothing(memory: Memory, group: str) -> None:
    once, _ = await memory.intake.assert_claims(group, [claim("Lisbon", 0)])
    before = await believed(memory, group, 5)

    again, outcome = await memory.intake.assert_claims(group, [claim("Lisbon", 0)])

    assert (once[0].new, again[0].new, outcome.recorded, outcome.superseded) == (True, False, 0, 0)
    assert await believed(memory, group, 5) == before


async def test_a_second_support_changes_no_row_and_is_shown_as_evidence(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Lisbon", 0, external_id="1")])
    (before,) = await believed(memory, group, 5)
    await memory.intake.assert_claims(group, [claim("Lisbon", 2, external_id="2")])

    (after,) = await believed(memory, group, 5)

    assert replace(after, evidence=()) == replace(before, evidence=())
    assert len(after.evidence) == 2


async def test_an_identity_used_for_something_else_is_refused_whole(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Lisbon", 0, external_id="1")])

    with pytest.raises(Conflict):
        await memory.intake.assert_claims(group, [claim("Oslo", 3), claim("Porto", 5, external_id="1")])
    assert [belief.statement for belief in await believed(memory, group, 9)] == ["Maya lives in Lisbon."]


async def test_concurrent_writers_make_each_thing_once(memory: Memory, group: str) -> None:
    likes = [claim(f"Thing {n}", 1, predicate="likes", object=ThingName(f"Thing {n % 4}", "concept")) for n in range(8)]
    await memory.groups.ensure(group)
    async with asyncio.TaskGroup() as tasks:
        for number, one in enumerate(likes):
            tasks.create_task(memory.intake.assert_claims(group, [replace(one, external_id=str(number))]))

    graph = await memory.reader.graph(Scope(group, day(5)), GraphQuery())
    assert (len(graph.entities), len(graph.beliefs)) == (5, 4)


async def test_facts_are_superseded_as_relationships_are(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("", 0, predicate="status", object=None, value="busy")])
    known_at = (await believed(memory, group, 9))[0].recorded_at
    await memory.intake.assert_claims(group, [claim("", 5, predicate="status", object=None, value="free")])

    assert [belief.value for belief in await believed(memory, group, 9)] == ["free"]
    assert [belief.value for belief in await believed(memory, group, 9, known_at)] == ["busy"]


async def test_users_do_not_compete(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Lisbon", 0, user="ann"), claim("Porto", 5, user="bo")])

    assert {belief.user for belief in await believed(memory, group, 9)} == {"ann", "bo"}


async def test_an_older_spelling_names_the_entity_and_earlier_answers_keep_theirs(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("OSLO", 10)])
    known_at = (await believed(memory, group, 12))[0].recorded_at
    await memory.intake.assert_claims(group, [claim("Oslo", 1)])

    (now,) = await memory.reader.entities(Scope(group, day(12)), name="oslo")
    (then,) = await memory.reader.entities(Scope(group, day(12), known_at), name="oslo")
    assert (now.name, then.name, now.id) == ("Oslo", "OSLO", then.id)


async def test_search_finds_what_held_then_however_much_held_at_other_times(memory: Memory, group: str) -> None:
    many = [
        claim("Rome", 100 + n, valid_to=day(101 + n), external_id=str(n), predicate="visited") for n in range(0, 180, 2)
    ]
    await memory.intake.assert_claims(group, [*many, claim("Rome", 1, valid_to=day(3), predicate="visited")])

    found = await memory.searcher.search(
        Scope(group, day(2)), "visited Rome", kinds=frozenset({"relationship"}), limit=5
    )

    (hit,) = found.hits
    assert isinstance(hit.thing, BeliefRow)
    assert hit.thing.valid_from == day(1)
    assert {part.channel for part in hit.ranked.contributions} == {"text", "vector", "graph", "predicate"}


async def test_search_never_leaves_its_group(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Lisbon", 0)])
    await memory.intake.assert_claims(f"{group}s", [claim("Porto", 0)])

    found = await memory.searcher.search(Scope(group, day(2)), "Where does Maya live? Porto Lisbon")

    assert {hit.thing.statement for hit in found.hits if isinstance(hit.thing, BeliefRow)} == {"Maya lives in Lisbon."}


async def test_a_belief_knows_the_episode_that_it_has_its_words_from(memory: Memory, group: str) -> None:
    (receipt,), _ = await memory.intake.assert_claims(group, [claim("Lisbon", 0)])
    (belief,) = await believed(memory, group, 2)

    around = await memory.store.turns_around(Scope(group, day(2)), [], beliefs=[belief.id])

    assert around.cited == ((belief.id, receipt.episode_id),)


async def test_projecting_again_while_importing_stays_within_the_import(
    memory: Memory, database: Database, group: str
) -> None:
    queries = shipped_queries()
    await memory.groups.ensure(group, importing=True)
    told = [replace(claim(city, number, predicate="sits_in"), recorded_at=day(50)) for number, city in enumerate("AB")]
    await memory.intake.assert_claims(group, told)
    assert len(await believed(memory, group, 9)) == 2
    await PredicateStore(database, queries).change(group, "sits_in", ONE)

    (maya,) = await memory.reader.entities(Scope(group, day(60)), name="Maya")
    changed = await EvidenceStore(database, queries).reproject(group, [maya.id], "sits_in")

    (held,) = await believed(memory, group, 9)
    assert (changed, held.statement, held.recorded_at) == (2, "Maya sits in B.", day(50))
    assert await EvidenceStore(database, queries).reproject(group, [maya.id], "sits_in") == 0
    await memory.intake.assert_claims(group, [replace(claim("C", 3, predicate="sits_in"), recorded_at=day(51))])
    assert [row.statement for row in await believed(memory, group, 9)] == ["Maya sits in C."]
