"""The reader: a turn in, claims out."""

import json
from functools import cached_property

from tokenizers import Tokenizer

from graphmem.extract.reader.claims import TurnClaim
from graphmem.extract.reader.decoding import Thresholds, decoded
from graphmem.extract.reader.layout import SpokenTurn, tokenizer_from
from graphmem.extract.reader.network import WEIGHTS, OnnxNetwork


class TrainedReader:
    """Loads its model with ``warm``, or by the first turn."""

    def __init__(self) -> None:
        self._network = OnnxNetwork()

    def warm(self) -> None:
        """Load the model now (a quarter of a second, in the calling thread)."""
        _ = self._tokenizer, self._thresholds
        self._network.warm()

    def read(self, turn: SpokenTurn) -> list[TurnClaim]:
        """The claims of a turn, in the order of their values.

        It is read by itself: with others the weights' eight bits would be scaled by theirs, and it would be read
        differently now and then.
        """
        (claims,) = decoded(self._network, self._tokenizer, [turn], self._thresholds)
        return claims

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return tokenizer_from((WEIGHTS / "tokenizer.json").read_text("utf-8"))

    @cached_property
    def _thresholds(self) -> Thresholds:
        return packaged_thresholds()


def packaged_thresholds() -> Thresholds:
    """From which score on a value is said to hold, predicate by predicate."""
    return json.loads((WEIGHTS / "thresholds.json").read_text("utf-8"))
