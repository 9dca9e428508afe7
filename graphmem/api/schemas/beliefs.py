"""Beliefs with their evidence, entities and graphs as shown."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime

from graphmem.answers.beliefs import BeliefOut, EntityOut, EntityRef, EvidenceOut, GraphOut
from graphmem.api.schemas.words import stands
from graphmem.model.belief import BeliefRow, Evidence
from graphmem.model.interval import shown
from graphmem.model.recall import Graph, KnownEntity
from graphmem.reading import Standing


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
