"""What would be read of an episode, and why not more."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from graphmem.answers.answer import Answer, Warned
from graphmem.model.claim import ClaimStatus, Kind, Scalar


class ReadSpan(Answer):
    """Code points ``[start, end)`` of the content, and the text there."""

    start: int
    end: int
    text: str


class ReadEntity(Answer):
    type: str
    name: str


class ReadMention(ReadSpan):
    entity: ReadEntity


class ReadClauseOut(ReadSpan):
    """``status`` is how a clause is said; ``dropped`` why it makes no open claim, null where it does."""

    status: ClaimStatus | None
    dropped: str | None
    statement: str | None


class ReadClaim(ReadSpan):
    """A claim as it would be made, with its quote. ``event`` is when it happened, of what happened once."""

    kind: Kind
    subject: ReadEntity
    predicate: str
    object: ReadEntity | None
    value: Scalar
    statement: str
    valid_from: datetime | None
    valid_to: datetime | None
    event: Annotated[list[datetime] | None, Field(min_length=2, max_length=2)]
    confidence: float
    attributes: dict[str, Scalar]
    category: str | None
    open: bool
    status: ClaimStatus


class ExtractOut(Warned):
    """``segments`` are the sentences as they are parsed: greetings, calls and interjections between them are cut."""

    extractor: str
    version: str
    segments: list[ReadSpan]
    clauses: list[ReadClauseOut]
    mentions: list[ReadMention]
    claims: list[ReadClaim]
