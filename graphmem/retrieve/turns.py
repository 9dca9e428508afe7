"""Which turns of a talk answer a question: each by itself, by what is said around it, and by who says it when.

An answer is often told in words that the question does not have, but stands between turns that have them. So every turn
found brings those around it, and a turn counts for what they have, too. The mean of a turn and the two beside it stands
for their common vector: it is no worse than the vector of the three as one text (docs/decisions/0038).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import log1p, sqrt

from graphmem.model.dates import MONTHS, WEEKDAYS
from graphmem.model.hits import Contribution, Ranked, RankedTurn
from graphmem.retrieve.question import NamedDays, Question, named, nearness
from graphmem.retrieve.scales import by_best, by_range, part, ranked, ranks, total
from graphmem.retrieve.weights import TurnWeights

_Reason = tuple[str, float, float | None]
"""A channel, its weight, and what it says of a turn."""

REACH = 2
"""So many turns before and after one that is found may be shown in its stead."""

_TIME = re.compile(
    rf"""
    \b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|months?|years?|recently|since
    |{"|".join((*WEEKDAYS, *MONTHS))}|(?:19|20)\d\d)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LETTERS = 5.2
"""Characters of an English word, with what follows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """The best of the beliefs that cite a turn, by full text, vector and graph: from 0 to 1, the best of all."""

    text: float = 0.0
    vector: float = 0.0
    graph: float = 0.0


NOT_CITED = Cited()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The turns that may be shown, by id.

    ``text`` and ``vector`` are hits, best first; ``cited`` is what the beliefs that cite a turn have, and ``days`` are
    those that the question names.
    """

    turns: Mapping[str, RankedTurn]
    text: Sequence[tuple[str, float]] = ()
    vector: Sequence[tuple[str, float]] = ()
    cited: Mapping[str, Cited] = field(default_factory=dict[str, Cited])
    days: tuple[NamedDays, ...] = ()


def rank_turns(asked: Question, pool: Pool, weights: TurnWeights, *, worth: float = 1.0) -> list[Ranked]:
    """All turns of the pool, best first; contributions sum to each score. A point is ``worth`` so much."""
    scorer = _Scorer(asked, pool, weights)
    parts = {id_: scorer.parts(turn) for id_, turn in pool.turns.items()}
    best = dict[str, float]()
    for id_, contributions in parts.items():
        session = pool.turns[id_].session
        best[session] = max(best.get(session, float("-inf")), total(contributions))
    items = [
        replace(ranked("episode", id_, [*contributions, *scorer.of_session(turn, best)], worth), cosine=turn.cosine)
        for id_, contributions in parts.items()
        for turn in (pool.turns[id_],)
    ]
    return sorted(items, key=lambda item: (-item.score, item.id))


class _Scorer:
    """The reasons for each turn of a pool."""

    def __init__(self, asked: Question, pool: Pool, weights: TurnWeights) -> None:
        self._asked, self._pool, self._weights = asked, pool, weights
        self._previous, self._following = _order(pool.turns.values())
        self._text = by_best(pool.text)
        self._ranks = {"text": ranks(pool.text), "vector": ranks(pool.vector)}
        self._vector = by_range(
            {id_: turn.cosine for id_, turn in pool.turns.items()}, [cosine for _, cosine in pool.vector]
        )
        surroundings = {id_: self._surrounding_score(id_) for id_ in pool.turns}
        self._surroundings = by_range(
            surroundings, sorted((cosine for cosine in surroundings.values() if cosine is not None), reverse=True)
        )
        self._named = set(named(asked.text, {turn.speaker for turn in pool.turns.values() if turn.speaker}))

    def parts(self, turn: RankedTurn) -> list[Contribution]:
        """The reasons that say something of a turn by itself."""
        return [
            part(channel, weight, score, self._ranks.get(channel, {}).get(turn.id))
            for channel, weight, score in self._reasons(turn)
            if score
        ]

    def of_session(self, turn: RankedTurn, best: Mapping[str, float]) -> Iterator[Contribution]:
        if turn.session:
            yield part("session", self._weights.session, best[turn.session])

    def _reasons(self, turn: RankedTurn) -> Iterator[_Reason]:
        weights, id_ = self._weights, turn.id
        yield "text", weights.text, self._text.get(id_)
        yield "vector", weights.vector, self._vector.get(id_)
        yield "surroundings", weights.surroundings, self._surroundings.get(id_)
        yield from self._around(id_)
        cited = self._pool.cited.get(id_, NOT_CITED)
        yield "belief_text", weights.belief_text, cited.text
        yield "belief_vector", weights.belief_vector, cited.vector
        yield "belief_graph", weights.belief_graph, cited.graph
        yield "date", weights.date, nearness(turn.occurred_at, self._pool.days)
        if self._asked.of_self:
            yield "asker", weights.asker, float(turn.role.is_human)
        if turn.speaker:
            yield from self._of_talk(turn)

    def _around(self, id_: str) -> Iterator[_Reason]:
        """What the turns around one have."""
        weights, before, after = self._weights, self._previous.get(id_, ""), self._following.get(id_, "")
        nearby = (self._previous.get(before, ""), self._following.get(after, ""))
        if self._are_of_people(id_, before, after):
            yield "text_before", weights.text_before, self._text.get(before)
            yield "text_nearby", weights.text_nearby, sum(self._text.get(turn_id, 0.0) for turn_id in nearby)
        yield "vector_before", weights.vector_before, self._vector.get(before)
        yield "vector_after", weights.vector_after, self._vector.get(after)
        yield "vector_nearby", weights.vector_nearby, self._vector.get(nearby[0])

    def _are_of_people(self, *ids: str) -> bool:
        """Whether no assistant has a part, whose answer repeats the words of what was asked."""
        turns = (self._pool.turns.get(id_) for id_ in ids)
        return all(turn.role.is_human for turn in turns if turn is not None)

    def _of_talk(self, turn: RankedTurn) -> Iterator[_Reason]:
        """The rules of conversation."""
        weights = self._weights
        yield "speaker", weights.speaker, float(turn.speaker in self._named)
        yield "length", weights.length, log1p(turn.chars / _LETTERS)
        yield "question", weights.question, float(turn.asks)
        tells_time = self._asked.asks_when and _TIME.search(turn.opening) is not None
        yield "time", weights.time, float(tells_time)

    def _surrounding_score(self, id_: str) -> float | None:
        """The cosine of the question and the sum of the turn and those beside it, were these as far as can be."""
        around = (id_, self._previous.get(id_, ""), self._following.get(id_, ""))
        cosines = [
            turn.cosine for turn_id in around if (turn := self._pool.turns.get(turn_id)) and turn.cosine is not None
        ]
        return sum(cosines) / sqrt(len(cosines)) if cosines else None


def _order(turns: Iterable[RankedTurn]) -> tuple[dict[str, str], dict[str, str]]:
    """What comes before and after each turn, as far as any of them says."""
    previous, following = dict[str, str](), dict[str, str]()
    for turn in turns:
        run = [*reversed(turn.before), turn.id, *turn.after]
        for earlier, later in pairwise(run):
            previous[later], following[earlier] = earlier, later
    return previous, following
