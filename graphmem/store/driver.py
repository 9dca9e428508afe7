"""Neo4j's driver behind ``Database``: transactions, one chain of bookmarks, rows checked, errors translated.

A unit of work is a function of a ``Transaction``, which is managed: it is run again after a transient failure, so it
must have no effect outside the database. A read of one query commits by itself, and is managed only when that fails.
Every transaction ends after ``settings.neo4j.transaction_timeout`` seconds. All sessions of a ``Database`` share one
bookmark manager: who writes reads it, on a cluster too.

Raises, wherever the server is asked:
    StoreUnavailable: Neo4j does not answer, or fails inside; retries are spent.
    TransactionEnded: Neo4j answers, and ended the transaction; the same one may be ended again.
    ConfigurationError: credentials, rights, database name or server version do not fit.
    Conflict: a uniqueness constraint refused a write.
    OurError: Neo4j refused a query, or its columns are not what its model says.

A row that cannot be read is left out, named to whoever answers (``model.damage``), logged and counted. A page goes on
past it.

https://neo4j.com/docs/python-manual/current/transactions/
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import LiteralString, TypeVar

import structlog
from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncManagedTransaction,
    AsyncResult,
    AsyncSession,
    AsyncTransaction,
    NotificationMinimumSeverity,
    RoutingControl,
    unit_of_work,
)
from neo4j import Query as TimedQuery
from neo4j import exceptions as neo4j_errors

from graphmem import __version__
from graphmem.errors import (
    ConfigurationError,
    Conflict,
    GraphmemError,
    OurError,
    QueryDefinitionError,
    StoreUnavailable,
    TransactionEnded,
)
from graphmem.model.audit import AuditNotes, current_asker
from graphmem.settings.servers import Neo4jSettings
from graphmem.store.auditing import audit_parameters, note_changes, record_audit, with_audit
from graphmem.store.queries import Mode, Query
from graphmem.store.reading import Reading, past_damage, read, rows_noting_damage

MINIMUM_NEO4J = "2026.01"
ANSWER_SECONDS = 5.0
"""Seconds beyond its time-out in which a transaction must have ended here: a frozen server ends nothing."""
_TORN = 3  # times to ask again: one answer in 300 has such a row while four writers do nothing but delete
SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

Row = TypeVar("Row")
Result = TypeVar("Result")
Connect = Callable[[AsyncDriver, Neo4jSettings], "Database"]
"""Makes the database of a process; ``Database`` itself, unless a test has one of its own."""

_ENDED = frozenset(
    f"Neo.{kind}.{name}"
    for kind in ("ClientError", "TransientError")
    for name in (
        "General.MemoryPoolOutOfMemoryError",
        "General.TransactionOutOfMemoryError",
        "Transaction.LockAcquisitionTimeout",
        "Transaction.LockClientStopped",
        "Transaction.Terminated",
        "Transaction.TransactionTimedOut",
        "Transaction.TransactionTimedOutClientConfiguration",
    )
)
_OF_THE_STATEMENT = ("Neo.DatabaseError.Statement.", "Neo.DatabaseError.General.UnknownError")
"""Failures inside the server that one statement alone may bring about, again and again."""
_OF_THE_SCHEMA = "Neo.DatabaseError.Schema."
"""What is stored contradicts a constraint that is to be made: to wait does not help."""
_AWAY = (
    neo4j_errors.TransientError,
    neo4j_errors.ServiceUnavailable,
    neo4j_errors.SessionExpired,
    neo4j_errors.ConnectionPoolError,
)


def translated(error: neo4j_errors.Neo4jError | neo4j_errors.DriverError) -> GraphmemError:
    """The error of ours that a driver's error amounts to. Neo4j's own message may quote content; it stays the cause."""
    code = code_of(error)
    if unavailable := _unavailable(error, code):
        return unavailable
    if isinstance(error, neo4j_errors.ConstraintError):
        return Conflict("Neo4j refused a write, because something with the same key exists already.")
    if isinstance(error, neo4j_errors.AuthError) or code.startswith("Neo.ClientError.Security."):
        return ConfigurationError(f"Neo4j refuses the user ({code}). Check NEO4J_USER and NEO4J_PASSWORD.")
    if code == "Neo.ClientError.Database.DatabaseNotFound":
        return ConfigurationError("Neo4j has no database of that name. Check NEO4J_DATABASE.")
    if isinstance(error, neo4j_errors.ConfigurationError):
        return ConfigurationError(
            f"Neo4j or its driver refuses the connection: {error}. Check NEO4J_URI and NEO4J_USER."
        )
    return OurError(f"Neo4j refused a query ({code}).")


def _unavailable(error: Exception, code: str) -> StoreUnavailable | None:
    """What waiting may help against: it is away, or has ended a transaction, or fails inside."""
    if code in _ENDED:
        return TransactionEnded(f"Neo4j ended a transaction ({code}). Try again; if it stays so, ask for less.")
    if isinstance(error, _AWAY):
        return StoreUnavailable(f"Neo4j did not answer in time ({code}). Try again; if it stays so, look at its log.")
    if isinstance(error, neo4j_errors.DatabaseError) and not code.startswith(_OF_THE_SCHEMA):
        return _failed(code)
    return None


def _failed(code: str) -> StoreUnavailable:
    """The server has failed inside, which is not for the caller to mend."""
    if code.startswith(_OF_THE_STATEMENT):
        return TransactionEnded(f"Neo4j failed in a transaction ({code}). Try again; if it stays so, look at its log.")
    return StoreUnavailable(
        f"Neo4j cannot do its work ({code}). Look at its log and at the free space of its disk; then try again."
    )


def code_of(error: BaseException | None) -> str:
    """Neo4j's code of an error or of its cause, else the name of its class."""
    if isinstance(error, GraphmemError):
        return code_of(error.__cause__)
    code = error.code if isinstance(error, neo4j_errors.Neo4jError) else None
    return code or type(error).__name__


@contextmanager
def translate_errors() -> Generator[None]:
    try:
        yield
    except (neo4j_errors.Neo4jError, neo4j_errors.DriverError) as error:
        raise translated(error) from error


@asynccontextmanager
async def _answered_within(seconds: float) -> AsyncGenerator[None]:
    """Give up what Neo4j should have ended after ``seconds`` by itself, with all attempts at it, some seconds later."""
    limit = asyncio.timeout(seconds + ANSWER_SECONDS)
    try:
        async with limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise StoreUnavailable(
            f"Neo4j has not answered for {seconds + ANSWER_SECONDS:g} s. Try again; if it stays so, look at its log."
        ) from error


class Transaction:
    """One open transaction. Its methods take a query, the model of its rows, and exactly the declared parameters.

    They raise the driver's errors as they are, because the driver must see them to try again: ``Database`` translates.
    """

    def __init__(
        self,
        transaction: AsyncManagedTransaction | AsyncTransaction,
        mode: Mode,
        unreadable: Counter[tuple[str, str]] | None = None,
    ) -> None:
        """``unreadable`` counts what could not be read, by query and by what it is."""
        self._transaction = transaction
        self._mode: Mode = mode
        self._changes = AuditNotes()
        self._last = list[tuple[Query, Mapping[str, object]]]()
        self._unreadable = Counter[tuple[str, str]]() if unreadable is None else unreadable

    async def run(self, query: Query, row: type[Row], /, **params: object) -> list[Row]:
        """All rows that can be read, in the order of the query.

        Raises:
            QueryDefinitionError: call and header disagree, or the rows fit neither model nor declared number.
        """
        reading = await past_damage(query, params, lambda given: self._reading(query, row, given))
        return rows_noting_damage(query, reading, self._unreadable)

    async def whole(self, query: Query, row: type[Row], /, **params: object) -> list[Row]:
        """All rows, for who would settle a falsehood without one of them.

        Raises:
            QueryDefinitionError: call and header disagree, or the rows fit neither model nor declared number.
            Unreadable: one cannot be read.
        """
        return (await self._reading(query, row, params)).whole()

    async def reading(self, query: Query, row: type[Row], /, **params: object) -> Reading[Row]:
        """The rows, and what cannot be read of them, which is noted."""
        reading = await self._reading(query, row, params)
        rows_noting_damage(query, reading, self._unreadable)
        return reading

    async def _reading(self, query: Query, row: type[Row], params: Mapping[str, object]) -> Reading[Row]:
        """What every way of reading goes through."""
        _check_call(query, row, self._mode, params)
        reading = read(query, row, await _records(await self._transaction.run(query.text, dict(params))))
        note_changes(self._changes, query, params, reading.readable)
        return reading

    async def single(self, query: Query, row: type[Row], /, **params: object) -> Row:
        return only(query, await self.run(query, row, **params))

    async def optional(self, query: Query, row: type[Row], /, **params: object) -> Row | None:
        rows = await self.run(query, row, **params)
        return rows[0] if rows else None

    async def execute(self, query: Query, /, **params: object) -> None:
        """Run a query that returns nothing."""
        _check_call(query, None, self._mode, params)
        await self.apply(query.text, params)
        note_changes(self._changes, query, params, None)

    async def execute_last(self, query: Query, /, **params: object) -> None:
        """Run a query that returns nothing as the last of the transaction, in one statement with the row of the audit.

        Its parameters have no name of those of ``record_audit``, but for the group.
        """
        _check_call(query, None, self._mode, params)
        note_changes(self._changes, query, params, None)
        self._last.append((query, params))

    async def finish(self, work: str) -> None:
        """Run what is to be last, and write what was changed, if anything was, and who had that done.

        ``work`` is what it is called here. What is of one group goes together, which saves a round trip.
        """
        asker = current_asker()
        rows = {chain: audit_parameters(asker, chain, changed, work=work) for chain, changed in self._changes.chains()}
        for query, params in self._last:
            if row := rows.pop(str(params["group"]), None):
                await self.apply(with_audit(query), {**row, **params})
            else:
                await self.apply(query.text, params)
        for row in rows.values():
            await self.execute(record_audit(), **row)

    async def apply(self, text: LiteralString, params: Mapping[str, object] | None = None, /) -> str:
        """Run a migration's statement; returns Neo4j's query type (``r``, ``rw``, ``w`` or ``s``)."""
        result = await self._transaction.run(text, dict(params or {}))
        return (await result.consume()).query_type or ""


class Database:
    """The one database of a process."""

    def __init__(self, driver: AsyncDriver, settings: Neo4jSettings) -> None:
        self.driver = driver
        self.transaction_timeout = settings.transaction_timeout
        self._name = settings.database
        self._bookmarks = AsyncGraphDatabase.bookmark_manager()
        self.unreadable = Counter[tuple[str, str]]()
        """What could not be read, by query and by what it is."""

    async def read(self, work: Callable[[Transaction], Awaitable[Result]], /) -> Result:
        """What ``work`` returns, in a read transaction, which a cluster routes to a follower."""
        with translate_errors():
            async with _answered_within(self.transaction_timeout), self.session() as session:
                return await session.execute_read(self._unit(work, "read", self.transaction_timeout))

    async def write(
        self, work: Callable[[Transaction], Awaitable[Result]], /, *, seconds: float | None = None
    ) -> Result:
        """What ``work`` returns, committed; it may take ``seconds`` instead of the configured time-out.

        What the audit is to say of it is a row in the same transaction, its last statement.
        """
        limit = seconds or self.transaction_timeout
        with translate_errors():
            async with _answered_within(limit), self.session() as session:
                return await session.execute_write(self._unit(work, "write", limit))

    async def rehearse(self, work: Callable[[Transaction], Awaitable[Result]], /, *, seconds: float) -> Result:
        """What ``work`` returns, tried once in a write transaction of so many seconds, which is then rolled back."""
        metadata = _metadata(_name_of(work))
        with translate_errors():
            async with (
                _answered_within(seconds),
                self.session() as session,
                await session.begin_transaction(metadata=metadata, timeout=seconds) as transaction,
            ):
                result = await work(Transaction(transaction, "write"))
                await transaction.rollback()
                return result

    async def run(self, query: Query, row: type[Row], /, **params: object) -> list[Row]:
        """All rows of one query that can be read, in a transaction of its own: fewer round trips than ``read`` needs.

        A read that fails for a passing reason is tried again.

        What somebody deletes while it is read may come in part, because Neo4j reads property by property. So a read
        asks again; what is damaged is so each time.
        """
        _check_call(query, row, query.mode, params)
        if query.audited:
            return await self.write(_called(query.name, lambda transaction: transaction.run(query, row, **params)))

        async def ask(given: Mapping[str, object]) -> Reading[Row]:
            reading = read(query, row, await self._execute(query, given, _records))
            again = _TORN if query.mode == "read" else 0
            while reading.damaged and again:
                reading, again = read(query, row, await self._execute(query, given, _records)), again - 1
            return reading

        return rows_noting_damage(query, await past_damage(query, params, ask), self.unreadable)

    async def execute(self, query: Query, /, **params: object) -> None:
        """Run a query that returns nothing, in a transaction of its own."""
        _check_call(query, None, query.mode, params)
        if query.audited:
            await self.write(_called(query.name, lambda transaction: transaction.execute(query, **params)))
        else:
            await self._execute(query, params, AsyncResult.consume)

    async def _execute(
        self, query: Query, params: Mapping[str, object], read: Callable[[AsyncResult], Awaitable[Result]]
    ) -> Result:
        timed = TimedQuery(query.text, metadata=_metadata(query.name), timeout=self.transaction_timeout)
        with translate_errors():
            async with _answered_within(self.transaction_timeout):
                if query.mode == "read":
                    try:
                        return await self._ask_once(timed, params, read)
                    except (neo4j_errors.Neo4jError, neo4j_errors.DriverError) as error:
                        if not error.is_retryable():  # of a read it does no harm that it may have been answered
                            raise
                        log.info("read.again", query=query.name, code=code_of(error))
                return await self.driver.execute_query(
                    timed,
                    dict(params),
                    routing_=RoutingControl.READ if query.mode == "read" else RoutingControl.WRITE,
                    database_=self._name,
                    bookmark_manager_=self._bookmarks,
                    result_transformer_=read,
                )

    async def _ask_once(
        self, timed: TimedQuery, params: Mapping[str, object], read: Callable[[AsyncResult], Awaitable[Result]]
    ) -> Result:
        """Run a read in an auto-commit transaction: one round trip, where a managed one takes two."""
        async with self.session(READ_ACCESS) as session:
            return await read(await session.run(timed, dict(params)))

    async def execute_in_batches(self, query: Query, /, *, seconds: float, **params: object) -> int:
        """Run a query that commits as it goes (``IN TRANSACTIONS``); returns how many properties it set."""
        _check_call(query, None, query.mode, params)
        timed = TimedQuery(query.text, metadata=_metadata(query.name), timeout=seconds)
        with translate_errors():
            async with _answered_within(seconds), self.session() as session:
                result = await session.run(timed, dict(params))
                return (await result.consume()).counters.properties_set

    @asynccontextmanager
    async def unlimited(self) -> AsyncGenerator[Transaction]:
        """One write transaction without a time-out and without retries, committed at the end."""
        with translate_errors():
            async with self.session() as session, await session.begin_transaction(timeout=0) as transaction:
                yield Transaction(transaction, "write", self.unreadable)
                await transaction.commit()

    def session(self, access: str = WRITE_ACCESS) -> AsyncSession:
        return self.driver.session(  # pyright: ignore[reportUnknownMemberType] -- its **config
            database=self._name, bookmark_manager=self._bookmarks, default_access_mode=access
        )

    async def ping(self) -> str:
        """The version of the server, which answers and lets the user in."""
        with translate_errors():
            async with _answered_within(self.transaction_timeout):
                info = await self.driver.get_server_info()  # pyright: ignore[reportUnknownMemberType] -- its **config
        return info.agent.removeprefix("Neo4j/")

    async def aclose(self) -> None:
        await self.driver.close()

    def _unit(
        self, work: Callable[[Transaction], Awaitable[Result]], mode: Mode, timeout: float
    ) -> Callable[[AsyncManagedTransaction], Awaitable[Result]]:
        @unit_of_work(timeout=timeout, metadata=_metadata(_name_of(work)))
        async def unit(transaction: AsyncManagedTransaction) -> Result:
            ours = Transaction(transaction, mode, self.unreadable)
            result = await work(ours)
            await ours.finish(_method_of(work))
            return result

        return unit


def open_driver(uri: str, user: str, password: str | None, settings: Neo4jSettings) -> AsyncDriver:
    """The driver of one process; without a password it does not authenticate.

    Raises:
        ConfigurationError: the URI is not one of Neo4j.
    """
    scheme = uri.partition("://")[0]
    if scheme not in SCHEMES:
        raise ConfigurationError(
            f"{scheme}:// is not an address of Neo4j. NEO4J_URI begins with bolt:// or neo4j+s://."
        )
    with translate_errors():
        return AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType] -- its **config
            uri,
            auth=(user, password) if password else None,
            user_agent=f"graphmem/{__version__}",
            connection_timeout=settings.connection_timeout,
            connection_acquisition_timeout=2 * settings.connection_timeout,
            max_transaction_retry_time=settings.transaction_timeout,
            liveness_check_timeout=30,  # the server may have restarted since a connection was last used
            keep_alive=True,
            notifications_min_severity=NotificationMinimumSeverity.OFF,
            telemetry_disabled=True,
        )


async def check_server(uri: str, user: str, password: str | None, settings: Neo4jSettings | None = None) -> str:
    """The version of the server, which answers, lets the user in and is new enough.

    Raises:
        StoreUnavailable: nothing answers there.
        ConfigurationError: address, credentials or version do not fit.
    """
    settings = settings or Neo4jSettings.model_validate({})
    database = Database(open_driver(uri, user, password, settings), settings)
    try:
        version = await database.ping()
    finally:
        await database.aclose()
    refuse_old(version)
    return version


def refuse_old(version: str) -> None:
    """Raise ConfigurationError for a server older than ``MINIMUM_NEO4J``.

    Aura keeps itself up to date, and what it calls its version does not follow the releases.
    """
    if version.endswith("-aura"):
        return
    match = re.match(r"(\d+)\.(\d+)", version)
    if match is None or (int(match[1]), int(match[2])) < tuple(map(int, MINIMUM_NEO4J.split("."))):
        raise ConfigurationError(f"Neo4j there is {version}, and graphmem needs {MINIMUM_NEO4J} or newer. Upgrade it.")


def _check_call(query: Query, row: type | None, mode: Mode, params: Mapping[str, object]) -> None:
    wanted = row.__name__ if row else None
    if query.row != wanted:
        raise QueryDefinitionError(f"{query.source}: {query.name} returns {query.row}, and is called for {wanted}.")
    if query.mode == "write" and mode == "read":
        raise QueryDefinitionError(f"{query.source}: {query.name} writes, and is called in a read transaction.")
    if frozenset(query.params) != frozenset(params):
        differ = ", ".join(sorted(set(query.params) ^ set(params)))
        raise QueryDefinitionError(f"{query.source}: {query.name} is called with other parameters: {differ}.")


async def _records(result: AsyncResult) -> list[dict[str, object]]:
    columns = result.keys()
    return [dict(zip(columns, record.values(), strict=True)) async for record in result]


def only(query: Query, rows: Sequence[Row]) -> Row:
    """The one row that a query is asked for.

    Raises:
        QueryDefinitionError: there is none.
    """
    if not rows:
        raise QueryDefinitionError(f"{query.source}: {query.name} returned no row, and one is asked for.")
    return rows[0]


def _metadata(work: str) -> dict[str, str]:
    """What Neo4j shows of a transaction."""
    return {"app": f"graphmem {__version__}", "work": work}


def _called(name: str, work: Callable[[Transaction], Awaitable[Result]]) -> Callable[[Transaction], Awaitable[Result]]:
    work.__qualname__ = name
    return work


def _method_of(work: object) -> str:
    """The name of the method of which the work is a part."""
    return _name_of(work).partition(".<locals>")[0].rpartition(".")[2]


def _name_of(work: object) -> str:
    return str(getattr(work, "__qualname__", type(work).__name__))
