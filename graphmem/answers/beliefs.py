"""Beliefs with their evidence, entities and graphs as shown; histories and differences."""

import json
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, Field, ValidationInfo

from graphmem.answers.answer import Answer, AsOf, ReadAnswer, ShownInstant, TextOrNull, attribute, context_of
from graphmem.model.claim import ClaimStatus, Scalar
from graphmem.model.projection.existence import Existed, Existence
from graphmem.model.recall import EVIDENCE_LIMIT


def _existed(existence: Any, info: ValidationInfo) -> Any:
    return existence.at(context_of(info).valid_at) if isinstance(existence, Existence) else existence


def _referred(entity: Any, info: ValidationInfo) -> Any:
    """The entity that has an id."""
    return context_of(info).entity_of[entity] if isinstance(entity, str) else entity


def _attributes(stored: Any) -> Any:
    """Attributes as a mapping: the model has them as JSON, or in pairs."""
    if isinstance(stored, str):
        return json.loads(stored)
    return dict(stored)


Attributes = Annotated[dict[str, Scalar], BeforeValidator(_attributes)]


class EntityOut(Answer):
    """``qualifier`` tells apart those of one name: ``source:id`` where a claim gave an id; "" for the bare name.

    ``part_of`` is the entity that stands for this one and others that are the same, null where that is this one.
    ``valid_from`` and ``valid_to`` are what was believed at ``known_at`` of when it existed: born, founded, opened …
    died, dissolved, closed. Null is unknown, and as an end also none. ``existed`` says whether it did at ``valid_at``.
    ``protected``: only people merge it.
    """

    id: str
    type: str
    name: str
    qualifier: str
    part_of: str | None
    protected: bool
    recorded_at: datetime
    valid_from: Annotated[ShownInstant, attribute("existence.valid_from")]
    valid_to: Annotated[ShownInstant, attribute("existence.valid_to")]
    existed: Annotated[Existed, attribute("existence"), BeforeValidator(_existed)]


class EntityRef(Answer):
    """An entity as answers name it, by its id here. Claims name a thing by an id of their source."""

    id: str
    type: str
    name: str


Referred = Annotated[EntityRef, BeforeValidator(_referred)]
"""An entity that the model names by its id."""


class EvidenceOut(Answer):
    """The sentence of an episode that says so; ``start`` and ``end`` count its characters (code points).

    ``redacted``: it is gone with the words of the episode, and ``quote`` is empty.
    """

    claim_id: str
    kind: str
    episode_id: str
    quote: str
    start: Annotated[int, attribute("quote_start")]
    end: Annotated[int, attribute("quote_end")]
    said_at: datetime
    recorded_at: datetime
    confidence: float
    redacted: bool


class Happened(Answer):
    """When an event happened: in ``[from, to)``.

    ``day`` says how well that is known, by the calendar where it was said: a day (2025-05-03), a month (2025-05), a
    year, or first and last day (2025-05-03/2025-05-09).
    """

    day: str
    from_: Annotated[datetime, Field(validation_alias=AliasChoices("from", "valid_from"), serialization_alias="from")]
    to: Annotated[datetime, attribute("event_to")]


class CutOut(Answer):
    """The claim that ended a belief though it says nothing of its value, and the ``reason`` in words."""

    claim_id: str
    reason: str


class BeliefOut(Answer):
    """One recorded version of a belief. Null as ``valid_from`` is an unknown start, null as an end is an open one.

    ``to_inferred``: nobody said when it ended. It is over since something else began, or since all that was so ended,
    as the claim says by which it is ``ended_by``; null to readers who may not see that claim.

    ``open``: it rests on what was plainly said, by a predicate that neither the trained reader nor an ontology knows.
    ``status`` is how that was said: only what is ``asserted`` is believed to be so; of a plan, wish, ability or denial,
    that it was said. ``event`` is when it happened, of what happened once; it goes on being true that it did.
    ``faded``: nobody used it for long, so that searches and contexts do not bring it; it is believed all the same.
    """

    id: str
    belief_id: str
    kind: Literal["relationship", "fact"]
    subject: Annotated[Referred, attribute("subject_id")]
    predicate: str
    object: Annotated[Referred | None, attribute("object_id")]
    value: Scalar
    statement: str
    valid_from: ShownInstant
    valid_to: ShownInstant
    recorded_at: datetime
    superseded_at: ShownInstant
    from_stated: bool
    to_stated: bool
    to_inferred: bool
    ended_by: CutOut | None
    confidence: float
    importance: float
    contested: bool
    user: TextOrNull
    attributes: Attributes
    category: TextOrNull
    open: bool
    status: ClaimStatus
    event: Happened | None
    faded: bool
    evidence: Annotated[
        list[EvidenceOut], Field(description=f"What was said first comes first; at most {EVIDENCE_LIMIT}.")
    ]


class GraphOut(AsOf):
    """What was believed at ``known_at`` to be true at ``valid_at``. ``complete`` is false where ``limit`` cut it."""

    entities: list[EntityOut]
    beliefs: list[BeliefOut]
    complete: bool


class BeliefPage(AsOf):
    """What was believed at ``known_at`` to be true at ``valid_at``, in order of id, a page of it."""

    beliefs: list[BeliefOut]
    next_cursor: str | None


class OneBelief(ReadAnswer):
    """A belief as it was last recorded by ``known_at``, or the version that was asked for."""

    known_at: datetime
    belief: BeliefOut


class HeldValueOut(Answer):
    """What holds: ``known_since`` is when it was first believed of that instant, without a break since.

    ``replaced`` is what ended as it began. ``as_object``: the entity asked about is its object, not its subject.
    """

    belief: BeliefOut
    known_since: datetime
    replaced: list[BeliefOut]
    as_object: bool


class StateOut(AsOf):
    """What was believed at ``known_at`` to hold of an entity by a predicate at ``valid_at``.

    Where nothing was, ``unknown`` says why in a sentence, and ``before`` is what held last before. ``entity`` is null
    where nobody and nothing bears the name; ``near`` has names that are spelt much like it. ``complete`` is false where
    there were too many versions to look at.
    """

    entity: EntityOut | None
    predicate: str
    values: list[HeldValueOut]
    unknown: str | None
    before: list[BeliefOut]
    near: list[str]
    complete: bool


Axis = Literal["valid", "known"]


class HistoryOut(ReadAnswer):
    """Versions in order of (predicate, object or value, valid_from, recorded_at, id).

    A version was believed from ``recorded_at`` until ``superseded_at``; null is still, as known at ``known_at``.
    ``valid_at`` is null unless it was asked for; without it, ``entity`` says whether it existed at ``known_at``.
    ``next_cursor`` asks for what follows; null at the end.
    """

    valid_at: datetime | None
    known_at: datetime
    entity: EntityOut
    versions: list[BeliefOut]
    next_cursor: str | None


class ChangeOut(Answer):
    """A belief that held at both instants, and which of its fields differ."""

    fields: list[str]
    before: BeliefOut
    after: BeliefOut


class DiffOut(ReadAnswer):
    """What began, ended and changed along one axis; the other one is given, and that of the diff itself is null.

    Each belief has the evidence of the instant at which it held. ``complete`` is false where ``limit`` cut the lists.
    """

    axis: Axis
    since: Annotated[datetime, Field(alias="from")]
    to: datetime
    valid_at: datetime | None
    known_at: datetime | None
    began: list[BeliefOut]
    ended: list[BeliefOut]
    changed: list[ChangeOut]
    complete: bool
