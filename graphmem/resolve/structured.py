"""Structured claims as evidence: each brings an episode of its own, whose content is its statement."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC

from graphmem.model.claim import DETAIL, AssertedBy, Claim, ClaimStatus, status_of
from graphmem.model.dates import EVENTS, from_instant
from graphmem.model.entity import Entity, KnownAs, first_names
from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.evidence import ResolvedEvidence, StructuredClaim
from graphmem.model.fragment import STRUCTURED, ThingName
from graphmem.model.interval import BEGIN, END
from graphmem.model.projection.predicate import key_of

VERSION = "1"


def resolve_structured(
    group: str, claims: Sequence[StructuredClaim]
) -> tuple[list[Episode], list[Claim], ResolvedEvidence]:
    """Episodes and claims in the order given, and all of it as evidence; ``claims`` are complete."""
    episodes = [_episode(group, claim) for claim in claims]
    resolved = [_claim(group, claim, episode) for claim, episode in zip(claims, episodes, strict=True)]
    entities: dict[str, Entity] = {}
    known_as: list[KnownAs] = []
    for claim in claims:
        for name in (claim.subject, claim.object):
            if name is not None:
                entity = _entity(group, name, claim)
                _keep_first(entities, entity)
                known_as.append(entity.known_as(claim.user))
    return (
        episodes,
        resolved,
        ResolvedEvidence(
            entities=tuple(entities[id_] for id_ in sorted(entities)),
            mentions=(),
            claims=tuple({claim.id: claim for claim in resolved}.values()),
            known_as=first_names(known_as),
        ),
    )


def _keep_first(entities: dict[str, Entity], entity: Entity) -> None:
    known = entities.get(entity.id)
    if known is None or (entity.first_seen, entity.name) < (known.first_seen, known.name):
        entities[entity.id] = entity


def _entity(group: str, name: ThingName, claim: StructuredClaim) -> Entity:
    return Entity(
        group_id=group, type=name.type, name=name.name, first_seen=claim.occurred_at, qualifier=name.qualifier
    )


def statement_of(claim: StructuredClaim) -> str:
    """As it says itself, else made of subject, predicate, and object or value."""
    if claim.statement is not None:
        return claim.statement
    about = claim.object.name if claim.object is not None else claim.value
    words = [
        "" if claim.kind.asserts else "no longer",
        *_verb(claim),
        "" if about is None else str(about),
        _detail(claim),
    ]
    said = " ".join(word for word in words if word)
    if status_of(claim.predicate, is_open=bool(claim.open)) is ClaimStatus.NEGATED:
        return f"It is not so: {claim.subject.name} {said}."
    return f"{claim.subject.name}{':' if claim.verb or key_of(claim.predicate) else ''} {said}."


def _verb(claim: StructuredClaim) -> tuple[str, ...]:
    """The words between a subject and what is claimed of it; none of a denial, which is a clause."""
    status = status_of(claim.predicate, is_open=bool(claim.open))
    if status is ClaimStatus.NEGATED:
        return ()
    mark = "" if status is ClaimStatus.ASSERTED else ":"
    named = claim.verb or (key_of(claim.predicate) or claim.predicate).replace("_", " ")
    return (f"{named}{mark}",)


def _detail(claim: StructuredClaim) -> str:
    """What else an open claim says."""
    return str(claim.attributes.get(DETAIL) or "") if claim.open else ""


def _episode(group: str, claim: StructuredClaim) -> Episode:
    return Episode(
        group_id=group,
        session="",
        content=statement_of(claim),
        occurred_at=claim.occurred_at,
        content_type=ContentType.EVENT,
        role=EpisodeRole.SYSTEM,
        user=claim.user,
        time_zone=claim.time_zone,
        source=claim.source,
        tags=claim.tags,
        external_id=claim.external_id,
        payload=_payload(claim),
    )


def _payload(claim: StructuredClaim) -> str:
    """All that the claim says, so that the same ``external_id`` with another claim is noticed."""
    return json.dumps(
        {
            "kind": claim.kind,
            "subject": _thing(claim.subject),
            "predicate": claim.predicate,
            "object": _thing(claim.object) if claim.object else None,
            "value": claim.value,
            "valid_from": claim.valid_from.isoformat() if claim.valid_from else None,
            "from_stated": claim.from_stated,
            "valid_to": claim.valid_to.isoformat() if claim.valid_to else None,
            "confidence": claim.confidence,
            "importance": claim.importance,
            "attributes": dict(claim.attributes),
            **({"category": claim.category} if claim.category else {}),
            **({"open": True} if claim.open else {}),
            **({} if claim.asserted_by is AssertedBy.PASSING else {"asserted_by": claim.asserted_by}),
            **_event(claim),
        },
        sort_keys=True,
    )


def _event(claim: StructuredClaim) -> dict[str, list[str]]:
    """The days of an event where they do not follow from the rest of the claim, read in UTC."""
    if claim.event_to is None or claim.valid_from is None:
        return {}
    plain = from_instant(claim.valid_from, claim.valid_to, UTC)
    follows = claim.predicate in EVENTS and plain == (claim.day, claim.event_to)
    return {} if follows else {"event": [claim.day, claim.event_to.isoformat()]}


def _thing(name: ThingName) -> list[str]:
    return [name.type, name.name, *([name.qualifier] if name.qualifier else [])]


def _claim(group: str, claim: StructuredClaim, episode: Episode) -> Claim:
    subject = _entity(group, claim.subject, claim)
    resolved = Claim(
        group_id=group,
        episode_id=episode.id,
        kind=claim.kind,
        subject_id=subject.id,
        predicate=claim.predicate,
        object_id=_entity(group, claim.object, claim).id if claim.object else None,
        value=claim.value,
        statement=episode.content,
        quote=episode.content,
        quote_start=0,
        quote_end=len(episode.content),
        valid_from=claim.valid_from or BEGIN,
        valid_to=claim.valid_to or END,
        from_stated=claim.from_stated,
        to_stated=claim.valid_to is not None,
        said_at=claim.occurred_at,
        confidence=claim.confidence,
        importance=claim.importance,
        user=claim.user,
        attributes=claim.attributes,
        category=claim.category,
        extractor=STRUCTURED,
        extractor_version=VERSION,
        open=bool(claim.open),
        day=claim.day,
        event_to=claim.event_to,
        asserted_by=claim.asserted_by,
    )
    return resolved if claim.kind.asserts else replace(resolved, valid_to=END, to_stated=False)
