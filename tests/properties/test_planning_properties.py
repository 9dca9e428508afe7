"""What is due is made once: turns come in any order, sessions close and open again, and in the end nothing is due."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graphmem.derived.summarise.windows import Due, next_due
from graphmem.model.interval import END
from graphmem.model.summary import MetaPolicy, Place, StoredSummary, SummaryPolicy, SummaryText, WindowPolicy

START = datetime(2025, 1, 1, tzinfo=UTC)
POLICY = SummaryPolicy(windows=WindowPolicy(batch=4, keep=2, least=2), metas=MetaPolicy(batch=3, least_turns=12))
MINUTES = st.lists(st.integers(0, 120), unique=True, max_size=60)
ARRIVALS = st.lists(st.tuples(MINUTES, st.booleans()), max_size=4)
MOST = 200
"""Summaries that no session of so few turns has."""


def place(minute: int) -> Place:
    return Place(START + timedelta(minutes=minute), (-1, 0), f"turn {minute:03}")


def made(due: Due, number: int, below: Sequence[StoredSummary]) -> StoredSummary:
    """A summary of ten tokens."""
    known = {one.summary_id: one for one in below}
    return StoredSummary(
        id=f"version {number}",
        summary_id=due.before.summary_id if due.before else due.id_in("s"),
        group_id="g",
        session_id="s",
        session="s",
        user="",
        agent=None,
        subject=None,
        tier=due.tier,
        text=SummaryText(content="It says so.", tokens=10, lines=(), sentences=()),
        said=100,
        first_turn=1,
        turns=len(due.window.covers) if due.tier == 1 else sum(known[id_].turns for id_ in due.window.covers),
        first=due.window.first,
        last=due.window.last,
        covers=due.window.covers,
        drift=None,
        stale_at=None,
        recorded_at=START,
        superseded_at=END,
    )


def all_made(turns: set[Place], stand: Sequence[StoredSummary], *, closed: bool) -> list[StoredSummary]:
    """The summaries that stand once nothing is due any more."""
    now = {one.summary_id: one for one in stand}
    for number in range(MOST):
        due = next_due(turns, now.values(), POLICY, closed=closed)
        if due is None:
            return list(now.values())
        new = made(due, number, list(now.values()))
        now[new.summary_id] = new
    raise AssertionError("Something is due for ever.")


def in_windows(turns: set[Place], *, closed: bool) -> list[list[str]]:
    """The windows of a session that was never looked at before, by counting."""
    rest, found = [one.episode_id for one in sorted(turns)], list[list[str]]()
    while len(rest) >= 4 + (0 if closed else 2):
        found, rest = [*found, rest[:4]], rest[4:]
    if closed and len(rest) >= 2:
        return [*found, rest]
    if closed and rest and found:
        found[-1] += rest
    return found


@given(ARRIVALS)
def test_in_the_end_nothing_is_due_and_no_turn_is_covered_twice(arrivals: list[tuple[list[int], bool]]) -> None:
    turns, stand = set[Place](), list[StoredSummary]()
    for minutes, closed in arrivals:
        turns |= {place(minute) for minute in minutes}
        before = {one.summary_id for one in stand}
        stand = all_made(turns, stand, closed=closed)
        covered = [id_ for one in stand if one.tier == 1 for id_ in one.covers]
        assert len(covered) == len(set(covered))
        assert before <= {one.summary_id for one in stand}
        assert len(turns) - len(covered) < 4 + (0 if closed else 2)


@given(MINUTES, st.booleans())
def test_windows_are_those_that_counting_gives(minutes: list[int], closed: bool) -> None:  # noqa: FBT001 - drawn
    turns = {place(minute) for minute in minutes}
    found = sorted((one for one in all_made(turns, [], closed=closed) if one.tier == 1), key=lambda one: one.first)
    assert [list(one.covers) for one in found] == in_windows(turns, closed=closed)


@given(MINUTES)
def test_each_tier_covers_three_of_the_one_below(minutes: list[int]) -> None:
    turns = {place(minute) for minute in minutes}
    stand = all_made(turns, [], closed=True)
    for tier in {one.tier for one in stand if one.tier > 1}:
        here, below = ([one for one in stand if one.tier == some] for some in (tier, tier - 1))
        assert len(turns) >= 12
        assert len(here) == len(below) // 3
        assert all(len(one.covers) == 3 for one in here)


@given(MINUTES, st.data())
def test_what_is_stale_is_made_again_and_is_the_same(minutes: list[int], data: st.DataObject) -> None:
    turns = {place(minute) for minute in minutes}
    stand = all_made(turns, [], closed=True)
    if not stand:
        return
    one = data.draw(st.sampled_from(stand))
    others = [other for other in stand if other != one]
    due = next_due(turns, [*others, replace(one, stale_at=START)], POLICY, closed=True)
    assert due is not None
    assert due.before is not None
    assert (due.before.id, due.window.covers, due.tier) == (one.id, one.covers, one.tier)
