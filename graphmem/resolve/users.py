"""Users as persons: in a user's own memory, a bare name that the user goes by is the user."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from graphmem.model.entity import PERSON, normalise_name, qualifier_of_user
from graphmem.model.ids import entity_id
from graphmem.model.matching import Agreement, Judgement, MatchProfile, Method, Pair, Stage, Verdict, pair_of
from graphmem.model.persons import OWN_NAMES, keys_of_user, person_id
from graphmem.model.recall import KnownEntity
from graphmem.model.scope import EVERYBODY
from graphmem.resolve.matching.vetoes import short_of
from graphmem.resolve.short_names import profile_of


def bare_id(group: str, key: str) -> str:
    """The id of whoever goes by a normalised name alone."""
    return entity_id(group, key)


def keys_of_person(person: MatchProfile, user: str) -> frozenset[str]:
    """The normalised names of the person who is a user, as far as the user was told of them."""
    return keys_of_user(user, (name for predicate in OWN_NAMES for name in person.values.get(predicate, ())))


def is_bare_person(profile: MatchProfile) -> bool:
    """Whether it is somebody by name alone."""
    return profile.type == PERSON and not profile.qualifier


def is_user(a: MatchProfile, b: MatchProfile, user: str) -> bool:
    """Whether one of the two is the person who is this user, and the other a bare name that they go by."""
    if user == EVERYBODY:
        return False
    for person, bare in ((a, b), (b, a)):
        if person.qualifier == qualifier_of_user(user) and is_bare_person(bare):
            return normalise_name(bare.name) in keys_of_person(person, user)
    return False


def may_be_user(bare: KnownEntity, person: KnownEntity | None) -> bool:
    """Whether what a user alone is told of a bare name may be about the user, whose ``person`` is, if that is known.

    So it may unless the user goes by a name, and neither of the two is short for the other.
    """
    if person is None or normalise_name(person.name) in (person.key, bare.key):
        return True
    a, b = profile_of(bare), replace(profile_of(person), qualifier="")
    return short_of(a, b) or short_of(b, a)


def names_of_user(group: str, user: str, known: Mapping[str, MatchProfile]) -> Iterator[Pair]:
    """The pairs of a user's person, where it is among the known, with all bare names that it goes by."""
    person = known.get(person_id(group, user))
    if user != EVERYBODY and person is not None:
        yield from (pair_of(person.id, bare_id(group, key)) for key in sorted(keys_of_person(person, user)))


def judged_user(person: MatchProfile, bare: MatchProfile) -> Judgement:
    """The judgement that a bare name is the user."""
    a, b = sorted((person, bare), key=lambda profile: profile.id)
    agreement = Agreement(part="user", level="goes by the name", weight=0.0, of_a=_shown(a), of_b=_shown(b))
    return Judgement(
        a=a.id,
        b=b.id,
        verdict=Verdict.SAME,
        stage=Stage.EXACT,
        method=Method.USER,
        score=0.0,
        probability=1.0,
        contributions=(agreement,),
    )


def _shown(profile: MatchProfile) -> str:
    return profile.qualifier or normalise_name(profile.name)
