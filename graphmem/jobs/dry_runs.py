"""What a dry run of the dedup job tells: whom the job would merge, part, or ask about, and why."""

from collections.abc import Iterable, Mapping, Sequence

from pydantic import TypeAdapter

from graphmem.identity.matching import Tried
from graphmem.model.matching import Pair, Verdict
from graphmem.model.merge import Merge, Opinion
from graphmem.model.scope import EVERYBODY

MOST_SHOWN = 200
"""Pairs that a dry run shows."""
_NO_MORE = "what it rests on is not so any more"

Told = Mapping[str, object]
_TOLD: TypeAdapter[list[dict[str, object]]] = TypeAdapter(list[dict[str, object]])


def told(tried: Tried) -> list[Told]:
    """The pairs that would be merged, parted or asked about; and those that look the same and a person said are not."""
    by_hand = {(one.judgement.pair, one.user): one for one in tried.opinions if one.by_hand and one.session is None}
    surest = sorted(tried.opinions, key=lambda one: (one.by_hand, one.by_model))
    thought = {(one.judgement.pair, one.user): one for one in surest if one.session is None}
    alike = {
        (one.judgement.pair, one.user)
        for one in tried.opinions
        if not one.by_hand and one.judgement.verdict is not Verdict.DIFFERENT
    }
    stays = {(merge.pair, merge.user, merge.session) for merge in tried.open}
    parted = [merge for merge in tried.close if (merge.pair, merge.user, merge.session) not in stays]
    asked = [one for one in tried.opinions if one.user == EVERYBODY and (one.pending or one.refused)]
    different = [by_hand[place] for place in by_hand.keys() & alike if not by_hand[place].judgement.is_same]
    return [
        *(_of_merge(merge, Verdict.SAME, thought.get((merge.pair, merge.user))) for merge in tried.open),
        *(_of_merge(merge, Verdict.DIFFERENT, by_hand.get((merge.pair, merge.user))) for merge in parted),
        *(_of_opinion(one, Verdict.REVIEW) for one in asked),
        *(_of_opinion(one, Verdict.DIFFERENT) for one in different),
    ]


def shown(before: object, found: Iterable[Told]) -> tuple[list[Told], int]:
    """The surest of what was shown before and of what was found now, each once; and how much of the latter is new."""
    known: dict[tuple[str, ...], Told] = {_key(one): one for one in _TOLD.validate_python(before or [])}
    fresh = {_key(one): one for one in found}
    new = len(fresh.keys() - known.keys())
    ordered = sorted((fresh | known).items(), key=lambda item: (-float(str(item[1]["score"])), item[0]))
    return [one for _, one in ordered[:MOST_SHOWN]], new


def _key(one: Told) -> tuple[str, ...]:
    return tuple(str(one[name]) for name in ("pair", "verdict", "session", "user"))


def _of_merge(merge: Merge, verdict: Verdict, opinion: Opinion | None) -> Told:
    if merge.session is None and opinion is not None:
        return _of_opinion(opinion, verdict)
    reasons = [merge.reason] if merge.session is not None else [_NO_MORE]
    return _row(merge.pair, verdict, merge.method, merge.stage, merge.score, reasons, merge.user, merge.session)


def _of_opinion(opinion: Opinion, verdict: Verdict) -> Told:
    judgement = opinion.judgement
    parts = [f"{part.part}: {part.level} ({part.weight:+.1f})" for part in judgement.contributions]
    reasons = [f"said by hand: {opinion.reason}"] if opinion.by_hand else parts
    refused = [f"not merged: {opinion.refused}"] if opinion.refused else []
    return _row(
        judgement.pair,
        verdict,
        judgement.method,
        judgement.stage,
        judgement.score,
        [*reasons, *refused],
        opinion.user,
        opinion.session,
    )


def _row(
    pair: Pair,
    verdict: Verdict,
    method: str,
    stage: str | None,
    score: float,
    because: Sequence[str],
    user: str,
    session: str | None,
) -> Told:
    return {
        "pair": list(pair),
        "verdict": verdict,
        "method": method,
        "stage": stage,
        "score": round(score, 2),
        "session": session,
        "user": user or None,
        "because": because,
    }
