"""Beliefs, and the claims behind them."""

from dataclasses import replace
from datetime import datetime
from typing import Self

from pydantic import StrictBool, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from graphmem.model.belief import BeliefRow, Support
from graphmem.model.claim import AssertedBy, ClaimKind, Scalar
from graphmem.model.interval import END
from graphmem.model.recall import KnownClaim
from graphmem.model.scope import Scope
from graphmem.store.instants import Instant
from graphmem.store.rows import AttributesText, Row
from graphmem.store.rows.entity import EntityRecord
from graphmem.store.rows.episode import EpisodeRecord

_NO_END = PydanticCustomError("no_end", "the entity with this id cannot be read")


class BeliefColumns(Row):
    id: str
    belief_id: str
    subject_id: str
    predicate: str
    object_id: str | None
    value: Scalar
    target: str
    user: str
    statement: str
    attributes: AttributesText
    category: str
    confidence: float
    importance: float
    contested: StrictBool
    from_stated: StrictBool
    to_stated: StrictBool
    valid_from: Instant
    valid_to: Instant
    recorded_at: Instant
    superseded_at: Instant
    open: StrictBool
    day: str
    event_to: Instant | None
    attribute_keys: tuple[str, ...]
    attribute_values: tuple[str, ...]
    protected: StrictBool
    rejected_before: Instant | None
    dropped_before: Instant | None
    fades_at: Instant
    audience: str


_CHECKED = {"attribute_keys", "attribute_values"}
"""What is only read so that damage of it is named."""
_NOT_SHOWN = {"rejected_before", "dropped_before", "fades_at", "audience", *_CHECKED}
"""What only queries of evidence ask for; and what moves on with use, which no past answer may tell."""


class BeliefRecord(Row):
    kind: str
    belief: BeliefColumns

    @model_validator(mode="after")
    def _has_both_ends(self) -> Self:
        if self.kind == "relationship" and self.belief.object_id is None:
            raise ValueError("a relationship without an object")
        return self

    def to_domain(self, scope: Scope) -> BeliefRow:
        """The belief as it was known then: what superseded it later was not."""
        faded = self.belief.fades_at <= scope.awake_at
        shared = self.belief.audience != self.belief.user
        row = BeliefRow(kind=self.kind, faded=faded, shared=shared, **self.belief.model_dump(exclude=_NOT_SHOWN))
        return row if row.superseded_at <= scope.known_at else replace(row, superseded_at=END)


class EvidenceColumns(Row):
    """``attribute_keys`` and ``attribute_values`` come empty, or as no lists where they are damaged: it is named."""

    claim_id: str
    kind: ClaimKind
    episode_id: str
    quote: str
    quote_start: int
    quote_end: int
    said_at: Instant
    recorded_at: Instant
    confidence: float
    attribute_keys: tuple[str, ...]
    attribute_values: tuple[str, ...]

    def to_domain(self) -> Support:
        return Support(**self.model_dump(exclude=_CHECKED))


class SupportedBelief(BeliefRecord):
    """A belief with its evidence."""

    evidence: tuple[EvidenceColumns, ...]

    def supported(self, scope: Scope) -> BeliefRow:
        belief = self.to_domain(scope)
        return replace(belief, evidence=tuple(one.to_domain() for one in self.evidence))


class SubgraphRow(Row):
    """Beliefs, and the entities at their ends; those that were asked for too."""

    beliefs: tuple[SupportedBelief, ...]
    entities: tuple[EntityRecord, ...]

    @model_validator(mode="after")
    def _has_all_ends(self) -> Self:
        """A belief cannot be shown without the entities that it relates."""
        known = {entity.id for entity in self.entities}
        lacking = [
            InitErrorDetails(type=_NO_END, loc=("beliefs", number, "belief", end), input=None)
            for number, one in enumerate(self.beliefs)
            for end, id_ in (("subject_id", one.belief.subject_id), ("object_id", one.belief.object_id))
            if id_ is not None and id_ not in known
        ]
        if lacking:
            raise ValidationError.from_exception_data(type(self).__name__, lacking)
        return self


class KnownClaimColumns(Row):
    id: str
    kind: ClaimKind
    episode_id: str
    statement: str
    quote: str
    quote_start: int
    quote_end: int
    valid_from: Instant
    valid_to: Instant
    from_stated: StrictBool
    to_stated: StrictBool
    said_at: Instant
    recorded_at: Instant
    retracted_at: Instant
    confidence: float
    extractor: str
    extractor_version: str
    asserted_by: AssertedBy
    protecting: StrictBool
    cap: float | None
    gave_way_to: str

    def to_domain(self, known_at: datetime) -> KnownClaim:
        """The claim as it was known then: what retracted it later was not."""
        claim = KnownClaim(**self.model_dump())
        return claim if claim.retracted_at <= known_at else replace(claim, retracted_at=END)


class GroundsRow(SubgraphRow):
    """One belief, its claims, and their episodes. ``more``: there are claims left out, whose episodes are too long."""

    claims: tuple[KnownClaimColumns, ...]
    more: StrictBool
    episodes: tuple[EpisodeRecord, ...]
