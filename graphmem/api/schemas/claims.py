"""Structured claims as posted, and what became of them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import Discriminator, Field, Tag, model_validator

from graphmem.api.errors import invalid
from graphmem.api.schemas.words import (
    MOST_ITEMS,
    Answer,
    Attributes,
    EntityType,
    Instant,
    Name,
    Request,
    ScalarValue,
    Share,
    ShortText,
)
from graphmem.model import fragment
from graphmem.model.claim import Kind, Scalar
from graphmem.model.episode import Episode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.interval import BEGIN


class NamedThing(Request):
    """A thing by its name and its type."""

    name: Name
    type: EntityType

    def to_domain(self) -> fragment.Name:
        return fragment.Name(self.name, self.type)


class ClaimIn(Request):
    """That subject – predicate – object or value starts, holds or ends at a time.

    Without ``valid_from`` it does so when it is said (``occurred_at``, by default now); null is an unknown start.
    """

    kind: Kind = Kind.STARTS
    subject: NamedThing
    predicate: Name
    object: NamedThing | None = None
    value: ScalarValue | None = None
    statement: ShortText | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    occurred_at: Instant | None = None
    confidence: Share = 1.0
    importance: Share = 0.5
    user: Name | None = None
    source: Name | None = None
    external_id: Name | None = None
    attributes: Attributes = Field(default_factory=dict[str, Scalar])

    @model_validator(mode="after")
    def _fits(self) -> Self:
        targets = (self.object is not None) + (self.value is not None)
        if targets > 1 or (targets == 0 and self.kind is not Kind.ENDS):
            raise ValueError("needs either an object or a value")
        if self.kind is Kind.ENDS and (self.valid_to is not None or self._start_unknown):
            raise ValueError("ends at its valid_from; it has no valid_to and no unknown start")
        return self

    @property
    def _start_unknown(self) -> bool:
        return "valid_from" in self.model_fields_set and self.valid_from is None

    def start(self, occurred_at: datetime) -> datetime | None:
        return self.valid_from if "valid_from" in self.model_fields_set else occurred_at

    def to_domain(self, occurred_at: datetime) -> StructuredClaim:
        return StructuredClaim(
            kind=self.kind,
            subject=self.subject.to_domain(),
            predicate=self.predicate,
            object=self.object.to_domain() if self.object else None,
            value=self.value,
            statement=self.statement,
            valid_from=self.start(occurred_at),
            from_stated="valid_from" in self.model_fields_set,
            valid_to=self.valid_to,
            occurred_at=occurred_at,
            confidence=self.confidence,
            importance=self.importance,
            owner=self.user or "",
            source=self.source,
            external_id=self.external_id,
            attributes=self.attributes,
        )


class ClaimList(Request):
    claims: Annotated[list[ClaimIn], Field(min_length=1, max_length=MOST_ITEMS)]


def _shape(value: Any) -> str:
    if isinstance(value, list):
        return "list"
    return "claims" if isinstance(value, dict) and "claims" in value else "one"


ClaimsIn = Annotated[
    Annotated[ClaimIn, Tag("one")]
    | Annotated[ClaimList, Tag("claims")]
    | Annotated[list[ClaimIn], Tag("list"), Field(min_length=1, max_length=MOST_ITEMS)],
    Discriminator(_shape),
]
CLAIM_TAGS = frozenset({"one", "claims", "list"})


def claim_list(posted: ClaimIn | ClaimList | list[ClaimIn]) -> list[ClaimIn]:
    if isinstance(posted, ClaimIn):
        return [posted]
    return posted.claims if isinstance(posted, ClaimList) else posted


def claims_in(posted: Sequence[ClaimIn], times: Sequence[datetime]) -> list[StructuredClaim]:
    """Claims said at ``times``.

    Raises:
        InvalidRequest: one ends before it starts; names which.
    """
    claims = [item.to_domain(time) for item, time in zip(posted, times, strict=True)]
    for index, claim in enumerate(claims):
        if claim.valid_to is not None and claim.valid_from is not None and claim.valid_to <= claim.valid_from:
            raise invalid("body", f"/{index}", f"claim {index} ends before it starts, or as it starts")
    return claims


def episode_id_of(group: str, external_id: str) -> str:
    """The id of the episode that a claim with an ``external_id`` brings."""
    return Episode(group_id=group, session="", content="", occurred_at=BEGIN, external_id=external_id).id


class ClaimReceipt(Answer):
    claim_id: str
    episode_id: str
    new: bool


class AcceptedClaims(Answer):
    """The claims in the order given, and what they changed in one transaction."""

    claims: list[ClaimReceipt]
    entities: int
    new_entities: int
    new_claims: int
    recorded: int
    superseded: int
