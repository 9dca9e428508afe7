"""Turns on their way into a group: part after part, and of one that is refused each half, until the turn is found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from graphmem.files.episodes import PlacedBody

Part = Sequence[PlacedBody]
PART = 200
"""Turns that are handed in at once."""


@dataclass(slots=True)
class HandedIn:
    """How many turns were handed in so far, and how many of them were not there before.

    ``refused`` holds why the others were not taken in, by their place in the file.
    """

    turns: int = 0
    new: int = 0
    refused: dict[str, str] = field(default_factory=dict[str, str])
    _waiting: list[Part] = field(default_factory=list[Part])

    def parts(self, bodies: Iterator[PlacedBody]) -> Iterator[Part]:
        """The parts in their order. Each is to be taken, or refused: then its halves come next."""
        while part := list(islice(bodies, PART)):
            self._waiting.append(part)
            while self._waiting:
                yield self._waiting.pop()

    def take(self, part: Part, refused: Mapping[int, str]) -> None:
        """Note that a part came in, but for those turns that were refused, by their place in it."""
        self.turns += len(part)
        self.refused |= {part[item].place: reason for item, reason in refused.items()}

    def refuse(self, part: Part, reason: str) -> None:
        """Note that nothing of a part came in."""
        if len(part) == 1:
            self.take(part, {0: reason})
            return
        half = len(part) // 2
        self._waiting += [part[half:], part[:half]]
