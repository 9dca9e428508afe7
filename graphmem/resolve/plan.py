"""A fragment, resolved: every proposed name becomes an entity, every proposed claim a claim on entities.

Resolution is exact: the same group, type and normalised name is the same entity, unless the text says that it is
another one.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime

from graphmem.model.claim import Claim
from graphmem.model.entity import Entity, Mention, first_names
from graphmem.model.episode import Episode, StoredEpisode
from graphmem.model.event import written_days
from graphmem.model.evidence import ResolvedEvidence
from graphmem.model.fragment import AS_PACKAGED, Admission, Fragment, ProposedClaim, ThingName
from graphmem.model.interval import BEGIN, END
from graphmem.resolve.others import with_others


def resolve(stored: StoredEpisode, fragment: Fragment, admission: Admission = AS_PACKAGED) -> ResolvedEvidence:
    """The evidence that a fragment amounts to.

    Facts below what ``admission`` asks for are left out and counted.

    Claims whose stated times contradict each other, and claims of a thing about itself, are dropped and counted; so is
    one of two that differ in nothing but their attributes: the same words claim one thing.
    """
    episode, fragment = stored.episode, with_others(stored, fragment)
    faults = [(claim, _fault(claim, episode, admission)) for claim in fragment.claims]
    proposed = [claim for claim, fault in faults if fault is None]
    claims, same_words = dict[str, Claim](), 0
    for claim in (_claim(stored, fragment, one) for one in proposed):
        same_words += claim.id in claims and claims[claim.id].attributes != claim.attributes
        claims[claim.id] = claim
    mentions = dict.fromkeys(
        Mention(
            episode_id=stored.id,
            entity_id=_entity(episode, proposal.entity).id,
            start=proposal.start,
            end=proposal.end,
            text=episode.content[proposal.start : proposal.end],
        )
        for proposal in fragment.mentions
    )
    entities = _entities(episode, _names(fragment, proposed))
    return ResolvedEvidence(
        entities=entities,
        mentions=tuple(mentions),
        claims=tuple(claims.values()),
        dropped=Counter(fault for _, fault in faults if fault is not None) + Counter(same_words=same_words),
        known_as=first_names(entity.known_as(episode.user) for entity in entities),
    )


def _names(fragment: Fragment, claims: Iterable[ProposedClaim]) -> Iterable[ThingName]:
    for mention in fragment.mentions:
        yield mention.entity
    for claim in claims:
        yield claim.subject
        if claim.object is not None:
            yield claim.object


def _entities(episode: Episode, names: Iterable[ThingName]) -> tuple[Entity, ...]:
    """One entity an identity; of several spellings in one episode the smallest stands, whatever their order."""
    found: dict[str, Entity] = {}
    for entity in (_entity(episode, name) for name in names):
        known = found.get(entity.id)
        if known is None or entity.name < known.name:
            found[entity.id] = entity
    return tuple(found[id_] for id_ in sorted(found))


def _entity(episode: Episode, name: ThingName) -> Entity:
    return Entity(
        group_id=episode.group_id,
        type=name.type,
        name=" ".join(name.name.split()),
        first_seen=episode.occurred_at,
        qualifier=name.qualifier,
    )


def _fault(claim: ProposedClaim, episode: Episode, admission: Admission) -> str | None:
    """Why it is no claim; None if it is one."""
    if not admission.admits(claim):
        return "not_admitted"
    if claim.object is not None and _entity(episode, claim.object).id == _entity(episode, claim.subject).id:
        return "about_itself"
    return None if _start(claim, episode) < (claim.valid_to or END) else "contradicting_times"


def _start(claim: ProposedClaim, episode: Episode) -> datetime:
    """As the text says; else when it was said; unknown of what was over by then: “I lived in Rome until 2015”."""
    if claim.valid_from is not None:
        return claim.valid_from
    over = claim.kind.asserts and claim.valid_to is not None and claim.valid_to <= episode.occurred_at
    return BEGIN if over else episode.occurred_at


def _claim(stored: StoredEpisode, fragment: Fragment, proposed: ProposedClaim) -> Claim:
    episode = stored.episode
    quote = episode.content[proposed.quote_start : proposed.quote_end]
    asserts = proposed.kind.asserts
    return Claim(
        group_id=episode.group_id,
        episode_id=stored.id,
        kind=proposed.kind,
        subject_id=_entity(episode, proposed.subject).id,
        predicate=proposed.predicate,
        object_id=None if proposed.object is None else _entity(episode, proposed.object).id,
        value=proposed.value,
        statement=proposed.statement,
        quote=quote,
        quote_start=proposed.quote_start,
        quote_end=proposed.quote_end,
        valid_from=_start(proposed, episode),
        valid_to=proposed.valid_to or END if asserts else END,
        from_stated=proposed.valid_from is not None,
        to_stated=asserts and proposed.valid_to is not None,
        said_at=episode.occurred_at,
        confidence=proposed.confidence,
        importance=proposed.importance,
        user=episode.user,
        session=episode.session,
        attributes=dict(proposed.attributes),
        category=proposed.category,
        extractor=fragment.extractor,
        extractor_version=fragment.version,
        open=proposed.open,
        asserted_by=proposed.asserted_by,
        day="" if proposed.event is None else written_days(*proposed.event),
        event_to=None if proposed.event is None else proposed.event[1].astimezone(UTC),
    )
