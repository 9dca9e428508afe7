"""What a question names, and what is believed around that then, as the reader knows it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimKind
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.hits import Reached
from graphmem.model.recall import KnownEntity
from graphmem.model.scope import Scope
from graphmem.model.search import FACT
from graphmem.recall.looking_up import named_entities, reached_beyond, reached_from
from graphmem.store.driver import Database
from graphmem.store.search import TextQuery
from tests.models import memory_on

MAY = datetime(2025, 5, 1, tzinfo=UTC)
DAY = timedelta(days=1)
MAYA, TOM, ROME = ThingName("Maya Silva", "person"), ThingName("Tom", "person"), ThingName("Rome", "place")
BAND, CLASS = ThingName("The Owls", "organization"), ThingName("pottery class", "concept")


def told(
    subject: ThingName,
    predicate: str,
    thing: ThingName | str,
    *,
    day: int = 0,
    until: int | None = None,
    user: str = "",
) -> StructuredClaim:
    entity = thing if isinstance(thing, ThingName) else None
    return StructuredClaim(
        kind=ClaimKind.STARTS,
        subject=subject,
        predicate=predicate,
        object=entity,
        value=None if entity else str(thing),
        statement=f"{subject.name} {predicate} {entity.name if entity else thing}",
        valid_from=MAY + day * DAY,
        valid_to=None if until is None else MAY + until * DAY,
        occurred_at=MAY + day * DAY,
        user=user,
    )


async def around(memory: Memory, scope: Scope, named: Sequence[KnownEntity]) -> list[Reached]:
    """What is reached from what is named, and beyond."""
    first = await reached_from(memory.store, scope, named)
    return [*first, *await reached_beyond(memory.store, scope, first)]


async def asked(memory: Memory, scope: Scope, text: str, facts: Sequence[str] = ()) -> tuple[list[str], set[str]]:
    """The names in their order, and the predicates of what is reached."""
    named = (await named_entities(memory.store, scope, text, facts)).named
    reached = await around(memory, scope, named)
    return [entity.name for entity in named], {belief.predicate for belief in reached}


@pytest.fixture
async def memory(database: Database, group: str) -> Memory:
    found = memory_on(database)
    claims = [
        told(MAYA, "plays_in", BAND),
        told(BAND, "based_in", ROME),
        told(MAYA, "attends", CLASS),
        told(MAYA, "lives_in", ROME, day=1, until=9),
        told(MAYA, "also_known_as", "Birdie"),
        told(TOM, "works_at", ThingName("Acme", "organization")),
        told(MAYA, "keeps", "a secret", user="ana"),
        told(ThingName("Zed", "person"), "knows", TOM, user="ana"),
    ]
    await found.intake.assert_claims(group, claims)
    return found


async def test_what_is_named_is_looked_around_and_beyond(memory: Memory, group: str) -> None:
    scope = Scope(group, MAY + 2 * DAY)
    everything = {"plays_in", "based_in", "attends", "lives_in", "also_known_as", "keeps"}
    assert await asked(memory, scope, "What does Maya Silva play?") == (["Maya Silva"], everything)
    reached = await around(memory, scope, (await named_entities(memory.store, scope, "Maya Silva", [])).named)
    hops = {predicate: min(one.hops for one in reached if one.predicate == predicate) for predicate in everything}
    assert (hops["plays_in"], hops["based_in"]) == (1, 2)


async def test_only_what_held_then_is_reached(memory: Memory, group: str) -> None:
    for day, held in ((0, False), (1, True), (8, True), (9, False)):
        _, predicates = await asked(memory, Scope(group, MAY + day * DAY), "Maya Silva")
        assert ("lives_in" in predicates) is held
    _, predicates = await asked(memory, Scope(group, MAY + 2 * DAY, known_at=MAY - 9000 * DAY), "Maya Silva")
    assert predicates == set()


async def test_a_reader_reaches_and_hears_of_what_it_may_see(memory: Memory, group: str) -> None:
    for user, names, secret in (
        (None, ["Zed", "Maya Silva"], True),
        ("ana", ["Zed", "Maya Silva"], True),
        ("ben", ["Maya Silva"], False),
    ):
        scope = Scope(group, MAY + 2 * DAY, user=user)
        found, predicates = await asked(memory, scope, "Does Zed know Maya Silva?")
        assert (found, "keeps" in predicates) == (names, secret)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Who is in The Owls?", ["The Owls"]),
        ("who is in the owls?", ["The Owls"]),
        ("Is the pottery class in Rome?", ["pottery class", "Rome"]),
        ("Is tom there, Maya Silva?", ["Maya Silva"]),
        ("Nobody is here.", []),
    ],
)
async def test_names_are_as_they_are_written(memory: Memory, group: str, text: str, names: list[str]) -> None:
    found, _ = await asked(memory, Scope(group, MAY + 2 * DAY), text)
    assert found == names


async def test_who_is_called_otherwise_is_found_by_the_fact(memory: Memory, group: str) -> None:
    scope = Scope(group, MAY + 2 * DAY)
    (found,) = await memory.store.by_text(scope, [TextQuery(FACT, "Birdie", limit=10)])
    facts = [hit.id for hit in found.hits]
    assert (await asked(memory, scope, "Where does Birdie live?", facts))[0] == ["Maya Silva"]
    assert (await asked(memory, scope, "Where does Birdie live?"))[0] == []


async def test_another_group_has_names_of_its_own(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(f"{group}-other", [told(TOM, "likes", "tea")])
    assert await asked(memory, Scope(f"{group}-other", MAY + DAY), "Maya Silva") == ([], set())


async def test_a_search_finds_entities_and_what_is_near_to_them(memory: Memory, group: str) -> None:
    scope = Scope(group, MAY + 2 * DAY)
    found = await memory.searcher.search(scope, "Acme", kinds=frozenset({"entity"}))
    assert [isinstance(one.thing, KnownEntity) and one.thing.name for one in found.hits][:1] == ["Acme"]
    assert found.hits[0].ranked.contributions[0].channel == "named"
    beliefs = await memory.searcher.search(scope, "The Owls", kinds=frozenset({"relationship"}))
    channels = {
        one.thing.predicate: {part.channel for part in one.ranked.contributions}
        for one in beliefs.hits
        if isinstance(one.thing, BeliefRow)
    }
    assert "graph" in channels["plays_in"] & channels["based_in"]
