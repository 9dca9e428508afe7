"""Parts of a file on their way in: how large they are, what of them is refused, and ids of two texts."""

from collections.abc import Iterator

from graphmem.files.episodes import PlacedBody
from graphmem.files.handing import MOST_REFUSALS, PART, PART_CHARACTERS, HandedIn


def placed(*contents: str, ids: bool = False, line: int | None = None) -> Iterator[PlacedBody]:
    for number, content in enumerate(contents):
        named = {"external_id": content.partition(" ")[0]} if ids else {}
        yield PlacedBody({"content": content, **named}, f"talk:{number if line is None else line}")


def test_a_part_is_closed_by_its_turns_or_by_its_characters() -> None:
    short = HandedIn().parts(placed(*("a" for _ in range(PART + 1))))
    long = HandedIn().parts(placed(*("x" * (PART_CHARACTERS // 2 - 1) for _ in range(3)), "y" * PART_CHARACTERS, "z"))
    assert [len(part) for part in short] == [PART, 1]
    assert [len(part) for part in long] == [2, 1, 1, 1]


def test_turns_of_one_place_are_refused_each_and_the_first_ones_are_listed() -> None:
    handed = HandedIn()
    for part in handed.parts(placed(*(str(number) for number in range(2 * MOST_REFUSALS)), line=7)):
        handed.refuse(part, "No.")
    assert (handed.turns, handed.refused, len(handed.refusals)) == (2 * MOST_REFUSALS, 2 * MOST_REFUSALS, MOST_REFUSALS)
    assert {(turn.place, turn.reason) for turn in handed.refusals} == {("talk:7", "No.")}


def test_another_text_of_an_id_of_the_same_run_is_refused_and_the_same_one_again_is_not() -> None:
    handed = HandedIn()
    (part,) = handed.parts(placed("17 broken", "18 late", "17 mended", "17 broken", "17 mended", ids=True))
    assert [body.body["content"] for body in part] == ["17 broken", "18 late", "17 broken"]
    assert [turn.place for turn in handed.refusals] == ["talk:2", "talk:4"]
    assert all("such as a ticket" in turn.reason for turn in handed.refusals)
    logged = [PlacedBody({"content": "a", "external_id": "1", "session": session}, session) for session in "st"]
    assert [len(part) for part in HandedIn().parts(iter(logged))] == [2]
