"""Open claims and events: what they make others believe of curated claims, which is nothing, and of each other."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimKind, ClaimStatus
from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE, Context, Fragment, ProposedClaim, ThingName
from graphmem.model.interval import END, LATEST
from graphmem.model.scope import Scope
from graphmem.recall.reader import DiffQuery, GraphQuery
from graphmem.store.driver import Database
from tests.models import digest, memory_on
from tests.seeds import seeds

START = datetime(2025, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
MAYA = ThingName("Maya", "person")
BELIEFS = frozenset({"relationship", "fact"})
Said = tuple[int, ProposedClaim]
"""The day on which it is said, and what."""


class Reads:
    """Claims what an episode is said to claim: its content is the place of its claim in a list."""

    context_turns = 0
    context_chars = 0
    uses_ontology = False
    piece_chars = 1_000

    def __init__(self, claims: Sequence[ProposedClaim]) -> None:
        self._claims = claims

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        del context
        claim = self._claims[int(episode.content)]
        return Fragment(mentions=(), claims=(claim,), extractor="reads", version="1")


def says(predicate: str, target: str, *, event: int | None = None, open: bool = False) -> ProposedClaim:  # noqa: A002
    thing = None if open else ThingName(target, "place")
    day = None if event is None else START + event * DAY
    return ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=MAYA,
        predicate=predicate,
        object=thing,
        value=target if open else None,
        statement=f"Maya {predicate} {target} {event}.",
        quote_start=0,
        quote_end=1,
        valid_from=day,
        event=day and (day, day + DAY),
        confidence=0.6,
        open=open,
    )


async def tell(database: Database, group: str, told: Sequence[Said]) -> Memory:
    memory = memory_on(database, extracts=Reads([claim for _, claim in told]))
    for place, (day, _) in enumerate(told):
        await say(memory, group, place, day)
    return memory


async def say(memory: Memory, group: str, place: int, day: int) -> None:
    episode = Episode(group_id=group, session="s", content=str(place), occurred_at=START + day * DAY)
    (remembered,) = await memory.intake.remember(group, [episode])
    await digest(memory, group, remembered.id)


async def believed(memory: Memory, group: str, day: int = 99, *, open: bool | None = None) -> list[BeliefRow]:  # noqa: A002
    scope = Scope(group, START + day * DAY, open=open)
    return list((await memory.reader.graph(scope, GraphQuery())).beliefs)


async def test_open_claims_end_cut_and_contest_nothing_curated(database: Database, group: str) -> None:
    memory = await tell(
        database,
        group,
        [
            (0, says("lives_in", "Rome")),
            (5, says("lives_in", "in Oslo", open=True)),
            (9, says("lives_in", "here", open=True)),
        ],
    )
    rows = {row.statement: row for row in await believed(memory, group)}
    assert {row.open for row in rows.values()} == {False, True}
    assert [(row.valid_to, row.contested) for row in rows.values()] == [(END, False)] * 3
    assert len({row.belief_id for row in rows.values()}) == 3


async def test_a_read_leaves_open_beliefs_out_or_takes_only_them(database: Database, group: str) -> None:
    memory = await tell(database, group, [(0, says("lives_in", "Rome")), (5, says("plans", "go to Oslo", open=True))])
    (curated,), (open_,) = await believed(memory, group, open=False), await believed(memory, group, open=True)
    assert (curated.predicate, curated.status) == ("lives_in", ClaimStatus.ASSERTED)
    assert (open_.predicate, open_.status) == ("plans", ClaimStatus.PLANNED)
    for open_only, statement in ((False, curated.statement), (True, open_.statement)):
        scope = Scope(group, START + 99 * DAY, open=open_only)
        recall = await memory.searcher.search(scope, "Maya", kinds=BELIEFS)
        assert [isinstance(found.thing, BeliefRow) and found.thing.statement for found in recall.hits] == [statement]
        history = await memory.reader.history(scope, curated.subject_id, valid_at=None, limit=10)
        assert [row.statement for row in history.versions] == [statement]


async def test_events_of_two_days_are_two_and_of_one_day_one(database: Database, group: str) -> None:
    visits = [(9, says("visited", "Rome", event=day)) for day in (3, 3, 7)]
    memory = await tell(database, group, visits)
    rows = await believed(memory, group)
    assert [(row.day, row.event_to, row.valid_to) for row in sorted(rows, key=lambda row: row.day)] == [
        ("2025-01-04", START + 4 * DAY, END),
        ("2025-01-08", START + 8 * DAY, END),
    ]
    assert sorted(len(row.evidence) for row in rows) == [1, 2]


async def test_a_difference_tells_an_event_once_on_its_day(database: Database, group: str) -> None:
    memory = await tell(database, group, [(9, says("visited", "Rome", event=3)), (9, says("visited", "Rome", event=7))])
    for before, after, days in ((2, 5, ["2025-01-04"]), (5, 20, ["2025-01-08"]), (20, 40, [])):
        query = DiffQuery(before=Scope(group, START + before * DAY), after=Scope(group, START + after * DAY))
        found = (await memory.reader.diff(query)).difference
        assert ([row.day for row in found.began], found.ended, found.changed) == (days, (), ())


@pytest.mark.parametrize("seed", seeds(3))
async def test_curated_beliefs_are_what_they_are_without_open_claims_in_any_order(
    database: Database, group: str, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - an order, no secret
    told: list[Said] = []
    for _ in range(12):
        open_, day = chance.random() < 0.5, chance.randrange(20)
        event = chance.choice([None, day])
        told.append((day, says(chance.choice(["lives_in", "visited"]), chance.choice("AB"), event=event, open=open_)))
    curated = [one for one in told if not one[1].open]
    mixed = list(told)
    chance.shuffle(mixed)
    found = [
        await believed(await tell(database, f"{group}-{name}", some), f"{group}-{name}", open=False)
        for name, some in (("alone", curated), ("whole", told), ("mixed", mixed))
    ]
    assert content(found[0]) == content(found[1]) == content(found[2])


def content(rows: Sequence[BeliefRow]) -> set[tuple[object, ...]]:
    return {(row.statement, row.valid_from, row.valid_to, row.day, row.contested, len(row.evidence)) for row in rows}


async def test_what_somebody_did_with_one_thing_is_told_apart_by_the_verb(database: Database, group: str) -> None:
    bench = says("did", "old bench", open=True)
    verbs = ["varnish", "juggle", "varnish"]
    told = [replace(bench, statement=f"Maya: {verb}.", attributes=(("verb", verb),)) for verb in verbs]
    memory = await tell(database, group, [(day, claim) for day, claim in enumerate(told)])
    rows = await believed(memory, group)
    assert sorted((row.statement, len(row.evidence)) for row in rows) == [("Maya: juggle.", 1), ("Maya: varnish.", 2)]
    assert len({row.belief_id for row in rows}) == 2
    query = DiffQuery(before=Scope(group, START - DAY), after=Scope(group, START + 9 * DAY))
    began = (await memory.reader.diff(query)).difference.began
    assert {row.distinguished_by for row in began} == {('verb="varnish"',), ('verb="juggle"',)}


@pytest.mark.parametrize("seed", seeds(3))
async def test_what_was_done_with_one_thing_is_told_apart_by_what_else_was_said(
    database: Database, group: str, seed: int
) -> None:
    dog = says("took", "dog", open=True)
    said = [("vet",), ("beach",), ("vet",), ()]
    told = [
        replace(dog, statement=f"Maya took the dog {place}.", attributes=tuple(("detail", word) for word in place))
        for place in said
    ]
    random.Random(seed).shuffle(told)  # noqa: S311 - an order, no secret
    memory = await tell(database, group, [(day, claim) for day, claim in enumerate(told)])
    rows = await believed(memory, group)
    assert sorted((row.distinguished_by, len(row.evidence)) for row in rows) == [
        ((), 1),
        (('detail="beach"',), 1),
        (('detail="vet"',), 2),
    ]
    assert len({row.belief_id for row in rows}) == 3


async def test_a_detail_tells_no_curated_claims_apart(database: Database, group: str) -> None:
    told = [replace(says("likes", "Rome"), attributes=(("detail", word),)) for word in ("by night", "by day")]
    memory = await tell(database, group, [(day, claim) for day, claim in enumerate(told)])
    rows = await believed(memory, group)
    assert {row.distinguished_by for row in rows} == {()}


async def test_an_open_claim_ends_nobody(database: Database, group: str) -> None:
    died = replace(says("died", "of boredom", event=3, open=True), event=(START + 3 * DAY, START + 4 * DAY))
    memory = await tell(database, group, [(9, died)])
    (row,) = await believed(memory, group)
    found = (await memory.reader.entity(Scope(group, START + 20 * DAY), row.subject_id)).entities[0]
    assert found.existence.valid_to == END


async def test_what_supersedes_an_event_keeps_its_day(database: Database, group: str) -> None:
    first = says("visited", "Rome", event=3)
    memory = await tell(database, group, [(9, first), (9, replace(first, confidence=0.9))])
    (row,) = await believed(memory, group)
    assert (row.day, row.confidence) == ("2025-01-04", 0.9)
    history = await memory.reader.history(Scope(group, LATEST), row.subject_id, valid_at=None, limit=10)
    assert {one.day for one in history.versions} == {"2025-01-04"}
    assert {one.event_to for one in history.versions} == {START + 4 * DAY}


async def test_search_shows_one_of_several_wordings_of_a_day(database: Database, group: str) -> None:
    painted = replace(says("did", "boat", open=True), statement="Maya painted a boat.")
    wordings = [replace(painted, value=f"boat {number}") for number in range(3)]
    told = [(0, wordings[0]), (0, wordings[1]), (5, wordings[2]), (0, says("lives_in", "Rome"))]
    memory = await tell(database, group, told)
    found = (await memory.searcher.search(Scope(group, START + 9 * DAY), "Maya painted a boat.", kinds=BELIEFS)).hits
    days = {one.thing.valid_from: one for one in found if isinstance(one.thing, BeliefRow) and one.thing.open}
    assert {day: len(one.ranked.other_wordings) for day, one in days.items()} == {START: 1, START + 5 * DAY: 0}
    assert len(found) == 3


async def test_another_status_and_another_number_are_no_other_wording(database: Database, group: str) -> None:
    painted = replace(says("did", "boats", open=True), statement="Maya painted 12 boats.")
    told = [
        (0, painted),
        (0, replace(painted, value="15 boats", statement="Maya painted 15 boats.")),
        (0, replace(painted, predicate="plans", statement="Maya painted 12 boats.")),
    ]
    memory = await tell(database, group, told)
    found = (await memory.searcher.search(Scope(group, START + 9 * DAY), "Maya painted boats.", kinds=BELIEFS)).hits
    assert [one.ranked.other_wordings for one in found] == [(), (), ()]


async def test_search_tells_what_was_done_of_a_plan(database: Database, group: str) -> None:
    plan = replace(says("plans", "go to Rome", open=True), statement="Maya goes to Rome.")
    went = replace(says("visited", "Rome", event=7), statement="Maya goes to Rome.")
    earlier = replace(says("visited", "Oslo", event=3), statement="Maya goes to Rome.")
    other = says("visited", "Bonn", event=8)
    memory = await tell(database, group, [(5, plan), (9, went), (9, earlier), (9, other)])

    async def carried_out(day: int) -> list[list[str]]:
        scope = Scope(group, START + day * DAY, open=True)
        found = (await memory.searcher.search(scope, "Maya goes to Rome.", kinds=BELIEFS)).hits
        return [[deed.day for deed in one.carried_out] for one in found]

    assert await carried_out(6) == [[]]
    assert await carried_out(20) == [["2025-01-08"]]
