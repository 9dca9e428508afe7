"""Background tasks go on after any error, and say meanwhile that they fail."""

import asyncio
from contextlib import suppress

import pytest
import structlog
from prometheus_client.parser import text_string_to_metric_families

from graphmem.errors import ConfigurationError, QueryDefinitionError, StoreUnavailable
from graphmem.jobs.steps import kept
from graphmem.process.background import Background, Healthy
from graphmem.process.metrics import DigestMetrics, RequestMetrics

LOG: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Task:
    """Raises what it is given, one run after the other; then works, and tells that it has."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.worked = asyncio.Event()

    async def __call__(self, healthy: Healthy) -> None:
        if self.errors:
            raise self.errors.pop(0)
        healthy()
        self.worked.set()
        await asyncio.Event().wait()


class Pauses:
    """A sleep that takes no time, and remembers how long it was to take."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await asyncio.sleep(0)


@pytest.mark.parametrize("error", [QueryDefinitionError("A torn row."), ConfigurationError("Password."), ValueError()])
async def test_a_task_that_fails_is_started_again_and_counted(error: Exception) -> None:
    background, task = Background(sleep=Pauses()), Task(error, error)
    async with background.running("sweeper", task), asyncio.timeout(10):
        await task.worked.wait()
        assert background.failing() == {}

    assert background.failures == {"sweeper": 2}


async def test_a_task_ends_though_a_library_swallows_that_it_was_told_to() -> None:
    began = asyncio.Event()

    async def work(_healthy: Healthy) -> None:
        with suppress(asyncio.CancelledError):
            began.set()
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    async with asyncio.timeout(10), Background().running("subscription", work):
        await began.wait()


async def test_who_watches_is_told_at_once_and_no_more_when_it_is_over() -> None:
    background, told, task = Background(sleep=Pauses()), list[dict[str, str]](), Task(ValueError())
    with background.watched(lambda: told.append(background.failing())):
        async with background.running("sweeper", task), asyncio.timeout(10):
            await task.worked.wait()
    async with background.running("sweeper", task), asyncio.timeout(10):
        await task.worked.wait()

    assert told == [{}, {"sweeper": "ValueError (the log has the details)."}, {}]


async def test_while_it_fails_it_says_so_and_why_and_changes_are_told() -> None:
    told: list[dict[str, str]] = []
    background = Background(lambda: told.append(background.failing()), sleep=Pauses())
    task = Task(ConfigurationError("Check the password."), ValueError("secret"))
    async with background.running("sweeper", task), asyncio.timeout(10):
        await task.worked.wait()

    assert told == [
        {"sweeper": "A setting, a file or a server version does not fit: Check the password."},
        {"sweeper": "ValueError (the log has the details)."},
        {},
    ]


async def test_the_pause_doubles_up_to_a_minute_and_is_short_again_after_work_was_done() -> None:
    pauses, runs = Pauses(), 0
    done = asyncio.Event()

    async def work(healthy: Healthy) -> None:
        nonlocal runs
        runs += 1
        if runs == 10:
            healthy()
        if runs == 12:
            done.set()
            await asyncio.Event().wait()
        raise ValueError

    async with Background(sleep=pauses).running("task", work), asyncio.timeout(10):
        await done.wait()

    assert pauses.seconds == [1, 2, 4, 8, 16, 32, 60, 60, 60, 1, 2]


async def test_a_task_ends_with_its_block_and_fails_no_more() -> None:
    background, ended = Background(), asyncio.Event()

    async def work(_healthy: Healthy) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with background.running("one", work), background.running("two", Task(ValueError())):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert list(background.failing()) == ["two"]

    assert ended.is_set()
    assert background.failing() == {}


async def test_a_task_that_fails_while_it_ends_is_not_started_again() -> None:
    background, began = Background(sleep=Pauses()), asyncio.Event()

    async def work(_healthy: Healthy) -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError

    async with asyncio.timeout(10), background.running("task", work):
        await began.wait()

    assert background.failures == {"task": 1}
    assert background.failing() == {}


async def test_the_renewal_of_a_lease_goes_on_after_any_error() -> None:
    errors = [StoreUnavailable(), QueryDefinitionError("A torn row."), ValueError()]
    background, renewed = Background(sleep=Pauses()), asyncio.Event()

    async def renew() -> None:
        if errors:
            raise errors.pop(0)
        renewed.set()

    async with kept(background, LOG, "not renewed", 0.01, renew), asyncio.timeout(10):
        await renewed.wait()

    assert background.failures == {"renewal of leases": 2}


@pytest.mark.parametrize("metrics", [RequestMetrics(), DigestMetrics()])
def test_failures_are_shown_to_prometheus_by_task(metrics: RequestMetrics | DigestMetrics) -> None:
    background = Background()
    metrics.show_failures(background.failures)
    background.failures["sweeper"] += 3

    families = text_string_to_metric_families(metrics.exposition().decode())

    shown = [one for family in families for one in family.samples if one.name == "graphmem_background_failures_total"]
    assert [(one.labels, one.value) for one in shown] == [({"task": "sweeper"}, 3.0)]
