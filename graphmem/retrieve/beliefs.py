"""Which beliefs and entities a question is about: by words, vectors, the graph around what it names, and turns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log10

from graphmem.model.hits import Contribution, Ranked, Reached
from graphmem.retrieve.scales import by_range, of_lists, part, ranked, ranks
from graphmem.retrieve.weights import BeliefWeights, EntityWeights


def rank_entities(
    named: Sequence[str], names: Sequence[tuple[str, float]], weights: EntityWeights, *, worth: float = 1.0
) -> list[Ranked]:
    """Entities by id, best first: those ``named``, in their order, and those of near ``names``, with cosines."""
    vector = by_range(dict(names), [cosine for _, cosine in names])
    places, name_ranks = {id_: place for place, id_ in enumerate(named, start=1)}, ranks(names)

    def parts(id_: str) -> Iterator[Contribution]:
        yield part("named", weights.named, float(id_ in places), places.get(id_))
        yield part("vector", weights.vector, vector.get(id_), name_ranks.get(id_))

    ids = dict.fromkeys([*named, *(id_ for id_, _ in names)])
    entities = [ranked("entity", id_, parts(id_), worth) for id_ in ids]
    return sorted(entities, key=lambda item: (-item.score, item.id))


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefPool:
    """The beliefs that may be shown: ``kinds`` by id, and which are ``open``.

    ``text`` and ``vector`` are hits, best first. ``graph`` is from 0 to 1 how near each is to what the question names,
    ``turn`` from 0 to 1 the best of the turns that it is quoted from.
    """

    kinds: Mapping[str, str]
    open: frozenset[str] = frozenset()
    text: Sequence[tuple[str, float]] = ()
    vector: Sequence[tuple[str, float]] = ()
    graph: Mapping[str, float] = field(default_factory=dict[str, float])
    turn: Mapping[str, float] = field(default_factory=dict[str, float])


def rank_beliefs(pool: BeliefPool, weights: BeliefWeights, *, worth: float = 1.0) -> list[Ranked]:
    """All beliefs of the pool, best first; contributions sum to each score. A point is ``worth`` so much."""
    text, vector = of_lists(pool.text, pool.vector)
    text_ranks, vector_ranks = ranks(pool.text), ranks(pool.vector)

    def parts(id_: str) -> Iterator[Contribution]:
        yield part("text", weights.text, text.get(id_), text_ranks.get(id_))
        yield part("vector", weights.vector, vector.get(id_), vector_ranks.get(id_))
        yield part("graph", weights.graph, pool.graph.get(id_))
        yield part("turn", weights.turn, pool.turn.get(id_))
        yield part("open", weights.open, float(id_ in pool.open))

    beliefs = [ranked(kind, id_, parts(id_), worth, is_open=id_ in pool.open) for id_, kind in pool.kinds.items()]
    return sorted(beliefs, key=lambda item: (-item.score, item.kind, item.id))


_HOPS = {1: 0.6, 2: 0.2}
"""How near a belief is by the number of relationships between it and what the question names."""
_PREDICATE_ASKED = 0.4
"""How much nearer a belief is whose predicate is a word of the question."""
_FEW = 10
"""Of an entity with so few beliefs each counts in full."""
_STEM = 4
"""So many letters tell two words apart, whatever their endings."""


def nearness(reached: Iterable[Reached], words: Sequence[str]) -> dict[str, float]:
    """For each belief from 0 to 1 how near it is; from two entities it is nearer than from one of them.

    One of few beliefs is nearer than one of many, and one whose predicate is among the ``words`` nearer than others.
    """
    far = dict[tuple[str, str], float]()
    for belief in reached:
        path = (belief.id, belief.start)
        far[path] = min(far.get(path, 1.0), 1.0 - _near(belief, words))
    apart = dict[str, float]()
    for (id_, _), distance in sorted(far.items()):
        apart[id_] = apart.get(id_, 1.0) * distance
    return {id_: 1.0 - distance for id_, distance in apart.items()}


def starts_beyond(reached: Sequence[Reached], most: int) -> Mapping[str, str]:
    """The entities at the other ends, with what each was reached from: of few beliefs first, at most so many."""
    starts = {belief.start for belief in reached}
    beyond = dict[str, str]()
    for belief in sorted(reached, key=lambda belief: (belief.beliefs, belief.start, belief.id)):
        if belief.other is not None and belief.other not in starts and len(beyond) < most:
            beyond.setdefault(belief.other, belief.start)
    return beyond


def _near(belief: Reached, words: Sequence[str]) -> float:
    many = 1.0 + log10(max(1.0, belief.beliefs / _FEW))
    is_asked_for = any(_alike(part, word) for part in belief.predicate.split("_") for word in words)
    return _HOPS[belief.hops] / many + (_PREDICATE_ASKED if is_asked_for and belief.hops == 1 else 0.0)


def _alike(left: str, right: str) -> bool:
    return left == right or (min(len(left), len(right)) >= _STEM and left[:_STEM] == right[:_STEM])
