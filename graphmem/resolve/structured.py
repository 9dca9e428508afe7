"""Structured claims as evidence: each brings an episode of its own, whose content is its statement.

What one leaves out follows from its predicate, and of a correction from the claim that it corrects. A correction by the
same predicate is as open as the claim before, has the same verb and detail, stands beside others if that did, and
happened on the same days, unless it says otherwise. One by another predicate is a claim of its own.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC

from graphmem.errors import InvalidInput
from graphmem.model.claim import DETAIL, DID, STATED, STRUCTURED, VERB, AssertedBy, Claim, ClaimStatus, status_of
from graphmem.model.dates import EVENTS, from_instant, instants_of, zone
from graphmem.model.entity import Entity, TypedBy, as_entities, first_names
from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.evidence import ResolvedEvidence, StructuredClaim
from graphmem.model.fragment import REMEMBERED, ThingName
from graphmem.model.interval import BEGIN, END
from graphmem.model.persons import alias_of
from graphmem.model.projection.predicate import key_of
from graphmem.resolve.namesakes import entity_of

VERSION = "1"


def resolve_structured(
    group: str, claims: Sequence[StructuredClaim]
) -> tuple[list[Episode], list[Claim], ResolvedEvidence]:
    """Episodes and claims in the order given, and all of it as evidence; ``claims`` are complete."""
    episodes = [_episode(group, claim) for claim in claims]
    resolved = [_claim(group, claim, episode) for claim, episode in zip(claims, episodes, strict=True)]
    named = [
        (_entity(group, name, claim), claim.user)
        for claim in claims
        for name in (claim.subject, claim.object, alias_of(claim.subject, claim.predicate, claim.value))
        if name is not None
    ]
    return (
        episodes,
        resolved,
        ResolvedEvidence(
            entities=as_entities(entity for entity, _ in named),
            mentions=(),
            # Of equal ones the first counts: it has the place in the list that its episode has.
            claims=tuple({claim.id: claim for claim in reversed(resolved)}.values())[::-1],
            known_as=first_names(entity.known_as(user) for entity, user in named),
        ),
    )


def _entity(group: str, name: ThingName, claim: StructuredClaim) -> Entity:
    return entity_of(group, name, claim.occurred_at, TypedBy.CALLER)


def statement_of(claim: StructuredClaim) -> str:
    """The statement that a claim gives, else one made of its subject, predicate, and object or value."""
    if claim.statement is not None:
        return claim.statement
    if claim.predicate == REMEMBERED and claim.value is not None:
        return str(claim.value)
    about = claim.object.name if claim.object is not None else claim.value
    words = [
        "" if claim.kind.asserts else "no longer",
        *_verb(claim),
        "" if about is None else str(about),
        _detail(claim),
    ]
    phrase = " ".join(word for word in words if word)
    if status_of(claim.predicate, is_open=bool(claim.open)) is ClaimStatus.NEGATED:
        return f"It is not so: {claim.subject.name} {phrase}."
    return f"{claim.subject.name}{':' if claim.verb or key_of(claim.predicate) else ''} {phrase}."


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
        position=claim.position,
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
            **({"beside": True} if claim.beside else {}),
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
        turn=episode.turn,
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
        beside=bool(claim.beside),
        asserted_by=claim.asserted_by,
    )
    return resolved if claim.kind.asserts else replace(resolved, valid_to=END, to_stated=False)


_STATED = frozenset(STATED.values())
_SAYING = _STATED | {DID}
"""Predicates that stand for any verb: which of them it is, is part of how something was said."""


def complete(claim: StructuredClaim, former: Claim | None = None) -> StructuredClaim:
    """The claim with all that it leaves out; ``former`` is the claim that it corrects.

    Raises:
        InvalidInput: what it says of its status, its verb, ``open`` and its days contradicts itself.
    """
    kept = former if former is not None and _alike(claim.predicate, former.predicate) else None
    claim = _with_verb(_with_words(claim, kept))
    claim = replace(claim, open=_is_open(claim, kept), beside=_stands_beside(claim, kept))
    _check(claim)
    return _with_days(claim, kept)


def _alike(predicate: str, former: str) -> bool:
    return predicate == former or {predicate, former} <= _SAYING


def _with_words(claim: StructuredClaim, kept: Claim | None) -> StructuredClaim:
    """With the verb and the detail of an open claim before, unless it says them; null says that there are none."""
    if kept is None or not kept.open or kept.predicate != claim.predicate:
        return claim
    keys = (DETAIL,) if claim.verb is not None else (DETAIL, VERB)
    words = {key: kept.attributes[key] for key in keys if key in kept.attributes}
    return replace(claim, attributes={**words, **claim.attributes})


def _with_verb(claim: StructuredClaim) -> StructuredClaim:
    if claim.predicate != DID:
        if claim.verb is not None:
            raise InvalidInput(f"A verb goes with the predicate {DID!r} only: leave verb out, or name {DID!r}.")
        return claim
    given = claim.attributes.get(VERB)
    if claim.verb is not None and given not in (None, claim.verb):
        raise InvalidInput(f"A claim has one verb: give it as verb, and leave the attribute {VERB!r} out.")
    verb = claim.verb or str(given or "")
    if not verb:
        raise InvalidInput(f"{DID!r} does not say which verb. Add it, such as verb: 'varnish'.")
    return replace(claim, verb=verb, attributes={**claim.attributes, VERB: verb})


def _is_open(claim: StructuredClaim, kept: Claim | None) -> bool:
    """Whether a claim is open: as it says, by its status or verb, else as the claim ``kept``; by no predicate alone."""
    if claim.open is not None:
        return claim.open
    if claim.status is ClaimStatus.ASSERTED and claim.predicate in _STATED:
        return False
    return claim.predicate == DID or claim.status in STATED or (kept is not None and kept.open)


def _stands_beside(claim: StructuredClaim, kept: Claim | None) -> bool:
    """Whether a claim stands beside other values: as it says, else as the claim ``kept`` did."""
    if claim.beside is not None:
        return claim.beside
    return claim.kind.asserts and kept is not None and kept.beside


def _check(claim: StructuredClaim) -> None:
    """Raise ``InvalidInput`` where kind, status, predicate, target and ``open`` do not go together."""
    if claim.kind.is_act:
        raise InvalidInput(f"No claim {claim.kind} as such: delete a fact, correct it, or settle a conflict.")
    if claim.beside and not claim.kind.asserts:
        raise InvalidInput("What ends stands beside nothing: leave beside out.")
    status, predicate = claim.status, claim.predicate
    wanted = STATED.get(status) if status else None
    if wanted not in (None, predicate):
        raise InvalidInput(f"What is {status} has the predicate {wanted!r}, and as value what, such as 'go to Rome'.")
    if not claim.open and (wanted or predicate == DID):
        raise InvalidInput(f"What has a status or a verb is open: leave open out with the predicate {predicate!r}.")
    if not claim.open or predicate not in _STATED:
        return
    if status is ClaimStatus.ASSERTED:
        raise InvalidInput(f"An open {predicate!r} is not asserted: leave the status out, or name what is so.")
    if claim.object is not None:
        raise InvalidInput(f"An open {predicate!r} says what in words: give it as a value, and no object.")


def _with_days(claim: StructuredClaim, kept: Claim | None) -> StructuredClaim:
    """The claim with the days of its event: its own, else those of ``kept``, else the day of ``valid_from``."""
    if claim.event_to is not None:
        return claim
    if not _happens(claim):
        if claim.day:
            raise InvalidInput("Only what happened is an event: leave event out.")
        return claim
    if claim.day:
        return _on_its_days(claim)
    if kept is not None and kept.day and _says_no_other_time(claim, kept):
        when = {"valid_from": kept.valid_from, "from_stated": kept.from_stated}
        return replace(claim, **when, day=kept.day, event_to=kept.event_to)
    happens = claim.predicate in EVENTS or (kept is not None and kept.day != "")
    if not happens or not claim.from_stated or claim.valid_from is None:
        return claim
    day, event_to = from_instant(claim.valid_from, claim.valid_to, zone(claim.time_zone))
    return replace(claim, day=day, event_to=event_to)


def _on_its_days(claim: StructuredClaim) -> StructuredClaim:
    if claim.from_stated or claim.valid_to is not None:
        raise InvalidInput("An event says on which days it happened: leave valid_from and valid_to out, or event.")
    begin, end = instants_of(claim.day, zone(claim.time_zone))
    day, event_to = from_instant(begin, end, zone(claim.time_zone))
    return replace(claim, valid_from=begin, from_stated=True, day=day, event_to=event_to)


def _says_no_other_time(claim: StructuredClaim, kept: Claim) -> bool:
    return claim.valid_to is None and (not claim.from_stated or claim.valid_from == kept.valid_from)


def _happens(claim: StructuredClaim) -> bool:
    """Whether it says that something was so, or happened."""
    return claim.kind.asserts and not (claim.open and claim.predicate in _STATED)
