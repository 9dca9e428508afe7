"""Consolidation as a job, on a real database: once, whoever asks, whatever is killed; nothing of others is undone."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast
from uuid import uuid4

import pytest

from graphmem.clock import utc_now
from graphmem.jobs.consolidator import Consolidator
from graphmem.jobs.schedule import consolidating, every_few_seconds
from graphmem.jobs.steps import Stepper
from graphmem.memory import Memory
from graphmem.model.acts import CurrentFact, Lowering
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import AssertedBy, ClaimKind
from graphmem.model.episode import AS_CONFIGURED, CloserReader, Episode, Reprocessing
from graphmem.model.evidence import ChangeOutcome, StructuredClaim
from graphmem.model.fragment import ProposedClaim, ThingName
from graphmem.model.scope import Scope
from graphmem.model.session import FIRST_SESSION
from graphmem.model.work import Work, WorkKind, WorkProgress, WorkRequest, work_id
from graphmem.process.metrics import DigestMetrics
from graphmem.process.tasks import together
from graphmem.recall.reader import GraphQuery
from graphmem.settings import Settings
from graphmem.settings.jobs import ConsolidationSettings, EnrichmentSettings, JobSettings, SummarySettings
from graphmem.settings.matching import MatchingTable
from graphmem.store.change.acts import DecideLowerings, MakeLowered
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Database
from tests.fakes import ScriptedExtractor
from tests.jobs.clean_run import held
from tests.models import digest, memory_on, shipped_queries
from tests.store.test_corrections import Says
from tests.store.test_evidence import MAYA, day

JOBS = JobSettings.model_validate({"retry_seconds": 0, "lease_seconds": 5})
SETTINGS = ConsolidationSettings(chunk=3)
COLOUR = "preference.colour"
SHORT, VERY_SHORT = "answers that are short and plain", "answers that are very short and plain"
SAME = ((VERY_SHORT, 0.6), (SHORT, 0.8))
MODEL = CloserReader(name="llm", how=Reprocessing(strategy="llm"))


class Stumbling(EvidenceStore):
    """A store that is killed after so many transactions of consolidation."""

    lives = 1_000

    async def consolidate(
        self, group: str, facts: Sequence[CurrentFact], decide: DecideLowerings, make: MakeLowered
    ) -> tuple[Sequence[Lowering], ChangeOutcome]:
        done = await super().consolidate(group, facts, decide, make)
        self.lives -= 1
        if self.lives == 0:
            raise asyncio.CancelledError
        return done


class Bench:
    """A memory, and a worker that consolidates it."""

    def __init__(self, database: Database, *, closer: CloserReader | None = None, reader: Any = None) -> None:
        self.evidence = Stumbling(database, shipped_queries())
        self.memory: Memory = memory_on(
            database,
            extracts=reader or ScriptedExtractor(),
            evidence=self.evidence,
            closer=closer,
        )
        self.metrics = DigestMetrics()
        steps = Consolidator(self.memory, SETTINGS, pause=0.01)
        self.stepper = Stepper(steps, self.memory.works, JOBS, metrics=self.metrics)

    async def say(self, group: str, *claims: StructuredClaim) -> list[str]:
        receipts, _ = await self.memory.intake.assert_claims(group, list(claims))
        return [receipt.claim_id for receipt in receipts]

    async def ask(self, group: str, target: str = "", *, dry_run: bool = False) -> str:
        kind, id_ = WorkKind.CONSOLIDATE, work_id(WorkKind.CONSOLIDATE, group, target, dry_run=dry_run)
        await self.memory.works.request_work(group, kind, [WorkRequest(id=id_, target=target, dry_run=dry_run)])
        return id_

    async def do(self, group: str, id_: str) -> Work:
        """Have a worker do it, as often as it is given back."""
        async with asyncio.timeout(60):
            while True:
                taken = await self.memory.works.lease_work(group, id_, uuid4().hex, JOBS.lease_seconds)
                if taken is not None:
                    await self.stepper.do(taken)
                (work,) = await self.memory.works.works_by_id(group, [id_])
                if work.status is not WorkProgress.PENDING:
                    return work
                await asyncio.sleep(0.05)

    async def consolidate(self, group: str, target: str = "", *, dry_run: bool = False) -> Work:
        return await self.do(group, await self.ask(group, target, dry_run=dry_run))

    async def believed(self, group: str, *, known_at: Any = None, user: str | None = None) -> list[BeliefRow]:
        scope = Scope(group, day(300), user=user) if known_at is None else Scope(group, day(300), known_at, user=user)
        return list((await self.memory.reader.graph(scope, GraphQuery())).beliefs)

    async def values(self, group: str, **scope: Any) -> list[object]:
        return sorted((row.value for row in await self.believed(group, **scope)), key=str)

    async def conflicts(self, group: str) -> list[object]:
        page = await self.memory.fact_lists.conflicts(Scope(group, day(300)))
        return [one.belief.value for one in page.conflicts]

    async def lowerings(self, group: str, row: BeliefRow) -> list[tuple[float | None, str]]:
        found = await self.memory.reader.evidence(Scope(group, day(300)), row.id)
        return [(one.cap, one.gave_way_to) for one in found.claims if one.kind == ClaimKind.LOWERS]


def wants(value: str, start: int = 1, **changes: Any) -> StructuredClaim:
    plain = StructuredClaim(
        subject=MAYA,
        predicate="instruction.answers",
        value=value,
        statement=f"Maya wants {value}.",
        valid_from=day(start),
        from_stated=False,
        occurred_at=day(start),
        confidence=0.8,
        category="instruction",
    )
    return replace(plain, **changes)


def prefers(colour: str, start: int, confidence: float, **changes: Any) -> StructuredClaim:
    statement = f"Maya likes {colour}."
    return wants(
        colour, start, predicate=COLOUR, statement=statement, confidence=confidence, category="preference", **changes
    )


@pytest.fixture
def bench(database: Database) -> Bench:
    return Bench(database)


async def test_of_facts_that_say_the_same_one_is_left_and_again_nothing_changes(bench: Bench, group: str) -> None:
    _, kept = await bench.say(group, wants(VERY_SHORT, confidence=0.6), wants(SHORT))
    before = utc_now()
    rows = {row.value: row for row in await bench.believed(group)}

    first = await bench.consolidate(group)
    after = await held(bench.memory.store.database, group)
    second = await bench.consolidate(group)

    assert await bench.values(group) == [SHORT]
    assert {row.id for row in await bench.believed(group)} == {rows[SHORT].id}
    assert await bench.values(group, known_at=before) == [SHORT, VERY_SHORT]
    assert await bench.lowerings(group, rows[VERY_SHORT]) == [(0.0, kept)]
    assert (first.result["duplicates"], second.result["duplicates"], second.result["changed"]) == (1, 0, [])
    assert await held(bench.memory.store.database, group) == after


async def test_it_tells_what_it_changed_and_why_without_a_word_of_what_was_said(bench: Bench, group: str) -> None:
    dropped, kept = await bench.say(group, wants(VERY_SHORT, confidence=0.6), wants(SHORT))
    rows = {row.value: row for row in await bench.believed(group)}

    would = await bench.consolidate(group, dry_run=True)
    untouched = await bench.values(group)
    done = await bench.consolidate(group)

    told = {
        "why": "duplicate",
        "belief": rows[VERY_SHORT].belief_id,
        "claims": [dropped],
        "gives_way_to": {"belief": rows[SHORT].belief_id, "claim": kept},
        "cap": 0.0,
        "because": "89% of the words are the same",
        "subject": rows[SHORT].subject_id,
        "predicate": "instruction.answers",
        "user": None,
    }
    assert (would.result["would"], done.result["changed"], untouched) == ([told], [told], [SHORT, VERY_SHORT])


async def test_a_dry_run_writes_nothing_at_all(bench: Bench, group: str) -> None:
    await bench.say(group, wants(VERY_SHORT), wants(SHORT), prefers("red", 1, 0.9), prefers("blue", 3, 0.5))
    before = await held(bench.memory.store.database, group)

    would = await bench.consolidate(group, dry_run=True)

    assert (would.result["duplicates"], would.result["conflicts"], would.result["rows_changed"]) == (1, 1, 0)
    assert await held(bench.memory.store.database, group) == before


async def test_a_conflict_gives_way_to_what_ranks_above_and_is_listed_no_more(bench: Bench, group: str) -> None:
    sure, newer = await bench.say(group, prefers("red", 1, 0.9), prefers("blue", 3, 0.5))
    assert await bench.conflicts(group) == ["red"]
    known = utc_now()

    done = await bench.consolidate(group)

    (row,) = await bench.believed(group)
    assert (row.value, row.confidence, row.contested) == ("red", 0.9, False)
    assert await bench.conflicts(group) == []
    ((told),) = cast("list[dict[str, Any]]", done.result["changed"])
    assert (told["belief"], told["claims"], told["gives_way_to"]["claim"]) == (None, [newer], sure)
    assert (told["cap"], told["because"]) == (0.3, "confidence 0.90 goes before 0.50")
    page = await bench.memory.fact_lists.conflicts(Scope(group, day(300), known))
    assert [[claim.id for claim in one.disputing] for one in page.conflicts] == [[newer]]
    assert (await bench.consolidate(group)).result["conflicts"] == 0


async def test_where_time_decides_a_settled_conflict_is_listed_no_more(bench: Bench, group: str) -> None:
    rome, oslo = (
        wants(city, start, predicate="lives_at", category="", from_stated=True, occurred_at=day(told))
        for city, start, told in (("Rome", 10, 10), ("Oslo", 3, 15))
    )
    await bench.say(group, replace(rome, asserted_by=AssertedBy.PERSON), oslo)
    assert await bench.conflicts(group) == []  # Rome followed
    await bench.say(group, replace(oslo, valid_to=day(12), occurred_at=day(16)))
    assert await bench.conflicts(group) == ["Rome"]

    assert (await bench.consolidate(group)).result["conflicts"] == 1
    assert await bench.conflicts(group) == []
    assert (await bench.consolidate(group)).result["conflicts"] == 0


async def test_what_is_confirmed_stays(bench: Bench, group: str) -> None:
    await bench.say(group, wants(VERY_SHORT, confidence=0.6), wants(SHORT, asserted_by=AssertedBy.PERSON))
    for row in await bench.believed(group):
        await bench.memory.facts.confirm(group, row.id)

    await bench.consolidate(group)

    assert await bench.values(group) == [SHORT, VERY_SHORT]


async def test_no_user_s_facts_give_way_to_those_of_another(bench: Bench, group: str) -> None:
    await bench.say(group, wants(SHORT, user="ana"), wants(VERY_SHORT, user="ben"), wants(VERY_SHORT))

    await bench.consolidate(group)

    assert {user: await bench.values(group, user=user) for user in ("ana", "ben")} == {
        "ana": [SHORT, VERY_SHORT],
        "ben": [VERY_SHORT, VERY_SHORT],
    }


async def test_what_gave_way_comes_back_when_nothing_stands_any_more_of_what_it_gave_way_to(
    bench: Bench, group: str
) -> None:
    _, kept = await bench.say(group, wants(VERY_SHORT, confidence=0.6), wants(SHORT))
    await bench.consolidate(group)
    await bench.memory.intake.retract(group, kept)
    assert await bench.values(group) == []

    done = await bench.consolidate(group)

    assert (done.result["restored"], await bench.values(group)) == (1, [VERY_SHORT])
    assert (await bench.consolidate(group)).result["restored"] == 0


async def test_it_tells_all_that_comes_back_and_why_before_it_does(bench: Bench, group: str) -> None:
    people = [ThingName(f"Person {chr(97 + number)}", "person") for number in range(7)]  # in chunks of three
    worse, better = ([wants(value, subject=one, confidence=sure) for one in people] for value, sure in SAME)
    await bench.say(group, *worse)
    kept = await bench.say(group, *better)
    await bench.consolidate(group)
    for claim in kept:
        await bench.memory.intake.retract(group, claim)

    would = await bench.consolidate(group, dry_run=True)
    untouched = await bench.values(group)
    done = await bench.consolidate(group)

    told = cast("list[dict[str, Any]]", would.result["would"])
    assert (would.result["restored"], done.result["restored"], untouched) == (7, 7, [])
    assert {(one["why"], one["because"]) for one in told} == {
        ("restored", "nothing stands any more of what the value gave way to")
    }
    assert sorted(one["gave_way_to"]["claim"] for one in told) == sorted(kept)
    assert len({one["claim"] for one in told}) == 7
    assert done.result["changed"] == told
    assert await bench.values(group) == [VERY_SHORT] * 7


async def test_what_was_rejected_brings_back_nothing_that_said_the_same(bench: Bench, group: str) -> None:
    await bench.say(group, wants(VERY_SHORT, confidence=0.6), wants(SHORT))
    await bench.consolidate(group)
    (row,) = await bench.believed(group)
    await bench.memory.facts.reject(group, row.id)

    assert (await bench.consolidate(group)).result["restored"] == 0
    assert await bench.values(group) == []


async def test_every_chunk_is_gone_over_and_killed_anywhere_it_goes_on(bench: Bench, group: str) -> None:
    people = [ThingName(f"Person {number}", "person") for number in range(7)]
    await bench.say(
        group,
        *(
            wants(value, subject=person, confidence=sure)
            for person in people
            for value, sure in ((SHORT, 0.8), (VERY_SHORT, 0.6))
        ),
    )
    for lives in (1, 2):
        id_ = await bench.ask(group)
        bench.evidence.lives = lives
        with pytest.raises(asyncio.CancelledError):
            await bench.do(group, id_)
    bench.evidence.lives = 1_000
    left = len(await bench.values(group))

    done = await bench.do(group, id_)

    assert (done.status, left) == (WorkProgress.DONE, 9)
    assert await bench.values(group) == [SHORT] * 7
    (dropped, again) = [work.result["duplicates"] for work in (done, await bench.consolidate(group))]
    assert (dropped, again) == (3, 0)  # what was recorded of the second run, and what was left


async def test_two_workers_at_once_drop_each_once(bench: Bench, group: str) -> None:
    rows = [
        wants(value, subject=ThingName(f"Person {number}", "person"))
        for number in range(4)
        for value in (SHORT, VERY_SHORT)
    ]
    await bench.say(group, *rows)
    facts = await bench.memory.store.facts_of_subjects(
        group, {row.subject_id for row in await bench.believed(group)}, ["instruction"]
    )
    assert len(facts) == 8

    done = await together([bench.memory.consolidation.settle_category(group, "instruction", "", 30) for _ in range(2)])  # type: ignore[arg-type]

    assert sum(len(one[1].lowerings) for one in done if one) == 4
    assert len(await bench.values(group)) == 4


async def test_in_an_import_nothing_is_settled(bench: Bench, group: str) -> None:
    await bench.memory.groups.ensure(group, importing=True)
    await bench.say(group, wants(SHORT, recorded_at=day(2)), wants(VERY_SHORT, recorded_at=day(2)))

    done = await bench.consolidate(group)

    assert (done.status, done.result["why"]) == (WorkProgress.DONE, "the group imports")
    assert len(await bench.values(group)) == 2


# by who read it ------------------------------------------------------------------------------------------------------


def reads(value: str, confidence: float, end: int) -> ProposedClaim:
    return ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=MAYA,
        predicate="instruction.answers",
        value=value,
        statement=f"Maya wants {value}.",
        quote_start=0,
        quote_end=end,
        confidence=confidence,
        importance=0.8,
        category="instruction",
    )


async def read(memory: Memory, group: str, at: int = 1) -> str:
    episode = Episode(group_id=group, session="s", content="I want answers that are short.", occurred_at=day(at))
    await memory.intake.remember(group, [episode])
    await digest(memory, group, episode.id)
    return episode.id


async def test_what_is_read_again_stays_dropped_and_consolidation_keeps_what_was_read(
    database: Database, group: str
) -> None:
    bench = Bench(database, reader=Says(reads(VERY_SHORT, 0.6, 6)))
    episode = await read(bench.memory, group)
    (kept,) = await bench.say(group, wants(SHORT))
    (worse,) = [row for row in await bench.believed(group) if row.value == VERY_SHORT]
    await bench.consolidate(group)
    lowered = await bench.lowerings(group, worse)

    again = memory_on(database, extracts=Says(reads(VERY_SHORT, 0.7, 12)))
    await again.intake.reprocess(group, episode, AS_CONFIGURED)
    await digest(again, group, episode)

    assert await bench.values(group) == [SHORT]
    assert lowered == await bench.lowerings(group, worse) == [(0.0, kept)]
    stored = await bench.memory.reader.episode(group, episode)
    await bench.consolidate(group)
    assert await bench.memory.reader.episode(group, episode) == stored
    found = await bench.memory.reader.evidence(Scope(group, day(300)), worse.id)
    assert {claim.kind: claim.retracted_at > utc_now() for claim in found.claims} == {"starts": False, "lowers": True}


async def test_a_late_turn_that_says_what_was_dropped_brings_nothing_back(bench: Bench, group: str) -> None:
    await bench.say(group, wants(VERY_SHORT, 5, confidence=0.6), wants(SHORT, 1))
    await bench.consolidate(group)

    await bench.say(group, wants(VERY_SHORT, 3, confidence=0.7))

    assert await bench.values(group) == [SHORT]


async def test_a_retraction_of_one_claim_leaves_what_consolidation_said_of_others(bench: Bench, group: str) -> None:
    other, _, kept = await bench.say(
        group,
        wants("long stories", predicate="likes", category="hobby"),
        wants(VERY_SHORT, confidence=0.6),
        wants(SHORT),
    )
    worse = next(row for row in await bench.believed(group) if row.value == VERY_SHORT)
    await bench.consolidate(group)

    await bench.memory.intake.retract(group, other)
    await bench.consolidate(group)

    assert (await bench.values(group), await bench.lowerings(group, worse)) == ([SHORT], [(0.0, kept)])


async def test_a_correction_stands_against_consolidation_and_leaves_its_claims(bench: Bench, group: str) -> None:
    red, _ = await bench.say(group, prefers("red", 1, 0.9), prefers("blue", 3, 0.5))
    await bench.consolidate(group)
    (before,) = await bench.believed(group)

    _, receipt, _ = await bench.memory.intake.correct(group, red, prefers("dark red", 1, 0.9))
    done = await bench.consolidate(group)

    assert done.result["restored"] == 1  # nothing stands any more of red, to which blue gave way
    assert done.result["conflicts"] == 1  # and blue gives way to what stands in its place
    (row,) = await bench.believed(group)
    assert (row.value, [one.claim_id for one in row.evidence]) == ("dark red", [receipt.claim_id])
    assert before.id != row.id


# sessions, nights and a language model ------------------------------------------------------------------------------


async def test_a_session_waits_until_all_of_it_was_read(bench: Bench, group: str) -> None:
    episode = Episode(group_id=group, session="s", content="Hello.", occurred_at=day(1))
    await bench.memory.intake.remember(group, [episode])
    (session,) = await bench.memory.sessions.sessions(Scope(group, utc_now()), after=FIRST_SESSION, limit=10)
    await bench.memory.sessions.close(group, session.id)

    unread = await bench.memory.store.sessions_to_consolidate(100_000)
    await digest(bench.memory, group, episode.id)
    read_by_now = await bench.memory.store.sessions_to_consolidate(100_000)

    assert (group, session.id) not in unread
    assert (group, session.id) in read_by_now


def test_the_schedule_follows_the_settings() -> None:
    def names(**changes: Any) -> list[tuple[str | None, Any]]:
        return [(one.name, one.hour) for one in consolidating(Settings(**changes))]

    off = {"enrichment": EnrichmentSettings(enabled=False), "consolidation": ConsolidationSettings(enabled=False)}
    assert names() == [("night", 2), ("consolidate", None)]
    assert names(jobs=JobSettings(night_hour=4, consolidate_seconds=0)) == [("night", 4)]
    assert names(jobs=JobSettings(night_hour=-1)) == [("consolidate", None)]
    assert names(**off) == []


def test_what_is_asked_for_all_the_time_follows_the_settings() -> None:
    def names(**changes: Any) -> list[str | None]:
        return [one.name for one in every_few_seconds(Settings(**changes))]

    assert names() == ["dedup", "embed", "summarise", "renew"]
    assert names(matching=MatchingTable(enabled=False)) == ["embed", "summarise", "renew"]
    assert names(summaries=SummarySettings(enabled=False)) == ["dedup", "embed", "renew"]
    assert names(jobs=JobSettings(dedup_seconds=0, embed_seconds=0, reflect_seconds=0)) == ["summarise"]


async def test_what_was_read_offline_is_read_by_the_model_before(database: Database, group: str) -> None:
    said = reads(VERY_SHORT, 0.6, 6)
    bench = Bench(database, closer=MODEL, reader=Offline(said))
    episode = await read(bench.memory, group)
    by_model = memory_on(database, extracts=Says(replace(said, value=SHORT, statement=f"Maya wants {SHORT}.")))
    await bench.say(group, wants(VERY_SHORT, confidence=0.5))

    async def model() -> None:
        async with asyncio.timeout(30):
            while (await bench.memory.reader.episode(group, episode)).revision == 0:  # noqa: ASYNC110 - as a worker would
                await asyncio.sleep(0.02)
        await digest(by_model, group, episode)

    _, done = await together([model(), bench.consolidate(group)])

    assert done is not None
    assert (done.result["read_again"], await bench.values(group)) == (1, [SHORT])
    assert (await bench.consolidate(group)).result["read_again"] == 0


async def test_a_dry_run_tells_what_the_model_would_read_and_asks_for_nothing(database: Database, group: str) -> None:
    bench = Bench(database, closer=MODEL, reader=Offline(reads(VERY_SHORT, 0.6, 6)))
    episodes = [await read(bench.memory, group, at) for at in (1, 2)]

    would = await bench.consolidate(group, dry_run=True)

    told = cast("list[dict[str, Any]]", would.result["would"])
    assert sorted(one["episode"] for one in told) == sorted(episodes)
    assert {(one["why"], one["because"]) for one in told} == {("read_again", "old read it, and no language model")}
    assert (would.result["read_again"], would.result["beyond"]) == (2, 0)
    assert [(await bench.memory.reader.episode(group, id_)).revision for id_ in episodes] == [0, 0]


async def test_a_dry_run_tells_some_of_what_is_read_again_and_counts_the_rest(
    database: Database, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphmem.jobs.consolidator.MOST_READ_SHOWN", 1)
    bench = Bench(database, closer=MODEL, reader=Offline(reads(VERY_SHORT, 0.6, 6)))
    for at in (1, 2):
        await read(bench.memory, group, at)

    would = await bench.consolidate(group, dry_run=True)

    told = cast("list[dict[str, Any]]", would.result["would"])
    assert (len([one for one in told if "episode" in one]), would.result["beyond"]) == (1, 1)


async def test_without_a_model_nothing_is_read_again(database: Database, group: str) -> None:
    bench = Bench(database, reader=Offline(reads(VERY_SHORT, 0.6, 6)))
    episode = await read(bench.memory, group)

    done = await bench.consolidate(group)

    assert (done.result["read_again"], (await bench.memory.reader.episode(group, episode)).revision) == (0, 0)


class Offline(Says):
    """Likewise, as an offline reader of an older version."""

    async def extract(self, episode: Episode, context: Any = None) -> Any:
        del context
        return replace(await super().extract(episode), extractor="offline", version="old")


async def test_runs_and_what_they_did_are_counted(bench: Bench, group: str) -> None:
    await bench.say(group, wants(VERY_SHORT), wants(SHORT))
    await bench.consolidate(group)

    shown = bench.metrics.exposition().decode()

    assert 'graphmem_jobs_total{kind="consolidate",outcome="done"} 1.0' in shown
    assert 'graphmem_job_counts_total{kind="consolidate",of="duplicates"} 1.0' in shown
    assert 'graphmem_job_seconds_count{kind="consolidate"} 1.0' in shown
    assert group not in shown


async def test_time_passes_and_a_fact_said_anew_is_dropped_anew(bench: Bench, group: str) -> None:
    await bench.say(group, wants(VERY_SHORT, confidence=0.6), wants(SHORT))
    await bench.consolidate(group)
    await bench.say(group, wants(VERY_SHORT, 2, occurred_at=utc_now() + timedelta(seconds=1), confidence=0.6))
    assert await bench.values(group) == [SHORT, VERY_SHORT]

    assert (await bench.consolidate(group)).result["duplicates"] == 1
    assert await bench.values(group) == [SHORT]
