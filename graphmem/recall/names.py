"""Who is meant by a name: who bears it, or the one person whose name it is short for."""

from collections.abc import Iterable, Mapping, Sequence

from graphmem.model.entity import PERSON, normalise_name
from graphmem.model.interval import BEGIN
from graphmem.model.matching import MatchingSettings, MatchProfile
from graphmem.model.naming import note_name
from graphmem.model.recall import KnownEntity
from graphmem.model.scope import Scope
from graphmem.resolve.frequencies import look_up_tokens, short_look_up_tokens
from graphmem.resolve.matching.spelling import likeness
from graphmem.resolve.matching.vetoes import short_of
from graphmem.resolve.short_names import profile_of
from graphmem.store.graph import GraphStore

_MOST_LIKE = 50
"""Entities looked at for each key of a name."""
_BEGINNING, _MOST_BEGINNING = 2, 500
"""Letters with which names begin that may be spelt alike, and how many of these are looked at."""
_MOST_NEAR, _NEAR = 5, 0.8
"""Names that are told where nobody bears the one asked for, and how like it they are (``likeness``)."""


async def meant_by(
    store: GraphStore, scope: Scope, name: str, *, limit: int, entity_type: str | None = None, after: str = ""
) -> list[KnownEntity]:
    """The entities that a name means, in order of id: all of several, none where nobody bears it.

    Those of the name itself, if something was ever believed of them; else persons whose name it is short for: one such
    person is who is meant, and that is noted (``taken_for``).
    """
    key = normalise_name(name)
    own = await store.entities_named(scope, key=key, entity_type=None, after="", limit=max(limit, _MOST_LIKE))
    fuller = (await fuller_names(store, scope, {name: own}))[name]
    if len(identities(fuller)) == 1:
        note_name(name, fuller[0].name)
    wanted = (entity for entity in fuller or own if entity.id > after and entity_type in (None, entity.type))
    return sorted(wanted, key=lambda entity: entity.id)[:limit]


async def fuller_names(
    store: GraphStore, scope: Scope, names: Mapping[str, Sequence[KnownEntity]]
) -> dict[str, list[KnownEntity]]:
    """Of each name the persons whose name it is short for, where nothing was ever believed of those of the name itself.

    ``names`` has the entities of the names themselves, of whatever type.
    """
    own = {entity.id for entities in names.values() for entity in entities}
    own_with_beliefs = await store.entities_with_beliefs(scope, own) if own else frozenset[str]()
    unknown = [
        name for name, entities in names.items() if own_with_beliefs.isdisjoint(entity.id for entity in entities)
    ]
    like = [entity for entity in await _short_for(store, scope, unknown) if entity.type == PERSON] if unknown else []
    with_beliefs = (
        await store.entities_with_beliefs(scope, (person.id for person in like)) if like else frozenset[str]()
    )
    persons = [person for person in like if person.id in with_beliefs]
    return {
        name: [person for person in persons if short_of(_profile(name), profile_of(person))] if name in unknown else []
        for name in names
    }


async def near_names(store: GraphStore, scope: Scope, name: str) -> list[str]:
    """Names of entities that are spelt much like one that nobody bears, the most alike first."""
    tokens = look_up_tokens(scope.group, _profile(name), MatchingSettings())
    beginning = normalise_name(name)[:_BEGINNING]
    like = await store.entities_like(scope, prefixes=[beginning], tokens=tokens, most=_MOST_BEGINNING)
    alike = {entity.name: likeness(name, entity.name) for entity in like}
    near = [other for other, share in alike.items() if share >= _NEAR]
    return sorted(near, key=lambda other: (-alike[other], other))[:_MOST_NEAR]


def identities(entities: Iterable[KnownEntity]) -> set[str]:
    """The ids of what entities are, each identity once."""
    return {entity.part_of or entity.id for entity in entities}


async def _short_for(store: GraphStore, scope: Scope, names: Sequence[str]) -> list[KnownEntity]:
    """Entities whose names these may be short for: they begin so, or matching finds them by a part or a nickname."""
    tokens = {token for name in names for token in short_look_up_tokens(scope.group, _profile(name))}
    prefixes = [f"{normalise_name(name)} " for name in names]
    return await store.entities_like(scope, prefixes=prefixes, tokens=tokens, most=_MOST_LIKE)


def _profile(name: str) -> MatchProfile:
    """A person of whom nothing is known but a name."""
    return MatchProfile(id="", type=PERSON, name=name, names=frozenset({name}), first_seen=BEGIN)
