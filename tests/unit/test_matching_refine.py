"""Error rates are learnt from pairs of many fields, and from no others."""

import pytest

from graphmem.model.matching import Judgement
from graphmem.resolve.matching.decide import judge
from graphmem.resolve.matching.refine import FEWEST_FIELDS, Pattern, learnt, refined
from graphmem.resolve.matching.weights import packaged
from tests.profiles import profile

RATES = {field: {"exact": 0.8, "different": 0.2} for field in "abcd"}


def test_a_field_that_always_differs_is_not_held_against_a_pair() -> None:
    levels = (("a", "exact"), ("b", "exact"), ("c", "exact"), ("d", "different"))
    found = learnt(RATES, [Pattern(levels=levels, score=9)] * 400)
    assert found["d"]["different"] > 0.9
    assert sum(found["d"].values()) == pytest.approx(1)


def test_too_few_pairs_teach_nothing() -> None:
    assert learnt(RATES, [Pattern(levels=(("a", "exact"),), score=9)] * 10) == {}
    assert learnt(RATES, [Pattern(levels=(("a", "exact"),), score=-9)] * 500) == {}


def _pairs(number: int, **values: str) -> list[Judgement]:
    other = {**values, "city": "Oslo"}
    return [
        judge(profile("Ann Lee", id_=f"{n}a", **values), profile("Ann Lee", id_=f"{n}b", **other))
        for n in range(number)
    ]


def test_weights_follow_the_pairs() -> None:
    values = {"born": "1990-01-02", "city": "Rome", "tax_code": "761213", "job": "painter of walls"}
    assert len(values) >= FEWEST_FIELDS
    found = refined(_pairs(120, **values))
    assert found.level("short", "different", "short of city").m > packaged().level("short", "different").m


def test_names_alone_teach_nothing() -> None:
    assert refined(_pairs(120)).refined == {}


def test_packaged_rates_add_up() -> None:
    for part, levels in packaged().parts.items():
        total = sum(level.m for name, level in levels.items() if name not in ("rare", "acronym"))
        assert total <= 1.001, part
