"""Beliefs with their evidence, entities and graphs as shown."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from graphmem.api.schemas.words import Answer, AsOf, stands
from graphmem.model.belief import BeliefRow, Evidence
from graphmem.model.claim import ClaimStatus, Scalar
from graphmem.model.interval import shown
from graphmem.model.projection.existence import Existed
from graphmem.model.recall import Graph, KnownEntity
from graphmem.reading import Standing
from graphmem.store.belief import EVIDENCE_LIMIT


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
    valid_from: datetime | None
    valid_to: datetime | None
    existed: Existed


class EntityRef(Answer):
    id: str
    type: str
    name: str


class EvidenceOut(Answer):
    """The sentence of an episode that says so; ``start`` and ``end`` count its characters (code points)."""

    claim_id: str
    kind: str
    episode_id: str
    quote: str
    start: int
    end: int
    said_at: datetime
    recorded_at: datetime
    confidence: float


class Happened(Answer):
    """When an event happened: in ``[from, to)``.

    ``day`` says how well that is known, by the calendar where it was said: a day (2025-05-03), a month (2025-05), a
    year, or first and last day (2025-05-03/2025-05-09).
    """

    day: str
    from_: Annotated[datetime, Field(alias="from")]
    to: datetime


class BeliefOut(Answer):
    """One recorded version of a belief. Null as ``valid_from`` is an unknown start, null as an end is an open one.

    ``open``: it rests on what was plainly said, by a predicate that no curated pattern or ontology knows. ``status`` is
    how that was said: only what is ``asserted`` is believed to be so; of a plan, wish, ability or denial, that it was
    said. ``event`` is when it happened, of what happened once; it goes on being true that it did. ``faded``: nobody
    used it for long, so that searches and contexts do not bring it; it is believed all the same.
    """

    id: str
    belief_id: str
    kind: Literal["relationship", "fact"]
    subject: EntityRef
    predicate: str
    object: EntityRef | None
    value: Scalar
    statement: str
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None
    from_stated: bool
    to_stated: bool
    confidence: float
    importance: float
    contested: bool
    user: str | None
    attributes: dict[str, Scalar]
    category: str | None
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


def entity_out(entity: KnownEntity, valid_at: datetime) -> EntityOut:
    return EntityOut(
        id=entity.id,
        type=entity.type,
        name=entity.name,
        qualifier=entity.qualifier,
        part_of=entity.part_of,
        protected=entity.protected,
        recorded_at=entity.recorded_at,
        valid_from=shown(entity.existence.valid_from),
        valid_to=shown(entity.existence.valid_to),
        existed=entity.existence.at(valid_at),
    )


def entity_ref(entity: KnownEntity) -> EntityRef:
    return EntityRef(id=entity.id, type=entity.type, name=entity.name)


def beliefs_out(beliefs: Iterable[BeliefRow], entities: Iterable[KnownEntity]) -> list[BeliefOut]:
    known = {entity.id: entity_ref(entity) for entity in entities}
    return [_belief_out(belief, known) for belief in beliefs]


def graph_out(graph: Graph, valid_at: datetime, known_at: datetime, *, standing: Standing) -> GraphOut:
    return GraphOut(
        valid_at=valid_at,
        known_at=known_at,
        **stands(standing),
        entities=[entity_out(entity, valid_at) for entity in graph.entities],
        beliefs=beliefs_out(graph.beliefs, graph.entities),
        complete=graph.complete,
    )


def _belief_out(belief: BeliefRow, entities: Mapping[str, EntityRef]) -> BeliefOut:
    return BeliefOut.model_validate(
        {
            "id": belief.id,
            "belief_id": belief.belief_id,
            "kind": belief.kind,
            "subject": entities[belief.subject_id],
            "predicate": belief.predicate,
            "object": entities[belief.object_id] if belief.object_id else None,
            "value": belief.value,
            "statement": belief.statement,
            "valid_from": shown(belief.valid_from),
            "valid_to": shown(belief.valid_to),
            "recorded_at": belief.recorded_at,
            "superseded_at": shown(belief.superseded_at),
            "from_stated": belief.from_stated,
            "to_stated": belief.to_stated,
            "confidence": belief.confidence,
            "importance": belief.importance,
            "contested": belief.contested,
            "user": belief.user or None,
            "attributes": json.loads(belief.attributes),
            "category": belief.category or None,
            "open": belief.open,
            "status": belief.status,
            "event": _happened(belief),
            "faded": belief.faded,
            "evidence": [evidence_out(evidence) for evidence in belief.evidence],
        }
    )


def _happened(belief: BeliefRow) -> dict[str, object] | None:
    if belief.event_to is None:
        return None
    return {"day": belief.day, "from": belief.valid_from, "to": belief.event_to}


def evidence_out(evidence: Evidence) -> EvidenceOut:
    return EvidenceOut(
        claim_id=evidence.claim_id,
        kind=evidence.kind,
        episode_id=evidence.episode_id,
        quote=evidence.quote,
        start=evidence.quote_start,
        end=evidence.quote_end,
        said_at=evidence.said_at,
        recorded_at=evidence.recorded_at,
        confidence=evidence.confidence,
    )
