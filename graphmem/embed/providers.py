"""The embedder that the settings name: a model in this process, or one on a server."""

from typing import Protocol

from graphmem.embed.local import LocalEmbedder
from graphmem.embed.packaged import packaged_model
from graphmem.errors import ConfigurationError
from graphmem.model.embedding import Embedder
from graphmem.settings.extraction import OpenAISettings
from graphmem.settings.recall import EmbeddingSettings


class ClosableEmbedder(Embedder, Protocol):
    async def aclose(self) -> None:
        """End every call that waits."""
        ...


def embedder_of(settings: EmbeddingSettings, openai: OpenAISettings) -> ClosableEmbedder:
    """The embedder; nothing is loaded or asked yet.

    Raises:
        ConfigurationError: the settings contradict each other.
    """
    if settings.provider == "openai":
        if settings.path is not None:
            raise ConfigurationError("embedding.path is for models in this process, and embedding.provider is openai.")
        from graphmem.embed.http import HttpEmbedder  # noqa: PLC0415 - its client takes a second to import

        return HttpEmbedder(settings, openai)
    packaged = packaged_model(settings)
    if packaged is not None and settings.dimensions not in {None, packaged.dimensions}:
        raise ConfigurationError(
            f"Vectors of {packaged.name!r} have {packaged.dimensions} dimensions, and cannot be cut to "
            f"{settings.dimensions}."
        )
    return LocalEmbedder(settings)
