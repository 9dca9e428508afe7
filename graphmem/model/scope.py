"""What a read may see."""

from dataclasses import dataclass
from datetime import datetime

from graphmem.model.interval import BEGIN, LATEST

EVERYBODY = ""
"""The audience of what was said for no user in particular."""
SHARED = "\x01"
"""The audience of names under which everybody hears of what a user shared. No user is called so."""


def audience_of(user: str) -> list[str]:
    """The audiences that a user belongs to; of EVERYBODY, what is for no user in particular."""
    return [EVERYBODY] if user == EVERYBODY else [EVERYBODY, user]


@dataclass(frozen=True, slots=True)
class Scope:
    """A group at a point in time, and how much of it.

    ``known_at=LATEST`` is what is believed now, whatever clocks say. With a ``user`` a read sees what was said to
    everybody and what was said for that user; without one, the whole group. ``session`` narrows episodes to one.
    ``open`` leaves out beliefs that rest on open claims, or takes only them; None takes both kinds. With ``history`` a
    search also sees what had ended, or was no longer believed. ``asked_at`` is the clock of whoever asks: what had
    faded by then does not come up by itself. Without one nothing has faded, nor where nothing ``fades``.
    """

    group: str
    valid_at: datetime
    known_at: datetime = LATEST
    user: str | None = None
    session: str | None = None
    open: bool | None = None
    history: bool = False
    asked_at: datetime | None = None
    fades: bool = True

    @property
    def awake_at(self) -> datetime:
        """What fades at this instant, or did before, does not come up in searches and contexts."""
        return BEGIN if self.asked_at is None or not self.fades else min(self.known_at, self.asked_at)

    @property
    def audience(self) -> list[str] | None:
        """The audiences that the reader belongs to; None is all of them."""
        return None if self.user is None else [EVERYBODY, SHARED, self.user]

    @property
    def kinds_of_claims(self) -> list[bool]:
        """Which beliefs the reader takes by whether they are open; a vector index takes a list of them."""
        return [False, True] if self.open is None else [self.open]
