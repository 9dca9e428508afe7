"""Whom a short name means in each session: a function of what is named where, and of who is who.

A fuller name of the same session decides; else one that the user named by then; else one that everybody may know by
then. The first of the three that has any decides, even if it has several: then nobody can say whom it means.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.model.claim import ClaimKind
from graphmem.model.entity import Entity
from graphmem.model.episode import Episode
from graphmem.model.evidence import ResolvedEvidence
from graphmem.model.matching import FAMILY, FamilyTie, MatchProfile, Method, Stage, Verdict, pair_of
from graphmem.model.merge import Merge, Named, Opinion, PossibleMeanings, SaidShort, ShortName
from graphmem.model.projection.identity import Identities
from graphmem.model.recall import KnownEntity
from graphmem.model.scope import EVERYBODY
from graphmem.resolve.matching.contrasts import contrast
from graphmem.resolve.matching.vetoes import is_naming, is_part_of, is_short_name, short_of, told_to_differ

ReadEpisode = tuple[Episode, ResolvedEvidence]
"""An episode, and what was read of it."""
_APART = (Method.HUMAN, Method.IDENTIFIER)
_ENDED = (ClaimKind.ENDS, ClaimKind.REJECTS)
_NO_TIES = frozenset[FamilyTie]()
_Apart = tuple[str, str, str | None]
"""Whom a short name does not mean, to which user, in which session; None: in all."""


def meant(short: ShortName, opinions: Iterable[Opinion], who: Identities) -> frozenset[Merge]:
    """The merges of a short name, one for each session and user in which it means one."""
    apart = {
        (id_, opinion.user, opinion.session)
        for opinion in opinions
        if opinion.judgement.verdict is Verdict.DIFFERENT and opinion.judgement.method in _APART
        for id_ in opinion.judgement.pair
        if short.id in opinion.judgement.pair and id_ in short.fuller
    }
    by_place = {place: _meant(short, *place, by_then, apart, who) for place, by_then in _places(short).items()}
    merges = (merge for merge in by_place.values() if merge is not None)
    return frozenset(
        merge for merge in merges if not _is_everybodys(merge, by_place.get((merge.session or "", EVERYBODY)))
    )


def said_short(episode: Episode, evidence: ResolvedEvidence) -> list[SaidShort]:
    """The short names of persons in what an episode of a session claims."""
    ends = {id_ for claim in evidence.claims for id_ in (claim.subject_id, claim.object_id)}
    profiles = [profile_of(entity) for entity in evidence.entities if episode.session and entity.id in ends]
    return [
        SaidShort(
            profile=profile,
            session=episode.session,
            user=episode.user,
            said_at=episode.occurred_at,
            apart=frozenset(_told_apart(profile.id, episode, evidence)),
        )
        for profile in profiles
        if is_short_name(profile)
    ]


def profile_of(entity: Entity | KnownEntity) -> MatchProfile:
    """An entity as far as its name goes."""
    return MatchProfile(
        id=entity.id,
        type=entity.type,
        name=entity.name,
        qualifier=entity.qualifier,
        names=frozenset({entity.name}),
        first_seen=entity.first_seen if isinstance(entity, Entity) else entity.recorded_at,
    )


def family_ties(readings: Iterable[ReadEpisode]) -> Mapping[str, frozenset[FamilyTie]]:
    """What was just read that entities are to others, by their ids."""
    ties = defaultdict[str, set[FamilyTie]](set)
    for claim in (claim for _, evidence in readings for claim in evidence.claims):
        if claim.object_id is not None and claim.predicate in FAMILY and claim.kind is not ClaimKind.LOWERS:
            ended = claim.kind in _ENDED
            ties[claim.object_id].add(
                FamilyTie(predicate=claim.predicate, of=claim.subject_id, user=claim.user, ended=ended)
            )
    return {id_: frozenset(some) for id_, some in ties.items()}


def _told_apart(id_: str, episode: Episode, evidence: ResolvedEvidence) -> Iterator[str]:
    """The entities to which the episode ties somebody, or from which it tells them apart by the words between."""
    for claim in evidence.claims:
        ends = {claim.subject_id, claim.object_id}
        if id_ in ends and not is_naming(claim.predicate):
            yield from (end for end in ends if end not in (id_, None))
    places = defaultdict[str, set[tuple[int, int]]](set)
    for mention in evidence.mentions:
        places[mention.entity_id].add((mention.start, mention.end))
    its = places.pop(id_, set())
    yield from (other for other, others in places.items() if contrast(episode.content, its, others))


def beside(
    saying: SaidShort,
    possible: PossibleMeanings,
    readings: Iterable[ReadEpisode],
    ties: Mapping[str, frozenset[FamilyTie]],
) -> PossibleMeanings:
    """The possible meanings of a short name, with whom the episodes name that were just read, and their ``ties``."""
    named = {
        (Named(entity_id=entity.id, session=episode.session, user=episode.user, first=episode.occurred_at), entity)
        for episode, evidence in readings
        for entity in evidence.entities
        if entity.id != saying.profile.id
    }
    profiles = {profile.id: profile for profile in (*(profile_of(entity) for _, entity in named), *possible.profiles)}
    return replace(
        possible,
        profiles=[
            replace(profile, family=profile.family | ties.get(profile.id, _NO_TIES)) for profile in profiles.values()
        ],
        named=possible.named.union(naming for naming, _ in named),
        family=possible.family | ties.get(saying.profile.id, _NO_TIES),
    )


def short_name(saying: SaidShort, possible: PossibleMeanings) -> ShortName:
    """All that decides on a short name where it is said for the first time."""
    fuller = [profile for profile in possible.profiles if short_of(saying.profile, profile)]
    ids = frozenset(profile.id for profile in fuller)
    protected = {profile.id for profile in fuller if profile.protected}
    first = Named(entity_id=saying.profile.id, session=saying.session, user=saying.user, first=saying.said_at)
    return ShortName(
        id=saying.profile.id,
        fuller=ids,
        parts_of=parts_of(fuller),
        named=frozenset(naming for naming in possible.named if naming.entity_id in ids) | {first},
        told_apart=frozenset((saying.session, id_) for id_ in saying.apart),
        two=two_persons(possible.family, fuller),
        protected=frozenset(protected | ({saying.profile.id} if possible.protected else set())),
    )


def has_role(family: Iterable[FamilyTie], user: str) -> bool:
    """Whether somebody is something to another, as far as a user is told: “my Tom” is the husband, and nobody else."""
    return any(tie.user in (EVERYBODY, user) and not tie.ended for tie in family)


def two_persons(family: Iterable[FamilyTie], fuller: Iterable[MatchProfile]) -> frozenset[tuple[str, str]]:
    """To which users those of fuller names are not who bears the short one, by what they are to their families."""
    ties = tuple(family)
    return frozenset((user, profile.id) for profile in fuller for user in told_to_differ(ties, profile.family))


def parts_of(fuller: Sequence[MatchProfile]) -> dict[str, frozenset[str]]:
    """Of each fuller name the others that it is a part of."""
    return {part.id: frozenset(whole.id for whole in fuller if is_part_of(part, whole)) for part in fuller}


def _places(short: ShortName) -> dict[tuple[str, str], datetime]:
    """The sessions and users in which the short name is said, and since when."""
    places = [naming for naming in short.named if naming.entity_id == short.id and naming.session]
    return {
        (naming.session, naming.user): naming.first
        for naming in sorted(places, key=lambda naming: naming.first, reverse=True)
    }


def _is_everybodys(merge: Merge, shared: Merge | None) -> bool:
    """Whether a user thinks what everybody does."""
    return shared is not None and merge is not shared and merge.other == shared.other


def _meant(
    short: ShortName, session: str, user: str, by_then: datetime, apart: set[_Apart], who: Identities
) -> Merge | None:
    """Whom somebody took back for this session alone leaves the place to nobody who is less likely meant."""
    identity = {id_: who.of(id_, session="", user=user) for id_ in short.fuller}
    not_meant = [(identity[id_], of) for id_, reader, of in apart if reader in (EVERYBODY, user)]
    never, not_here = ({id_ for id_, of in not_meant if of == wanted} for wanted in (None, session))
    possible = {id_ for id_ in short.fuller if identity[id_] not in never}
    possible -= {id_ for in_session, id_ in short.told_apart if in_session == session}
    two = {identity[id_] for reader, id_ in short.two if reader in (EVERYBODY, user)}
    possible = {id_ for id_ in possible if identity[id_] not in two}
    for reason, ids in _reasons(short, session, user, by_then):
        candidates = _fullest(short, possible & ids)
        if not candidates:
            continue
        fullest = {id_ for id_ in candidates if identity[id_] not in not_here}
        meaning = {identity[id_] for id_ in fullest}
        if len(meaning) != 1 or not short.protected.isdisjoint({short.id, *fullest, *meaning}):
            return None
        if who.of(short.id, session="", user=user) in meaning:
            return None
        return _merge(short.id, min(fullest), session, user, reason)
    return None


def _reasons(short: ShortName, session: str, user: str, by_then: datetime) -> Iterator[tuple[str, set[str]]]:
    named = [naming for naming in short.named if naming.user in (EVERYBODY, user)]
    yield "the only fuller name in this session", {naming.entity_id for naming in named if naming.session == session}
    before = [naming for naming in named if naming.first <= by_then]
    if user != EVERYBODY:
        yield "the only fuller name that this user named by then", _ids(before, user)
    yield "the only fuller name that everybody may know by then", _ids(before, EVERYBODY)


def _ids(named: Iterable[Named], user: str) -> set[str]:
    return {naming.entity_id for naming in named if naming.user == user}


def _fullest(short: ShortName, ids: set[str]) -> set[str]:
    """Without those whose names are parts of another one's."""
    return {id_ for id_ in ids if ids.isdisjoint(short.parts_of.get(id_, ()))}


def _merge(member: str, other: str, session: str, user: str, reason: str) -> Merge:
    return Merge(
        member=member,
        other=other,
        user=user,
        session=session,
        pair=pair_of(member, other),
        method=Method.CONTEXT,
        stage=Stage.RULES,
        score=0.0,
        reason=reason,
    )
