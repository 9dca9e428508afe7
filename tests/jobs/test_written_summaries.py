"""Summaries written by a language model: by the real SDK, from a fake provider that answers over HTTP."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from graphmem.clock import utc_now
from graphmem.extract.llm.prompts import SUMMARIES_VERSION, TURNS_VERSION
from graphmem.model.cited_writing import SummaryWriter
from graphmem.model.episode import Episode
from graphmem.model.scope import Scope
from graphmem.model.summary import QuotedSpan
from graphmem.model.work import WorkProgress
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from tests.fake_anthropic import Answer, FakeProvider, Fault, in_short
from tests.jobs.measuring import number
from tests.jobs.summarising import LIVES, MODEL_STEP, ROOM, SAID, Bench, talk
from tests.models import digest

MODEL = "anthropic/claude-haiku-4-5"


@pytest.fixture
def bench(database: Database, writer: SummaryWriter) -> Bench:
    """Who wrote nothing of use is asked again at once."""
    return Bench(database, writer=writer, first_pause=0.0)


async def told(bench: Bench, group: str, *, user: str = "") -> list[str]:
    """A closed session, whose first turn brings a belief."""
    ids = await bench.say(group, [f"{LIVES}. The harbour is lovely.", *talk(ROOM)], user=user)
    await bench.close(group)
    return ids


def of_maya_and_crates(document: Mapping[str, Any]) -> Answer:
    """Two sentences: of the first turn and the belief of where Maya lives, as long as it is shown; of the next two."""
    lives = [one["number"] for one in document["beliefs"] if one["text"].startswith(LIVES)]
    return {
        "sentences": [
            {"text": "Maya moved to Porto and loves it." if lives else "It is lovely.", "cites": [1, *lives]},
            {"text": "Crates went north.", "cites": [2, 3]},
        ]
    }


def numbers(document: Mapping[str, Any], part: str) -> list[int]:
    return [one["number"] for one in document[part]]


async def test_a_run_of_turns_takes_one_call_and_each_sentence_says_what_it_rests_on(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.sums_up = of_maya_and_crates
    ids = await bench.say(group, [f"{LIVES}. The harbour is lovely.", *talk(29)])
    done = await bench.work(group)

    (summary,) = await bench.then(group)
    assert (summary.text.model, summary.text.prompt) == (MODEL, TURNS_VERSION)
    assert summary.text.lines == ("Maya moved to Porto and loves it.", "Crates went north.")
    assert (summary.turns, done.progress["summaries"]) == (20, 1)
    lives, crates = summary.text.sentences
    assert {span.episode_id for span in lives.spans} == {ids[0]}
    assert (len(lives.claims), len(lives.rows), len(lives.beliefs)) == (1, 1, 1)
    assert [span.episode_id for span in crates.spans] == ids[1:3]

    (request,) = provider.requests
    (document,) = provider.documents()
    assert request["temperature"] == 0.5
    assert "never to be followed" in request["system"][-1]["text"]
    assert numbers(document, "turns") == list(range(1, 21))
    assert numbers(document, "beliefs")[0] == 21
    assert document["turns"][0]["text"].endswith(f"{LIVES}. The harbour is lovely.")


async def test_what_calls_took_is_shown_with_that_of_other_calls(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    await told(bench, group)
    with capture_logs() as lines:
        await bench.work(group)

    labels = (MODEL, TURNS_VERSION)
    assert number(bench.metrics, "graphmem_model_calls_total", *labels) == 1
    assert number(bench.metrics, "graphmem_model_tokens_total", "output", *labels) == 50
    assert number(bench.metrics, "graphmem_model_cost_dollars_total", *labels) == pytest.approx(440e-6)
    assert number(bench.metrics, "graphmem_model_seconds_count", *labels) == 1
    (asked,) = [line for line in lines if line["event"] == "summary.asked"]
    assert (asked["calls"], asked["cost"]) == (1, pytest.approx(440e-6))
    assert "harbour" not in repr(lines)
    assert len(provider.requests) == 1


async def test_the_rest_of_a_closed_session_is_written_and_a_second_pass_asks_nothing(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    ids = await told(bench, group)
    await bench.work(group)
    (summary,) = await bench.then(group)
    assert (set(summary.covers), summary.text.model) == (set(ids), MODEL)

    await bench.work(group)
    assert await bench.then(group) == [summary]
    assert len(provider.requests) == 1


async def test_a_few_short_turns_have_no_room_for_a_sentence_and_are_summarised_offline(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    await bench.say(group, [LIVES, *talk(5)])
    await bench.close(group)
    await bench.work(group)

    (summary,) = await bench.then(group)
    assert (summary.text.model, summary.text.prompt) == ("", "")
    assert provider.requests == []


@pytest.mark.full
async def test_summaries_of_summaries_are_written_from_their_sentences(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    def sums_up(document: Mapping[str, Any]) -> Answer:
        numbered = [*document.get("turns", ()), *document.get("summaries", ())]
        return {
            "sentences": [
                {"text": f"On {numbered[0]['text']}", "cites": [numbered[0]["number"]]},
                {"text": f"At last {numbered[-1]['text']}", "cites": [numbered[-1]["number"]]},
            ]
        }

    provider.sums_up = sums_up
    ids = await bench.say(group, talk(100))
    await bench.close(group)
    await bench.work(group)

    found = await bench.then(group)
    (meta,) = [one for one in found if one.tier == 2]
    assert {one.text.prompt for one in found if one.tier == 1} == {TURNS_VERSION}
    assert (meta.text.model, meta.text.prompt, meta.turns) == (MODEL, SUMMARIES_VERSION, 100)
    assert [one.spans[0].episode_id for one in meta.text.sentences] == [ids[0], ids[-1]]
    *_, document = provider.documents()
    assert len(document["summaries"]) == 10
    assert len(provider.requests) == 6


async def test_a_model_that_answers_amiss_twice_is_asked_again(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.faults = [Fault.MALFORMED, Fault.MALFORMED]
    await told(bench, group)
    await bench.work(group)

    (summary,) = await bench.then(group)
    assert summary.text.model == MODEL
    assert number(bench.metrics, "graphmem_model_calls_total", MODEL, TURNS_VERSION) == 3


async def test_what_never_fits_the_form_is_not_stored_and_the_next_pass_asks_again(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.faults = [Fault.MALFORMED] * 3
    await told(bench, group)
    with capture_logs() as lines:
        assert await bench.summaries.summarise_one(group, bench.metrics.observe_model) == {"refused": 1}
    assert await bench.then(group) == []
    assert [line["log_level"] for line in lines if line["event"] == "summary.refused"] == ["warning"]
    assert "harbour" not in repr(lines)
    assert number(bench.metrics, "graphmem_model_calls_total", MODEL, TURNS_VERSION) == 3

    await bench.work(group)
    assert len(await bench.then(group)) == 1


@pytest.mark.parametrize("fault", [Fault.REFUSAL, Fault.TRUNCATED, Fault.TOO_LONG])
async def test_a_model_that_refuses_is_left_alone_for_a_while_and_the_job_says_so(
    database: Database, group: str, provider: FakeProvider, writer: SummaryWriter, fault: Fault
) -> None:
    bench = Bench(database, writer=writer)
    provider.faults = [fault]
    await told(bench, group)
    work = await bench.work(group)
    assert (work.status, work.progress) == (WorkProgress.DONE, {"refused": 1})
    assert number(bench.metrics, "graphmem_job_counts_total", "summarise", "refused") == 1
    assert await bench.then(group) == []

    assert (await bench.work(group)).progress == {}
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    "cites", [[999], [0], list(range(1, 150))], ids=["no such number", "below the first", "beyond the last"]
)
async def test_a_sentence_that_rests_on_nothing_is_refused_after_being_asked_again(
    bench: Bench, group: str, provider: FakeProvider, cites: list[int]
) -> None:
    provider.sums_up = lambda _: {"sentences": [{"text": "Maya loves secret gardens.", "cites": cites}]}
    await told(bench, group)
    with capture_logs() as lines:
        assert await bench.summaries.summarise_one(group) == {"refused": 1}
    assert await bench.then(group) == []
    assert len(provider.requests) > 1
    assert "gardens" not in repr(lines)


async def test_what_was_wrong_with_an_answer_is_told_when_the_model_is_asked_again(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    answers = iter([{"sentences": [{"text": "word " * 300, "cites": [1]}]}])
    provider.sums_up = lambda document: next(answers, None) or in_short(document)
    await told(bench, group)
    await bench.work(group)

    (summary,) = await bench.then(group)
    first, second = provider.documents()
    (reason,) = second["refused"]
    assert reason.endswith("at most have room: say less.")
    assert {**second, "refused": None} == {**first, "refused": None}
    assert summary.text.model == MODEL
    assert summary.text.tokens <= 3 * summary.said // 10


async def test_while_the_model_is_away_nothing_is_stored_and_later_it_is(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.faults = [Fault.SERVER_ERROR] * MODEL_STEP.attempts
    await told(bench, group)
    assert (await bench.work(group)).status is WorkProgress.PENDING
    assert await bench.then(group) == []
    assert number(bench.metrics, "graphmem_jobs_total", "summarise", "unavailable") == 1

    await bench.work(group)
    assert len(await bench.then(group)) == 1


async def test_a_call_of_which_nothing_comes_is_not_made_again_at_once(
    database: Database, group: str, provider: FakeProvider, writer: SummaryWriter
) -> None:
    """The worker is killed meanwhile, or there is no vector for what was written."""
    bench = Bench(database, writer=writer)
    await told(bench, group)
    provider.open.clear()
    making = asyncio.create_task(bench.summaries.summarise_one(group))
    try:
        await provider.asked_at_once(1)
        making.cancel()
        await asyncio.wait([making])
    finally:
        provider.open.set()
    assert (await bench.work(group)).progress == {}

    await bench.say(group, talk(ROOM), user="maya")
    await bench.close(group)
    bench.embedder.away = True
    assert (await bench.work(group)).status is WorkProgress.PENDING
    bench.embedder.away = False
    assert (await bench.work(group)).progress == {}
    assert len(provider.requests) == 2
    assert await bench.then(group) == []


async def test_a_wrong_key_fails_the_job_and_says_so(bench: Bench, group: str, provider: FakeProvider) -> None:
    provider.faults = [Fault.BAD_KEY]
    await told(bench, group)
    work = await bench.work(group)
    assert "refuses the request (401)" in (work.error or "")
    assert await bench.then(group) == []


async def test_what_was_withdrawn_is_not_shown_to_the_model_again(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.sums_up = of_maya_and_crates
    ids = await told(bench, group)
    await bench.work(group)
    (before,) = await bench.then(group)
    assert "Porto" in json.dumps(provider.requests)

    (claim,) = {claim for sentence in before.text.sentences for claim in sentence.claims}
    await bench.memory.intake.retract(group, claim)
    provider.requests.clear()
    await bench.work(group)

    (after,) = await bench.then(group)
    assert (after.summary_id, after.id != before.id, after.stale_at) == (before.summary_id, True, None)
    assert "Porto" not in json.dumps(provider.requests)
    assert "The harbour is lovely." in json.dumps(provider.requests)
    quote = QuotedSpan(ids[0], 0, len(LIVES))
    assert not any(span.overlaps(quote) for sentence in after.text.sentences for span in sentence.spans)


async def test_what_is_withdrawn_while_the_model_writes_is_in_no_summary(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    def sums_up(document: Mapping[str, Any]) -> Answer:
        """In other words each time."""
        first, second = of_maya_and_crates(document)["sentences"]
        return {"sentences": [first, {**second, "text": f"Crates, {len(provider.requests)}."}]}

    provider.sums_up = sums_up
    await told(bench, group)
    await bench.work(group)
    (before,) = await bench.then(group)
    await bench.summaries.regenerate(group, before.summary_id)
    provider.open.clear()
    async with asyncio.TaskGroup() as tasks:
        making = tasks.create_task(bench.summaries.summarise_one(group))
        try:
            await provider.asked_at_once(1)
            (claim,) = {claim for sentence in before.text.sentences for claim in sentence.claims}
            await bench.memory.intake.retract(group, claim)
        finally:
            provider.open.set()
    assert making.result() == {"begun_anew": 1}

    await bench.work(group)
    (after,) = await bench.then(group)
    assert "Porto" in json.dumps(provider.requests[-2])
    assert "Porto" not in json.dumps(provider.requests[-1])
    assert not any(sentence.claims for sentence in after.text.sentences)


async def test_where_words_that_it_cites_of_another_session_are_withdrawn_while_the_model_writes_it_is_stale(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    """There a claim is retracted that quotes the same words as the cited one."""
    bench.reads.whole = True
    words = f"{LIVES}. Maya works_at Acme."
    before = Episode(group_id=group, session="before", content=words, occurred_at=SAID - timedelta(days=7))
    (episode,) = await bench.memory.intake.remember(group, [before])
    await digest(bench.memory, group, episode.id)
    await bench.close(group)
    await bench.work(group)
    await told(bench, group)
    provider.sums_up = of_maya_and_crates
    found = await bench.memory.reader.graph(Scope(group, utc_now()), GraphQuery(predicates=("lives_in", "works_at")))
    by_predicate = {one.predicate: one for one in found.beliefs}
    assert len(by_predicate["lives_in"].evidence) == 2

    provider.open.clear()
    async with asyncio.TaskGroup() as tasks:
        making = tasks.create_task(bench.summaries.summarise_one(group))
        try:
            await provider.asked_at_once(1)
            await bench.memory.intake.retract(group, by_predicate["works_at"].evidence[0].claim_id)
        finally:
            provider.open.set()

    assert (making.result() or {}).get("summaries") == 1
    assert {one.session: one.stale_at is None for one in await bench.then(group)}["s"] is False
    await bench.work(group)
    assert {one.session: one.stale_at is None for one in await bench.then(group)}["s"] is True


async def test_a_model_is_shown_turns_of_one_user_at_a_time(bench: Bench, group: str, provider: FakeProvider) -> None:
    users = ("", "maya", "ivo")
    for user in users:
        await bench.say(group, [f"{user or 'nobody'} lives_in Hideout{user}", *talk(ROOM)], user=user)
    await bench.close(group)
    await bench.work(group)

    assert {one.user for one in await bench.then(group)} == set(users)
    sent = [json.dumps(document) for document in provider.documents()]
    assert len(sent) == len(users)
    for user in ("maya", "ivo"):
        assert [f"Hideout{user}" in one for one in sent].count(True) == 1
    assert not any("maya" in one and "ivo" in one for one in sent)


async def test_what_is_merely_stale_costs_nothing_and_a_person_may_have_it_written_again(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.sums_up = lambda document: {
        "sentences": [{"text": f"Told {len(provider.requests)} times.", "cites": numbers(document, "turns")}]
    }
    await told(bench, group)
    await bench.work(group)
    (before,) = await bench.then(group)

    await bench.memory.store.forget_vectors_of_summaries(group, "", 100)
    (stale,) = await bench.then(group)
    assert stale.stale_at is not None
    assert (await bench.work(group)).progress["kept"] == 1
    assert [replace(one, was_stale=()) for one in await bench.then(group)] == [before]
    assert len(provider.requests) == 1

    await bench.summaries.regenerate(group, before.summary_id)
    await bench.work(group)
    (after,) = await bench.then(group)
    assert (before.text.lines, after.text.lines) == (("Told 1 times.",), ("Told 2 times.",))
    assert (after.asked, after.drift is not None) == (False, True)
    await bench.work(group)
    assert len(provider.requests) == 2


async def test_what_a_model_wrote_stays_where_none_is_configured_any_more(
    bench: Bench, database: Database, group: str
) -> None:
    await told(bench, group)
    await bench.work(group)
    (before,) = await bench.then(group)
    await bench.memory.store.forget_vectors_of_summaries(group, "", 100)
    offline = Bench(database)
    await offline.work(group)
    assert [replace(one, was_stale=()) for one in await bench.then(group)] == [before]

    await offline.summaries.regenerate(group, before.summary_id)
    await offline.work(group)
    (after,) = await bench.then(group)
    assert (after.summary_id, after.text.model) == (before.summary_id, "")
