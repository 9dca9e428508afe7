"""What was said at one instant is in the order of the list in which it came; starts that are said anew correct."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import Episode, StoredEpisode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ALONE, Context, Fragment, ProposedClaim, ThingName
from graphmem.model.interval import BEGIN, END
from graphmem.model.recall import FIRST_VERSION
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from tests.models import digest, memory_on

NOON = datetime(2025, 5, 3, 12, tzinfo=UTC)
MAYA = ThingName("Maya", "person")
CITIES = ("Rome", "Oslo", "Porto", "Kyiv")


def said(group: str, *contents: str, at: datetime = NOON) -> list[Episode]:
    return [Episode(group_id=group, session="s", content=content, occurred_at=at) for content in contents]


async def listed(memory: Memory, group: str) -> Sequence[StoredEpisode]:
    """All episodes, two a page."""
    scope, found, after, more = Scope(group, END), list[StoredEpisode](), (BEGIN, ""), True
    while more:
        page = await memory.store.episodes(scope, status=None, after=after, limit=2)
        found += page.episodes
        after, more = (page.episodes[-1].episode.occurred_at, page.episodes[-1].id), page.more
    return found


async def believed(memory: Memory, group: str) -> tuple[BeliefRow, ...]:
    return (await memory.reader.graph(Scope(group, NOON + timedelta(days=999)), GraphQuery())).beliefs


async def test_a_list_keeps_its_order_and_comes_again_unchanged(database: Database, group: str) -> None:
    memory, words = memory_on(database), ["yes", "no", "yes", "perhaps", "yes"]

    first = await memory.intake.remember(group, said(group, *words))
    again = await memory.intake.remember(group, said(group, *words))
    other = await memory.intake.remember(group, said(group, "perhaps", "yes"))

    assert ([one.new for one in first], len({one.id for one in first})) == ([True] * 5, 5)
    assert [(one.id, one.new) for one in again] == [(one.id, False) for one in first]
    assert [(one.id, one.new) for one in other] == [(first[3].id, False), (first[0].id, False)]
    stored = await listed(memory, group)
    assert [(one.id, one.episode.content, one.episode.position) for one in stored] == [
        (one.id, words[place], place) for place, one in enumerate(first)
    ]


async def test_parts_of_a_list_are_one_list(database: Database, group: str) -> None:
    memory, words = memory_on(database), ["yes", "no", "yes", "so", "yes"]
    whole = [replace(one, position=place) for place, one in enumerate(said(group, *words))]
    whole[2], whole[4] = replace(whole[2], occurrence=1), replace(whole[4], occurrence=2)

    for part in (whole[3:], whole[:2], whole[2:4]):
        await memory.intake.remember(group, part)

    assert [one.episode.content for one in await listed(memory, group)] == words


@pytest.mark.parametrize("cities", [CITIES[:3], CITIES[2::-1], CITIES[1:]])
async def test_of_a_list_said_at_one_instant_the_last_holds(
    database: Database, group: str, cities: tuple[str, ...]
) -> None:
    memory = memory_on(database)
    receipts = await memory.intake.remember(group, said(group, *(f"Maya lives_in {city}." for city in cities)))
    for receipt in reversed(receipts):
        await digest(memory, group, receipt.id)

    (row,) = await believed(memory, group)
    assert row.statement.endswith(f"{cities[-1]}.")


async def test_of_structured_claims_of_a_list_the_last_holds(database: Database, group: str) -> None:
    memory = memory_on(database)
    for number, cities in enumerate(permutations(CITIES)):
        maya = ThingName(f"Maya {number}", "person")
        claims = [
            StructuredClaim(
                subject=maya,
                predicate="lives_at",
                object=ThingName(city, "place"),
                valid_from=NOON,
                occurred_at=NOON,
                user=f"user {number}",
            )
            for city in cities
        ]
        await memory.intake.assert_claims(group, claims)
        await memory.intake.assert_claims(group, claims[::-1])

        rows = [row for row in await believed(memory, group) if row.user == claims[0].user]
        assert [row.statement for row in rows] == [f"{maya.name} lives at {cities[-1]}."]


class Reads:
    """Reads since when Maya lives in Oslo: a day of 2024 and how many days the words speak of, such as “60 31”."""

    context_turns = 0
    context_chars = 0
    uses_ontology = False
    piece_chars = 1_000

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        del context
        start, days = map(int, episode.content.split())
        claim = ProposedClaim(
            kind=ClaimKind.STARTS,
            subject=MAYA,
            predicate="lives_in",
            object=ThingName("Oslo", "place"),
            statement=f"Maya lives in Oslo since {start}.",
            quote_start=0,
            quote_end=len(episode.content),
            valid_from=datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=start),
            from_precision=days,
            confidence=0.8,
        )
        return Fragment(mentions=(), claims=(claim,), extractor="reads", version="1")


@pytest.mark.parametrize("backwards", [False, True])
async def test_a_corrected_start_shows_both_claims_and_what_was_believed_before(
    database: Database, group: str, *, backwards: bool
) -> None:
    memory = memory_on(database, extracts=Reads())
    told = ["0 366", "31 29", "121 31"]  # 2024, February 2024, May 2024
    receipts = await memory.intake.remember(group, said(group, *told))
    for receipt in reversed(receipts) if backwards else receipts:
        await digest(memory, group, receipt.id)

    (row,) = await believed(memory, group)
    assert (row.valid_from, row.statement) == (datetime(2024, 5, 1, tzinfo=UTC), "Maya lives in Oslo since 121.")
    assert [one.episode_id for one in row.evidence] == [receipt.id for receipt in receipts]
    versions = await memory.store.history_of_entity(
        Scope(group, END, END), row.subject_id, valid_at=None, predicates=None, after=FIRST_VERSION, limit=9
    )
    expected = {(2024, 5)} if backwards else {(2024, 1), (2024, 2), (2024, 5)}
    assert {(one.valid_from.year, one.valid_from.month) for one in versions.beliefs} == expected
    grounds = await memory.reader.evidence(Scope(group, END, END), row.id, valid_at=None, limit=2)
    rest = await memory.reader.evidence(
        Scope(group, END, END),
        row.id,
        valid_at=None,
        after=(grounds.claims[-1].said_at, grounds.claims[-1].id),
        limit=2,
    )
    assert [one.episode_id for one in (*grounds.claims, *rest.claims)] == [receipt.id for receipt in receipts]
