"""Turns on their way into a group: part after part, and of one that is refused each half, until the turn is found."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from graphmem.errors import Conflict
from graphmem.files.episodes import Body, PlacedBody, digest_of

Part = Sequence[PlacedBody]
PART, PART_CHARACTERS = 200, 1_000_000
"""The most turns that are handed in at once, and of their characters, unless one turn alone has more."""
MOST_REFUSALS = 100
"""Of turns that are refused, those that are listed; the others are counted."""
_MOST_IDS = 200_000
"""Ids whose texts are held against later ones, the last so many; a digest of 16 bytes each, and one of the text."""
_SAID = ("content", "occurred_at", "speaker")
"""What is another text. A log that goes on in another session repeats turns there, which is none."""
_ANOTHER_TEXT = (
    "Its id stands before another text already, and an id is of one turn. If both are one message, which was edited, "
    "hand in the file of before first, by itself. If it is the number of something else, such as a ticket, take it "
    "out, or name another column for the id."
)


@dataclass(frozen=True, slots=True)
class RefusedBody:
    """A turn that was not taken in, by its place in the file, and why."""

    place: str
    reason: str


class PutOutcome(Protocol):
    """What came of a turn that was put in the place of another text of its id (``PutReceipt``, ``PutEpisode``)."""

    @property
    def new(self) -> bool: ...
    @property
    def replaces(self) -> str | None: ...
    @property
    def replaced_by(self) -> str | None: ...


class _Texts:
    """The last text that each id has had, as digests."""

    def __init__(self) -> None:
        self._seen: OrderedDict[bytes, bytes] = OrderedDict()

    def has_another(self, body: Body) -> bool:
        """Whether the id of a turn stood before another text; if it did not, that is its text from now on."""
        if "external_id" not in body:
            return False
        text = digest_of(body, _SAID)
        before = self._seen.setdefault(digest_of(body, ("user", "external_id")), text)
        if len(self._seen) > _MOST_IDS:
            self._seen.popitem(last=False)
        return before != text


@dataclass(slots=True)
class HandedIn:
    """How many turns were handed in so far, and how many of them were not there before.

    ``edited`` counts those of the new ones that take the place of another text of their id. ``replaced`` counts those
    that were there before, and whose place another text has taken since. ``refused`` counts those that were not taken
    in, and ``refusals`` lists the first ones.
    """

    turns: int = 0
    new: int = 0
    edited: int = 0
    replaced: int = 0
    refused: int = 0
    refusals: list[RefusedBody] = field(default_factory=list[RefusedBody])
    _waiting: list[Part] = field(default_factory=list[Part])
    _texts: _Texts = field(default_factory=_Texts)

    def parts(self, bodies: Iterator[PlacedBody]) -> Iterator[Part]:
        """The parts in their order. Each is to be taken, or refused: then its halves come next.

        A turn whose id stood before another text in the same run is refused, and in no part.
        """
        for part in _parts_of(self._consistent(bodies)):
            self._waiting.append(part)
            while self._waiting:
                yield self._waiting.pop()

    def take(self, part: Part, refused: Mapping[int, str], *, new: int, edited: int = 0, replaced: int = 0) -> None:
        """Note that a part came in, but for those turns that were refused, by their place in it."""
        self.turns += len(part)
        self.new += new
        self.edited += edited
        self.replaced += replaced
        for item, reason in refused.items():
            self._list(part[item], reason)

    def take_put(self, part: Part, put: PutOutcome) -> None:
        """Note that the one turn of a part was put in the place of another text, or had been."""
        edited, replaced = put.replaces is not None, put.replaced_by is not None
        self.take(part, {}, new=put.new, edited=edited, replaced=replaced)

    def refuse(self, part: Part, reason: str) -> None:
        """Note that nothing of a part came in."""
        if len(part) == 1:
            self.take(part, {0: reason}, new=0)
            return
        half = len(part) // 2
        self._waiting += [part[half:], part[:half]]

    def _consistent(self, bodies: Iterator[PlacedBody]) -> Iterator[PlacedBody]:
        for placed in bodies:
            if self._texts.has_another(placed.body):
                self.refuse([placed], _ANOTHER_TEXT)
            else:
                yield placed

    def _list(self, placed: PlacedBody, reason: str) -> None:
        self.refused += 1
        if len(self.refusals) < MOST_REFUSALS:
            self.refusals.append(RefusedBody(placed.place, reason))


def _parts_of(bodies: Iterator[PlacedBody]) -> Iterator[Part]:
    part, characters = list[PlacedBody](), 0
    for placed in bodies:
        length = sum(len(str(value)) for value in placed.body.values())
        if part and (len(part) == PART or characters + length > PART_CHARACTERS):
            yield part
            part, characters = [], 0
        part.append(placed)
        characters += length
    if part:
        yield part


def may_be_edited(part: Part, refusal: Exception) -> Body | None:
    """The one turn of a part that was refused, if it may have an id that has another text."""
    (body, *others) = (placed.body for placed in part)
    return body if isinstance(refusal, Conflict) and not others and "external_id" in body else None
