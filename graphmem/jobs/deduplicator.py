"""Finds who is who in a group: indexes what changed, embeds new names, learns weights, compares, asks a model.

Before all, claims are placed again that were written while merges changed.
"""

from collections.abc import Mapping, Sequence

import structlog

from graphmem.errors import ConfigurationError, ModelUnavailable
from graphmem.jobs.steps import number
from graphmem.memory.matching import Compared, Matching
from graphmem.model.matching import Judgement, Verdict
from graphmem.model.work import Step, Work
from graphmem.store.change.moves import MergeChanges

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

STEP = 50
"""Entities compared in one step, of twice as many indexed or embedded; fewer, after one that took too long."""
MOST_SHOWN = 200
"""Pairs that a dry run tells of."""
_REFINED = "refined"
_AT_FIRST: Mapping[str, object] = {}
_AFTER_REFINING: Mapping[str, object] = {_REFINED: True}


class Deduplicator:
    """The steps of work of the kind ``dedup``."""

    def __init__(self, matching: Matching) -> None:
        self._matching = matching
        self._step = STEP

    def shrink(self) -> None:
        self._step = max(1, self._step // 2)

    async def step(self, work: Work) -> Step:
        """Index some, or where nothing is left to index, embed some names, or where none is left, compare some.

        Weights are learnt before the first comparison after the last that was indexed, of which the cursor keeps a
        note. A dry run compares some by those that are known, and decides nothing.
        """
        if not work.dry_run and (placed := await self._matching.place_some(work.group_id, self._step)):
            return _step(work, {"placed_again": placed.entities, "rows_changed": placed.rows})
        await self._matching.follow_settings(work.group_id)
        if indexed := await self._matching.index_some(work.group_id, 2 * self._step):
            return _step(work, {"indexed": indexed})
        if embedded := await self._matching.embed_some(work.group_id, 2 * self._step):
            return _step(work, {"embedded": embedded})
        if not (work.dry_run or work.cursor.get(_REFINED)):
            refined = await self._matching.refine(work.group_id)
            return _step(work, {"refined": refined} if refined else {}, cursor=_AFTER_REFINING)
        return await self._compare(work)

    async def _compare(self, work: Work) -> Step:
        """Compare some, or where none is left, in the eyes of users, or have a language model look at some."""
        limit = MOST_SHOWN if work.dry_run else self._step
        compared = await self._matching.compare_some(work.group_id, limit, dry_run=work.dry_run)
        if compared is None and not work.dry_run:
            compared = await self._matching.compare_views(work.group_id, self._step)
        if compared is None:
            return await self._review(work)
        self._step = min(STEP, 2 * self._step)
        if work.dry_run:
            would = [*_shown(compared.judgements), *_short(compared.would)]
            return _step(work, _counts(compared), finished=True, would=would)
        return _step(work, _counts(compared), cursor=_AFTER_REFINING)

    async def _review(self, work: Work) -> Step:
        """Have a language model look at some pairs. Where it fails nothing changes, and it is asked by the next job."""
        try:
            reviewed = None if work.dry_run else await self._matching.review_some(work.group_id)
        except (ModelUnavailable, ConfigurationError) as error:
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
    }


def _step(
    work: Work,
    counts: Mapping[str, int],
    *,
    finished: bool = False,
    would: object = None,
    cursor: Mapping[str, object] = _AT_FIRST,
) -> Step:
    total = {name: number(work.progress.get(name, 0)) + count for name, count in counts.items()}
    return Step(
        cursor=cursor,
        progress={**work.progress, **total},
        result={} if would is None else {"would": would},
        finished=finished,
    )


def _short(would: Sequence[MergeChanges]) -> list[dict[str, object]]:
    """Whom short names would mean, or mean no longer, in which sessions, and why."""
    return [
        {
            "pair": list(merge.pair),
            "verdict": verdict,
            "method": merge.method,
            "stage": merge.stage,
            "session": merge.session,
            "user": merge.user or None,
            "because": [merge.reason],
        }
        for verdict, merges in (
            (Verdict.SAME, [merge for one in would for merge in one.open]),
            (Verdict.DIFFERENT, [merge for one in would for merge in one.close]),
        )
        for merge in merges[:MOST_SHOWN]
    ]


def _shown(judgements: tuple[Judgement, ...]) -> list[dict[str, object]]:
    """Pairs that are or may be the same, the surest first, and why."""
    found = sorted(
        (one for one in judgements if one.verdict is not Verdict.DIFFERENT), key=lambda one: (-one.score, one.pair)
    )
    return [
        {
            "pair": list(one.pair),
            "verdict": one.verdict,
            "method": one.method,
            "stage": one.stage,
            "score": round(one.score, 2),
            "because": [f"{part.part}: {part.level} ({part.weight:+.1f})" for part in one.contributions],
        }
        for one in found[:MOST_SHOWN]
    ]
