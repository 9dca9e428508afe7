"""Any model of sentence-transformers, with PyTorch: the extra ``graphmem[sentence-transformers]``."""

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from graphmem.embed.encoders import Vectors, loading
from graphmem.errors import ModelUnavailable

_USUAL_WINDOW = 256


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
                "embedding.path needs sentence-transformers. Install graphmem[sentence-transformers], "
                "or take one of the packaged models by embedding.model."
            ) from error

        logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
        with loading(folder):
            self._model = SentenceTransformer(str(folder), device="cpu", local_files_only=True, truncate_dim=dimensions)

    @property
    def window(self) -> int:
        return self._model.max_seq_length or _USUAL_WINDOW

    def encode(self, texts: Sequence[str], *, batch_size: int, threads: int) -> Vectors:
        import torch  # noqa: PLC0415 - seconds of import, only when needed

        torch.set_num_threads(threads)
        vectors = self._model.encode(
            list(texts), batch_size=batch_size, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)
