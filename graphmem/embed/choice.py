"""The model that the settings name: a packaged one on ONNX Runtime, any other with PyTorch.

For one short text, ONNX Runtime takes a third of PyTorch's time, and it is imported in a tenth; the vectors are the
same to seven digits. See docs/decisions/0019-packaged-model-without-pytorch.md.
"""

from dataclasses import dataclass

from graphmem.embed.encoders import Encoder
from graphmem.embed.onnx import OnnxEncoder
from graphmem.embed.packaged import PACKAGED, packaged_model
from graphmem.errors import ModelUnavailable
from graphmem.settings.recall import EmbeddingSettings


def load(settings: EmbeddingSettings) -> Encoder:
    """The model, loaded.

    Raises:
        ModelUnavailable: it is not there, or cannot be read.
    """
    if settings.path is not None:
        from graphmem.embed.transformer import TransformerEncoder  # noqa: PLC0415 - an extra

        return TransformerEncoder(settings.path, settings.dimensions)
    model = packaged_model(settings)
    if model is None:
        raise ModelUnavailable(
            f"The model {settings.model!r} is not packaged. Set embedding.path to a folder that holds it, "
            f"or use one of {', '.join(PACKAGED)}."
        )
    return OnnxEncoder(model, model.find())


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What stands before a question, and before any other text."""

    query: str
    text: str


def prefixes(settings: EmbeddingSettings) -> Prefixes:
    """Those that the settings name, else what a packaged model was trained with."""
    model = packaged_model(settings)
    own = Prefixes(model.query_prefix, model.text_prefix) if model else Prefixes("", "")
    return Prefixes(settings.query_prefix or own.query, settings.text_prefix or own.text)


def dimensions(name: str) -> int | None:
    """Known without loading for the models that graphmem comes with."""
    model = PACKAGED.get(name)
    return model.dimensions if model else None
