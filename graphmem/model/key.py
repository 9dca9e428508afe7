"""Keys of the service: what callers show, whom it is for, and until when."""

import re
import secrets
import string
from dataclasses import dataclass
from datetime import datetime

from graphmem.errors import InvalidInput, Unauthenticated
from graphmem.model.principal import Principal

PREFIX = "gm_"
"""How every key begins, so that it can be searched for where it must not stand."""
GROUPS_PATTERN = r"^(\*|[A-Za-z0-9._-]{1,128}\*?)$"
KEY = re.compile(r"gm_(?P<id>[0-9a-f]{12})_(?P<secret>[A-Za-z0-9]{43})(?P<check>[0-9a-f]{8})", re.ASCII)
_LETTERS = string.ascii_letters + string.digits


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key without its secret: ``may`` is what its holder may, until when.

    ``made_by`` and ``revoked_by`` are ids of keys, "" that of the settings or the token of the machine. ``replaces`` is
    the id of the key in whose place it came. ``used_at`` is exact to a minute.
    """

    id: str
    label: str
    may: Principal
    made_at: datetime
    made_by: str
    used_at: datetime | None = None
    revoked_at: datetime | None = None
    revoked_by: str | None = None
    replaces: str | None = None

    @property
    def expires_at(self) -> datetime | None:
        return self.may.expires_at

    def why_ended(self, now: datetime) -> str | None:
        """Why it opens nothing any more, and None while it does."""
        if self.revoked_at is not None:
            return f"The key {PREFIX}{self.id} was revoked. Ask for another one."
        if self.expires_at is not None and self.expires_at <= now:
            return f"The key {PREFIX}{self.id} expired at {self.expires_at:%Y-%m-%d %H:%M} UTC. Ask for another one."
        return None

    def check(self, now: datetime) -> None:
        """Whether it still opens anything.

        Raises:
            Unauthenticated: it was revoked, or has expired.
        """
        if (why := self.why_ended(now)) is not None:
            raise Unauthenticated(why)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredKey:
    """A key as it is kept: ``seal`` is a keyed hash of its secret and of what it may."""

    key: Key
    seal: str


def new_secret() -> tuple[str, str]:
    """The id of a new key, and 256 bits of randomness."""
    return secrets.token_hex(6), "".join(secrets.choice(_LETTERS) for _ in range(43))


def check_expiry(expires_at: datetime | None, now: datetime) -> None:
    """Whether a key may end then.

    Raises:
        InvalidInput: it would have ended already.
    """
    if expires_at is not None and expires_at <= now:
        raise InvalidInput(f"A key that expires at {expires_at.isoformat()} opens nothing: that is over.")
