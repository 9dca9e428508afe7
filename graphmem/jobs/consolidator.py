"""Consolidates a group, or a session, chunk by chunk: what gives way is evidence, so a chunk may be done again."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from graphmem.derived.consolidation import Consolidated
from graphmem.jobs.nights import PAUSE, ask_each_group, ask_next, next_pause
from graphmem.jobs.steps import MOST_SHOWN, added, number, texts, with_told
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


class Consolidator:
    """The steps of work of the kind ``consolidate``. Its target is a session of a user, "" the whole group."""

    def __init__(self, memory: Memory, settings: ConsolidationSettings, pause: float = PAUSE) -> None:
        self._memory = memory
        self._consolidation = memory.consolidation
        self._reading = memory.reading_again
        self._settings = settings
        self._size = settings.chunk
        self._pause = pause
        self._phases: dict[_Phase, Callable[[Work], Awaitable[WorkStep]]] = {
            _Phase.READ: self._read,
            _Phase.WAIT: self._wait,
            _Phase.RESTORE: self._restore,
            _Phase.DUPLICATES: self._duplicates,
            _Phase.CONFLICTS: self._conflicts,
            _Phase.SESSION: self._session,
        }

    def shrink(self) -> None:
        self._size = max(1, self._size // 2)

    async def step(self, work: Work) -> WorkStep:
        """One chunk, or on to the next phase."""
        if work.group_id == SERVICE:
            return await ask_each_group(self._memory, work)
        if not work.cursor and await self._memory.reader.imports(work.group_id):
            return WorkStep(cursor={}, progress={}, result={**_AT_FIRST, "why": "the group imports"}, finished=True)
        step = await self._phases[_Phase(str(work.cursor.get("phase", _Phase.READ)))](work)
        self._size = min(self._settings.chunk, 2 * self._size)
        return step

    # read by a language model, where one is configured ---------------------------------------------------------------

    async def _read(self, work: Work) -> WorkStep:
        """Have the next episodes read by a language model that somebody offline read; those of a session all."""
        session, done = work.target or None, number(work.progress.get("read_again", 0))
        left = MOST_OF_SESSION if session else self._settings.model_episodes - done
        most = left if work.dry_run else min(self._size, left)
        if "ids" in work.cursor:
            ids = texts(work.cursor["ids"])
            await self._reading.ask(work.group_id, ids)
            counts = {"read_again": len(ids)}
            return _step(work, {"phase": _Phase.READ}, counts=counts, counted=counts)
        found = await self._reading.found(work.group_id, most, session=session) if self._reading.asks_model else []
        if work.dry_run:
            told = [_read_again(one) for one in found[:MOST_READ_SHOWN]]
            counted = {"read_again": len(found), "beyond": len(found) - len(told)}
            return _step(work, {"phase": _first_of(work)}, counted=counted, told=told)
        if found:
            return _step(work, {"phase": _Phase.READ, "ids": [one.id for one in found]})
        return _step(work, {"phase": _Phase.WAIT, "paused": 0} if done else {"phase": _first_of(work)})

    async def _wait(self, work: Work) -> WorkStep:
        paused = await next_pause(self._memory, work)
        if paused is None:
            return _step(work, {"phase": _first_of(work)})
        return _step(work, {"phase": _Phase.WAIT, "paused": paused}, pause=self._pause)

    # a group ----------------------------------------------------------------------------------------------------------

    async def _restore(self, work: Work) -> WorkStep:
        after = str(work.cursor.get("after", ""))
        found = await self._consolidation.restore(work.group_id, after, self._size, dry_run=work.dry_run)
        if not found:
            return _step(work, {"phase": _Phase.DUPLICATES})
        cursor = {"phase": _Phase.RESTORE, "after": found[-1].id}
        return _step(work, cursor, counted={"restored": len(found)}, told=[_restored(one) for one in found])

    async def _duplicates(self, work: Work) -> WorkStep:
        """The next facts of a category, or of the next that has any."""
        first, after = number(work.cursor.get("category", 0)), str(work.cursor.get("after", ""))
        for place in range(first, len(_CATEGORIES)):
            done = await self._consolidation.settle_category(
                work.group_id, _CATEGORIES[place], after, self._size, dry_run=work.dry_run
            )
            if done is not None:
                last, found = done
                cursor = {"phase": _Phase.DUPLICATES, "category": place, "after": last}
                return _told(work, cursor, found, {"facts": found.looked_at})
            after = ""
        return _step(work, {"phase": _Phase.CONFLICTS})

    async def _conflicts(self, work: Work) -> WorkStep:
        after = str(work.cursor.get("after", ""))
        done = await self._consolidation.settle_conflicts(work.group_id, after, self._size, dry_run=work.dry_run)
        if done is None:
            return await self._end(work)
        last, found = done
        return _told(work, {"phase": _Phase.CONFLICTS, "after": last}, found, {"contested": found.looked_at})

    # a session --------------------------------------------------------------------------------------------------------

    async def _session(self, work: Work) -> WorkStep:
        time = datetime.fromisoformat(str(work.cursor.get("time", BEGIN.isoformat())))
        after = (time, str(work.cursor.get("after", "")))
        done = await self._consolidation.settle_session(
            work.group_id, work.target, after, self._size, dry_run=work.dry_run
        )
        if done is None:
            return await self._end(work)
        (time, last), found = done
        cursor = {"phase": _Phase.SESSION, "time": time.isoformat(), "after": last}
        return _told(work, cursor, found, {"episodes": found.looked_at})

    async def _end(self, work: Work) -> WorkStep:
        if not work.dry_run:
            await ask_next(self._memory, work)
        return _step(work, {}, finished=True)


def _first_of(work: Work) -> _Phase:
    return _Phase.SESSION if work.target else _Phase.RESTORE


def _told(work: Work, cursor: Mapping[str, object], found: Consolidated, counts: Mapping[str, int]) -> WorkStep:
    counted = {f"{why}s": sum(one.why is why for one in found.lowerings) for why in WhyGivesWay}
    return _step(
        work,
        cursor,
        counts=counts,
        counted={**counted, "rows_changed": found.rows},
        told=[_shown(one) for one in found.lowerings],
    )


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
    *,
    counts: Mapping[str, int] | None = None,
    counted: Mapping[str, int] | None = None,
    told: Sequence[Mapping[str, object]] = (),
    finished: bool = False,
    pause: float = 0.0,
) -> WorkStep:
    """The step to a cursor: ``counts`` are added to the progress, ``counted`` and ``told`` to the result."""
    result = with_told(added({**_AT_FIRST, **work.result}, counted or {}), "would" if work.dry_run else "changed", told)
    progress = added(work.progress, counts or {})
    return WorkStep(cursor=cursor, progress=progress, result=result, finished=finished, pause=pause)
