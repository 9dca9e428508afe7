"""Beliefs, and the claims behind them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from graphmem.model.belief import BeliefRow, Support
from graphmem.model.recall import KnownClaim
from graphmem.store.rows import AttributesText, ReadAs
from graphmem.store.rows.entity import EntityRecord
from graphmem.store.rows.episode import EpisodeRecord

_NO_END = PydanticCustomError("no_end", "the entity with this id cannot be read")


@dataclass(frozen=True, slots=True)
class _EvidenceColumns:
    """The lists come empty, or as no lists where they are damaged."""

    attribute_keys: tuple[str, ...]
    attribute_values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _BeliefColumns(_EvidenceColumns):
    attributes: AttributesText
    rejected_before: datetime | None
    dropped_before: datetime | None
    fades_at: datetime
    audience: str
    evidence: tuple[Annotated[Support, ReadAs(_EvidenceColumns)], ...]


def _has_both_ends(belief: BeliefRow) -> BeliefRow:
    if belief.kind == "relationship" and belief.object_id is None:
        raise ValueError("a relationship without an object")
    return belief


SupportedBelief = Annotated[BeliefRow, ReadAs(_BeliefColumns), AfterValidator(_has_both_ends)]
"""A belief as it was known then, with its evidence."""


@dataclass(frozen=True, slots=True)
class SubgraphRow:
    """Beliefs, and the entities at their ends; those that were asked for too."""

    beliefs: tuple[SupportedBelief, ...]
    entities: tuple[EntityRecord, ...]

    def __post_init__(self) -> None:
        """Refuse a belief without the entities that it relates: it cannot be shown."""
        known = {entity.id for entity in self.entities}
        lacking = [
            InitErrorDetails(type=_NO_END, loc=("beliefs", number, end), input=None)
            for number, belief in enumerate(self.beliefs)
            for end, id_ in (("subject_id", belief.subject_id), ("object_id", belief.object_id))
            if id_ is not None and id_ not in known
        ]
        if lacking:
            raise ValidationError.from_exception_data(type(self).__name__, lacking)


@dataclass(frozen=True, slots=True)
class GroundsRow(SubgraphRow):
    """One belief, its claims, and their episodes. ``more``: there are claims left out, whose episodes are too long."""

    claims: tuple[KnownClaim, ...]
    more: bool
    episodes: tuple[EpisodeRecord, ...]
