"""Overtaken claims: written while a merge of their object was decided, by who did not know of it yet.

Once everybody has ended who may write such a claim, the claims of the time are placed again. Again, it changes nothing.
"""

from dataclasses import dataclass

from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.matching import MatchingStore

AT_ONCE = 200
"""Claims placed again in one transaction."""


@dataclass(frozen=True, slots=True)
class PlacedAgain:
    """Entities whose claims were placed again, and rows of beliefs that changed thereby."""

    entities: int
    rows: int


class Overtaken:
    """Places claims again, a few entities at a time."""

    def __init__(self, store: MatchingStore, evidence: EvidenceStore) -> None:
        self._store = store
        self._evidence = evidence

    async def place_some(self, group: str, limit: int) -> PlacedAgain | None:
        """Place claims again that name up to so many entities whose merges changed; None where there are none."""
        due = await self._store.overtaken(group, limit)
        if not due:
            return None
        since, first = {one.id: one.since for one in due}, min(one.since for one in due)
        rows, after = 0, ""
        while claims := await self._store.overtaken_claims(group, since, after, AT_ONCE):
            rows += await self._evidence.place_again(group, claims, first)
            after = claims[-1].id
        await self._store.forget_overtaken(group, {one.id: one.due for one in due})
        return PlacedAgain(len(due), rows)
