"""Transactions against a real server: rows, parameters, retries, bookmarks, time-outs, credentials."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest
from neo4j import AsyncSession
from neo4j.exceptions import ClientError, SessionExpired

from graphmem.errors import ConfigurationError, OurError, QueryDefinitionError, StoreUnavailable, Unreadable
from graphmem.local.neo4j.server import refusal, silence
from graphmem.model.damage import noted
from graphmem.model.interval import BEGIN, END
from graphmem.store.driver import MINIMUM_NEO4J, Database, Transaction, check_server
from graphmem.store.queries import read_queries
from tests.servers import Servers

QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "driver.cypher")}
NOON = datetime(2026, 5, 3, 12, 0, 0, 123456, tzinfo=UTC)


AnyRow = TypeVar("AnyRow")


@dataclass(frozen=True)
class NoteRow:
    name: str
    at: datetime


@dataclass(frozen=True)
class TouchedRow:
    touched: int


@dataclass(frozen=True)
class TimesRow:
    begin: datetime
    end: datetime
    offset: datetime
    zone: datetime
    none: datetime | None


@pytest.fixture(autouse=True)
async def swept(database: Database, group: str) -> AsyncGenerator[None]:
    yield
    await database.write(lambda transaction: transaction.execute(QUERIES["remove"], group=group))


async def create(database: Database, group: str, name: str) -> NoteRow:
    return await database.write(
        lambda transaction: transaction.single(QUERIES["create"], NoteRow, group=group, name=name, at=NOON)
    )


async def many(database: Database, name: str, row: type[AnyRow], **params: object) -> list[AnyRow]:
    return await database.read(lambda transaction: transaction.run(QUERIES[name], row, **params))


async def test_rows_are_models_in_the_order_of_the_query(database: Database, group: str) -> None:
    await create(database, group, "b")
    await create(database, group, "a")
    assert await many(database, "notes", NoteRow, group=group) == [
        NoteRow(name="a", at=NOON),
        NoteRow(name="b", at=NOON),
    ]


async def test_optional_is_a_row_or_none(database: Database, group: str) -> None:
    async def note() -> NoteRow | None:
        return await database.read(lambda transaction: transaction.optional(QUERIES["note"], NoteRow, group=group))

    assert await note() is None
    assert await create(database, group, "a") == await note()


async def test_a_query_that_returns_another_number_of_rows_is_ours(database: Database, group: str) -> None:
    with pytest.raises(QueryDefinitionError, match="only_note returned 0 rows, not one"):
        await many(database, "only_note", NoteRow, group=group)
    await create(database, group, "a")
    await create(database, group, "b")
    with pytest.raises(QueryDefinitionError, match="note returned 2 rows, not optional"):
        await many(database, "note", NoteRow, group=group)


async def test_instants_are_exact_in_utc_and_null_stays_none(database: Database) -> None:
    (row,) = await many(database, "times", TimesRow, begin=BEGIN, end=END)
    assert (row.begin, row.end, row.none) == (BEGIN, END, None)
    assert row.offset == datetime(2026, 5, 3, 0, 0, 0, 123456, tzinfo=UTC)
    assert row.zone == datetime(2025, 12, 31, 23, tzinfo=UTC)
    assert {value.tzinfo for value in (row.begin, row.end, row.offset, row.zone)} == {UTC}


async def test_a_naive_time_from_the_database_is_refused(database: Database) -> None:
    with pytest.raises(Unreadable, match="has no UTC offset"):
        await many(database, "naive", NoteRow)


async def test_a_row_that_is_not_the_model_is_named_without_its_content(database: Database) -> None:
    with pytest.raises(Unreadable, match="its property at is wrong") as caught:
        await many(database, "two_columns", NoteRow)
    assert "secret content" not in str(caught.value)
    assert caught.value.__cause__ is None


def torn(times: int) -> type[NoteRow]:
    """A row that comes in part in so many answers, as those do that are deleted while they are read.

    What is not read whole is read once more, row by row.
    """
    left = [2 * times]

    @dataclass(frozen=True)
    class TornRow(NoteRow):
        def __post_init__(self) -> None:
            left[0] -= 1
            if left[0] >= 0:
                raise ValueError("half of it")

    TornRow.__name__ = "NoteRow"
    return TornRow


async def test_what_comes_in_part_is_asked_for_again(database: Database, group: str) -> None:
    await create(database, group, "a")
    (row,) = await database.run(QUERIES["notes"], torn(3), group=group)
    assert (row.name, row.at) == ("a", NOON)


async def test_what_never_comes_whole_is_left_out_and_named(database: Database, group: str) -> None:
    await create(database, group, "a")
    with noted() as damage:
        assert await database.run(QUERIES["notes"], torn(4), group=group) == []
    assert [one.why for one in damage] == ["half of it"]


async def test_a_column_that_is_missing_is_ours(database: Database, group: str) -> None:
    @dataclass(frozen=True)
    class NoteRow:
        name: str
        at: datetime
        colour: str

    await create(database, group, "a")
    with pytest.raises(QueryDefinitionError, match="notes returns no NoteRow: colour: Field required"):
        await database.run(QUERIES["notes"], NoteRow, group=group)


@pytest.mark.parametrize(("params", "named"), [({}, "group"), ({"group": "g", "limit": 1}, "limit")])
async def test_parameters_are_exactly_those_declared(database: Database, params: dict[str, object], named: str) -> None:
    with pytest.raises(QueryDefinitionError, match=f"called with other parameters: {named}"):
        await many(database, "notes", NoteRow, **params)


async def test_the_model_is_that_of_the_header(database: Database, group: str) -> None:
    with pytest.raises(QueryDefinitionError, match="returns NoteRow, and is called for TouchedRow"):
        await many(database, "notes", TouchedRow, group=group)


async def test_a_write_query_is_refused_in_a_read_transaction(database: Database, group: str) -> None:
    with pytest.raises(QueryDefinitionError, match="touch writes, and is called in a read transaction"):
        await database.read(lambda transaction: transaction.execute(QUERIES["touch"], group=group, name="a"))


async def test_the_server_refuses_a_write_that_calls_itself_read(database: Database, group: str) -> None:
    with pytest.raises(OurError, match="AccessMode"):
        await database.read(lambda transaction: transaction.execute(QUERIES["falsely_read"], group=group))


async def test_who_fails_leaves_nothing(database: Database, group: str) -> None:
    async def work(transaction: Transaction) -> None:
        await transaction.single(QUERIES["create"], NoteRow, group=group, name="a", at=NOON)
        raise QueryDefinitionError("half way")

    with pytest.raises(QueryDefinitionError, match="half way"):
        await database.write(work)
    assert await many(database, "notes", NoteRow, group=group) == []


async def test_who_writes_reads_it(database: Database, group: str) -> None:
    for count in range(1, 21):
        await create(database, group, str(count))
        assert len(await many(database, "notes", NoteRow, group=group)) == count


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> list[Exception]:
    """What auto-commit transactions raise, one after the other; the test puts it in."""
    errors: list[Exception] = []

    async def refuse(*_: object) -> None:
        raise errors.pop(0)

    monkeypatch.setattr(AsyncSession, "run", refuse)
    return errors


async def test_a_read_whose_connection_is_lost_is_tried_again(
    database: Database, group: str, refused: list[Exception]
) -> None:
    note = await create(database, group, "a")
    refused.append(SessionExpired("the server went away"))
    assert await database.run(QUERIES["notes"], NoteRow, group=group) == [note]
    assert refused == []


async def test_a_read_that_is_wrong_is_not_tried_again(
    database: Database, group: str, refused: list[Exception]
) -> None:
    refused.append(ClientError("no such function"))
    with pytest.raises(OurError):
        await database.run(QUERIES["notes"], NoteRow, group=group)


async def test_a_deadlock_is_tried_again(database: Database, group: str) -> None:
    await create(database, group, "a")
    await create(database, group, "b")
    both, attempts = asyncio.Barrier(2), list[str]()

    async def touch_both(first: str, second: str) -> None:
        async def work(transaction: Transaction) -> None:
            attempts.append(first)
            await transaction.execute(QUERIES["touch"], group=group, name=first)
            if len(attempts) <= 2:
                await both.wait()
            await transaction.execute(QUERIES["touch"], group=group, name=second)

        await database.write(work)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(touch_both("a", "b"))
        tasks.create_task(touch_both("b", "a"))
    assert [row.touched for row in await many(database, "touched", TouchedRow, group=group)] == [2, 2]
    assert len(attempts) > 2


async def test_work_that_takes_too_long_is_unavailable(servers: Servers) -> None:
    hurried = servers.open(transaction_timeout=0.2)
    with pytest.raises(StoreUnavailable):
        await hurried.read(lambda transaction: transaction.execute(QUERIES["slow"]))
    await hurried.aclose()


async def test_a_good_server_tells_its_version(servers: Servers) -> None:
    assert await check_server(servers.uri, servers.user, servers.password) >= MINIMUM_NEO4J


async def test_wrong_credentials_are_a_matter_of_configuration(servers: Servers) -> None:
    if not servers.password:
        pytest.skip("this server has authentication off")
    with pytest.raises(ConfigurationError, match="NEO4J_PASSWORD"):
        await check_server(servers.uri, servers.user, "wrong")


async def test_an_unknown_database_is_a_matter_of_configuration(servers: Servers) -> None:
    elsewhere = servers.open(database="elsewhere")
    with pytest.raises(ConfigurationError, match="NEO4J_DATABASE"):
        await elsewhere.read(lambda transaction: transaction.run(QUERIES["notes"], NoteRow, group="g"))
    await elsewhere.aclose()


def test_a_server_that_does_not_let_us_in_answers_all_the_same(servers: Servers) -> None:
    """To start it again would not change that."""
    assert "refuses the user" in (refusal(servers.uri, "wrong") or "")
    assert silence(servers.uri, "wrong") is None
    assert silence("bolt://127.0.0.1:1", "wrong") is not None
