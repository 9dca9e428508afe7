"""Finds who is who in a group: indexes what changed, embeds new names, learns weights, compares, asks a model.

Before all, claims are placed again that were written while merges changed. A dry run tells whom the job would merge,
part, or ask about, and why. What a person decided on who is who is carried out here, too, where it moves many claims.
"""

from collections.abc import Iterable, Mapping, Sequence

import structlog

from graphmem.errors import ConfigurationError, ModelUnavailable, Unreadable
from graphmem.identity.matching import Matching, Tried
from graphmem.identity.merging import HumanDecisions
from graphmem.jobs.steps import MOST_SHOWN, Steps, number, rows, stepped
from graphmem.model.matching import Judgement, Pair, Verdict
from graphmem.model.merge import Merge, Opinion
from graphmem.model.scope import EVERYBODY
from graphmem.model.work import Work, WorkStep

_NO_MORE = "what it rests on is not so any more"

DryRunPair = Mapping[str, object]

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

STEP = 50
"""Entities compared in one step, of twice as many indexed or embedded; fewer, after one that took too long."""
_REFINED = "refined"
_AFTER = "after"
_AFTER_REFINING: Mapping[str, object] = {_REFINED: True}


def pairs_of(tried: Tried) -> list[DryRunPair]:
    """The pairs that would be merged, parted or asked about; and those that look the same and a person said are not."""
    opinions, general = tried.opinions, [opinion for opinion in tried.opinions if opinion.session is None]
    by_hand = {_place(opinion): opinion for opinion in general if opinion.by_hand}
    thought = {
        _place(opinion): opinion for opinion in sorted(general, key=lambda opinion: (opinion.by_hand, opinion.by_model))
    }
    alike = {
        _place(opinion)
        for opinion in opinions
        if not opinion.by_hand and opinion.judgement.verdict is not Verdict.DIFFERENT
    }
    stays = {(merge.pair, merge.user, merge.session) for merge in tried.open}
    parted = [merge for merge in tried.close if (merge.pair, merge.user, merge.session) not in stays]
    asked = [opinion for opinion in opinions if opinion.user == EVERYBODY and (opinion.pending or opinion.refused)]
    different = [by_hand[place] for place in by_hand.keys() & alike if not by_hand[place].judgement.is_same]
    return [
        *(_of_merge(merge, Verdict.SAME, thought.get((merge.pair, merge.user))) for merge in tried.open),
        *(_of_merge(merge, Verdict.DIFFERENT, by_hand.get((merge.pair, merge.user))) for merge in parted),
        *(_of_opinion(opinion, Verdict.REVIEW) for opinion in asked),
        *(_of_opinion(opinion, Verdict.DIFFERENT) for opinion in different),
    ]


def shown(before: object, pairs: Iterable[DryRunPair]) -> tuple[list[DryRunPair], int]:
    """The surest of what was shown before and of ``pairs`` found now, each once; and how many of the latter are new."""
    known: dict[tuple[str, ...], DryRunPair] = {_key(row): row for row in rows(before or [])}
    fresh = {_key(row): row for row in pairs}
    new = len(fresh.keys() - known.keys())
    ordered = sorted((fresh | known).items(), key=lambda item: (-float(str(item[1]["score"])), item[0]))
    return [row for _, row in ordered[:MOST_SHOWN]], new


def _place(opinion: Opinion) -> tuple[Pair, str]:
    return opinion.judgement.pair, opinion.user


def _key(row: DryRunPair) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in ("pair", "verdict", "session", "user"))


def _of_merge(merge: Merge, verdict: Verdict, opinion: Opinion | None) -> DryRunPair:
    if merge.session is None and opinion is not None:
        return _of_opinion(opinion, verdict)
    reason = merge.reason if merge.session is not None else _NO_MORE
    return _row(merge, verdict, [reason], merge.user, merge.session)


def _of_opinion(opinion: Opinion, verdict: Verdict) -> DryRunPair:
    parts = (f"{part.part}: {part.level} ({part.weight:+.1f})" for part in opinion.judgement.contributions)
    reasons = [f"said by hand: {opinion.reason}"] if opinion.by_hand else [*parts]
    refused = [f"not merged: {opinion.refused}"] if opinion.refused else []
    return _row(opinion.judgement, verdict, [*reasons, *refused], opinion.user, opinion.session)


def _row(
    thought: Merge | Judgement, verdict: Verdict, because: Sequence[str], user: str, session: str | None
) -> DryRunPair:
    return {
        "pair": list(thought.pair),
        "verdict": verdict,
        "method": thought.method,
        "stage": thought.stage,
        "score": round(thought.score, 2),
        "session": session,
        "user": user or None,
        "because": because,
    }


class Merger(Steps):
    """The steps of work of the kind ``merge``: one, which is one transaction."""

    def __init__(self, decisions: HumanDecisions) -> None:
        self._decisions = decisions

    async def step(self, work: Work) -> WorkStep:
        """Carry out the decision of the work. One that was carried out before opens, closes and moves nothing."""
        done = await self._decisions.carry_out(work)
        result: dict[str, object] = {
            "opened": [merge.id for merge in done.opened],
            "closed": [merge.id for merge in done.closed],
            "moved_claims": done.moved_claims,
            "recorded": done.recorded,
            "superseded": done.superseded,
        }
        return stepped(work, result=result, finished=True)


class Deduplicator(Steps):
    """The steps of work of the kind ``dedup``."""

    most = size = STEP

    def __init__(self, matching: Matching) -> None:
        self._matching = matching

    async def step(self, work: Work) -> WorkStep:
        """Index some, or where nothing is left to index, embed some names, or where none is left, compare some.

        Weights are learnt before the first comparison after the last that was indexed, of which the cursor keeps a
        note. A dry run compares some by those that are known, and decides nothing; its cursor says after which entity.
        """
        if not work.dry_run and (placed := await self._matching.place_some(work.group_id, self.size)):
            return stepped(work, counts={"placed_again": placed.entities, "rows_changed": placed.rows})
        if _AFTER not in work.cursor and (indexed := await self._index(work)):
            return indexed
        if work.dry_run:
            return await self._try(work)
        if not work.cursor.get(_REFINED):
            refined = await self._matching.refine(work.group_id)
            return stepped(work, _AFTER_REFINING, {"refined": refined} if refined else {})
        return await self._compare(work)

    async def _index(self, work: Work) -> WorkStep | None:
        """Index some, or where nothing is left to index, embed some names; None where none is left."""
        await self._matching.follow_settings(work.group_id)
        if indexed := await self._matching.index_some(work.group_id, 2 * self.size):
            return stepped(work, counts={"indexed": indexed})
        if embedded := await self._matching.embed_some(work.group_id, 2 * self.size):
            return stepped(work, counts={"embedded": embedded})
        return None

    async def _compare(self, work: Work) -> WorkStep:
        """Compare some, or where none is left, in the eyes of users, or have a language model look at some."""
        compared = await self._matching.compare_some(work.group_id, self.size)
        if compared is None:
            compared = await self._matching.compare_views(work.group_id, self.size)
        if compared is None:
            return await self._review(work)
        self.grow()
        done = compared.done
        counts = {
            "compared": compared.entities,
            "pairs": compared.pairs,
            "merged": len(done.opened),
            "reverted": len(done.closed),
            "reviews": sum(judgement.verdict is Verdict.REVIEW for judgement in compared.judgements),
            "rows_changed": done.recorded + done.superseded,
        }
        put_off = {"put_off": compared.put_off} if compared.put_off else {}
        return stepped(work, _AFTER_REFINING, counts | put_off)

    async def _try(self, work: Work) -> WorkStep:
        """Tell what the job would do with some. What is told but not shown is counted: it is ``beyond``."""
        after = str(work.cursor.get(_AFTER, ""))
        tried = await self._matching.try_some(work.group_id, self.size, after)
        if tried is None:
            return stepped(work, finished=True, result={"would": [], "beyond": 0, **work.result})
        self.grow()
        would, new = shown(work.result.get("would"), pairs_of(tried))
        counts = {"compared": tried.entities, "pairs": tried.pairs, "told": new}
        beyond = number(work.progress.get("told", 0)) + new - len(would)
        return stepped(work, {_AFTER: tried.last}, counts, result={"would": would, "beyond": beyond})

    async def _review(self, work: Work) -> WorkStep:
        """Have a language model look at some pairs. Where it fails nothing changes, and it is asked by the next job."""
        try:
            reviewed = await self._matching.review_some(work.group_id)
        except (ModelUnavailable, ConfigurationError, Unreadable) as error:
            log.warning("review.failed", reason=str(error))
            return stepped(work, counts={"model_failures": 1}, finished=True)
        if reviewed is None:
            return stepped(work, finished=True)
        done = reviewed.done
        counts = {"asked_of_model": reviewed.pairs, "merged": len(done.opened), "reverted": len(done.closed)}
        return stepped(work, _AFTER_REFINING, {**counts, "rows_changed": done.recorded + done.superseded})
