"""The audit: its rows, and their chains."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.model.audit import FIRST, Asker, AuditedThings, AuditFilter, AuditRow, ChainEnd, chained
from graphmem.store.auditing import audit_parameters
from graphmem.store.driver import Transaction
from graphmem.store.instants import as_text
from graphmem.store.named import GroupQueries, QueryStore
from graphmem.store.rows import CountRow

MOST_CHAINED = 1_000
"""Rows that one transaction puts into a chain."""
_MOST_GROUPS = 1_000
_LAST = 2**62
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
class PlaceRow:
    place: int


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
            chaining = _Chaining(self._in(transaction, group))
            chain = await chaining.lock_chain()
            rows = chained(await chaining.unchained_rows(MOST_CHAINED), chain.end)
            if rows:
                end = ChainEnd(place=rows[-1].place or 0, hash=rows[-1].hash or "")
                await chaining.chain_rows(rows, end, seal(group, chain.first, end))
            return len(rows)

        return await self.database.write(work)

    async def chain(self, group: str) -> ChainRow:
        """The chain of a group; one without a row where there is none."""
        return await self._leader.optional("chain", ChainRow, group=group) or NO_CHAIN

    async def chained_rows(self, group: str, after: int, places: int) -> list[AuditRow]:
        """The rows of the next places of a chain, or one further on where these have none.

        A row that cannot be read is missing. One too many comes where a place has several.
        """
        for until, limit in ((after + places, places + 1), (_LAST, 1)):
            rows = await self._leader.many(
                "chained_rows", StoredAuditRow, group=group, after=after, until=until, limit=limit
            )
            if rows:
                return [row.to_domain() for row in rows]
        return []

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

    async def first_chained_since(self, group: str, since: datetime) -> int | None:
        """The first place with a row of an instant or later; None where no row is."""
        row = await self._leader.optional("first_chained_since", PlaceRow, group=group, since=since)
        return row and row.place

    async def drop_chained(self, group: str, until: int, seal: Seal) -> bool:
        """Take away the beginning of a chain, up to a place; false where no row has it."""

        async def work(transaction: Transaction) -> bool:
            chaining = _Chaining(self._in(transaction, group))
            chain = await chaining.lock_chain()
            rows = await chaining.chained_rows(until)
            if rows:
                first = ChainEnd(place=until, hash=rows[0].hash or "")
                await chaining.drop_chained(first, seal(group, first, chain.end))
            return bool(rows)

        return await self.database.write(work)


class _Chaining:
    """The statements of who changes a chain, in an open transaction."""

    def __init__(self, run: GroupQueries) -> None:
        self._run = run

    async def lock_chain(self) -> ChainRow:
        return await self._run.single("lock_chain", ChainRow)

    async def unchained_rows(self, limit: int) -> list[AuditRow]:
        """Those that wait, in the order in which they get their places. One that cannot be read goes on waiting."""
        return [row.to_domain() for row in await self._run.many("unchained_rows", StoredAuditRow, limit=limit)]

    async def chain_rows(self, rows: Sequence[AuditRow], end: ChainEnd, seal: str) -> None:
        placed = [_placed(row) for row in rows]
        await self._run.execute("chain_rows", rows=placed, place=end.place, hash=end.hash, seal=seal)

    async def chained_rows(self, place: int) -> list[StoredAuditRow]:
        """The row of a place, if there is one."""
        return await self._run.many("chained_rows", StoredAuditRow, after=place - 1, until=place, limit=1)

    async def drop_chained(self, first: ChainEnd, seal: str) -> None:
        await self._run.execute("drop_chained", until=first.place, hash=first.hash, seal=seal)


def _placed(row: AuditRow) -> dict[str, object]:
    return {
        "id": row.id,
        "recorded_at": as_text(row.recorded_at),
        "place": row.place,
        "previous": row.previous,
        "hash": row.hash,
    }
