"""From the scores of a network to claims."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Protocol

import numpy as np
from tokenizers import Tokenizer

from graphmem.extract.reader.claims import OF_SPEAKER, ClaimSubject, TurnClaim, Whose
from graphmem.extract.reader.labels import EFFECTS, PREDICATES, STATUSES, Predicate
from graphmem.extract.reader.layout import (
    SPEAKER_AT,
    USER_AT,
    Layout,
    Span,
    SpokenTurn,
    lay_out,
    speaker_before,
    words_before,
)
from graphmem.extract.reader.padding import Numbers, Padded, Scores, padded

Thresholds = Mapping[Predicate, float]
LEAST = 0.0
"""The score from which on a value holds, where its predicate has no threshold of its own; from which it ends anyway."""
_TAKES_AWAY = ("ends", "denies", "corrects")
_LONGEST_NAME, _LONGEST_TIME = 8, 15
"""Tokens after the first."""
_NEVER = -1e4


@dataclass(frozen=True, slots=True)
class SpanScores:
    """Scores of turns.

    ``hidden`` are states of tokens, [turns, tokens, wide]; ``spans`` say whether the stretch from a token to another
    one is a value, [turns, tokens, tokens]; ``foreign`` whether a token is of words of others, [turns, tokens].
    """

    hidden: Scores
    spans: Scores
    foreign: Scores


@dataclass(frozen=True, slots=True)
class ClaimScores:
    """``labels`` are effects, statuses and ``beside``, [claims, labels]; ``pointed``: [claims, 6, tokens]."""

    labels: Scores
    pointed: Scores


class Network(Protocol):
    """Scores; what is above 0 holds, of effects, statuses and pointers the highest."""

    def spans(self, turns: Padded) -> SpanScores: ...

    def kinds(self, hidden: Scores, rows: Numbers, first: Numbers, last: Numbers) -> Scores:
        """What values are values of, [values, predicates]."""
        ...

    def claims(
        self, hidden: Scores, rows: Numbers, predicates: Numbers, first: Numbers, last: Numbers
    ) -> ClaimScores: ...


def decoded(
    network: Network, tokenizer: Tokenizer, turns: Sequence[SpokenTurn], thresholds: Thresholds
) -> list[list[TurnClaim]]:
    """The claims of each turn, in the order of their values."""
    layouts = [lay_out(tokenizer, turn) for turn in turns]
    batch = padded(layouts)
    scores = network.spans(batch)
    values = _values(network, scores, thresholds)
    claims: list[list[TurnClaim]] = [[] for _ in turns]
    if not values:
        return claims
    rows, first, last, predicates = (np.array(column) for column in zip(*map(astuple, values), strict=True))
    read = network.claims(scores.hidden, rows, predicates, first, last)
    pointed = np.where(batch.pointable[rows], read.pointed, _NEVER)
    for at, value in enumerate(values):
        turn = turns[value.row], layouts[value.row]
        least = thresholds.get(PREDICATES[value.predicate], LEAST)
        claims[value.row] += [
            claim
            for claim in _claims(value, scores, read.labels[at], pointed[at], *turn)
            if claim.score > least or claim.effect in _TAKES_AWAY
        ]
    return [sorted(_surest(each), key=lambda claim: claim.value) for each in claims]


@dataclass(frozen=True, slots=True)
class _ValueTokens:
    """The tokens from ``first`` to ``last`` of a turn, as a value of a predicate."""

    row: int
    first: int
    last: int
    predicate: int


def _values(network: Network, scores: SpanScores, thresholds: Thresholds) -> list[_ValueTokens]:
    least = min([LEAST, *thresholds.values()])
    rows, first, last = np.nonzero(scores.spans > least)
    if not len(rows):
        return []
    kinds = network.kinds(scores.hidden, rows, first, last)
    holds = kinds > 0
    holds[np.arange(len(rows)), kinds.argmax(-1)] = True
    values = (
        _ValueTokens(int(rows[at]), int(first[at]), int(last[at]), int(predicate))
        for at, predicate in zip(*np.nonzero(holds), strict=True)
    )
    enough = [min(thresholds.get(predicate, LEAST), LEAST) for predicate in PREDICATES]
    return [value for value in values if scores.spans[value.row, value.first, value.last] > enough[value.predicate]]


def _claims(
    value: _ValueTokens, scores: SpanScores, labels: Scores, pointed: Scores, turn: SpokenTurn, layout: Layout
) -> Iterator[TurnClaim]:
    effect, status, beside = np.split(labels, [len(EFFECTS), len(EFFECTS) + len(STATUSES)])
    foreign = 1 / (1 + np.exp(-scores.foreign[value.row, value.first : value.last + 1]))
    for subject in _subjects(pointed, turn, layout):
        yield TurnClaim(
            predicate=PREDICATES[value.predicate],
            effect=EFFECTS[int(effect.argmax())],
            status=STATUSES[int(status.argmax())],
            beside=bool(beside[0] > 0),
            value=layout.words(value.first, value.last),
            subject=subject,
            time=_time(pointed, layout),
            foreign=float(foreign.mean()),
            score=float(scores.spans[value.row, value.first, value.last]),
        )


def _time(pointed: Scores, layout: Layout) -> Span | None:
    first = int(pointed[2].argmax())
    return None if first == SPEAKER_AT else layout.words(first, _last(pointed[3], first, layout.last, _LONGEST_TIME))


def _last(ends: Scores, first: int, last: int, most: int) -> int:
    """The likeliest token to end what begins with another one, so many tokens after it at most."""
    within = ends[first : min(first + most, last) + 1]
    return first + int(within.argmax())


def _subjects(pointed: Scores, turn: SpokenTurn, layout: Layout) -> Iterator[ClaimSubject]:
    """All subjects that hold, or the likeliest. Each ends before the next one begins."""
    scores, ends = pointed[0], pointed[1]
    starts = [int(start) for start in np.nonzero(scores >= min(0.0, float(scores.max())))[0]]
    for start, following in zip(starts, [*starts[1:], layout.last + 1], strict=True):
        if start == SPEAKER_AT:
            yield OF_SPEAKER
        elif start == USER_AT:
            yield ClaimSubject(Whose.USER)
        elif start >= layout.first:
            end = _last(ends, start, min(following - 1, layout.last), _LONGEST_NAME)
            yield _named(layout.words(start, end), pointed, turn, layout)


def _named(words: Span, pointed: Scores, turn: SpokenTurn, layout: Layout) -> ClaimSubject:
    first = int(pointed[4].argmax())
    if first in (SPEAKER_AT, USER_AT):
        return ClaimSubject(Whose.NAMED, words)
    if first >= layout.first:
        meant = layout.words(first, _last(pointed[5], first, layout.last, _LONGEST_NAME))
        return ClaimSubject(Whose.NAMED, words, turn.text[slice(*meant)])
    before = layout.offsets_before
    last = _last(pointed[5], first, USER_AT + len(before), _LONGEST_NAME)
    start, end = before[first - USER_AT - 1][0], before[last - USER_AT - 1][1]
    return ClaimSubject(Whose.NAMED, words, words_before(turn)[start:end], speaker_before(turn, start))


def _surest(claims: Sequence[TurnClaim]) -> list[TurnClaim]:
    """Of overlapping values of one predicate and subject the surest."""
    kept: list[TurnClaim] = []
    for claim in sorted(claims, key=lambda each: -each.score):
        if not any(
            (k.predicate, k.subject) == (claim.predicate, claim.subject) and _meet(k.value, claim.value) for k in kept
        ):
            kept.append(claim)
    return kept


def _meet(left: Span, right: Span) -> bool:
    return left[0] < right[1] and right[0] < left[1]
