"""What a question names, and what is believed around that in the graph, at a point in time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graphmem.model.reached import Reached
from graphmem.model.recall import KnownEntity
from graphmem.model.scope import Scope
from graphmem.retrieve.graph import starts_beyond
from graphmem.retrieve.naming import Run, each_once, named_in, runs
from graphmem.store.graph import GraphStore

MOST_NAMED = 8
"""The most entities of a question at which beliefs are looked up."""
_CANDIDATES = 50
_REACHED = 200
"""The most beliefs that are read at one entity, the most important first."""
_FEW, _BEYOND, _REACHED_BEYOND = 60, 10, 20
"""From entities of at most ``_FEW`` beliefs it goes on to ``_BEYOND`` neighbours, and reads so many beliefs of each."""


@dataclass(frozen=True, slots=True)
class Around:
    """The entities that a question names, in its order, and the beliefs that are reached from them."""

    named: tuple[KnownEntity, ...] = ()
    reached: tuple[Reached, ...] = ()


async def around(store: GraphStore, scope: Scope, text: str, facts: Sequence[str], *, beliefs: bool) -> Around:
    """Find the entities that ``text`` names, and with ``beliefs`` what is believed at them and at their neighbours.

    ``facts`` are ids of rows of facts that may say what an entity is called. What held at ``scope.valid_at``, as known
    at ``scope.known_at``, counts.
    """
    found = runs(text)
    known = await store.entities_called(scope, (one.key for one in found), facts=facts, limit=_CANDIDATES)
    named = _in_order(found, known)[:MOST_NAMED]
    if not named or not beliefs:
        return Around(named)
    first = await store.beliefs_reached(scope, [one.id for one in named], _REACHED)
    beyond = starts_beyond([one for one in first if one.beliefs <= _FEW], _BEYOND)
    second = await store.beliefs_reached(scope, list(beyond), _REACHED_BEYOND) if beyond else []
    return Around(named, (*first, *(replace(one, start=beyond[one.start], hops=2) for one in second)))


def _in_order(found: Sequence[Run], known: Iterable[KnownEntity]) -> tuple[KnownEntity, ...]:
    """The entities in the order of the text, each identity once; those found by another name come last.

    A name counts only if the text writes it with a capital, unless it is that of a concept.
    """
    written, proper = {one.key for one in found}, {one.key for one in found if one.proper}
    by_key = dict[str, list[KnownEntity]]()
    for entity in known:
        if entity.type == "concept" or entity.key in proper or entity.key not in written:
            by_key.setdefault(entity.key, []).append(entity)
    order = named_in(found, by_key)
    return tuple(each_once(one for key in (*order, *sorted(by_key.keys() - set(order))) for one in by_key[key]))
