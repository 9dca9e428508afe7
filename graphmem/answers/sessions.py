"""Sessions as shown: when they were open, and their last turns."""

from datetime import datetime
from typing import Annotated

from graphmem.answers.answer import Answer, TextOrNull, Warned, attribute
from graphmem.answers.episodes import EpisodeOut
from graphmem.model.session import ClosedBy


class SessionOut(Answer):
    """The episodes of one session name and one ``user`` (null: of nobody in particular).

    ``opened_at`` is when its first episode was recorded. ``closed_at`` is null while it is open; an episode opens it
    again, and ``reopened_at`` is when that was last. ``agent`` and ``subject`` are as the last episode said that named
    one.
    """

    id: str
    session: Annotated[str, attribute("name")]
    user: TextOrNull
    agent: str | None
    subject: str | None
    opened_at: datetime
    reopened_at: datetime | None
    closed_at: datetime | None
    closed_by: ClosedBy | None


class SessionPage(Warned):
    """Sessions in the order in which they were opened."""

    valid_at: datetime
    known_at: datetime
    sessions: list[SessionOut]
    next_cursor: str | None


class SessionWindowOut(Warned):
    """A session with its last turns, the oldest of them first, and how many there were before them."""

    valid_at: datetime
    known_at: datetime
    session: SessionOut
    episodes: Annotated[list[EpisodeOut], attribute("turns")]
    earlier: int
