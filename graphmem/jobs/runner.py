"""Takes due work from Neo4j, as much at a time as there is room for, and has it done by kind."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from uuid import uuid4

import structlog

from graphmem.errors import UnavailableError
from graphmem.model.audit import WORKER, Asker, ask_as
from graphmem.model.work import Lane, Taken, WorkKind
from graphmem.process.background import Background, Healthy
from graphmem.process.disk import UNWATCHED, Disk
from graphmem.queue.wakeups import WakeUp
from graphmem.settings.jobs import JobSettings
from graphmem.store.work import WorkStore

POLL_SECONDS = 0.5
"""How often an idle worker looks for work without being told: a lost message, or a retry that is due."""
BATCHES = 2
"""Takes of several digests read offline, or of one that nobody waits for, that are in hand at a time: so one is written
while another is read. The places left, one at least, are for what somebody waits for."""
UNKNOWN_SECONDS = 60.0
GRACE_SECONDS = 5.0

Do = Callable[[Taken], Awaitable[None]]
"""Does what was taken. What goes wrong, it says on the work; raises only what keeps it from saying so."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Runner:
    """The work of one process. Of digests there are several at a time, of everything else one."""

    def __init__(
        self,
        works: WorkStore,
        kinds: Mapping[WorkKind, Do],
        wake_up: WakeUp,
        settings: JobSettings,
        *,
        disk: Disk = UNWATCHED,
        most: int = 1,
        turns: int = -1,
        batches: int = BATCHES,
    ) -> None:
        """``most`` digests of a group are taken together; with one go so many waiting ``turns``, -1: none.

        At most so many ``batches`` are in hand at a time, and always one place less than there are: takes of several
        digests, or of one that nobody waits for.
        """
        self._works = works
        self._kinds = kinds
        self._wake_up = wake_up
        self._settings = settings
        self._disk = disk
        self._most = most
        self._turns = turns
        self._room = settings.concurrency
        self._doing: set[asyncio.Task[None]] = set()
        self._in_background = False
        self._batches = 0
        self._most_batches = max(1, min(batches, settings.concurrency - 1))

    @asynccontextmanager
    async def running(self, background: Background) -> AsyncGenerator[None]:
        """Take work while this is open; then let what is in hand end, for some seconds."""
        try:
            async with background.running("runner", self._take):
                yield
        finally:
            await self._finish()

    async def _take(self, healthy: Healthy) -> None:
        while True:
            if len(self._doing) >= self._room or not await self._take_one(healthy):
                await self._wake_up.wait(POLL_SECONDS)

    async def _take_one(self, healthy: Healthy) -> bool:
        """Whether there was work to take. While there is no room to write, work stays where it is."""
        if self._disk.shortage is not None:
            healthy()
            return False
        alone = self._batches >= self._most_batches
        lane = Lane.LIVE if alone else Lane.BULK if self._in_background else Lane.BACKGROUND
        most = 1 if alone else self._most
        try:
            taken = await self._works.take_work(
                uuid4().hex, self._settings.lease_seconds, lane=lane, most=most, more=self._turns
            )
        except UnavailableError as error:
            log.warning("runner.unavailable", reason=str(error))
            return False
        healthy()
        if taken is not None:
            self._begin(taken)
        return taken is not None

    def _begin(self, taken: Taken) -> None:
        alone = taken.kind != WorkKind.DIGEST
        batch = not alone and (len(taken.ids) > 1 or taken.lane != Lane.LIVE)
        self._in_background = self._in_background or alone
        self._batches += batch
        doing = asyncio.create_task(self._do(taken))
        self._doing.add(doing)

        def done(task: asyncio.Task[None]) -> None:
            self._doing.discard(task)
            self._batches -= batch
            if alone:
                self._in_background = False
            if not task.cancelled() and (error := task.exception()):
                log.error("runner.error", kind=taken.kind, exc_info=error)
            self._wake_up.give()

        doing.add_done_callback(done)

    async def _do(self, taken: Taken) -> None:
        ask_as(Asker(key=WORKER, operation=taken.kind))
        if taken.kind in self._kinds:
            return await self._kinds[WorkKind(taken.kind)](taken)
        log.warning("runner.unknown_kind", kind=taken.kind)
        for id_ in taken.ids:
            await self._works.return_work(taken.group, id_, taken.lease, UNKNOWN_SECONDS)
        return None

    async def _finish(self) -> None:
        """Wait for what is in hand. A digest that outlives its grace is cancelled; its lease runs out."""
        left = frozenset(self._doing)
        if left:
            await asyncio.wait(left, timeout=GRACE_SECONDS)
        for doing in left:
            doing.cancel()
        if left:
            await asyncio.wait(left)
