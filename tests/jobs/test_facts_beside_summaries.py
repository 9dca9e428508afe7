"""Facts that a language model states beside a summary: claims of the turns that they quote, in the same call."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import pytest

from graphmem.clock import utc_now
from graphmem.extract.providers import Extractors
from graphmem.model.belief import BeliefRow
from graphmem.model.cited_writing import SummaryWriter
from graphmem.model.claim import AssertedBy
from graphmem.model.episode import AS_CONFIGURED, Episode, EpisodeRole
from graphmem.model.fact import FactQuery
from graphmem.model.scope import Scope
from graphmem.model.work import WorkProgress
from graphmem.settings import Settings
from graphmem.store.driver import Database
from tests.fake_anthropic import KEY, Answer, FakeProvider, in_short
from tests.jobs.summarising import LIVES, ROOM, SAID, Bench, talk
from tests.models import digest

NUTS = "No nuts for me, please: they nearly killed me once."
QUOTE = "No nuts for me"
LAST_WEEK = SAID - timedelta(days=7)
ALLERGY: Mapping[str, Any] = {
    "turn": 1,
    "category": "constraint",
    "key": "diet",
    "value": "no nuts",
    "confidence": 0.9,
    "importance": 1.0,
    "quote": QUOTE,
}


@pytest.fixture
def bench(database: Database, writer: SummaryWriter) -> Bench:
    return Bench(database, writer=writer, first_pause=0.0)


def stating(*facts: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], Answer]:
    """Sums up in one sentence, and states these beside it."""

    def sums_up(document: Mapping[str, Any]) -> Answer:
        return {**in_short(document), "facts": list(facts)}

    return sums_up


async def told(bench: Bench, group: str, *first: str, user: str = "maya") -> list[str]:
    """A closed session of a user."""
    ids = await bench.say(group, [*first, *talk(ROOM)], user=user)
    await bench.close(group)
    return ids


async def facts(bench: Bench, group: str, user: str | None = "maya") -> list[BeliefRow]:
    page = await bench.memory.fact_lists.facts(Scope(group, utc_now(), user=user), FactQuery())
    return [one.belief for one in page.facts]


async def test_one_call_gives_the_summary_and_the_facts(bench: Bench, group: str, provider: FakeProvider) -> None:
    provider.sums_up = stating(ALLERGY)
    ids = await told(bench, group, NUTS)
    done = await bench.work(group)

    assert (len(provider.requests), done.progress["summaries"], done.progress["facts"]) == (1, 1, 1)
    (allergy,) = await facts(bench, group)
    (evidence,) = allergy.evidence
    assert (allergy.predicate, allergy.value, allergy.category) == ("diet", "No nuts", "constraint")
    assert (allergy.confidence, allergy.importance, allergy.user) == (0.9, 1.0, "maya")
    assert (evidence.episode_id, evidence.quote, evidence.said_at) == (ids[0], QUOTE, SAID)
    assert await facts(bench, group, "ivo") == []

    grounds = await bench.memory.reader.evidence(Scope(group, utc_now(), user="maya"), allergy.id)
    (claim,) = grounds.claims
    assert (claim.extractor, claim.asserted_by) == ("summary", AssertedBy.PASSING)
    assert claim.extractor_version == "turns-2 anthropic/claude-haiku-4-5"
    (summary,) = await bench.then(group, user="maya")
    assert summary.stale_at is None


async def test_of_another_person_it_is_their_fact(bench: Bench, group: str, provider: FakeProvider) -> None:
    provider.sums_up = stating({**ALLERGY, "about": "Ivo", "quote": "Ivo eats no nuts"})
    await told(bench, group, "Mind that Ivo eats no nuts.")
    await bench.work(group)

    (allergy,) = await facts(bench, group)
    assert allergy.statement.startswith("Ivo: diet")


@pytest.mark.parametrize(
    "amiss",
    [
        {"quote": "I love nuts"},
        {"turn": 2},
        {"turn": 0},
        {"turn": 99},
        {"about": "Zoe"},
        {"about": "Z" * 513},
        {"confidence": 0.3},
        {"importance": 0.1},
        {"value": "secret gardens"},
        {"value": "nuts and shellfish"},
        {"category": "health"},
        {"confidence": "high"},
    ],
    ids=str,
)
async def test_what_its_turn_does_not_bear_out_is_no_fact(
    bench: Bench, group: str, provider: FakeProvider, amiss: Mapping[str, Any]
) -> None:
    provider.sums_up = stating({**ALLERGY, **amiss})
    await told(bench, group, NUTS)
    done = await bench.work(group)

    assert (done.progress["summaries"], done.progress.get("facts")) == (1, None)
    assert await facts(bench, group) == []


async def test_another_person_of_a_name_that_is_known_is_another(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.sums_up = stating({**ALLERGY, "about": "Anna", "quote": "another Anna, who eats no nuts"})
    await told(bench, group, "Anna knows Ivo. Then I met another Anna, who eats no nuts.")
    await bench.work(group)

    (allergy,) = await facts(bench, group)
    page = await bench.memory.reader.entities(Scope(group, utc_now(), user="maya"), name="Anna")
    assert allergy.subject_id in {one.id for one in page}
    assert {one.qualifier for one in page if one.id == allergy.subject_id} != {""}


async def test_of_two_quotes_that_overlap_one_states_it(bench: Bench, group: str, provider: FakeProvider) -> None:
    provider.sums_up = stating(ALLERGY, {**ALLERGY, "quote": "No nuts"})
    await told(bench, group, NUTS)
    assert (await bench.work(group)).progress["facts"] == 1

    (allergy,) = await facts(bench, group)
    assert [one.quote for one in allergy.evidence] == [QUOTE]


async def test_a_strategy_in_which_the_model_makes_no_claims_states_none(
    database: Database, group: str, provider: FakeProvider
) -> None:
    composed = {"mine": {"providers": ["llm", "reader"], "claims": ["reader"]}}
    settings = Settings.model_validate(
        {
            "anthropic": {"api_key": KEY, "base_url": provider.url},
            "pipeline": {"strategies": composed, "entity_extraction": {"strategy": "mine"}},
        }
    )
    extractors = Extractors(settings)
    try:
        bench = Bench(database, writer=extractors.summary_writer, first_pause=0.0)
        provider.sums_up = stating(ALLERGY)
        await told(bench, group, NUTS)
        done = await bench.work(group)
    finally:
        await extractors.aclose()
    assert (done.progress["summaries"], await facts(bench, group)) == (1, [])


async def test_what_an_assistant_says_is_no_fact(bench: Bench, group: str, provider: FakeProvider) -> None:
    provider.sums_up = stating({**ALLERGY, "turn": ROOM + 1})
    await bench.say(group, talk(ROOM), user="maya")
    said = Episode(
        group_id=group, session="s", content=NUTS, occurred_at=utc_now(), user="maya", role=EpisodeRole.ASSISTANT
    )
    (stored,) = await bench.memory.intake.remember(group, [said])
    await digest(bench.memory, group, stored.id)
    await bench.close(group)
    done = await bench.work(group)

    assert provider.documents()[0]["turns"][-1]["text"].endswith(NUTS)
    assert (done.progress["summaries"], await facts(bench, group)) == (1, [])


async def test_made_again_it_states_nothing_twice_and_takes_nothing_back(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.sums_up = stating(ALLERGY)
    await told(bench, group, NUTS)
    await bench.work(group)
    before = await facts(bench, group)

    for again in (stating(ALLERGY), stating()):
        provider.sums_up = again
        (summary,) = await bench.then(group, user="maya")
        await bench.summaries.regenerate(group, summary.summary_id)
        await bench.work(group)
        assert await facts(bench, group) == before


async def test_a_new_reading_of_the_turn_leaves_them_in_place(bench: Bench, group: str, provider: FakeProvider) -> None:
    provider.sums_up = stating({**ALLERGY, "quote": "No nuts"})
    ids = await told(bench, group, f"{LIVES}. {NUTS}")
    await bench.work(group)
    before = await facts(bench, group)
    assert len(before) == 1

    await bench.memory.intake.reprocess(group, ids[0], AS_CONFIGURED)
    await digest(bench.memory, group, ids[0])
    assert await facts(bench, group) == before


async def test_what_was_taken_back_is_not_stated_again(bench: Bench, group: str, provider: FakeProvider) -> None:
    provider.sums_up = stating(ALLERGY)
    await told(bench, group, NUTS)
    await bench.work(group)
    (allergy,) = await facts(bench, group)

    await bench.memory.intake.retract(group, allergy.evidence[0].claim_id)
    provider.sums_up = stating(ALLERGY, {**ALLERGY, "key": "food", "quote": "No nuts for me, please"})
    (summary,) = await bench.then(group, user="maya")
    await bench.summaries.regenerate(group, summary.summary_id)
    await bench.work(group)
    assert await facts(bench, group) == []


async def test_what_is_taken_back_while_the_model_writes_is_not_stated(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.sums_up = stating(ALLERGY)
    await told(bench, group, NUTS)
    await bench.work(group)
    (allergy,) = await facts(bench, group)
    (summary,) = await bench.then(group, user="maya")
    await bench.summaries.regenerate(group, summary.summary_id)
    provider.sums_up = stating({**ALLERGY, "key": "food"})
    provider.open.clear()
    async with asyncio.TaskGroup() as tasks:
        making = tasks.create_task(bench.summaries.summarise_one(group))
        try:
            await provider.asked_at_once(1)
            await bench.memory.intake.retract(group, allergy.evidence[0].claim_id)
        finally:
            provider.open.set()
    assert making.result() == {"begun_anew": 1}
    assert await facts(bench, group) == []


async def test_words_beside_those_that_a_summary_cites_make_it_stale_when_they_are_withdrawn(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    """Its belief rests on a quote in another session, which a claim that is withdrawn there overlaps."""
    provider.sums_up = stating(ALLERGY, {**ALLERGY, "key": "food", "quote": "No nuts for me, please"})
    before = [
        Episode(
            group_id=group, session="before", content=text, occurred_at=LAST_WEEK + timedelta(minutes=at), user="maya"
        )
        for at, text in enumerate((NUTS, *talk(ROOM)))
    ]
    for one in await bench.memory.intake.remember(group, before):
        await digest(bench.memory, group, one.id)
    await bench.close(group)
    await bench.work(group)
    provider.sums_up = stating(ALLERGY)
    await told(bench, group, NUTS)
    await bench.work(group)
    (later,) = [one for one in await bench.then(group, user="maya") if one.session == "s"]
    await bench.summaries.regenerate(group, later.summary_id)
    await bench.work(group)
    by_key = {one.predicate: one for one in await facts(bench, group)}
    assert len(by_key["diet"].evidence) == 2

    await bench.memory.intake.retract(group, by_key["constraint.food"].evidence[0].claim_id)

    assert [one.session for one in await bench.then(group, user="maya") if one.stale_at is None] == []


async def test_without_vectors_neither_summary_nor_facts_are_stored(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.sums_up = stating(ALLERGY)
    await told(bench, group, NUTS)
    bench.embedder.away = True
    assert (await bench.work(group)).status is WorkProgress.PENDING
    assert (await facts(bench, group), await bench.then(group, user="maya")) == ([], [])

    bench.embedder.away = False
    await bench.work(group)
    assert len(await facts(bench, group)) == 1


async def test_an_answer_that_is_refused_states_nothing(bench: Bench, group: str, provider: FakeProvider) -> None:
    provider.sums_up = lambda _: {"sentences": [{"text": "Maya loves gardens.", "cites": [999]}], "facts": [ALLERGY]}
    await told(bench, group, NUTS)
    assert await bench.summaries.summarise_one(group) == {"refused": 1}
    assert await facts(bench, group) == []
