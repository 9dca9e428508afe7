"""Weights are fitted to what answers questions, and what that is worth is told by questions they have not seen."""

from collections.abc import Mapping
from dataclasses import fields, replace
from random import Random
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.rank.judged import RANKS, SESSION, Example, ListedTurn, Lists
from bench.rank.training import FOLDS, FOLDS_OF_ONE, fit, folds_of, recall, train
from graphmem.retrieve.weights import TurnWeights, packaged

PLAIN = packaged().turns
NAMES = [each.name for each in fields(TurnWeights)]
NOTHING = TurnWeights(**dict.fromkeys(NAMES, 0.0))


def candidate(id_: str, *, answers: bool = False, session: str = "", fixed: float = 0.0, **scores: float) -> ListedTurn:
    return ListedTurn(id=id_, session=session, scores=scores, fixed=fixed, answers=answers)


def example(*candidates: ListedTurn, group: str = "g", wanted: int = 1) -> Example:
    return Example(group=group, candidates=candidates, wanted=wanted)


def misleading(random: Random, group: str) -> Example:
    """A list in which full text is as good as chance, and the date says what answers."""
    found = [
        candidate(f"{random.random()}", text=random.random(), date=0.3 if place == 0 else 0.0, answers=place == 0)
        for place in range(30)
    ]
    return example(*found, group=group)


@pytest.fixture
def examples() -> list[Example]:
    random = Random(7)  # noqa: S311 - no secret
    return [misleading(random, f"g{place % 3}") for place in range(60)]


def test_recall_is_the_mean_share_of_what_answers() -> None:
    above = [candidate(f"a{place}", text=1.0) for place in range(6)]
    first = example(candidate("z", text=2.0, answers=True), *above)
    second = example(candidate("z", text=0.5, answers=True), *above, wanted=2)
    assert recall([first, second], replace(NOTHING, text=1.0)) == {5: 0.5, 10: 0.75, 20: 0.75}
    assert recall([first, example()], replace(NOTHING, text=1.0)) == {5: 0.5, 10: 0.5, 20: 0.5}
    assert recall([example()], PLAIN) == dict.fromkeys(RANKS, 0.0)


def test_of_equal_scores_the_lesser_id_stands_first() -> None:
    others = [candidate(f"b{place}") for place in range(5)]
    assert recall([example(candidate("a", answers=True), *others)], PLAIN)[5] == 1
    assert recall([example(candidate("c", answers=True), *others)], PLAIN)[5] == 0


def test_the_best_of_a_session_lifts_its_other_turns_under_any_weights() -> None:
    others = [candidate(f"b{place}", text=0.5) for place in range(5)]
    best, answer = candidate("best", session="s", text=1.0), candidate("answer", session="s", answers=True)
    found = [example(best, answer, *others)]
    assert recall(found, replace(NOTHING, text=1.0, session=0.4))[5] == 0
    assert recall(found, replace(NOTHING, text=1.0, session=0.6))[5] == 1
    assert (
        recall([example(best, replace(answer, session=""), *others)], replace(NOTHING, text=1.0, session=9.0))[5] == 0
    )


def test_what_no_weight_counts_is_added_as_it_is() -> None:
    others = [candidate(f"b{place}", text=0.5) for place in range(5)]
    assert recall([example(candidate("z", fixed=0.6, answers=True), *others)], replace(NOTHING, text=1.0))[5] == 1


def test_a_reason_that_tells_the_answers_is_found_and_held_out_questions_gain(examples: list[Example]) -> None:
    start, calls = replace(NOTHING, text=1.0), list[None]()
    trained = train(examples, start, lambda: calls.append(None))
    assert trained.weights.date > 1
    assert trained.weights.text == start.text
    assert mean(trained.before.values()) < 0.6
    assert mean(trained.after.values()) > 0.9
    assert mean(trained.held_out.values()) > 0.9
    assert trained.gains
    assert (trained.folds, trained.by_group, len(calls)) == (3, True, 4)


def test_chance_moves_nothing() -> None:
    """Less than one question more is no reason to move a weight."""
    found = [example(candidate("a", text=1.0, answers=True), candidate("b", date=1.0)) for _ in range(9)]
    trained = train(found, PLAIN)
    assert trained.weights == PLAIN
    assert not trained.gains
    assert fit([example()], PLAIN) == PLAIN


def test_of_one_group_every_fifth_question_is_left_out_of_many_several_groups() -> None:
    one = folds_of([example(candidate(str(place))) for place in range(12)])
    many = folds_of([example(group=str(place)) for place in range(25)])
    assert [len(part) for part in one] == [3, 3, 2, 2, 2]
    assert len(one) == FOLDS_OF_ONE
    assert [len(part) for part in many] == [3] * 5 + [2] * 5
    assert len(many) == FOLDS


SCORES = st.dictionaries(st.sampled_from([name for name in NAMES if name != SESSION]), st.floats(0, 1))
CANDIDATES = st.lists(
    st.builds(candidate, st.text("abcdef", min_size=1), answers=st.booleans(), session=st.sampled_from(("", "s", "t"))),
    unique_by=lambda one: one.id,
    max_size=30,
)


@st.composite
def judged(draw: st.DrawFn) -> list[Example]:
    lists = draw(st.lists(CANDIDATES, min_size=1, max_size=4))
    scored = [[replace(one, scores=draw(SCORES)) for one in found] for found in lists]
    return [example(*found, wanted=max(1, sum(one.answers for one in found))) for found in scored]


def slowly(found: Example, weights: TurnWeights, rank: int) -> float:
    """The same recall as it is defined, one list and one turn at a time."""

    def own(one: ListedTurn) -> float:
        return sum(getattr(weights, name) * score for name, score in one.scores.items())

    def score(one: ListedTurn) -> float:
        of_session = max(
            (own(each) for each in found.candidates if one.session and each.session == one.session), default=0
        )
        return own(one) + weights.session * of_session

    first = sorted(found.candidates, key=lambda one: (-round(score(one), 9), one.id))[:rank]
    return sum(one.answers for one in first) / found.wanted


@given(judged())
def test_tables_say_what_the_definition_says(found: list[Example]) -> None:
    weights = TurnWeights(**{name: place / 4 - 1 for place, name in enumerate(NAMES)})
    rounded = [
        replace(one, candidates=tuple(replace(each, scores=_coarse(each.scores)) for each in one.candidates))
        for one in found
    ]
    assert recall(rounded, weights) == pytest.approx(
        {rank: mean(slowly(one, weights, rank) for one in rounded) for rank in RANKS}
    )


def _coarse(scores: Mapping[str, float]) -> dict[str, float]:
    """Scores of which sums and products are exact, so that equal ones are equal however they are added up."""
    return {name: round(score * 8) / 8 for name, score in scores.items()}


@given(judged())
def test_fitting_never_loses(found: list[Example]) -> None:
    if any(one.candidates for one in found):
        lists = Lists(found)
        assert mean(lists.recall(fit(found, PLAIN)).values()) >= mean(lists.recall(PLAIN).values())
