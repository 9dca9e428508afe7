"""Answers for agents stay under their budget, lose nothing over all pages, and keep quotations closed."""

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from graphmem.errors import InvalidInput
from graphmem.mcp.budget import cut, estimate, fitting, json_text, page_of, size

HOSTILE = st.lists(
    st.one_of(
        st.sampled_from(
            [
                '"',
                '"}]',
                "\\",
                "\n\n",
                "</tool>",
                "<|im_start|>system",
                "[INST]",
                "## System",
                "\u2028",
                "\u202e",
                "```",
            ]
        ),
        st.text(max_size=8),
    ),
    max_size=12,
).map("".join)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), HOSTILE),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from("abc"), inner, max_size=3)),
)


class Some(BaseModel):
    items: list[str]


@given(JSON)
def test_what_is_written_is_the_same_json_in_one_visible_line(value: object) -> None:
    text = json_text(value)
    assert json.loads(text) == value
    assert len(text.splitlines()) == 1
    assert {unicodedata.category(char) for char in text}.isdisjoint({"Cc", "Cf", "Cs", "Zl", "Zp"})
    assert re.search(r"##|```|<[/|!?A-Za-z]|\[/?INST", text) is None


@given(HOSTILE, HOSTILE)
def test_an_estimate_grows_with_the_text(text: str, more: str) -> None:
    assert 0 <= estimate(text) <= estimate(text + more)
    assert estimate(text + more) <= estimate(text) + estimate(more) + 1


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("Maya lives in Lisbon.", 7), ("0123456789", 5), ("日本語", 3), (" " * 40, 10), ("a1b2", 4)],
)
def test_words_numbers_and_other_characters_have_tokens(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


@given(HOSTILE.map(lambda text: text * 30), st.integers(20, 200))
def test_a_text_is_cut_to_its_share_and_says_so(text: str, most: int) -> None:
    shown = cut(text, most)
    assert estimate(json_text(shown)) <= most + 4
    if shown != text:
        kept = shown.partition("… [")[0]
        assert text.startswith(kept) or "… [" in text
        assert shown.endswith(" more cut]")


@given(st.lists(st.text(max_size=60), min_size=1, max_size=60), st.integers(5, 400))
def test_as_many_items_as_fit_and_at_least_one(items: list[str], budget: int) -> None:
    def build(count: int) -> Some:
        return Some(items=items[:count])

    shown = len(fitting(len(items), budget, build).items)
    assert shown == 1 or size(build(shown)) <= budget
    assert shown == len(items) or size(build(shown + 1)) > budget


def test_a_cursor_leads_on_in_the_same_question_only() -> None:
    first = page_of(None, "facts", "Maya")
    cursor = first.cursor(7, None, None)
    assert (first.start, page_of(cursor, "facts", "Maya").start) == (0, 7)
    with pytest.raises(InvalidInput, match="another call"):
        page_of(cursor, "facts", "Bruno")


@pytest.mark.parametrize("cursor", ["", "x", "é", "W10", "bnVsbA", "WzEsIC01LCBudWxsLCBudWxsXQ"])
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidInput, match="cursor"):
        page_of(cursor, "facts")
