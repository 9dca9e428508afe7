# What we use of sentence-transformers, which is an extra.

from collections.abc import Sequence

from numpy import float32
from numpy.typing import NDArray

class SentenceTransformer:
    max_seq_length: int | None
    def __init__(self, model: str, *, device: str, local_files_only: bool, truncate_dim: int | None = None) -> None: ...
    def encode(
        self, texts: Sequence[str], *, batch_size: int, normalize_embeddings: bool, show_progress_bar: bool
    ) -> NDArray[float32]: ...
