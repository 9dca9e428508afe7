"""Paths of beliefs that answer a question which no belief alone answers."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from graphmem.model.hits import FoundPath, Ranked, Reached
from graphmem.retrieve.paths import PathFinder, along_paths, with_answering, with_paths
from graphmem.retrieve.question import question


def step(start: str, predicate: str, other: str | None, other_type: str = "") -> Reached:
    id_ = f"{start} {predicate} {other}"
    return Reached(
        id=id_,
        kind="fact" if other is None else "relationship",
        open=False,
        predicate=predicate,
        start=start,
        other=other,
        other_type=other_type,
        forwards=True,
        beliefs=1,
        cosine=0.0,
    )


def back(one: Reached, other_type: str) -> Reached:
    """The same belief, from its other end."""
    return replace(one, start=one.other or "", other=one.start, other_type=other_type, forwards=False)


ALICE = [
    step("alice", "works_on", "atlas", "project"),
    step("alice", "works_on", "borealis", "project"),
    step("alice", "lives_in", "oslo", "city"),
    step("alice", "boss", "paul", "person"),
    step("alice", "likes", None),
]
BEYOND = [
    step("atlas", "deployed_to", "eu-west", "region"),
    step("atlas", "status", None),
    step("paul", "lives_in", "turin", "city"),
    step("paul", "partner", "ida", "person"),
    step("oslo", "located_in", "norway", "country"),
    step("paul", "boss", "alice", "person"),
    back(ALICE[0], "person"),
    back(ALICE[3], "person"),
]
LAST = [step("ida", "works_at", "initech", "organization"), step("ida", "lives_in", "bonn", "city")]


def found(text: str, *layers: Sequence[Reached], name: str = "alice") -> list[list[str]]:
    paths = PathFinder(question(text), [name]).paths(layers)
    return [[one.id for one in path.steps] for path in paths]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (
            "Which region is the project Alice works on deployed to?",
            ["alice works_on atlas", "atlas deployed_to eu-west"],
        ),
        ("Where does Alice's boss live?", ["alice boss paul", "paul lives_in turin"]),
        ("Who is the wife of Alice's manager?", ["alice boss paul", "paul partner ida"]),
        ("Which country is the city in which Alice lives?", ["alice lives_in oslo", "oslo located_in norway"]),
    ],
)
def test_two_beliefs_that_together_have_the_words_are_a_path(text: str, path: list[str]) -> None:
    assert found(text, ALICE, BEYOND)[0] == path


def test_three_beliefs_are_a_path_where_two_leave_words() -> None:
    finder = PathFinder(question("Which firm does the wife of Alice's boss work for?"), ["alice"])
    assert finder.leaves_words(finder.paths([ALICE, BEYOND]), ALICE)
    best = finder.paths([ALICE, BEYOND, LAST])[0]
    assert [one.other for one in best.steps] == ["paul", "ida", "initech"]
    assert not finder.leaves_words([best], ALICE)


@pytest.mark.parametrize("text", ["Where does Alice live?", "What does Alice like?", "Alice?", "Who is Alice's boss?"])
def test_what_one_belief_answers_needs_no_path(text: str) -> None:
    assert found(text, ALICE, BEYOND) == []


def test_where_one_belief_has_all_words_nobody_looks_further() -> None:
    assert not PathFinder(question("Where does Alice live?"), ["alice"]).leaves_words([], ALICE)
    assert PathFinder(question("Where does Alice's boss live?"), ["alice"]).leaves_words([], ALICE)
    talk = f"Where does Alice's boss live? {' '.join(f'word{letter}' for letter in 'abcdefghijklmnop')}"
    assert not PathFinder(question(talk), ["alice"]).leaves_words([], ALICE)


def test_a_path_does_not_return_and_leads_on_from_where_most_words_lead() -> None:
    assert found("Who is the boss of Alice's boss?", ALICE, BEYOND) == []
    assert PathFinder(question("Where does Alice's boss live?"), ["alice"]).frontier([ALICE])[:2] == ["oslo", "paul"]


def test_paths_stand_before_all_else_and_say_why() -> None:
    path = FoundPath(steps=(ALICE[0], BEYOND[0]), covered=0.75)
    (hit,) = with_paths([], [path])
    assert (hit.kind, hit.steps) == ("path", ("alice works_on atlas", "atlas deployed_to eu-west"))
    assert sum(part.contribution for part in hit.contributions) == hit.score


def test_who_is_said_to_be_something_to_somebody_comes_before_whom_they_are_that_to() -> None:
    of_bob = step("bob", "boss", "alice", "person")
    bobs = [step("bob", "lives_in", "rome", "city"), *BEYOND]
    found_paths = found("Where does Alice's boss live?", [back(of_bob, "person"), *ALICE], bobs)
    assert found_paths == [["alice boss paul", "paul lives_in turin"], ["bob boss alice", "bob lives_in rome"]]


@pytest.mark.parametrize(
    "text",
    ["What did Alice's partner complain about?", "Which book did Alice's boss recommend when we talked of work?"],
)
def test_a_path_has_more_than_half_of_what_is_asked_and_no_word_that_only_begins_alike(text: str) -> None:
    known = [*ALICE, step("alice", "partner", "ben", "person")]
    assert found(text, known, [*BEYOND, step("ben", "works_at", "initech", "organization")]) == []


def answering(text: str, *beliefs: Reached) -> set[str]:
    return set(PathFinder(question(text), ["alice"]).answering(beliefs or ALICE))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Where does Alice live?", {"alice lives_in oslo"}),
        ("Which project does Alice work on?", {"alice works_on atlas", "alice works_on borealis"}),
        ("Who is Alice's boss?", {"alice boss paul"}),
        ("What does Alice own?", {"alice owns cello"}),
        ("Where does Alice work these days?", {"alice works_at initech"}),
        ("What does Alice like about the boss of her band?", set[str]()),
        ("Alice?", set[str]()),
    ],
)
def test_a_question_for_one_predicate_is_answered_by_the_beliefs_of_it(text: str, ids: set[str]) -> None:
    more = [step("alice", "works_at", "initech", "organization"), step("alice", "owns", "cello", "product")]
    assert answering(text, *ALICE, *more) == ids


def test_an_open_belief_answers_no_predicate_and_whose_boss_somebody_is_not_who_is_the_boss() -> None:
    of_bob = back(step("bob", "boss", "alice", "person"), "person")
    assert answering("Who is Alice's boss?", of_bob, ALICE[3]) == {ALICE[3].id}
    assert answering("Who is Alice's boss?", of_bob) == {of_bob.id}
    assert answering("Who is Alice's boss?", replace(ALICE[3], open=True)) == set()


def ranked(*ids: str) -> list[Ranked]:
    return [Ranked(kind="fact", id=id_, score=1 - place / 10, contributions=()) for place, id_ in enumerate(ids)]


def test_of_the_beliefs_that_answer_by_themselves_the_best_stand_first_in_their_order() -> None:
    first = with_answering(ranked("a", "b", "c", "d", "e", "f"), frozenset("cdefx"))
    assert [item.id for item in first] == ["c", "d", "e", "a", "b", "f"]
    assert all(item.score == pytest.approx(1 - "abcdef".index(item.id) / 10) for item in first[3:])
    assert sum(part.contribution for part in first[0].contributions) == pytest.approx(first[0].score - 0.8)


def test_the_beliefs_of_the_best_paths_come_first_each_once_and_in_their_order() -> None:
    paths = [
        FoundPath(steps=(ALICE[0], BEYOND[0]), covered=1.0),
        FoundPath(steps=(ALICE[0], BEYOND[1]), covered=1.0),
        FoundPath(steps=(ALICE[3], BEYOND[2]), covered=0.8),
    ]
    along = along_paths(ranked("a", BEYOND[0].id), paths)
    assert [item.id for item in along] == [ALICE[0].id, BEYOND[0].id, BEYOND[1].id, "a"]
    assert [item.kind for item in along] == ["relationship", "relationship", "fact", "fact"]
    scores = [item.score for item in along]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)
