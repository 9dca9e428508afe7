"""The audit of one service: who asks, what reads it keeps, how rows get into their chains, and whether these fit."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from graphmem.errors import Unreadable
from graphmem.model.audit import AuditFilter, AuditRow, ChainEnd, Misfit, ask_as, current_asker, verified
from graphmem.model.interval import BEGIN, END
from graphmem.model.principal import Principal, Right
from graphmem.model.tombstone import owner_id
from graphmem.settings.servers import AuditedReads
from graphmem.store.audit import MOST_CHAINED, AuditStore, ChainRow
from graphmem.trust.keys import Installation

FIRST_ROW = (BEGIN, "")
_PAGE = 1_000
_DIGITS = 32

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainCheck:
    """Where a chain ends, after which place it begins, how many rows wait for a place, and where it does not fit."""

    end: ChainEnd
    first: ChainEnd
    unchained: int
    misfit: Misfit | None


class Audit:
    """Rows are written by transactions (``Database.write``), and put into their chains by workers."""

    def __init__(self, store: AuditStore, installation: Installation, reads: AuditedReads) -> None:
        self._store = store
        self._hashed = installation.hash
        self._reads = reads

    # who asks -------------------------------------------------------------------------------------------------------

    def user(self, group: str, user: str | None) -> str | None:
        """By what rows name a user: the id that the tombstone of an opted-out user has; "" is everybody."""
        return None if user is None else owner_id(self._hashed, group, user)

    def ask_for(self, group: str, *users: str | None, agent: str | None = None) -> None:
        """Say for which user, and as which agent, the current call is made; of several users, none."""
        (user,) = set(users) if len(set(users)) == 1 else (None,)
        named = None if agent is None else self._hashed("agent", group, agent)[:_DIGITS]
        ask_as(replace(current_asker(), user=self.user(group, user), agent=named))

    async def read(self, principal: Principal, group: str) -> None:
        """Keep that somebody reads, before the answer is made.

        Raises:
            StoreUnavailable: that cannot be written; then nothing is read.
        """
        if self._is_kept(principal):
            await self._store.record_read(current_asker(), group)

    def _is_kept(self, principal: Principal) -> bool:
        """Whether reads are, of everybody or of administrators who may act for all users, by keys that were made."""
        administrator = bool(principal.key) and principal.users is None and Right.ADMIN in principal.rights
        return self._reads == "all" or (self._reads == "admin" and administrator)

    # chains ---------------------------------------------------------------------------------------------------------

    async def chain(self) -> int:
        """Put all rows into their chains that wait for that; returns how many."""
        total = 0
        for group in await self._store.groups_to_chain():
            try:
                total += await self.chain_group(group)
            except Unreadable as error:  # the others go on
                log.warning("audit.chain_unreadable", group=group, reason=str(error))
        return total

    async def chain_group(self, group: str) -> int:
        """Put the rows of one group into its chain that wait for that; returns how many."""
        total = added = await self._store.chain_rows(group, self._seal)
        while added == MOST_CHAINED:
            added = await self._store.chain_rows(group, self._seal)
            total += added
        return total

    async def end(self, group: str) -> ChainEnd:
        """Where the chain of a group ends."""
        return (await self._store.chain(group)).end

    async def check(self, group: str) -> ChainCheck:
        """Whether the chain of a group is as it was made, row by row, up to where it ends now."""
        chain = await self._store.chain(group)
        end: ChainEnd | Misfit = chain.first
        while isinstance(end, ChainEnd):
            if rows := await self._store.chained_rows(group, end.place, _PAGE):
                end = verified(rows, end)
            elif (now := await self._store.chain(group)) != chain:  # it went on meanwhile
                chain = now
            else:
                break
        misfit = end if isinstance(end, Misfit) else self._misfit_of_end(group, chain, end)
        unchained = await self._store.count_unchained(group)
        return ChainCheck(end=chain.end, first=chain.first, unchained=unchained, misfit=misfit)

    async def drop(self, group: str, until: int) -> bool:
        """Take away the beginning of a chain, up to a place; false where no row has it."""
        return await self._store.drop_chained(group, until, self._seal)

    async def drop_older(self, group: str, since: datetime) -> int:
        """Take away the rows of a chain before the first of an instant or later; returns how many places went.

        It takes so many at a time, and stops at a place that no row has: the chain does not fit there.
        """
        chain = await self._store.chain(group)
        kept = await self._store.first_chained_since(group, since)
        place, until = chain.first_place, chain.place if kept is None else kept - 1
        while place < until and await self.drop(group, min(until, place + _PAGE)):
            place = min(until, place + _PAGE)
        return place - chain.first_place

    def _misfit_of_end(self, group: str, chain: ChainRow, found: ChainEnd) -> Misfit | None:
        if found != chain.end:
            place = min(found.place, chain.place) + 1
            return Misfit(place=place, why=f"the chain ends with place {chain.place}, and its rows with {found.place}")
        if chain.place and chain.seal != self._seal(group, chain.first, chain.end):
            return Misfit(place=chain.place, why="somebody else wrote where the chain begins and ends")
        return None

    def _seal(self, group: str, first: ChainEnd, end: ChainEnd) -> str:
        return self._hashed("audit", group, first.place, first.hash, end.place, end.hash)

    # rows -----------------------------------------------------------------------------------------------------------

    async def rows(
        self, group: str, asked: AuditFilter, after: tuple[datetime, str] = FIRST_ROW, limit: int = _PAGE
    ) -> list[AuditRow]:
        """Rows in order of (recorded_at, id), after a position."""
        return await self._store.audit_rows(group, asked, after, limit)

    async def pages(self, group: str, asked: AuditFilter) -> AsyncIterator[list[AuditRow]]:
        """All rows that are asked for, page by page."""
        after = FIRST_ROW
        while rows := await self.rows(group, asked, after):
            yield rows
            after = (rows[-1].recorded_at, rows[-1].id)

    def asked(
        self,
        group: str,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        key: str | None = None,
        user: str | None = None,
        operation: str = "",
        thing: str | None = None,
    ) -> AuditFilter:
        """What is asked for; ``user`` by name."""
        return AuditFilter(
            since=since or BEGIN,
            until=until or END,
            key=key,
            user=self.user(group, user),
            operation=operation,
            thing=thing,
        )
