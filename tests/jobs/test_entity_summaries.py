"""Entities are summarised in the background: once, whole or not at all, and without what was withdrawn."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from graphmem.clock import utc_now
from graphmem.derived.entity_summaries import EntitySummaries
from graphmem.derived.summaries import Summaries
from graphmem.errors import ModelUnavailable
from graphmem.jobs.steps import Stepper
from graphmem.jobs.summariser import Summariser
from graphmem.memory import Memory
from graphmem.model.embedding import Vector
from graphmem.model.entity_summary import PACKAGED_ENTITY_SUMMARIES, StoredEntitySummary
from graphmem.model.episode import Episode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id
from graphmem.model.principal import Actor
from graphmem.model.scope import Scope
from graphmem.model.search import SUMMARY
from graphmem.model.summary import FIRST_SUMMARY
from graphmem.model.work import Work, WorkKind, WorkProgress, WorkRequest, work_id
from graphmem.process.tasks import together
from graphmem.recall.reader import GraphQuery
from graphmem.settings.jobs import JobSettings
from graphmem.store.driver import Database
from tests.damaging import damage
from tests.fakes import UnsteadyEmbedder
from tests.models import digest, extractor, memory_on

SETTINGS = JobSettings(retry_seconds=0.0, embed_seconds=0)
MONDAY = datetime(2025, 4, 28, 12, tzinfo=UTC)
THINGS = (
    "chess",
    "opera",
    "rugby",
    "jazz",
    "poker",
    "judo",
    "tennis",
    "baking",
    "sailing",
    "yoga",
    "ludo",
    "go",
    "golf",
)
ENOUGH = PACKAGED_ENTITY_SUMMARIES.least


class Words:
    """Counts words as tokens."""

    name = "words"

    def count(self, text: str) -> int:
        return len(text.split())


class Interrupted(UnsteadyEmbedder):
    """Before it embeds, something else happens once; or it is away after so many texts."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], Awaitable[object]] | None = None
        self.left: int | None = None

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if (meanwhile := self.meanwhile) is not None:
            self.meanwhile = None
            await meanwhile()
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise ModelUnavailable("The embedding model went away (test).")
        return await super().embed(texts)


def claim(target: str, *, subject: str = "Maya", at: datetime = MONDAY, user: str = "", **more: Any) -> StructuredClaim:
    predicate = more.pop("predicate", "likes")
    return StructuredClaim(
        subject=ThingName(subject, "person"),
        predicate=predicate,
        object=ThingName(target, "place" if predicate == "lives_in" else "topic"),
        valid_from=at,
        occurred_at=at,
        user=user,
        **more,
    )


def likes(number: int, first: int = 0, **more: Any) -> list[StructuredClaim]:
    """So many claims, each an hour after the one before."""
    return [claim(THINGS[place], at=MONDAY + timedelta(hours=place), **more) for place in range(first, first + number)]


def of(group: str, name: str = "maya") -> str:
    return entity_id(group, name)


class Bench:
    """A memory of which entities are summarised when asked to."""

    def __init__(self, database: Database) -> None:
        self.embedder = Interrupted()
        self.memory: Memory = memory_on(database, extracts=extractor(), embeds=self.embedder)
        store, late = self.memory.store, self.memory.late_vectors
        self.summaries = EntitySummaries(store, late, Words())
        self.stepper = Stepper(Summariser(self.summaries.summarise_one), self.memory.works, SETTINGS)

    async def tell(self, group: str, *claims: StructuredClaim) -> dict[str, str]:
        """The ids of claims by what they are about."""
        receipts, _ = await self.memory.intake.assert_claims(group, claims)
        return {one.object.name: receipt.claim_id for one, receipt in zip(claims, receipts, strict=True) if one.object}

    async def work(self, group: str) -> Work:
        """Have one worker do what is due."""
        id_ = work_id(WorkKind.SUMMARISE, group)
        await self.memory.works.request_work(group, WorkKind.SUMMARISE, [WorkRequest(id=id_)])
        taken = await self.memory.works.lease_work(group, id_, uuid4().hex, 60)
        assert taken is not None
        await self.stepper.do(taken)
        (work,) = await self.memory.works.works_by_id(group, [id_])
        return work

    async def shown(
        self, group: str, name: str = "maya", *, known_at: datetime | None = None, **scope: Any
    ) -> StoredEntitySummary | None:
        """What an entity is shown with."""
        at = Scope(group, scope.pop("valid_at", utc_now()), known_at or utc_now(), **scope)
        return await self.memory.reader.entity_summary(at, of(group, name))

    async def text(self, group: str, name: str = "maya", **scope: Any) -> str:
        found = await self.shown(group, name, **scope)
        return found.content if found else ""

    async def hits(self, group: str, question: str, **scope: Any) -> list[StoredEntitySummary]:
        asked = Scope(group, utc_now(), **scope)
        found = (await self.memory.searcher.search(asked, question, kinds=frozenset({"summary"}))).hits
        return [one.thing for one in found if isinstance(one.thing, StoredEntitySummary)]


@pytest.fixture
def bench(database: Database) -> Bench:
    return Bench(database)


async def test_from_eight_beliefs_on_there_is_one_and_every_sentence_cites(bench: Bench, group: str) -> None:
    claims = await bench.tell(group, *likes(ENOUGH - 1))
    await bench.work(group)
    assert await bench.shown(group) is None

    claims |= await bench.tell(group, *likes(1, ENOUGH - 1))
    done = await bench.work(group)
    found = await bench.shown(group)
    assert found is not None
    assert (done.status, found.user, found.model, found.stale_at) == (WorkProgress.DONE, "", "", None)
    assert (len(found.beliefs), found.tokens) == (ENOUGH, len(found.content.split()))
    assert set(found.claims) == set(claims.values())
    assert all(sentence.claims and sentence.text in found.content for sentence in found.sentences)
    assert found.content.startswith(f"Maya likes {THINGS[ENOUGH - 1]} (since 28 April 2025).")


async def test_it_is_made_again_when_a_third_of_its_beliefs_changed(bench: Bench, group: str) -> None:
    await bench.tell(group, *likes(8))
    await bench.work(group)
    first = await bench.shown(group)
    known = utc_now()
    await bench.tell(group, *likes(2, 8))
    await bench.work(group)
    assert await bench.shown(group) == first

    await bench.tell(group, *likes(1, 10))
    await bench.work(group)
    again = await bench.shown(group)
    assert first is not None
    assert again is not None
    assert (again.summary_id, len(again.beliefs)) == (first.summary_id, 11)
    assert ("ludo" in first.content, "ludo" in again.content) == (False, True)
    assert await bench.text(group, known_at=known) == first.content


async def test_the_most_important_and_the_newest_come_first_as_far_as_there_is_room(bench: Bench, group: str) -> None:
    long = " ".join(["on and on"] * 10)
    others = [claim(one, statement=f"Maya said of {one} {long}.") for one in THINGS[1:]]
    await bench.tell(group, claim("chess", importance=0.9), *others)
    await bench.work(group)
    found = await bench.shown(group)
    assert found is not None
    assert found.content.startswith("Maya likes chess")
    assert found.tokens <= PACKAGED_ENTITY_SUMMARIES.tokens
    assert 1 < len(found.sentences) < len(found.beliefs)


async def test_what_is_only_spoken_of_has_one_too(bench: Bench, group: str) -> None:
    await bench.tell(group, *(claim("Porto", subject=f"P{at}", predicate="lives_in") for at in range(8)))
    await bench.work(group)
    scope = Scope(group, utc_now())
    found = await bench.memory.reader.entity_summary(scope, entity_id(group, "porto"))
    assert found is not None
    assert len(found.sentences) == 8


@pytest.mark.parametrize("properties", [{"tokens": "many"}, {"content": 5, "stale_at": utc_now()}])
async def test_an_entity_with_a_damaged_summary_is_put_off_and_the_others_are_summarised(
    bench: Bench, database: Database, group: str, properties: Mapping[str, object]
) -> None:
    await bench.tell(group, *likes(8), *likes(8, subject="Ivo"))
    await bench.work(group)
    damaged, other = await bench.shown(group), await bench.shown(group, "ivo")
    assert damaged is not None
    assert other is not None
    sound = await damage(database, damaged.id, properties)
    await bench.tell(group, *likes(5, 8), *likes(5, 8, subject="Ivo"))

    done = await bench.work(group)

    assert (done.status, done.progress["put_off"]) == (WorkProgress.DONE, 1)
    assert await bench.shown(group, "ivo") not in (None, other)
    assert (await bench.work(group)).progress == {}
    await damage(database, damaged.id, sound)
    await damage(database, of(group), {"summary_due": utc_now()})
    await bench.work(group)
    assert await bench.shown(group) not in (None, damaged)


async def test_nothing_is_due_until_something_changes(bench: Bench, group: str) -> None:
    await bench.tell(group, *likes(8))
    assert await bench.memory.store.next_group_to_summarise_entities(group[:-1]) == group
    done = await bench.work(group)
    assert done.progress["entity_summaries"] == 1
    assert (await bench.work(group)).progress == {}
    assert await bench.memory.store.next_group_to_summarise_entities(group[:-1]) != group

    await bench.tell(group, *likes(1))  # said before
    first = await bench.shown(group)
    await bench.work(group)
    assert await bench.shown(group) == first


async def test_two_at_once_make_one(bench: Bench, group: str) -> None:
    await bench.tell(group, *likes(8))
    done = await together([steps(bench, group) for _ in range(2)])
    assert sum(one.get("entity_summaries", 0) for many in done for one in many) == 1
    assert len(await bench.hits(group, "chess")) == 1


async def steps(bench: Bench, group: str) -> list[dict[str, int]]:
    """What one worker does until nothing is due."""
    found = list[dict[str, int]]()
    while (done := await bench.summaries.summarise_one(group)) is not None:
        found.append(dict(done))
    return found


async def test_who_takes_over_from_a_dead_worker_makes_the_rest(bench: Bench, group: str) -> None:
    await bench.tell(group, *likes(8), *likes(2, 8, user="ann"), *likes(2, 8, user="bob"))
    bench.embedder.left = 2
    assert (await bench.work(group)).status is WorkProgress.PENDING
    there = {user: await bench.shown(group, user=user) for user in ("", "ann", "bob")}
    assert [one.user for one in there.values() if one] == ["", "ann", ""]

    bench.embedder.left = None
    await bench.work(group)
    assert await bench.shown(group) == there[""]
    assert await bench.shown(group, user="ann") == there["ann"]
    last = await bench.shown(group, user="bob")
    assert last is not None
    assert last.user == "bob"


async def test_nothing_is_stored_while_the_model_is_away(bench: Bench, group: str) -> None:
    await bench.tell(group, *likes(8))
    bench.embedder.away = True
    assert (await bench.work(group)).status is WorkProgress.PENDING
    assert await bench.shown(group) is None


async def test_one_that_is_made_late_says_the_same(bench: Bench, group: str) -> None:
    late = f"{group}-late"
    for name in (group, late):
        for part in (likes(8), likes(2, 8), [*likes(1, 10), claim("golf", valid_to=MONDAY + timedelta(days=9))]):
            await bench.tell(name, *part)
            if name == group:
                await bench.work(name)
    await bench.work(late)
    texts = [await bench.text(name) for name in (group, late)]
    assert texts[0] == texts[1] != ""


async def test_what_is_retracted_is_left_out_at_once_and_stale_until_it_is_made_again(bench: Bench, group: str) -> None:
    claims = await bench.tell(group, *likes(8))
    await bench.work(group)
    before = await bench.shown(group)
    known = utc_now()

    await bench.memory.intake.retract(group, claims["chess"])
    stale = await bench.shown(group)
    assert before is not None
    assert stale is not None
    assert (stale.id, stale.stale_at is not None) == (before.id, True)
    assert ("chess" in before.content, "chess" in stale.content, "opera" in stale.content) == (True, False, True)
    assert [one.content for one in await bench.hits(group, "opera")] == [stale.content]

    await bench.work(group)
    after = await bench.shown(group)
    assert after is not None
    assert (after.summary_id, after.stale_at, after.content) == (before.summary_id, None, stale.content)
    assert after.id != before.id
    then = await bench.shown(group, known_at=known)
    assert then is not None
    assert (then.id, then.content, then.as_known(known).stale_at) == (before.id, before.content, None)


async def test_where_words_that_it_rests_on_are_withdrawn_by_another_claim_it_is_stale(
    bench: Bench, group: str
) -> None:
    """The other claim quotes the same words, and is about somebody else."""
    said = f"Maya likes {THINGS[9]}, and Ivo works for Acme."
    turn = Episode(group_id=group, session="s", content=said, occurred_at=MONDAY)
    (episode,) = await bench.memory.intake.remember(group, [turn])
    await digest(bench.memory, group, episode.id)
    await bench.tell(group, *likes(8))
    await bench.work(group)
    before = await bench.shown(group)
    assert before is not None
    assert (THINGS[9] in before.content, before.stale_at) == (True, None)

    found = await bench.memory.reader.graph(Scope(group, utc_now()), GraphQuery(predicates=("works_at",)))
    await bench.memory.intake.retract(group, found.beliefs[0].evidence[0].claim_id)

    stale = await bench.shown(group)
    assert stale is not None
    assert stale.stale_at is not None
    store, subjects = bench.memory.store, await bench.memory.store.stamps_of_subjects(group, before.claims)
    assert set(subjects) == {of(group), of(group, "ivo")}
    assert await store.keep_entity_summary(stale, None, stamps={**subjects, of(group, "ivo"): "before"}) is None
    await bench.work(group)
    after = await bench.shown(group)
    assert after is not None
    assert (THINGS[9] in after.content, after.stale_at) == (False, None)


async def test_what_is_rejected_is_stale_and_where_nothing_is_left_none_is_shown(bench: Bench, group: str) -> None:
    claims = await bench.tell(group, *likes(8))
    await bench.work(group)
    rows = (await bench.memory.reader.entity(Scope(group, utc_now()), of(group))).beliefs
    await bench.memory.facts.reject(group, rows[0].id)
    assert rows[0].statement.removesuffix(".") not in await bench.text(group)

    for id_ in claims.values():
        await bench.memory.intake.retract(group, id_)
    assert await bench.shown(group) is None
    await bench.work(group)
    assert await bench.shown(group) is None
    assert (await bench.work(group)).progress == {}


async def test_where_a_rejection_is_taken_back_the_summary_without_it_is_stale(bench: Bench, group: str) -> None:
    await bench.tell(group, *likes(9), *likes(9, user="ann"))
    rows = (await bench.memory.reader.entity(Scope(group, utc_now(), user="ann"), of(group))).beliefs
    (mine,) = [row for row in rows if row.user == "ann" and "chess" in row.statement]
    rejected = await bench.memory.facts.reject(group, mine.id, Actor("ann"))
    await bench.work(group)
    others, without = await bench.shown(group), await bench.shown(group, user="ann")
    assert without is not None
    assert (without.user, without.stale_at) == ("ann", None)

    for id_ in rejected.claim_ids:
        await bench.memory.intake.retract(group, id_)

    stale = await bench.shown(group, user="ann")
    assert stale is not None
    assert (stale.id, stale.stale_at is not None) == (without.id, True)
    assert await bench.shown(group) == others


async def test_what_is_withdrawn_while_it_is_made_is_not_in_it(bench: Bench, group: str) -> None:
    claims = await bench.tell(group, *likes(9))
    bench.embedder.meanwhile = lambda: bench.memory.intake.retract(group, claims["chess"])
    done = await bench.work(group)
    assert (done.progress["begun_anew"], done.progress["entity_summaries"]) == (1, 1)
    assert "chess" not in await bench.text(group)
    assert await bench.text(group) != ""


async def test_what_is_written_about_its_subjects_in_between_refuses_it(bench: Bench, group: str) -> None:
    await bench.tell(group, *likes(8))
    await bench.work(group)
    found = await bench.shown(group)
    assert found is not None
    store = bench.memory.store
    stamps = await store.stamps_of_subjects(group, found.claims)
    assert set(stamps) == {of(group)}
    assert await store.keep_entity_summary(found, None, stamps={of(group): "another"}) is None
    assert await store.write_entity_summary(found, None, before=found.id, stamps={of(group): "another"}) is None
    assert await store.write_entity_summary(found, None, before="another", stamps=stamps) is None
    assert await store.keep_entity_summary(found, None, stamps=stamps) == found.recorded_at
    assert await bench.shown(group) == found


async def test_each_user_has_one_of_what_that_user_may_see(bench: Bench, group: str) -> None:
    await bench.tell(group, *likes(8), *likes(1, 8, user="ann"), *likes(1, 9, user="bob"))
    (row,) = [
        one
        for one in (await bench.memory.reader.entity(Scope(group, utc_now(), user="bob"), of(group))).beliefs
        if one.user == "bob"
    ]
    await bench.memory.facts.share(group, row.belief_id, Actor("bob"))
    await bench.work(group)

    found = {user: await bench.text(group, user=user) for user in ("ann", "bob", "eve")}
    assert [user for user, text in found.items() if "sailing" in text] == ["ann"]
    assert [user for user, text in found.items() if "yoga" in text] == ["bob"]
    assert found["eve"] == await bench.text(group)
    assert all("chess" in text for text in found.values())
    assert {one.user for one in await bench.hits(group, "chess", user="ann")} == {"", "ann"}
    assert {one.user for one in await bench.hits(group, "chess")} == {"", "ann", "bob"}


async def test_what_a_user_withdraws_or_merges_alone_makes_only_that_users_stale(bench: Bench, group: str) -> None:
    await bench.tell(
        group, *likes(8), *likes(1, user="ann"), *likes(2, 8, user="ann"), claim("go", subject="Mia", user="ann")
    )
    await bench.work(group)
    others = await bench.shown(group)
    rows = (await bench.memory.reader.entity(Scope(group, utc_now(), user="ann"), of(group))).beliefs
    for thing in ("chess", "sailing"):
        (mine,) = [row for row in rows if row.user == "ann" and thing in row.statement]
        await bench.memory.facts.reject(group, mine.id, Actor("ann"))
    own = await bench.shown(group, user="ann")
    assert own is not None
    assert (own.user, own.stale_at is not None) == ("ann", True)
    assert await bench.shown(group) == others

    await bench.work(group)
    await bench.memory.merging.merge(group, of(group), of(group, "mia"), reason="told so", user="ann")
    own = await bench.shown(group, user="ann")
    assert own is not None
    assert own.stale_at is not None
    assert await bench.shown(group) == others


async def test_of_who_believes_nothing_alone_any_more_that_of_everybody_is_shown(bench: Bench, group: str) -> None:
    await bench.tell(group, *likes(8))
    own = await bench.tell(group, *likes(1, 8, user="ann"))
    await bench.work(group)
    assert "sailing" in await bench.text(group, user="ann")
    await bench.memory.intake.retract(group, own["sailing"])
    await bench.work(group)
    found = await bench.shown(group, user="ann")
    assert found is not None
    assert (found.user, "chess" in found.content) == ("", True)


async def test_merged_entities_have_one_and_parted_ones_each_their_own_again(bench: Bench, group: str) -> None:
    await bench.tell(group, *likes(8), *likes(8, 5, subject="Mia"))
    await bench.work(group)
    before = [await bench.text(group, name) for name in ("maya", "mia")]

    merge, _ = await bench.memory.merging.merge(group, of(group), of(group, "mia"), reason="told so")
    stale = [await bench.shown(group, name) for name in ("maya", "mia")]
    assert [one is not None and one.stale_at is not None for one in stale] == [True, True]
    await bench.work(group)
    both = {name: await bench.shown(group, name) for name in ("maya", "mia")}
    (whole,) = [one for one in both.values() if one]
    assert len(whole.beliefs) == 13
    assert {name for name, one in both.items() if one} == {"maya" if merge.member == of(group, "mia") else "mia"}

    await bench.memory.merging.revert(group, merge.id, reason="two people")
    await bench.work(group)
    assert [await bench.text(group, name) for name in ("maya", "mia")] == before


async def test_one_whose_vector_was_taken_away_is_made_again_and_stays(bench: Bench, group: str) -> None:
    await bench.tell(group, *likes(8))
    await bench.work(group)
    before = await bench.shown(group)
    await bench.memory.store.forget_vectors_of_summaries(group, "", 10)
    stale = await bench.shown(group)
    assert before is not None
    assert stale is not None
    assert (stale.content, stale.stale_at is not None) == (before.content, True)

    assert (await bench.work(group)).progress == {"kept": 1}
    again = await bench.shown(group)
    assert again is not None
    assert replace(again, was_stale=()) == before
    assert again.was_stale[0] == stale.stale_at
    vector = bench.embedder.vector(before.content)
    found = await bench.memory.store.by_vector(Scope(group, utc_now()), vector, [SUMMARY], 5)
    assert [hit.id for hit in found[SUMMARY].hits] == [before.id]


async def test_it_is_known_from_when_it_was_made_and_of_what_was_so_by_then(bench: Bench, group: str) -> None:
    await bench.tell(group, *likes(8))
    before = utc_now()
    await bench.work(group)
    found = await bench.shown(group)
    assert found is not None
    assert await bench.shown(group, known_at=before) is None
    assert await bench.shown(group, valid_at=found.as_of) == found
    assert await bench.shown(group, valid_at=found.as_of - timedelta(microseconds=1)) is None


async def test_what_is_over_is_not_in_it(bench: Bench, group: str) -> None:
    over = claim("golf", valid_to=MONDAY + timedelta(days=9))
    await bench.tell(group, over, *likes(8))
    await bench.work(group)
    found = await bench.shown(group)
    assert found is not None
    assert ("golf" in found.content, len(found.beliefs)) == (False, 8)


async def test_a_search_finds_it_and_lists_of_summaries_of_sessions_do_not(bench: Bench, group: str) -> None:
    await bench.tell(group, *likes(8))
    await bench.work(group)
    found = await bench.shown(group)
    assert await bench.hits(group, "opera") == [found]
    memory = bench.memory
    sessions = Summaries(memory.store, memory.reader, bench.embedder, memory.late_vectors, Words(), memory.window_facts)
    scope = Scope(group, utc_now())
    assert await sessions.summaries(scope, session_id=None, after=FIRST_SUMMARY, limit=10) == []
