"""A quote is found where it stands, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.llm.grounding import TOLERANCE, find_name, find_quote

TEXT = "Well — I've moved to  Porto last week,\nand I don’t miss the “old” flat. Porto is great!"


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("moved to  Porto", "moved to  Porto"),
        ("moved to Porto", "moved to  Porto"),
        ("I'VE MOVED TO PORTO", "I've moved to  Porto"),
        ("last week, and I don't miss", "last week,\nand I don’t miss"),
        ('the "old" flat', "the “old” flat"),
        ("Well - I've", "Well — I've"),
        ("I have moved to Porto last weak", None),
        ("and I dont miss the “old” flat", "and I don’t miss the “old” flat"),
        ("moved to Lisbon", None),
        ("I will never move again, said nobody", None),
        ("", None),
        ("   ", None),
    ],
)
def test_a_quote_is_found_as_the_text_has_it(quote: str, found: str | None) -> None:
    span = find_quote(TEXT, quote)

    assert (None if span is None else TEXT[slice(*span)]) == found


def test_one_letter_in_ten_may_be_wrong_and_not_more() -> None:
    text = "abcdefghij" * 3

    assert find_quote(f"xx {text} yy", text.replace("e", "", 1)) is not None
    assert find_quote(f"xx {text} yy", text.replace("e", "?").replace("a", "!")) is None
    assert len(text) // TOLERANCE == 3


def test_a_quote_cannot_be_a_pattern() -> None:
    assert find_quote("a+b (c) [d]", "a+b  (c)") == (0, 7)
    assert find_quote("anything at all", ".*") is None


@given(st.text(max_size=60), st.data())
def test_every_piece_of_a_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    piece = text[start : data.draw(st.integers(start, len(text)))]

    span = find_quote(text, piece)

    assert (span is None) == (not piece.strip())
    assert span is None or text[slice(*span)] == piece.strip()


def test_a_name_is_found_as_words_of_its_own() -> None:
    text = "Ann met Anna in San  Jose. ANN left."

    assert [text[slice(*span)] for span in find_name(text, "Ann")] == ["Ann", "ANN"]
    assert [text[slice(*span)] for span in find_name(text, "San Jose")] == ["San  Jose"]
    assert find_name(text, " ") == []


@pytest.mark.parametrize(
    ("text", "name", "places"),
    [
        ("私は東京に住んでいます", "東京", 1),
        ("我在北京工作", "北京", 1),
        ("ฉันอยู่ที่กรุงเทพ", "กรุงเทพ", 1),
        ("生成AIは便利", "AI", 1),
        ("アンナとアンは友達", "アン", 1),
        ("トヨタ自動車で働く", "トヨタ", 1),
        ("저는 서울에 살아요", "서울", 1),
        ("김민수 씨는 김민수님과 달라요", "김민수", 2),
        ("안나푸르나에 갔어요", "안나", 0),
        ("Она живёт в Москве", "Москв", 0),
    ],
)
def test_a_name_is_found_in_scripts_that_write_words_together(text: str, name: str, places: int) -> None:
    assert [text[slice(*span)] for span in find_name(text, name)] == [name] * places


def test_a_quote_is_rather_whole_words_than_a_part_of_one() -> None:
    assert find_quote("A party is no art.", "art") == (14, 17)
    assert find_quote("A party.", "art") == (3, 6)
