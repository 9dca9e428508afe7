"""What users share with everybody, on a real database: a value under its names, dated, and taken back."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.clock import utc_now
from graphmem.errors import Conflict, Forbidden, NotFound
from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimKind
from graphmem.model.principal import Actor
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from tests.models import memory_on
from tests.properties.machines import ON_A_DATABASE
from tests.store.test_merges import claim, day, merge

LATER = day(300)


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


async def seen(memory: Memory, group: str, user: str, known_at: datetime | None = None) -> dict[str, BeliefRow]:
    """What a user sees of what is believed of a late day, by its statement."""
    scope = Scope(group, LATER, user=user) if known_at is None else Scope(group, LATER, known_at, user=user)
    graph = await memory.reader.graph(scope, GraphQuery())
    return {row.statement: row for row in graph.beliefs}


async def share(memory: Memory, group: str, statement: str, user: str = "ann") -> None:
    row = (await seen(memory, group, user))[statement]
    await memory.facts.share(group, row.belief_id, Actor(user))


async def test_what_is_shared_is_seen_with_its_words_and_not_with_the_rest(memory: Memory, group: str) -> None:
    private = claim("Tom", "knows", "Zoe", 0, "ann")
    await memory.intake.assert_claims(group, [claim("Tom", "lives_in", "Porto", 0, "ann"), private])
    assert await seen(memory, group, "ben") == {}

    await share(memory, group, "Tom lives in Porto.")

    (row,) = (await seen(memory, group, "ben")).values()
    found = await memory.reader.evidence(Scope(group, LATER, user="ben"), row.id)
    assert (row.statement, row.user, row.shared) == ("Tom lives in Porto.", "ann", True)
    assert [one.quote for one in row.evidence] == ["Tom lives in Porto."]
    assert ([one.statement for one in found.claims], found.episodes) == (["Tom lives in Porto."], ())
    with pytest.raises(NotFound):
        await memory.reader.episode(group, row.evidence[0].episode_id, user="ben")
    names = {one.name for one in await memory.reader.entities(Scope(group, LATER, user="ben"))}
    assert names == {"Tom", "Porto"}
    assert (await seen(memory, group, "ann"))["Tom knows Zoe."].shared is False


async def test_who_may_see_the_past_is_judged_now_and_answers_say_when_that_changed(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Tom", "lives_in", "Porto", 0, "ann")])
    before = utc_now()
    await memory.intake.assert_claims(
        group, [replace(claim("Tom", "lives_in", "Porto", 90, "ann"), kind=ClaimKind.ENDS)]
    )
    (ended,) = list((await memory.reader.graph(Scope(group, day(9), user="ann"), GraphQuery())).beliefs)

    shared = await memory.facts.share(group, ended.belief_id, Actor("ann"))
    assert shared.versions == 2
    assert list(await seen(memory, group, "ben", before)) == ["Tom lives in Porto."]
    assert (await memory.store.past_changed(group)).access_changed_at == shared.access_changed_at

    taken_back = await memory.facts.unshare(group, ended.belief_id, Actor("ann"))
    assert await seen(memory, group, "ben", before) == {}
    assert list(await seen(memory, group, "ann", before)) == ["Tom lives in Porto."]
    assert await memory.reader.entities(Scope(group, LATER, user="ben")) == []
    assert (await memory.store.past_changed(group)).access_changed_at == taken_back.access_changed_at
    again = await memory.facts.unshare(group, ended.belief_id, Actor("ann"))
    assert again.versions == 0
    assert (await memory.store.past_changed(group)).access_changed_at == taken_back.access_changed_at


async def test_another_value_is_not_shared_with_it_and_the_same_said_again_is(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Tom", "lives_in", "Porto", 0, "ann")])
    await share(memory, group, "Tom lives in Porto.")

    await memory.intake.assert_claims(group, [claim("Tom", "lives_in", "Rome", 50, "ann")])
    assert await seen(memory, group, "ben") == {}
    await memory.intake.assert_claims(group, [claim("Tom", "lives_in", "Porto", 90, "ann")])
    assert list(await seen(memory, group, "ben")) == ["Tom lives in Porto."]


async def test_only_its_user_shares_a_belief_and_what_is_everybodys_is_not_shared(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(
        group, [claim("Tom", "lives_in", "Porto", 0, "ann"), claim("Tom", "knows", "Zoe", 0)]
    )
    mine = await seen(memory, group, "ann")
    own, common = mine["Tom lives in Porto."].id, mine["Tom knows Zoe."].id
    with pytest.raises(NotFound):
        await memory.facts.share(group, own, Actor("ben"))
    with pytest.raises(Conflict, match="everybody in the group sees it"):
        await memory.facts.share(group, common, Actor("ann"))
    await memory.facts.share(group, own, Actor("ann"))
    with pytest.raises(Forbidden, match="only 'ann'"):
        await memory.facts.unshare(group, own, Actor("ben"))


async def test_no_merge_widens_what_is_shared(memory: Memory, group: str) -> None:
    both = [claim("Tom", "lives_in", "Porto", 0, "ann"), claim("Tommy", "lives_in", "Porto", 5, "ann")]
    await memory.intake.assert_claims(group, [*both, claim("Tom", "knows", "Zoe", 0), claim("Tommy", "knows", "Bo", 0)])
    await share(memory, group, "Tom lives in Porto.")
    assert "Tom lives in Porto." in await seen(memory, group, "ben")

    for user in ("", "ann"):
        made = await merge(memory, group, "Tom", "Tommy", user=user)
        assert set(await seen(memory, group, "ben")) == {"Tom knows Zoe.", "Tommy knows Bo."}
        await memory.merging.revert(group, made.id, reason="no", user=user)
        assert "Tom lives in Porto." in await seen(memory, group, "ben")
        assert "Tommy lives in Porto." not in await seen(memory, group, "ben")


NAMES, PLACES = ("Tom", "Tommy"), ("Porto", "Rome")
SAY = st.tuples(st.just("say"), st.sampled_from(NAMES), st.sampled_from(PLACES))
SHARE = st.tuples(st.sampled_from(["share", "unshare"]), st.sampled_from(NAMES), st.sampled_from(PLACES))
WHO = st.tuples(st.sampled_from(["merge", "revert"]), st.sampled_from(["", "ann"]), st.just(""))


@settings(max_examples=ON_A_DATABASE, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.one_of(SAY, SAY, SHARE, SHARE, WHO), min_size=3, max_size=9))
async def test_nobody_sees_what_rests_on_anything_that_is_not_shared(
    memory: Memory, steps: list[tuple[str, str, str]]
) -> None:
    group, shared, merges, instants = uuid4().hex, set[str](), dict[str, str](), list[datetime]()
    await memory.intake.assert_claims(group, [claim(name, "knows", "Zoe", 0) for name in NAMES])
    for number, (act, first, second) in enumerate(steps):
        statement = f"{first} lives in {second}."
        if act == "say":
            await memory.intake.assert_claims(group, [claim(first, "lives_in", second, number + 1, "ann")])
        elif act in ("share", "unshare"):
            shared = await _shared(memory, group, statement, shared, act)
        elif act == "merge" and not merges:
            merges[first] = (await merge(memory, group, "Tom", "Tommy", user=first)).id
        elif act == "revert" and first in merges:
            await memory.merging.revert(group, merges.pop(first), reason="no", user=first)
            return  # who was said to be different cannot be merged again
        instants.append(utc_now())
        for known_at in (None, *instants):
            await _check(memory, group, shared, known_at, merged=merges)


async def _shared(memory: Memory, group: str, statement: str, shared: set[str], act: str) -> set[str]:
    """What is shared after the act, by statement: all ways in which the claims of the belief say it."""
    row = (await seen(memory, group, "ann")).get(statement)
    if row is None or row.user != "ann":
        return shared
    await (memory.facts.share if act == "share" else memory.facts.unshare)(group, row.belief_id, Actor("ann"))
    said = {one.quote for one in row.evidence}
    return shared | said if act == "share" else shared - said


async def _check(
    memory: Memory, group: str, shared: set[str], known_at: datetime | None, *, merged: Mapping[str, str]
) -> None:
    mine, others = await seen(memory, group, "ann", known_at), await seen(memory, group, "ben", known_at)
    private = {row.id: row for row in mine.values() if row.user == "ann"}
    visible = {row.id for row in others.values() if row.user == "ann"}
    assert visible <= set(private)
    for id_ in visible:
        assert {one.quote for one in private[id_].evidence} <= shared
    if not merged:
        resting = {id_ for id_, row in private.items() if {one.quote for one in row.evidence} <= shared}
        assert known_at is not None or visible == resting
