"""Every look-up is planned as one, also where Neo4j counts so little that it would as soon read a whole index.

A scan that others write into meanwhile leaves entries out (isolation levels, below): a belief that is to be superseded
stays. https://neo4j.com/docs/operations-manual/current/database-internals/locks-deadlocks/#_isolation_levels
"""

import re

from graphmem.model.interval import BEGIN, END
from graphmem.store.driver import Database
from graphmem.store.queries import Query, cypher_root
from tests.store.planning import planned
from tests.store.test_queries import ALL, execute

GROUP = "seed-of-a-young-database"
CHANGES = ("digest", "identity", "tombstone", "forget")
"""Files of queries of which a transaction that changes beliefs is made."""


def of_changes() -> list[Query]:
    texts = "".join((cypher_root() / "queries" / f"{file}.cypher").read_text() for file in CHANGES)
    return [query for name, query in ALL.items() if f"// name: {name}\n" in texts]


async def scans(database: Database, query: Query) -> set[str]:
    return {step for step in (await planned(database, query)).operators if "Scan" in step} - query.allowed


async def seeded(database: Database, count: int) -> None:
    await execute(database, "unseed", group=GROUP)
    await execute(database, "seed", group=GROUP, count=count, begin=BEGIN, end=END)


def test_a_change_names_the_index_of_whatever_it_looks_up() -> None:
    """What the planner takes by itself depends on what other groups are in the database."""
    for file in CHANGES:
        lines = (cypher_root() / "queries" / f"{file}.cypher").read_text().splitlines()
        for at, line in enumerate(lines):
            if re.search(r"MATCH .*\{\w+: ", line):
                assert any("USING INDEX SEEK" in hint for hint in lines[at + 1 : at + 5]), (file, at + 1, line)


async def test_a_change_looks_up_what_it_changes_however_little_there_is(own_database: Database) -> None:
    for count in (1, 4):
        await seeded(own_database, count)
        await execute(own_database, "forget_plans")
        assert {query.name: found for query in of_changes() if (found := await scans(own_database, query))} == {}
    await execute(own_database, "unseed", group=GROUP)
