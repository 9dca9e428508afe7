"""Of which type something is: what is said of it by whom, to whom and when; never who it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import permutations

import pytest

from graphmem.memory import Memory
from graphmem.model.claim import ClaimKind
from graphmem.model.entity import TypedBy
from graphmem.model.episode import Episode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ALONE, Context, Fragment, ProposedClaim, ProposedMention, ThingName
from graphmem.model.interval import END
from graphmem.model.principal import Actor
from graphmem.model.scope import Scope
from graphmem.model.search import SEARCHED, Filters
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from tests.fakes import ScriptedExtractor
from tests.models import digest, labels_of_entities, memory_on
from tests.store.test_merges import day


@dataclass(frozen=True)
class Said:
    """“Acme is a bank.”, said by a text, by what a predicate takes, or by a caller."""

    type: str
    typed_by: TypedBy
    day: int
    user: str = ""


class TypeExtractor(ScriptedExtractor):
    """Reads “Acme TYPE”, and of “Zoe works_at Acme TYPE” a claim too."""

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        del context
        content = episode.content
        at, acme = content.index("Acme"), ThingName("Acme", content.split()[-1])
        claim = ProposedClaim(
            kind=ClaimKind.STARTS,
            subject=ThingName("Zoe", "person"),
            predicate="works_at",
            object=acme,
            statement=content,
            quote_start=0,
            quote_end=len(content),
            confidence=0.9,
        )
        return Fragment(
            mentions=(ProposedMention(entity=acme, start=at, end=at + 4),),
            claims=(claim,) if "works_at" in content else (),
            extractor="scripted",
            version="1",
        )


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database, extracts=TypeExtractor())


async def tell(memory: Memory, group: str, said: Said) -> datetime:
    """When that was recorded."""
    at = day(said.day)
    if said.typed_by is TypedBy.CALLER:
        claim = StructuredClaim(
            subject=ThingName("Acme", said.type), predicate="motto", value=said.day, valid_from=at, occurred_at=at,
            user=said.user,
        )  # fmt: skip
        _, outcome = await memory.intake.assert_claims(group, [claim])
    else:
        content = f"{'Zoe works_at ' if said.typed_by is TypedBy.PREDICATE else ''}Acme {said.type}"
        episode = Episode(group_id=group, session="", content=content, occurred_at=at, user=said.user)
        (receipt,) = await memory.intake.remember(group, [episode])
        outcome = await digest(memory, group, receipt.id)
    assert outcome.recorded_at is not None
    return outcome.recorded_at


async def type_of(memory: Memory, group: str, user: str | None = None, known_at: datetime = END) -> str:
    scope = Scope(group, day(99), known_at, user=user)
    (acme,) = [one for one in await memory.reader.entities(scope) if one.name == "Acme"]
    return acme.type


async def labels(database: Database, group: str) -> set[str]:
    """Of what is called Acme."""
    rows = [row for row in await labels_of_entities(database, group) if "Person" not in row.labels]
    assert len(rows) == 1
    return rows[0].labels - {"Entity"}


SAID = (
    Said("place", TypedBy.WORDS, 1),
    Said("product", TypedBy.WORDS, 0),
    Said("organization", TypedBy.PREDICATE, 5),
    Said("thing", TypedBy.PREDICATE, 2),
)


@pytest.mark.parametrize("order", [*permutations(SAID)][::5])
async def test_a_type_follows_from_all_that_is_said_in_any_order(
    database: Database, memory: Memory, group: str, order: Sequence[Said]
) -> None:
    for said in order:
        await tell(memory, group, said)

    assert await type_of(memory, group) == "organization"
    assert await labels(database, group) == {"Organization"}


async def test_of_equal_sources_the_first_said_is_believed_and_a_caller_above_all(memory: Memory, group: str) -> None:
    await tell(memory, group, Said("place", TypedBy.WORDS, 3))
    before = await tell(memory, group, Said("product", TypedBy.WORDS, 2))
    after = await tell(memory, group, Said("event", TypedBy.CALLER, 9))
    await tell(memory, group, Said("organization", TypedBy.PREDICATE, 0))

    assert await type_of(memory, group) == "event"
    assert [await type_of(memory, group, known_at=at) for at in (before, after)] == ["product", "event"]


async def test_a_type_is_that_of_what_a_reader_was_told(database: Database, memory: Memory, group: str) -> None:
    await tell(memory, group, Said("place", TypedBy.CALLER, 0, user="ann"))
    assert await labels(database, group) == {"Place"}

    await tell(memory, group, Said("organization", TypedBy.WORDS, 1))

    assert [await type_of(memory, group, user) for user in (None, "ann", "ben")] == ["place", "place", "organization"]
    assert await labels(database, group) == {"Organization"}
    await tell(memory, group, Said("product", TypedBy.PREDICATE, 2))
    assert await labels(database, group) == {"Product"}


async def test_what_is_shared_is_seen_with_the_type_that_its_user_gave(
    database: Database, memory: Memory, group: str
) -> None:
    await tell(memory, group, Said("place", TypedBy.CALLER, 0, user="ann"))
    (row,) = (await memory.reader.graph(Scope(group, day(99), user="ann"), GraphQuery())).beliefs
    await memory.facts.share(group, row.belief_id, Actor("ann"))
    assert await type_of(memory, group, "ben") == "place"
    await tell(memory, group, Said("organization", TypedBy.WORDS, 0))
    assert await labels(database, group) == {"Place"}

    await memory.facts.unshare(group, row.belief_id, Actor("ann"))

    assert [await type_of(memory, group, user) for user in ("ann", "ben")] == ["place", "organization"]
    assert await labels(database, group) == {"Organization"}


async def test_what_is_asked_for_by_type_is_of_that_type_to_who_asks(memory: Memory, group: str) -> None:
    await tell(memory, group, Said("place", TypedBy.CALLER, 0, user="ann"))
    told = await tell(memory, group, Said("organization", TypedBy.PREDICATE, 1))
    await tell(memory, group, Said("event", TypedBy.CALLER, 2))

    async def found(user: str | None, entity_type: str) -> tuple[int, int, int]:
        scope = Scope(group, day(99), user=user)
        listed = await memory.reader.entities(scope, entity_type=entity_type)
        graph = await memory.reader.graph(scope, GraphQuery(types=frozenset({entity_type})))
        recall = await memory.searcher.search(scope, "Acme", kinds=SEARCHED, filters=Filters(types=(entity_type,)))
        return len(listed), len(graph.beliefs), len(recall.hits)

    for user in (None, "ann", "ben"):
        for entity_type in ("place", "organization", "event"):
            right = await type_of(memory, group, user) == entity_type
            assert [bool(count) for count in await found(user, entity_type)] == [right] * 3, (user, entity_type)
    then = Scope(group, day(99), told, user="ben")
    assert len(await memory.reader.entities(then, entity_type="organization")) == 1
