"""A text in pieces is the text, cut where sentences end, and what stands in a piece stands in the text."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.pieces import PASSAGE_TOKENS, passages, pieces

WORDS = st.sampled_from(
    (
        "I live in Rome",
        "Dr.",
        "J.",
        "x" * 30,
        "Yes",
        "”",
        ".",
        "! ",
        "? ",
        "\n",
        " ",
        "東京。",
        "é",
        "😀",
        "e.g.",
        "\u2028",
    )
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=60).map("".join))
MOST = st.integers(1, 60)


@given(TEXTS, MOST)
def test_joined_the_pieces_are_the_text(text: str, most: int) -> None:
    parts = list(pieces(text, most))

    assert "".join(text[part.start : part.end] for part in parts) == text
    assert all(0 < part.end - part.start <= most for part in parts)
    assert all(one.end == other.start for one, other in pairwise(parts))


@given(TEXTS, MOST)
def test_a_sentence_that_has_room_is_not_cut(text: str, most: int) -> None:
    for part in list(pieces(text, most))[:-1]:
        window = text[part.start : part.start + most]
        cut = part.end - part.start
        if not re.search(r"[.!?…。！？\n]\s*\Z", text[part.start : part.end]):
            ended = [match.end() for match in re.finditer(r"(?<!\b\w)(?<!r|g)[!?]\s|\n", window)]
            assert not ended or max(ended) <= cut


@given(TEXTS, MOST, st.data())
def test_who_goes_on_later_reads_the_same_pieces(text: str, most: int, data: st.DataObject) -> None:
    parts = list(pieces(text, most))
    done = data.draw(st.integers(0, len(parts)))
    cursor = parts[done - 1].end if done else 0
    assert list(pieces(text, most, cursor)) == parts[done:]


SEA = st.just("I saw the sea. ")
LONG = st.lists(st.one_of(WORDS, st.text(min_size=20, max_size=300), SEA), min_size=20, max_size=200)


@given(LONG.map(" ".join))
def test_passages_leave_out_only_blanks_and_begin_with_the_sentence_before(text: str) -> None:
    parts = passages(text)

    if not parts:
        assert len(text.encode("utf-8", "replace")) <= 4 * PASSAGE_TOKENS
        return
    assert all(len(text[part.start : part.end].encode("utf-8", "replace")) <= 4 * PASSAGE_TOKENS for part in parts)
    assert all(one.start < other.start and one.end < other.end for one, other in pairwise(parts))
    said = [text[: parts[0].start], *(text[one.end : other.start] for one, other in pairwise(parts))]
    assert "".join((*said, text[parts[-1].end :])).strip() == ""
