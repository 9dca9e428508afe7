"""Error rates are learnt from pairs of many attributes, and from no others."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.matching import Judgement, Shifts
from graphmem.resolve.matching.decide import judge
from graphmem.resolve.matching.refine import FEWEST_FIELDS, AgreementPattern, learnt, patterns_of, shifts
from graphmem.resolve.matching.values import ValueShape
from graphmem.resolve.matching.weights import packaged
from tests.profiles import profile

RATES = {field: {"exact": 0.8, "different": 0.2} for field in "abcd"}


def test_a_field_that_always_differs_is_not_held_against_a_pair() -> None:
    levels = tuple((part, ValueShape.SHORT, "different" if part == "d" else "exact") for part in "abcd")
    found = learnt(RATES, [AgreementPattern(levels=levels, score=9)] * 400)
    assert found["d"]["different"] > 0.9
    assert sum(found["d"].values()) == pytest.approx(1)


def test_too_few_pairs_teach_nothing() -> None:
    assert learnt(RATES, [AgreementPattern(levels=(("a", ValueShape.SHORT, "exact"),), score=9)] * 10) == {}
    assert learnt(RATES, [AgreementPattern(levels=(("a", ValueShape.SHORT, "exact"),), score=-9)] * 500) == {}


def _pairs(number: int, **values: str) -> list[Judgement]:
    other = {**values, "city": "Oslo"}
    return [
        judge(profile("Ann Lee", id_=f"{n}a", **values), profile("Ann Lee", id_=f"{n}b", **other))
        for n in range(number)
    ]


VALUES = {"born": "1990-01-02", "city": "Rome", "tax_code": "761213", "job": "painter of walls"}


def taught(judgements: list[Judgement]) -> Shifts:
    return shifts(patterns_of(judgements))


def test_weights_follow_the_pairs_and_say_so() -> None:
    assert len(VALUES) >= FEWEST_FIELDS
    found = taught(_pairs(120, **VALUES))
    a, b = profile("Ann Lee", id_="a", **VALUES), profile("Ann Lee", id_="b", **VALUES | {"city": "Oslo"})
    before, after = judge(a, b), judge(a, b, weights=replace(packaged(), refined=found))
    moved = {
        one.part: round(one.weight - other.weight, 2)
        for one, other in zip(after.contributions, before.contributions, strict=True)
    }

    assert found["short of city"]["different"] > 0
    assert {one.part for one in after.contributions if one.refined} >= {"city"}
    assert {part for part, bits in moved.items() if bits} <= {one.part for one in after.contributions if one.refined}
    assert moved["city"] == found["short of city"]["different"]
    assert after.score == pytest.approx(sum(one.weight for one in after.contributions))
    assert not any(one.refined for one in before.contributions)


@pytest.mark.parametrize("fields", range(FEWEST_FIELDS))
def test_pairs_of_fewer_than_four_attributes_teach_nothing(fields: int) -> None:
    few = dict(list((VALUES | {"city": "Rome"}).items())[:fields])
    judgements = [
        judge(profile("Ann Lee", id_=f"{n}a", **few), profile("Ann Lee", id_=f"{n}b", **few)) for n in range(500)
    ]
    assert taught(judgements) == {}


def test_names_are_not_refined() -> None:
    parts = taught(_pairs(500, **VALUES))
    assert parts
    assert all(" of " in part for part in parts)


def test_a_few_pairs_more_change_nothing() -> None:
    assert taught(_pairs(400, **VALUES)) == taught(_pairs(404, **VALUES))


@given(st.permutations(range(6)), st.integers(10, 40))
def test_the_order_of_pairs_makes_no_difference(order: list[int], number: int) -> None:
    kinds = [_pairs(number, **VALUES | {"job": job}) for job in ("cook", "baker", "smith", "clerk", "nurse", "pilot")]
    some = [one for pairs in kinds for one in pairs]
    assert taught(some) == taught([one for at in order for one in kinds[at]])


def test_packaged_rates_add_up() -> None:
    for part, levels in packaged().parts.items():
        total = sum(level.m for name, level in levels.items() if name not in ("rare", "acronym"))
        assert total <= 1.001, part
