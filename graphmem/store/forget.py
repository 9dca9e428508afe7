"""What is to be forgotten, and the receipts of it. What erases is in ``graphmem.store.change.erasure``."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.model.embedding import Vector
from graphmem.model.forgetting import CanaryPlace, ErasureReceipt, Holdings, Selector, as_phrase, written
from graphmem.model.interval import BEGIN, END
from graphmem.model.work import Work, WorkKind, WorkRequest
from graphmem.store.driver import Transaction
from graphmem.store.named import IdentityStore
from graphmem.store.parameters import as_vector
from graphmem.store.rows import EpisodeTimeRow
from graphmem.store.rows.forget import HoldingRow, SharedBelief
from graphmem.store.work import request_work

EpisodePosition = tuple[datetime, str]
"""Where a walk over episodes is: (occurred_at, id)."""
FIRST_EPISODE: EpisodePosition = (BEGIN, "")
PAGE = 2_000
"""Episodes that are looked at together."""
SWEEP_SECONDS = 600.0
"""How long it may take to look at everything."""
_THE_SAME = (1 + 0.99) / 2
"""Scores of vector indexes from which on two texts say the same: of a cosine of 0.99."""


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    receipt: ErasureReceipt


class ForgetStore(IdentityStore):
    """The queries of ``forget.cypher`` that are transactions of their own; they ask where writers are."""

    async def episodes_to_forget(
        self, group: str, ids: Iterable[str], named: Iterable[str], audience: Sequence[str] | None
    ) -> list[str]:
        """Those of the episodes that are there, and all texts of names, by the ids of the first.

        With an audience, only theirs.
        """
        wanted = {"ids": sorted(set(ids)), "named": sorted(set(named))}
        return await self._leader.ids("episodes_to_forget", group=group, audience=audience, **wanted)

    async def episodes_selected(
        self,
        group: str,
        selector: Selector,
        audience: Sequence[str] | None,
        entities: Sequence[str] | None,
        recorded_by: datetime,
        after: EpisodePosition,
        limit: int,
    ) -> list[EpisodeTimeRow]:
        """The next ones of which everything asked for is so, and that were stored by an instant."""
        return await self._leader.many(
            "episodes_selected",
            EpisodeTimeRow,
            group=group,
            audience=audience,
            session=selector.session,
            source=selector.source,
            entities=entities,
            since=selector.since or BEGIN,
            until=selector.until or END,
            recorded_by=recorded_by,
            after_time=after[0],
            after_id=after[1],
            limit=limit,
        )

    async def holdings_of_episodes(self, group: str, ids: Iterable[str]) -> list[Holdings]:
        rows = await self._leader.many("holdings_of_episodes", HoldingRow, group=group, ids=sorted(ids))
        return [
            Holdings(
                episodes=(row.id,), claims=row.claims, passages=row.passages, texts=row.texts, mentions=row.mentions
            )
            for row in rows
        ]

    async def shared_beliefs(self, group: str, user: str) -> list[SharedBelief]:
        """What is believed of what a user shares with everybody.

        Raises:
            Unreadable: a claim of it cannot be read.
        """
        return await self._leader.whole("shared_beliefs", SharedBelief, group=group, user=user)

    async def unnamed_entities(self, group: str, after: str, limit: int) -> list[str]:
        """Entities that nothing names any more, in order of id, after one."""
        return await self._leader.ids("unnamed_entities", group=group, after=after, limit=limit)

    async def begin_forgetting(self, group: str, request: WorkRequest, receipt: ErasureReceipt) -> list[Work]:
        """Write a receipt, and ask for the work that it is of."""

        async def work(transaction: Transaction) -> list[Work]:
            run = self._in(transaction, group)
            await run.execute(
                "begin_forgetting",
                id=receipt.id,
                manifest=receipt.manifest,
                selectors=list(receipt.selectors),
                by=receipt.asked_by,
                version=receipt.version,
                now=receipt.asked_at,
            )
            return await request_work(run, WorkKind.FORGET, [request])

        return await self.database.write(work)

    async def end_forgetting_of(self, group: str, id_: str, now: datetime) -> None:
        """Say that all went; the work says no longer what that was."""
        await self._run.execute("end_forgetting_of", group=group, id=id_, now=now)

    async def receipt(self, group: str, id_: str) -> ErasureReceipt | None:
        row = await self._leader.optional("receipt", ReceiptRow, group=group, id=id_)
        return row and row.receipt

    async def where_told(self, group: str, canaries: Iterable[str]) -> list[CanaryPlace]:
        """In which properties canaries stand, by their numbers; it looks everywhere."""
        words = [{"canary": number, "ways": sorted(written(canary))} for number, canary in enumerate(canaries)]
        return await self._sweep("where_told", group, words)

    async def found_by_words(self, group: str, canaries: Iterable[str]) -> list[CanaryPlace]:
        """Which full-text indexes find the words of canaries, by their numbers."""
        words = [{"canary": number, "text": as_phrase(canary)} for number, canary in enumerate(canaries)]
        return await self._sweep("found_by_words", group, words)

    async def same_vectors(self, group: str, canary: int, vector: Vector) -> list[CanaryPlace]:
        """Which vector indexes have vectors as good as that of a canary, by its number."""
        return await self._run.many(
            "same_vectors", CanaryPlace, group=group, canary=canary, vector=as_vector(vector), least=_THE_SAME
        )

    async def _sweep(self, name: str, group: str, words: Sequence[object]) -> list[CanaryPlace]:
        return await self.database.write(
            lambda transaction: self._in(transaction, group).many(name, CanaryPlace, words=words),
            seconds=SWEEP_SECONDS,
        )


async def pages_selected(
    store: ForgetStore,
    group: str,
    selector: Selector,
    audience: Sequence[str] | None,
    entities: Sequence[str] | None,
    recorded_by: datetime,
) -> AsyncIterator[list[str]]:
    """The ids of all episodes of which everything asked for is so, and that were stored by an instant, page by page."""
    after = FIRST_EPISODE
    while True:
        rows = await store.episodes_selected(group, selector, audience, entities, recorded_by, after, PAGE)
        yield [row.id for row in rows]
        if len(rows) < PAGE:
            return
        after = (rows[-1].occurred_at, rows[-1].id)
