"""What a worker shows to Prometheus is what stands on the episodes, added up."""

from collections.abc import AsyncGenerator, Generator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from graphmem.extract.llm.prompts import VERSION
from graphmem.memory import Memory
from graphmem.model.episode import Episode
from graphmem.model.group import Condition
from graphmem.process.metrics import DigestMetrics
from graphmem.queue.redis import Queue
from graphmem.settings.extraction import PriceSettings, StepSettings
from graphmem.settings.jobs import JobSettings
from graphmem.store.driver import Database
from tests.fake_anthropic import FakeProvider, fake_anthropic, in_lisbon, model_extractor
from tests.fakes import ScriptedExtractor
from tests.jobs.doing import ById
from tests.models import memory_on

MODEL = "anthropic/claude-haiku-4-5"
TEXTS = ("I live in Lisbon.", "I like the sea.")
SETTINGS = JobSettings.model_validate({"retry_seconds": 0, "max_attempts": 1})
TOOK = {
    "graphmem_model_calls_total": "calls",
    "graphmem_model_tokens_total input": "input_tokens",
    "graphmem_model_tokens_total cached": "cached_tokens",
    "graphmem_model_tokens_total output": "output_tokens",
    "graphmem_model_cost_dollars_total": "cost",
    "graphmem_claims_dropped_total": "dropped",
}
"""Which number is the sum of which of the episodes' ``usage``."""
STEPS = ("queue", "extraction", "embedding", "transaction")


@pytest.fixture
def provider() -> Generator[FakeProvider]:
    with fake_anthropic() as running:
        running.answers = dict(zip(TEXTS, (in_lisbon("I live in Lisbon"), in_lisbon("Nobody said so")), strict=True))
        yield running


@pytest.fixture
async def memory(database: Database, provider: FakeProvider) -> AsyncGenerator[Memory]:
    step = StepSettings(strategy="llm", models=(MODEL,), backoff_seconds=0, attempts=1)
    reader = model_extractor(
        provider, step, ScriptedExtractor(), prices={MODEL: PriceSettings(input=1, cached=0.1, output=5)}
    )
    yield memory_on(database, extracts=reader)
    await reader.aclose()


async def digested(memory: Memory, queue: Queue, metrics: DigestMetrics, group: str, text: str) -> dict[str, Any]:
    """The outcome that stands on an episode after its digest."""
    episode = Episode(
        group_id=group, session="s", content=text, occurred_at=datetime(2025, 1, 1, tzinfo=UTC), speaker="Maya"
    )
    await memory.intake.remember(group, [episode])
    await ById(memory, queue, SETTINGS, metrics).digest(group, episode.id)
    return dict[str, Any]((await memory.reader.episode(group, episode.id)).outcome or {})


def shown(metrics: DigestMetrics) -> dict[str, float]:
    """Values by name, and by the labels that are not the model and its prompt."""
    families = text_string_to_metric_families(metrics.exposition().decode())
    samples = [sample for family in families for sample in family.samples]
    assert {one.labels["model"] for one in samples if "model" in one.labels} <= {MODEL}
    assert {one.labels["prompt"] for one in samples if "prompt" in one.labels} <= {VERSION}
    return {" ".join([one.name, *_others(one.labels)]): one.value for one in samples}


def _others(labels: Mapping[str, str]) -> list[str]:
    return [labels[name] for name in sorted(labels.keys() - {"model", "prompt"})]


async def test_the_numbers_are_those_of_the_episodes(memory: Memory, queue: Queue, group: str) -> None:
    metrics = DigestMetrics()

    outcomes = [await digested(memory, queue, metrics, group, text) for text in TEXTS]

    numbers, usages = shown(metrics), [outcome["usage"] for outcome in outcomes]
    took = {number: sum(usage[name] for usage in usages) for number, name in TOOK.items()}
    assert {number: numbers[number] for number in TOOK} == pytest.approx(took)
    assert took["graphmem_model_calls_total"] == 2
    assert all(took.values())  # none of the sums is of nothing
    seconds = sum(usage["milliseconds"] for usage in usages) / 1000
    assert numbers["graphmem_model_seconds_sum"] == pytest.approx(seconds)
    steps = {step: sum(outcome["milliseconds"][step] for outcome in outcomes) / 1000 for step in STEPS}
    counted = {step: numbers[f"graphmem_digest_step_seconds_sum {step}"] for step in STEPS}
    written = counted["transaction"] - steps.pop("transaction")
    assert written > 0  # the last statement, of which the episode that it writes cannot tell
    assert {step: counted[step] for step in steps} == pytest.approx(steps)
    assert numbers["graphmem_digests_total digested"] == 2


def test_a_worker_shows_what_it_last_counted() -> None:
    metrics = DigestMetrics()
    assert not [name for name in shown(metrics) if name.startswith("graphmem_condition")]

    counted = {"stale_summaries": 1, "stale_entity_summaries": 2, "stale_reflections": 3, "faded": 4, "contested": 5}
    counted["unprojected"] = 6
    metrics.show_condition(Condition(**counted))

    numbers = {name.removeprefix("graphmem_condition "): value for name, value in shown(metrics).items()}
    assert numbers | counted == numbers
