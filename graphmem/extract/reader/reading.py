"""The reader: turns in, claims out."""

import json
from collections.abc import Sequence
from functools import cached_property

from tokenizers import Tokenizer

from graphmem.extract.reader.claims import TurnClaim
from graphmem.extract.reader.decoding import Thresholds, decoded
from graphmem.extract.reader.layout import SpokenTurn
from graphmem.extract.reader.network import WEIGHTS, OnnxNetwork

_TOGETHER = 32
"""Turns that are read at once; more make none cheaper."""


class TrainedReader:
    """Loads its model with ``warm``, or by the first turn."""

    def __init__(self) -> None:
        self._network = OnnxNetwork()

    def warm(self) -> None:
        """Load the model now (a quarter of a second, in the calling thread)."""
        _ = self._tokenizer, self._thresholds
        self._network.warm()

    def read(self, turns: Sequence[SpokenTurn]) -> list[list[TurnClaim]]:
        """The claims of each turn, in the order of their values."""
        order = sorted(range(len(turns)), key=lambda at: len(turns[at].text))  # like lengths together: less padding
        claims: list[list[TurnClaim]] = [[] for _ in turns]
        for start in range(0, len(order), _TOGETHER):
            together = order[start : start + _TOGETHER]
            read = decoded(self._network, self._tokenizer, [turns[at] for at in together], self._thresholds)
            for at, each in zip(together, read, strict=True):
                claims[at] = each
        return claims

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        tokenizer = Tokenizer.from_str((WEIGHTS / "tokenizer.json").read_text("utf-8"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    @cached_property
    def _thresholds(self) -> Thresholds:
        return json.loads((WEIGHTS / "thresholds.json").read_text("utf-8"))
