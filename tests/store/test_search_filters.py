"""What a search with filters finds is what brute force leaves of a search without any and without a limit."""

import random
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import uuid4

import pytest

from graphmem.errors import InvalidInput, NotFound
from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.episode import Episode, EpisodeRole, StoredEpisode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.hits import Fusion
from graphmem.model.recall import KnownEntity
from graphmem.model.scope import Scope
from graphmem.model.search import ENTITY, NO_FILTERS, SEARCHED, Filters
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from tests.fakes import LINE
from tests.models import digest, memory_on
from tests.store.test_evidence import day

PEOPLE, PLACES = ("Maya", "Bruno", "Ines", "Rui"), ("Porto", "Lisbon", "Rome", "Oslo", "Bergen", "Faro")
QUERY = "Maya Bruno Ines Rui: who lives_in, visited, likes Porto, Lisbon, Rome, Oslo, Bergen, Faro?"
ALL = 10_000
NOW = day(400)
CHOICES: Mapping[str, tuple[object, ...]] = {
    "session": ("a", "b", "nowhere"),
    "exclude_session": ("a", "b", "nowhere"),
    "types": (("place",), ("person",), ("organization",)),
    "predicates": (("visited",), ("lives_in", "likes"), ("never",)),
    "categories": (("habit",), ("goal", "habit")),
    "roles": (("user",), ("assistant", "tool")),
    "speakers": (("Maya",), ("Bruno", "Ines")),
    "sources": (("chat",), ("mail", "crm")),
    "tags": (("red",), ("blue", "green")),
    "since": (day(30), day(70)),
    "until": (day(40), day(90)),
    "least_confidence": (0.5, 0.95),
}


@dataclass(frozen=True, slots=True)
class Known:
    """All that was believed and said, read otherwise than by a search; and an entity by name."""

    memory: Memory
    group: str
    beliefs: Mapping[str, BeliefRow]
    episodes: Mapping[str, StoredEpisode]
    entities: Mapping[str, KnownEntity]

    @property
    def scope(self) -> Scope:
        return Scope(self.group, NOW)

    def entity(self, name: str) -> str:
        return next(entity.id for entity in self.entities.values() if entity.name == name)


@pytest.fixture(scope="module")
async def known(own_database: Database) -> Known:
    """A talk of two sessions, of which much is said twice, and claims of a source with a category and a confidence.

    In a database of its own: what others write meanwhile changes how rare words are, and with it scores.
    """
    memory, group = memory_on(own_database), f"filters-{uuid4().hex}"
    remembered = await memory.intake.remember(group, list(_said(group)))
    for one in remembered:
        await digest(memory, group, one.id)
    await memory.intake.assert_claims(group, list(_claims()))
    return await _known(memory, group)


async def _known(memory: Memory, group: str) -> Known:
    scope = Scope(group, NOW)
    graph = await memory.reader.graph(scope, GraphQuery())
    page = await memory.reader.episodes(scope, limit=1_000)
    found = await memory.reader.entities(scope, limit=1_000)
    return Known(
        memory,
        group,
        {belief.id: belief for belief in graph.beliefs},
        {stored.id: stored for stored in page.episodes},
        {entity.id: entity for entity in found},
    )


def _said(group: str) -> Iterable[Episode]:
    draw = random.Random(7)  # noqa: S311 - no secret
    for number in range(60):
        person, place = draw.choice(PEOPLE), draw.choice(PLACES)
        yield Episode(
            group_id=group,
            session=draw.choice(("a", "b", "")),
            content=f"{person} {draw.choice(('lives_in', 'visited', 'likes'))} {place}. Number{number}",
            occurred_at=day(number),
            role=draw.choice((EpisodeRole.USER, EpisodeRole.ASSISTANT, EpisodeRole.TOOL)),
            speaker=draw.choice((None, *PEOPLE)),
            source=draw.choice((None, "chat", "mail")),
            tags=tuple(sorted(draw.sample(("red", "green", "blue"), draw.randrange(3)))),
        )


def _claims() -> Iterable[StructuredClaim]:
    draw = random.Random(8)  # noqa: S311 - no secret
    for number in range(60):
        yield StructuredClaim(
            subject=ThingName(draw.choice(PEOPLE), "person"),
            predicate=draw.choice(("likes", "works_at", "age")),
            value=number,
            category=draw.choice(("", "habit", "goal")),
            confidence=draw.choice((0.4, 0.7, 1.0)),
            source="crm",
            valid_from=day(number),
            valid_to=draw.choice((None, day(500))),
            occurred_at=day(number),
        )


# brute force --------------------------------------------------------------------------------------------------------


def said_so(stored: StoredEpisode, filters: Filters) -> bool:
    episode = stored.episode
    return (
        (filters.session is None or episode.session == filters.session)
        and (filters.exclude_session is None or episode.session != filters.exclude_session)
        and (not filters.roles or episode.role in filters.roles)
        and (not filters.speakers or episode.speaker in filters.speakers)
        and (not filters.sources or episode.source in filters.sources)
        and (not filters.tags or not {*filters.tags}.isdisjoint(episode.tags))
    )


def passes(known: Known, id_: str, filters: Filters) -> bool:
    if id_ in known.beliefs:
        return _belief_passes(known, known.beliefs[id_], filters)
    if id_ in known.episodes:
        return _episode_passes(known, known.episodes[id_], filters)
    entity = known.entities[id_]
    of_others = replace(filters, entity=None, types=(), least_confidence=0.0)
    types = not filters.types or entity.type in filters.types
    return types and filters.entity in (None, id_) and of_others == NO_FILTERS


def _belief_passes(known: Known, belief: BeliefRow, filters: Filters) -> bool:
    ends = {end for end in (belief.subject_id, belief.object_id) if end}
    until = belief.valid_to if belief.event_to is None else belief.event_to
    return (
        (filters.entity is None or filters.entity in ends)
        and (not filters.types or any(known.entities[end].type in filters.types for end in ends))
        and (not filters.predicates or belief.predicate in filters.predicates)
        and (not filters.categories or belief.category in filters.categories)
        and belief.confidence >= filters.least_confidence
        and belief.valid_from < filters.until
        and until > filters.since
        and any(said_so(known.episodes[one.episode_id], filters) for one in belief.evidence)
    )


def _episode_passes(known: Known, stored: StoredEpisode, filters: Filters) -> bool:
    mentioned = [entity for entity in known.entities.values() if entity.name in _mentioned(stored)]
    return (
        said_so(stored, filters)
        and not (filters.predicates or filters.categories)
        and filters.since <= stored.episode.occurred_at < filters.until
        and (filters.entity is None or filters.entity in {entity.id for entity in mentioned})
        and (not filters.types or any(entity.type in filters.types for entity in mentioned))
    )


def _mentioned(stored: StoredEpisode) -> set[str]:
    """Names as the script reads them; a structured claim names somebody, and mentions nobody in a text."""
    read = LINE.search(stored.episode.content)
    if read is None or stored.episode.source == "crm":
        return set()
    return {read["subject"], read["object"]}


# searches -----------------------------------------------------------------------------------------------------------


async def found(
    known: Known, filters: Filters, limit: int, fusion: Fusion = Fusion.WEIGHTED, kinds: frozenset[str] = SEARCHED
) -> list[str]:
    recall = await known.memory.searcher.search(
        known.scope, QUERY, kinds=kinds, limit=limit, fusion=fusion, filters=filters
    )
    return [hit.ranked.id for hit in recall.hits]


def every_filter(known: Known) -> Iterable[Filters]:
    """Each by itself, then some at a time."""
    choices = {**CHOICES, "entity": tuple(known.entity(name) for name in ("Maya", "Porto"))}
    for name, values in choices.items():
        for value in values:
            yield replace(NO_FILTERS, **{name: value})
    draw = random.Random(9)  # noqa: S311 - no secret
    for _ in range(10):
        names = draw.sample(sorted(choices), draw.randrange(2, 4))
        given = {name: draw.choice(choices[name]) for name in names}
        with suppress(InvalidInput):  # of a time that is none, say
            yield replace(NO_FILTERS, **given)


async def test_a_filter_leaves_what_brute_force_leaves(known: Known, pytestconfig: pytest.Config) -> None:
    """One of three filters of each kind, but with ``--all`` every one."""
    everything = frozenset({*SEARCHED, ENTITY})
    unfiltered = set(await found(known, NO_FILTERS, ALL, kinds=everything))
    assert unfiltered >= {*known.beliefs, *known.episodes}
    left = list[int]()
    for filters in list(every_filter(known))[:: 1 if pytestconfig.option.all else 3]:
        expected = {id_ for id_ in unfiltered if passes(known, id_, filters)}
        assert set(await found(known, filters, ALL, kinds=everything)) == expected, filters
        left.append(len(expected))
    assert len({*left}) > 5, "filters tell much apart"


@pytest.mark.parametrize("fusion", Fusion)
async def test_a_filter_fetches_on_until_there_are_enough(known: Known, fusion: Fusion) -> None:
    unfiltered = await found(known, NO_FILTERS, ALL)
    for filters in list(every_filter(known))[::4]:
        expected = {id_ for id_ in unfiltered if passes(known, id_, filters)}
        some = await found(known, filters, 4, fusion)
        assert set(some) <= expected, filters
        assert len(some) == min(4, len(expected)), filters


async def test_a_rare_one_is_found_behind_ever_so_many_others(database: Database, group: str) -> None:
    """300 that are as near to the question."""
    memory = memory_on(database)
    claims = [
        StructuredClaim(
            subject=ThingName("Maya", "person"),
            predicate=predicate,
            value="tea",
            statement="Maya drinks tea.",
            valid_from=day(number),
            occurred_at=day(number),
        )
        for number, predicate in enumerate([*(f"often_{place}" for place in range(300)), "rarely"])
    ]
    await memory.intake.assert_claims(group, claims)
    recall = await memory.searcher.search(
        Scope(group, day(500)), "Maya drinks tea.", limit=5, filters=Filters(predicates=("rarely",))
    )
    (hit,) = recall.hits
    assert isinstance(hit.thing, BeliefRow)
    assert hit.thing.predicate == "rarely"
    assert {part.channel for part in hit.ranked.contributions} >= {"text", "vector"}


@pytest.mark.parametrize("fusion", Fusion)
async def test_the_least_score_cuts_the_list(known: Known, fusion: Fusion) -> None:
    recall = await known.memory.searcher.search(known.scope, QUERY, limit=ALL, fusion=fusion)
    scores = [hit.ranked.score for hit in recall.hits]
    least = scores[len(scores) // 3]
    above = await found(known, Filters(least_score=least), ALL, fusion)
    assert above == [hit.ranked.id for hit in recall.hits if hit.ranked.score >= least]
    assert 0 < len(above) < len(scores)


async def test_what_a_belief_rests_on_counts_as_it_was_known(database: Database, group: str) -> None:
    """Of two who said it one is withdrawn: since then nobody of that source says so, and before it did."""
    memory = memory_on(database)

    def said(source: str) -> StructuredClaim:
        return StructuredClaim(
            subject=ThingName("Maya", "person"),
            predicate="likes",
            object=ThingName("tea", "product"),
            valid_from=day(1),
            occurred_at=day(1),
            source=source,
            external_id=source,
        )

    (first, _), _ = await memory.intake.assert_claims(group, [said("crm"), said("mail")])
    before = (await memory.reader.graph(Scope(group, day(2)), GraphQuery())).beliefs[0].recorded_at
    await memory.intake.retract(group, first.claim_id)

    async def of(source: str, known_at: datetime | None = None) -> int:
        scope = Scope(group, day(2)) if known_at is None else Scope(group, day(2), known_at)
        kinds = frozenset({"relationship"})
        recall = await memory.searcher.search(scope, "Maya tea", kinds=kinds, filters=Filters(sources=(source,)))
        return len(recall.hits)

    assert [await of("crm", before), await of("mail", before), await of("crm"), await of("mail")] == [1, 1, 0, 1]


async def test_an_entity_that_nobody_knows_is_not_found(known: Known) -> None:
    with pytest.raises(NotFound):
        await found(known, Filters(entity="f" * 32), 5)


def test_filters_that_nothing_can_pass_are_refused() -> None:
    with pytest.raises(InvalidInput, match="since must be before until"):
        Filters(since=day(2), until=day(2))
    with pytest.raises(InvalidInput, match="are the same"):
        Filters(session="a", exclude_session="a")
