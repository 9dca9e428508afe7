"""Two small conversations that ship with the package.

One is a year (2025) in the life of Maya, told to her friend Clara. Part 2 begins with the correction of something that
part 1 says wrongly. Load part 1, note the instant, then load part 2: what was believed between the two differs from
what is believed now. In the other Clara's brother Jonas plans a trip with an assistant: what he says is his alone, and
long enough to be summarised: from its part 2 on, so that the summary knows all of part 1, whenever it is made.
"""

from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files

from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleTurn:
    """One turn, of everybody or of one ``user``. ``time`` has an offset; ``part`` is 1 or 2, and read in this order."""

    role: str
    speaker: str | None = None
    content: str
    time: datetime
    session: str
    user: str | None = None
    agent: str | None = None
    part: int = 1


_TURN = TypeAdapter(SampleTurn)


def turns() -> list[SampleTurn]:
    """Maya's year, in the order in which it was told."""
    return _read("conversation.jsonl")


def trip() -> list[SampleTurn]:
    """What Jonas and his assistant say about a trip, in order."""
    return _read("trip.jsonl")


def _read(name: str) -> list[SampleTurn]:
    lines = files(__name__).joinpath(name).read_text(encoding="utf-8").splitlines()
    return [_TURN.validate_json(line) for line in lines]
