"""Background tasks that survive their errors: each is logged, counted and shown, and the task is started again."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager

import structlog

from graphmem.errors import reason_of

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
_AGAIN = 0.5  # seconds after which a task is told once more to end

Healthy = Callable[[], None]
"""A task calls it whenever it has done what it is for: earlier failures are over then."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


def _cancelled() -> bool:
    """Whether the task was told to end, also where an error on its way out has taken the place of that."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _ignore() -> None:
    """Do nothing about a change."""


class Background:
    """The background tasks of one process, and which of them fail at the moment.

    ``failures`` counts by the name of the task. ``changed`` is called whenever ``failing()`` gives another answer.
    """

    def __init__(
        self, changed: Callable[[], None] = _ignore, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self.failures: Counter[str] = Counter()
        self._changed = changed
        self._sleep = sleep
        self._failing: dict[object, tuple[str, str]] = {}

    @contextmanager
    def watched(self, changed: Callable[[], None]) -> Generator[None]:
        """Call ``changed`` now, and while this is open whenever ``failing()`` gives another answer."""
        before, self._changed = self._changed, changed
        changed()
        try:
            yield
        finally:
            self._changed = before

    def failing(self) -> dict[str, str]:
        """The tasks whose last run ended in an error, and that have not worked since; with the reason of each."""
        return dict(self._failing.values())

    @asynccontextmanager
    async def running(self, name: str, work: Callable[[Healthy], Awaitable[None]]) -> AsyncGenerator[None]:
        """Run ``work`` until the block exits, or until it returns. After an error it is started again.

        The pause before that is one second, doubles with each failure up to a minute, and is one second again once
        the task has said that it is healthy.
        """
        task = asyncio.create_task(self._keep_running(name, work), name=name)
        try:
            yield
        finally:
            while not task.done():  # a library may swallow it: redis does, while it connects
                task.cancel()
                await asyncio.wait({task}, timeout=_AGAIN)

    async def _keep_running(self, name: str, work: Callable[[Healthy], Awaitable[None]]) -> None:
        task, pause = object(), FIRST_PAUSE

        def healthy() -> None:
            nonlocal pause
            pause = FIRST_PAUSE
            self._recovered(task)

        try:
            while True:
                try:
                    return await work(healthy)
                except Exception as error:  # noqa: BLE001 - whatever it is, the task goes on, and the error is told
                    self._failed(task, name, error)
                if _cancelled():  # what failed was its end
                    return None
                await self._sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        finally:
            self._recovered(task)

    def _failed(self, task: object, name: str, error: Exception) -> None:
        log.error("background.failed", task=name, exc_info=error)
        self.failures[name] += 1
        self._failing[task] = name, reason_of(error)
        self._changed()

    def _recovered(self, task: object) -> None:
        if self._failing.pop(task, None) is not None:
            self._changed()
