"""What is newer, surer or unlike the rest counts more, each as a reason that says so."""

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.model.hits import Contribution, Ranked
from graphmem.model.interval import BEGIN
from graphmem.model.search import Preferences, Traits
from graphmem.retrieve.preferring import diverse, preferring

NOW = datetime(2025, 6, 1, tzinfo=UTC)
OLD = NOW - timedelta(days=30)


def ranked(**scores: float) -> list[Ranked]:
    found = [
        Ranked(
            kind="fact",
            id=id_,
            score=score,
            contributions=(Contribution(channel="text", rank=1, score=score, contribution=score),),
        )
        for id_, score in scores.items()
    ]
    return sorted(found, key=lambda item: (-item.score, item.id))


def trait(id_: str, since: datetime | None = None, confidence: float | None = None) -> Traits:
    return Traits(id=id_, since=since, confidence=confidence, vector=None)


def traits(*of: Traits) -> dict[str, Traits]:
    return {one.id: one for one in of}


def added(item: Ranked, channel: str) -> float:
    return sum(part.contribution for part in item.contributions if part.channel == channel)


def test_recency_gives_a_share_of_the_best_score_halved_with_every_half_life() -> None:
    known = traits(trait("a", OLD), trait("b", NOW), trait("c"), trait("d", BEGIN), trait("e", NOW + timedelta(9)))
    found = preferring(ranked(a=4.0, b=2.0, c=1.0, d=1.0, e=1.0, f=1.0), known, Preferences(recency=0.5), NOW)

    assert {item.id: added(item, "recency") for item in found} == {"a": 1.0, "b": 2.0, "c": 0, "d": 0, "e": 2.0, "f": 0}
    assert [item.id for item in found] == ["a", "b", "e", "c", "d", "f"]


def test_half_a_half_life_is_told() -> None:
    preferences = Preferences(recency=1.0, half_life_days=60)
    (item,) = preferring(ranked(a=1.0), traits(trait("a", OLD)), preferences, NOW)
    assert item.contributions[-1].score == pytest.approx(0.5**0.5)


def test_what_is_less_sure_loses_and_what_has_no_confidence_does_not() -> None:
    known = traits(trait("a", confidence=0.25), trait("b", confidence=1.0), trait("c"))
    found = preferring(ranked(a=2.0, b=1.0, c=0.9), known, Preferences(confidence=0.8), NOW)

    assert {item.id: item.score for item in found} == pytest.approx({"a": 0.8, "b": 1.0, "c": 0.9})
    assert [item.id for item in found] == ["b", "c", "a"]
    assert found[2].contributions[-1].score == 0.25


VECTORS = {"a": [1.0, 0.0], "b": [1.0, 0.1], "c": [0.0, 1.0], "d": [-1.0, 0.0]}


def test_what_is_like_one_above_it_is_lowered_and_told_how_like_it_is() -> None:
    found = diverse(ranked(a=1.0, b=0.9, c=0.5, d=0.0), VECTORS, 0.5)

    assert [item.id for item in found] == ["a", "c", "d", "b"]
    first, second, third, last = (item.contributions[-1] for item in found)
    assert (first.contribution, first.score) == (0.0, 0.0)
    assert (second.score, found[1].score) == (0.0, pytest.approx(0.75))
    assert (third.score, found[2].score) == (0.0, pytest.approx(0.5))
    assert last.score == pytest.approx(1 / 1.01**0.5)
    assert found[3].score == pytest.approx(1 - 0.5 * 0.1 - 0.5 * last.score)


def test_at_one_only_likeness_counts() -> None:
    assert [item.id for item in diverse(ranked(a=1.0, b=0.9, c=0.1), VECTORS, 1.0)] == ["a", "c", "b"]


def test_what_has_no_vector_or_one_of_another_model_is_like_nothing() -> None:
    for other in ({}, {"b": [1.0]}, {"b": [0.0, 0.0]}):
        found = diverse(ranked(a=1.0, b=0.9, c=0.5), {"a": VECTORS["a"], "c": VECTORS["a"]} | other, 0.5)
        assert [item.id for item in found] == ["a", "b", "c"]
        assert found[1].contributions[-1].score == 0


def test_what_replaced_something_stays_above_it_and_is_worth_as_much() -> None:
    """``b`` replaced ``c``, is like ``a``, and ``c`` is unlike both."""
    found = diverse(ranked(a=1.0, b=0.9, c=0.9, d=0.0), VECTORS, 0.9, {"b": "slot", "c": "slot"})
    assert [item.id for item in found] == ["a", "b", "c", "d"]
    assert found[1].score == pytest.approx(1 - 0.1 * 0.1), "as c was worth when b was taken"
    assert found[1].score > found[2].score
