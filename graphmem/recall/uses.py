"""Uses: which beliefs answers bring, noted in memory as they are given and written from time to time."""

from collections import defaultdict
from collections.abc import Iterable

from graphmem.model.belief import BeliefRow
from graphmem.model.fact import Fading
from graphmem.model.scope import Scope
from graphmem.store.fact import FactStore, UsedBelief

MOST = 10_000
"""Uses that wait to be written at most; beyond that, none is noted until the next flush."""


class Uses:
    """The beliefs that answers of this process bring, each once, until ``flush`` writes them.

    A process that is killed loses what it has not written: a use more or less moves when something fades by little.
    """

    def __init__(self, store: FactStore, fading: Fading) -> None:
        self._store = store
        self._fading = fading
        self._noted = dict[tuple[str, str], UsedBelief]()

    def note(self, scope: Scope, beliefs: Iterable[BeliefRow]) -> None:
        """Remember that an answer brought these beliefs at ``scope.asked_at``; without that, note nothing."""
        at = scope.asked_at
        for belief in beliefs:
            if at is not None and len(self._noted) < MOST:
                fades_at = self._fading.fades_at(belief.category, belief.confidence, at, protected=belief.protected)
                self._noted[scope.group, belief.id] = UsedBelief(belief.id, at, fades_at)

    async def flush(self) -> int:
        """Write what is noted; returns how many uses. What cannot be written stays noted."""
        noted, self._noted = self._noted, dict[tuple[str, str], UsedBelief]()
        by_group = defaultdict[str, list[UsedBelief]](list)
        for (group, _), used in noted.items():
            by_group[group].append(used)
        try:
            for group in sorted(by_group):
                await self._store.use_beliefs(group, by_group[group])
                noted = {key: used for key, used in noted.items() if key[0] != group}
        finally:
            self._noted = {**self._noted, **noted}
        return sum(len(some) for some in by_group.values())
