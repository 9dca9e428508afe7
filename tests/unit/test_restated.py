"""A number given anew stands above the one it makes out of date, and nothing else is moved."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.episode import EpisodeRole
from graphmem.model.hits import Contribution, Ranked, RankedTurn, TurnText
from graphmem.retrieve.question import question
from graphmem.retrieve.restated import MOST, READ, RESTATED, asks_for_a_value, of_one, put_above, restated

MAY = datetime(2024, 5, 1, tzinfo=UTC)


def texts(*contents: str) -> list[TurnText]:
    """Turns named by their place, best first; the later in the list the later they were said."""
    return [TurnText(id=str(at), content=said, order=(MAY, (at, 0))) for at, said in enumerate(contents)]


def item(id_: str, score: float) -> Ranked:
    reason = Contribution(channel="text", rank=1, score=score, contribution=score)
    return Ranked(kind="episode", id=id_, score=score, contributions=(reason,))


@pytest.mark.parametrize(
    ("asked", "before", "later"),
    [
        ("How many tiles are in my mosaic?", "The mosaic has 80 tiles.", "I bought more, my mosaic now has 95 tiles."),
        ("How many pages have I written?", "I have written 40 pages.", "The pages written have recently reached 55."),
        ("What is my accuracy?", "My accuracy is 70%.", "My accuracy has improved to 85 percent."),
        ("When is my call with Ana?", "The call with Ana is on 3 May.", "My call with Ana was moved to May 5."),
        ("What time is the dinner?", "Dinner is at 7 pm.", "Dinner is rescheduled to 8:30 PM."),
        ("How many offers have I got from banks?", "I got 3 offers from banks.", "I got 5 offers from banks."),
        ("What is my score after 9 rounds of chess?", "After 5 rounds of chess 60%.", "9 rounds of chess, 70%."),
    ],
)
def test_what_gives_the_number_anew_is_told(asked: str, before: str, later: str) -> None:
    assert restated(question(asked), texts(before, later)) == ["1"]


@pytest.mark.parametrize(
    ("before", "later", "why"),
    [
        ("The mosaic has 80 tiles.", "I really like my mosaic now.", "no number"),
        ("The mosaic has 80 tiles.", "My mosaic still has the 80 tiles now.", "the same number"),
        ("The mosaic has 80 tiles.", "My new mosaic has 3 colours.", "a number of something else"),
        ("The mosaic in my hall at home has 80 tiles.", "I now have 95 tiles.", "little of what is asked"),
        ("The mosaic in the hall has 80 tiles.", "Another mosaic has 95 tiles, by the door.", "nothing says it is new"),
        ("The mosaic has 80 tiles.", "My mosaic now:\n```\n95 tiles\n```", "code is not said"),
    ],
)
def test_what_does_not_give_it_anew_is_not(before: str, later: str, why: str) -> None:
    assert not restated(question("How many tiles are in my hall mosaic at home?"), texts(before, later)), why


def test_what_was_said_before_the_best_is_not_newer() -> None:
    newest, oldest = texts("I had 80 tiles.", "I now have 95 tiles.")[::-1]

    assert not restated(question("How many tiles do I have?"), [newest, oldest])


def test_of_several_the_newest_comes_first_and_two_at_most() -> None:
    said = texts("I have 80 tiles.", "I now have 90 tiles.", "I now have 95 tiles.", "I now have 97 tiles.")

    assert restated(question("How many tiles do I have?"), said) == ["2", "1"]
    assert MOST == 2


@pytest.mark.parametrize(
    ("asked", "does"),
    [
        ("How many tiles are there?", True),
        ("And what is the quota?", True),
        ("When is the call?", True),
        ("How many tiles were there before?", False),
        ("What did Maya paint?", False),
        ("Who is Maya?", False),
        ("tiles", False),
    ],
)
def test_a_value_is_asked_for_in_the_present(asked: str, *, does: bool) -> None:
    assert asks_for_a_value(question(asked)) is does


def test_turns_of_others_and_of_assistants_are_not_compared() -> None:
    def turn(id_: str, speaker: str | None, role: EpisodeRole = EpisodeRole.USER) -> RankedTurn:
        return RankedTurn(
            id=id_,
            session="s",
            speaker=speaker,
            occurred_at=MAY,
            chars=9,
            asks=False,
            role=role,
            opening="",
            cosine=None,
        )

    ranked = [turn("a", None, EpisodeRole.ASSISTANT), turn("b", "Maya"), turn("c", "Tom")]
    ranked += [turn(f"m{at}", "Maya") for at in range(READ)]

    assert [one.id for one in of_one(ranked)] == ["b", "m0", "m1", "m2"]
    assert not of_one([turn("a", None, EpisodeRole.ASSISTANT)])


@given(st.lists(st.floats(0, 5), min_size=1, max_size=8), st.data())
def test_only_what_is_newer_is_moved_and_reasons_sum(scores: list[float], data: st.DataObject) -> None:
    ranked = sorted((item(str(at), score) for at, score in enumerate(scores)), key=lambda one: (-one.score, one.id))
    first, *others = [one.id for one in ranked]
    newest = data.draw(st.lists(st.sampled_from(others), unique=True, max_size=MOST)) if others else []

    put = put_above(ranked, first, newest)

    at = [one.id for one in put].index(first)
    assert [one.id for one in put][at - len(newest) : at] == newest
    rest = [one for one in put if one.id not in newest]
    assert rest == [one for one in ranked if one.id not in newest]
    for one in put:
        assert sum(part.contribution for part in one.contributions) == pytest.approx(one.score)
        assert (RESTATED in {part.channel for part in one.contributions}) <= (one.id in newest)


@given(st.lists(st.text(max_size=80), max_size=5), st.text(max_size=80))
def test_any_text_is_read(contents: list[str], asked: str) -> None:
    said = [
        TurnText(id=str(at), content=one, order=(MAY + timedelta(days=at), (at, 0))) for at, one in enumerate(contents)
    ]
    newest = restated(question(asked), said)

    assert len(newest) <= MOST
    assert "0" not in newest


@pytest.mark.parametrize("said", ["12 ", "1.", "1,", "1 % ", "may 1 ", "```", ". "])
def test_a_turn_of_a_million_characters_is_read_as_far_as_matters(said: str) -> None:
    endless = said * (1_000_000 // len(said))
    before, later = "The mosaic has 80 tiles.", "My mosaic now has 95 tiles."

    asked = question("How many tiles are in my mosaic?")
    assert restated(asked, texts(before, f"{later}\n{endless} tiles")) == ["1"]
    assert restated(asked, texts(before, f"{endless} tiles")) == []
