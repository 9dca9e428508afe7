"""What a supervisor tells while it starts, watches and stops: one JSON object a line, to whoever started it."""

from collections.abc import Callable
from typing import Literal

from pydantic import BaseModel, ConfigDict

EventKind = Literal["note", "download", "starting", "started", "ready", "already", "stopping", "stopped", "failed"]


class Event(BaseModel):
    """One thing that happened. ``text`` is for people; ``error`` names its kind; the numbers belong to ``download``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: EventKind
    text: str = ""
    error: str = ""
    files: int = 0
    files_total: int = 0
    bytes: int = 0
    bytes_total: int = 0


Tell = Callable[[Event], None]
