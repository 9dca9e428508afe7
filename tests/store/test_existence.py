"""From when to when entities existed: on nodes, kept in the transaction of each change; as of any time, from rows."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graphmem.memory import Memory
from graphmem.model.claim import ClaimKind
from graphmem.model.entity import normalise_name
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id
from graphmem.model.interval import BEGIN, END, LATEST
from graphmem.model.projection.existence import Bounding, Existed, Existence
from graphmem.model.projection.predicate import MANY
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Database
from graphmem.store.predicates import PredicateStore
from graphmem.store.queries import cypher_root, load_queries
from tests.existences import on_nodes, read
from tests.models import memory_on

QUERIES = load_queries(cypher_root())


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


def claim(subject: str, predicate: str, value: str, said: int = 2024, user: str = "") -> StructuredClaim:
    return StructuredClaim(
        subject=ThingName(subject, "person"),
        predicate=predicate,
        value=value,
        valid_from=year(said),
        from_stated=False,
        occurred_at=year(said),
        user=user,
    )


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


def id_of(group: str, name: str) -> str:
    return entity_id(group, normalise_name(name))


async def nodes(memory: Memory, group: str) -> Mapping[str, Existence]:
    return await on_nodes(memory.store.database, group)


async def test_a_node_follows_what_is_said_and_taken_back(memory: Memory, group: str) -> None:
    ana = id_of(group, "Ana")
    (birth,), _ = await memory.intake.assert_claims(group, [claim("Ana", "born_on", "1984-05")])
    assert await nodes(memory, group) == {ana: Existence(datetime(1984, 5, 1, tzinfo=UTC), END)}
    (death,), _ = await memory.intake.assert_claims(group, [claim("Ana", "died_on", "2020")])
    assert await nodes(memory, group) == {ana: Existence(datetime(1984, 5, 1, tzinfo=UTC), year(2021))}
    await memory.intake.retract(group, birth.claim_id)
    assert await nodes(memory, group) == {ana: Existence(BEGIN, year(2021))}
    await memory.intake.correct(group, death.claim_id, claim("Ana", "died_on", "2019"))
    assert await nodes(memory, group) == {ana: Existence(BEGIN, year(2020))}


async def test_a_node_of_which_nothing_tells_says_nothing(memory: Memory, group: str) -> None:
    (birth, _), _ = await memory.intake.assert_claims(
        group, [claim("Ana", "born_on", "1984"), claim("Bo", "likes", "1984")]
    )
    await memory.intake.retract(group, birth.claim_id)
    assert await nodes(memory, group) == {}


async def test_what_one_user_knows_is_on_no_node_and_read_by_that_user_only(memory: Memory, group: str) -> None:
    told = [claim("Ana", "likes", "tea"), claim("Ana", "born_on", "1984", user="bo")]
    await memory.intake.assert_claims(group, told)
    assert await nodes(memory, group) == {}
    seen = {user: await read(memory, id_of(group, "Ana"), Scope(group, year(2025), user=user)) for user in ("bo", "cy")}
    assert seen == {"bo": Existence(year(1984), END), "cy": Existence()}


async def test_as_known_before_it_is_as_it_was_known(memory: Memory, group: str) -> None:
    ana = id_of(group, "Ana")
    (first,), began = await memory.intake.assert_claims(group, [claim("Ana", "born_on", "1984")])
    _, _, corrected = await memory.intake.correct(group, first.claim_id, claim("Ana", "born_on", "1985"))
    for known_at, born in ((began.recorded_at, 1984), (corrected.recorded_at, 1985), (LATEST, 1985)):
        graph = await memory.reader.graph(Scope(group, year(2025), known_at), GraphQuery(entity_id=ana))
        (entity,) = graph.entities
        assert entity.existence == Existence(year(born), END)
        assert entity.existence.at(year(1984)) is (Existed.TRUE if born == 1984 else Existed.FALSE)


async def test_two_that_are_one_have_both_ends_until_it_is_taken_back(memory: Memory, group: str) -> None:
    first, second = id_of(group, "Ana"), id_of(group, "Ana Silva")
    _, before = await memory.intake.assert_claims(
        group, [claim("Ana", "born_on", "1984", 2023), claim("Ana Silva", "died_on", "2020", 2024)]
    )
    apart = {first: Existence(year(1984), END), second: Existence(BEGIN, year(2021))}
    assert await nodes(memory, group) == apart
    merge, merged = await memory.merging.merge(group, first, second, reason="told so")
    both = Existence(year(1984), year(2021))
    assert await nodes(memory, group) == {first: both}
    now = Scope(group, year(2025))
    assert {id_: await read(memory, id_, now) for id_ in apart} == dict.fromkeys(apart, both)

    await memory.merging.revert(group, merge.id, reason="two people")

    assert await nodes(memory, group) == apart
    assert merged.recorded_at is not None
    for known_at, expected in ((before.recorded_at, apart), (merged.recorded_at, dict.fromkeys(apart, both))):
        then = replace(now, known_at=known_at)
        assert {id_: await read(memory, id_, then) for id_ in apart} == expected
    assert {id_: await read(memory, id_, now) for id_ in apart} == apart


async def test_two_that_are_one_to_one_user_are_so_for_that_user_only(memory: Memory, group: str) -> None:
    first, second = id_of(group, "Ana"), id_of(group, "Ana Silva")
    told = [claim("Ana", "born_on", "1984", 2023), claim("Ana Silva", "died_on", "2020", 2024)]
    await memory.intake.assert_claims(group, told)
    await memory.merging.merge(group, first, second, reason="told so", user="bo")
    assert (await nodes(memory, group))[first] == Existence(year(1984), END)
    seen = {user: await read(memory, first, Scope(group, year(2025), user=user)) for user in ("bo", "cy")}
    assert seen == {"bo": Existence(year(1984), year(2021)), "cy": Existence(year(1984), END)}


async def test_who_reads_as_nobody_in_particular_goes_by_everybodys_merges(memory: Memory, group: str) -> None:
    first, second, third = (id_of(group, name) for name in ("Ana", "Ana Silva", "A. Silva"))
    told = [claim("Ana", "born_on", "1984"), claim("Ana Silva", "died_on", "2020"), claim("A. Silva", "likes", "tea")]
    await memory.intake.assert_claims(group, told)
    await memory.merging.merge(group, first, second, reason="told so", user="bo")
    await memory.merging.merge(group, third, second, reason="told so")
    seen = {id_: await read(memory, id_, Scope(group, year(2025))) for id_ in (first, second, third)}
    ended = Existence(BEGIN, year(2021))
    assert seen == {first: Existence(year(1984), END), second: ended, third: ended}


@pytest.mark.parametrize("user", ["", "bo"])
async def test_the_clusters_of_two_that_are_one_say_what_each_answer_says(
    memory: Memory, group: str, user: str
) -> None:
    first, second = id_of(group, "Ana"), id_of(group, "Ana Silva")
    told = [claim("Ana", "born_on", "1984", 2023), claim("Ana Silva", "died_on", "2020", 2024)]
    await memory.intake.assert_claims(group, told)
    await memory.merging.merge(group, first, second, reason="told so", user=user)
    both, scope = Existence(year(1984), year(2021)), Scope(group, year(2025), user="bo")
    for id_ in (first, second):
        cluster = await memory.reader.cluster(scope, id_)
        shown = [cluster.entity, cluster.representative, *(member.entity for member in cluster.members)]
        assert {entity.id: entity.existence for entity in shown} == dict.fromkeys((first, second), both)
        assert await read(memory, id_, scope) == both


async def test_a_node_follows_a_policy(memory: Memory, group: str) -> None:
    ana, database = id_of(group, "Ana"), memory.store.database
    told = [claim("Ana", "born_on", "1980", 2023), claim("Ana", "born_on", "1984", 2024)]
    await memory.intake.assert_claims(group, told)
    assert await nodes(memory, group) == {ana: Existence(year(1984), END)}
    await PredicateStore(database, QUERIES).change(group, "born_on", MANY)
    await EvidenceStore(database, QUERIES).reproject(group, [ana], "born_on")
    assert await nodes(memory, group) == {ana: Existence(year(1980), END)}


async def declare(memory: Memory, group: str, predicate: str, bound: Bounding | None) -> int:
    """Give a predicate of a group a bound; how many rows that changes."""
    database = memory.store.database
    await PredicateStore(database, QUERIES).change(group, predicate, replace(MANY, bound=bound))
    return await EvidenceStore(database, QUERIES).reproject(group, [id_of(group, "Ana")], predicate)


async def test_a_group_declares_what_begins_and_what_ends(memory: Memory, group: str) -> None:
    ana = id_of(group, "Ana")
    told = [claim("Ana", "enrolled_on", "1984"), claim("Ana", "withdrawn_on", "2020")]
    _, undeclared = await memory.intake.assert_claims(group, told)
    assert await nodes(memory, group) == {}

    assert await declare(memory, group, "enrolled_on", Bounding.BEGINS) == 2
    assert await declare(memory, group, "withdrawn_on", Bounding.ENDS) == 2
    assert await declare(memory, group, "withdrawn_on", Bounding.ENDS) == 0

    both, now = Existence(year(1984), year(2021)), Scope(group, year(2025))
    assert await nodes(memory, group) == {ana: both}
    assert await read(memory, ana, now) == both
    assert await read(memory, ana, replace(now, known_at=undeclared.recorded_at)) == Existence()


async def test_what_a_group_declares_no_bound_is_none_from_then_on(memory: Memory, group: str) -> None:
    ana = id_of(group, "Ana")
    _, before = await memory.intake.assert_claims(group, [claim("Ana", "opened", "1984")])
    assert await declare(memory, group, "opened", Bounding.NONE) == 2
    assert await nodes(memory, group) == {}

    now = Scope(group, year(2025))
    assert await nodes(memory, group) == {}
    assert await read(memory, ana, now) == Existence()
    assert await read(memory, ana, replace(now, known_at=before.recorded_at)) == Existence(year(1984), END)
    assert await declare(memory, group, "opened", None) == 2
    assert await nodes(memory, group) == {ana: Existence(year(1984), END)}


async def test_a_relationship_with_a_declared_bound_counts_since_it_is_said_to_hold(memory: Memory, group: str) -> None:
    place = replace(claim("Ana", "deployed_in", ""), value=None, object=ThingName("Oslo", "place"), from_stated=True)
    await memory.intake.assert_claims(group, [place])
    await declare(memory, group, "deployed_in", Bounding.BEGINS)
    assert await nodes(memory, group) == {id_of(group, "Ana"): Existence(year(2024), END)}


async def test_an_end_of_what_was_said_leaves_what_was_said_last(memory: Memory, group: str) -> None:
    ends = replace(claim("Acme", "founded_on", "1980", 2025), kind=ClaimKind.ENDS)
    told = [claim("Acme", "founded_on", "1980", 2023), claim("Acme", "founded_on", "1984", 2024), ends]
    await memory.intake.assert_claims(group, told)
    assert await nodes(memory, group) == {id_of(group, "Acme"): Existence(year(1984), END)}
