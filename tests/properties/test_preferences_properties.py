"""Preferences: nothing is lost or made up, reasons sum to scores, scores fall, and each does what it says."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.hits import Contribution, Ranked
from graphmem.model.search import NO_PREFERENCES, Preferences, Traits
from graphmem.retrieve.preferring import diverse, freshness, preferring

NOW = datetime(2025, 6, 1, tzinfo=UTC)
SHARES = st.floats(0, 1)
SINCE = st.datetimes(datetime(1, 1, 1), datetime(2026, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - made aware
VECTORS = st.lists(st.floats(-1, 1), min_size=3, max_size=3)


@st.composite
def lists(draw: st.DrawFn) -> list[Ranked]:
    ids = draw(st.lists(st.text("abcdefgh", min_size=1, max_size=3), unique=True, max_size=12))
    found = [
        Ranked(
            kind=draw(st.sampled_from(("fact", "episode"))),
            id=id_,
            score=score,
            contributions=(Contribution(channel="text", rank=None, score=score, contribution=score),),
        )
        for id_ in ids
        for score in (draw(st.floats(-2, 5)),)
    ]
    return in_order(found)


def in_order(found: list[Ranked]) -> list[Ranked]:
    return sorted(found, key=lambda item: (-item.score, item.kind, item.id))


@st.composite
def traits_of(draw: st.DrawFn, found: list[Ranked]) -> dict[str, Traits]:
    return {
        item.id: Traits(
            id=item.id,
            since=draw(st.none() | SINCE),
            confidence=draw(st.none() | SHARES),
            vector=draw(st.none() | VECTORS),
        )
        for item in found
    }


def check(before: list[Ranked], after: list[Ranked]) -> None:
    """The same things, reasons that sum to scores, and scores that fall."""
    assert sorted(item.id for item in after) == sorted(item.id for item in before)
    for item in after:
        assert item.score == pytest.approx(sum(part.contribution for part in item.contributions), abs=1e-9)
    scores = [item.score for item in after]
    assert all(one >= other - 1e-9 for one, other in pairwise(scores))


@given(st.data(), lists())
def test_what_is_off_changes_nothing(data: st.DataObject, found: list[Ranked]) -> None:
    traits = data.draw(traits_of(found))
    assert preferring(found, traits, NO_PREFERENCES, NOW) == found
    assert diverse(found, {}, 0.0) == found


@given(st.data(), lists(), SHARES, SHARES, st.floats(0.001, 36_500))
def test_recency_and_confidence_are_reasons_that_sum_to_scores(
    data: st.DataObject, found: list[Ranked], recency: float, confidence: float, half_life_days: float
) -> None:
    preferences = Preferences(recency=recency, confidence=confidence, half_life_days=half_life_days)
    check(found, preferring(found, data.draw(traits_of(found)), preferences, NOW))


@given(lists(), SINCE, SINCE, SHARES, st.floats(0.001, 36_500))
def test_of_two_that_answer_alike_the_newer_does_not_stand_below(
    found: list[Ranked], one: datetime, other: datetime, recency: float, half_life_days: float
) -> None:
    old, new = min(one, other), max(one, other)
    pair = [Ranked(kind="fact", id=id_, score=1.0, contributions=()) for id_ in ("old!", "new!")]
    traits = {
        id_: Traits(id=id_, since=since, confidence=None, vector=None) for id_, since in (("old!", old), ("new!", new))
    }
    preferences = Preferences(recency=recency, half_life_days=half_life_days)
    scores = {item.id: item.score for item in preferring(in_order([*found, *pair]), traits, preferences, NOW)}
    assert scores["new!"] >= scores["old!"]


@given(SINCE, st.timedeltas(timedelta(0), timedelta(9999)), st.floats(0.001, 36_500))
def test_freshness_falls_with_age(since: datetime, later: timedelta, half_life_days: float) -> None:
    fresh = freshness(since, NOW, half_life_days)
    assert 0 <= freshness(since, NOW + later, half_life_days) <= fresh <= 1


@given(st.data(), lists(), SHARES)
def test_diversity_keeps_all_sums_falls_and_stays_in_range(
    data: st.DataObject, found: list[Ranked], diversity: float
) -> None:
    vectors = {one.id: one.vector for one in data.draw(traits_of(found)).values() if one.vector is not None}
    unlike = diverse(found, vectors, diversity)
    check(found, unlike)
    if found:
        assert unlike[0].id == found[0].id
        assert unlike[0].score == pytest.approx(found[0].score)
        assert all(found[-1].score - 1e-9 <= item.score <= found[0].score + 1e-9 for item in unlike)


@given(st.data(), lists(), SHARES)
def test_what_is_of_one_slot_stays_in_order(data: st.DataObject, found: list[Ranked], diversity: float) -> None:
    vectors = {one.id: one.vector for one in data.draw(traits_of(found)).values() if one.vector is not None}
    slots = {item.id: data.draw(st.sampled_from("xyz")) for item in found if data.draw(st.booleans())}
    unlike = diverse(found, vectors, diversity, slots)
    check(found, unlike)
    for slot in "xyz":
        before, after = ([item.id for item in one if slots.get(item.id) == slot] for one in (found, unlike))
        assert before == after


@given(lists(), SHARES)
def test_things_that_are_unlike_each_other_stay_in_order(found: list[Ranked], diversity: float) -> None:
    """Up to 1, where only likeness counts and the order is that in which they came in as well."""
    spaced = [replace(item, score=float(-place)) for place, item in enumerate(found)]
    vectors = {item.id: [float(place == at) for at in range(len(found))] for place, item in enumerate(spaced)}
    assert [item.id for item in diverse(spaced, vectors, diversity)] == [item.id for item in found]
