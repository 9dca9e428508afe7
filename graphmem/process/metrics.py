"""Numbers for Prometheus: of requests in the API, of digests in workers. Each process has a registry of its own.

Labels are words of this code and of the settings, never of a caller or a tenant: nobody makes a series of their own.
Only here is Prometheus' client known.

https://prometheus.io/docs/practices/naming/
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Literal, get_args

import structlog
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from graphmem.model.evidence import ChangeOutcome
from graphmem.model.fragment import Usage
from graphmem.model.group import Condition

EXPOSITION_TYPE = CONTENT_TYPE_LATEST
DigestEnded = Literal["digested", "failed", "unavailable"]
"""How a digest ended: done, in an error that counts as an attempt, or put off because a server or model is away."""
JobEnded = Literal["done", "failed", "unavailable"]
"""How a job ended: done, in an error, or interrupted because a server or model is away."""

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
_LONG_BUCKETS = (*_BUCKETS, 300.0, 3600.0)
_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
_MODEL = ("model", "prompt")

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class CountedElsewhere(Collector):
    """A counter of what is counted elsewhere, by one label or by several."""

    def __init__(
        self, name: str, words: str, labels: Sequence[str], counts: Mapping[str, int] | Mapping[tuple[str, str], int]
    ) -> None:
        self._name = f"graphmem_{name}"
        self._words = words
        self._labels = labels
        self._counts = counts

    def collect(self) -> Iterator[CounterMetricFamily]:
        family = CounterMetricFamily(self._name, self._words, labels=self._labels)
        for labels, count in tuple(self._counts.items()):
            family.add_metric((labels,) if isinstance(labels, str) else labels, count)
        yield family


class Numbers:
    """The numbers of one process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)  # memory, processor time and open files, where the system tells them

    def show_failures(self, counts: Mapping[str, int]) -> None:
        """Show failures of background tasks too, as they are counted from now on."""
        words = "Background tasks that ended in an error and were started again."
        self._registry.register(CountedElsewhere("background_failures", words, ("task",), counts))

    def show_degraded(self, counts: Mapping[tuple[str, str], int]) -> None:
        """Show searches that went without a channel, by channel and reason, as they are counted from now on."""
        words = "Searches that went without a channel or a hit."
        self._registry.register(CountedElsewhere("searches_degraded", words, ("channel", "why"), counts))

    def show_unreadable(self, counts: Mapping[tuple[str, str], int]) -> None:
        """Show what could not be read, by query and by what it is, as it is counted from now on."""
        words = "Rows, or entries of rows, that could not be read, each time that they were met."
        self._registry.register(CountedElsewhere("unreadable_rows", words, ("query", "kind"), counts))

    def show_limits(self, refused: Mapping[str, int], uncounted: Mapping[str, int]) -> None:
        """Show by limit what was too much, and what went on uncounted, as they are counted from now on."""
        words = "Requests that were refused because they were over a limit."
        self._registry.register(CountedElsewhere("limits_reached", words, ("limit",), refused))
        words = "Requests that were not counted towards a limit, because the queue did not answer."
        self._registry.register(CountedElsewhere("limits_uncounted", words, ("limit",), uncounted))

    def exposition(self) -> bytes:
        return generate_latest(self._registry)

    def _counter(self, name: str, words: str, *labels: str) -> Counter:
        return Counter(f"graphmem_{name}", words, labels, registry=self._registry)

    def _histogram(self, name: str, words: str, *labels: str, buckets: tuple[float, ...] = _LONG_BUCKETS) -> Histogram:
        return Histogram(f"graphmem_{name}", words, labels, registry=self._registry, buckets=buckets)


class RequestMetrics(Numbers):
    """Requests by method, route and status, and how long they took."""

    def __init__(self) -> None:
        super().__init__()
        words = "Seconds from the first byte of a request to the last of its answer."
        self._requests = self._counter("http_requests", "Requests answered.", "method", "route", "status")
        self._seconds = self._histogram("http_request_seconds", words, "method", "route", buckets=_BUCKETS)

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Routes are templates, and methods known ones, so that no caller makes a series of its own."""
        known = method if method in _METHODS else "other"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(known, route).observe(seconds)


class DigestMetrics(Numbers):
    """Digests by how they ended, where their time went, and what they took of language models; and the same of jobs."""

    def __init__(self) -> None:
        super().__init__()
        self._digests = self._counter("digests", "Digests by how they ended.", "outcome")
        for ended in get_args(DigestEnded):
            self._digests.labels(ended)  # so that the first failure is a rise, and not the beginning of a series
        self._steps = self._histogram("digest_step_seconds", "Seconds that each step of a digest took.", "step")
        self._calls = self._counter("model_calls", "Calls of language models.", *_MODEL)
        self._tokens = self._counter("model_tokens", "Tokens; those from the cache are not input too.", *_MODEL, "kind")
        self._dollars = self._counter("model_cost_dollars", "What they cost, where the price is known.", *_MODEL)
        self._seconds = self._histogram("model_seconds", "Seconds that language models took to read.", *_MODEL)
        self._dropped = self._counter("claims_dropped", "What a model said and the episode does not.", *_MODEL)
        self._fallbacks = self._counter(
            "extraction_fallbacks", "Episodes that were read otherwise than configured: no model answered.", *_MODEL
        )
        self._jobs = self._counter("jobs", "Jobs by how they ended.", "kind", "outcome")
        self._job_seconds = self._histogram("job_seconds", "Seconds from the beginning of a job to its end.", "kind")
        self._job_counts = self._counter("job_counts", "What jobs that are done did, by what they count.", "kind", "of")
        self._condition = Gauge(
            "graphmem_condition",
            "Texts to be made again, facts that have faded and contested beliefs of all groups, as last counted.",
            ("of",),
            registry=self._registry,
        )

    def observe(self, ended: DigestEnded, outcome: ChangeOutcome | None = None) -> None:
        """Count a digest that has ended; ``outcome`` is what one did that is done."""
        self._digests.labels(ended).inc()
        if outcome is None:
            return
        for step, milliseconds in outcome.milliseconds.items():
            self._steps.labels(step).observe(milliseconds / 1000)
        if outcome.usage is not None:
            self._observe_usage(outcome.usage)

    def observe_job(
        self, kind: str, ended: JobEnded, counts: Mapping[str, int] | None = None, *, seconds: float | None = None
    ) -> None:
        """Count a job of some kind: how it ended, how long it took, and what it did, by words of the job itself."""
        self._jobs.labels(kind, ended).inc()
        if seconds is not None:
            self._job_seconds.labels(kind).observe(seconds)
        for name, count in (counts or {}).items():
            self._job_counts.labels(kind, name).inc(count)

    def show_condition(self, condition: Condition) -> None:
        """Show how all groups are, as just counted."""
        for name, count in asdict(condition).items():
            self._condition.labels(name).set(count)

    @contextmanager
    def served(self, host: str, port: int) -> Generator[None]:
        """Show the numbers to whoever asks there, whatever the path; port 0 shows them to nobody.

        A port that is taken is said in the log: work goes on without.
        """
        try:
            serving = start_http_server(port, host, self._registry) if port else None
        except OSError as error:
            log.warning("metrics.not_served", host=host, port=port, reason=error.strerror)
            serving = None
        try:
            yield
        finally:
            if serving is not None:
                server, thread = serving
                server.shutdown()
                server.server_close()
                thread.join()

    def _observe_usage(self, usage: Usage) -> None:
        labels = usage.model, usage.prompt
        self._fallbacks.labels(*labels).inc(bool(usage.fallback))
        self._dropped.labels(*labels).inc(usage.dropped)
        if usage.calls:  # or else read offline instead, or in the call of the turn before
            self.observe_model(usage)

    def observe_model(self, usage: Usage) -> None:
        """Count calls of a language model, whether or not they led to an answer."""
        labels = usage.model, usage.prompt
        self._calls.labels(*labels).inc(usage.calls)
        self._tokens.labels(*labels, "input").inc(usage.input_tokens)
        self._tokens.labels(*labels, "cached").inc(usage.cached_tokens)
        self._tokens.labels(*labels, "output").inc(usage.output_tokens)
        self._seconds.labels(*labels).observe(usage.milliseconds / 1000)
        if usage.cost is not None:
            self._dollars.labels(*labels).inc(usage.cost)
