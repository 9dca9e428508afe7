"""Windows cover every turn but the last ones once, in whatever order turns come, and those made stay where they are."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graphmem.derived.summarise.windows import (
    Coverable,
    Plan,
    Window,
    plan_metas,
    plan_windows,
)
from graphmem.model.summary import MetaPolicy, Place, WindowPolicy

START = datetime(2025, 1, 1, tzinfo=UTC)
POLICIES = st.builds(
    WindowPolicy, batch=st.sampled_from((5, 10, 20)), keep=st.sampled_from((0, 3, 10)), least=st.integers(1, 5)
)
MINUTES = st.lists(st.integers(0, 200), unique=True, max_size=80)
CLOSED = st.booleans()


def place(minute: int) -> Place:
    """Three turns an instant, told apart by their sequence."""
    return Place(START + timedelta(minutes=minute // 3), (minute % 3 - 1, 0), f"turn {minute:03}")


def covered(plan: Plan) -> list[str]:
    return [id_ for window in plan.windows for id_ in window.covers]


@st.composite
def arrivals(draw: st.DrawFn) -> list[tuple[list[Place], bool]]:
    """Turns in the order in which they come in, some at a time, and whether the session is closed then."""
    minutes = draw(MINUTES)
    if draw(st.booleans()):
        minutes.sort()
    found, at = list[tuple[list[Place], bool]](), 0
    while at < len(minutes):
        size = draw(st.integers(1, 30))
        found.append(([place(minute) for minute in minutes[at : at + size]], draw(CLOSED)))
        at += size
    return found


def history(arriving: Sequence[tuple[list[Place], bool]], policy: WindowPolicy) -> list[tuple[Plan, list[Place], bool]]:
    """The plan after each arrival, with all turns that have come by then."""
    found, turns, made = list[tuple[Plan, list[Place], bool]](), list[Place](), tuple[Window, ...]()
    for come, closed in arriving:
        turns = [*turns, *come]
        plan = plan_windows(turns, made, policy, closed=closed)
        made = plan.windows
        found.append((plan, turns, closed))
    return found


@given(arrivals(), POLICIES)
def test_windows_and_what_stays_verbatim_partition_the_turns_in_their_order(
    arriving: list[tuple[list[Place], bool]], policy: WindowPolicy
) -> None:
    for plan, turns, _ in history(arriving, policy):
        assert [*covered(plan), *plan.uncovered] == [turn.episode_id for turn in sorted(turns)]


@given(arrivals(), POLICIES)
def test_a_window_that_was_made_keeps_its_first_turn_and_its_place_and_says_when_it_changed(
    arriving: list[tuple[list[Place], bool]], policy: WindowPolicy
) -> None:
    plans = [plan for plan, _, _ in history(arriving, policy)]
    for before, after in pairwise([Plan(windows=(), stale=(), new=(), uncovered=()), *plans]):
        kept = after.windows[: len(before.windows)]
        assert [window.first for window in kept] == [window.first for window in before.windows]
        assert [now for then, now in zip(before.windows, kept, strict=True) if then != now] == list(after.stale)
        assert after.windows[len(kept) :] == after.new
        firsts = [window.first.episode_id for window in after.windows]
        assert len(set(firsts)) == len(firsts)


@given(arrivals(), POLICIES)
def test_no_more_and_no_fewer_turns_wait_than_have_to(
    arriving: list[tuple[list[Place], bool]], policy: WindowPolicy
) -> None:
    for plan, _, closed in history(arriving, policy):
        assert len(plan.uncovered) < policy.batch + policy.keep
        assert closed or not plan.new or len(plan.uncovered) >= policy.keep
        if closed:
            assert len(plan.uncovered) < policy.least
            assert not (plan.uncovered and plan.windows)


@given(arrivals(), POLICIES)
def test_a_plan_that_was_carried_out_leaves_nothing_to_do(
    arriving: list[tuple[list[Place], bool]], policy: WindowPolicy
) -> None:
    for plan, turns, closed in history(arriving, policy):
        again = plan_windows(reversed(turns), reversed(plan.windows), policy, closed=closed)
        assert (again.windows, again.stale, again.new) == (plan.windows, (), ())


@given(MINUTES, POLICIES, st.integers(1, 30))
def test_turns_that_come_in_order_make_the_same_windows_however_many_come_at_a_time(
    minutes: list[int], policy: WindowPolicy, size: int
) -> None:
    turns = [place(minute) for minute in sorted(minutes)]
    arriving = [(turns[at : at + size], False) for at in range(0, len(turns), size)]
    at_once = plan_windows(turns, (), policy, closed=False)
    made = history(arriving, policy)[-1][0].windows if turns else ()
    assert made == at_once.windows
    assert {len(window.covers) for window in made} <= {policy.batch}


@given(arrivals(), POLICIES, st.integers(0, 240))
def test_a_late_turn_changes_the_window_it_falls_into_and_no_other(
    arriving: list[tuple[list[Place], bool]], policy: WindowPolicy, minute: int
) -> None:
    if not arriving:
        return
    plan, turns, _ = history(arriving, policy)[-1]
    late = place(minute)
    if late in turns or not plan.windows or late > plan.windows[-1].last:
        return
    after = plan_windows([*turns, late], plan.windows, policy, closed=False)
    (changed,) = after.stale
    assert late.episode_id in changed.covers
    assert changed.first <= late or changed == after.windows[0]
    assert not after.new


SUMMARIES = st.lists(st.integers(1, 900), max_size=40)


def tier(tokens: Sequence[int]) -> list[Coverable]:
    """Summaries of twenty turns each."""
    return [
        Coverable(id=f"s{at:02}", first=place(20 * at), last=place(20 * at + 19), tokens=size)
        for at, size in enumerate(tokens)
    ]


@given(SUMMARIES, st.integers(1, 12))
def test_meta_summaries_cover_from_two_to_five_each_as_soon_as_they_are_enough(tokens: list[int], size: int) -> None:
    policy, made, below = MetaPolicy(), tuple[Window, ...](), tier(tokens)
    for reached in range(0, len(below) + size, size):
        now = below[:reached]
        plan = plan_metas(reversed(now), made, policy, turns=1000)
        assert [*covered(plan), *plan.uncovered] == [one.id for one in now]
        assert not plan.stale
        made = plan.windows
        waiting = tokens[len(covered(plan)) : len(now)]
        assert len(waiting) < policy.batch
        assert len(waiting) < 2 or sum(waiting) < policy.tokens
    by_id = {one.id: one.tokens for one in below}
    for window in made:
        sizes = [by_id[id_] for id_ in window.covers]
        assert len(sizes) == policy.batch or (1 < len(sizes) < policy.batch and sum(sizes) >= policy.tokens)
        assert len(sizes) == 2 or sum(sizes[:-1]) < policy.tokens
    assert made == plan_metas(below, (), policy, turns=1000).windows


@given(SUMMARIES)
def test_short_sessions_have_no_meta_summaries(tokens: list[int]) -> None:
    assert plan_metas(tier(tokens), (), MetaPolicy(), turns=99).new == ()


def test_thirty_turns_make_a_window_of_twenty_and_the_end_of_the_session_one_of_the_rest() -> None:
    turns = [place(minute) for minute in range(30)]
    assert plan_windows(turns[:-1], (), WindowPolicy(), closed=False).windows == ()
    (window,) = plan_windows(turns, (), WindowPolicy(), closed=False).windows
    assert len(window.covers) == 20
    closed = plan_windows(turns, [window], WindowPolicy(), closed=True)
    assert [len(each.covers) for each in closed.windows] == [20, 10]


def test_a_small_rest_joins_the_window_before_it_and_stays_verbatim_where_there_is_none() -> None:
    turns = [place(minute) for minute in range(23)]
    (window,) = plan_windows(turns, (), WindowPolicy(), closed=True).windows
    assert len(window.covers) == 23
    assert plan_windows(turns[:3], (), WindowPolicy(), closed=True).uncovered == tuple(
        turn.episode_id for turn in turns[:3]
    )


def test_a_turn_before_the_first_window_belongs_to_it() -> None:
    turns = [place(minute) for minute in range(10, 40)]
    plan = plan_windows(turns, (), WindowPolicy(), closed=False)
    after = plan_windows([*turns, place(0)], plan.windows, WindowPolicy(), closed=False)
    (window,) = after.stale
    assert window.covers[0] == place(0).episode_id
    assert window.first == plan.windows[0].first
