"""A list in which what is newer, or surer, counts more: each a reason of its own, so that reasons sum to scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from graphmem.model.interval import BEGIN
from graphmem.model.preferences import Preferences, Traits
from graphmem.model.recall import Contribution, Ranked

RECENCY, CONFIDENCE = "recency", "confidence"
_DAY = timedelta(days=1)


def preferring(
    ranked: Sequence[Ranked], traits: Mapping[str, Traits], preferences: Preferences, now: datetime
) -> list[Ranked]:
    """The things found, best first, with what ``recency`` and ``confidence`` add to the score of each.

    Recency adds its share of the best score, halved for every half-life between ``since`` and ``now``; confidence takes
    away its share of the best score times what is missing of certainty. What has no ``since`` or no confidence is as it
    was.
    """
    best = max((abs(item.score) for item in ranked), default=0.0)
    weighed = [
        _with(item, list(_reasons(traits[item.id], preferences, best, now)) if item.id in traits else [])
        for item in ranked
    ]
    return sorted(weighed, key=lambda item: (-item.score, item.kind, item.id))


def freshness(since: datetime, now: datetime, half_life_days: float) -> float:
    """1 of what is of now, half as much for every half-life before; what is yet to come is of now."""
    return 0.5 ** (max(0.0, (now - since) / _DAY) / half_life_days)


def _reasons(traits: Traits, preferences: Preferences, best: float, now: datetime) -> Iterator[Contribution]:
    if preferences.recency and traits.since is not None and traits.since > BEGIN:
        fresh = freshness(traits.since, now, preferences.half_life_days)
        yield _reason(RECENCY, fresh, preferences.recency * best * fresh)
    if preferences.confidence and traits.confidence is not None:
        missing = 1 - traits.confidence
        yield _reason(CONFIDENCE, traits.confidence, -preferences.confidence * best * missing)


def _reason(channel: str, score: float, contribution: float) -> Contribution:
    return Contribution(channel=channel, rank=None, score=score, contribution=contribution)


def _with(item: Ranked, reasons: Sequence[Contribution]) -> Ranked:
    added = sum(reason.contribution for reason in reasons)
    return replace(item, score=item.score + added, contributions=(*item.contributions, *reasons))
