"""Domain objects as parameters of queries."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from neo4j.vector import Vector as NativeVector

from graphmem.model.acts import SharedValue
from graphmem.model.belief import Belief
from graphmem.model.claim import AssertedBy, Claim, Scalar, attribute_text, attributes_json
from graphmem.model.embedding import Vector
from graphmem.model.entity import Entity, KnownAs
from graphmem.model.episode import Episode, EpisodeStatus, Reprocessing
from graphmem.model.evidence import Digested
from graphmem.model.fact import Use
from graphmem.model.ids import audience_token, digest, name_id, own_session_id, session_id, session_token
from graphmem.model.interval import BEGIN
from graphmem.model.merge import Merge, Opinion
from graphmem.model.projection.existence import Existence
from graphmem.model.projection.identity import Identities
from graphmem.model.projection.slot import Slot
from graphmem.model.scope import EVERYBODY, Scope
from graphmem.store.instants import as_text
from graphmem.store.rows.episode import CHARS_READ

PAGE_CHARS = 4_000_000
"""Characters of texts after which an answer ends."""


def at(scope: Scope) -> dict[str, datetime]:
    """The four comparisons' two parameters; no caller builds them elsewhere."""
    return {"valid_at": scope.valid_at, "known_at": scope.known_at}


def of_beliefs(scope: Scope) -> dict[str, Any]:
    """The same, and which beliefs the reader takes."""
    return {**at(scope), "open": scope.kinds_of_claims}


def of_recall(scope: Scope) -> dict[str, Any]:
    """The same, and what must not have faded."""
    return {**of_beliefs(scope), "awake_at": scope.awake_at}


def as_vector(vector: Vector) -> NativeVector:
    """As float32 in bytes: the driver takes lists float by float, and writes each out for a log that nobody reads."""
    return NativeVector.from_native(vector, "f32")


def entity_row(entity: Entity, *, lock: bool) -> dict[str, Any]:
    return {
        "id": entity.id,
        "type": entity.type,
        "key": entity.key,
        "qualifier": entity.qualifier,
        "name": entity.name,
        "first_seen": as_text(entity.first_seen),
        "labels": [entity.label] if entity.label else [],
        "lock": lock,
    }


def known_as_row(known_as: KnownAs) -> dict[str, str]:
    """A row of a name by entity and user; ``entity/user`` finds it again."""
    return {
        "id": name_id(known_as.entity_id, known_as.user),
        "entity_id": known_as.entity_id,
        "user": known_as.user,
        "name": known_as.name,
        "said_at": as_text(known_as.said_at),
    }


def name_row(entity: Entity, keys: Iterable[str]) -> dict[str, Any]:
    return {
        "id": entity.id,
        "name": entity.name,
        "first_seen": as_text(entity.first_seen),
        "keys": " ".join(sorted(keys)) or None,
    }


def digested_row(digested: Digested, outcome: str) -> dict[str, Any]:
    return {
        "id": digested.episode_id,
        "status": EpisodeStatus.REFINING if digested.provisional else EpisodeStatus.DIGESTED,
        "low_yield": digested.low_yield or None,
        "context_turns": digested.context_turns or None,
        "outcome": outcome,
        "embedding": digested.embedding and as_vector(digested.embedding),
    }


def progress_row(digested: Digested, outcome: str) -> dict[str, Any]:
    """An episode of which a piece was digested, and more follow."""
    return {"id": digested.episode_id, "cursor": json.dumps({CHARS_READ: digested.end}), "outcome": outcome}


def named_ends(claims: Iterable[Claim]) -> Iterator[tuple[str, str, str]]:
    """The ends of claims, each named in a session, by or for a user."""
    for claim in claims:
        for id_ in (claim.subject_id, claim.object_id):
            if id_ is not None:
                yield id_, claim.session, claim.user


def slot_rows(slots: Iterable[Slot], identities: Identities) -> list[dict[str, Any]]:
    """Slots as ``slots`` takes them: with the ids of all entities that subject and target stand for."""
    return [
        {
            "user": slot.user,
            "subject_id": slot.subject_id,
            "subject_ids": identities.members(slot.subject_id, user=slot.user),
            "predicate": slot.predicate,
            "target": slot.target or "",
            "targets": identities.members(slot.target or "", user=slot.user),
            "open": slot.open,
            "day": slot.day,
            "distinguished_by": list(slot.distinguished_by),
        }
        for slot in slots
    ]


def _attributes(attributes: Mapping[str, Scalar]) -> dict[str, Any]:
    lists = {name: found or None for name, found in attribute_lists(attributes).items()}
    return {"attributes": attributes_json(attributes), **lists}


def attribute_lists(attributes: Mapping[str, Scalar]) -> dict[str, list[str]]:
    """Attributes as Cypher can compare them: which keys have a value, and, at the same place, key and value."""
    said = {key: value for key, value in sorted(attributes.items()) if value is not None}
    return {"attribute_keys": list(said), "attribute_values": [attribute_text(key, said[key]) for key in said]}


def claim_row(claim: Claim, embedding: Vector | None) -> dict[str, Any]:
    return {
        "embedding": embedding and as_vector(embedding),
        "valid_from": as_text(claim.valid_from),
        "valid_to": as_text(claim.valid_to),
        "said_at": as_text(claim.said_at),
        "event_to": claim.event_to and as_text(claim.event_to),
        "properties": {
            "id": claim.id,
            "episode_id": claim.episode_id,
            "kind": claim.kind,
            "subject_id": claim.subject_id,
            "predicate": claim.predicate,
            "object_id": claim.object_id,
            "value": claim.value,
            "target": claim.target,
            "statement": claim.statement,
            "quote": claim.quote,
            "quote_start": claim.quote_start,
            "quote_end": claim.quote_end,
            "from_stated": claim.from_stated,
            "to_stated": claim.to_stated,
            "confidence": claim.confidence,
            "importance": claim.importance,
            "user": claim.user,
            "session": claim.session or None,
            "category": claim.category,
            **_attributes(claim.attributes),
            "extractor": claim.extractor,
            "extractor_version": claim.extractor_version,
            "revision": claim.revision or None,
            "open": claim.open or None,
            "day": claim.day or None,
            "asserted_by": None if claim.asserted_by is AssertedBy.PASSING else claim.asserted_by,
            "protecting": claim.protecting or None,
            "cap": claim.cap,
            "gave_way_to": claim.gave_way_to or None,
        },
    }


def belief_row(belief: Belief, use: Use, now: datetime, *, shared: bool) -> dict[str, Any]:
    claim = belief.first
    audience = EVERYBODY if shared else claim.user
    return {
        "claim_id": claim.id,
        "valid_from": as_text(belief.interval.start),
        "valid_to": as_text(belief.interval.end),
        "event_to": claim.event_to and as_text(claim.event_to),
        "fades_at": as_text(use.fades_at),
        "anchored_at": as_text(use.anchored_at),
        "last_accessed": use.last_accessed and as_text(use.last_accessed),
        "rejected_before": _unless_never(belief.rejected_before),
        "dropped_before": _unless_never(belief.dropped_before),
        "subject_id": belief.subject_id,
        "object_id": belief.object_id,
        "properties": {
            "id": digest(belief.id, now),
            "belief_id": belief.id,
            "fingerprint": belief.fingerprint,
            "subject_id": belief.subject_id,
            "predicate": claim.predicate,
            "object_id": belief.object_id,
            "value": claim.value,
            "target": belief.target,
            "user": claim.user,
            "audience": audience,
            "audience_token": audience_token(claim.group_id, audience),
            "statement": claim.statement,
            **_attributes(belief.attributes),
            "category": belief.category,
            "confidence": belief.confidence,
            "importance": belief.importance,
            "contested": belief.contested,
            "from_stated": belief.from_stated,
            "to_stated": belief.to_stated,
            "bound": belief.bound,
            "open": claim.open,
            "day": claim.day or None,
            "protected": belief.protected or None,
            "access_count": use.access_count or None,
        },
    }


def extended_row(id_: str, use: Use) -> dict[str, str]:
    """A row as ``extend_beliefs`` takes it."""
    return {"id": id_, "fades_at": as_text(use.fades_at), "anchored_at": as_text(use.anchored_at)}


def reprocessing_text(reprocessing: Reprocessing) -> str:
    """How an episode is to be read again, as episodes keep it."""
    return json.dumps(asdict(reprocessing))


def shared_row(value: SharedValue) -> dict[str, Any]:
    """A value as ``share_values`` takes it."""
    return {
        "id": value.id,
        "properties": {
            "user": value.user,
            "subject_id": value.subject_id,
            "predicate": value.predicate,
            "target": value.target,
            "object_id": value.object_id,
            "day": value.day,
            "open": value.open,
        },
    }


def audience_row(group: str, id_: str, audience: str) -> dict[str, str]:
    """Who may see a row, as ``set_audiences`` takes it."""
    return {"id": id_, "audience": audience, "audience_token": audience_token(group, audience)}


def _unless_never(instant: datetime) -> str | None:
    return None if instant == BEGIN else as_text(instant)


def existence_row(id_: str, existence: Existence | None) -> dict[str, Any]:
    """An entity as ``keep_existence`` takes it; None of which no belief tells."""
    return {
        "id": id_,
        "valid_from": existence and as_text(existence.valid_from),
        "valid_to": existence and as_text(existence.valid_to),
    }


def merge_row(merge: Merge, now: datetime) -> dict[str, Any]:
    first, second = merge.pair
    return {
        "member": merge.member,
        "other": merge.other,
        "properties": {
            "id": merge.id_at(now),
            "user": merge.user,
            "session": merge.session,
            "first_id": first,
            "second_id": second,
            "method": merge.method,
            "stage": merge.stage,
            "score": merge.score,
            "reason": merge.reason,
        },
    }


def judgement_row(opinion: Opinion) -> dict[str, Any]:
    judgement = opinion.judgement
    return {
        "id": opinion.id,
        "first_id": judgement.a,
        "second_id": judgement.b,
        "properties": {
            "first_id": judgement.a,
            "second_id": judgement.b,
            "user": opinion.user,
            "session": opinion.session,
            "verdict": judgement.verdict,
            "method": judgement.method,
            "stage": judgement.stage,
            "score": judgement.score,
            "probability": judgement.probability,
            "contributions": json.dumps([asdict(one) for one in judgement.contributions]),
            "vetoes": list(judgement.vetoes),
            "reason": opinion.reason,
            "refused": opinion.refused,
            "pending": opinion.pending,
            "evidence": opinion.evidence,
        },
    }


def own_id_of(episode: Episode) -> str | None:
    """The id of the session that an episode is of; None of one that is of none."""
    return own_session_id(episode.group_id, episode.session, episode.user) if episode.session else None


def episode_row(episode: Episode, position: int, call_id: str | None) -> dict[str, Any]:
    """An episode as ``remember_episodes`` takes it; ``position`` is its place in the request."""
    return {
        "id": episode.id,
        "position": position,
        "call_id": call_id,
        "session_id": session_id(episode.group_id, episode.session) if episode.session else None,
        "own_session_id": own_id_of(episode),
        "occurred_at": as_text(episode.occurred_at),
        "properties": {
            "content": episode.content,
            "content_type": episode.content_type,
            "session": episode.session,
            "role": episode.role,
            "speaker": episode.speaker,
            "user": episode.user,
            "audience": episode.user,
            "audience_token": audience_token(episode.group_id, episode.user),
            "session_token": session_token(episode.group_id, episode.session),
            "source": episode.source,
            "tags": list(episode.tags),
            "metadata": json.dumps(episode.metadata),
            "sequence": episode.sequence,
            "external_id": episode.external_id,
            "payload": episode.payload,
            "time_zone": episode.time_zone,
            "fingerprint": episode.fingerprint,
        },
    }
