"""How likely each hit answers a question, and whether any does: calibrated on questions with and without an answer."""

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from importlib.resources import files
from math import exp, log

from graphmem.model.hits import NOTHING_FOUND, Answerability, Ranked
from graphmem.model.naming import much_like
from graphmem.model.search import BELIEFS, PATH

_NAMING = ("speaker", "asker", "graph", "named", "path")
"""Reasons that say that a question names somebody or something of a hit."""
_LIKELY = 0.5
_LEAST = 1e-6
"""No likelihood is nearer to 0 or to 1."""
_BEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class HitFeatures:
    """What says how relevant a hit is, or what each of that counts."""

    bias: float = 1.0
    cosine: float
    has_cosine: float
    named: float
    belief: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFeatures:
    """What says whether a question has an answer here, or what each of that counts."""

    bias: float = 1.0
    best: float
    three: float
    unknown: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevanceWeights:
    hit: HitFeatures
    answer: AnswerFeatures


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCosines:
    """The cosines of hits, by id. ``asked_vectors``: vectors were looked up at all."""

    cosine: Mapping[str, float]
    asked_vectors: bool


@lru_cache(maxsize=1)
def packaged_relevance() -> RelevanceWeights:
    """The weights of ``relevance.toml``."""
    document = tomllib.loads(files("graphmem.retrieve").joinpath("relevance.toml").read_text("utf-8"))
    return RelevanceWeights(hit=HitFeatures(**document["hit"]), answer=AnswerFeatures(**document["answer"]))


def features_of(item: Ranked, raw: KnownCosines) -> HitFeatures:
    """What says how relevant a hit is."""
    reasons = {part.channel.partition(":")[0] for part in item.contributions if part.score}
    return HitFeatures(
        cosine=max(0.0, raw.cosine.get(item.id, 0.0)),
        has_cosine=float(raw.asked_vectors),
        named=float(not reasons.isdisjoint(_NAMING)),
        belief=float(item.kind in BELIEFS or item.kind == PATH),
    )


def with_relevance(ranked: Iterable[Ranked], raw: KnownCosines, weights: RelevanceWeights) -> list[Ranked]:
    """The hits, each with how likely it answers the question, from 0 to 1."""
    return [replace(item, relevance=likelihood(features_of(item, raw), weights.hit)) for item in ranked]


def answer_features(relevances: Sequence[float], unknown_names: Collection[str]) -> AnswerFeatures:
    """What says whether any of the hits answers a question."""
    best = sorted((_log_odds(relevance) for relevance in relevances), reverse=True)[:_BEST] or [_log_odds(0.0)]
    return AnswerFeatures(best=best[0], three=sum(best) / len(best), unknown=float(len(unknown_names)))


def answerability(
    relevances: Sequence[float], unknown: Mapping[str, Sequence[str]], weights: RelevanceWeights
) -> Answerability:
    """Whether a question has an answer here, by its hits and the names in it that nobody bears.

    Each ``unknown`` name comes with those spelt much like it.
    """
    probability = likelihood(answer_features(relevances, unknown), weights.answer)
    return Answerability(likely=probability >= _LIKELY, probability=probability, reason=_why(relevances, unknown))


def likelihood(features: HitFeatures | AnswerFeatures, weights: HitFeatures | AnswerFeatures) -> float:
    """From 0 to 1, by the logistic function of what each feature counts."""
    total = sum(getattr(weights, each.name) * getattr(features, each.name) for each in fields(weights))
    return 1 / (1 + exp(-max(-50.0, min(50.0, total))))


def _why(relevances: Sequence[float], unknown: Mapping[str, Sequence[str]]) -> str:
    best = max(relevances, default=0.0)
    reason = f"The best hit answers it with a likelihood of {best:.0%}." if relevances else NOTHING_FOUND.reason
    if not unknown:
        return reason
    near = much_like(name for names in unknown.values() for name in names)
    return f"Nobody and nothing is known here of the name {' or '.join(map(repr, unknown))}.{near} {reason}"


def _log_odds(likely: float) -> float:
    kept = min(1 - _LEAST, max(_LEAST, likely))
    return log(kept / (1 - kept))
