"""What a reader sees of who is who: members, names and mentions of one thing, then and now, and no user's secrets."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.errors import NotFound
from graphmem.memory import Memory
from graphmem.model.entity import normalise_name
from graphmem.model.episode import AS_CONFIGURED, Episode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ALONE, Context, Fragment, ThingName
from graphmem.model.ids import entity_id
from graphmem.model.interval import LATEST, MICROSECOND
from graphmem.model.matching import Method, pair_of
from graphmem.model.merge import Merge
from graphmem.model.recall import Cluster, KnownProfile
from graphmem.model.scope import Scope
from graphmem.store.change.statements import Statements
from graphmem.store.driver import Database
from graphmem.store.queries import cypher_root, load_queries
from tests.fakes import ScriptedExtractor
from tests.models import digest, memory_on

QUERIES = load_queries(cypher_root())
SOME_TIME = datetime(2026, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    return datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=number)


class Forgetful(ScriptedExtractor):
    """Finds nothing more in an episode from when it is ``tired``."""

    tired = False

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        read = await super().extract(episode, context)
        return replace(read, mentions=(), claims=()) if self.tired else read


@pytest.fixture
def reader() -> Forgetful:
    return Forgetful()


@pytest.fixture
def memory(database: Database, reader: Forgetful) -> Memory:
    return memory_on(database, extracts=reader)


def id_of(group: str, name: str) -> str:
    return entity_id(group, normalise_name(name))


async def say(memory: Memory, group: str, content: str, number: int, user: str = "") -> str:
    episode = Episode(group_id=group, session="s", content=content, occurred_at=day(number), user=user)
    (remembered,) = await memory.intake.remember(group, [episode])
    await digest(memory, group, remembered.id)
    return remembered.id


async def merge(memory: Memory, group: str, one: str, other: str, user: str = "") -> Merge:
    ids = (id_of(group, one), id_of(group, other))
    made, _ = await memory.merging.merge(group, *ids, reason="told so", user=user)
    return made


async def seen(memory: Memory, group: str, name: str, known_at: datetime = LATEST, user: str | None = None) -> Cluster:
    return await memory.reader.cluster(Scope(group, SOME_TIME, known_at, user), id_of(group, name))


def short(cluster: Cluster) -> tuple[list[str], tuple[str, ...], int]:
    """Names of members, other names, and how many mentions."""
    return [member.entity.name for member in cluster.members], cluster.aliases, cluster.mentions


async def test_members_names_and_mentions_are_those_of_the_time_before_during_and_after_a_merge(
    memory: Memory, group: str
) -> None:
    await say(memory, group, "Tom knows Ann. Tom likes Bo.", 0)
    await say(memory, group, "Tommy knows Cem.", 1)
    made = await merge(memory, group, "Tommy", "Tom")
    done = await memory.merging.revert(group, made.id, reason="cousins")
    assert done.recorded_at is not None

    for known_at in (made.recorded_at - MICROSECOND, done.recorded_at, LATEST):
        assert short(await seen(memory, group, "Tom", known_at)) == ([], (), 2)
        assert short(await seen(memory, group, "Tommy", known_at)) == ([], (), 1)
    for known_at in (made.recorded_at, done.recorded_at - MICROSECOND):
        tom, tommy = await seen(memory, group, "Tom", known_at), await seen(memory, group, "Tommy", known_at)
        assert short(tom) == (["Tommy"], ("Tommy",), 3)
        assert short(tommy) == (["Tommy"], ("Tom",), 3)
        assert [(one.merge_id, one.since) for one in tom.members] == [(made.id, made.recorded_at)]
        assert tommy.entity.part_of == tommy.representative.id == tom.entity.id


async def test_members_are_in_the_order_of_their_merges_and_the_first_name_leads(memory: Memory, group: str) -> None:
    for number, name in enumerate(("Tomas", "Tommy", "Tom")):
        await say(memory, group, f"{name} knows Ann.", number)
    await merge(memory, group, "Tomas", "Tom")
    await merge(memory, group, "Tomas", "Tommy")
    assert short(await seen(memory, group, "Tomas")) == (["Tom", "Tommy"], ("Tom", "Tommy"), 3)
    assert short(await seen(memory, group, "Tommy")) == (["Tom", "Tommy"], ("Tomas", "Tom"), 3)


async def test_mentions_are_those_of_what_had_occurred_and_was_known(
    memory: Memory, reader: Forgetful, group: str
) -> None:
    episode = await say(memory, group, "Tom knows Ann.", 0)
    await say(memory, group, "Tom likes Ann.", 10)
    tom, known_at = id_of(group, "Tom"), (await memory.reader.episode(group, episode)).digested_at
    assert known_at is not None

    async def mentions(at: datetime, known_at: datetime = LATEST) -> int:
        return (await memory.reader.cluster(Scope(group, at, known_at), tom)).mentions

    assert [await mentions(day(number)) for number in (-1, 0, 9, 10)] == [0, 1, 1, 2]
    assert await mentions(day(10), known_at) == 1
    reader.tired = True
    await memory.intake.reprocess(group, episode, AS_CONFIGURED)
    await digest(memory, group, episode)
    assert await mentions(day(10)) == 1
    assert await mentions(day(0)) == 0
    assert await mentions(day(0), known_at) == 1


async def test_a_user_sees_no_name_mention_or_merge_of_another_user(memory: Memory, group: str) -> None:
    await say(memory, group, "TOM knows Ann.", 0, "ann")
    await say(memory, group, "Tom knows Ann.", 1)
    await say(memory, group, "Tommy knows Ann.", 2)
    await say(memory, group, "Tomas knows Ann.", 3)
    await say(memory, group, "Bro knows Ann.", 4, "ann")
    await merge(memory, group, "Tom", "Tommy")
    await merge(memory, group, "Bro", "Tommy", user="ann")
    await merge(memory, group, "Tomas", "Tom", user="bo")

    assert short(await seen(memory, group, "Tommy", user="ann")) == (["Tommy", "Bro"], ("TOM", "Bro"), 4)
    assert short(await seen(memory, group, "Tommy", user="bo")) == (["Tommy", "Tomas"], ("Tom", "Tomas"), 3)
    assert short(await seen(memory, group, "Tommy", user="cem")) == (["Tommy"], ("Tom",), 2)
    assert short(await seen(memory, group, "Tommy")) == (["Tommy"], ("TOM",), 3)
    with pytest.raises(NotFound):
        await seen(memory, group, "Bro", user="bo")


async def test_what_one_user_merges_beside_everybody_s_merges_is_one_cluster_of_that_user(
    memory: Memory, group: str
) -> None:
    for number, name in enumerate(("Thomas", "Tom", "Tommy")):
        await say(memory, group, f"{name} knows Ann.", number)
    shared = await merge(memory, group, "Tommy", "Tom")
    own = await merge(memory, group, "Tommy", "Thomas", user="ann")

    tommy = await seen(memory, group, "Tommy", user="ann")
    assert tommy.representative.name == "Thomas"
    assert [(one.entity.name, one.merge_id) for one in tommy.members] == [("Tommy", shared.id), ("Tom", own.id)]
    assert short(await seen(memory, group, "Thomas", user="ann")) == (["Tommy", "Tom"], ("Tommy", "Tom"), 3)
    assert short(await seen(memory, group, "Tommy")) == (["Tommy"], ("Tom",), 2)


async def test_a_short_name_says_what_it_means_in_which_session(database: Database, memory: Memory, group: str) -> None:
    for number, name in enumerate(("Tom", "Okafor", "Baker")):
        await say(memory, group, f"{name} knows Ann.", number)
    await decide_short(database, group, "Tom", "Okafor", "monday")
    later = await decide_short(database, group, "Tom", "Baker", "tuesday", "ann")

    def meant(cluster: Cluster) -> list[tuple[str, str, str]]:
        return [(one.session, one.user, one.entity.name) for one in cluster.short_for]

    whole = [("monday", "", "Okafor"), ("tuesday", "ann", "Baker")]
    assert meant(await seen(memory, group, "Tom")) == whole
    assert meant(await seen(memory, group, "Tom", user="ann")) == whole
    assert meant(await seen(memory, group, "Tom", user="bo")) == whole[:1]
    assert meant(await seen(memory, group, "Tom", later.recorded_at - MICROSECOND)) == whole[:1]
    assert short(await seen(memory, group, "Tom")) == ([], (), 1)
    assert short(await seen(memory, group, "Okafor")) == ([], (), 1)
    closed = later.recorded_at + timedelta(hours=1)
    await database.write(lambda transaction: Statements(transaction, QUERIES, group).close_merges([later.id], closed))
    assert meant(await seen(memory, group, "Tom")) == whole[:1]
    assert meant(await seen(memory, group, "Tom", closed - MICROSECOND)) == whole


async def decide_short(database: Database, group: str, name: str, other: str, session: str, user: str = "") -> Merge:
    """What a short name means in a session, from a day of its own on; nothing else is written."""
    member, meant = id_of(group, name), id_of(group, other)
    merge = Merge(
        member=member,
        other=meant,
        user=user,
        session=session,
        pair=pair_of(member, meant),
        method=Method.SCORE,
        stage=None,
        score=3.0,
        reason="",
    )
    now = SOME_TIME + timedelta(days=1000 if user else 900)
    await database.write(lambda transaction: Statements(transaction, QUERIES, group).open_merges([merge], now))
    return replace(merge, id=merge.id_at(now), recorded_at=now)


def claim(subject: str, predicate: str, target: str, number: int = 0, user: str = "") -> StructuredClaim:
    """Of Ann and others, or of a value, where the target is no name."""
    is_name = target[0].isupper()
    return StructuredClaim(
        subject=ThingName(subject, "person"),
        predicate=predicate,
        object=ThingName(target, "person") if is_name else None,
        value=None if is_name else target,
        valid_from=day(number),
        occurred_at=day(number),
        user=user,
    )


def believed(profile: KnownProfile) -> set[tuple[str, bool, str | None]]:
    return {
        (one.predicate, one.as_object, one.entity.name if one.entity else str(one.value)) for one in profile.beliefs
    }


async def test_two_stand_side_by_side_with_what_is_believed_of_all_that_each_is(memory: Memory, group: str) -> None:
    claims = [claim("Tom", "knows", "Ann"), claim("Tommy", "likes", "tea", 1), claim("Bo", "likes", "Tom", 2)]
    await memory.intake.assert_claims(group, [*claims, claim("Thomas", "met", "Ann", 3), claim("Thomas", "met", "Cem")])
    await merge(memory, group, "Tom", "Tommy")

    ids = (id_of(group, "Tommy"), id_of(group, "Thomas"))
    both = await memory.merging.side_by_side(Scope(group, SOME_TIME), *ids)

    assert believed(both.first) == {("knows", False, "Ann"), ("likes", False, "tea"), ("likes", True, "Bo")}
    assert (both.first.total, both.first.first_seen, both.first.cluster.entity.protected) == (3, day(1), False)
    assert (both.first.cluster.entity.name, both.first.cluster.aliases) == ("Tommy", ("Tom",))
    assert believed(both.second) == {("met", False, "Ann"), ("met", False, "Cem")}
    assert [(one.entity.name, one.of_first, one.of_second) for one in both.neighbours] == [
        ("Ann", ("knows",), ("met",))
    ]
    back = await memory.merging.side_by_side(Scope(group, SOME_TIME), *reversed(ids))
    assert (back.first, back.second) == (both.second, both.first)
    assert [(one.of_first, one.of_second) for one in back.neighbours] == [(("met",), ("knows",))]


async def test_what_ended_or_is_not_yet_is_in_no_profile(memory: Memory, group: str) -> None:
    ended = replace(claim("Tom", "knows", "Ann"), valid_to=day(5))
    await memory.intake.assert_claims(group, [ended, claim("Tom", "knows", "Bo", 9), claim("Tommy", "knows", "Ann")])
    ids = (id_of(group, "Tom"), id_of(group, "Tommy"))

    async def at(number: int) -> tuple[int, int]:
        both = await memory.merging.side_by_side(Scope(group, day(number)), *ids)
        return both.first.total, len(both.neighbours)

    assert [await at(number) for number in (3, 7, 9)] == [(1, 1), (0, 0), (1, 0)]


async def test_of_many_beliefs_the_most_important_are_shown(memory: Memory, group: str) -> None:
    some = [replace(claim("Tom", "has", f"thing {number}"), importance=number / 100) for number in range(30)]
    friends = [claim(name, "knows", f"Friend {number}") for name in ("Tom", "Tommy") for number in range(22)]
    await memory.intake.assert_claims(group, [*some, *(replace(one, importance=0.0) for one in friends)])

    both = await memory.merging.side_by_side(Scope(group, SOME_TIME), id_of(group, "Tom"), id_of(group, "Tommy"))

    assert both.first.total == 52
    assert believed(both.first) == {("has", False, f"thing {number}") for number in range(10, 30)}
    assert len(both.neighbours) == 20
    assert both.second.total == 22


async def test_a_user_sees_no_belief_neighbour_or_first_sight_of_another_user(memory: Memory, group: str) -> None:
    shared = [claim("Tom", "knows", "Ann", 5), claim("Tommy", "knows", "Ann", 5)]
    own = [claim("TOM", "met", "Cem", 0, "ann"), claim("Tommy", "met", "Cem", 1, "ann")]
    await memory.intake.assert_claims(group, [*shared, *own])

    async def shown(user: str | None) -> tuple[str, datetime, int, list[str]]:
        ids = (id_of(group, "Tom"), id_of(group, "Tommy"))
        both = await memory.merging.side_by_side(Scope(group, SOME_TIME, user=user), *ids)
        names = sorted(one.entity.name for one in both.neighbours)
        return both.first.cluster.entity.name, both.first.first_seen, both.first.total, names

    assert await shown("bo") == ("Tom", day(5), 1, ["Ann"])
    assert await shown("ann") == await shown(None) == ("TOM", day(0), 2, ["Ann", "Cem"])
