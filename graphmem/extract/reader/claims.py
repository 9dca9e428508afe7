"""What the reader reads in a turn: claims, each with the stretches of the text that say its parts."""

from dataclasses import dataclass
from enum import StrEnum

from graphmem.extract.reader.labels import Effect, Predicate, Status
from graphmem.extract.reader.layout import Span


class Whose(StrEnum):
    """Of whom a claim is: of who speaks, of the user whom a note is about, or of who is named in the text."""

    SPEAKER = "speaker"
    USER = "user"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class ClaimSubject:
    """``words`` are code points ``[start, end)`` of the text, of who is named there.

    Where these are a pronoun, ``meant`` are the words that name who that is, "" where nobody does; ``meant_by`` is who
    said these in a turn before, "" in this one.
    """

    whose: Whose
    words: Span = (0, 0)
    meant: str = ""
    meant_by: str = ""


OF_SPEAKER = ClaimSubject(Whose.SPEAKER)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnClaim:
    """A claim as read. ``value`` and ``time`` are code points ``[start, end)`` of the text.

    ``beside``: the value stands beside others of its kind. ``foreign``: how surely, from 0 to 1, the words of the value
    are not the speaker's own. ``score``: of the value; what is read has more than the threshold of its predicate.
    """

    predicate: Predicate
    effect: Effect
    status: Status
    beside: bool
    value: Span
    subject: ClaimSubject
    time: Span | None
    foreign: float
    score: float
