"""Has episodes read again in which little was found, by a closer reader or a model; and what an older reader read."""

from collections.abc import Mapping, Sequence

from graphmem.jobs.nights import PAUSE, ask_each_group, ask_next, next_pause
from graphmem.jobs.steps import number, texts
from graphmem.memory import Memory
from graphmem.model.episode import ReadableEpisode
from graphmem.model.work import SERVICE, Work, WorkStep
from graphmem.settings.jobs import EnrichmentSettings, JobSettings


class Reprocessor:
    """The steps of work of the kind ``reprocess``: one by night, and for a group as many as its episodes take."""

    def __init__(self, memory: Memory, strategy: str, version: str, settings: JobSettings) -> None:
        """``strategy`` reads them, and ``version`` is that of its reader."""
        self._memory = memory
        self._strategy = strategy
        self._version = version
        self._settings = settings

    def shrink(self) -> None:
        """A step is small."""

    async def step(self, work: Work) -> WorkStep:
        """Ask for the next digests, or (dry run) count them."""
        limit = self._settings.reprocess_limit
        episodes = await self._memory.intake.reprocess_low_yield(
            work.group_id, self._version, limit, strategy=self._strategy, dry_run=work.dry_run
        )
        asked = episodes + number(work.result.get("episodes", 0))
        return WorkStep(
            cursor={},
            progress={},
            result={"episodes": asked},
            finished=work.group_id == SERVICE or work.dry_run or episodes < limit or limit == 0,
        )


class Enricher:
    """The steps of work of the kind ``enrich``: find episodes, have them read, wait for that."""

    def __init__(self, memory: Memory, settings: EnrichmentSettings, pause: float = PAUSE) -> None:
        self._memory = memory
        self._reading = memory.reading_again
        self._settings = settings
        self._pause = pause

    def shrink(self) -> None:
        """A pass is one query and one write."""

    async def step(self, work: Work) -> WorkStep:
        """Find episodes; ask for those that were found before; or wait. A dry run tells which it would ask for."""
        if work.group_id == SERVICE:
            return await ask_each_group(self._memory, work)
        if "paused" in work.cursor:
            return await self._wait(work)
        if "ids" in work.cursor:
            return await self._ask(work)
        return await self._find(work)

    async def _find(self, work: Work) -> WorkStep:
        if await self._memory.reader.imports(work.group_id):
            return await self._end(work, {"episodes": 0, "why": "the group imports"})
        reader = self._reading.reader
        if reader is None:
            return await self._end(work, {"episodes": 0, "why": "nothing is read: the strategy is off"})
        most = self._settings.entities
        found = await self._reading.found(work.group_id, self._settings.limit, entities=most)
        result: dict[str, object] = {"episodes": len(found), "reader": reader.name}
        if not found:
            why = f"there is no episode with up to {most} entities that another reader read, and this one not yet"
            return await self._end(work, {**result, "why": why})
        if work.dry_run:
            return await self._end(work, {**result, "would": _told(found)})
        cursor = {"ids": [one.id for one in found]}
        return WorkStep(cursor=cursor, progress={}, result={**result, "episodes": 0}, finished=False)

    async def _ask(self, work: Work) -> WorkStep:
        ids = texts(work.cursor["ids"])
        await self._reading.ask(work.group_id, ids)
        return WorkStep(
            cursor={"paused": 0},
            progress={"asked": len(ids)},
            result={**work.result, "episodes": len(ids)},
            finished=False,
            pause=self._pause,
        )

    async def _wait(self, work: Work) -> WorkStep:
        paused = await next_pause(self._memory, work)
        if paused is None:
            return await self._end(work, work.result)
        return WorkStep(
            cursor={"paused": paused}, progress=work.progress, result=work.result, finished=False, pause=self._pause
        )

    async def _end(self, work: Work, result: Mapping[str, object]) -> WorkStep:
        if not work.dry_run:
            await ask_next(self._memory, work)
        return WorkStep(cursor={}, progress=work.progress, result=result, finished=True)


def _told(found: Sequence[ReadableEpisode]) -> list[dict[str, object]]:
    return [
        {"episode": one.id, "because": f"{one.read_by} found {one.entities} entities"}
        for one in sorted(found, key=lambda one: one.id)
    ]
