"""Identities as hashes of what they identify, so that the same work twice is the same thing once."""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime

Part = str | int | float | bool | None | datetime


_JSON = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, default=datetime.isoformat)


def digest(*parts: Part) -> str:
    """32 hex digits (128 bits of SHA-256) of the parts, order and types included."""
    return hashlib.sha256(_JSON.encode(parts).encode()).hexdigest()[:32]


def group_token(group_id: str) -> str:
    """The group as one opaque word for full-text indexes.

    An analyzer splits ``team-1`` and stems ``teams``; hex digits ending in a digit survive both.
    """
    return f"{digest('group', group_id)}0"


def audience_token(group_id: str, audience: str) -> str:
    """Who may see something, as one opaque word for full-text indexes; ``audience`` is a user, or "" for everybody."""
    return f"{digest('audience', group_id, audience)}0"


def session_token(group_id: str, session: str) -> str:
    """A session as one opaque word, for filters of all search indexes; what is of no session has the group's."""
    return f"{session_id(group_id, session)}0" if session else group_token(group_id)


def session_id(group_id: str, session: str) -> str:
    """What was said under one session name, by or for whomever."""
    return digest("session", group_id, session)


def own_session_id(group_id: str, session: str, user: str) -> str:
    """The session of one user; that of nobody in particular has the id of its name."""
    return digest("session", group_id, session, user) if user else session_id(group_id, session)


def external_episode_id(group_id: str, user: str, external_id: str, *, claimed: bool) -> str:
    """The episode to which callers gave a name: names are their user's own, those of claims none of other episodes."""
    return digest("claimed episode" if claimed else "episode", group_id, user, "external_id", external_id)


def edited_episode_id(first_id: str, fingerprint: str, key: str | None) -> str:
    """A later text of the episode to which callers gave a name; ``first_id`` is the id of the first.

    ``key`` is the idempotency key that it came with: with one, a text of before can come back.
    """
    return digest("episode", first_id, "text", fingerprint, *([key] if key else []))


def put_key(first_id: str, key: str) -> str:
    """An idempotency key with which a text came of the episode with the id ``first_id``, as that text keeps it."""
    return digest("put", first_id, key)


def keyed_episode_id(group_id: str, user: str, key: str, item: int | None) -> str:
    """The episode that came with an idempotency key of its user, ``item`` its place if that was the key of a list."""
    return digest("episode", group_id, user, "idempotency_key", key, item)


def name_id(entity_id_: str, user: str) -> str:
    """What an entity is called in what was said to everybody ("") or for a user."""
    return f"{entity_id_}/{user}"


def entity_id(group_id: str, key: str, qualifier: str = "") -> str:
    """The identity of an entity. ``qualifier`` tells apart those of one name; "" is that of the bare name."""
    return digest("entity", group_id, key, *([qualifier] if qualifier else []))


def belief_id(
    group_id: str,
    user: str,
    subject_id: str,
    predicate: str,
    target: str,
    valid_from: datetime,
    day: str = "",
    *,
    open: bool = False,  # noqa: A002 - the name that it has everywhere
    distinguished_by: Sequence[str] = (),
) -> str:
    """The identity of a belief, reproduced by any order of the same evidence. ``day`` and the like: see ``Slot``."""
    beside = [*([day] if day else []), *(["open"] if open else []), *distinguished_by]
    return digest("belief", group_id, user, subject_id, predicate, target, valid_from, *beside)
