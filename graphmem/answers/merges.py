"""Merges as shown, and what decisions on them changed."""

from datetime import datetime
from typing import Annotated

from graphmem.answers.answer import Answer, ReadAnswer, ShownInstant, TextOrNull, Warned, attribute
from graphmem.answers.beliefs import Referred


class ProtectedOut(Warned):
    id: str
    protected: bool


class MergeOut(Answer):
    """``member`` is part of ``part_of``, which stands for all that are the same. ``pair``: the two that are alike.

    A ``session`` is that in which a short name means the other one. In force until ``superseded_at``; null is still.
    """

    id: str
    member: Referred
    part_of: Annotated[Referred, attribute("other")]
    pair: list[Referred]
    user: TextOrNull
    session: str | None
    method: str
    stage: str | None
    score: float
    reason: str
    recorded_at: datetime
    superseded_at: ShownInstant


class OneMerge(MergeOut, Warned):
    """A merge that was asked for by its id."""


class MergePage(ReadAnswer):
    """What was in force at ``known_at``, in order of (recorded_at, id)."""

    known_at: datetime
    merges: list[MergeOut]
    next_cursor: str | None


class Remerged(Warned):
    """What a decision changed: merges in force and taken back, claims that moved, rows recorded and superseded."""

    opened: list[MergeOut]
    closed: list[MergeOut]
    moved_claims: int
    recorded: int
    superseded: int


class Merged(Remerged):
    """The merge that was asked for, and what it changed."""

    merge: MergeOut
