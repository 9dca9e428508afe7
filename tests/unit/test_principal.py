"""A principal acts as the user that it says, or is bound to; and who hears of an entity for the first time."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import Forbidden, UserRequired
from graphmem.model.entity import new_to_hearers
from graphmem.model.principal import NOBODY, Principal, Right, includes, matches
from graphmem.model.scope import EVERYBODY, SHARED

SOON = datetime(2026, 5, 1, tzinfo=UTC)
ALL, NAMING, ANN = Principal(), Principal(names_user=True), Principal(users=("ann",))
BOTH, SHARED_ONLY = Principal(users=("ann", "bo")), Principal(users=())
READER = Principal(rights=frozenset({Right.READ}), groups=("g", "team-*"))
EDITOR = Principal(rights=frozenset({Right.READ, Right.WRITE}), groups=("g",))


@pytest.mark.parametrize(
    ("principal", "user", "reads_as", "writes_as"),
    [
        (ALL, None, None, None),
        (ALL, "bo", "bo", "bo"),
        (NAMING, "bo", "bo", "bo"),
        (ANN, None, "ann", "ann"),
        (ANN, "ann", "ann", "ann"),
        (BOTH, "bo", "bo", "bo"),
        (SHARED_ONLY, None, EVERYBODY, EVERYBODY),
    ],
)
def test_it_acts_as_whom_it_says_or_alone_may(
    principal: Principal, user: str | None, reads_as: str | None, writes_as: str | None
) -> None:
    assert (principal.reads("g", user), principal.writes("g", user)) == (reads_as, writes_as)


@pytest.mark.parametrize(
    ("principal", "group", "user", "problem"),
    [
        (ANN, "g", "bo", Forbidden),
        (BOTH, "g", "cy", Forbidden),
        (SHARED_ONLY, "g", "ann", Forbidden),
        (READER, "other", "bo", Forbidden),
        (READER, "team", "bo", Forbidden),
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


def test_for_several_users_it_reads_what_everybody_may_see_and_writes_only_for_one_of_them() -> None:
    assert BOTH.reads("g", None) == EVERYBODY
    with pytest.raises(UserRequired, match="'ann' or 'bo'"):
        BOTH.writes("g", None)


def test_rights_and_the_administration_of_groups_are_apart() -> None:
    assert READER.reads("team-1", None) is None
    with pytest.raises(Forbidden, match="may not write"):
        READER.writes("g", None)
    for bound in (READER, EDITOR, ANN, SHARED_ONLY):
        with pytest.raises(Forbidden):
            bound.administers("g")
        with pytest.raises(Forbidden):
            bound.oversees(Right.READ)
    for harmless in (EDITOR, Principal(rights=frozenset({Right.READ, Right.WRITE, Right.ADMIN}))):
        with pytest.raises(Forbidden, match="may not erase"):
            harmless.erases("g", "bo")
    assert (ALL.erases("g", None), ANN.erases("g", None), SHARED_ONLY.erases("g", None)) == (None, "ann", EVERYBODY)
    NAMING.administers("g")
    NAMING.oversees(Right.READ)


def test_what_holds_for_everybody_an_administrator_decides() -> None:
    assert (ALL.decides("g", None), EDITOR.decides("g", "bo"), ANN.decides("g", None)) == (None, "bo", "ann")
    for principal in (EDITOR, Principal(users=(), rights=frozenset({Right.WRITE})), SHARED_ONLY):
        with pytest.raises(Forbidden):
            principal.decides("g", None)


@pytest.mark.parametrize(
    ("agents", "agent", "acts_as"),
    [(None, None, None), (None, "bot", "bot"), (("bot",), None, "bot"), (("bot", "clerk"), "clerk", "clerk")],
)
def test_it_acts_as_the_agent_that_it_says_or_alone_may(
    agents: tuple[str, ...] | None, agent: str | None, acts_as: str | None
) -> None:
    assert Principal(agents=agents).acts_as(agent) == acts_as


@pytest.mark.parametrize(("agents", "agent"), [(("bot",), "clerk"), (("bot", "clerk"), None), ((), None)])
def test_it_acts_as_no_other_agent(agents: tuple[str, ...], agent: str | None) -> None:
    with pytest.raises(Forbidden, match="acts as"):
        Principal(agents=agents).acts_as(agent)


def test_patterns_are_of_what_a_group_is_called() -> None:
    renamed = replace(READER, called=("team-1", "sales"))
    assert (renamed.may_enter("team-1"), renamed.may_enter("team-2")) == (False, True)
    with pytest.raises(Forbidden, match="group 'sales'"):
        renamed.reads("team-1", None)
    assert [READER.gains(*names) for names in (("h", "team-1"), ("g", "team-1"), ("g", "h"))] == [True, False, False]


NAMES = st.text("ab-", max_size=3).filter(bool)
PATTERNS = st.one_of(NAMES, st.text("ab-", max_size=3).map("{}*".format))


@given(st.lists(PATTERNS, max_size=3), PATTERNS, NAMES)
def test_a_pattern_within_others_names_no_group_that_they_do_not(wider: list[str], pattern: str, group: str) -> None:
    if includes(wider, pattern) and matches(group, pattern):
        assert any(matches(group, other) for other in wider)


@pytest.mark.parametrize(
    ("giver", "wanted", "gives"),
    [
        (ALL, READER, True),
        (ALL, ALL, True),
        (Principal(groups=("team-*",)), Principal(groups=("team-1", "team-a*")), True),
        (Principal(groups=("team-*",)), Principal(groups=("*",)), False),
        (Principal(groups=("team-*",)), Principal(groups=("team-1", "other")), False),
        (Principal(agents=("bot",)), Principal(agents=("bot",)), True),
        (Principal(agents=("bot",)), Principal(), False),
        (Principal(expires_at=SOON), Principal(expires_at=SOON), True),
        (Principal(expires_at=SOON), Principal(), False),
        (Principal(rights=frozenset(Right) - {Right.ERASE}), Principal(rights=frozenset({Right.ERASE})), False),
        (READER, READER, False),
        (ANN, ANN, False),
    ],
)
def test_a_key_makes_none_that_may_more(giver: Principal, wanted: Principal, *, gives: bool) -> None:
    assert giver.may_give(wanted) is gives


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
