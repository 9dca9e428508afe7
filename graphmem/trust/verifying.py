"""The proof by search: whoever knows words of what was forgotten has them looked for, and told where they are left."""

from collections.abc import Sequence

from graphmem.model.embedding import Embedder
from graphmem.model.forgetting import CanaryPlace, Selector, Verification
from graphmem.model.interval import END
from graphmem.recall.vectors import unless_away
from graphmem.store.forget import ForgetStore, pages_selected
from graphmem.trust.forgetting import Forgetting, episode_hash
from graphmem.trust.keys import Installation

_EVERYTHING = Selector(everything=True)


class Verifier:
    """Looks for words of a caller in all that a group has; it keeps none of them, and logs none."""

    def __init__(
        self, store: ForgetStore, forgetting: Forgetting, installation: Installation, embedder: Embedder
    ) -> None:
        self._store = store
        self._forgetting = forgetting
        self._installation = installation
        self._embedder = embedder

    async def verify(self, group: str, receipt_id: str, canaries: Sequence[str]) -> Verification:
        """Where canaries stand in the group, and which of the episodes of which a receipt tells are there again.

        Raises:
            NotFound: there is no such receipt.
        """
        receipt = await self._forgetting.receipt(group, receipt_id)
        places = list[CanaryPlace]()
        if canaries:
            places += await self._store.where_told(group, canaries)
            places += await self._store.found_by_words(group, canaries)
        vectors = await unless_away(self._embedder.embed(canaries)) if canaries else []
        for number, vector in enumerate(vectors or ()):
            places += await self._store.same_vectors(group, number, vector)
        return Verification(
            receipt=receipt,
            places=tuple(sorted(places, key=lambda place: (place.canary, place.kinds, place.key))),
            episodes=await self._there_again(group, frozenset(receipt.hashes)),
            vectors=vectors is not None,
        )

    async def _there_again(self, group: str, hashes: frozenset[str]) -> tuple[str, ...]:
        """The ids of the episodes of a group of which a receipt has the hashes."""
        pages = pages_selected(self._store, group, _EVERYTHING, None, None, END)
        return tuple([id_ async for page in pages for id_ in page if self._hash(group, id_) in hashes])

    def _hash(self, group: str, episode_id: str) -> str:
        return episode_hash(self._installation, group, episode_id)
