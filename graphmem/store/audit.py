"""The audit: its rows, and their chains."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from graphmem.model.audit import FIRST, Asker, AuditedThings, AuditFilter, AuditRow, ChainEnd, chained
from graphmem.store.auditing import audit_parameters
from graphmem.store.driver import Transaction
from graphmem.store.instants import as_text
from graphmem.store.named import QueryStore
from graphmem.store.rows import CountRow

MOST_CHAINED = 1_000
"""Rows that one transaction puts into a chain."""
_MOST_GROUPS = 1_000
Seal = Callable[[str, ChainEnd, ChainEnd], str]
"""Seals where the chain of a group begins and ends."""


@dataclass(frozen=True, slots=True)
class StoredAuditRow:
    """A row as it is kept: ``ids`` has those of all kinds one after the other, of each as many as ``shown`` says."""

    id: str
    group_id: str
    recorded_at: datetime
    operation: str
    key: str
    user: str | None
    agent: str | None
    address: str
    kinds: tuple[str, ...]
    counts: tuple[int, ...]
    shown: tuple[int, ...]
    ids: tuple[str, ...]
    place: int | None
    previous: str | None
    hash: str | None

    def to_domain(self) -> AuditRow:
        changed, at = list[AuditedThings](), 0
        for number, kind in enumerate(self.kinds):
            shown = self.shown[number] if number < len(self.shown) else 0
            count = self.counts[number] if number < len(self.counts) else 0
            changed.append(AuditedThings(kind=kind, count=count, ids=self.ids[at : at + shown]))
            at += shown
        return AuditRow(
            id=self.id,
            group_id=self.group_id,
            recorded_at=self.recorded_at,
            operation=self.operation,
            key=self.key,
            user=self.user,
            agent=self.agent,
            address=self.address,
            changed=tuple(changed),
            place=self.place,
            previous=self.previous,
            hash=self.hash,
        )


@dataclass(frozen=True, slots=True)
class ChainRow:
    """Where a chain ends, and where it begins: after this place. ``seal`` is of both."""

    place: int
    hash: str
    first_place: int
    first_hash: str
    seal: str

    @property
    def end(self) -> ChainEnd:
        return ChainEnd(place=self.place, hash=self.hash)

    @property
    def first(self) -> ChainEnd:
        return ChainEnd(place=self.first_place, hash=self.first_hash)


NO_CHAIN = ChainRow(0, FIRST.hash, 0, FIRST.hash, "")


class AuditStore(QueryStore):
    """The queries of ``audit.cypher``, but for the one with which transactions end; all ask where writers are."""

    async def record_read(self, asker: Asker, group: str) -> None:
        """Write that somebody reads."""
        await self._run.execute("record_read", **audit_parameters(asker, group))

    async def groups_to_chain(self) -> list[str]:
        """Those with rows that wait for their places."""
        return await self._leader.ids("groups_to_chain", limit=_MOST_GROUPS)

    async def chain_rows(self, group: str, seal: Seal) -> int:
        """Put rows into the chain of a group that wait for their places, up to ``MOST_CHAINED``; returns how many."""

        async def work(transaction: Transaction) -> int:
            run = self._in(transaction, group)
            chain = await run.single("lock_chain", ChainRow)
            waiting = await run.many("unchained_rows", StoredAuditRow, limit=MOST_CHAINED)
            rows = chained((row.to_domain() for row in waiting), chain.end)
            if rows:
                end = ChainEnd(place=rows[-1].place or 0, hash=rows[-1].hash or "")
                placed = [_placed(row) for row in rows]
                sealed = seal(group, chain.first, end)
                await run.execute("chain_rows", rows=placed, place=end.place, hash=end.hash, seal=sealed)
            return len(rows)

        return await self.database.write(work)

    async def chain(self, group: str) -> ChainRow:
        """The chain of a group; one without a row where there is none."""
        return await self._leader.optional("chain", ChainRow, group=group) or NO_CHAIN

    async def chained_rows(self, group: str, after: int, until: int, limit: int) -> list[AuditRow]:
        """The next rows of a chain after a place, up to another one. One that cannot be read is missing."""
        rows = await self._leader.many(
            "chained_rows", StoredAuditRow, group=group, after=after, until=until, limit=limit
        )
        return [row.to_domain() for row in rows]

    async def count_unchained(self, group: str) -> int:
        """How many rows wait for their places."""
        return (await self._leader.single("count_unchained", CountRow, group=group)).count

    async def audit_rows(
        self, group: str, asked: AuditFilter, after: tuple[datetime, str], limit: int
    ) -> list[AuditRow]:
        """Rows in order of (recorded_at, id), after a position."""
        rows = await self._leader.many(
            "audit_rows",
            StoredAuditRow,
            group=group,
            since=max(asked.since, after[0]),
            until=asked.until,
            key=asked.key,
            user=asked.user,
            operation=asked.operation,
            thing=asked.thing,
            after_time=after[0],
            after_id=after[1],
            limit=limit,
        )
        return [row.to_domain() for row in rows]

    async def drop_chained(self, group: str, until: int, seal: Seal) -> bool:
        """Take away the beginning of a chain, up to a place; false where no row has it."""

        async def work(transaction: Transaction) -> bool:
            run = self._in(transaction, group)
            chain = await run.single("lock_chain", ChainRow)
            last = await run.many("chained_rows", StoredAuditRow, after=until - 1, until=until, limit=1)
            if not last:
                return False
            sealed = seal(group, ChainEnd(place=until, hash=last[0].hash or ""), chain.end)
            return await run.many("drop_chained", ChainRow, until=until, seal=sealed) != []

        return await self.database.write(work)


def _placed(row: AuditRow) -> dict[str, object]:
    return {
        "id": row.id,
        "recorded_at": as_text(row.recorded_at),
        "place": row.place,
        "previous": row.previous,
        "hash": row.hash,
    }
