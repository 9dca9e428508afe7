"""The embedder that the settings name: a model in this process, or one on a server; and a second one beside it."""

from graphmem.embed.fallback import ClosableEmbedder, FallbackEmbedder
from graphmem.embed.local import LocalEmbedder
from graphmem.embed.packaged import packaged_model, prefixes
from graphmem.errors import ConfigurationError
from graphmem.settings.extraction import OPENAI_URL, OpenAISettings
from graphmem.settings.recall import EmbeddingSettings


def embedder_of(settings: EmbeddingSettings, openai: OpenAISettings) -> ClosableEmbedder:
    """The embedder, with its fall-back if there is one; nothing is loaded or asked yet.

    Raises:
        ConfigurationError: the settings contradict each other.
    """
    first, second = _provider(settings, openai), settings.second
    if second is None:
        return first
    same = _fallback_settings(settings, second, _dimensions(settings, first), openai)
    return FallbackEmbedder(first, _provider(same, openai), timeout=settings.timeout, texts=settings.request_texts)


def _provider(settings: EmbeddingSettings, openai: OpenAISettings) -> ClosableEmbedder:
    if settings.provider == "openai":
        if settings.path is not None:
            raise ConfigurationError("A path is of models in this process, and the provider of this one is openai.")
        from graphmem.embed.http import HttpEmbedder  # noqa: PLC0415 - its client takes a second to import

        return HttpEmbedder(settings, openai)
    packaged = packaged_model(settings)
    if packaged is not None and settings.dimensions not in {None, packaged.dimensions}:
        raise ConfigurationError(
            f"Vectors of {packaged.name!r} have {packaged.dimensions} dimensions, and cannot be cut to "
            f"{settings.dimensions}."
        )
    return LocalEmbedder(settings)


def _place(settings: EmbeddingSettings, openai: OpenAISettings) -> tuple[str, str, str]:
    """Where a provider is: its server, its folder, or this process."""
    url = (settings.base_url or openai.base_url or OPENAI_URL).rstrip("/") if settings.provider == "openai" else ""
    return settings.provider, url, str(settings.path.resolve()) if settings.path else ""


def _fallback_settings(
    first: EmbeddingSettings, second: EmbeddingSettings, dimensions: int, openai: OpenAISettings
) -> EmbeddingSettings:
    """The settings of the fall-back, with the ``dimensions`` and the prefix of the first.

    Raises:
        ConfigurationError: it would give other vectors than the first, or is the first.
    """
    if second.model != first.model:
        raise ConfigurationError(
            f"The model of embedding.fallback is {second.model!r}, and that of embedding {first.model!r}: vectors of "
            "two models do not mix. Leave embedding.fallback.model out, and name a provider that has the first's."
        )
    if second.provider == "local" and second.path is None and packaged_model(second) is None:
        raise ConfigurationError(
            f"{second.model!r} is no packaged model, so embedding.fallback in this process needs a path to it."
        )
    if second.provider == "local" and second.base_url is not None:
        raise ConfigurationError("embedding.fallback.base_url is of provider openai, and its provider is local.")
    if second.dimensions not in {None, dimensions}:
        raise ConfigurationError(
            f"embedding.fallback.dimensions is {second.dimensions}, and vectors of embedding have {dimensions}. Leave "
            "it out."
        )
    if _place(second, openai) == _place(first, openai):
        raise ConfigurationError(
            "embedding.fallback is the provider that embedding is. Give it another provider, base_url or path."
        )
    both_know = first.provider == second.provider == "openai"
    own = first.dimensions if both_know else dimensions
    return _with_text_prefix(second.model_copy(update={"dimensions": own}), _text_prefix(first))


def _with_text_prefix(second: EmbeddingSettings, prefix: str) -> EmbeddingSettings:
    same = second.model_copy(update={"text_prefix": prefix})
    if (own := _text_prefix(same)) != prefix:
        raise ConfigurationError(
            f"The fall-back puts {own!r} before texts, and embedding nothing. Set embedding.text_prefix."
        )
    return same


def _dimensions(settings: EmbeddingSettings, embedder: ClosableEmbedder) -> int:
    """How many dimensions vectors of the first provider have.

    Raises:
        ConfigurationError: that is not known before its model is loaded.
    """
    if settings.path is not None and settings.dimensions is None:
        raise ConfigurationError(
            "With embedding.fallback and embedding.path, set embedding.dimensions: both give vectors of that length."
        )
    return embedder.dimensions


def _text_prefix(settings: EmbeddingSettings) -> str:
    return prefixes(settings).text if settings.provider == "local" else settings.text_prefix
