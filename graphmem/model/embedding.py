"""What an embedding model is to the rest of graphmem."""

from collections.abc import Sequence
from typing import Protocol

Vector = list[float]


class Embedder(Protocol):
    """Texts to unit vectors of ``dimensions`` floats. One model, one vector space."""

    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors of many texts, in their order.

        Raises:
            ModelUnavailable: the model cannot be loaded or does not answer.
        """
        ...

    async def embed_query(self, text: str) -> Vector:
        """The vector of one question, ahead of any batch that waits."""
        ...
