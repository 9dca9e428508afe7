"""Refining: what agreement says in a group is learnt from a sample of its own pairs.

A pure function of the evidence that stands: the sample is that of the smallest ids, compared by the packaged weights.
"""

from collections import defaultdict
from collections.abc import Mapping

from graphmem.identity.judging import Judging
from graphmem.model.matching import Judgement, MatchingSettings, Pair, Shifts
from graphmem.resolve.matching.refine import patterns_of, shifts
from graphmem.store.matching import MatchingStore

LARGEST_SAMPLE = 500
"""Entities whose pairs are learnt from."""
MOST_PAIRS = 10_000
"""No further entities are taken into the sample from so many pairs on."""
_AT_ONCE = 50


class Refining:
    """The weights of attributes in a group, by type."""

    def __init__(self, store: MatchingStore, judging: Judging, settings: MatchingSettings) -> None:
        self._store = store
        self._judging = judging
        self._settings = settings

    async def follow(self, group: str) -> int:
        """Learn anew; entities of types whose weights changed are to be compared again. Returns of how many types.

        To be called when all that was said is indexed.
        """
        held = await self._store.refined_weights(group)
        found: Mapping[str, Shifts] = await self._learnt(group) if self._settings.refine else {}
        moved = sorted(type_ for type_ in held.keys() | found.keys() if held.get(type_) != found.get(type_))
        if moved:
            await self._store.mark_types(group, moved)
            await self._store.set_refined_weights(group, found)
        return len(moved)

    async def _learnt(self, group: str) -> Mapping[str, Shifts]:
        by_type = defaultdict[str, list[Judgement]](list)
        for type_, judgement in (await self._sample(group)).values():
            by_type[type_].append(judgement)
        learnt = {type_: shifts(patterns_of(some)) for type_, some in sorted(by_type.items())}
        return {type_: some for type_, some in learnt.items() if some}

    async def _sample(self, group: str) -> Mapping[Pair, tuple[str, Judgement]]:
        ids = await self._store.sample(group, LARGEST_SAMPLE)
        found: dict[Pair, tuple[str, Judgement]] = {}
        for at in range(0, len(ids), _AT_ONCE):
            if len(found) < MOST_PAIRS:
                found |= await self._judging.as_packaged(group, ids[at : at + _AT_ONCE])
        return found
