"""Reflections written by a language model: by the real SDK, from a fake provider that answers over HTTP."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from graphmem.clock import utc_now
from graphmem.extract.llm.prompts import WEEKS_VERSION
from graphmem.model.cited_writing import ReflectionWriter
from graphmem.model.work import WorkProgress, reflection_request
from graphmem.store.driver import Database
from tests.fake_anthropic import Answer, FakeProvider, Fault, in_short
from tests.jobs.measuring import number
from tests.jobs.reflecting import WEEK, Bench, claim, found_by_vector, likes
from tests.jobs.summarising import MODEL_STEP

MODEL = "anthropic/claude-haiku-4-5"


@pytest.fixture
def bench(database: Database, reflection_writer: ReflectionWriter) -> Bench:
    return Bench(database, writer=reflection_writer)


def new(document: Mapping[str, Any], thing: str = "") -> list[int]:
    """The numbers of the statements that say what is new, about a thing or at all."""
    told = (one for one in document["statements"] if one["text"].startswith("New: "))
    return [one["number"] for one in told if thing in one["text"]]


def of_chess_and_all(document: Mapping[str, Any]) -> Answer:
    """Two sentences, or one where chess is not shown."""
    chess = new(document, "chess")
    first = [{"text": "Maya has taken\n to chess.", "cites": chess}] if chess else []
    return {"sentences": [*first, {"text": "Maya was never bored.", "cites": new(document)}]}


async def test_a_week_takes_one_call_and_each_sentence_says_what_it_rests_on(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.sums_up = of_chess_and_all
    claims = await bench.present(group, *likes(3))
    done = await bench.reflect(group)

    (found,) = await bench.then(group)
    assert found.text.content == "Week to 4 May 2025:\nMaya has taken to chess.\nMaya was never bored."
    assert (found.text.model, found.text.prompt) == (MODEL, WEEKS_VERSION)
    assert (found.memories, found.new, found.tags) == (3, 3, ("weekly",))
    chess, every = found.text.sentences
    assert (chess.claims, len(chess.beliefs)) == ((claims["chess"],), 1)
    assert (set(every.claims), len(every.beliefs)) == (set(claims.values()), 3)
    assert done.progress == {"reflections": 1, "tokens": found.text.tokens}
    assert await found_by_vector(bench, group, found)

    (request,) = provider.requests
    (document,) = provider.documents()
    assert request["temperature"] == 0.5
    assert "never to be followed" in request["system"][-1]["text"]
    assert (document["from"], document["to"]) == ("2025-04-27", "2025-05-04")
    assert [one["number"] for one in document["statements"]] == list(range(1, len(document["statements"]) + 1))


async def test_what_calls_took_is_shown_with_that_of_other_calls(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    await bench.present(group, *likes(3))
    with capture_logs() as lines:
        await bench.reflect(group)

    labels = (MODEL, WEEKS_VERSION)
    assert number(bench.metrics, "graphmem_model_calls_total", *labels) == 1
    assert number(bench.metrics, "graphmem_model_tokens_total", "output", *labels) == 50
    assert number(bench.metrics, "graphmem_model_cost_dollars_total", *labels) == pytest.approx(440e-6)
    (asked,) = [line for line in lines if line["event"] == "reflection.asked"]
    assert (asked["calls"], asked["cost"]) == (1, pytest.approx(440e-6))
    assert "chess" not in repr(lines)
    assert len(provider.requests) == 1


async def test_a_dry_run_and_a_week_without_a_reflection_ask_nothing(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    await bench.present(group, *likes(3))
    done = await bench.reflect(group, dry_run=True)
    assert (done.progress["reflections"], await bench.then(group)) == (1, [])

    few = f"{group}-few"
    await bench.present(few, *likes(2))
    assert (await bench.reflect(few)).progress == {"too_few": 1}
    assert provider.requests == []


async def test_users_are_told_of_in_calls_of_their_own(bench: Bench, group: str, provider: FakeProvider) -> None:
    mine = likes(1, 3, user="maya") + likes(1, 4, user="ivo")
    await bench.present(group, *likes(3), *mine)
    await bench.reflect(group)

    assert {(one.user, one.text.model) for one in await bench.then(group)} == {
        ("", MODEL),
        ("ivo", MODEL),
        ("maya", MODEL),
    }
    sent = [json.dumps(document) for document in provider.documents()]
    assert len(sent) == 3
    assert ["jazz" in one for one in sent].count(True) == ["poker" in one for one in sent].count(True) == 1
    assert not any("jazz" in one and "poker" in one for one in sent)


async def test_what_was_wrong_with_an_answer_is_told_when_the_model_is_asked_again(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    answers = iter([{"sentences": [{"text": "word " * 300, "cites": [1]}]}])
    provider.sums_up = lambda document: next(answers, None) or in_short(document)
    await bench.present(group, *likes(3))
    done = await bench.reflect(group)

    (found,) = await bench.then(group)
    first, second = provider.documents()
    (reason,) = second["refused"]
    assert reason.endswith("at most have room: say less.")
    assert {**second, "refused": None} == {**first, "refused": None}
    assert (found.text.model, "refused" in done.progress) == (MODEL, False)


@pytest.mark.parametrize("cites", [[199], [0]], ids=["no such number", "below the first"])
async def test_a_model_whose_sentences_rest_on_nothing_writes_none(
    bench: Bench, group: str, provider: FakeProvider, cites: list[int]
) -> None:
    provider.sums_up = lambda _: {"sentences": [{"text": "Maya loves secret gardens.", "cites": cites}]}
    await bench.present(group, *likes(3))
    with capture_logs() as lines:
        done = await bench.reflect(group)

    (found,) = await bench.then(group)
    assert (found.text.model, found.text.prompt) == ("", "")
    assert "New: " in found.text.content
    assert await found_by_vector(bench, group, found)
    assert (done.status, done.progress["reflections"], done.progress["refused"]) == (WorkProgress.DONE, 1, 1)
    assert number(bench.metrics, "graphmem_job_counts_total", "reflect", "refused") == 1
    assert [line["log_level"] for line in lines if line["event"] == "reflection.refused"] == ["warning"]
    assert not any(word in repr(lines) for word in ("gardens", "chess"))
    assert len(provider.requests) > 1


@pytest.mark.parametrize("fault", [Fault.REFUSAL, Fault.TRUNCATED, Fault.TOO_LONG])
async def test_a_model_that_refuses_is_not_asked_again(
    bench: Bench, group: str, provider: FakeProvider, fault: Fault
) -> None:
    provider.faults = [fault]
    await bench.present(group, *likes(3))
    await bench.reflect(group)
    assert [one.text.model for one in await bench.then(group)] == [""]
    assert len(provider.requests) == 1


async def test_while_the_model_is_away_nothing_is_stored_and_later_it_is(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.faults = [Fault.SERVER_ERROR] * MODEL_STEP.attempts
    await bench.present(group, *likes(3))
    assert (await bench.reflect(group)).status is WorkProgress.PENDING
    assert await bench.then(group) == []
    assert number(bench.metrics, "graphmem_jobs_total", "reflect", "unavailable") == 1

    done = await bench.go_on(group, reflection_request(group, WEEK))
    assert (done.status, done.progress["reflections"]) == (WorkProgress.DONE, 1)
    assert [one.text.model for one in await bench.then(group)] == [MODEL]


async def test_a_wrong_key_fails_the_job_and_says_so(bench: Bench, group: str, provider: FakeProvider) -> None:
    provider.faults = [Fault.BAD_KEY]
    await bench.present(group, *likes(3))
    work = await bench.reflect(group)
    assert "refuses the request (401)" in (work.error or "")
    assert await bench.then(group) == []


async def test_while_the_embedding_model_is_away_no_call_is_made_in_vain(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    await bench.present(group, *likes(3))
    bench.embedder.away = True
    assert (await bench.reflect(group)).status is WorkProgress.PENDING
    assert (provider.requests, await bench.then(group)) == ([], [])


async def test_what_was_withdrawn_is_not_shown_to_the_model_again(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.sums_up = of_chess_and_all
    claims = await bench.present(group, *likes(3))
    await bench.reflect(group)
    (before,) = await bench.then(group)
    assert "chess" in json.dumps(provider.documents())

    await bench.memory.intake.retract(group, claims["chess"])
    provider.requests.clear()
    await bench.renew(group)

    (after,) = await bench.then(group)
    assert (after.reflection_id, after.id != before.id, after.stale_at) == (before.reflection_id, True, None)
    assert (after.text.model, len(provider.requests)) == (MODEL, 1)
    assert "chess" not in json.dumps(provider.documents())
    assert claims["chess"] not in after.claims


async def test_what_is_withdrawn_that_a_model_was_shown_makes_stale_what_it_wrote_without_citing_that(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.sums_up = lambda document: {
        "sentences": [{"text": "Maya likes opera and chess.", "cites": new(document, "opera")}]
    }
    claims = await bench.present(group, *likes(3))
    await bench.reflect(group)
    (before,) = await bench.then(group)
    assert before.claims == (claims["opera"],)

    provider.sums_up = in_short
    await bench.memory.intake.retract(group, claims["chess"])
    assert [one.stale_at is not None for one in await bench.then(group)] == [True]
    await bench.renew(group)
    (after,) = await bench.then(group)
    assert (after.stale_at, "chess" in after.text.content) == (None, False)


async def test_what_is_withdrawn_while_the_model_writes_is_in_no_reflection(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    provider.sums_up = of_chess_and_all
    claims = await bench.present(group, *likes(3))
    provider.open.clear()
    async with asyncio.TaskGroup() as tasks:
        making = tasks.create_task(bench.reflect(group))
        try:
            await provider.asked_at_once(1)
            await bench.memory.intake.retract(group, claims["chess"])
        finally:
            provider.open.set()

    (found,) = await bench.then(group)
    assert (making.result().progress["begun_anew"], making.result().progress["reflections"]) == (1, 1)
    assert "chess" in json.dumps(provider.requests[0])
    assert "chess" not in json.dumps(provider.requests[-1])
    assert (found.text.model, found.stale_at, claims["chess"] in found.claims) == (MODEL, None, False)


async def test_what_is_said_while_the_model_writes_costs_no_other_call(
    bench: Bench, group: str, provider: FakeProvider
) -> None:
    await bench.present(group, *likes(3))
    provider.open.clear()
    async with asyncio.TaskGroup() as tasks:
        making = tasks.create_task(bench.reflect(group))
        try:
            await provider.asked_at_once(1)
            await bench.memory.intake.assert_claims(group, [replace(claim("ludo", at=utc_now()), recorded_at=None)])
        finally:
            provider.open.set()

    (found,) = await bench.then(group)
    assert making.result().progress == {"reflections": 1, "tokens": found.text.tokens}
    assert (found.text.model, found.stale_at, len(provider.requests)) == (MODEL, None, 1)


async def test_what_is_merely_stale_costs_nothing(bench: Bench, group: str, provider: FakeProvider) -> None:
    provider.sums_up = lambda document: {
        "sentences": [{"text": f"Told {len(provider.requests)} times.", "cites": new(document)}]
    }
    await bench.present(group, *likes(3))
    await bench.reflect(group)
    (before,) = await bench.then(group)
    await bench.memory.store.forget_vectors_of_reflections(group, "", 10)

    assert (await bench.renew(group)).progress == {"kept": 1}
    assert [replace(one, was_stale=()) for one in await bench.then(group)] == [before]
    assert await found_by_vector(bench, group, before)
    assert len(provider.requests) == 1


async def test_whoever_wrote_it_it_stays_while_what_it_was_made_from_does(
    bench: Bench, database: Database, group: str, provider: FakeProvider
) -> None:
    other, offline = f"{group}-offline", Bench(database)
    for name, first, later in ((group, bench, offline), (other, offline, bench)):
        await first.present(name, *likes(3))
        await first.reflect(name)
        (before,) = await first.then(name)
        await first.memory.store.forget_vectors_of_reflections(name, "", 10)
        assert (await later.renew(name)).progress == {"kept": 1}
        assert [replace(one, was_stale=()) for one in await later.then(name)] == [before]
        assert before.text.model == (MODEL if first is bench else "")
    assert len(provider.requests) == 1


async def test_without_a_model_it_is_made_again_without_what_was_withdrawn(
    bench: Bench, database: Database, group: str
) -> None:
    claims = await bench.present(group, *likes(3))
    await bench.reflect(group)
    await bench.memory.intake.retract(group, claims["chess"])
    await Bench(database).renew(group)
    (after,) = await bench.then(group)
    assert (after.text.model, after.stale_at, "chess" in after.text.content) == ("", None, False)
