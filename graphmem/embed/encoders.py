"""What turns a batch of short texts into vectors, whatever runs it; and models of sentence-transformers.

These need PyTorch: the extra ``graphmem[sentence-transformers]``.
"""

import logging
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import GraphmemError, ModelUnavailable

Vectors = NDArray[np.float32]


class Encoder(Protocol):
    """A loaded model. It is called by one thread at a time."""

    @property
    def max_tokens(self) -> int:
        """Tokens of a text that are read; the rest is cut off."""
        ...

    def encode(self, texts: Sequence[str], *, batch_size: int, threads: int) -> Vectors:
        """Unit vectors, shape (texts, dimensions)."""
        ...


@contextmanager
def loading(folder: Path) -> Generator[None]:
    """Whatever goes wrong becomes ``ModelUnavailable``: tokenizers raises a bare ``Exception``."""
    try:
        yield
    except GraphmemError:
        raise
    except Exception as error:
        raise ModelUnavailable(f"The embedding model at {folder} cannot be loaded: {error}") from error


USUAL_TOKENS = 256


class TransformerEncoder:
    """The model in a folder."""

    def __init__(self, folder: Path, dimensions: int | None = None) -> None:
        """Vectors are cut to so many ``dimensions``, for models that were trained for it.

        Raises ModelUnavailable: the folder holds no such model, or the extra is not installed.
        """
        try:
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - seconds of import
        except ModuleNotFoundError as error:
            raise ModelUnavailable(
                f"The embedding model at {folder} needs PyTorch: it has no tokenizer.json with an ONNX export "
                "(onnx/model.onnx), or does more than to pool tokens by mean or cls. Install "
                "graphmem[sentence-transformers], export the model, or take a packaged one by embedding.model."
            ) from error

        logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
        with loading(folder):
            self._model = SentenceTransformer(str(folder), device="cpu", local_files_only=True, truncate_dim=dimensions)

    @property
    def max_tokens(self) -> int:
        return self._model.max_seq_length or USUAL_TOKENS

    def encode(self, texts: Sequence[str], *, batch_size: int, threads: int) -> Vectors:
        import torch  # noqa: PLC0415 - seconds of import, only when needed

        torch.set_num_threads(threads)
        vectors = self._model.encode(
            list(texts), batch_size=batch_size, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)
