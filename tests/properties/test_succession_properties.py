"""What replaced something always ranks above what it replaced, whatever a search thinks of the two."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.hits import Contribution, Ranked, Version
from graphmem.model.interval import END
from graphmem.retrieve.succession import in_succession, replaced, unfound

START = datetime(2025, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    return START + timedelta(days=number)


@st.composite
def versions(draw: st.DrawFn) -> Version:
    recorded = draw(st.integers(0, 5))
    superseded = draw(st.none() | st.integers(recorded + 1, 8))
    slot, valid_from = draw(st.integers(0, 2)), draw(st.integers(0, 3))
    return Version(
        id="",
        belief_id=f"{slot}/{valid_from}",
        slot=(slot,),
        valid_from=day(valid_from),
        recorded_at=day(recorded),
        superseded_at=END if superseded is None else day(superseded),
    )


def named(found: list[Version]) -> list[Version]:
    return [replace(one, id=str(place)) for place, one in enumerate(found)]


def ranked(id_: str, score: float) -> Ranked:
    part = Contribution(channel="text", rank=None, score=score, contribution=score)
    return Ranked(kind="fact", id=id_, score=score, contributions=(part,))


SCORES = st.integers(0, 4).map(float)
LISTS = st.lists(st.tuples(versions(), SCORES), max_size=8)


@given(LISTS, st.lists(SCORES, max_size=4), st.randoms())
def test_what_replaced_something_stands_above_it(
    found: list[tuple[Version, float]], others: list[float], draw: Random
) -> None:
    known = named([version for version, _ in found])
    items = [ranked(one.id, score) for one, (_, score) in zip(known, found, strict=True)]
    items += [ranked(f"turn {place}", score) for place, score in enumerate(others)]
    draw.shuffle(items)

    result = in_succession(items, known)

    by_id = {one.id: one for one in known}
    shown = [by_id[item.id] for item in result if item.id in by_id]
    for above, below in combinations(shown, 2):
        assert above.slot != below.slot or above.order > below.order
        assert above.belief_id != below.belief_id, "one version stands for all"
    assert {one.belief_id for one in shown} == {one.belief_id for one in known}, "no belief is lost"
    assert [item.score for item in result] == sorted((item.score for item in result), reverse=True)
    assert {item.id for item in result} - by_id.keys() == {f"turn {place}" for place in range(len(others))}
    stands = replaced(result, known)
    assert stands.keys() == by_id.keys() - {one.id for one in shown}, "each that is left out is told of"
    assert all(by_id[old].belief_id == by_id[new].belief_id for old, new in stands.items())
    assert set(stands.values()) <= {one.id for one in shown}
    for item in result:
        assert item.score == sum(part.contribution for part in item.contributions)
    assert in_succession(result, known) == result


@given(st.lists(versions(), max_size=8), st.lists(versions(), max_size=8))
def test_with_what_was_not_found_the_newest_of_every_slot_is_there(hits: list[Version], more: list[Version]) -> None:
    every = named([*hits, *more])
    found, others = every[: len(hits)], every[len(hits) :]

    added = set(unfound(found, others))

    shown = [*found, *(one for one in others if one.id in added)]
    slots = {one.slot for one in found}
    newest = [max((one for one in every if one.slot == slot), key=lambda one: one.order) for slot in slots]
    assert {one.id for one in newest} <= {one.id for one in shown}
    assert added <= {one.id for one in newest}
