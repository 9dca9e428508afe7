"""Finds who is who in a group: indexes what changed, embeds new names, learns weights, compares, asks a model.

Before all, claims are placed again that were written while merges changed.
"""

from collections.abc import Mapping

import structlog

from graphmem.errors import ConfigurationError, ModelUnavailable, Unreadable
from graphmem.identity.matching import Compared, Matching
from graphmem.jobs.dry_runs import shown, told
from graphmem.jobs.steps import number
from graphmem.model.matching import Verdict
from graphmem.model.work import Work, WorkStep

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

STEP = 50
"""Entities compared in one step, of twice as many indexed or embedded; fewer, after one that took too long."""
_REFINED = "refined"
_AFTER = "after"
_AT_FIRST: Mapping[str, object] = {}
_AFTER_REFINING: Mapping[str, object] = {_REFINED: True}


class Deduplicator:
    """The steps of work of the kind ``dedup``."""

    def __init__(self, matching: Matching) -> None:
        self._matching = matching
        self._step = STEP

    def shrink(self) -> None:
        self._step = max(1, self._step // 2)

    async def step(self, work: Work) -> WorkStep:
        """Index some, or where nothing is left to index, embed some names, or where none is left, compare some.

        Weights are learnt before the first comparison after the last that was indexed, of which the cursor keeps a
        note. A dry run compares some by those that are known, and decides nothing; its cursor says after which entity.
        """
        if not work.dry_run and (placed := await self._matching.place_some(work.group_id, self._step)):
            return _step(work, {"placed_again": placed.entities, "rows_changed": placed.rows})
        if _AFTER not in work.cursor and (indexed := await self._index(work)):
            return indexed
        if work.dry_run:
            return await self._try(work)
        if not work.cursor.get(_REFINED):
            refined = await self._matching.refine(work.group_id)
            return _step(work, {"refined": refined} if refined else {}, cursor=_AFTER_REFINING)
        return await self._compare(work)

    async def _index(self, work: Work) -> WorkStep | None:
        """Index some, or where nothing is left to index, embed some names; None where none is left."""
        await self._matching.follow_settings(work.group_id)
        if indexed := await self._matching.index_some(work.group_id, 2 * self._step):
            return _step(work, {"indexed": indexed})
        if embedded := await self._matching.embed_some(work.group_id, 2 * self._step):
            return _step(work, {"embedded": embedded})
        return None

    async def _compare(self, work: Work) -> WorkStep:
        """Compare some, or where none is left, in the eyes of users, or have a language model look at some."""
        compared = await self._matching.compare_some(work.group_id, self._step)
        if compared is None:
            compared = await self._matching.compare_views(work.group_id, self._step)
        if compared is None:
            return await self._review(work)
        self._step = min(STEP, 2 * self._step)
        return _step(work, _counts(compared), cursor=_AFTER_REFINING)

    async def _try(self, work: Work) -> WorkStep:
        """Tell what the job would do with some. What is told but not shown is counted: it is ``beyond``."""
        after = str(work.cursor.get(_AFTER, ""))
        tried = await self._matching.try_some(work.group_id, self._step, after)
        if tried is None:
            return _step(work, {}, finished=True, result={"would": [], "beyond": 0, **work.result})
        self._step = min(STEP, 2 * self._step)
        would, new = shown(work.result.get("would"), told(tried))
        counts = {"compared": tried.entities, "pairs": tried.pairs, "told": new}
        beyond = number(work.progress.get("told", 0)) + new - len(would)
        return _step(work, counts, cursor={_AFTER: tried.last}, result={"would": would, "beyond": beyond})

    async def _review(self, work: Work) -> WorkStep:
        """Have a language model look at some pairs. Where it fails nothing changes, and it is asked by the next job."""
        try:
            reviewed = await self._matching.review_some(work.group_id)
        except (ModelUnavailable, ConfigurationError, Unreadable) as error:
            log.warning("review.failed", reason=str(error))
            return _step(work, {"model_failures": 1}, finished=True)
        if reviewed is None:
            return _step(work, {}, finished=True)
        done = reviewed.done
        counts = {"asked_of_model": reviewed.pairs, "merged": len(done.opened), "reverted": len(done.closed)}
        return _step(work, {**counts, "rows_changed": done.recorded + done.superseded}, cursor=_AFTER_REFINING)


def _counts(compared: Compared) -> dict[str, int]:
    done = compared.done
    return {
        "compared": compared.entities,
        "pairs": compared.pairs,
        "merged": len(done.opened),
        "reverted": len(done.closed),
        "reviews": sum(one.verdict is Verdict.REVIEW for one in compared.judgements),
        "rows_changed": done.recorded + done.superseded,
        **({"put_off": compared.put_off} if compared.put_off else {}),
    }


def _step(
    work: Work,
    counts: Mapping[str, int],
    *,
    finished: bool = False,
    result: Mapping[str, object] = _AT_FIRST,
    cursor: Mapping[str, object] = _AT_FIRST,
) -> WorkStep:
    total = {name: number(work.progress.get(name, 0)) + count for name, count in counts.items()}
    return WorkStep(
        cursor=cursor,
        progress={**work.progress, **total},
        result=result,
        finished=finished,
    )
