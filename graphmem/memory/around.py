"""What a question names, and what is believed around that in the graph, at a point in time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graphmem.model.reached import Reached
from graphmem.model.recall import KnownEntity
from graphmem.model.scope import Scope
from graphmem.retrieve.graph import starts_beyond
from graphmem.retrieve.people import Place, named_in, places
from graphmem.store.graph import GraphStore

MOST_NAMED = 8
"""So many entities that a question names are looked around."""
_CANDIDATES = 50
_REACHED = 200
"""Of an entity so many beliefs are looked at, the most important first."""
_FEW, _BEYOND, _REACHED_BEYOND = 60, 10, 20
"""Beyond entities with so few beliefs the look goes on, at so many others, to so many beliefs of each."""


@dataclass(frozen=True, slots=True)
class Around:
    """The entities that a question names, in its order, and the beliefs that are reached from them."""

    named: tuple[KnownEntity, ...] = ()
    reached: tuple[Reached, ...] = ()


async def around(store: GraphStore, scope: Scope, text: str, facts: Sequence[str], *, beliefs: bool) -> Around:
    """What ``text`` names, by name, or by what one of these ``facts`` says that it is called; and the ``beliefs``."""
    found = places(text, capitals=False)
    known = await store.named_entities(scope, (one.key for one in found), facts=facts, limit=_CANDIDATES)
    named = _in_order(text, found, known)[:MOST_NAMED]
    if not named or not beliefs:
        return Around(named)
    first = await store.beliefs_reached(scope, [one.id for one in named], _REACHED)
    beyond = starts_beyond([one for one in first if one.beliefs <= _FEW], _BEYOND)
    second = await store.beliefs_reached(scope, list(beyond), _REACHED_BEYOND) if beyond else []
    return Around(named, (*first, *(replace(one, start=beyond[one.start], hops=2) for one in second)))


def _in_order(text: str, found: Sequence[Place], known: Iterable[KnownEntity]) -> tuple[KnownEntity, ...]:
    """The entities in the order of the text, each identity once; those called otherwise than the text has it, last.

    A name is written as it is, unless the whole text is in lower case: “Will” is nobody in “will it rain?”.
    """
    lower = text == text.lower()
    written = {one.key for one in found if lower or not text[one.start].islower()}
    by_key = dict[str, list[KnownEntity]]()
    for entity in known:
        common = entity.type == "concept" or entity.key in written
        if common or all(entity.key != one.key for one in found):
            by_key.setdefault(entity.key, []).append(entity)
    order = named_in(found, by_key)
    entities = (entity for key in [*order, *sorted(by_key.keys() - set(order))] for entity in by_key[key])
    first = dict[str, KnownEntity]()
    for entity in entities:
        first.setdefault(entity.part_of or entity.id, entity)
    return tuple(first.values())
