"""A managed Neo4j whose disk fills: nothing that was accepted is lost, and what can be mended is mended."""

import asyncio
import subprocess
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import disk_usage

import pytest

from graphmem.errors import GraphmemError
from graphmem.local.state import connection
from graphmem.settings import Settings
from graphmem.settings.servers import Neo4jSettings
from graphmem.store.driver import Database, open_driver
from graphmem.store.queries import read_queries
from tests.acceptance.shells import SERVERS, Shell

QUERIES = {query.name: query for query in read_queries(Path(__file__).with_name("full_disk.cypher"))}
MEGABYTE = 1024 * 1024
TEXT = "x" * 300_000
WATCHFUL = {"GRAPHMEM_SUPERVISOR_CHECK_SECONDS": "0.5", "GRAPHMEM_SUPERVISOR_CHECK_FAILURES": "2"}

pytestmark = pytest.mark.timeout(900)


@dataclass(frozen=True)
class FilledRow:
    count: int


@pytest.fixture
def small(tmp_path: Path) -> Generator[Shell]:
    """A data directory on a file system of 300 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", str(folder)], check=False)  # noqa: S607
    if mount.returncode:
        pytest.skip("only root can mount a small file system")
    shell = Shell(folder / "data")
    try:
        yield shell
    finally:
        shell("down")
        subprocess.run(["umount", str(folder)], check=True)  # noqa: S607


@asynccontextmanager
async def opened(shell: Shell) -> AsyncGenerator[Database]:
    found = connection(shell.folder, Settings())
    assert found
    settings = Neo4jSettings(transaction_timeout=20.0)
    database = Database(open_driver(found.neo4j_uri, found.neo4j_user, found.neo4j_password, settings), settings)
    try:
        yield database
    finally:
        await database.aclose()


async def filled(shell: Shell) -> int:
    async with opened(shell) as database:
        (row,) = await database.run(QUERIES["filled"], FilledRow)
    return row.count


async def fill(shell: Shell) -> int:
    """Write until that fails; returns how many writes were accepted."""
    accepted = 0
    async with opened(shell) as database:
        while True:
            try:
                await database.execute(QUERIES["fill"], number=accepted, text=TEXT)
            except GraphmemError:
                return accepted
            accepted += 1


def leave(folder: Path, megabytes: int) -> Path:
    """A file that leaves so much free."""
    ballast = folder / "ballast"
    with ballast.open("wb") as file:
        while disk_usage(folder).free > megabytes * MEGABYTE:
            file.write(bytes(MEGABYTE))
            file.flush()
    return ballast


async def answers_again(shell: Shell) -> None:
    """Return when the supervisor has started Neo4j anew, and that answers."""
    while shell("status").returncode:  # noqa: ASYNC110 - it is another process
        await asyncio.sleep(1)


def damage_logs(shell: Shell) -> None:
    """Write what nobody can read after the last entry, as a write that the end of the disk cut in two leaves it."""
    log = max(
        shell.data.neo4j.glob("data/transactions/neo4j/neostore.transaction.db.*"), key=lambda log: log.stat().st_mtime
    )
    content = bytearray(log.read_bytes())
    end = len(content.rstrip(b"\0"))
    content[end + 1 : end + 400] = b"\xff" * 399
    log.write_bytes(content)


@pytest.mark.full
async def test_what_was_accepted_before_the_disk_was_full_is_there_afterwards(small: Shell) -> None:
    assert small(*SERVERS, **WATCHFUL).returncode == 0
    ballast = leave(small.folder.parent, 8)
    accepted = await fill(small)
    failed = small("status")
    assert failed.returncode == 1, failed.stdout
    assert accepted > 0
    ballast.unlink()
    await answers_again(small)
    assert await filled(small) >= accepted
    service = small.state.service("neo4j")
    assert service
    assert service.restarts >= 1

    small.must("down")
    kept = await _damaged_and_recovered(small)
    assert kept >= accepted


async def _damaged_and_recovered(small: Shell) -> int:
    damage_logs(small)
    failed = small(*SERVERS)
    assert failed.returncode == 1
    assert "Neo4j cannot start. Its transaction logs are damaged" in failed.stderr
    assert "graphmem up --recover" in failed.stderr
    assert "cut off" in small.must(*SERVERS, "--recover")
    return await filled(small)
