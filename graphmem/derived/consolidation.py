"""Consolidation: facts that say the same, and conflicts, are settled chunk by chunk, each in one transaction."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from graphmem.clock import Clock
from graphmem.model.acts import LIKENESS, ActEvidence, CurrentFact, Groundless, Lowering
from graphmem.model.claim import Category
from graphmem.model.evidence import Change, ResolvedEvidence
from graphmem.resolve.acts import give_way
from graphmem.resolve.consolidation import candidates, conflicts, duplicates
from graphmem.store.change.acts import DecideLowerings
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.graph import GraphStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """What came of a chunk: how much was looked at, what gave way to what, and how many rows changed."""

    looked_at: int
    lowerings: tuple[Lowering, ...] = ()
    rows: int = 0


class Consolidation:
    """Settles what is believed now. With ``dry_run``, each method tells what it would do, and changes nothing."""

    def __init__(
        self,
        store: GraphStore,
        evidence: EvidenceStore,
        embedding_model: str,
        clock: Clock,
        least: float = LIKENESS,
    ) -> None:
        """``least`` is the share of their words from which on two facts may say the same."""
        self._store = store
        self._evidence = evidence
        self._embedding_model = embedding_model
        self._clock = clock
        self._least = least
        self._duplicates: DecideLowerings = partial(duplicates, least=least)

    async def settle_category(
        self, group: str, category: Category, after: str, size: int, *, dry_run: bool = False
    ) -> tuple[str, Consolidated] | None:
        """Drop duplicates among so many facts of a category and those about the same subjects, after a subject.

        Returns the last of the subjects; None where there are no more.
        """
        subjects = await self._store.subjects_of_facts(group, category, after, size)
        if not subjects:
            return None
        facts = await self._store.facts_of_subjects(group, subjects, [category])
        return subjects[-1], await self._drop(group, facts, size, dry_run=dry_run)

    async def settle_conflicts(
        self, group: str, after: str, size: int, *, dry_run: bool = False
    ) -> tuple[str, Consolidated] | None:
        """Settle the next so many conflicts, in order of the ids of contested rows.

        Returns the last of the ids; None where there are no more.
        """
        facts = await self._store.contested_facts(group, after, size)
        if not facts:
            return None
        return facts[-1].id, await self._settle(group, facts, dry_run=dry_run)

    async def settle_session(
        self, group: str, session_id: str, after: tuple[datetime, str], size: int, *, dry_run: bool = False
    ) -> tuple[tuple[datetime, str], Consolidated] | None:
        """Settle all about the subjects of the next so many episodes of a session, in order of time.

        Returns when the last of the episodes was said, and its id; None where there are no more.
        """
        episodes = await self._store.said_in_session(group, session_id, after, size)
        if not episodes:
            return None
        subjects = await self._store.subjects_of_episodes(group, [id_ for _, id_ in episodes])
        facts = await self._store.facts_of_subjects(group, subjects, ["", *Category]) if subjects else []
        dropped = await self._drop(group, [fact for fact in facts if fact.category], size, dry_run=dry_run)
        contested = [[fact] for fact in facts if fact.contested]
        settled = [await self._settle(group, some, dry_run=dry_run) for some in _chunks(contested, size)]
        lowerings = (lowering for outcome in (dropped, *settled) for lowering in outcome.lowerings)
        rows = sum(outcome.rows for outcome in (dropped, *settled))
        return episodes[-1], Consolidated(looked_at=len(episodes), lowerings=tuple(lowerings), rows=rows)

    async def restore(self, group: str, after: str, size: int, *, dry_run: bool = False) -> list[Groundless]:
        """Retract the next so many lowerings whose ground is gone, in order of id.

        Nothing stands any more of the value that was preferred. Returns what is retracted.
        """
        groundless = await self._store.groundless_lowerings(group, after, size)
        if groundless and not dry_run:
            await self._evidence.change_evidence(
                [self._change(group, retract=tuple(lowering.id for lowering in groundless))]
            )
        return groundless

    async def _drop(self, group: str, facts: Sequence[CurrentFact], size: int, *, dry_run: bool) -> Consolidated:
        dropped, rows = list[Lowering](), 0
        for some in _chunks(candidates(facts, self._least), 2 * size):
            lowerings, changed = await self._write(group, some, self._duplicates, dry_run=dry_run)
            dropped += lowerings
            rows += changed
        return Consolidated(looked_at=len(facts), lowerings=tuple(dropped), rows=rows)

    async def _settle(self, group: str, facts: Sequence[CurrentFact], *, dry_run: bool) -> Consolidated:
        lowerings, rows = await self._write(group, facts, conflicts, dry_run=dry_run)
        return Consolidated(looked_at=len(facts), lowerings=tuple(lowerings), rows=rows)

    async def _write(
        self, group: str, facts: Sequence[CurrentFact], decide: DecideLowerings, *, dry_run: bool
    ) -> tuple[Sequence[Lowering], int]:
        """One transaction: what gives way among these facts, and how many rows change."""
        if dry_run:
            return await self._evidence.would_consolidate(group, facts, decide), 0
        now = self._clock()

        def make(lowerings: Sequence[Lowering]) -> Change:
            return self._change(group, [give_way(lowering, now) for lowering in lowerings])

        lowerings, outcome = await self._evidence.consolidate(group, facts, decide, make)
        return lowerings, outcome.recorded + outcome.superseded

    def _change(self, group: str, acts: Sequence[ActEvidence] = (), retract: tuple[str, ...] = ()) -> Change:
        claims = tuple(claim for act in acts for claim in act.claims)
        return Change(
            group_id=group,
            evidence=ResolvedEvidence(entities=(), mentions=(), claims=claims),
            digested=(),
            embedding_model=self._embedding_model,
            episodes=tuple(act.episode for act in acts),
            retract=retract,
        )


def _chunks(groups: Iterable[Sequence[CurrentFact]], size: int) -> Iterator[list[CurrentFact]]:
    """Groups of facts together, up to so many facts; a group stays whole."""
    chunk = list[CurrentFact]()
    for group in groups:
        if chunk and len(chunk) + len(group) > size:
            yield chunk
            chunk = []
        chunk = [*chunk, *group]
    if chunk:
        yield chunk
