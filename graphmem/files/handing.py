"""Turns on their way into a group: part after part, and of one that is refused each half, until the turn is found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from graphmem.errors import CallerError, Conflict
from graphmem.files.episodes import Body, PlacedBody

Part = Sequence[PlacedBody]
PART = 200
"""Turns that are handed in at once."""


@dataclass(slots=True)
class HandedIn:
    """How many turns were handed in so far, and how many of them were not there before.

    ``edited`` counts those of the new ones that take the place of another text of their id.
    ``refused`` holds why the others were not taken in, by their place in the file.
    """

    turns: int = 0
    new: int = 0
    edited: int = 0
    refused: dict[str, str] = field(default_factory=dict[str, str])
    _waiting: list[Part] = field(default_factory=list[Part])

    def parts(self, bodies: Iterator[PlacedBody]) -> Iterator[Part]:
        """The parts in their order. Each is to be taken, or refused: then its halves come next."""
        while part := list(islice(bodies, PART)):
            self._waiting.append(part)
            while self._waiting:
                yield self._waiting.pop()

    def take(self, part: Part, refused: Mapping[int, str], *, new: int, edited: int = 0) -> None:
        """Note that a part came in, but for those turns that were refused, by their place in it."""
        self.turns += len(part)
        self.new += new
        self.edited += edited
        self.refused |= {part[item].place: reason for item, reason in refused.items()}

    def refuse(self, part: Part, reason: str) -> None:
        """Note that nothing of a part came in."""
        if len(part) == 1:
            self.take(part, {0: reason}, new=0)
            return
        half = len(part) // 2
        self._waiting += [part[half:], part[:half]]


def may_be_edited(part: Part, refusal: CallerError) -> Body | None:
    """The one turn of a part that was refused, if it may have an id that has another text."""
    (body, *others) = (placed.body for placed in part)
    return body if isinstance(refusal, Conflict) and not others and "external_id" in body else None
