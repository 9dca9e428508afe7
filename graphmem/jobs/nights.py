"""Work of the night: a record of the service asks for it in each group; what comes next, once it is done.

Episodes are read again in which little was found, by a closer reader or a model; and what an older reader read.
"""

from collections.abc import Mapping, Sequence

from graphmem.jobs.steps import Steps, added, number, stepped, texts
from graphmem.memory import Memory
from graphmem.model.episode import ReadableEpisode
from graphmem.model.work import SERVICE, Work, WorkKind, WorkRequest, WorkStep, work_id
from graphmem.settings.jobs import EnrichmentSettings, JobSettings

NIGHTLY = "nightly"
"""The period of a group's work of the night, which is the same record every night."""
GROUPS = 100
"""Groups that are asked in one step."""
THEN = "then"
"""The argument that names what is to be asked for afterwards."""
PAUSE = 2.0
"""Seconds between looks at whether what was asked for has been read."""
MOST_PAUSES = 300
"""After so many the work goes on all the same: what is read later, the next night finds."""


async def next_pause(memory: Memory, work: Work) -> int | None:
    """The number of the next pause, while what was asked for waits to be read; None where it is not waited for."""
    paused = number(work.cursor["paused"]) + 1
    return paused if paused < MOST_PAUSES and await memory.reading_again.waiting(work.group_id) else None


async def ask_each_group(memory: Memory, work: Work) -> WorkStep:
    """Ask for work of this kind in the next groups; where it is still under way, it stays so."""
    page = await memory.store.groups(last_asked(work), GROUPS)
    open_ = [group.id for group in page if group.archived_at is None]
    return await ask_groups(memory, work, open_, page[-1].name if page else None, finished=len(page) < GROUPS)


def last_asked(work: Work) -> str:
    """By what the last group was paged that was asked; "" of none."""
    return str(work.cursor.get("group", ""))


async def ask_groups(
    memory: Memory, work: Work, groups: Sequence[str], last: str | None, *, finished: bool
) -> WorkStep:
    """Ask for work of this kind in groups, given by id. ``last`` is what the next page comes after."""
    for group in groups:
        await ask_by_night(memory, group, work.kind, work.arguments)
    cursor = work.cursor if last is None else {"group": last}
    return stepped(work, cursor, {"groups": len(groups)}, finished=finished)


async def ask_next(memory: Memory, work: Work) -> None:
    """Ask for what is to come after this work; asked for again, it is done again, and changes nothing."""
    then = work.arguments.get(THEN)
    if then:
        await ask_by_night(memory, work.group_id, WorkKind(str(then)), {})


async def ask_by_night(memory: Memory, group: str, kind: WorkKind, arguments: Mapping[str, object]) -> None:
    """Ask for a group's work of the night."""
    id_ = work_id(kind, group, period=NIGHTLY)
    request = WorkRequest(id=id_, period=NIGHTLY, arguments=arguments, anew=False, again=True)
    await memory.works.request_work(group, kind, [request])


class Reprocessor(Steps):
    """The steps of work of the kind ``reprocess``: one by night, and for a group as many as its episodes take."""

    def __init__(self, memory: Memory, strategy: str, version: str, settings: JobSettings) -> None:
        """``strategy`` reads them, and ``version`` is that of its reader."""
        self._limit = settings.reprocess_limit
        self._memory = memory
        self._strategy = strategy
        self._version = version

    async def step(self, work: Work) -> WorkStep:
        """Ask for the next digests, or (dry run) count them."""
        limit = self._limit
        episodes = await self._memory.intake.reprocess_low_yield(
            work.group_id, self._version, limit, strategy=self._strategy, dry_run=work.dry_run
        )
        finished = work.group_id == SERVICE or work.dry_run or episodes < limit or limit == 0
        return stepped(work, result=added(work.result, {"episodes": episodes}), finished=finished)


class Enricher(Steps):
    """The steps of work of the kind ``enrich``: find episodes, have them read, wait for that."""

    def __init__(self, memory: Memory, settings: EnrichmentSettings, pause: float = PAUSE) -> None:
        self._memory = memory
        self._reading = memory.reading_again
        self._settings = settings
        self._pause = pause

    async def step(self, work: Work) -> WorkStep:
        """Find episodes; ask for those that were found before; or wait. A dry run tells which it would ask for."""
        if work.group_id == SERVICE:
            return await ask_each_group(self._memory, work)
        if "paused" in work.cursor:
            paused = await next_pause(self._memory, work)
            if paused is None:
                return await self._end(work, work.result)
            return stepped(work, {"paused": paused}, pause=self._pause)
        if "ids" in work.cursor:
            ids = texts(work.cursor["ids"])
            await self._reading.ask(work.group_id, ids)
            result = {**work.result, "episodes": len(ids)}
            return stepped(work, {"paused": 0}, {"asked": len(ids)}, result=result, pause=self._pause)
        return await self._find(work)

    async def _find(self, work: Work) -> WorkStep:
        if await self._memory.reader.imports(work.group_id):
            return await self._end(work, {"episodes": 0, "why": "the group imports"})
        reader = self._reading.reader
        if reader is None:
            return await self._end(work, {"episodes": 0, "why": "nothing is read: the strategy is off"})
        most = self._settings.entities
        episodes = await self._reading.find(work.group_id, self._settings.limit, entities=most)
        result: dict[str, object] = {"episodes": len(episodes), "reader": reader.name}
        if not episodes:
            why = f"there is no episode with up to {most} entities that another reader read, and this one not yet"
            return await self._end(work, {**result, "why": why})
        if work.dry_run:
            return await self._end(work, {**result, "would": _rows_of(episodes)})
        return stepped(work, {"ids": [episode.id for episode in episodes]}, result={**result, "episodes": 0})

    async def _end(self, work: Work, result: Mapping[str, object]) -> WorkStep:
        if not work.dry_run:
            await ask_next(self._memory, work)
        return stepped(work, result=result, finished=True)


def _rows_of(episodes: Sequence[ReadableEpisode]) -> list[dict[str, object]]:
    return [
        {"episode": episode.id, "because": f"{episode.read_by} found {episode.entities} entities"}
        for episode in sorted(episodes, key=lambda episode: episode.id)
    ]
