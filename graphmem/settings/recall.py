"""Vectors of texts, and what a search and a context bring."""

from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from graphmem.model.composed import ContextLimits
from graphmem.settings.tables import EMPTY_IS_NONE, AbsolutePath, SecretOrNone, Table, TextOrNone


class FallbackSettings(Table):
    """A second provider of the embedding model, which is asked at ingest where the first is away or takes too long."""

    provider: Literal["local", "openai"]
    model: TextOrNone = None
    """The name of the first's model, if any: vectors of two models do not mix."""
    dimensions: int | None = Field(default=None, gt=0, le=4096)
    """Those of the first, if any."""
    base_url: TextOrNone = None
    """Of the server of provider openai; else openai.base_url, else OpenAI's own."""
    api_key: SecretOrNone = None
    """For that server; else openai.api_key, never that of the first."""
    path: AbsolutePath | None = None
    """Folder of the model; default: a packaged one."""
    timeout: float = Field(default=10.0, gt=0)
    """Seconds to wait for an answer of a server."""
    attempts: int = Field(default=3, gt=0)
    """How often a server is asked that is away or busy."""


class EmbeddingSettings(Table):
    """The embedding model. A group that was made with another one keeps that until it is embedded again."""

    provider: Literal["local", "openai"] = "local"
    """In this process, or on a server that speaks OpenAI's format."""
    model: str = "all-MiniLM-L6-v2"
    dimensions: int | None = Field(default=None, gt=0, le=4096)
    """Of vectors, where the model can cut them (Matryoshka); else its own."""
    base_url: TextOrNone = None
    """Of the server of provider openai; else openai.base_url, else OpenAI's own."""
    api_key: SecretOrNone = None
    """For that server; else openai.api_key."""
    query_prefix: str = ""
    """Put before a question; default: what a packaged model wants."""
    text_prefix: str = ""
    """Put before other texts; default: as there."""
    path: AbsolutePath | None = None
    """Folder of a sentence-transformers model; without an ONNX export it needs an extra. Default: a packaged one."""
    batch_size: int = Field(default=8, gt=0)
    query_timeout_ms: int = Field(default=500, gt=0)
    """A search waits so long for the vector of its question, then it goes without."""
    query_threads: int = Field(default=1, gt=0)
    batch_threads: int = Field(default=2, gt=0)
    request_texts: int = Field(default=256, gt=0, le=2048)
    """The most texts in one call of a server."""
    timeout: float = Field(default=10.0, gt=0)
    """Seconds to wait for an answer of a server; with a fall-back, for vectors of this provider at all."""
    attempts: int = Field(default=3, gt=0)
    """How often a server is asked that is away or busy."""
    fallback: Annotated[FallbackSettings | None, EMPTY_IS_NONE] = None
    """A table of its own: ``[embedding.fallback]``."""

    @property
    def second(self) -> "EmbeddingSettings | None":
        """The fall-back as a provider of its own: what it does not name is the first's."""
        if self.fallback is None:
            return None
        named = {name: getattr(self.fallback, name) for name in FallbackSettings.model_fields}
        shared = {name: named[name] or getattr(self, name) for name in ("model", "dimensions")}
        return self.model_copy(update={**named, **shared, "fallback": None})


class SearchSettings(Table):
    """How searches rank what they find."""

    weights: Annotated[AbsolutePath | None, EMPTY_IS_NONE] = None
    """A TOML file of weights in place of the packaged ones, all or some of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSettings(ContextLimits):
    """What a context has where a request does not say."""

    tokenizer: AbsolutePath | None = None
    """A tokenizer.json to count tokens by; default: that of the embedding model."""
