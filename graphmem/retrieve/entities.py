"""Which entities a question is about: those that it names, and those whose names are near to it."""

from collections.abc import Iterator, Sequence

from graphmem.model.recall import Contribution, Ranked
from graphmem.retrieve.scales import by_range, part, ranked, ranks
from graphmem.retrieve.weights import EntityWeights


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
