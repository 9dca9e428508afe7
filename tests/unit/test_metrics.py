"""What workers show to Prometheus: bounded series, real servers on ports that are free or taken."""

import re
import socket
from collections.abc import Generator
from pathlib import Path
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from graphmem.model.evidence import ChangeOutcome
from graphmem.model.fragment import Usage
from graphmem.process.metrics import DigestMetrics

STEPS = {"queue": 20.0, "extraction": 900.0, "embedding": 10.0, "transaction": 40.0}
USAGE = Usage(
    model="anthropic/small",
    prompt="read-1",
    calls=2,
    input_tokens=100,
    cached_tokens=900,
    output_tokens=50,
    cost=0.25,
    milliseconds=800.0,
    dropped=3,
)
MODEL = ("anthropic/small", "read-1")
Numbers = dict[tuple[str, ...], float]


def numbers(text: str) -> Numbers:
    """Values by name and labels, the labels in the order of their names."""
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {(one.name, *(one.labels[label] for label in sorted(one.labels))): one.value for one in samples}


def shown(metrics: DigestMetrics) -> Numbers:
    return numbers(metrics.exposition().decode())


def test_jobs_are_counted_by_kind_and_how_they_ended_with_what_they_did() -> None:
    metrics = DigestMetrics()

    metrics.observe_job("consolidate", "failed")
    for _ in range(2):
        metrics.observe_job("consolidate", "done", {"duplicates": 3}, seconds=2.0)

    found = shown(metrics)
    assert (
        found["graphmem_jobs_total", "consolidate", "failed"],
        found["graphmem_jobs_total", "consolidate", "done"],
    ) == (
        1,
        2,
    )
    assert found["graphmem_job_counts_total", "consolidate", "duplicates"] == 6
    assert found["graphmem_job_seconds_sum", "consolidate"] == 4


@pytest.fixture
def taken() -> Generator[int]:
    """A port that somebody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_what_a_digest_took_is_added_up() -> None:
    metrics = DigestMetrics()

    for _ in range(2):
        metrics.observe("digested", ChangeOutcome(milliseconds=STEPS, usage=USAGE))

    found = shown(metrics)
    assert found["graphmem_digests_total", "digested"] == 2
    assert found["graphmem_model_calls_total", *MODEL] == 4
    tokens = {kind: found["graphmem_model_tokens_total", kind, *MODEL] for kind in ("input", "cached", "output")}
    assert tokens == {"input": 200, "cached": 1800, "output": 100}
    assert found["graphmem_model_cost_dollars_total", *MODEL] == 0.5
    assert found["graphmem_model_seconds_sum", *MODEL] == 1.6
    assert found["graphmem_claims_dropped_total", *MODEL] == 6
    assert found["graphmem_extraction_fallbacks_total", *MODEL] == 0
    assert {step: found["graphmem_digest_step_seconds_sum", step] for step in STEPS} == {
        step: pytest.approx(2 * milliseconds / 1000) for step, milliseconds in STEPS.items()
    }


def test_what_has_not_happened_yet_is_nought() -> None:
    found = shown(DigestMetrics())

    assert [found["graphmem_digests_total", ended] for ended in ("digested", "failed", "unavailable")] == [0, 0, 0]


def test_a_digest_that_does_not_end_well_is_counted_by_itself() -> None:
    metrics = DigestMetrics()

    metrics.observe("failed")
    metrics.observe("unavailable")

    found = shown(metrics)
    assert [found["graphmem_digests_total", ended] for ended in ("digested", "failed", "unavailable")] == [0, 1, 1]


def test_a_turn_that_shared_the_call_of_another_is_no_call_of_its_own() -> None:
    metrics = DigestMetrics()

    metrics.observe("digested", ChangeOutcome(usage=USAGE))
    metrics.observe("digested", ChangeOutcome(usage=Usage(model=USAGE.model, prompt=USAGE.prompt, dropped=2, cost=0.0)))

    found = shown(metrics)
    assert found["graphmem_claims_dropped_total", *MODEL] == 5
    assert (found["graphmem_model_calls_total", *MODEL], found["graphmem_model_seconds_count", *MODEL]) == (2, 1)


def test_a_model_of_unknown_price_costs_nothing_that_is_known() -> None:
    metrics = DigestMetrics()

    metrics.observe("digested", ChangeOutcome(usage=Usage(model="ollama/m", prompt="read-1", calls=1, output_tokens=5)))

    found = shown(metrics)
    assert found["graphmem_model_tokens_total", "output", "ollama/m", "read-1"] == 5
    assert ("graphmem_model_cost_dollars_total", "ollama/m", "read-1") not in found


def test_what_is_read_offline_instead_is_a_fallback_and_no_call() -> None:
    metrics = DigestMetrics()

    metrics.observe(
        "digested", ChangeOutcome(usage=Usage(model="", prompt="read-1", fallback="It answered 529 to “secret”."))
    )

    found = shown(metrics)
    assert found["graphmem_extraction_fallbacks_total", "", "read-1"] == 1
    assert not [name for name, *_ in found if name.startswith("graphmem_model")]
    assert "answered 529" not in metrics.exposition().decode()


def test_every_number_of_ours_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "monitoring.md").read_text("utf-8")
    metrics = DigestMetrics()
    metrics.observe("digested", ChangeOutcome(milliseconds=STEPS, usage=USAGE))

    shown = re.findall(r"^# TYPE (graphmem_\w+(?<!_created)) ", metrics.exposition().decode(), re.MULTILINE)

    assert len(shown) == 12
    assert [name for name in shown if f"| `{name}` |" not in text] == []


def test_the_numbers_are_served_while_it_lasts() -> None:
    metrics = DigestMetrics()
    metrics.observe("digested")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]

    with metrics.served("127.0.0.1", port), urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        found = numbers(answer.read().decode())

    assert found["graphmem_digests_total", "digested"] == 1
    with socket.create_server(("127.0.0.1", port)):
        pass  # it is free again


def test_a_port_that_is_taken_is_said_and_no_reason_to_stop(taken: int) -> None:
    with capture_logs() as lines, DigestMetrics().served("127.0.0.1", taken):
        pass

    assert [(line["event"], line["port"], line["reason"]) for line in lines] == [
        ("metrics.not_served", taken, "Address already in use")
    ]


def test_without_a_port_nothing_is_served_and_nothing_said() -> None:
    with capture_logs() as lines, DigestMetrics().served("127.0.0.1", 0):
        pass

    assert lines == []
