"""A database of which a process dies at a statement that a test chooses."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from graphmem.settings.servers import Neo4jSettings
from graphmem.store.driver import Database, Transaction
from graphmem.store.queries import Query
from graphmem.store.reading import Reading

Result = TypeVar("Result")
Row = TypeVar("Row")


class Killed(Exception):
    """The process was killed: what its open transaction wrote is taken back."""


class MortalTransaction(Transaction):
    """Counts its statements for its database."""

    def __init__(self, inner: Transaction, database: "MortalDatabase") -> None:
        self.__dict__.update(vars(inner))
        self._database = database

    async def _reading(self, query: Query, row: type[Row], params: Mapping[str, object]) -> Reading[Row]:
        self._database.count()
        return await super()._reading(query, row, params)

    async def execute(self, query: Query, /, **params: object) -> None:
        self._database.count()
        await super().execute(query, **params)

    async def execute_last(self, query: Query, /, **params: object) -> None:
        self._database.count()
        await super().execute_last(query, **params)


class MortalDatabase(Database):
    """Dies instead of saying the ``dies_at``-th statement from now, counted from 1; at 0 it lives on."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.driver, Neo4jSettings(transaction_timeout=database.transaction_timeout))
        self.dies_at = 0

    def count(self) -> None:
        if self.dies_at == 1:
            self.dies_at = 0
            raise Killed
        self.dies_at = max(0, self.dies_at - 1)

    async def write(
        self, work: Callable[[Transaction], Awaitable[Result]], /, *, seconds: float | None = None
    ) -> Result:
        return await super().write(lambda transaction: work(MortalTransaction(transaction, self)), seconds=seconds)

    async def run(self, query: Query, row: type[Row], /, **params: object) -> list[Row]:
        if not query.audited:  # what is audited is a transaction
            self.count()
        return await super().run(query, row, **params)

    async def execute(self, query: Query, /, **params: object) -> None:
        if not query.audited:
            self.count()
        await super().execute(query, **params)
