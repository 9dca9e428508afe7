"""What turns a batch of short texts into vectors, whatever runs it."""

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
    def window(self) -> int:
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
