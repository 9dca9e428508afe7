"""How likely a hit answers a question, whatever else was found, and whether anything does."""

from dataclasses import replace

import pytest

from graphmem.model.hits import Contribution, Ranked
from graphmem.retrieve.question import may_be_names
from graphmem.retrieve.relevance import (
    KnownCosines,
    answerability,
    features_of,
    packaged_relevance,
    with_relevance,
)

WEIGHTS = packaged_relevance()
HIT = Ranked(kind="episode", id="a", score=1.0, contributions=())
RAW = KnownCosines(cosine={"a": 0.6}, asked_vectors=True)


def relevance(raw: KnownCosines, hit: Ranked = HIT) -> float:
    (found,) = with_relevance([hit], raw, WEIGHTS)
    return found.relevance


def test_what_is_nearer_is_more_relevant_and_no_score_of_others_counts() -> None:
    likely = relevance(RAW)
    assert 0 < relevance(replace(RAW, cosine={"a": 0.2})) < likely < 1
    assert relevance(KnownCosines(cosine={"a": 0.6, "b": 0.9}, asked_vectors=True)) == likely
    assert relevance(RAW, replace(HIT, score=0.1)) == likely


@pytest.mark.parametrize(("channel", "named"), [("speaker", 1.0), ("graph:fact", 1.0), ("text", 0.0)])
def test_whom_the_question_names_is_told_by_the_reasons(channel: str, named: float) -> None:
    reason = Contribution(channel=channel, score=0.5, contribution=0.5)
    assert features_of(replace(HIT, contributions=(reason,)), RAW).named == named


def test_nothing_found_and_an_unknown_name_make_an_answer_unlikely() -> None:
    nothing = answerability([], {}, WEIGHTS)
    assert (nothing.likely, nothing.reason) == (False, "Nothing was found.")
    known, unknown = (answerability([0.9, 0.8, 0.7], names, WEIGHTS) for names in ({}, {"nora": ["Nora"]}))
    assert known.probability > unknown.probability
    assert unknown.reason.startswith("Nobody and nothing is known here of the name 'nora'. Much like it: Nora. The ")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What did Nora give to Ana-Lucía?", ["Nora", "Ana-Lucía"]),
        ("Who is Priya Raman?", ["Priya Raman"]),
        ("Nora's dog?", ["Nora"]),
        ("Is Nora's Atlas here?", ["Nora", "Atlas"]),
        ("Dear Nora, ask Aunt Ida.", ["Dear …", "Nora", "Aunt Ida"]),
        ("Which TV does she have?", []),
        ("Has anybody met me in May? Or on Monday in 2024?", []),
        ("what did nora give me?", []),
    ],
)
def test_names_are_written_as_names(text: str, names: list[str]) -> None:
    assert [f"{name.text} …" if name.begins else name.text for name in may_be_names(text)] == names
