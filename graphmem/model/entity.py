"""Who and what is mentioned: an entity is a normalised name of a type in a group, or one of several of that name."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from graphmem.model.ids import entity_id
from graphmem.model.scope import SHARED, audience_of

OWN_LABELS = frozenset(
    {
        "ApiKey",
        "Claim",
        "Entity",
        "EntitySummary",
        "Episode",
        "Fact",
        "Frequency",
        "Group",
        "Judgement",
        "Name",
        "Predicate",
        "Reflection",
        "Session",
        "SharedValue",
        "Summary",
        "SupersededFact",
        "SupersededPredicate",
        "SupersededReflection",
        "SupersededSummary",
        "Tombstone",
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
USERS = "user"
"""The source of the ids that qualify the persons of users: what is told of `user:zoe` is told of the user zoe."""
PERSON = "person"


def qualifier_of_user(user: str) -> str:
    """What tells the person who is a user apart from all others, whatever name they go by."""
    return f"{USERS}:{user}"


def user_of(qualifier: str) -> str:
    """The user whom a qualifier names; "" of any other."""
    source, _, user = qualifier.partition(":")
    return user if source == USERS else ""


@dataclass(frozen=True, kw_only=True)
class Entity:
    """An entity as evidence names it. ``first_seen`` is when the episode occurred that names it so.

    ``qualifier`` is "" for a bare name, and ``source:id`` where the caller says by an id of theirs which one is meant;
    where a text says that it is another one, the place where it does.
    """

    group_id: str
    type: str
    name: str
    first_seen: datetime
    qualifier: str = ""

    @cached_property
    def key(self) -> str:
        return normalise_name(self.name)

    @cached_property
    def id(self) -> str:
        return entity_id(self.group_id, self.type, self.key, self.qualifier)

    @classmethod
    def called(cls, group: str, entity_type: str, name: str, qualifier: str, first_seen: datetime) -> "Entity":
        """The entity that something names so. The person of a user is named by the id, whatever they are called."""
        return cls(
            group_id=group,
            type=entity_type,
            name=user_of(qualifier) or " ".join(name.split()),
            first_seen=first_seen,
            qualifier=qualifier,
        )

    def known_as(self, user: str) -> "KnownAs":
        """Its name in what was said for a user."""
        return KnownAs(entity_id=self.id, user=user, name=self.name, said_at=self.first_seen)

    @property
    def label(self) -> str | None:
        """The second label, by which Neo4j Browser colours it, where the type is one of an ontology in force."""
        label = label_of(self.type)
        return None if label in OWN_LABELS else label


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAs:
    """A name that an entity was called by in what was said to everybody (user "") or for one user."""

    entity_id: str
    user: str
    name: str
    said_at: datetime


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
    """One for each entity and user: the one said first, and of several at once the smallest."""
    first: dict[tuple[str, str], KnownAs] = {}
    for one in names:
        known = first.get((one.entity_id, one.user))
        if known is None or (one.said_at, one.name) < (known.said_at, known.name):
            first[one.entity_id, one.user] = one
    return tuple(first[key] for key in sorted(first))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An entity's name at ``[start, end)`` of an episode, in code points."""

    episode_id: str
    entity_id: str
    start: int
    end: int
    text: str
