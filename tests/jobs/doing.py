"""Work done by name, where a worker would take what is due."""

from uuid import uuid4

from graphmem.jobs.digester import Digester
from graphmem.memory import Memory
from graphmem.process.metrics import DigestMetrics
from graphmem.queue.redis import Queue
from graphmem.settings.jobs import JobSettings


class ById:
    """Digests an episode, with the turns that are read in the same call, if it is due and nobody else's."""

    def __init__(
        self, memory: Memory, queue: Queue, settings: JobSettings, metrics: DigestMetrics | None = None
    ) -> None:
        self._memory = memory
        self._settings = settings
        self._digester = Digester(memory, memory.works, queue, settings, metrics)

    async def digest(self, group: str, episode_id: str) -> None:
        seconds, more = self._settings.lease_seconds, self._memory.digestion.turns_joined
        taken = await self._memory.works.lease_work(group, episode_id, uuid4().hex, seconds, more=more)
        if taken is not None:
            await self._digester.digest(taken)

    async def aclose(self) -> None:
        await self._digester.aclose()
