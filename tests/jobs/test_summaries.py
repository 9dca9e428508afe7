"""Sessions are summarised in the background: once, whole or not at all, and again where something was withdrawn."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from graphmem.answers.summaries import CheckedSummary
from graphmem.api.routes.sessions import checked_summary
from graphmem.clock import utc_now
from graphmem.model.composed import Composed, ContextQuery, Line, LineKind
from graphmem.model.embedding import Vector
from graphmem.model.episode import AS_CONFIGURED
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.interval import LATEST
from graphmem.model.principal import Actor
from graphmem.model.scope import Scope
from graphmem.model.session import FIRST_SESSION, SessionPolicy
from graphmem.model.summary import StoredSummary, SummaryPolicy, WindowPolicy
from graphmem.model.work import WorkProgress
from graphmem.process.tasks import together
from graphmem.recall.context import Contexts
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from graphmem.store.queries import read_queries
from tests.damaging import damage
from tests.fakes import UnsteadyEmbedder
from tests.jobs.summarising import LIVES, SAID, Bench, Words, talk
from tests.models import digest, embedder

(SPOIL,) = read_queries(Path(__file__).parent / "summaries.cypher")


@pytest.fixture
def bench(database: Database) -> Bench:
    return Bench(database)


async def test_twenty_turns_are_summarised_once_thirty_are_there(bench: Bench, group: str) -> None:
    await bench.say(group, talk(29))
    await bench.work(group)
    assert await bench.then(group) == []

    await bench.say(group, talk(1, 29), 29)
    done = await bench.work(group)

    (summary,) = await bench.then(group)
    assert (done.status, summary.tier, summary.turns, summary.first_turn) == (WorkProgress.DONE, 1, 20, 1)
    assert 0 < summary.text.tokens <= 3 * summary.said // 10


async def test_with_an_agent_of_short_windows_fewer_turns_are_enough(database: Database, group: str) -> None:
    short = WindowPolicy(batch=5, keep=1)
    sessions = SessionPolicy(enough_with={"phone": short.enough})
    bench = Bench(database, sessions, SummaryPolicy(windows_with={"phone": short}))
    first = await bench.say(group, talk(6), user="ann", agent="phone")
    await bench.say(group, talk(6), user="bob", agent="desk")
    waits = await bench.memory.store.next_group_to_summarise(group[:-1])

    await bench.work(group)

    assert waits == group
    assert [one.covers for one in await bench.then(group)] == [tuple(first[:5])]


async def test_the_end_of_a_session_is_summarised_and_again_changes_nothing(bench: Bench, group: str) -> None:
    ids = await bench.say(group, [LIVES, *talk(5)])
    await bench.close(group)
    await bench.work(group)

    (summary,) = await bench.then(group)
    assert set(summary.covers) == set(ids)
    old = await bench.memory.store.redactable_episodes(group, utc_now(), 2)
    assert (old.episodes, list(old.ids)) == (len(ids), ids[:2])
    assert (await bench.memory.store.redactable_episodes(group, SAID, 2)).episodes == 0
    assert summary.text.sentences[0].belief_id is not None

    await bench.work(group)
    await bench.summaries.regenerate(group, summary.summary_id)
    await bench.work(group)
    (again,) = await bench.then(group)
    assert (replace(again, was_stale=()), len(again.was_stale)) == (summary, 2)


async def test_nothing_is_stored_while_the_model_is_away(bench: Bench, group: str) -> None:
    await bench.say(group, talk(6))
    await bench.close(group)
    bench.embedder.away = True
    assert (await bench.work(group)).status is WorkProgress.PENDING
    assert await bench.then(group) == []

    bench.embedder.away = False
    await bench.work(group)
    assert len(await bench.then(group)) == 1


async def summaries_and_stale(bench: Bench, group: str, known_at: datetime = LATEST) -> tuple[int, int]:
    stats = await bench.memory.reader.stats(Scope(group, utc_now(), known_at))
    return stats.layers["summaries"], stats.stale


async def test_what_is_retracted_is_said_to_be_stale_at_once_and_then_no_more(bench: Bench, group: str) -> None:
    ids = await bench.say(group, [LIVES, *talk(8)])
    await bench.close(group)
    await bench.work(group)
    (before,) = await bench.then(group)
    (sentence, *_) = before.text.sentences
    known, counted = utc_now(), await bench.memory.store.condition_of_all()

    await bench.memory.intake.retract(group, sentence.claims[0])
    (stale,) = await bench.then(group)
    assert (stale.id, stale.stale_at is not None) == (before.id, True)
    waiting = await bench.memory.store.condition_of_all()
    assert waiting.stale_summaries == counted.stale_summaries + 1
    assert await summaries_and_stale(bench, group) == (1, 1)

    await bench.work(group)
    assert await summaries_and_stale(bench, group) == (1, 0)
    assert await summaries_and_stale(bench, group, known) == (1, 0)
    assert (await bench.memory.store.condition_of_all()).stale_summaries == counted.stale_summaries
    (after,) = await bench.then(group)
    assert (after.summary_id, after.stale_at, after.covers) == (before.summary_id, None, tuple(ids))
    assert "Porto" in before.text.content
    assert "Porto" not in after.text.content
    assert after.drift is not None
    (then,) = await bench.then(group, known_at=known)
    assert (then.id, then.text) == (before.id, before.text)


async def test_what_a_user_rejects_makes_no_summary_of_others_stale(bench: Bench, group: str) -> None:
    for user in ("", "maya"):
        await bench.say(group, [LIVES, *talk(5)], user=user)
    await bench.close(group)
    await bench.work(group)
    found = await bench.memory.reader.graph(Scope(group, utc_now(), user="maya"), GraphQuery(predicates=("lives_in",)))
    (own,) = (belief for belief in found.beliefs if belief.user == "maya")

    await bench.memory.facts.reject(group, own.id, Actor("maya"))

    assert {one.user: one.stale_at is not None for one in await bench.then(group)} == {"": False, "maya": True}


async def test_where_a_rejection_is_taken_back_the_summary_without_it_is_stale(bench: Bench, group: str) -> None:
    await bench.say(group, [LIVES, *talk(8)])
    await bench.close(group)
    found = await bench.memory.reader.graph(Scope(group, utc_now()), GraphQuery(predicates=("lives_in",)))
    rejected = await bench.memory.facts.reject(group, found.beliefs[0].id)
    await bench.work(group)
    (without,) = await bench.then(group)
    assert without.stale_at is None
    assert "Porto" not in without.text.content

    for claim in rejected.claim_ids:
        await bench.memory.intake.retract(group, claim)

    (stale,) = await bench.then(group)
    assert (stale.id, stale.stale_at is not None) == (without.id, True)
    await bench.work(group)
    (after,) = await bench.then(group)
    assert (after.summary_id, after.stale_at, "Porto" in after.text.content) == (without.summary_id, None, True)


async def test_where_a_turn_is_read_again_that_says_what_was_rejected_since_its_summary_is_stale(
    bench: Bench, group: str
) -> None:
    """The turn was said before the rejection, and is read again after it."""
    bench.reads.predicates = ()
    ids = await bench.say(group, [f"{LIVES}.", *talk(8)])
    await bench.close(group)
    await bench.work(group)
    lives = StructuredClaim(
        subject=ThingName("Maya", "person"),
        predicate="lives_in",
        object=ThingName("Porto", "place"),
        valid_from=SAID,
        occurred_at=SAID,
    )
    await bench.memory.intake.assert_claims(group, [lives])
    found = await bench.memory.reader.graph(Scope(group, utc_now()), GraphQuery(predicates=("lives_in",)))
    await bench.memory.facts.reject(group, found.beliefs[0].id)
    assert [one.stale_at for one in await bench.then(group)] == [None]

    bench.reads.predicates = None
    await bench.memory.intake.reprocess(group, ids[0], AS_CONFIGURED)
    await digest(bench.memory, group, ids[0])

    assert [one.stale_at is not None for one in await bench.then(group)] == [True]
    await bench.work(group)
    assert [one.stale_at for one in await bench.then(group)] == [None]


async def test_what_was_stale_and_then_found_to_be_right_was_stale_then(bench: Bench, group: str) -> None:
    await bench.say(group, talk(8))
    await bench.close(group)
    await bench.work(group)
    (summary,) = await bench.then(group)
    fresh = utc_now()
    await bench.summaries.regenerate(group, summary.summary_id)
    stale = utc_now()
    (asked,) = await bench.then(group, known_at=stale)
    assert (await bench.work(group)).progress["kept"] == 1

    (now,) = await bench.then(group)

    assert (now.id, now.stale_at, now.as_known(fresh).stale_at) == (summary.id, None, None)
    assert asked.stale_at is not None
    assert now.as_known(stale).stale_at == asked.stale_at
    counted = [await summaries_and_stale(bench, group, at) for at in (fresh, stale, LATEST)]
    assert counted == [(1, 0), (1, 1), (1, 0)]


async def test_what_is_believed_in_place_of_what_a_summary_says_is_told(bench: Bench, group: str) -> None:
    await bench.say(group, ["Maya lives_at Porto", *talk(8)])
    await bench.close(group)
    await bench.work(group)
    (summary,) = await bench.then(group)
    known = utc_now()
    rome = StructuredClaim(
        subject=ThingName("Maya", "person"),
        predicate="lives_at",
        object=ThingName("Rome", "place"),
        valid_from=SAID,
        occurred_at=SAID + timedelta(days=1),
    )
    await bench.memory.intake.assert_claims(group, [rome])
    believed = (await bench.memory.reader.graph(Scope(group, utc_now()), GraphQuery(predicates=("lives_at",)))).beliefs

    async def checked(known_at: datetime) -> CheckedSummary:
        cited = await bench.summaries.cited(Scope(group, utc_now(), known_at), [summary])
        return checked_summary(summary, cited)

    then, now = await checked(known), await checked(LATEST)

    assert (then.still_believed, then.contradicted) == (1.0, [])
    assert now.still_believed is not None
    assert now.still_believed < 1.0
    (against,) = now.contradicted
    assert "Porto" in against.text
    assert against.contradicted_by == [belief.belief_id for belief in believed]
    assert [belief.statement for belief in believed] != [against.text]


async def test_a_late_turn_changes_the_summary_around_it_and_no_other(bench: Bench, group: str) -> None:
    await bench.say(group, talk(40), 10)
    await bench.close(group)
    await bench.work(group)
    first, second = await bench.then(group)

    (late,) = await bench.say(group, ["A late telegram praised the brave lighthouse keeper."], 0)
    await bench.work(group)
    again, same = await bench.then(group)
    assert (again.summary_id, same) == (first.summary_id, second)
    assert again.covers == (late, *first.covers)


async def test_a_user_sees_no_others_summaries(bench: Bench, group: str) -> None:
    for user in ("maya", "ivo"):
        await bench.say(group, [f"{user} {one}" for one in talk(5)], user=user)
    await bench.close(group)
    await bench.work(group)

    assert {one.user for one in await bench.then(group)} == {"maya", "ivo"}
    assert {one.user for one in await bench.then(group, user="maya")} == {"maya"}


async def test_long_sessions_have_summaries_of_summaries(bench: Bench, database: Database, group: str) -> None:
    ids = await bench.say(group, talk(100))
    await bench.close(group)
    await bench.work(group)

    found = await bench.then(group)
    (meta,) = [one for one in found if one.tier == 2]
    assert sorted(one.turns for one in found) == [20, 20, 20, 20, 20, 100]
    assert set(meta.covers) == {one.summary_id for one in found if one.tier == 1}

    covered = next(one for one in found if one.tier == 1)
    await database.execute(SPOIL, group=group, id=covered.id)
    composed = await context(bench, group, window=10, query=covered.text.content)
    assert meta.id in [line.key for line in shown(composed, LineKind.SUMMARY)]
    assert [line.key for line in shown(composed, LineKind.TURN)] == ids[90:]


async def test_a_summary_of_summaries_follows_what_it_covers(bench: Bench, group: str) -> None:
    """It stays where what it does not say is withdrawn below, and counts a turn that comes late after that."""
    await bench.say(group, [f"Maya knows Friend{at}." for at in range(100)])
    await bench.close(group)
    await bench.work(group)
    found = await bench.then(group)
    (meta,) = [one for one in found if one.tier == 2]
    first = min((one for one in found if one.tier == 1), key=lambda one: one.first_turn)
    unsaid = next(one for one in first.text.sentences if one.words not in meta.text.content)
    for claim in unsaid.claims:
        await bench.memory.intake.retract(group, claim)
    assert (await bench.work(group)).progress["kept"] == 1
    (kept,) = [one for one in await bench.then(group) if one.tier == 2]
    assert (kept.id, kept.turns) == (meta.id, 100)

    await bench.say(group, ["Maya knows Zoe."], first=3)
    await bench.work(group)

    (after,) = [one for one in await bench.then(group) if one.tier == 2]
    assert (after.turns, after.stale_at) == (101, None)


@pytest.mark.full
async def test_where_not_all_can_be_read_those_of_the_highest_tier_come_first(bench: Bench, group: str) -> None:
    await bench.say(group, talk(120))
    await bench.close(group)
    await bench.work(group)
    found = await bench.then(group)
    (meta,) = [one for one in found if one.tier == 2]
    (last,) = [one for one in found if one.tier == 1 and one.summary_id not in meta.covers]

    outlines = await bench.memory.store.summaries_of_conversation(Scope(group, utc_now()), "s", 2)

    assert [one.id for one in outlines] == [meta.id, last.id]


async def test_what_says_nothing_stays_verbatim_and_is_looked_at_once(bench: Bench, group: str) -> None:
    await bench.say(group, ["Hello!", "Hi there!", "Bye!", "Good bye!"])
    await bench.close(group)
    assert (await bench.work(group)).progress == {"summaries": 1, "tokens": 0, "sessions": 1}
    assert await bench.then(group) == []

    assert (await bench.work(group)).progress == {}


async def test_a_session_that_falls_silent_is_closed_and_summarised(database: Database, group: str) -> None:
    bench = Bench(database, SessionPolicy(silence=timedelta(milliseconds=1)))
    await bench.say(group, talk(5))
    await bench.memory.sessions.close_silent()
    await bench.work(group)

    assert len(await bench.then(group)) == 1


@pytest.mark.parametrize("properties", [{"openings": None}, {"closers": ["nobody"]}, {"unsummarised": True}], ids=str)
async def test_silence_closes_what_comes_after_a_damaged_session(
    database: Database, group: str, properties: Mapping[str, object]
) -> None:
    bench = Bench(database, SessionPolicy(silence=timedelta(milliseconds=1)))
    for name in (group, f"{group}-after"):
        await bench.say(name, talk(1))
    (first,) = await bench.memory.sessions.sessions(Scope(group, utc_now()), after=FIRST_SESSION, limit=10)
    sound = await damage(database, first.id, properties)

    await bench.memory.sessions.close_silent(1)

    after = f"{group}-after"
    assert await bench.memory.store.next_group_to_summarise(group) == after
    await damage(database, first.id, sound)
    await bench.memory.sessions.close_silent(1)
    assert await bench.memory.store.next_session_to_summarise(group) is not None


@pytest.mark.parametrize(
    "properties",
    [
        {"covers": 5},
        *(pytest.param(damaged, marks=pytest.mark.full) for damaged in ({"tokens": "many"}, {"summary_id": 5})),
    ],
    ids=str,
)
async def test_a_session_with_a_damaged_summary_is_put_off_and_the_others_are_summarised(
    bench: Bench, database: Database, group: str, properties: Mapping[str, object]
) -> None:
    await bench.say(group, talk(30))
    await bench.work(group)
    (damaged,) = await bench.then(group)
    sound = await damage(database, damaged.id, properties)
    await bench.say(group, talk(6), user="ann")
    await bench.close(group)

    done = await bench.work(group)

    assert done.status is WorkProgress.DONE
    assert (done.progress["put_off"], done.progress["summaries"]) == (1, 1)
    assert [one.user for one in await bench.then(group)] == ["ann"]
    assert (await bench.work(group)).progress == {}
    await damage(database, damaged.id, sound)
    await damage(database, damaged.session_id, {"summarise_due": utc_now()})
    await bench.work(group)
    assert sorted((one.user, one.turns) for one in await bench.then(group)) == [("", 10), ("", 20), ("ann", 6)]


async def test_a_summary_that_is_of_another_tier_than_its_turns_gives_way(
    bench: Bench, database: Database, group: str
) -> None:
    await bench.say(group, talk(6))
    await bench.close(group)
    await bench.work(group)
    (displaced,) = await bench.then(group)
    await damage(database, displaced.id, {"tier": 7})
    await damage(database, displaced.session_id, {"summarise_due": utc_now()})

    done = await bench.work(group)

    assert (done.status, done.progress["summaries"]) == (WorkProgress.DONE, 1)
    assert [(one.tier, one.turns) for one in await bench.then(group)] == [(1, 6)]


@pytest.mark.parametrize("properties", [{"agent": 5}, {"withdrawn_at": [True]}, {"attempts": ["a"]}], ids=str)
async def test_a_damaged_session_keeps_no_other_from_being_summarised(
    bench: Bench, database: Database, group: str, properties: Mapping[str, object]
) -> None:
    for user in ("ann", "bob"):
        await bench.say(group, talk(6), user=user)
    await bench.close(group)
    (first, *_) = await bench.memory.sessions.sessions(Scope(group, utc_now()), after=FIRST_SESSION, limit=10)
    await damage(database, first.id, properties)

    done = await bench.work(group)

    assert done.status is WorkProgress.DONE
    assert "bob" in [one.user for one in await bench.then(group)]


async def test_a_group_whose_session_is_put_off_keeps_no_other_from_being_asked(
    bench: Bench, database: Database, group: str
) -> None:
    first, second = f"{group}-1", f"{group}-2"
    for name in (first, second):
        await bench.say(name, talk(2))
        await bench.close(name)
    (session,) = await bench.memory.sessions.sessions(Scope(first, utc_now()), after=FIRST_SESSION, limit=10)
    await damage(database, session.id, {"summarise_due": utc_now() + timedelta(minutes=5)})

    assert await bench.memory.store.next_group_to_summarise(group) == second


async def test_two_at_once_make_one_summary(bench: Bench, group: str) -> None:
    await bench.say(group, talk(6))
    await bench.close(group)
    done = await together([bench.summaries.summarise_one(group) for _ in range(2)])

    (summary,) = await bench.then(group)
    assert sum((one or {}).get("summaries", 0) for one in done) == 1
    assert summary.drift is None


async def context(bench: Bench, group: str, **more: object) -> Composed:
    memory = bench.memory
    contexts = Contexts(memory.store, memory.reader, memory.searcher, memory.uses, Words())
    limits = {"session": "s", "max_tokens": 3_000, "passages": 0, **more}
    asked = ContextQuery(**limits)  # type: ignore[arg-type]
    return await contexts.context(Scope(group, utc_now()), asked)


def shown(composed: Composed, kind: LineKind) -> list[Line]:
    return [line for part in composed.parts for line in part.lines if line.kind is kind]


async def test_a_context_has_a_summary_in_place_of_the_turns_that_it_covers(bench: Bench, group: str) -> None:
    ids = await bench.say(group, talk(35))
    before = await context(bench, group, window=10)
    await bench.work(group)
    after = await context(bench, group, window=10)

    assert len(shown(before, LineKind.TURN)) == 30
    assert [line.key for line in shown(after, LineKind.TURN)] == ids[20:]
    (line,) = shown(after, LineKind.SUMMARY)
    days = f"{SAID:%Y-%m-%d}"
    assert line.written.startswith(f"session s, turns 1–20, {days}: ")
    assert next(part.heading for part in after.parts if "known" not in part.heading) == "Summaries"
    assert shown(await context(bench, group, window=35), LineKind.SUMMARY) == []


async def test_summaries_near_to_what_is_asked_come_from_every_session_but_one_that_is_left_out(
    bench: Bench, group: str
) -> None:
    await bench.say(group, [LIVES, *talk(5)])
    await bench.close(group)
    await bench.work(group)
    (summary,) = await bench.then(group)

    async def near(**more: object) -> list[str]:
        found = await context(bench, group, session="another", query=summary.text.content, **more)
        return [line.key for line in shown(found, LineKind.SUMMARY)]

    assert await near() == [summary.id]
    assert await near(exclude_session="s") == await near(near_summaries=0) == []
    without = await context(bench, group, session="another", query=summary.text.content, exclude_session="s")
    assert [one.count for one in without.left_out if one.kind is LineKind.SUMMARY] == [1]


class Meaning(UnsteadyEmbedder):
    """What means the same is near."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return await embedder().embed(texts)

    async def embed_query(self, text: str) -> Vector:
        return await embedder().embed_query(text)


async def test_what_was_discussed_in_other_words_is_summed_up_in_a_new_session(database: Database, group: str) -> None:
    bench = Bench(database, embedder=Meaning())
    bench.reads.predicates = ()
    said = [
        "We compared Milvus and pgvector for storing the embeddings of the new search service.",
        "I prefer pgvector, since Postgres runs here already and Rosa knows how to tune it.",
        "Milvus needs three more machines, and nobody here has ever run one of those clusters.",
        "The team decided for pgvector with an HNSW index in Postgres from Monday on.",
        "Rosa migrates the old vectors into Postgres next week, and Ivo tests the recall of pgvector.",
        "The old index of vectors is dropped once pgvector has answered for a whole month.",
    ]
    await bench.say(group, said)
    await bench.close(group)
    await bench.work(group)
    found = await context(bench, group, session="new", query="What did we discuss about databases?")
    (line,) = shown(found, LineKind.SUMMARY)
    assert ("pgvector" in line.text, "database" in line.text.casefold()) == (True, False)


async def test_what_was_withdrawn_is_in_no_summary_of_a_context_at_once(bench: Bench, group: str) -> None:
    await bench.say(group, talk(35))
    await bench.work(group)
    (summary,) = await bench.then(group)
    sentence = summary.text.sentences[0]
    (before,) = shown(await context(bench, group, window=10), LineKind.SUMMARY)

    await bench.memory.intake.retract(group, sentence.claims[0])
    (after,) = shown(await context(bench, group, window=10), LineKind.SUMMARY)
    assert sentence.words in (before.text or "")
    assert sentence.words not in (after.text or "")


async def test_a_summary_that_somebody_spoilt_spoils_no_other(bench: Bench, database: Database, group: str) -> None:
    await bench.say(group, talk(60))
    await bench.close(group)
    await bench.work(group)
    _, spoilt, last = await bench.then(group)
    await database.execute(SPOIL, group=group, id=spoilt.id)

    found = await context(bench, group, window=10, exclude_window=True)

    assert [line.written.split(", ")[1] for line in shown(found, LineKind.SUMMARY)] == ["turns 41–60", "turns 1–20"]
    assert last.id == shown(found, LineKind.SUMMARY)[0].key
    (warning,) = [warning for warning in found.warnings if spoilt.id in warning]
    assert warning.startswith(f"Summary {spoilt.id} cannot be read, and was left out: its property sentences is wrong")


async def hits(bench: Bench, group: str, text: str, *, user: str | None = None) -> list[str]:
    """The ids of the versions that a search finds, best first."""
    scope = Scope(group, utc_now(), user=user)
    recall = await bench.memory.searcher.search(scope, text, kinds=frozenset({"summary"}))
    return [one.thing.id for one in recall.hits if isinstance(one.thing, StoredSummary)]


async def test_a_summary_is_found_by_its_words_and_by_its_vector(bench: Bench, group: str) -> None:
    await bench.say(group, [LIVES, *talk(6)], user="maya")
    await bench.close(group)
    await bench.work(group)
    (summary,) = await bench.then(group)

    assert await hits(bench, group, "Porto") == [summary.id]
    assert await hits(bench, group, "Porto", user="ivo") == []
    recall = await bench.memory.searcher.search(
        Scope(group, utc_now()), summary.text.content, kinds=frozenset({"summary"})
    )
    assert {one.channel for one in recall.hits[0].ranked.contributions} == {"text", "vector", "turn"}
    early = Scope(group, SAID)
    assert (await bench.memory.searcher.search(early, "Porto", kinds=frozenset({"summary"}))).hits == ()


async def test_a_summary_is_found_by_the_turns_that_it_covers(bench: Bench, group: str) -> None:
    ids = await bench.say(group, talk(40))
    await bench.close(group)
    await bench.work(group)
    first, second = await bench.then(group)
    scope = Scope(group, utc_now())

    around = await bench.memory.store.turns_around(scope, [ids[3], ids[30]], summaries=True)
    recall = await bench.memory.searcher.search(scope, "crates of marble", kinds=frozenset({"summary"}))

    covered_by = {turn.id: turn.covered_by for turn in around.turns}
    assert covered_by == {ids[3]: (first.id,), ids[30]: (second.id,)}
    by_turn = [part.score for one in recall.hits for part in one.ranked.contributions if part.channel == "turn"]
    assert len(by_turn) == 2
    assert max(by_turn) == 1.0
