"""The real models, loaded once for all tests of a run."""

from functools import cache

from graphmem.embed.local import LocalEmbedder
from graphmem.extract.offline import OfflineExtractor
from graphmem.settings import EmbeddingSettings


@cache
def embedder() -> LocalEmbedder:
    loaded = LocalEmbedder(EmbeddingSettings.model_validate({}))
    loaded.warm()
    return loaded


@cache
def extractor() -> OfflineExtractor:
    loaded = OfflineExtractor()
    loaded.warm()
    return loaded
