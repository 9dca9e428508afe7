"""Who is meant by a name: who bears it, or the one person whose name it is short for."""

from collections.abc import Iterable
from dataclasses import replace

from graphmem.model.entity import PERSON, normalise_name
from graphmem.model.interval import BEGIN
from graphmem.model.matching import MatchingSettings, MatchProfile
from graphmem.model.naming import note_name
from graphmem.model.recall import Bearers, KnownEntity, SoughtName
from graphmem.model.scope import Scope
from graphmem.resolve.frequencies import look_up_tokens, short_look_up_tokens
from graphmem.resolve.matching.names import names_of
from graphmem.resolve.matching.spelling import likeness
from graphmem.resolve.matching.vetoes import is_short_name, short_of
from graphmem.resolve.short_names import profile_of
from graphmem.retrieve.question import may_be_names
from graphmem.store.graph import GraphStore

MOST_NAMED = 8
"""The most names of a text that are looked up, and the most entities at which beliefs are."""
_MOST_LIKE = 50
"""Entities looked at for each key of a name."""
_BEGINNINGS, _MOST_BEGINNING = (2, 3, 4), 150
"""Letters with which names begin that may be spelt alike, and how many names are looked at that begin so."""
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
    bearers = (await bearers_of(store, scope, [name]))[key]
    note_taken([bearers])
    meant = bearers.fuller or own
    wanted = (entity for entity in meant if entity.id > after and entity_type in (None, entity.type))
    return sorted(wanted, key=lambda entity: entity.id)[:limit]


async def bearers_in(store: GraphStore, scope: Scope, text: str) -> dict[str, Bearers]:
    """By their keys who bears the first names that a text seems to have."""
    return await bearers_of(store, scope, (name.text for name in may_be_names(text)[:MOST_NAMED]))


def note_taken(names: Iterable[Bearers]) -> None:
    """Note which names were taken for fuller ones."""
    for short in names:
        if short.taken_for is not None:
            note_name(short.name, short.taken_for.name)


def several_called(names: Iterable[Bearers]) -> list[str]:
    """A sentence for each of some short names that several persons may be called."""
    several = ((short.name, sorted({person.name for person in short.fuller})) for short in names if not short.taken_for)
    return [f"{name!r} may mean several: {', '.join(fuller)}. Ask with one of these." for name, fuller in several]


async def bearers_of(store: GraphStore, scope: Scope, names: Iterable[str]) -> dict[str, Bearers]:
    """By the keys of names who bears them, and the persons whose names they are short for."""
    sought = {one.key: one for one in (_sought(scope.group, name) for name in names)}
    known = {key: Bearers(name=one.name, borne=True, fuller=()) for key, one in sought.items()}  # where damage hides it
    found = await store.bearers(scope, sought.values(), most=_MOST_LIKE) if sought else {}
    return known | {key: replace(bearers, fuller=_persons(bearers)) for key, bearers in found.items()}


def _persons(bearers: Bearers) -> tuple[KnownEntity, ...]:
    short = _profile(bearers.name)
    return tuple(one for one in bearers.fuller if one.type == PERSON and short_of(short, profile_of(one)))


async def near_names(store: GraphStore, scope: Scope, name: str) -> list[str]:
    """Names of entities that are spelt much like one that nobody bears, the most alike first."""
    tokens = look_up_tokens(scope.group, _profile(name), MatchingSettings())
    key = normalise_name(name)
    beginnings = {key[:letters] for letters in _BEGINNINGS}
    like = await store.entities_like(scope, prefixes=beginnings, tokens=tokens, most=_MOST_BEGINNING)
    alike = {entity.name: likeness(name, entity.name) for entity in like}
    near = [other for other, share in alike.items() if share >= _NEAR]
    return sorted(near, key=lambda other: (-alike[other], other))[:_MOST_NEAR]


def _sought(group: str, name: str) -> SoughtName:
    """A name and, if it is short, what leads to fuller ones: these begin so, or have a part or a nickname of it."""
    profile, key = _profile(name), normalise_name(name)
    if not is_short_name(profile):
        return SoughtName(name=name, key=key, prefixes=(), tokens=())
    beginnings = {key, *(" ".join(way.words) for way in names_of(profile))}
    tokens = short_look_up_tokens(group, profile)
    prefixes = tuple(sorted(f"{words} " for words in beginnings))
    return SoughtName(name=name, key=key, prefixes=prefixes, tokens=tuple(sorted(tokens)))


def _profile(name: str) -> MatchProfile:
    """A person of whom nothing is known but a name."""
    return MatchProfile(id="", type=PERSON, name=name, names=frozenset({name}), first_seen=BEGIN)
