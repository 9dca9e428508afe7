"""The audit, as shown."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from graphmem.answers.answer import Answer, Warned, attribute


class AuditedThingsOut(Answer):
    """Things of one kind that were changed: how many, and the ids of the first 100, where they have any."""

    kind: str
    count: int
    ids: list[str]


class AuditRowOut(Answer):
    """What was done, once.

    ``key`` is the id of a key, "" that of the settings or the token of the machine; ``worker`` and ``process`` are what
    a worker or a process does by itself. ``user`` and ``agent`` are keyed hashes: null is nobody in particular, and
    the user "" everybody. ``changed`` is empty where somebody read. ``place``, ``previous`` and ``hash`` are null until
    the row is in the chain, some seconds later.
    """

    id: str
    group: Annotated[str, attribute("group_id")]
    recorded_at: datetime
    operation: str
    key: str
    user: str | None
    agent: str | None
    address: str
    changed: list[AuditedThingsOut]
    place: int | None
    previous: str | None
    hash: str | None


class ChainEndOut(Answer):
    """Where a chain ends: who keeps that elsewhere can tell later whether the rows up to there are the same."""

    place: int
    hash: str


class AuditPage(Warned):
    """``next_cursor`` asks for what follows; null at the end. ``end`` is that of the chain when this was asked."""

    rows: list[AuditRowOut]
    end: ChainEndOut
    next_cursor: str | None


class MisfitOut(Answer):
    """The first place at which a chain does not fit, the row that is there ("" where there is none), and why."""

    place: int
    id: str
    why: str


class ChainOut(Warned):
    """A chain, looked at row by row: ``misfit`` is null where it is as it was made.

    It begins after ``first``, which is place 0 unless old rows were taken away. ``unchained`` rows wait for a place.
    """

    end: ChainEndOut
    first: ChainEndOut
    unchained: int
    misfit: Annotated[MisfitOut | None, Field(description="Where it does not fit, if it does not.")]
