"""Domain objects as parameters of queries."""

import json
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

from neo4j.vector import Vector as NativeVector
from pydantic import TypeAdapter

from graphmem.model.acts import SharedValue
from graphmem.model.belief import Belief
from graphmem.model.claim import NEVER, AssertedBy, Claim, Scalar, Telling, attribute_text, attributes_json
from graphmem.model.embedding import EmbeddedPassage, Vector
from graphmem.model.entity import Entity, KnownAs, SaidType
from graphmem.model.entity_summary import StoredEntitySummary
from graphmem.model.episode import Episode, EpisodeStatus, Reprocessing
from graphmem.model.evidence import ALL, ChangeOutcome, Digested
from graphmem.model.fact import Use
from graphmem.model.ids import audience_token, digest, group_token, name_id, own_session_id, session_id, session_token
from graphmem.model.merge import Merge, Opinion
from graphmem.model.projection.existence import Existence
from graphmem.model.projection.identity import Identities
from graphmem.model.projection.slot import Slot
from graphmem.model.reflection import StoredReflection
from graphmem.model.scope import EVERYBODY
from graphmem.model.summary import StoredSummary
from graphmem.store.instants import as_text
from graphmem.store.rows.episode import CHARS_READ

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

PAGE_CHARS = 4_000_000
"""Characters of texts after which an answer ends."""


_OUTCOME: TypeAdapter[ChangeOutcome] = TypeAdapter(ChangeOutcome)


def as_vector(vector: Vector | None) -> NativeVector | None:
    """As float32 in bytes: the driver takes lists float by float, and writes each out for a log that nobody reads."""
    return None if vector is None else NativeVector.from_native(vector, "f32")


def properties_of(thing: object, *names: str) -> dict[str, Any]:
    """Properties of a thing, as they are."""
    return {name: getattr(thing, name) for name in names}


def _fields(thing: "DataclassInstance", *, but: Container[str]) -> dict[str, Any]:
    """The fields of a thing, as they are, ``but`` for those that are stored otherwise or elsewhere."""
    return {field.name: getattr(thing, field.name) for field in fields(thing) if field.name not in but}


def text_row(text: StoredEntitySummary | StoredReflection | StoredSummary) -> dict[str, Any]:
    """Whose a text is that was made of a group, and who may see it."""
    audience = {"audience": text.user, "audience_token": audience_token(text.group_id, text.user)}
    return {"id": text.id, "user": text.user, "group_token": group_token(text.group_id), **audience}


def sentences_json(sentences: Iterable["DataclassInstance"]) -> str:
    """The sentences of a text with what each rests on, as they are stored."""
    return json.dumps([asdict(sentence) for sentence in sentences], default=lambda instant: instant.isoformat())


def stamp_rows(stamps: Mapping[str, str]) -> list[dict[str, str]]:
    """Subjects of claims, by id, with their newest stamps."""
    return [{"id": id_, "stamp": stamp} for id_, stamp in sorted(stamps.items())]


def entity_row(entity: Entity, *, lock: bool) -> dict[str, Any]:
    named = {"first_seen": as_text(entity.first_seen), "lock": lock}
    return properties_of(entity, "id", "key", "qualifier", "name") | named


def known_as_row(known_as: KnownAs) -> dict[str, Any]:
    """A row of a name and type by entity and user; ``entity/user`` finds it again."""
    return properties_of(known_as, "entity_id", "user", "name") | {
        "id": name_id(known_as.entity_id, known_as.user),
        "said_at": as_text(known_as.said_at),
        "said_type": said_type_row(known_as.said_type),
    }


def said_type_row(said_type: SaidType) -> dict[str, Any]:
    return properties_of(said_type, "type", "typed_by") | {"said_at": as_text(said_type.said_at)}


def type_row(entity_id: str, said_type: SaidType) -> dict[str, Any]:
    return {"id": entity_id, "said_type": said_type_row(said_type)}


def name_row(entity: Entity, keys: Iterable[str]) -> dict[str, Any]:
    named = {"first_seen": as_text(entity.first_seen), "keys": " ".join(sorted(keys)) or None}
    return properties_of(entity, "id", "name") | named


def digested_row(digested: Digested, outcome: str) -> dict[str, Any]:
    return {
        "id": digested.episode_id,
        "status": EpisodeStatus.REFINING if digested.provisional else EpisodeStatus.DIGESTED,
        "low_yield": digested.low_yield or None,
        "context_turns": digested.context_turns or None,
        "outcome": outcome,
        "embedding": as_vector(digested.embedded.embedding),
        "passages": passage_rows(digested.episode_id, digested.embedded.passages),
    }


def passage_rows(episode_id: str, passages: Iterable[EmbeddedPassage]) -> list[dict[str, Any]]:
    """Passages as they are written."""
    return [
        {
            "id": digest("passage", episode_id, passage.start, passage.end),
            "properties": properties_of(passage, "start", "end") | {"content": passage.text},
            "embedding": as_vector(passage.embedding),
        }
        for passage in passages
    ]


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
        asdict(slot)
        | {
            "subject_ids": identities.members(slot.subject_id, user=slot.user),
            "target": slot.target or "",
            "targets": identities.members(slot.target or "", user=slot.user),
            "distinguished_by": list(slot.distinguished_by),
        }
        for slot in slots
    ]


def _attributes(attributes: Mapping[str, Scalar]) -> dict[str, Any]:
    lists = {name: texts or None for name, texts in attribute_lists(attributes).items()}
    return {"attributes": attributes_json(attributes), **lists}


def attribute_lists(attributes: Mapping[str, Scalar]) -> dict[str, list[str]]:
    """Attributes as Cypher can compare them: which keys have a value, and, at the same place, key and value."""
    values = {key: value for key, value in sorted(attributes.items()) if value is not None}
    return {"attribute_keys": list(values), "attribute_values": [attribute_text(key, values[key]) for key in values]}


_BESIDE_CLAIM = ("group_id", "valid_from", "valid_to", "said_at", "event_to", "attributes", "asserted_by", "turn")
_OF_FEW_CLAIMS = (
    *("session", "revision", "open", "day", "beside", "protecting", "gave_way_to", "from_precision", "time_unread"),
)
"""What most claims have not: it is stored of the others."""


def claim_row(claim: Claim, embedding: Vector | None) -> dict[str, Any]:
    few = {name: value or None for name, value in properties_of(claim, *_OF_FEW_CLAIMS).items()}
    asserted_by = None if claim.asserted_by is AssertedBy.PASSING else claim.asserted_by
    return {
        "embedding": as_vector(embedding),
        "valid_from": as_text(claim.valid_from),
        "valid_to": as_text(claim.valid_to),
        "said_at": as_text(claim.said_at),
        "event_to": claim.event_to and as_text(claim.event_to),
        "properties": _fields(claim, but=_BESIDE_CLAIM)
        | properties_of(claim, "id", "target")
        | few
        | _attributes(claim.attributes)
        | {"asserted_by": asserted_by, "turn": list(claim.turn)},
    }


_BESIDE_BELIEF = ("first", "attributes", "interval", "protected", "rejected_before", "dropped_before", "supported_by")


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
        "properties": _fields(belief, but=_BESIDE_BELIEF)
        | properties_of(claim, "predicate", "value", "user", "statement", "open")
        | _attributes(belief.attributes)
        | {
            "id": digest(belief.id, now),
            "belief_id": belief.id,
            "fingerprint": belief.fingerprint,
            "audience": audience,
            "audience_token": audience_token(claim.group_id, audience),
            "day": claim.day or None,
            "cut_by": belief.cut_by or None,
            "protected": belief.protected or None,
            "access_count": use.access_count or None,
            **_place_of("rejected", belief.rejected_before),
            **_place_of("dropped", belief.dropped_before),
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
    names = ("user", "subject_id", "predicate", "target", "object_id", "day", "open")
    return {"id": value.id, "properties": properties_of(value, *names)}


def audience_row(group: str, id_: str, audience: str) -> dict[str, str]:
    """Who may see a row, as ``set_audiences`` takes it."""
    return {"id": id_, "audience": audience, "audience_token": audience_token(group, audience)}


def _unless_never(telling: Telling) -> str | None:
    return None if telling == NEVER else as_text(telling.at)


def _place_of(act: str, telling: Telling) -> dict[str, Any]:
    """Where in what was said at its instant an act was said; nothing of one that nobody made."""
    return {} if telling == NEVER else {f"{act}_turn": list(telling.turn), f"{act}_start": telling.start}


def existence_row(id_: str, existence: Existence | None) -> dict[str, Any]:
    """An entity as ``keep_existence`` takes it; None of which no belief tells."""
    return {
        "id": id_,
        "valid_from": existence and as_text(existence.valid_from),
        "valid_to": existence and as_text(existence.valid_to),
    }


def merge_row(merge: Merge, now: datetime) -> dict[str, Any]:
    first, second = merge.pair
    properties = properties_of(merge, "user", "session", "method", "stage", "score", "reason")
    pair = {"id": merge.id_at(now), "first_id": first, "second_id": second}
    return {"member": merge.member, "other": merge.other, "properties": properties | pair}


def judgement_row(opinion: Opinion) -> dict[str, Any]:
    judgement = opinion.judgement
    pair = {"first_id": judgement.a, "second_id": judgement.b}
    judged = {
        "contributions": json.dumps([asdict(contribution) for contribution in judgement.contributions]),
        "vetoes": list(judgement.vetoes),
    }
    properties = (
        properties_of(opinion, "user", "session", "reason", "refused", "pending", "evidence")
        | properties_of(judgement, "verdict", "method", "stage", "score", "probability")
        | judged
    )
    return {"id": opinion.id, **pair, "properties": pair | properties}


def own_id_of(episode: Episode) -> str | None:
    """The id of the session that an episode is of; None of one that is of none."""
    return own_session_id(episode.group_id, episode.session, episode.user) if episode.session else None


_BESIDE_EPISODE = (
    *("group_id", "occurred_at", "agent", "idempotency_key", "item", "position", "occurrence"),
    *("redacted_at", "redacted_as"),
)


def episode_row(episode: Episode, call_id: str | None) -> dict[str, Any]:
    """An episode as ``remember_episodes`` takes it."""
    return {
        "id": episode.id,
        "call_id": call_id,
        "session_id": session_id(episode.group_id, episode.session) if episode.session else None,
        "own_session_id": own_id_of(episode),
        "occurred_at": as_text(episode.occurred_at),
        "properties": _fields(episode, but=_BESIDE_EPISODE)
        | {
            "fingerprint": episode.fingerprint,
            "position": episode.position or 0,
            "occurrence": episode.occurrence or None,
            "put_keys": list(episode.put_keys) or None,
            "turn": list(episode.turn),
            "audience": episode.user,
            "audience_token": audience_token(episode.group_id, episode.user),
            "session_token": session_token(episode.group_id, episode.session),
            "tags": list(episode.tags),
            "metadata": json.dumps(episode.metadata),
            "remember": episode.remember or None,
        },
    }


def outcome_json(outcome: ChangeOutcome, digested: Digested) -> str:
    """What stands on the episode afterwards, as JSON."""
    return json.dumps(
        properties_of(outcome, "entities", "new_entities", "mentions", "claims", "recorded", "superseded")
        | {
            "dropped": dict(outcome.dropped),
            "unread_times": list(outcome.unread_times),
            "remarks": list(outcome.remarks),
            "milliseconds": outcome.milliseconds,
            "extractor": digested.extractor,
            "extractor_version": digested.extractor_version,
            "provisional": digested.provisional,
            "chars_read": None if digested.end == ALL else digested.end,
            "usage": asdict(outcome.usage) if outcome.usage else None,
            "unread": dict(outcome.unread),
        }
    )


def read_outcome(stored: Mapping[str, object] | None) -> ChangeOutcome:
    """The counts, times and usage that stand on an episode; nothing where it has none."""
    return ChangeOutcome() if stored is None else _OUTCOME.validate_python(stored)
