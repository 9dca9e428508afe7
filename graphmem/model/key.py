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
KEY = re.compile(r"gm_(?P<id>[0-9a-f]{12})_[A-Za-z0-9]{43}", re.ASCII)
_SECRET_LETTERS, _SECRET_LENGTH = string.ascii_letters + string.digits, 43


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key without its secret: ``may`` is what its holder may.

    ``made_by`` is the id of the key with which it was made, "" that of the settings or the token of the machine.
    ``replaces`` is the id of the key in whose place it came. ``used_at`` is exact to a minute.
    """

    id: str
    label: str
    may: Principal
    made_at: datetime
    made_by: str
    expires_at: datetime | None = None
    used_at: datetime | None = None
    revoked_at: datetime | None = None
    replaces: str | None = None

    def check(self, now: datetime) -> None:
        """Whether it still opens anything.

        Raises:
            Unauthenticated: it was revoked, or has expired.
        """
        if self.revoked_at is not None:
            raise Unauthenticated(f"The key {PREFIX}{self.id} was revoked. Ask for another one.")
        if self.expires_at is not None and self.expires_at <= now:
            raise Unauthenticated(f"The key {PREFIX}{self.id} expired at {self.expires_at:%Y-%m-%d %H:%M} UTC.")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredKey:
    """A key as it is kept: ``hash`` is that of all of it, keyed with the secret of the ``installation``."""

    key: Key
    hash: str
    installation: str


def new_key() -> tuple[str, str]:
    """The id of a new key, and all of it: 256 bits of randomness after the id."""
    id_ = secrets.token_hex(6)
    return id_, f"{PREFIX}{id_}_{''.join(secrets.choice(_SECRET_LETTERS) for _ in range(_SECRET_LENGTH))}"


def id_of(shown: str) -> str | None:
    """The id within a key; None of what is none."""
    form = KEY.fullmatch(shown)
    return form and form["id"]


def check_expiry(expires_at: datetime | None, now: datetime) -> None:
    """Whether a key may end then.

    Raises:
        InvalidInput: it would have ended already.
    """
    if expires_at is not None and expires_at <= now:
        raise InvalidInput(f"A key that expires at {expires_at.isoformat()} opens nothing: that is over.")
