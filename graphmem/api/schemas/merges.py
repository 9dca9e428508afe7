"""Merges as handed in and as shown."""

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from graphmem.answers.answer import AnswerContext
from graphmem.answers.merges import Remerged
from graphmem.api.schemas.words import ID_PATTERN, Name, Request, ShortText
from graphmem.model.merge import Merge
from graphmem.store.change.moves import Reidentified

EntityId = Annotated[str, Field(pattern=ID_PATTERN)]


class MergeIn(Request):
    """Two entities that are the same, and why; for everybody, or in one user's memory."""

    entities: Annotated[list[EntityId], Field(min_length=2, max_length=2)]
    reason: ShortText
    user: Name | None = None


class ProtectedIn(Request):
    """``protected``: only people merge the entity."""

    protected: bool


class RevertIn(Request):
    """Why the two are different."""

    reason: ShortText


def remerged(done: Reidentified, context: AnswerContext) -> Remerged:
    opened, closed = (readable_merges(sorted(of, key=lambda one: one.id), context) for of in (done.opened, done.closed))
    return Remerged.of(done, opened=opened, closed=closed, context=context)


def readable_merges(merges: Iterable[Merge], context: AnswerContext) -> list[Merge]:
    """The merges of which all entities could be read."""
    return [merge for merge in merges if merge.named <= context.entity_of.keys()]
