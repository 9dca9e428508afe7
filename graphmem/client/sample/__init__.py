"""A small conversation that ships with the package: a year (2025) in the life of Maya, told to her friend Clara.

Part 2 begins with the correction of something that part 1 says wrongly. Load part 1, note the instant, then load
part 2: what was believed between the two differs from what is believed now.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn. ``time`` has an offset; ``part`` is 1 or 2."""

    role: str
    speaker: str
    content: str
    time: datetime
    session: str
    part: int


def turns() -> list[Turn]:
    """The conversation, in the order in which it was said."""
    lines = files(__name__).joinpath("conversation.jsonl").read_text(encoding="utf-8").splitlines()
    return [_turn(json.loads(line)) for line in lines]


def _turn(fields: dict[str, str | int]) -> Turn:
    return Turn(
        role=str(fields["role"]),
        speaker=str(fields["speaker"]),
        content=str(fields["content"]),
        time=datetime.fromisoformat(str(fields["time"])),
        session=str(fields["session"]),
        part=int(fields["part"]),
    )
