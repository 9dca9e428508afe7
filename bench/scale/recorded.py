"""The Cypher that graphmem sends, written down, and run again on a bare driver: the floor of every measurement."""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, LiteralString, TypeVar, cast

from neo4j import AsyncDriver, Driver, Record, Session

from graphmem.model.ids import digest
from graphmem.settings.servers import Neo4jSettings
from graphmem.store.driver import Database, Transaction
from graphmem.store.queries import Query
from graphmem.store.reading import Reading

Row = TypeVar("Row")
Result = TypeVar("Result")

_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Statement:
    text: LiteralString
    params: Mapping[str, Any]


class RecordedDatabase(Database):
    """Keeps the statements of each transaction, until they are taken."""

    def __init__(self, driver: AsyncDriver, settings: Neo4jSettings) -> None:
        super().__init__(driver, settings)
        self._transactions: list[list[Statement]] = []

    def take(self) -> list[list[Statement]]:
        taken, self._transactions = self._transactions, []
        return taken

    async def read(self, work: Callable[[Transaction], Awaitable[Result]], /) -> Result:
        return await super().read(self._recorded(work))

    async def write(
        self, work: Callable[[Transaction], Awaitable[Result]], /, *, seconds: float | None = None
    ) -> Result:
        return await super().write(self._recorded(work), seconds=seconds)

    async def run(self, query: Query, row: type[Row], /, **params: object) -> list[Row]:
        self._transactions.append([Statement(query.text, params)])
        return await super().run(query, row, **params)

    async def execute(self, query: Query, /, **params: object) -> None:
        self._transactions.append([Statement(query.text, params)])
        await super().execute(query, **params)

    def _recorded(self, work: Callable[[Transaction], Awaitable[Result]]) -> Callable[[Transaction], Awaitable[Result]]:
        async def recorded(transaction: Transaction) -> Result:
            statements = list[Statement]()
            result = await work(_Recording(transaction, statements))
            self._transactions.append(statements)
            return result

        return recorded


class _Recording(Transaction):
    def __init__(self, transaction: Transaction, statements: list[Statement]) -> None:
        self.__dict__.update(vars(transaction))
        self._statements = statements

    async def _reading(self, query: Query, row: type[Row], params: Mapping[str, object]) -> Reading[Row]:
        self._statements.append(Statement(query.text, params))
        return await super()._reading(query, row, params)

    async def execute(self, query: Query, /, **params: object) -> None:
        self._statements.append(Statement(query.text, params))
        await super().execute(query, **params)

    async def execute_last(self, query: Query, /, **params: object) -> None:
        self._statements.append(Statement(query.text, params))
        await super().execute_last(query, **params)


def session_of(driver: Driver) -> Session:
    return driver.session()  # pyright: ignore[reportUnknownMemberType] -- its **config


def replay(driver: Driver, transactions: list[list[Statement]]) -> float:
    """Seconds that the same statements take on a bare driver, in as many transactions, one after the other."""
    began = perf_counter()
    for statements in transactions:
        if len(statements) == 1:
            answer(driver, statements[0])
        else:
            _together(driver, statements)
    return perf_counter() - began


def answer(driver: Driver, statement: Statement) -> list[Record]:
    """What a statement answers that is a transaction of its own."""
    return driver.execute_query(statement.text, dict(statement.params)).records


def _together(driver: Driver, statements: Sequence[Statement]) -> None:
    with session_of(driver) as session, session.begin_transaction() as transaction:
        for statement in statements:
            list(transaction.run(statement.text, dict(statement.params)))
        transaction.commit()


def renamed(transactions: list[list[Statement]], kept: Collection[str]) -> list[list[Statement]]:
    """The same writes of other things: every id but the ``kept`` ones is another."""
    return [
        [Statement(statement.text, _renamed(statement.params, kept)) for statement in statements]
        for statements in transactions
    ]


def _renamed(value: Any, kept: Collection[str]) -> Any:
    if isinstance(value, str):
        return digest("renamed", value) if _ID.fullmatch(value) and value not in kept else value
    if isinstance(value, Mapping):
        found = cast("Mapping[str, Any]", value)
        return {key: _renamed(part, kept) for key, part in found.items()}
    if isinstance(value, list):
        parts = cast("list[Any]", value)
        return parts if parts and isinstance(parts[0], float) else [_renamed(part, kept) for part in parts]
    return value
