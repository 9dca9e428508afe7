"""A turn of a conversation as a reader of files finds it, how it is to be read, and what a reader leaves out."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, Literal

from graphmem.model.episode import EpisodeRole

DateOrder = Literal["dmy", "mdy", "ymd"]
MOST_LISTED = 20
"""Bad lines that are listed; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTurn:
    """What somebody said or wrote. ``time`` is None where the file has none; without an offset it is of the zone asked.

    ``source`` names the format, ``id`` the turn among all of it. ``line`` is where it begins, for formats of lines.
    ``more`` has other fields of an episode (``content_type``, ``metadata`` …).
    """

    content: str
    time: datetime | None
    source: str | None
    role: EpisodeRole = EpisodeRole.USER
    speaker: str | None = None
    session: str | None = None
    id: str | None = None
    line: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """What a file does not say: who is the user, whose zone and order its dates have, which columns are what.

    ``at`` is when a conversation was of which nothing says it; ``since`` leaves out what was before.
    """

    user: str | None = None
    time_zone: tzinfo = UTC
    zone_name: str | None = None
    date_order: DateOrder | None = None
    since: datetime | None = None
    at: datetime | None = None
    columns: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class Notes:
    """What is not taken, by what it is, and places that cannot be read. ``guessed`` has encodings by file."""

    left_out: Counter[str] = field(default_factory=Counter[str])
    bad: list[str] = field(default_factory=list[str])
    bad_places: int = 0
    guessed: dict[Path, str] = field(default_factory=dict[Path, str])

    def bad_place(self, place: str, expected: str) -> None:
        self.bad_places += 1
        if len(self.bad) < MOST_LISTED:
            self.bad.append(f"{place}: {expected}")
