"""Facts as somebody says them and as shown, acts on them, and what is contested."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, model_validator

from graphmem.api.errors import invalid
from graphmem.api.schemas.claims import NamedThing, Told
from graphmem.api.schemas.words import (
    ID_PATTERN,
    Attributes,
    Instant,
    LongText,
    Name,
    Request,
    ScalarValue,
    Share,
    Tags,
)
from graphmem.model.acts import Correction
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import Category, ClaimKind
from graphmem.model.entity import Entity
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName as DomainName
from graphmem.model.interval import as_instant
from graphmem.model.recall import Grounds
from graphmem.model.time_zone import UTC_NAME, offset_of
from graphmem.resolve.structured import statement_of
from graphmem.write.facts import IMPORTANCE


class FactIn(Told):
    """What is to be remembered of a subject: a key, and an object or a value.

    A ``key`` that neither a policy nor the group's ontology knows becomes the predicate `category.key`: of identity,
    preference and occupation one value holds at a time, of others many. Confidence is 1. ``valid_from`` is when it
    began, by default now (``occurred_at``); null is an unknown start. ``recorded_at`` is for groups that import.
    """

    category: Category
    key: Name
    importance: Share = IMPORTANCE
    tags: Tags = ()

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.object is None) == (self.value is None):
            raise ValueError("needs either an object or a value")
        return self

    def to_domain(self, said: datetime) -> StructuredClaim:
        """The fact as a claim by its key, said at an instant.

        Raises:
            InvalidRequest: it ends before it starts.
        """
        stated = "valid_from" in self.model_fields_set
        start = said if not stated else self.valid_from and as_instant(self.valid_from)
        if self.valid_to is not None and start is not None and self.valid_to <= start:
            raise invalid("body", "", "the fact ends before it starts, or as it starts")
        return StructuredClaim(
            kind=ClaimKind.STARTS,
            subject=self.subject.to_domain(self.source),
            predicate=self.key,
            object=self.object.to_domain(self.source) if self.object else None,
            value=self.value,
            statement=self.statement,
            valid_from=start,
            from_stated=stated,
            valid_to=self.valid_to,
            occurred_at=said,
            confidence=1.0,
            importance=self.importance,
            category=self.category,
            user=self.user or "",
            source=self.source,
            external_id=self.external_id,
            attributes=self.attributes,
            tags=self.tags,
            time_zone=offset_of(self.valid_from) if self.valid_from else UTC_NAME,
            recorded_at=self.recorded_at,
        )


class ActIn(Request):
    """``user``: who says so; only the owner of a fact may. ``recorded_at`` is for groups that import."""

    user: Name | None = None
    recorded_at: Instant | None = None


class CorrectFactIn(ActIn):
    """What is so instead: an object or a value; neither, if the time or the attributes are wrong.

    What is left out stays as it is; of another value, its attributes go.
    """

    object: NamedThing | None = None
    value: ScalarValue | None = None
    statement: LongText | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    attributes: Attributes | None = None
    category: Category | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.object is not None and self.value is not None:
            raise ValueError("has either an object or a value")
        said = (self.object, self.value, self.statement, self.valid_from, self.valid_to, self.attributes, self.category)
        if all(one is None for one in said):
            raise ValueError("says nothing: give what is so instead")
        return self

    def to_domain(self, group: str, now: datetime, corrected: Grounds) -> Correction:
        """What is so instead of a belief."""
        belief = corrected.belief
        subject = next(entity.name for entity in corrected.entities if entity.id == belief.subject_id)
        return Correction(
            object=_entity(group, self.object, now),
            value=self.value,
            statement=self._statement(belief, subject, now),
            valid_from=self.valid_from,
            valid_to=self.valid_to,
            attributes=self.attributes,
            category=self.category,
        )

    def _statement(self, belief: BeliefRow, subject: str, now: datetime) -> str:
        if self.object is None and self.value is None:
            return self.statement or belief.statement
        said = StructuredClaim(
            subject=DomainName(subject, ""),
            predicate=belief.predicate,
            object=self.object.to_domain(None) if self.object else None,
            value=self.value,
            statement=self.statement,
            valid_from=now,
            occurred_at=now,
            open=belief.open,
        )
        return statement_of(said)


class ChooseIn(ActIn):
    """``keep``: the id of the claim that is right, of the belief's evidence or of those that dispute it."""

    keep: Annotated[str, Field(pattern=ID_PATTERN)]


class SharerIn(Request):
    """``user``: who says so; only the owner of a fact may."""

    user: Name | None = None


def _entity(group: str, thing: NamedThing | None, now: datetime) -> Entity | None:
    if thing is None:
        return None
    name = thing.to_domain(None)
    return Entity(group_id=group, type=name.type, name=name.name, first_seen=now, qualifier=name.qualifier)
