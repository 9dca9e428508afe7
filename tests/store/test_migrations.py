"""Migrations on a server of their own, wiped before each test, with real processes.

After a change of the schema: ``pytest tests/store/test_migrations.py --write-snapshot``, and look at the difference.
"""

import asyncio
import json
import shutil
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Generator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from pydantic import BaseModel, ConfigDict

from graphmem.errors import MigrationError
from graphmem.local import ManagedServers
from graphmem.store.driver import Database
from graphmem.store.migrations import LOCK, AppliedMigrationRow, Migration, migrate, read_migrations
from graphmem.store.queries import Query, cypher_root, load_queries, read_queries
from tests.servers import Servers, servers_of, small_settings, started
from tests.store.planning import planned

HERE = Path(__file__).parent
SNAPSHOT = HERE / "schema.snapshot.json"
QUERIES = {query.name: query for query in read_queries(HERE / "wipe.cypher")}
BOOKKEEPING = load_queries(cypher_root())
SHIPPED = [migration.version for migration in read_migrations(cypher_root())]


class Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


AnyRow = TypeVar("AnyRow", bound=Row)


class NameRow(Row):
    name: str


class ChainRow(Row):
    versions: list[str]


class ConstraintRow(Row):
    name: str
    type: str
    of: str
    labels: list[str]
    properties: list[str]


class IndexRow(ConstraintRow):
    state: str
    config: dict[str, Any]


@pytest.fixture(scope="module")
def servers(own_servers: ManagedServers) -> Servers:
    return servers_of(own_servers)


@pytest.fixture
async def fresh(servers: Servers) -> AsyncGenerator[Database]:
    """Its database with nothing in it, before the test and after it."""
    database = servers.open()
    await _empty(database)
    yield database
    await _empty(database)
    await database.aclose()


async def _empty(database: Database) -> None:
    for kind in ("constraint", "index"):
        for row in await many(database, f"{kind}_names", NameRow):
            await write(database, QUERIES[f"drop_{kind}"], name=row.name)
    await write(database, QUERIES["delete_everything"])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root like ``cypher/`` with the same bookkeeping and migrations of notes, which are quick."""
    shutil.copytree(cypher_root() / "queries", tmp_path / "queries")
    add(
        tmp_path, "V0001__constraint.cypher", "CREATE CONSTRAINT n IF NOT EXISTS FOR (n:Note) REQUIRE n.name IS UNIQUE;"
    )
    add(tmp_path, "V0002__data.cypher", "CREATE (:Note {name: ';'});\nCREATE (:Note {name: 'two'});")
    return tmp_path


async def many(database: Database, name: str, row: type[AnyRow]) -> list[AnyRow]:
    return await database.read(lambda transaction: transaction.run(QUERIES[name], row))


async def write(database: Database, query: Query, **params: object) -> None:
    await database.write(lambda transaction: transaction.execute(query, **params))


def add(root: Path, name: str, text: str) -> None:
    (root / "migrations").mkdir(exist_ok=True)
    (root / "migrations" / name).write_text(text, "utf-8")


def versions(migrations: Sequence[Migration]) -> list[str]:
    return [migration.version for migration in migrations]


async def schema(database: Database) -> dict[str, Any]:
    constraints = await many(database, "constraints", ConstraintRow)
    indexes = await many(database, "indexes", IndexRow)
    return {
        "constraints": [row.model_dump() for row in constraints],
        "indexes": [row.model_dump() for row in indexes],
    }


async def recorded(database: Database) -> list[AppliedMigrationRow]:
    query = BOOKKEEPING["applied_migrations"]
    return await database.read(lambda transaction: transaction.run(query, AppliedMigrationRow))


async def process(servers: Servers, deed: str) -> Process:
    """A process of ``migrate_once.py`` that is connected and waits for a line."""
    arguments = (servers.uri, servers.user, servers.password, deed)
    python = await asyncio.create_subprocess_exec(
        sys.executable, "-W", "error", "-m", "tests.store.migrate_once", *arguments, stdin=PIPE, stdout=PIPE
    )
    assert await line_of(python) == ["ready"]
    return python


async def line_of(python: Process) -> list[str]:
    assert python.stdout is not None
    return (await python.stdout.readline()).decode().split()


def go(python: Process) -> None:
    assert python.stdin is not None
    python.stdin.write(b"go\n")


async def test_a_fresh_database_gets_the_schema_of_the_snapshot_and_the_second_time_nothing(
    fresh: Database, pytestconfig: pytest.Config
) -> None:
    assert versions(await migrate(fresh, cypher_root())) == SHIPPED
    assert versions(await migrate(fresh, cypher_root())) == []
    assert [row.version for row in await recorded(fresh)] == SHIPPED
    found = await schema(fresh)
    if pytestconfig.getoption("--write-snapshot"):
        SNAPSHOT.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    assert found == json.loads(SNAPSHOT.read_text("utf-8"))
    assert {index["state"] for index in found["indexes"]} == {"ONLINE"}


@pytest.mark.full
async def test_processes_that_start_at_once_apply_each_migration_once(servers: Servers, fresh: Database) -> None:
    async with asyncio.TaskGroup() as group:
        starting = [group.create_task(process(servers, "migrate")) for _ in range(4)]
    processes = [task.result() for task in starting]
    for python in processes:
        go(python)
    lines = [await line_of(python) for python in processes]
    assert [await python.wait() for python in processes] == [0, 0, 0, 0]
    assert sorted(word for line in lines for word in line) == sorted([*SHIPPED, *["applied"] * 4])
    assert await schema(fresh) == json.loads(SNAPSHOT.read_text("utf-8"))


@pytest.fixture
def untouched(tmp_path: Path) -> Generator[Servers]:
    """Servers whose database never had a schema: it knows no name of a property that nobody wrote yet."""
    with started(tmp_path, small_settings()) as managed:
        yield servers_of(managed)


@pytest.mark.full
@pytest.mark.timeout(600)
async def test_queries_know_all_names_of_a_database_that_was_only_migrated(
    untouched: Servers, subtests: pytest.Subtests
) -> None:
    database = untouched.open()
    await migrate(database, cypher_root())
    for query in BOOKKEEPING.values():
        with subtests.test(query.name):
            assert (await planned(database, query)).notifications == ()
    await database.aclose()


async def test_the_lock_of_a_killed_process_is_free(servers: Servers, fresh: Database, root: Path) -> None:
    await migrate(fresh, root)
    holder = await process(servers, "hold")
    go(holder)
    assert await line_of(holder) == ["held"]
    add(root, "V0003__more.cypher", "CREATE (:Note {name: 'three'});")
    waiting = asyncio.create_task(migrate(fresh, root))
    holder.kill()
    await holder.wait()
    assert versions(await waiting) == ["0003"]


@pytest.mark.full
async def test_time_outs_of_the_server_do_not_end_the_wait_for_the_lock(
    servers: Servers, fresh: Database, root: Path
) -> None:
    await migrate(fresh, root)
    add(root, "V0003__more.cypher", "CREATE (:Note {name: 'three'});")
    hurried = servers.open(transaction_timeout=0.5)
    async with fresh.unlimited() as holder:
        await holder.execute(BOOKKEEPING["lock_migrations"], lock=LOCK)
        waiting = asyncio.create_task(migrate(hurried, root))
        done, _ = await asyncio.wait([waiting], timeout=6)
        assert not done
    assert versions(await waiting) == ["0003"]
    await hurried.aclose()


async def test_schema_and_data_of_several_files_are_applied_in_order(fresh: Database, root: Path) -> None:
    assert versions(await migrate(fresh, root)) == ["0001", "0002"]
    assert {row.name for row in await many(fresh, "notes", NameRow)} == {";", "two"}
    assert [row.versions for row in await many(fresh, "chain", ChainRow)] == [["0001", "0002"]]


async def test_a_process_that_died_before_the_record_is_made_good(fresh: Database, root: Path) -> None:
    first, _ = read_migrations(root)
    await fresh.write(lambda transaction: transaction.apply(first.statements[0].text))
    assert versions(await migrate(fresh, root)) == ["0001", "0002"]


async def test_a_changed_file_stops(fresh: Database, root: Path) -> None:
    await migrate(fresh, root)
    await write(fresh, QUERIES["change_checksum"], version="0001")
    with pytest.raises(MigrationError, match=r"V0001__constraint\.cypher changed after it was applied"):
        await migrate(fresh, root)


async def test_a_migration_of_a_newer_graphmem_stops(fresh: Database, root: Path) -> None:
    await migrate(fresh, root)
    (root / "migrations" / "V0002__data.cypher").unlink()
    with pytest.raises(MigrationError, match=r"0002 \(data\), which this graphmem does not know"):
        await migrate(fresh, root)


async def test_a_migration_that_came_too_late_stops(fresh: Database, root: Path) -> None:
    add(root, "V0004__later.cypher", "CREATE (:Note {name: 'four'});")
    await migrate(fresh, root)
    add(root, "V0003__earlier.cypher", "CREATE (:Note {name: 'three'});")
    with pytest.raises(MigrationError, match="0003 came after 0004 was applied"):
        await migrate(fresh, root)


@pytest.mark.parametrize(
    "text",
    [
        "CREATE (:Note {name: 'x'});\nCREATE (:Note {name: ';'});",
        "CREATE (:Note {name: 'x'});\nCREATE INDEX x IF NOT EXISTS FOR (n:Note) ON (n.x);",
        "CREATE (:Note {name: 'x'});\nCREATE NONSENSE;",
    ],
    ids=["violates a constraint", "schema and data in one file", "syntax"],
)
async def test_a_file_that_fails_changes_nothing_and_says_which(fresh: Database, root: Path, text: str) -> None:
    add(root, "V0003__wrong.cypher", text)
    with pytest.raises(MigrationError, match=r"V0003__wrong\.cypher failed and changed nothing"):
        await migrate(fresh, root)
    assert {row.name for row in await many(fresh, "notes", NameRow)} == {";", "two"}
    assert [row.version for row in await recorded(fresh)] == ["0001", "0002"]


async def test_the_same_index_under_another_name_stops(fresh: Database, root: Path) -> None:
    add(root, "V0003__mine.cypher", "CREATE INDEX mine IF NOT EXISTS FOR (n:Note) ON (n.x);")
    add(root, "V0004__ours.cypher", "CREATE INDEX ours IF NOT EXISTS FOR (n:Note) ON (n.x);")
    with pytest.raises(MigrationError, match=r"V0004__ours\.cypher did not make ours: .* another name"):
        await migrate(fresh, root)
    assert [row.version for row in await recorded(fresh)] == ["0001", "0002", "0003"]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("0003__x.cypher", "RETURN 1;", "is not a migration's name"),
        ("V0003__x.cypher", "// nothing", "must have statements"),
        ("V0003__x.cypher", "CREATE (:Note {name: $name});", "can have no parameters"),
        ("V0002__x.cypher", "CREATE (:Note {name: 'x'});", "Two files are migration 0002"),
    ],
)
def test_a_malformed_file_is_refused(root: Path, name: str, text: str, problem: str) -> None:
    add(root, name, text)
    with pytest.raises(MigrationError, match=problem):
        read_migrations(root)


def test_line_ends_do_not_change_a_checksum(root: Path) -> None:
    before = [migration.checksum for migration in read_migrations(root)]
    path = root / "migrations" / "V0002__data.cypher"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert [migration.checksum for migration in read_migrations(root)] == before


def test_no_migrations_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MigrationError, match="has no migrations"):
        read_migrations(tmp_path)
