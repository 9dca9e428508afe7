"""Brings the schema of a database to what ``cypher/migrations`` says; any number of processes may start at once.

``V0001__Description.cypher`` is applied once, in order, and never edited afterwards: its checksum is kept in
``(:__GraphmemMigration {version, description, checksum, applied_at})-[:MIGRATED_TO]->()``. One file is one transaction,
and holds either schema or data, because Neo4j refuses both in one. Schema statements say ``IF NOT EXISTS``: a process
may die between a file and its record, and then the file runs again. Data is recorded in its own transaction.

The lock is a node that the one who migrates has written in a transaction that stays open, so it is free as soon as
that process is gone. The work is done in a second session.

Raises:
    MigrationError: files and database disagree, a file is malformed, or a statement fails.
    StoreUnavailable: Neo4j is away, or somebody else migrates for longer than ``LONGEST`` seconds.

https://neo4j.com/labs/neo4j-migrations/ has the conventions.
"""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from graphmem.errors import GraphmemError, MigrationError, StoreUnavailable
from graphmem.store.driver import Database, Transaction, code_of
from graphmem.store.queries import Query, Statement, load_queries, split

Result = TypeVar("Result")

LONGEST = 3600.0  # seconds: a vector index over a million relationships takes 700
LOCK = "schema"
_FILE = re.compile(r"V(?P<version>\d{4})__(?P<description>\w+)\.cypher")
_NAMED = re.compile(r"\b(?:CONSTRAINT|INDEX)\s+(\w+)\s+IF\s+NOT\s+EXISTS\b", re.IGNORECASE)
_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Migration:
    """One file of ``cypher/migrations``."""

    version: str
    description: str
    checksum: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class AppliedMigrationRow:
    version: str
    description: str
    checksum: str
    applied_at: datetime


@dataclass(frozen=True, slots=True)
class SchemaNamesRow:
    names: frozenset[str]


async def migrate(database: Database, root: Path) -> list[Migration]:
    """Apply what is missing and wait until every index is online; returns what this process applied."""
    queries = load_queries(root)
    migrations = read_migrations(root)
    applied = await database.read(lambda transaction: read_applied(transaction, queries))
    done = await _migrate_locked(database, migrations, queries) if missing(migrations, applied) else []
    await _await_indexes(database, queries)
    return done


def read_migrations(root: Path) -> tuple[Migration, ...]:
    """The files under ``root/migrations`` in order."""
    paths = sorted((root / "migrations").glob("*.cypher"))
    migrations = tuple(_migration(path) for path in paths)
    for earlier, later in pairwise(migrations):
        if earlier.version == later.version:
            raise MigrationError(f"Two files are migration {later.version}. Give the newer one the next number.")
    if not migrations:
        raise MigrationError(f"{root / 'migrations'} has no migrations. Reinstall graphmem.")
    return migrations


def missing(migrations: Sequence[Migration], applied: Sequence[AppliedMigrationRow]) -> list[Migration]:
    """The migrations that the database has not seen.

    Raises:
        MigrationError: it has seen one that we do not know, or another text of one, or one after a missing one.
    """
    known = {migration.version: migration for migration in migrations}
    for row in applied:
        if row.version not in known:
            raise MigrationError(
                f"The database has migration {row.version} ({row.description}), which this graphmem does not know. "
                "A newer graphmem made it: upgrade this one, or restore a backup from before."
            )
        if row.checksum != known[row.version].checksum:
            raise MigrationError(
                f"V{row.version}__{known[row.version].description}.cypher changed after it was applied. "
                "Put it back as it was, and write a new migration."
            )
    seen = {row.version for row in applied}
    left = [migration for migration in migrations if migration.version not in seen]
    if left and seen and left[0].version < max(seen):
        raise MigrationError(
            f"Migration {left[0].version} came after {max(seen)} was applied. Give it the next number."
        )
    return left


def _migration(path: Path) -> Migration:
    match = _FILE.fullmatch(path.name)
    if match is None:
        raise MigrationError(f"{path.name} is not a migration's name. Write V0001__Description.cypher.")
    text = path.read_text("utf-8")  # universal newlines: a checkout on Windows has the same checksum
    statements = tuple(split(text))
    if not statements or any(statement.params for statement in statements):
        raise MigrationError(f"{path.name} must have statements, and they can have no parameters.")
    return Migration(match["version"], match["description"], hashlib.sha256(text.encode()).hexdigest(), statements)


async def read_applied(transaction: Transaction, queries: Mapping[str, Query]) -> list[AppliedMigrationRow]:
    """The migrations that the database has seen, in order."""
    return await transaction.run(queries["applied_migrations"], AppliedMigrationRow)


async def _migrate_locked(
    database: Database, migrations: Sequence[Migration], queries: Mapping[str, Query]
) -> list[Migration]:
    for name in ("constrain_migration_locks", "constrain_migrations"):
        await _schema(database, lambda transaction, name=name: transaction.execute(queries[name]))
    async with AsyncExitStack() as stack:
        lock = await _lock(stack, database, queries["lock_migrations"])
        left = missing(migrations, await read_applied(lock, queries))
        for migration in left:
            await lock.execute(queries["lock_migrations"], lock=LOCK)  # fails if the lock was lost
            await _apply(database, migration, queries)
    return left


async def _lock(stack: AsyncExitStack, database: Database, query: Query) -> Transaction:
    """The transaction that holds the lock until ``stack`` is left. The server's time-outs only make it ask again."""
    try:
        async with asyncio.timeout(LONGEST):
            while True:
                try:
                    return await _lock_once(stack, database, query)
                except StoreUnavailable as error:
                    if not code_of(error).startswith(("Neo.TransientError.", "Neo.ClientError.Transaction.")):
                        raise
                await asyncio.sleep(0.1)
    except TimeoutError:
        raise StoreUnavailable(f"Another process has been migrating for {LONGEST:.0f} seconds. Look at it.") from None


async def _lock_once(stack: AsyncExitStack, database: Database, query: Query) -> Transaction:
    async with AsyncExitStack() as attempt:
        transaction = await attempt.enter_async_context(database.unlimited())
        await transaction.execute(query, lock=LOCK)
        await stack.enter_async_context(attempt.pop_all())
        return transaction


async def _apply(database: Database, migration: Migration, queries: Mapping[str, Query]) -> None:
    async def run(transaction: Transaction) -> bool:
        kinds = [await transaction.apply(statement.text) for statement in migration.statements]
        if "s" not in kinds:
            await write_record(transaction)
        return "s" not in kinds

    async def write_record(transaction: Transaction) -> None:
        await transaction.execute(
            queries["record_migration"],
            version=migration.version,
            description=migration.description,
            checksum=migration.checksum,
        )

    try:
        recorded = await _schema(database, run)
    except StoreUnavailable:
        raise
    except GraphmemError as error:
        file = f"V{migration.version}__{migration.description}.cypher"
        raise MigrationError(f"{file} failed and changed nothing ({code_of(error)}): {error.__cause__}") from error
    if not recorded:
        await _await_indexes(database, queries)  # while one after the other comes online, Neo4j plans in vain
        await _refuse_other_names(database, migration, queries["schema_names"])
        await database.write(write_record)


async def _refuse_other_names(database: Database, migration: Migration, query: Query) -> None:
    """``IF NOT EXISTS`` is content with the same index under another name, and queries call indexes by name."""
    wanted = {name for statement in migration.statements for name in _NAMED.findall(statement.text)}
    names = (await database.read(lambda transaction: transaction.single(query, SchemaNamesRow))).names
    if wanted - names:
        raise MigrationError(
            f"V{migration.version}__{migration.description}.cypher did not make {', '.join(sorted(wanted - names))}: "
            "there is the same under another name. Drop that one, and start again."
        )


async def _schema(database: Database, work: Callable[[Transaction], Awaitable[Result]]) -> Result:
    """Run schema statements again when another process made the same at the same time, which counts as success."""
    for _ in range(_ATTEMPTS - 1):
        try:
            return await database.write(work, seconds=LONGEST)
        except GraphmemError as error:
            if not code_of(error).startswith("Neo.ClientError.Schema."):
                raise
        await asyncio.sleep(0.2)
    return await database.write(work, seconds=LONGEST)


async def _await_indexes(database: Database, queries: Mapping[str, Query]) -> None:
    query = queries["await_indexes"]
    try:
        await database.write(lambda transaction: transaction.execute(query, seconds=int(LONGEST)), seconds=LONGEST)
    except StoreUnavailable:
        raise
    except GraphmemError as error:
        raise MigrationError(f"An index does not come online: {error.__cause__}") from error
