"""Persons by name, and the persons who are users: whatever they are called, and however often that changes."""

from collections.abc import Iterable

from graphmem.model.entity import PERSON, normalise_name, qualifier_of_user, user_of
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id

LONGEST_NAME = 200
"""In code points."""
NAMED, DISPLAY_NAME, OTHER_NAME = "named", "display_name", "also_known_as"
"""What somebody says to be called; the name that a user's turns carry; any other one."""
SHOWN_NAMES = (NAMED, DISPLAY_NAME)
"""Predicates of the names under which the person of a user is shown."""
OWN_NAMES = frozenset({*SHOWN_NAMES, OTHER_NAME})


def person_named(written: str) -> ThingName | None:
    """The person whom a name stands for, if it can be one."""
    name = " ".join(written.split())
    return ThingName(name, PERSON) if 1 <= len(name) <= LONGEST_NAME and name.isprintable() else None


def person_of_user(user: str, called: str = "") -> ThingName:
    """The person who is a user, as sentences call them: by a name, else by the id."""
    named = person_named(called) or person_named(user)
    return ThingName(named.name if named else user, PERSON, qualifier_of_user(user))


def person_id(group: str, user: str) -> str:
    """The id of the person who is a user."""
    return entity_id(group, normalise_name(user), qualifier_of_user(user))


def ids_of_user(group: str, user: str) -> tuple[str, str]:
    """The ids of the person who is a user, and of whoever goes by the user's id, as facts that a caller tells may."""
    return person_id(group, user), entity_id(group, normalise_name(user))


def alias_of(subject: ThingName, predicate: str, value: object) -> ThingName | None:
    """The bare name that a claim says a user is called by; None of any other claim."""
    return own_name(predicate, value) if user_of(subject.qualifier) else None


def own_name(predicate: str, value: object) -> ThingName | None:
    """The person by the name that a claim says somebody goes by; None of any other claim."""
    return person_named(value) if predicate in OWN_NAMES and isinstance(value, str) else None


def keys_of_user(user: str, names: Iterable[str]) -> frozenset[str]:
    """The normalised names by which a user may be meant in their own memory: those they go by, and the id."""
    return frozenset(normalise_name(name) for name in (user, *names))
