"""Consolidates a group, or a session, chunk by chunk: what gives way is evidence, so a chunk may be done again."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from graphmem.derived.consolidation import Consolidated
from graphmem.jobs.nights import PAUSE, ask_each_group, ask_next, next_pause
from graphmem.jobs.steps import MOST_SHOWN, NO_COUNTS, Steps, added, number, stepped, texts, with_rows
from graphmem.memory import Memory
from graphmem.model.acts import Groundless, Lowering, WhyGivesWay
from graphmem.model.claim import Category
from graphmem.model.episode import ReadableEpisode
from graphmem.model.interval import BEGIN
from graphmem.model.work import SERVICE, Work, WorkStep
from graphmem.settings.jobs import ConsolidationSettings

MOST_OF_SESSION = 10_000
"""Episodes of a session that a dry run counts at most."""
MOST_READ_SHOWN = 50
"""Episodes to be read again that a dry run tells, so that there is room for what gives way."""
_CATEGORIES = tuple(Category)
_AT_FIRST: Mapping[str, object] = {"duplicates": 0, "conflicts": 0, "restored": 0, "read_again": 0, "rows_changed": 0}


class _Phase(StrEnum):
    """What is done, in this order; of a session ``SESSION`` in place of the last three."""

    READ = "read"
    WAIT = "wait"
    RESTORE = "restore"
    DUPLICATES = "duplicates"
    CONFLICTS = "conflicts"
    SESSION = "session"


class Consolidator(Steps):
    """The steps of work of the kind ``consolidate``. Its target is a session of a user, "" the whole group."""

    def __init__(self, memory: Memory, settings: ConsolidationSettings, pause: float = PAUSE) -> None:
        self._memory = memory
        self._consolidation = memory.consolidation
        self._reading = memory.reading_again
        self._settings = settings
        self.most = self.size = settings.chunk
        self._pause = pause
        self._phases: dict[_Phase, Callable[[Work], Awaitable[WorkStep]]] = {
            _Phase.READ: self._read,
            _Phase.WAIT: self._wait,
            _Phase.RESTORE: self._restore,
            _Phase.DUPLICATES: self._duplicates,
            _Phase.CONFLICTS: self._conflicts,
            _Phase.SESSION: self._session,
        }

    async def step(self, work: Work) -> WorkStep:
        """One chunk, or on to the next phase."""
        if work.group_id == SERVICE:
            return await ask_each_group(self._memory, work)
        if not work.cursor and await self._memory.reader.imports(work.group_id):
            return stepped(work, result={**_AT_FIRST, "why": "the group imports"}, finished=True)
        step = await self._phases[_Phase(str(work.cursor.get("phase", _Phase.READ)))](work)
        self.grow()
        return step

    # read by a language model, where one is configured ---------------------------------------------------------------

    async def _read(self, work: Work) -> WorkStep:
        """Have the next episodes read by a language model that somebody offline read; those of a session all."""
        session, done = work.target or None, number(work.progress.get("read_again", 0))
        left = MOST_OF_SESSION if session else self._settings.model_episodes - done
        most = left if work.dry_run else min(self.size, left)
        if "ids" in work.cursor:
            ids = texts(work.cursor["ids"])
            await self._reading.ask(work.group_id, ids)
            counts = {"read_again": len(ids)}
            return _step(work, {"phase": _Phase.READ}, counts, counts=counts)
        asks = self._reading.asks_model
        episodes = await self._reading.find(work.group_id, most, session=session) if asks else []
        if work.dry_run:
            rows = [_read_again(episode) for episode in episodes[:MOST_READ_SHOWN]]
            counted = {"read_again": len(episodes), "beyond": len(episodes) - len(rows)}
            return _step(work, {"phase": _first_of(work)}, counted, rows)
        if episodes:
            return _step(work, {"phase": _Phase.READ, "ids": [episode.id for episode in episodes]})
        return _step(work, {"phase": _Phase.WAIT, "paused": 0} if done else {"phase": _first_of(work)})

    async def _wait(self, work: Work) -> WorkStep:
        paused = await next_pause(self._memory, work)
        if paused is None:
            return _step(work, {"phase": _first_of(work)})
        return _step(work, {"phase": _Phase.WAIT, "paused": paused}, pause=self._pause)

    # a group ----------------------------------------------------------------------------------------------------------

    async def _restore(self, work: Work) -> WorkStep:
        after = str(work.cursor.get("after", ""))
        lowerings = await self._consolidation.restore(work.group_id, after, self.size, dry_run=work.dry_run)
        if not lowerings:
            return _step(work, {"phase": _Phase.DUPLICATES})
        cursor = {"phase": _Phase.RESTORE, "after": lowerings[-1].id}
        return _step(work, cursor, {"restored": len(lowerings)}, map(_restored, lowerings))

    async def _duplicates(self, work: Work) -> WorkStep:
        """The next facts of a category, or of the next that has any."""
        first, after = number(work.cursor.get("category", 0)), str(work.cursor.get("after", ""))
        for place in range(first, len(_CATEGORIES)):
            done = await self._consolidation.settle_category(
                work.group_id, _CATEGORIES[place], after, self.size, dry_run=work.dry_run
            )
            if done is not None:
                cursor = {"phase": _Phase.DUPLICATES, "category": place, "after": done[0]}
                return _settled(work, cursor, done[1], "facts")
            after = ""
        return _step(work, {"phase": _Phase.CONFLICTS})

    async def _conflicts(self, work: Work) -> WorkStep:
        after = str(work.cursor.get("after", ""))
        done = await self._consolidation.settle_conflicts(work.group_id, after, self.size, dry_run=work.dry_run)
        if done is None:
            return await self._end(work)
        return _settled(work, {"phase": _Phase.CONFLICTS, "after": done[0]}, done[1], "contested")

    # a session --------------------------------------------------------------------------------------------------------

    async def _session(self, work: Work) -> WorkStep:
        time = datetime.fromisoformat(str(work.cursor.get("time", BEGIN.isoformat())))
        after = (time, str(work.cursor.get("after", "")))
        done = await self._consolidation.settle_session(
            work.group_id, work.target, after, self.size, dry_run=work.dry_run
        )
        if done is None:
            return await self._end(work)
        (time, last), settled = done
        cursor = {"phase": _Phase.SESSION, "time": time.isoformat(), "after": last}
        return _settled(work, cursor, settled, "episodes")

    async def _end(self, work: Work) -> WorkStep:
        if not work.dry_run:
            await ask_next(self._memory, work)
        return _step(work, {})


def _first_of(work: Work) -> _Phase:
    return _Phase.SESSION if work.target else _Phase.RESTORE


def _settled(work: Work, cursor: Mapping[str, object], chunk: Consolidated, looked_at: str) -> WorkStep:
    """The step that settled a chunk; what it ``looked_at`` is counted by that name."""
    counted = {f"{why}s": sum(lowering.why is why for lowering in chunk.lowerings) for why in WhyGivesWay}
    counted["rows_changed"] = chunk.rows
    return _step(work, cursor, counted, map(_shown, chunk.lowerings), counts={looked_at: chunk.looked_at})


def _read_again(episode: ReadableEpisode) -> dict[str, object]:
    return {"why": "read_again", "episode": episode.id, "because": f"{episode.read_by} read it, and no language model"}


def _restored(lowering: Groundless) -> dict[str, object]:
    """Which claim goes, by which a value gave way."""
    return {
        "why": "restored",
        "claim": lowering.id,
        "gave_way_to": {"claim": lowering.gave_way_to},
        "because": "nothing stands any more of what the value gave way to",
    }


def _shown(lowering: Lowering) -> dict[str, object]:
    """What gives way to what, and why: by ids, for jobs keep nothing that was said."""
    kept, first = lowering.kept, lowering.claims[0].claim
    of_value = lowering.belief.target == lowering.target
    return {
        "why": lowering.why,
        "belief": lowering.belief.id if of_value else None,
        "claims": sorted(placed.id for placed in lowering.claims if placed.asserts)[:MOST_SHOWN],
        "gives_way_to": {"belief": kept.id, "claim": lowering.to.id},
        "cap": lowering.cap,
        "because": lowering.because,
        "subject": lowering.belief.subject_id,
        "predicate": first.predicate,
        "user": first.user or None,
    }


def _step(
    work: Work,
    cursor: Mapping[str, object],
    counted: Mapping[str, int] = NO_COUNTS,
    rows: Iterable[Mapping[str, object]] = (),
    *,
    counts: Mapping[str, int] = NO_COUNTS,
    pause: float = 0.0,
) -> WorkStep:
    """The step to a cursor: ``counts`` are added to the progress, ``counted`` and ``rows`` to the result."""
    result = with_rows(added({**_AT_FIRST, **work.result}, counted), "would" if work.dry_run else "changed", rows)
    return stepped(work, cursor, counts, result=result, finished=not cursor, pause=pause)
