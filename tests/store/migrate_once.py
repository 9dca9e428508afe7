"""A process of its own that migrates: waits for a line, then writes the versions it applied, or holds the lock.

    python migrate_once.py URI USER PASSWORD migrate|hold

Used by test_migrations.py.
"""

import asyncio
import sys

from graphmem.settings.servers import Neo4jSettings
from graphmem.store.driver import Database, open_driver
from graphmem.store.migrations import LOCK, migrate
from graphmem.store.queries import cypher_root, load_queries


async def main(uri: str, user: str, password: str, deed: str) -> None:
    settings = Neo4jSettings.model_validate({})
    database = Database(open_driver(uri, user, password, settings), settings)
    try:
        await database.ping()
        say("ready")
        await asyncio.to_thread(sys.stdin.readline)
        await (hold(database) if deed == "hold" else apply(database))
    finally:
        await database.aclose()


async def apply(database: Database) -> None:
    say(" ".join(["applied", *(migration.version for migration in await migrate(database, cypher_root()))]))


async def hold(database: Database) -> None:
    query = load_queries(cypher_root())["lock_migrations"]
    async with database.unlimited() as transaction:
        await transaction.execute(query, lock=LOCK)
        say("held")
        await asyncio.sleep(3600)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
