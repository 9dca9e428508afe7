"""Gives rows the properties that they lack, because a process of an older release wrote them.

``cypher/backfills/*.cypher`` hold statements that look for rows without a property and set it, thousands in a
transaction. They may run at any time, any number of times, beside any number of readers and writers, and do nothing
where nothing lacks. They run before migrations, whose indexes need the properties, and after every start, because an
older process may have gone on beside the new one. A statement goes once it is in a release that no process precedes.

Raises:
    MigrationError: a statement fails.
    StoreUnavailable: Neo4j is away.
"""

from pathlib import Path

from graphmem.errors import GraphmemError, MigrationError, StoreUnavailable
from graphmem.store.driver import Database, code_of
from graphmem.store.queries import Statement, split

LONGEST = 3600.0  # seconds


async def backfill(database: Database, root: Path) -> int:
    """Run the statements one after the other; returns how many properties they set."""
    return sum([await _run(database, path.name, statement) for path, statement in _statements(root)])


def _statements(root: Path) -> list[tuple[Path, Statement]]:
    paths = sorted((root / "backfills").glob("*.cypher"))
    return [(path, statement) for path in paths for statement in split(path.read_text("utf-8"))]


async def _run(database: Database, file: str, statement: Statement) -> int:
    try:
        return await database.apply_in_batches(statement.text, seconds=LONGEST)
    except StoreUnavailable:
        raise
    except GraphmemError as error:
        raise MigrationError(f"{file} failed ({code_of(error)}): {error.__cause__}") from error
