"""What would be read of an episode, and why not more."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, ValidationInfo, model_validator

from graphmem.answers.answer import Answer, Joined, TextOrNull, Warned, context_of, is_answer
from graphmem.answers.beliefs import Attributes
from graphmem.model.claim import ClaimKind, ClaimStatus, Scalar
from graphmem.model.fragment import ProposedClaim


class ReadSpan(Answer):
    """Code points ``[start, end)`` of the content, and the text there."""

    start: int
    end: int
    text: str

    @model_validator(mode="before")
    @classmethod
    def _with_text(cls, thing: Any, info: ValidationInfo) -> Any:
        if is_answer(thing):
            return thing
        is_claim = isinstance(thing, ProposedClaim)
        start, end = (thing.quote_start, thing.quote_end) if is_claim else (thing.start, thing.end)
        return Joined(thing, start=start, end=end, text=context_of(info).content[start:end])


class ReadEntity(Answer):
    type: str
    name: str


class ReadMention(ReadSpan):
    entity: ReadEntity


class ReadClauseOut(ReadSpan):
    """``status`` is how a clause is said; ``dropped`` why it makes no open claim, null where it does."""

    status: ClaimStatus | None
    dropped: TextOrNull
    statement: TextOrNull


class ReadClaim(ReadSpan):
    """A claim as it would be made, with its quote. ``event`` is when it happened, of what happened once."""

    kind: ClaimKind
    subject: ReadEntity
    predicate: str
    object: ReadEntity | None
    value: Scalar
    statement: str
    valid_from: datetime | None
    valid_to: datetime | None
    event: Annotated[list[datetime] | None, Field(min_length=2, max_length=2)]
    confidence: float
    attributes: Attributes
    category: TextOrNull
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
