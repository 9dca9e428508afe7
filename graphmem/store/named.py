"""Named queries, each in a transaction of its own or in one that is open, and stores whose methods they are."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Self, TypeVar

from graphmem.model.damage import noted
from graphmem.model.interval import LATEST
from graphmem.model.projection.identity import Identities, SameAs, identities
from graphmem.model.scope import Scope
from graphmem.store.driver import Database, Transaction, only
from graphmem.store.queries import Query
from graphmem.store.reading import Reading
from graphmem.store.rows import IdRow

Row = TypeVar("Row")
Answer = TypeVar("Answer")
MOST_PASSES = 6

_OF_SCOPE: Mapping[str, Callable[[Scope], object]] = {
    name: attrgetter(name) for name in ("group", "audience", "valid_at", "known_at", "awake_at", "history")
} | {"open": attrgetter("kinds_of_claims")}
"""The parameters of queries that a scope gives."""


def _parameters(query: Query, scope: Scope | None, params: Mapping[str, object]) -> Mapping[str, object]:
    """Parameters, and of those that the query declares beside them what a scope gives."""
    if scope is None:
        return params
    return {**{name: _OF_SCOPE[name](scope) for name in query.params if name in _OF_SCOPE}, **params}


class NamedQueries:
    """Runs queries by name, each in a transaction of its own, of the mode that its header declares.

    With a scope, who reads and the two times need not be given: they are the scope's, where a query asks for them.
    """

    def __init__(self, database: Database, queries: Mapping[str, Query]) -> None:
        self._database = database
        self._queries = queries

    async def many(self, name: str, row: type[Row], scope: Scope | None = None, /, **params: object) -> list[Row]:
        query = self._queries[name]
        return await self._database.run(query, row, **_parameters(query, scope, params))

    async def optional(self, name: str, row: type[Row], scope: Scope | None = None, /, **params: object) -> Row | None:
        return next(iter(await self.many(name, row, scope, **params)), None)

    async def single(self, name: str, row: type[Row], scope: Scope | None = None, /, **params: object) -> Row:
        return only(self._queries[name], await self.many(name, row, scope, **params))

    async def ids(self, name: str, scope: Scope | None = None, /, **params: object) -> list[str]:
        """The ids that a query returns, whose rows are ids."""
        return [row.id for row in await self.many(name, IdRow, scope, **params)]

    async def first_id(self, name: str, scope: Scope | None = None, /, **params: object) -> str | None:
        """The first id that a query returns, whose rows are ids; None where there is none."""
        return next(iter(await self.ids(name, scope, **params)), None)

    async def execute(self, name: str, /, **params: object) -> None:
        await self._database.execute(self._queries[name], **params)

    async def execute_in_batches(self, name: str, /, *, seconds: float, **params: object) -> None:
        """Run a query that commits as it goes, for so many seconds at most."""
        await self._database.execute_in_batches(self._queries[name], seconds=seconds, **params)


class LeaderQueries(NamedQueries):
    """Reads where writers are: a follower may not have seen yet what another process wrote."""

    async def many(self, name: str, row: type[Row], scope: Scope | None = None, /, **params: object) -> list[Row]:
        query = self._queries[name]

        async def work(transaction: Transaction) -> list[Row]:
            return await transaction.run(query, row, **_parameters(query, scope, params))

        return await self._database.write(work)

    async def whole(self, name: str, row: type[Row], /, **params: object) -> list[Row]:
        """All rows, for who would settle a falsehood without one of them. Damage is noted as well.

        Raises:
            Unreadable: one cannot be read.
        """
        with noted() as damage:
            rows = await self.many(name, row, **params)
        if damage:
            raise damage.error()
        return rows


class GroupQueries:
    """Runs queries by name on one group, in an open transaction: each gives the group as a parameter."""

    def __init__(self, transaction: Transaction, queries: Mapping[str, Query], group: str) -> None:
        self.group = group
        self._transaction = transaction
        self._queries = queries

    async def many(self, name: str, row: type[Row], /, **params: object) -> list[Row]:
        """All rows that can be read."""
        return await self._transaction.run(self._queries[name], row, group=self.group, **params)

    async def single(self, name: str, row: type[Row], /, **params: object) -> Row:
        return only(self._queries[name], await self.many(name, row, **params))

    async def whole(self, name: str, row: type[Row], /, **params: object) -> list[Row]:
        """All rows, for who would settle a falsehood without one of them.

        Raises:
            Unreadable: one cannot be read.
        """
        return await self._transaction.whole(self._queries[name], row, group=self.group, **params)

    async def reading(self, name: str, row: type[Row], /, **params: object) -> Reading[Row]:
        """The rows, and what cannot be read of them, which is noted."""
        return await self._transaction.reading(self._queries[name], row, group=self.group, **params)

    async def execute(self, name: str, /, **params: object) -> None:
        await self._transaction.execute(self._queries[name], group=self.group, **params)

    async def execute_last(self, name: str, /, **params: object) -> None:
        """Run a query as the last of the transaction."""
        await self._transaction.execute_last(self._queries[name], group=self.group, **params)

    async def execute_for(self, name: str, rows: Sequence[object], /, **params: object) -> None:
        """Run a query that only writes what is made of ``rows``, if there are any."""
        if rows:
            await self.execute(name, **params)


class QueryStore:
    """A store whose methods are named queries, each in a transaction of its own unless it says otherwise."""

    def __init__(self, database: Database, queries: Mapping[str, Query]) -> None:
        self.database = database
        self._queries = queries
        self._run = NamedQueries(database, queries)
        self._leader = LeaderQueries(database, queries)

    @classmethod
    def beside(cls, other: "QueryStore") -> Self:
        """A store on the same database as another one, with the same queries."""
        return cls(other.database, other._queries)  # noqa: SLF001 - of the same class

    def _in(self, transaction: Transaction, group: str) -> GroupQueries:
        return GroupQueries(transaction, self._queries, group)


class IdentityStore(QueryStore):
    """A store that asks who is who."""

    async def identities(self, group: str, named: Iterable[tuple[str, str, str]]) -> Identities:
        """Who is who among entities that are each named in a session, by or for a user."""
        ends = [{"id": id_, "session": session, "user": user} for id_, session, user in sorted(set(named))]
        return identities(await self._run.many("identities", SameAs, group=group, named=ends))


async def read_in_passes(
    known_at: datetime, read: Callable[[], Awaitable[Answer]], rows_of: Callable[[Answer], object]
) -> list[Answer]:
    """Ask an index about the past until two answers in turn have the same rows (``rows_of``); returns all answers.

    A row that is superseded moves from one index to another. While its transaction commits, it may be in neither: on a
    busy machine for longer than a read takes. Each row moves once, so that what one pass misses is in a later one;
    while passes differ, rows are moving. What is believed now is read once. Along relationships no row is ever missed.
    """
    answers = [await read()]
    if known_at >= LATEST:
        return answers
    while len(answers) < MOST_PASSES:
        answers.append(await read())
        if rows_of(answers[-1]) == rows_of(answers[-2]):
            break
    return answers
