"""Who and what is mentioned: an entity is a normalised name in a group, or one of several of that name.

Of which type it is, is said of it, and no part of who it is: two types under one bare name are one entity.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum
from functools import cached_property

from graphmem.model.ids import entity_id
from graphmem.model.scope import SHARED, audience_of

OWN_LABELS = frozenset(
    {
        "ApiKey",
        "AuditChain",
        "AuditRow",
        "Claim",
        "Entity",
        "EntitySummary",
        "Episode",
        "Passage",
        "Fact",
        "Frequency",
        "Group",
        "Judgement",
        "Name",
        "Predicate",
        "Receipt",
        "Reflection",
        "Session",
        "SharedValue",
        "Summary",
        "SupersededFact",
        "SupersededPredicate",
        "SupersededReflection",
        "SupersededSummary",
        "Tombstone",
        "Unchained",
        "Work",
        "WorkQueue",
    }
)
"""What no type may be taken for."""


_NUMBER_SIGN = "# "
"""“#1042” is 1042."""


def normalise_name(name: str) -> str:
    """The key under which names are the same: NFKC, case folded, white space collapsed, no sign before a number.

    Case folding can undo NFKC (and the other way round), so the two run until nothing changes.
    """
    key = " ".join(name.split())
    while (folded := " ".join(unicodedata.normalize("NFKC", key).casefold().split())) != key:
        key = folded
    number = key.lstrip(_NUMBER_SIGN)
    return number if number[:1].isdecimal() else key


def label_of(entity_type: str) -> str:
    """A type as labels are written: ``order_line`` is ``OrderLine``."""
    return "".join(part[:1].upper() + part[1:] for part in re.split("[-_]+", entity_type))


MENTIONED = "mention:"
"""How a qualifier begins that is a place in a text."""
TAKEN_FOR = "is:"
"""How a qualifier begins that says what a name is taken for that means two things: a place, not a person."""
OUR_SOURCES = frozenset({MENTIONED.removesuffix(":"), TAKEN_FOR.removesuffix(":")})
"""What no caller's source is called."""
USERS = "user"
"""The source of the ids that qualify the persons of users: what is told of `user:zoe` is told of the user zoe."""
PERSON = "person"
GENERIC = "thing"
GENERIC_TYPES = frozenset({"", "concept", "entity", "misc", "other", GENERIC, "unknown"})
"""Types that say too little to contradict another."""


class TypedBy(IntEnum):
    """What says of which type something is; the highest is believed."""

    NOTHING = 0
    """A type that says too little to contradict another."""
    WORDS = 1
    """How a text speaks of it."""
    PREDICATE = 2
    """What a predicate is said of, or takes."""
    CALLER = 3
    """Whoever tells a claim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidType:
    """Of which type something is said to be, by what, and when it was said."""

    type: str
    typed_by: TypedBy
    said_at: datetime

    @property
    def rank(self) -> tuple[int, datetime, str]:
        """The smallest is believed: by the strongest source, first said."""
        return (-self.typed_by, self.said_at, self.type)


def believed_type(types: Iterable[SaidType]) -> SaidType | None:
    """What is believed of all that was said of the type of one thing, in whatever order."""
    return min(types, key=lambda each: each.rank, default=None)


def qualifier_of_user(user: str) -> str:
    """What tells the person who is a user apart from all others, whatever name they go by."""
    return f"{USERS}:{user}"


def is_given(qualifier: str) -> bool:
    """Whether a qualifier is an id that a caller gave."""
    return ":" in qualifier and not qualifier.startswith((MENTIONED, TAKEN_FOR))


def user_of(qualifier: str) -> str:
    """The user whom a qualifier names; "" of any other."""
    source, _, user = qualifier.partition(":")
    return user if source == USERS else ""


@dataclass(frozen=True, kw_only=True)
class Entity:
    """An entity as evidence names it. ``first_seen`` is when the episode occurred that names it so.

    Of ``type`` it says so by ``typed_by``, and no more: the same name, of whatever type, is the same entity.

    ``qualifier`` is "" for a bare name, and ``source:id`` where the caller says by an id of theirs which one is meant;
    where a text says that it is another one, the place where it does.
    """

    group_id: str
    type: str
    name: str
    first_seen: datetime
    qualifier: str = ""
    typed_by: TypedBy = TypedBy.WORDS

    @cached_property
    def key(self) -> str:
        return normalise_name(self.name)

    @cached_property
    def id(self) -> str:
        return entity_id(self.group_id, self.key, self.qualifier)

    @classmethod
    def called(
        cls, group: str, entity_type: str, name: str, qualifier: str, first_seen: datetime, typed_by: TypedBy
    ) -> "Entity":
        """The entity that something names so. The person of a user is named by the id, whatever they are called."""
        return cls(
            group_id=group,
            type=entity_type,
            name=user_of(qualifier) or " ".join(name.split()),
            first_seen=first_seen,
            qualifier=qualifier,
            typed_by=TypedBy.CALLER if user_of(qualifier) else typed_by,
        )

    @property
    def said_type(self) -> SaidType:
        says_little = self.typed_by < TypedBy.CALLER and self.type.casefold() in GENERIC_TYPES
        typed_by = TypedBy.NOTHING if says_little else self.typed_by
        return SaidType(type=self.type, typed_by=typed_by, said_at=self.first_seen)

    def known_as(self, user: str) -> "KnownAs":
        """The name and type that the entity has in what was said for a user."""
        return KnownAs(entity_id=self.id, user=user, name=self.name, said_at=self.first_seen, said_type=self.said_type)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAs:
    """A name that an entity was called by, and its type, in what was said to everybody (user "") or for one user."""

    entity_id: str
    user: str
    name: str
    said_at: datetime
    said_type: SaidType


def first_types(names: Iterable[KnownAs]) -> Mapping[str, SaidType]:
    """The type believed of each entity, by id, whoever was told of it."""
    types: dict[str, SaidType] = {}
    for known in names:
        types[known.entity_id] = min(
            known.said_type, types.get(known.entity_id, known.said_type), key=lambda of: of.rank
        )
    return types


def as_entities(named: Iterable[Entity]) -> tuple[Entity, ...]:
    """One entity for each identity, of the type believed, under the name seen first, the smallest of several."""
    by_id: dict[str, list[Entity]] = {}
    for entity in named:
        by_id.setdefault(entity.id, []).append(entity)
    return tuple(_as_entity(by_id[id_]) for id_ in sorted(by_id))


def _as_entity(named: Sequence[Entity]) -> Entity:
    first = min(named, key=lambda entity: (entity.first_seen, entity.name))
    typed = min(named, key=lambda entity: entity.said_type.rank)
    return replace(first, type=typed.type, typed_by=typed.typed_by)


def new_to_hearers(
    known_to: Mapping[str, Collection[str]], named: Sequence[Mapping[str, Collection[str]]]
) -> list[int]:
    """How many entities each of some evidence, in its order, is the first to name to those for whom it does.

    ``known_to`` has the audiences that had heard of an entity; ``named``, of each evidence, the users for whom it names
    entities. So no count tells what others have heard of.
    """
    heard = {entity_id: set(audiences) for entity_id, audiences in known_to.items()}
    counts: list[int] = []
    for hearers in named:
        counts.append(sum(_is_new(users, heard.get(id_, ())) for id_, users in hearers.items()))
        for id_, users in hearers.items():
            heard.setdefault(id_, set()).update(users)
    return counts


def _is_new(users: Collection[str], heard: Collection[str]) -> bool:
    """Whether something is named to users of whom none belongs to an audience that had heard of it."""
    return len(users) > 0 and all({SHARED, *audience_of(user)}.isdisjoint(heard) for user in users)


def first_names(names: Iterable[KnownAs]) -> tuple[KnownAs, ...]:
    """For each entity and user the name said first, the smallest of several at once, with the type believed."""
    heard: dict[tuple[str, str], list[KnownAs]] = {}
    for known in names:
        heard.setdefault((known.entity_id, known.user), []).append(known)
    return tuple(_first_name(heard[key]) for key in sorted(heard))


def _first_name(names: Sequence[KnownAs]) -> KnownAs:
    first = min(names, key=lambda known: (known.said_at, known.name))
    return replace(first, said_type=min((known.said_type for known in names), key=lambda said_type: said_type.rank))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An entity's name at ``[start, end)`` of an episode, in code points."""

    episode_id: str
    entity_id: str
    start: int
    end: int
    text: str
