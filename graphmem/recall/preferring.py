"""Looks up what preferences need to know of hits, and puts these in the order that follows."""

from collections.abc import Hashable, Mapping, Sequence

from graphmem.model.preferences import Preferences
from graphmem.model.recall import Ranked
from graphmem.model.scope import Scope
from graphmem.retrieve.diversity import diverse
from graphmem.retrieve.preferring import preferring
from graphmem.store.graph import GraphStore


async def preferred(
    store: GraphStore, scope: Scope, ranked: Sequence[Ranked], preferences: Preferences
) -> list[Ranked]:
    """Hits with what recency, as of ``valid_at``, and confidence add to the score of each."""
    if not preferences.of_each or not ranked:
        return list(ranked)
    traits = await store.traits(scope, [item.id for item in ranked], vectors=False)
    return preferring(ranked, {one.id: one for one in traits}, preferences, scope.valid_at)


async def diversified(
    store: GraphStore,
    scope: Scope,
    ranked: Sequence[Ranked],
    preferences: Preferences,
    slots: Mapping[str, Hashable],
) -> list[Ranked]:
    """Hits in an order in which none is too like one above it; those of one slot, by id, stay in their order."""
    if not preferences.diversity or not ranked:
        return list(ranked)
    traits = await store.traits(scope, [item.id for item in ranked], vectors=True)
    vectors = {one.id: one.vector for one in traits if one.vector is not None}
    return diverse(ranked, vectors, preferences.diversity, slots)
