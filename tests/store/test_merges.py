"""Who is who by hand: merges and what is taken back of them, on a real database."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.entity import normalise_name
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id
from graphmem.model.interval import MICROSECOND, shown
from graphmem.model.merge import Merge
from graphmem.model.recall import KnownEntity
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from tests.models import memory_on

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    return datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=number)


def claim(subject: str, predicate: str, target: str, start: int, user: str = "") -> StructuredClaim:
    return StructuredClaim(
        subject=ThingName(subject, "person"),
        predicate=predicate,
        object=ThingName(target, "place" if predicate == "lives_in" else "person"),
        valid_from=day(start),
        occurred_at=day(start),
        user=user,
    )


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


def id_of(group: str, name: str) -> str:
    return entity_id(group, normalise_name(name))


async def merge(memory: Memory, group: str, one: str, other: str, user: str = "") -> Merge:
    made, _ = await memory.merging.merge(group, id_of(group, one), id_of(group, other), reason="told so", user=user)
    return made


async def held(memory: Memory, scope: Scope) -> Sequence[BeliefRow]:
    return (await memory.reader.graph(scope, GraphQuery())).beliefs


async def told(memory: Memory, scope: Scope) -> set[tuple[str, str, str, datetime | None, datetime | None]]:
    """(subject, predicate, object or value, from, to) of what is believed then."""
    graph = await memory.reader.graph(scope, GraphQuery())
    names = {entity.id: entity.name for entity in graph.entities}
    return {
        (
            names[row.subject_id],
            row.predicate,
            names[row.object_id] if row.object_id else str(row.value),
            shown(row.valid_from),
            shown(row.valid_to),
        )
        for row in graph.beliefs
    }


def content(rows: Sequence[BeliefRow]) -> set[tuple[object, ...]]:
    """All of beliefs but when they were recorded."""
    return {
        (row.belief_id, row.statement, row.valid_from, row.valid_to, tuple(one.claim_id for one in row.evidence))
        for row in rows
    }


async def test_what_is_said_of_two_names_is_said_of_the_one_seen_first(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Tom", "lives_in", "Rome", 0)])
    await memory.intake.assert_claims(group, [claim("Tom Okafor", "lives_in", "Oslo", 10)])
    before = await held(memory, Scope(group, day(20)))

    made = await merge(memory, group, "Tom Okafor", "Tom")

    assert made.member == id_of(group, "Tom Okafor")
    assert made.other == id_of(group, "Tom")
    assert await told(memory, Scope(group, day(5))) == {("Tom", "lives_in", "Rome", day(0), day(10))}
    assert await told(memory, Scope(group, day(20))) == {("Tom", "lives_in", "Oslo", day(10), None)}
    (oslo,) = await held(memory, Scope(group, day(20)))
    assert [one.quote for one in oslo.evidence] == ["Tom Okafor lives in Oslo."]
    then = Scope(group, day(20), made.recorded_at - MICROSECOND)
    assert content(await held(memory, then)) == content(before)


async def test_taken_back_both_are_what_they_were_in_new_rows(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Tom", "lives_in", "Rome", 0), claim("Ann", "knows", "Tom", 1)])
    await memory.intake.assert_claims(
        group, [claim("Tommy", "lives_in", "Oslo", 10), claim("Ann", "knows", "Tommy", 2)]
    )
    before = await held(memory, Scope(group, day(20)))
    made = await merge(memory, group, "Tom", "Tommy")
    between = await held(memory, Scope(group, day(20)))

    done = await memory.merging.revert(group, made.id, reason="two people")

    after = await held(memory, Scope(group, day(20)))
    assert content(after) == content(before)
    assert {row.id for row in after}.isdisjoint(row.id for row in before if row not in after)
    assert done.recorded_at
    then = Scope(group, day(20), done.recorded_at - MICROSECOND)
    assert content(await held(memory, then)) == content(between)
    with pytest.raises(Conflict, match="taken back on"):
        await memory.merging.revert(group, made.id, reason="again")


async def test_what_others_say_of_a_merged_one_is_one_belief_with_all_its_evidence(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Ann", "knows", "Bob", 1), claim("Ann", "knows", "Robert", 3)])
    await merge(memory, group, "Bob", "Robert")

    (row,) = await held(memory, Scope(group, day(9)))
    assert [one.quote for one in row.evidence] == ["Ann knows Bob.", "Ann knows Robert."]
    grounds = await memory.reader.evidence(Scope(group, NOW), row.id)
    assert [one.statement for one in grounds.claims] == ["Ann knows Bob.", "Ann knows Robert."]


async def test_later_claims_on_any_member_go_where_the_others_are(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Tom", "lives_in", "Rome", 0), claim("Tommy", "knows", "Ann", 1)])
    await memory.intake.assert_claims(group, [claim("Ann", "lives_in", "Rom", 1)])
    await merge(memory, group, "Tom", "Tommy")
    await merge(memory, group, "Rome", "Rom")

    receipts, _ = await memory.intake.assert_claims(
        group, [claim("Tommy", "lives_in", "Rom", 5), claim("Tommy", "lives_in", "Oslo", 10)]
    )
    assert ("Tom", "lives_in", "Rome", day(0), day(10)) in await told(memory, Scope(group, day(7)))
    assert ("Tom", "lives_in", "Oslo", day(10), None) in await told(memory, Scope(group, day(12)))

    await memory.intake.retract(group, receipts[1].claim_id)
    assert ("Tom", "lives_in", "Rome", day(0), None) in await told(memory, Scope(group, day(12)))


async def test_what_is_said_between_two_that_are_one_is_believed_again_when_they_are_two(
    memory: Memory, group: str
) -> None:
    await memory.intake.assert_claims(group, [claim("Tom", "knows", "Tommy", 0)])
    made = await merge(memory, group, "Tom", "Tommy")
    assert await told(memory, Scope(group, day(9))) == set()

    await memory.merging.revert(group, made.id, reason="no")
    assert await told(memory, Scope(group, day(9))) == {("Tom", "knows", "Tommy", day(0), None)}


async def test_the_id_of_a_member_answers_for_ever(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Tom", "lives_in", "Rome", 0), claim("Tommy", "knows", "Ann", 1)])
    made = await merge(memory, group, "Tom", "Tommy")

    async def shown_as(known_at: datetime | None = None) -> tuple[KnownEntity, set[str]]:
        when = Scope(group, day(9)) if known_at is None else Scope(group, day(9), known_at)
        graph = await memory.reader.entity(when, id_of(group, "Tommy"))
        return graph.entities[0], {row.predicate for row in graph.beliefs}

    tommy, beliefs = await shown_as()
    assert (tommy.name, tommy.part_of, beliefs) == ("Tommy", id_of(group, "Tom"), {"lives_in", "knows"})
    tommy, beliefs = await shown_as(made.recorded_at - MICROSECOND)
    assert (tommy.name, tommy.part_of, beliefs) == ("Tommy", None, {"knows"})
    history = await memory.reader.history(Scope(group, NOW), id_of(group, "Tommy"))
    assert {row.predicate for row in history.versions} == {"lives_in", "knows"}
    around = await memory.reader.graph(
        Scope(group, day(9)), GraphQuery(entity_id=id_of(group, "Ann"), depth=2, predicates=None)
    )
    assert {row.predicate for row in around.beliefs} == {"lives_in", "knows"}


async def test_what_one_user_merges_nobody_else_sees(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(
        group, [claim("Tom", "lives_in", "Rome", 0), claim("Tommy", "lives_in", "Oslo", 10)]
    )
    await memory.intake.assert_claims(
        group, [claim("Tom", "lives_in", "Rome", 0, "ann"), claim("Tommy", "lives_in", "Oslo", 10, "ann")]
    )
    before = await told(memory, Scope(group, day(20), user="bo"))
    made = await merge(memory, group, "Tom", "Tommy", user="ann")

    assert await told(memory, Scope(group, day(20), user="bo")) == before
    own = [row for row in await held(memory, Scope(group, day(20), user="ann")) if row.user == "ann"]
    assert [(row.subject_id, row.statement) for row in own] == [(id_of(group, "Tom"), "Tommy lives in Oslo.")]
    with pytest.raises(NotFound):
        await memory.access.merge(group, made.id, "bo")
    assert (await memory.merging.merges(Scope(group, NOW, user="bo"))) == []
    assert (await memory.merging.merges(Scope(group, NOW, user="ann"))) == [made]
    for reader, part_of in (("ann", made.other), ("bo", None)):
        graph = await memory.reader.entity(Scope(group, day(20), user=reader), made.member)
        assert graph.entities[0].part_of == part_of


async def test_a_profile_for_nobody_in_particular_has_beliefs_where_the_merges_of_their_users_put_them(
    memory: Memory, group: str
) -> None:
    told_of = [claim(name, "knows", f"Friend of {name}", 0) for name in ("Tom", "Tommy", "Thomas")]
    own = [claim("Tommy", "met", "Ann", 0, "ann"), claim("Tommy", "met", "Bo", 0, "bo")]
    await memory.intake.assert_claims(group, [*told_of, *own])
    await merge(memory, group, "Tom", "Tommy", user="ann")
    await merge(memory, group, "Thomas", "Tommy", user="bo")

    async def shown(name: str) -> set[str]:
        ids = (id_of(group, name), id_of(group, "Friend of Tom"))
        profile = (await memory.merging.side_by_side(Scope(group, day(9)), *ids)).first
        return {one.entity.name for one in profile.beliefs if one.entity}

    assert await shown("Tom") == {"Friend of Tom", "Ann"}
    assert await shown("Tommy") == {"Friend of Tommy", "Ann", "Bo"}
    assert await shown("Thomas") == {"Friend of Thomas", "Bo"}


async def test_what_one_user_merged_does_not_make_neighbours_of_one_those_of_the_other(
    memory: Memory, group: str
) -> None:
    both = [claim(name, "knows", "Ann", 0) for name in ("Tom", "Tommy")]
    await memory.intake.assert_claims(group, [*both, claim("Tom", "met", "Bo", 0), claim("Tommy", "met", "Cem", 0)])
    await merge(memory, group, "Tom", "Tommy", user="ann")
    pair = await memory.merging.side_by_side(Scope(group, day(9)), id_of(group, "Tom"), id_of(group, "Tommy"))
    assert [one.entity.name for one in pair.neighbours] == ["Ann"]


async def test_a_third_joins_and_leaves_without_the_others(memory: Memory, group: str) -> None:
    told_of = [claim(name, "knows", f"Friend of {name}", number) for number, name in enumerate(("A", "B", "C"))]
    await memory.intake.assert_claims(group, told_of)
    await merge(memory, group, "B", "C")
    tie = await merge(memory, group, "A", "C")
    assert {row[0] for row in await told(memory, Scope(group, day(9)))} == {"A"}
    assert {one.other for one in await memory.merging.merges(Scope(group, NOW))} == {id_of(group, "A")}

    await memory.merging.revert(group, tie.id, reason="no")

    assert {row[:3] for row in await told(memory, Scope(group, day(9)))} == {
        ("A", "knows", "Friend of A"),
        ("B", "knows", "Friend of B"),
        ("B", "knows", "Friend of C"),
    }
    with pytest.raises(Conflict, match="said are"):
        await merge_ab_and_then_c(memory, group)


async def merge_ab_and_then_c(memory: Memory, group: str) -> None:
    """A and C were said to be different, and B is C."""
    await merge(memory, group, "A", "B")


async def test_what_cannot_be_merged_is_refused(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Tom", "knows", "Ann", 0, "ann")])
    tom = id_of(group, "Tom")
    with pytest.raises(InvalidInput):
        await memory.merging.merge(group, tom, tom, reason="")
    with pytest.raises(NotFound):
        await memory.merging.merge(group, tom, "0" * 32, reason="")
    for user in ("bo", ""):
        with pytest.raises(NotFound, match="knows of"):
            await memory.merging.merge(group, tom, id_of(group, "Ann"), reason="", user=user)
    with pytest.raises(NotFound):
        await memory.merging.revert(group, "0" * 32, reason="")


async def test_the_same_decision_again_is_the_same_merge(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Tom", "knows", "Tommy", 0)])
    first = await merge(memory, group, "Tom", "Tommy")
    assert await merge(memory, group, "Tommy", "Tom") == first
