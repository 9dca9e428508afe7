"""Keys on a real database: what one process changes, others go by within a second; and what is kept of a key."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graphmem.errors import ConfigurationError, Conflict, Forbidden, InvalidInput, NotFound, Unauthenticated
from graphmem.model.key import Key
from graphmem.model.principal import Principal, Right
from graphmem.store.driver import Database, Transaction
from graphmem.store.key import KeyStore
from graphmem.store.queries import read_queries
from graphmem.trust.keys import Installation, Keys
from tests.models import memory_on, shipped_queries
from tests.mortal import Killed, MortalDatabase

QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "keys.cypher")}
NOW = datetime(2026, 5, 1, 12, 30, 15, tzinfo=UTC)
HOUR = timedelta(hours=1)
ROOT = Principal()
READER = Principal(rights=frozenset({Right.READ}), groups=("g",), users=("ann",), agents=("clerk",))
ADMIN, ADMIN_OF_ALL = Principal(groups=("team-*",)), Principal(key="another")


class Times:
    """A clock, and the seconds of a process, as the test says."""

    def __init__(self) -> None:
        self.now = NOW
        self.seconds = 0.0

    def pass_by(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.seconds += seconds


class Processes:
    """Two processes of one service, and one with another secret."""

    def __init__(self, database: Database) -> None:
        self.times = Times()
        self.store = KeyStore.beside(memory_on(database).store)
        self.one, self.other = (self._keys("the secret of a service") for _ in range(2))
        self.foreign = self._keys("that of another service")

    def _keys(self, secret: str) -> Keys:
        return Keys(self.store, Installation(secret), lambda: self.times.now, lambda: self.times.seconds)


async def all_keys(keys: Keys) -> list[Key]:
    """All that there are, whoever made them."""
    listed = list[Key]()
    while page := await keys.listed(ROOT, listed[-1].id if listed else "", 500):
        listed += page
    return listed


@pytest.fixture
def processes(database: Database) -> Processes:
    return Processes(database)


async def test_a_key_opens_what_it_was_made_for_and_is_kept_as_a_hash(processes: Processes) -> None:
    made = await processes.one.make(ROOT, "a reader", READER)
    may = await processes.other.principal_of(made.secret)
    assert (may.rights, may.groups, may.users, may.agents) == (READER.rights, ("g",), ("ann",), ("clerk",))
    assert may.key == made.key.id
    assert made.secret.startswith(f"gm_{may.key}_")
    stored = await processes.store.key(made.key.id)
    assert stored is not None
    assert made.secret.split("_")[2][:43] not in repr(stored)


@pytest.mark.parametrize("change", ["", "x", "gm_000000000000_", "\u00e9"])
async def test_nothing_else_opens(processes: Processes, change: str) -> None:
    made = await processes.one.make(ROOT, "a reader", READER)
    for shown in (made.secret[:-1] + change, made.secret.swapcase(), change + made.secret):
        if shown != made.secret:
            with pytest.raises(Unauthenticated, match="not one of this service"):
                await processes.one.principal_of(shown)


async def test_what_is_revoked_opens_nothing_within_a_second_in_any_process(processes: Processes) -> None:
    made = await processes.one.make(ROOT, "a reader", READER)
    for keys in (processes.one, processes.other):
        await keys.principal_of(made.secret)
    await processes.one.revoke(ROOT, made.key.id)
    with pytest.raises(Unauthenticated, match="was revoked"):
        await processes.one.principal_of(made.secret)
    processes.times.pass_by(1)
    with pytest.raises(Unauthenticated, match="was revoked"):
        await processes.other.principal_of(made.secret)
    again = await processes.one.revoke(ADMIN_OF_ALL, made.key.id)
    assert (again.revoked_at, again.revoked_by) == (NOW, "")


async def test_a_key_ends_when_it_was_said_to(processes: Processes) -> None:
    made = await processes.one.make(ROOT, "a reader", replace(READER, expires_at=NOW + HOUR))
    await processes.one.principal_of(made.secret)
    processes.times.pass_by(HOUR.total_seconds())
    with pytest.raises(Unauthenticated, match="expired at 2026-05-01 13:30 UTC"):
        await processes.one.principal_of(made.secret)
    with pytest.raises(Conflict, match="expired"):
        await processes.one.replace(ROOT, made.key.id, HOUR)
    with pytest.raises(InvalidInput, match="opens nothing"):
        await processes.one.make(ROOT, "too late", replace(READER, expires_at=NOW))


async def test_the_one_that_replaces_a_key_may_as_much_and_both_open_for_a_while(processes: Processes) -> None:
    made = await processes.one.make(ROOT, "a reader", replace(READER, expires_at=NOW + 2 * HOUR))
    new = await processes.one.replace(ROOT, made.key.id, HOUR)
    assert (new.key.replaces, new.key.label) == (made.key.id, "a reader")
    for secret in (made.secret, new.secret):
        assert (await processes.other.principal_of(secret)).users == ("ann",)
    processes.times.pass_by(HOUR.total_seconds())
    with pytest.raises(Unauthenticated, match="expired"):
        await processes.other.principal_of(made.secret)
    assert (await processes.other.principal_of(new.secret)).groups == ("g",)


async def test_a_key_is_replaced_or_is_not_wherever_that_is_killed_and_once_more_comes_to_the_same_end(
    database: Database,
) -> None:
    mortal = MortalDatabase(database)
    keys = Keys(KeyStore(mortal, shipped_queries()), Installation("the secret of a service"), lambda: NOW)
    deaths, new = 0, None
    while new is None:
        made = await keys.make(ROOT, "a reader", READER)
        mortal.dies_at = deaths + 1
        try:
            new = await keys.replace(ROOT, made.key.id, HOUR)
        except Killed:
            deaths += 1
            after = await keys.replace(ROOT, made.key.id, HOUR)
            for secret in (made.secret, after.secret):
                await keys.principal_of(secret)
            assert [key.id for key in await all_keys(keys) if key.replaces == made.key.id] == [after.key.id]
            assert [key.expires_at for key in await all_keys(keys) if key.id == made.key.id] == [NOW + HOUR]
    mortal.dies_at = 0
    assert deaths > 1

    with pytest.raises(Conflict, match="graphmem key list"):  # whoever never heard of the new one
        await keys.replace(ROOT, new.key.replaces or "", HOUR)
    (lost,) = [key.id for key in await all_keys(keys) if key.replaces == new.key.replaces]
    again = await keys.replace(ROOT, lost, timedelta(0))
    assert (await keys.principal_of(again.secret)).users == READER.users
    with pytest.raises(Unauthenticated, match="expired"):
        await keys.principal_of(new.secret)


async def test_an_overlap_prolongs_no_key_and_the_next_one_lasts_as_long(processes: Processes) -> None:
    made = await processes.one.make(ROOT, "a reader", replace(READER, expires_at=NOW + HOUR))
    processes.times.pass_by(600)
    new = await processes.one.replace(ROOT, made.key.id, 5 * HOUR)
    assert new.key.expires_at == NOW + HOUR + timedelta(seconds=600)
    stored = await processes.store.key(made.key.id)
    assert stored is not None
    assert stored.key.expires_at == NOW + HOUR
    with pytest.raises(Conflict, match="another one has its place"):
        await processes.one.replace(ROOT, made.key.id, HOUR)


async def test_no_key_outlives_the_administrator_that_made_it(processes: Processes) -> None:
    ends = NOW + HOUR
    guest = Principal(key="guest", expires_at=ends)
    made = await processes.one.make(guest, "a reader", READER)
    assert made.key.expires_at == ends
    with pytest.raises(Forbidden, match="no longer"):
        await processes.one.make(guest, "for ever", replace(READER, expires_at=ends + HOUR))
    eternal = await processes.one.make(ROOT, "a reader", READER)
    assert (await processes.one.replace(guest, eternal.key.id, HOUR)).key.expires_at == ends


@pytest.mark.parametrize("name", ["widened", "for_all", "as_any"])
async def test_what_somebody_changes_in_neo4j_opens_nothing(
    processes: Processes, name: str, database: Database
) -> None:
    made = await processes.one.make(ROOT, "a reader", READER)

    async def change(transaction: Transaction) -> None:
        await transaction.execute(QUERIES[name], id=made.key.id)

    await database.write(change)
    with pytest.raises(Unauthenticated, match="not one of this service"):
        await processes.one.principal_of(made.secret)


def test_a_short_secret_is_none() -> None:
    with pytest.raises(ConfigurationError, match="less than 16 characters"):
        Installation("")


async def test_of_what_may_more_an_administrator_hears_nothing(processes: Processes) -> None:
    own = await processes.one.make(ADMIN, "own", Principal(groups=("team-1",)))
    above = await processes.one.make(ROOT, "above", Principal())
    listed = {key.id for key in await processes.one.listed(ADMIN, "", 10_000)}
    assert own.key.id in listed
    assert above.key.id not in listed
    for act in (processes.one.revoke(ADMIN, above.key.id), processes.one.replace(ADMIN, above.key.id, HOUR)):
        with pytest.raises(NotFound, match=f"no key gm_{above.key.id}"):
            await act
    with pytest.raises(Forbidden):
        await processes.one.make(ADMIN, "more", Principal())
    with pytest.raises(Forbidden, match="administrator"):
        await processes.one.listed(READER, "", 10)


async def test_all_keys_are_listed_in_order_page_by_page(processes: Processes) -> None:
    made = {(await processes.one.make(ROOT, "one of several", READER)).key.id for _ in range(3)}
    after, listed = "", list[str]()
    while page := await processes.one.listed(ROOT, after, 2):
        listed += [key.id for key in page]
        after = listed[-1]
    assert listed == sorted(set(listed))
    assert made <= set(listed)


async def test_the_minute_of_the_last_use_is_written_later_and_never_goes_back(processes: Processes) -> None:
    made = await processes.one.make(ROOT, "a reader", READER)
    await processes.one.principal_of(made.secret)
    processes.times.pass_by(120)
    await processes.other.principal_of(made.secret)
    for keys in (processes.other, processes.one):
        await keys.flush()
    stored = await processes.store.key(made.key.id)
    assert stored is not None
    assert stored.key.used_at == NOW.replace(second=0) + timedelta(minutes=2)


async def test_a_key_of_another_service_opens_nothing(processes: Processes) -> None:
    made = await processes.one.make(ROOT, "a reader", READER)
    with pytest.raises(Unauthenticated, match="made under another secret"):
        await processes.foreign.principal_of(made.secret)
