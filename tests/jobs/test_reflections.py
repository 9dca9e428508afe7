"""The week is reflected on in the background: once, whole or not at all, and again where something was withdrawn."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import pytest

from graphmem.clock import utc_now
from graphmem.derived.reflections import ReflectionOutcome
from graphmem.jobs.schedule import weekly
from graphmem.model.claim import ClaimKind
from graphmem.model.composed import Because, Composed, LineKind
from graphmem.model.episode import AS_CONFIGURED, Episode
from graphmem.model.ids import entity_id
from graphmem.model.reflection import StoredReflection, Week
from graphmem.model.scope import Scope
from graphmem.model.work import WorkKind, WorkProgress, reflection_request
from graphmem.recall.reader import GraphQuery
from graphmem.settings.jobs import ReflectionSettings
from graphmem.store.driver import Database
from tests.damaging import damage
from tests.fakes import ScriptedExtractor
from tests.jobs.reflecting import MONDAY, NEXT, POLICY, THINGS, WEEK, Bench, claim, found_by_vector, likes
from tests.models import digest


@pytest.fixture
def bench(database: Database) -> Bench:
    return Bench(database)


def insight(composed: Composed) -> list[str]:
    return [line.text or "" for part in composed.parts for line in part.lines if line.kind is LineKind.REFLECTION]


async def test_a_week_is_reflected_on_and_every_sentence_cites_its_claims(bench: Bench, group: str) -> None:
    claims = await bench.present(group, *likes(3))
    done = await bench.reflect(group)

    (found,) = await bench.then(group)
    assert (done.status, done.progress["reflections"]) == (WorkProgress.DONE, 1)
    assert (found.user, found.week, found.memories, found.new, found.tags) == ("", WEEK, 3, 3, ("weekly",))
    new = [one for one in found.text.sentences if one.text.startswith("New: ")]
    assert {claims[name] for name in THINGS[:3]} == {id_ for one in new for id_ in one.claims}
    assert all(sentence.claims for sentence in found.text.sentences)
    assert any(sentence.text.startswith("First heard of: Maya") for sentence in found.text.sentences)


async def test_fewer_than_three_new_memories_make_none(bench: Bench, group: str) -> None:
    await bench.present(group, *likes(3, at=WEEK.since - timedelta(days=3)), *likes(2, 3))
    done = await bench.reflect(group)
    assert (done.progress, await bench.then(group)) == ({"too_few": 1}, [])


async def test_done_again_or_by_two_at_once_it_is_the_same_one(bench: Bench, group: str) -> None:
    await bench.present(group, *likes(3))
    proposed = await bench.reflections.proposed(group, "", WEEK)
    async with asyncio.TaskGroup() as workers:
        written = [workers.create_task(bench.reflections.write(group, proposed)) for _ in range(2)]
    assert sorted(one.result().outcome for one in written) == [ReflectionOutcome.CHANGED, ReflectionOutcome.WRITTEN]

    first = await bench.then(group)
    again = await bench.reflect(group)
    assert (again.progress, await bench.then(group)) == ({"another_near": 1}, first)


async def test_a_step_that_was_done_before_a_worker_died_is_done_once(bench: Bench, group: str) -> None:
    await bench.present(group, *likes(3), *likes(3, 3, user="maya"))
    (work,) = await bench.memory.works.request_work(group, WorkKind.REFLECT, [reflection_request(group, WEEK)])
    while True:
        step, again = await bench.reflector.step(work), await bench.reflector.step(work)
        assert step is not None
        assert again is not None
        assert step.cursor == again.cursor
        if step.finished:
            break
        work = replace(work, cursor=step.cursor, progress=step.progress)
    assert sorted(one.user for one in await bench.then(group)) == ["", "maya"]


async def test_two_are_six_days_apart_or_more(bench: Bench, group: str) -> None:
    await bench.present(group, *likes(3), *likes(3, 3, at=NEXT.since + timedelta(days=1)))
    near = POLICY.week_until(WEEK.until + timedelta(days=5))
    for week in (WEEK, near, NEXT):
        await bench.reflect(group, week)
    assert [one.week for one in await bench.then(group)] == [WEEK, NEXT]


async def test_each_user_has_one_of_what_that_user_may_see(bench: Bench, group: str) -> None:
    mine = likes(1, 3, user="maya") + likes(1, 4, user="ivo")
    await bench.present(group, *likes(3), *mine, claim("sushi", user="idle", at=WEEK.since - timedelta(days=9)))
    done = await bench.reflect(group)

    found = {one.user: one.text.content for one in await bench.then(group)}
    assert set(found) == {"", "maya", "ivo"}
    assert done.progress["nothing_of_their_own"] == 1
    assert ["jazz" in found[user] for user in ("", "maya", "ivo")] == [False, True, False]
    assert ["poker" in found[user] for user in ("", "maya", "ivo")] == [False, False, True]
    assert all("chess" in text for text in found.values())
    assert {one.user for one in await bench.then(group, user="maya")} == {"", "maya"}


async def test_one_that_is_made_late_says_the_same(bench: Bench, group: str) -> None:
    other = f"{group}-late"
    later = [
        claim("chess", at=NEXT.since + timedelta(days=1), kind=ClaimKind.ENDS),
        claim("ludo", at=NEXT.since + timedelta(days=2), valid_to=None),
    ]
    await bench.present(group, *likes(4))
    await bench.reflect(group)
    await bench.present(other, *likes(4), *later)
    await bench.reflect(other)

    (early,), (late,) = await bench.then(group), await bench.then(other)
    assert early.text.content == late.text.content
    assert early.week == late.week


async def test_what_is_retracted_is_stale_at_once_and_then_made_again_without_it(bench: Bench, group: str) -> None:
    claims = await bench.present(group, *likes(4))
    await bench.reflect(group)
    (before,) = await bench.then(group)
    known = utc_now()
    assert "chess" in insight(await bench.context(group))[0]

    await bench.memory.intake.retract(group, claims["chess"])
    (stale,) = await bench.then(group)
    assert (stale.id, stale.stale_at is not None) == (before.id, True)
    stats = await bench.memory.reader.stats(Scope(group, utc_now()))
    assert (stats.layers["reflections"], stats.stale) == (1, 1)
    assert "chess" not in insight(await bench.context(group))[0]
    assert "opera" in insight(await bench.context(group))[0]

    await bench.renew(group)
    (after,) = await bench.then(group)
    assert (after.reflection_id, after.stale_at) == (before.reflection_id, None)
    assert "chess" in before.text.content
    assert "chess" not in after.text.content
    (then,) = await bench.then(group, known_at=known)
    assert (then.id, then.text, then.as_known(known).stale_at) == (before.id, before.text, None)
    assert "chess" in insight(await bench.context(group, known_at=known))[0]


async def test_one_made_after_a_withdrawal_says_what_one_made_again_says(bench: Bench, group: str) -> None:
    other = f"{group}-late"
    texts = list[str]()
    for name, before in ((group, True), (other, False)):
        claims = await bench.present(name, *likes(3))
        if before:
            await bench.reflect(name)
        await bench.memory.intake.retract(name, claims["chess"])
        await bench.reflect(name)
        (found,) = await bench.then(name)
        texts.append(found.text.content)
    assert texts[0] == texts[1]


async def test_where_all_is_withdrawn_nothing_is_shown(bench: Bench, group: str) -> None:
    claims = await bench.present(group, *likes(3))
    await bench.reflect(group)
    for id_ in claims.values():
        await bench.memory.intake.retract(group, id_)
    assert insight(await bench.context(group)) == []

    assert (await bench.renew(group)).progress == {"all_withdrawn": 1}
    assert await bench.then(group) == []
    assert (await bench.renew(group)).progress == {}


async def test_what_is_rejected_or_is_somebody_else_is_stale(bench: Bench, group: str) -> None:
    await bench.present(group, *likes(3), *likes(1, 3, subject="Mia"))
    await bench.reflect(group)
    beliefs = (await bench.memory.reader.entity(Scope(group, utc_now()), entity_id(group, "maya"))).beliefs
    await bench.memory.facts.reject(group, beliefs[0].id)
    assert [one.stale_at is not None for one in await bench.then(group)] == [True]
    await bench.renew(group)
    (found,) = await bench.then(group)
    assert (found.stale_at, beliefs[0].statement in found.text.content) == (None, False)
    assert "Maya (2 statements)" in found.text.content

    ids = [entity_id(group, name) for name in ("maya", "mia")]
    await bench.memory.merging.merge(group, *ids, reason="told so")
    assert [one.stale_at is not None for one in await bench.then(group)] == [True]
    await bench.renew(group)
    (found,) = await bench.then(group)
    assert (found.stale_at, "(3 statements)" in found.text.content) == (None, True)


async def a_week(bench: Bench, group: str) -> tuple[Week, str]:
    """A week of four memories, one of which quotes words of Ivo too; with the id of its turn."""
    said = f"Maya likes {THINGS[0]}. Ivo works_at Acme."
    turn = Episode(group_id=group, session="s", content=said, occurred_at=MONDAY)
    (episode,) = await bench.memory.intake.remember(group, [turn])
    await digest(bench.memory, group, episode.id)
    await bench.memory.intake.assert_claims(group, [replace(one, recorded_at=None) for one in likes(3, 1)])
    return POLICY.week_until(utc_now()), episode.id


async def test_an_insight_that_only_a_session_brought_is_left_out_with_it_and_counted(bench: Bench, group: str) -> None:
    for place, thing in enumerate(THINGS[:3]):
        turn = Episode(group_id=group, session="s", content=f"Maya likes {thing}.", occurred_at=MONDAY, sequence=place)
        (episode,) = await bench.memory.intake.remember(group, [turn])
        await digest(bench.memory, group, episode.id)
    await bench.reflect(group, POLICY.week_until(utc_now()))

    without = await bench.context(group, exclude_session="s")
    lost = {one.kind: one.count for one in without.left_out if one.because is Because.EXCLUDED}
    assert (len(insight(await bench.context(group))), insight(without), lost[LineKind.REFLECTION]) == (1, [], 1)
    assert len(insight(await bench.context(group, exclude_session="t"))) == 1


async def read_of_ivo(bench: Bench, reads: ScriptedExtractor, group: str, turn: str) -> str:
    """The id of what is claimed of Ivo, once the turn is read again."""
    reads.predicates = {"likes", "works_at"}
    await bench.memory.intake.reprocess(group, turn, AS_CONFIGURED)
    await digest(bench.memory, group, turn)
    found = await bench.memory.reader.graph(Scope(group, utc_now()), GraphQuery(predicates=("works_at",)))
    return found.beliefs[0].evidence[0].claim_id


@pytest.fixture
def reads() -> ScriptedExtractor:
    """At first, only of what somebody likes; what it reads rests on all of a turn."""
    reads = ScriptedExtractor()
    reads.predicates, reads.whole = {"likes"}, True
    return reads


async def test_where_words_that_it_rests_on_are_withdrawn_by_another_claim_it_is_stale(
    database: Database, reads: ScriptedExtractor, group: str
) -> None:
    bench = Bench(database, extracts=reads)
    week, turn = await a_week(bench, group)
    await bench.reflect(group, week)
    (before,) = await bench.then(group)
    of_ivo = await read_of_ivo(bench, reads, group, turn)
    assert [(one.memories, one.stale_at) for one in await bench.then(group)] == [(4, None)]

    await bench.memory.intake.retract(group, of_ivo)

    (stale,) = await bench.then(group)
    assert (stale.id, stale.stale_at is not None) == (before.id, True)
    await bench.renew(group)
    (after,) = await bench.then(group)
    assert (after.stale_at, THINGS[0] in before.text.content, THINGS[0] in after.text.content) == (None, True, False)


async def test_where_words_are_withdrawn_by_another_claim_while_it_is_made_it_is_not_written(
    database: Database, reads: ScriptedExtractor, group: str
) -> None:
    bench = Bench(database, extracts=reads)
    week, turn = await a_week(bench, group)
    of_ivo = await read_of_ivo(bench, reads, group, turn)
    proposed = await bench.reflections.proposed(group, "", week)
    await bench.memory.intake.retract(group, of_ivo)
    assert (await bench.reflections.write(group, proposed)).outcome is ReflectionOutcome.CHANGED
    assert await bench.then(group) == []


async def test_what_is_withdrawn_while_it_is_made_is_not_written(bench: Bench, group: str) -> None:
    claims = await bench.present(group, *likes(3))
    proposed = await bench.reflections.proposed(group, "", WEEK)
    await bench.memory.intake.retract(group, claims["chess"])
    assert (await bench.reflections.write(group, proposed)).outcome is ReflectionOutcome.CHANGED
    assert await bench.then(group) == []


async def test_one_that_says_the_same_again_stays(bench: Bench, group: str) -> None:
    await bench.present(group, *likes(3))
    await bench.reflect(group)
    (before,) = await bench.then(group)
    await bench.memory.store.forget_vectors_of_reflections(group, "", 10)
    assert await bench.memory.store.next_group_to_renew(group[:-1]) == group

    assert (await bench.renew(group)).progress == {"kept": 1}
    (again,) = await bench.then(group)
    assert (replace(again, was_stale=()), len(again.was_stale)) == (before, 2)
    assert await bench.memory.store.next_stale_reflection(group, "") is None
    assert await found_by_vector(bench, group, before)


async def test_a_damaged_reflection_keeps_nobody_else_from_having_one(
    bench: Bench, database: Database, group: str
) -> None:
    await bench.present(group, *likes(3), *likes(3, 3, user="ann"))
    await bench.reflect(group)
    (damaged,) = [one for one in await bench.then(group) if not one.user]
    await damage(database, damaged.id, {"memories": "many", "stale_at": utc_now()})

    done = await bench.reflect(group)

    assert done.status is WorkProgress.DONE
    assert done.progress == {"another_unreadable": 1, "another_near": 1}


async def test_a_dry_run_tells_what_would_be_written_and_why_not(bench: Bench, group: str) -> None:
    claims = await bench.present(group, *likes(3), claim("sushi", user="maya", at=WEEK.since - timedelta(days=9)))
    done = await bench.reflect(group, dry_run=True)

    would = cast("list[Mapping[str, Any]]", done.result["would"])
    assert [(one["user"], one["outcome"]) for one in would] == [(None, "reflections"), ("maya", "nothing_of_their_own")]
    shown = {id_ for one in would[0]["sentences"] for id_ in one["claim_ids"]}
    assert shown == {claims[name] for name in THINGS[:3]}
    assert not any(word in str(done.result) for word in claims)
    assert "everybody" in would[1]["because"]
    assert (done.status, await bench.then(group)) == (WorkProgress.DONE, [])


async def test_nothing_is_stored_while_the_model_is_away(bench: Bench, group: str) -> None:
    await bench.present(group, *likes(3))
    bench.embedder.away = True
    assert (await bench.reflect(group)).status is WorkProgress.PENDING
    assert await bench.then(group) == []

    bench.embedder.away = False
    done = await bench.go_on(group, reflection_request(group, WEEK))
    (found,) = await bench.then(group)
    assert (done.status, done.progress["reflections"]) == (WorkProgress.DONE, 1)
    assert await found_by_vector(bench, group, found)


async def test_a_group_that_imports_has_none(bench: Bench, group: str) -> None:
    await bench.past(group, *likes(3))
    done = await bench.reflect(group)
    assert (done.status, done.progress, await bench.then(group)) == (WorkProgress.DONE, {"importing": 1}, [])


async def test_one_is_known_from_when_it_was_made_and_of_its_week_on(bench: Bench, group: str) -> None:
    await bench.present(group, *likes(3))
    before = utc_now()
    await bench.reflect(group)
    assert await bench.then(group, known_at=before) == []
    assert await bench.then(group, valid_at=WEEK.until - timedelta(seconds=1)) == []
    assert len(await bench.then(group, valid_at=WEEK.until)) == 1


async def test_a_context_has_the_newest_after_profiles_the_readers_own_first(bench: Bench, group: str) -> None:
    later = NEXT.since + timedelta(days=1)
    await bench.present(group, *likes(3), *likes(1, 3, user="maya"), *likes(3, 3, at=later))
    await bench.reflect(group)
    (own,) = insight(await bench.context(group, user="maya"))
    (shared,) = insight(await bench.context(group, user="ivo"))
    assert ("jazz" in own, "jazz" in shared) == (True, False)
    parts = (await bench.context(group, user="maya")).parts
    assert next(part.heading for part in parts if not part.entity) == "Weekly insight"

    await bench.reflect(group, NEXT)
    (newest,) = insight(await bench.context(group, user="maya"))
    assert ("poker" in newest, "chess" in newest) == (True, False)
    (older,) = insight(await bench.context(group, user="maya", valid_at=WEEK.until))
    assert older == own


async def test_a_search_finds_it_by_words_and_vector_if_asked_to(bench: Bench, group: str) -> None:
    await bench.present(group, *likes(3), *likes(3, 3, user="maya"))
    await bench.reflect(group)
    found = {one.user: one for one in await bench.then(group)}

    async def by_words(text: str, user: str | None = None) -> list[str]:
        """Whose reflections have these words."""
        scope = Scope(group, utc_now(), user=user)
        recall = await bench.memory.searcher.search(scope, text, kinds=frozenset({"reflection"}))
        hits = [hit for hit in recall.hits if any(one.channel == "text" for one in hit.ranked.contributions)]
        return [hit.thing.user for hit in hits if isinstance(hit.thing, StoredReflection)]

    assert await by_words("poker") == ["maya"]
    assert await by_words("poker", "ivo") == []
    recall = await bench.memory.searcher.search(
        Scope(group, utc_now()), found[""].text.content, kinds=frozenset({"reflection"})
    )
    assert {one.channel for one in recall.hits[0].ranked.contributions} == {"text", "vector"}
    assert (await bench.memory.searcher.search(Scope(group, utc_now()), "poker")).hits[0].kind != "reflection"


def test_the_schedule_is_as_the_settings_say() -> None:
    (job,) = weekly(ReflectionSettings(weekday="tuesday", hour=5))
    assert (job.weekday, job.hour, job.minute, job.run_at_startup) == (1, 5, 0, True)
    assert list(weekly(ReflectionSettings(enabled=False))) == []
