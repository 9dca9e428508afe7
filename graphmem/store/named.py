"""Named queries, bound to one open transaction or to a transaction of their own."""

from collections.abc import Mapping
from typing import Self, TypeVar

from graphmem.model.damage import noted
from graphmem.store.driver import Database, Transaction, only
from graphmem.store.queries import Query

Row = TypeVar("Row")


class NamedQueries:
    """Runs queries by name, each in a managed transaction of the mode that its header declares."""

    def __init__(self, database: Database, queries: Mapping[str, Query]) -> None:
        self._database = database
        self._queries = queries

    async def many(self, name: str, row: type[Row], **params: object) -> list[Row]:
        return await self._database.run(self._queries[name], row, **params)

    async def optional(self, name: str, row: type[Row], **params: object) -> Row | None:
        rows = await self.many(name, row, **params)
        return rows[0] if rows else None

    async def one(self, name: str, row: type[Row], **params: object) -> Row:
        return only(self._queries[name], await self.many(name, row, **params))

    async def many_from_leader(self, name: str, row: type[Row], **params: object) -> list[Row]:
        """A read where writers are: a follower may not have seen yet what another process wrote."""
        query = self._queries[name]

        async def work(transaction: Transaction) -> list[Row]:
            return await transaction.run(query, row, **params)

        return await self._database.write(work)

    async def optional_from_leader(self, name: str, row: type[Row], **params: object) -> Row | None:
        """The first row, likewise."""
        rows = await self.many_from_leader(name, row, **params)
        return rows[0] if rows else None

    async def all_from_leader(self, name: str, row: type[Row], **params: object) -> list[Row]:
        """All rows, from the leader, for who would settle a falsehood without one of them. Damage is noted as well.

        Raises:
            Unreadable: one cannot be read.
        """
        with noted() as damage:
            rows = await self.many_from_leader(name, row, **params)
        if damage:
            raise damage.error()
        return rows

    async def execute(self, name: str, **params: object) -> None:
        await self._database.execute(self._queries[name], **params)


class QueryStore:
    """A store whose methods are named queries, each in a transaction of its own unless it says otherwise."""

    def __init__(self, database: Database, queries: Mapping[str, Query]) -> None:
        self.database = database
        self._queries = queries
        self._run = NamedQueries(database, queries)

    @classmethod
    def beside(cls, other: "QueryStore") -> Self:
        """A store on the same database as another one, with the same queries."""
        return cls(other.database, other._queries)  # noqa: SLF001 - of the same class
