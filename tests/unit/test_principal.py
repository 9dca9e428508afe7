"""A principal acts as the user that it says, or is bound to; and who hears of an entity for the first time."""

import pytest

from graphmem.api.auth import NOBODY, Principal, Right
from graphmem.errors import Forbidden, UserRequired
from graphmem.model.entity import new_to_hearers
from graphmem.model.scope import EVERYBODY, SHARED

ALL, ANN, NAMING = Principal(), Principal(user="ann"), Principal(names_user=True)
READER = Principal(rights=frozenset({Right.READ}), groups=frozenset({"g"}))


@pytest.mark.parametrize(
    ("principal", "user", "acts_as"),
    [(ALL, None, None), (ALL, "bo", "bo"), (ANN, None, "ann"), (ANN, "ann", "ann"), (NAMING, "bo", "bo")],
)
def test_it_acts_as_whom_it_says_or_is_bound_to(principal: Principal, user: str | None, acts_as: str | None) -> None:
    assert principal.reads("g", user) == principal.writes("g", user) == acts_as


@pytest.mark.parametrize(
    ("principal", "group", "user", "problem"),
    [
        (ANN, "g", "bo", Forbidden),
        (READER, "other", "bo", Forbidden),
        (NOBODY, "g", "bo", Forbidden),
        (NAMING, "g", None, UserRequired),
    ],
)
def test_it_is_refused_what_is_not_its_business(
    principal: Principal, group: str, user: str | None, problem: type[Exception]
) -> None:
    for act in (principal.reads, principal.writes):
        with pytest.raises(problem):
            act(group, user)


def test_rights_and_the_administration_of_groups_are_apart() -> None:
    assert READER.reads("g", None) is None
    with pytest.raises(Forbidden, match="may not write"):
        READER.writes("g", None)
    for bound in (READER, ANN):
        with pytest.raises(Forbidden):
            bound.administers("g")
    NAMING.administers("g")


@pytest.mark.parametrize(
    ("known_to", "named", "counts"),
    [
        ({}, [{"x": {"bob"}}], [1]),
        ({"x": ["alice"]}, [{"x": {"bob"}}], [1]),
        ({"x": [EVERYBODY]}, [{"x": {"bob"}}], [0]),
        ({"x": [SHARED]}, [{"x": {"bob"}}], [0]),
        ({"x": ["bob"]}, [{"x": {"bob"}, "y": {"bob"}}], [1]),
        ({"x": ["bob"]}, [{"x": {EVERYBODY}}], [1]),
        ({}, [{"x": {"alice"}}, {"x": {"bob"}}, {"x": {"bob"}}], [1, 1, 0]),
        ({}, [{"x": {EVERYBODY}}, {"x": {"bob"}}], [1, 0]),
        ({"x": ["ann"]}, [{"x": {"ann", "bob"}}], [0]),
        ({}, [{"x": set[str]()}], [0]),
    ],
)
def test_an_entity_is_new_to_those_who_had_not_heard_of_it(
    known_to: dict[str, list[str]], named: list[dict[str, set[str]]], counts: list[int]
) -> None:
    assert new_to_hearers(known_to, named) == counts
