"""The audit on a real database: a row in the transaction of each change, and chains in which nothing can be changed."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem.model.audit import FIRST, PROCESS, Asker, AuditRow, asking
from graphmem.process.tasks import together
from graphmem.store.audit import AuditStore
from graphmem.store.driver import Database, Transaction
from graphmem.store.group import GroupStore
from graphmem.store.named import GroupQueries
from graphmem.store.queries import cypher_root, load_queries, read_queries
from graphmem.store.tombstone import TombstoneStore
from graphmem.trust.audit import Audit
from tests.models import INSTALLATION, memory_on

NOW = datetime(2026, 5, 1, tzinfo=UTC)
TAMPERING = {query.name: query for query in read_queries(Path(__file__).parent / "audit.cypher")}
ASKER = Asker(key="3f9a1c07be52", operation="PUT /v1/groups/{group}/dates", user="u", agent="a", address="10.0.0.1")
QUERIES = load_queries(cypher_root())
ROWS = 5


@dataclass(frozen=True, slots=True)
class Books:
    """A group, the audit of it, and something that leaves a row."""

    group: str
    database: Database
    audit: Audit
    tombstones: TombstoneStore

    async def act(self, number: int) -> None:
        await self.tombstones.bar(self.group, [(f"{self.group}-{number}", "")], "", NOW)

    async def rows(self) -> list[AuditRow]:
        return await self.audit.rows(self.group, self.audit.asked(self.group))


@pytest.fixture
def books(database: Database, group: str) -> Books:
    store = memory_on(database).store
    audit = Audit(AuditStore.beside(store), INSTALLATION, "admin")
    return Books(group, database, audit, TombstoneStore.beside(store))


@pytest.fixture
async def chained(books: Books) -> Books:
    """A chain of some rows."""
    for number in range(ROWS):
        await books.act(number)
    assert await books.audit.chain_group(books.group) == ROWS
    return books


async def test_a_change_leaves_a_row_of_who_had_it_done_and_of_what(books: Books) -> None:
    with asking(ASKER):
        await books.act(1)
    await books.act(2)
    asked, unasked = await books.rows()
    (things,) = asked.changed
    assert (things.kind, things.count, things.ids) == ("tombstones", 1, (f"{books.group}-1",))
    assert (asked.key, asked.operation, asked.user, asked.agent, asked.address, asked.place) == (
        *(ASKER.key, ASKER.operation, ASKER.user, ASKER.agent, ASKER.address),
        None,
    )
    assert (unasked.key, unasked.operation, unasked.user) == (PROCESS, "bar", None)


async def test_what_is_rolled_back_or_changes_nothing_leaves_no_row(books: Books) -> None:
    async def work(transaction: Transaction) -> None:
        run = GroupQueries(transaction, QUERIES, books.group)
        await run.execute("bar", rows=[{"id": books.group, "owner": ""}], receipt="", now=NOW)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await books.database.write(work)
    assert await books.tombstones.lift(books.group, [books.group]) == []
    assert await books.rows() == []


async def test_that_a_group_is_made_is_in_the_audit_of_the_installation(books: Books) -> None:
    groups = GroupStore.beside(books.tombstones)
    for now in (NOW, NOW.replace(year=NOW.year + 1)):
        await groups.ensure_group(books.group, "m", 3, now)
    asked = books.audit.asked("", thing=books.group)
    assert [row.changed[0].kind for row in await books.audit.rows("", asked)] == ["groups"]


async def test_writers_and_those_who_chain_meanwhile_leave_one_chain(books: Books) -> None:
    async def chain() -> int:
        return sum([await books.audit.chain_group(books.group) for _ in range(10)])

    async def write(first: int) -> int:
        for number in range(first, first + 10):
            await books.act(number)
        return 0

    at_once = await together([*(write(10 * writer) for writer in range(4)), chain(), chain()])
    assert sum(at_once) + await books.audit.chain_group(books.group) == 40
    check = await books.audit.check(books.group)
    assert (check.misfit, check.end.place, check.unchained) == (None, 40, 0)
    assert sorted(row.place or 0 for row in await books.rows()) == list(range(1, 41))


@pytest.mark.parametrize(
    ("tampering", "place"),
    [("says_otherwise", 3), ("taken_away", 3), ("taken_away", ROWS), ("put_twice", 3), ("moved", 3), ("cut_off", 3)],
)
async def test_who_writes_into_neo4j_cannot_change_it_unnoticed(chained: Books, tampering: str, place: int) -> None:
    before = await chained.audit.check(chained.group)
    assert (before.misfit, before.end.place, before.first) == (None, ROWS, FIRST)
    query = TAMPERING[tampering]
    await chained.database.write(lambda transaction: transaction.execute(query, group=chained.group, place=place))
    misfit = (await chained.audit.check(chained.group)).misfit
    assert misfit is not None
    assert misfit.place == place + (tampering == "put_twice")


async def test_old_rows_go_and_the_chain_begins_with_the_hash_of_the_last_of_them(chained: Books) -> None:
    assert not await chained.audit.drop(chained.group, ROWS + 1)
    assert await chained.audit.drop(chained.group, 3)
    await chained.act(ROWS)
    await chained.audit.chain_group(chained.group)
    check = await chained.audit.check(chained.group)
    assert (check.misfit, check.first.place, check.end.place) == (None, 3, ROWS + 1)
    assert [row.place for row in await chained.rows()] == [4, 5, 6]
