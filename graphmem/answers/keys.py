"""Keys as shown: without the secret, but for the one answer that makes a key."""

from datetime import datetime
from typing import Annotated

from pydantic import BeforeValidator, Field

from graphmem.answers.answer import Answer, TextOrNull, Warned, attribute
from graphmem.model.principal import Right

Rights = Annotated[list[Right], BeforeValidator(sorted)]


class KeyOut(Answer):
    """A key, which begins with ``gm_`` and its id.

    ``groups`` are names, or patterns that end with `*`. ``users`` are those for whom it acts: null is all, and where
    there are none, it sees what everybody may see. ``agents`` are those as which it hands in and asks; null is any.
    ``made_by`` and ``revoked_by`` are ids of keys, null that of the settings or the token of the machine. ``used_at``
    is exact to a minute, and written some seconds later.
    """

    id: str
    label: str
    rights: Annotated[Rights, attribute("may.rights")]
    groups: Annotated[list[str], attribute("may.groups")]
    users: Annotated[list[str] | None, attribute("may.users")]
    agents: Annotated[list[str] | None, attribute("may.agents")]
    made_at: datetime
    made_by: TextOrNull
    expires_at: datetime | None
    used_at: datetime | None
    revoked_at: datetime | None
    revoked_by: TextOrNull
    replaces: str | None


class OwnKey(Warned):
    """What the key of a call may; ``key`` is its id, null where it is that of the settings or the token of the machine.

    The rest is as in ``KeyOut``.
    """

    key: TextOrNull
    rights: Rights
    groups: list[str]
    users: list[str] | None
    agents: list[str] | None
    expires_at: datetime | None


class NewKey(Answer):
    """A key that was made."""

    key: KeyOut
    secret: Annotated[str, Field(description="What its holder sends. It is shown this once, and kept nowhere.")]


class KeyPage(Warned):
    """``next_cursor`` asks for what follows; null at the end."""

    keys: list[KeyOut]
    next_cursor: str | None
