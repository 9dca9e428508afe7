"""What kind of name a type has: that of a person is read otherwise than that of a room."""

from enum import StrEnum

from graphmem.resolve.matching import vocabulary


class NameKind(StrEnum):
    """How names of a type are built. ``CODE``: a number says which one it is; ``DATE``: days; ``TEXT``: any words."""

    PERSON = "person"
    ORGANIZATION = "organization"
    PLACE = "place"
    CODE = "code"
    DATE = "date"
    TEXT = "text"


ANY = vocabulary.words("any_types") | {""}
"""Types that say too little to contradict another."""

_KIND_OF = {type_: NameKind(kind) for type_, kind in vocabulary.first_of("kinds").items()}
_ONE = frozenset({NameKind.PERSON, NameKind.ORGANIZATION, NameKind.PLACE})
"""Kinds whose types say the same in other words: a company is an organization."""


def kind_of(type_: str) -> NameKind:
    return _KIND_OF.get(type_.casefold(), NameKind.TEXT)


def are_compatible(a: str, b: str) -> bool:
    """Whether one thing can be of both types."""
    one, other = a.casefold(), b.casefold()
    if one == other or one in ANY or other in ANY:
        return True
    return kind_of(one) is kind_of(other) and kind_of(one) in _ONE


_SORTS = {word: line for line in vocabulary.lines("sorts") for word in line.split()}


def are_of_two_sorts(a: str, b: str) -> bool:
    """Whether the types are of one kind, and each says by itself what it is: a state and a country are two places."""
    of_a, of_b = (_SORTS.get(type_.casefold()) for type_ in (a, b))
    return of_a is not None and of_b is not None and of_a != of_b


def telling(a: str, b: str) -> str:
    """Of two types the one that says more; of equals the smaller."""
    return min((a, b), key=lambda type_: (type_.casefold() in ANY, type_))
