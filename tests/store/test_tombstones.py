"""What is forgotten or closed comes in no more, by any door and however many knock at once, until it is lifted."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import pytest

from graphmem.clock import utc_now
from graphmem.errors import Barred, Forgotten, OptedOut
from graphmem.memory import Memory
from graphmem.model.episode import Episode
from graphmem.model.evidence import StructuredClaim, total
from graphmem.model.interval import BEGIN, LATEST
from graphmem.model.principal import Actor
from graphmem.model.scope import Scope
from graphmem.model.tombstone import LEAST_CHARS, entrant_of
from graphmem.store.change.statements import Statements
from graphmem.store.driver import Database, Transaction
from graphmem.store.tombstone import TombstoneStore
from graphmem.trust.tombstones import Tombstones
from tests.models import INSTALLATION, memory_on, shipped_queries
from tests.store.test_acts import likes, the_only
from tests.store.test_evidence import day

LONG = "Maya knows Ivo. " * (LEAST_CHARS // 16 + 1)


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


@pytest.fixture
def tombstones(memory: Memory) -> Tombstones:
    return Tombstones(TombstoneStore.beside(memory.store), INSTALLATION, utc_now)


def turn(group: str, number: int = 0, **changes: object) -> Episode:
    said = Episode(group_id=group, session="s", content="Maya knows Ivo", occurred_at=day(number), user="ann")
    return replace(said, **changes)


def claim(colour: str, **changes: object) -> StructuredClaim:
    return likes(colour, 1, 0.5, user="ann", **changes)


async def stored(memory: Memory, group: str) -> set[str]:
    page = await memory.store.episodes(Scope(group, LATEST), status=None, after=(BEGIN, ""), limit=500)
    return {found.id for found in page.episodes}


async def test_what_was_forgotten_comes_in_again_once_that_is_lifted(
    memory: Memory, tombstones: Tombstones, group: str
) -> None:
    forgotten, others = turn(group), [turn(group, 1), turn(group, user="bo")]
    (known,) = await memory.intake.remember(group, [forgotten])
    await tombstones.bar(group, [known.id], [], "r-1")
    refused: dict[int, Barred] = {}
    receipts = await memory.intake.remember(group, [others[0], forgotten, others[1]], refused)
    assert [receipt.id for receipt in receipts] == [episode.id for episode in others]
    assert list(refused) == [1]
    with pytest.raises(Forgotten, match="/tombstones/lift") as caught:
        await memory.intake.remember(group, [others[0], forgotten])
    for user, count in (("bo", 0), ("ann", 1), (None, 0)):
        assert len(await tombstones.lift(group, caught.value.tombstones, user, by="")) == count
    assert [one.new for one in await memory.intake.remember(group, [forgotten])] == [False]


async def test_claims_that_were_forgotten_are_left_out_of_a_list_and_change_nothing(
    memory: Memory, tombstones: Tombstones, group: str
) -> None:
    told = [claim("red", external_id="1"), claim("blue", external_id="2")]
    (known,), _ = await memory.intake.assert_claims(group, told[:1])
    await tombstones.bar(group, [known.episode_id], [])
    with pytest.raises(Forgotten):
        await memory.intake.assert_claims(group, told)
    assert await stored(memory, group) == {known.episode_id}
    refused: dict[int, Barred] = {}
    (receipt,), outcome = await memory.intake.assert_claims(group, told, refused)
    assert (list(refused), receipt.new, outcome.new_claims) == ([0], True, 1)
    assert await memory.intake.assert_claims(group, told[:1], refused) == ([], total(()))


async def test_nothing_of_a_user_who_opted_out_comes_in_by_any_door_and_all_is_read(
    memory: Memory, tombstones: Tombstones, group: str, subtests: pytest.Subtests
) -> None:
    await memory.intake.assert_claims(group, [claim("red")])
    row, ann, before = await the_only(memory, group), Actor("ann"), await stored(memory, group)
    await tombstones.opt_out(group, "ann")
    (told,) = (await memory.reader.evidence(Scope(group, day(40)), row.id)).claims
    doors: dict[str, Callable[[], Awaitable[object]]] = {
        "episodes": lambda: memory.intake.remember(group, [turn(group)]),
        "claims": lambda: memory.intake.assert_claims(group, [claim("blue")]),
        "correct a claim": lambda: memory.intake.correct(group, told.id, claim("blue"), by=ann),
        "confirm": lambda: memory.facts.confirm(group, row.id, ann),
        "reject": lambda: memory.facts.reject(group, row.id),
    }
    for name, door in doors.items():
        with subtests.test(name), pytest.raises(OptedOut, match="'ann' opted out"):
            await door()
    assert await stored(memory, group) == before
    assert (await the_only(memory, group)).id == row.id
    await memory.intake.remember(group, [turn(group, user="bo"), turn(group, user="")])
    await memory.intake.retract(group, told.id, by=ann)
    assert await tombstones.opted_out(group, "bo") is None
    await tombstones.opt_in(group, "ann", by="")
    assert await tombstones.opted_out(group, "ann") is None
    await memory.intake.remember(group, [turn(group)])


async def test_what_is_said_of_a_belief_in_the_words_of_what_was_forgotten_is_refused(
    memory: Memory, tombstones: Tombstones, group: str
) -> None:
    await memory.intake.assert_claims(group, [claim("red")])
    row = await the_only(memory, group)
    (known,) = await memory.intake.remember(group, [turn(group, content=LONG)])
    await tombstones.bar(group, [known.id], [])
    with pytest.raises(Forgotten):
        await memory.facts.reject(group, row.id, reason=LONG)


async def test_of_many_that_knock_none_comes_in_once_it_is_barred(
    memory: Memory, tombstones: Tombstones, group: str
) -> None:
    """A content that comes again and again, of one user, in other sessions and at other times."""
    posts = [turn(group, number, session=f"s{number}", content=LONG) for number in range(60)]
    claims = [replace(claim("red", statement=LONG), occurred_at=day(number)) for number in range(20)]
    (known,) = await memory.intake.remember(group, posts[:1])
    doors: list[Awaitable[object]] = [memory.intake.remember(group, [post]) for post in posts[1:]]
    doors += [memory.intake.assert_claims(group, [told]) for told in claims]
    knocking = [asyncio.ensure_future(door) for door in doors]
    await knocking[5]
    await tombstones.bar(group, [known.id], [])
    at_once = await stored(memory, group)
    await asyncio.wait(knocking)
    refused = [error for one in knocking if (error := one.exception())]
    assert {type(error) for error in refused} <= {Forgotten}
    assert await stored(memory, group) == at_once
    assert len(at_once) + len(refused) == 1 + len(knocking)


async def test_who_bars_waits_for_what_comes_in_and_it_for_who_bars(
    database: Database, memory: Memory, tombstones: Tombstones, group: str
) -> None:
    (known,) = await memory.intake.remember(group, [turn(group)])
    entrants = [entrant_of(INSTALLATION.hash, turn(group))]
    inside, leave = asyncio.Event(), asyncio.Event()

    async def come_in(transaction: Transaction) -> None:
        await Statements(transaction, shipped_queries(), group).admit(entrants)
        inside.set()
        await leave.wait()

    entering = asyncio.ensure_future(database.write(come_in))
    await inside.wait()
    waiting = list[asyncio.Future[None]]()
    for bar in (tombstones.bar(group, [known.id], []), tombstones.opt_out(group, "ann")):
        barring = asyncio.ensure_future(bar)
        done, _ = await asyncio.wait([barring, entering], timeout=0.5)
        assert not done
        waiting.append(barring)
    leave.set()
    for one in (entering, *waiting):
        await one
    with pytest.raises(OptedOut):
        await memory.intake.remember(group, [turn(group)])


async def test_what_comes_in_leaves_no_tombstone(memory: Memory, tombstones: Tombstones, group: str) -> None:
    await memory.intake.remember(group, [turn(group)])
    ids: Sequence[str] = entrant_of(INSTALLATION.hash, turn(group)).ids
    assert await tombstones.lift(group, ids, None, by="") == []
    assert await tombstones.opted_out(group, "ann") is None
