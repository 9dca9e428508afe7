"""Where a long text is cut."""

import pytest

from graphmem.extract.pieces import last_part, pieces


def cut(text: str, most: int) -> list[str]:
    return [text[part.start : part.end] for part in pieces(text, most)]


@pytest.mark.parametrize(
    ("text", "most", "parts"),
    [
        ("", 10, []),
        ("One. Two. Three.", 100, ["One. Two. Three."]),
        ("One. Two. Three.", 11, ["One. Two. ", "Three."]),
        ("“One!” he said. Two.", 17, ["“One!” he said. ", "Two."]),
        ("I met Dr. Berg today. We ate.", 24, ["I met Dr. Berg today. ", "We ate."]),
        ("See Dr. Berg and all the others.", 12, ["See Dr. ", "Berg and ", "all the ", "others."]),
        ("A line\nanother line", 10, ["A line\n", "another ", "line"]),
        ("私は東京に住む。大阪にも行く。", 10, ["私は東京に住む。", "大阪にも行く。"]),
        ("x" * 25, 10, ["x" * 10, "x" * 10, "x" * 5]),
        ("version 1.2.3 of example.com", 14, ["version 1.2.3 ", "of example.com"]),
    ],
)
def test_a_text_is_cut_after_sentences_then_after_words(text: str, most: int, parts: list[str]) -> None:
    assert cut(text, most) == parts


@pytest.mark.parametrize(
    ("text", "most", "end"),
    [
        ("One. Two. Three.", 100, "One. Two. Three."),
        ("One. Two. Three.", 13, "Two. Three."),
        ("One. Two. Three.", 7, "Three."),
        ("One. Two. Three.", 3, "ee."),
        ("all in one sentence", 12, "one sentence"),
        ("all in one sentence", 11, "sentence"),
        ("all in one sentence", 8, "sentence"),
        ("I met Dr. Berg today. We ate.", 24, "We ate."),
        ("One. Two.", 0, ""),
        ("", 0, ""),
    ],
)
def test_the_end_of_a_text_begins_with_a_sentence_or_a_word(text: str, most: int, end: str) -> None:
    assert last_part(text, most) == end
    assert len(last_part(text, most)) <= most
