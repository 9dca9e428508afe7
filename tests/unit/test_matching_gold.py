"""Pairs of entities, labelled by hand: none that are two is ever merged, and hardly any that are one is lost.

Of each line ``same`` says whether the two are one, and ``automatic`` whether that can be seen from what is written.
"""

import json
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from graphmem.model.matching import MatchProfile, Verdict
from graphmem.resolve.matching.decide import judge
from graphmem.resolve.matching.keys import keys, look_ups
from tests.profiles import SEEN

GOLD = Path(__file__).parents[1] / "gold" / "pairs.jsonl"
LEAST_FOUND = 0.95
LEAST_OF_EACH = 300

Line = dict[str, Any]


@lru_cache(maxsize=1)
def lines() -> tuple[Line, ...]:
    return tuple(json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines())


def profiles(line: Line) -> tuple[MatchProfile, MatchProfile]:
    a, b = (
        MatchProfile(
            id=side,
            type=line[side].get("type", line["type"]),
            name=line[side]["name"],
            names=frozenset({line[side]["name"]}),
            values={predicate: frozenset(values) for predicate, values in line[side].get("values", {}).items()},
            first_seen=SEEN,
        )
        for side in "ab"
    )
    return a, b


def told(line: Line) -> str:
    a, b = ((line[side]["name"], line[side].get("values", {})) for side in "ab")
    return f"{line['type']}: {a} and {b}: {line['why']}"


def is_well_formed(line: Line) -> bool:
    return (
        line.keys() == {"type", "a", "b", "same", "automatic", "why"}
        and all(isinstance(line[label], bool) for label in ("same", "automatic"))
        and (line["same"] or not line["automatic"])
        and all(isinstance(line[text], str) and line[text].strip() for text in ("type", "why"))
        and all(is_entity(line[side]) for side in "ab")
    )


def is_entity(side: Line) -> bool:
    values = side.get("values", {}).values()
    return (
        side.keys() <= {"type", "name", "values"}
        and bool(side["name"].strip())
        and all(some and all(isinstance(one, str) and one.strip() for one in some) for some in values)
    )


def is_found(a: MatchProfile, b: MatchProfile) -> bool:
    shared = look_ups(a) & keys(b) | look_ups(b) & keys(a)
    return bool(shared) and judge(a, b).verdict is not Verdict.DIFFERENT


def test_lines_are_well_formed() -> None:
    assert [line for line in lines() if not is_well_formed(line)] == []


def test_no_pair_is_there_twice() -> None:
    sides = [tuple(sorted(json.dumps([line["type"], line[side]], sort_keys=True) for side in "ab")) for line in lines()]
    assert [pair for pair, times in Counter(sides).items() if times > 1 or pair[0] == pair[1]] == []


def test_there_are_many_of_each_label() -> None:
    labels = Counter(line["same"] for line in lines())
    assert min(labels[True], labels[False]) >= LEAST_OF_EACH


def test_no_two_are_merged() -> None:
    false = [line for line in lines() if not line["same"]]
    merged = [told(line) for line in false if judge(*profiles(line)).verdict is Verdict.SAME]
    assert not merged, "\n".join(merged)


def test_no_two_are_merged_however_near_their_names_are() -> None:
    false = [line for line in lines() if not line["same"]]
    merged = [told(line) for line in false if judge(*profiles(line), nearness=1.0).verdict is Verdict.SAME]
    assert not merged, "\n".join(merged)


@pytest.mark.parametrize("shared", [("status", "active"), ("works_at", "Acme"), ("house", "Tudor")])
def test_hardly_any_two_are_merged_for_one_thing_that_both_have(shared: tuple[str, str]) -> None:
    false = [line for line in lines() if not line["same"]]
    merged = [told(line) for line in false if judge(*both_with(shared, *profiles(line))).verdict is Verdict.SAME]
    assert len(merged) <= len(false) / 100, "\n".join(merged)


def both_with(shared: tuple[str, str], *both: MatchProfile) -> tuple[MatchProfile, MatchProfile]:
    predicate, value = shared
    one, other = (replace(each, values={**each.values, predicate: frozenset({value})}) for each in both)
    return one, other


def test_hardly_any_is_lost() -> None:
    true = [line for line in lines() if line["automatic"]]
    lost = [told(line) for line in true if not is_found(*profiles(line))]
    assert len(lost) <= (1 - LEAST_FOUND) * len(true), "\n".join(lost)


def test_no_score_depends_on_the_ids() -> None:
    changed = [told(line) for line in lines() if score(*profiles(line)) != score(*with_swapped_ids(*profiles(line)))]
    assert not changed, "\n".join(changed)


def score(a: MatchProfile, b: MatchProfile) -> tuple[float, Verdict]:
    found = judge(a, b)
    return found.score, found.verdict


def with_swapped_ids(a: MatchProfile, b: MatchProfile) -> tuple[MatchProfile, MatchProfile]:
    return replace(a, id=b.id), replace(b, id=a.id)
