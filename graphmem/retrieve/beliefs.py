"""Which beliefs and entities a question is about: by words, vectors, the graph around what it names, and turns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.model.hits import Contribution, Ranked
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
    found = [ranked("entity", id_, parts(id_), worth) for id_ in ids]
    return sorted(found, key=lambda item: (-item.score, item.id))


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

    found = [ranked(kind, id_, parts(id_), worth, is_open=id_ in pool.open) for id_, kind in pool.kinds.items()]
    return sorted(found, key=lambda item: (-item.score, item.kind, item.id))
