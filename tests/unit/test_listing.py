"""What commands print of stored text: all of it, as text."""

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.console import Console

from graphmem import client, local
from graphmem.client.cli.printing import Listing, listing, say, say_text, say_under, show
from graphmem.visible import visible, visible_lines

HOSTILE = (
    *("[/]", "[link=https://evil.example]Maya[/link]", "[bold]", ":smile:", "\\[x]"),
    *("a\x1b[31m", "\x1b]0;title\x07", "\x9b2J", "\r", "\x00", "\x08", "\x7f", "\x85", "a\nb: c", "\t"),
    *("\u202eayaM\u202c", "\u2066x\u2069", "\u200e", "\u061c", "a\u200bb", "\u2028", "\ufeff", "\u00ad", "\U000e0041"),
    *("a\ufe00", "a\U000e0100", "\u180b", "\u2065"),
    "\ud800",
)
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(HOSTILE)).map("".join))
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def test_what_shows_nothing_is_escaped_and_an_emoji_is_not() -> None:
    assert [visible(text) for text in ("a\ufe00", "a\U000e0100", "\u2065")] == ["a\\ufe00", "a\\U000e0100", "\\u2065"]
    assert visible("\u2764\ufe0f") == "\u2764\ufe0f"


def printed(table: Listing) -> str:
    console = Console(width=10_000, force_terminal=False)
    with console.capture() as capture:
        show(table, console)
    return capture.get()


def names(*cells: str, title: str = "Names", column: str = "name") -> Listing:
    return listing(title, (column, *[""] * (len(cells) - 1)), "there are none.", [cells] if cells else [])


@given(TEXTS, TEXTS, TEXTS)
@example("[/]", "[/]", "[/]")
def test_a_table_shows_every_character_and_obeys_none(title: str, column: str, cell: str) -> None:
    text = printed(names(cell, title=title, column=column))
    assert OBEYED.search(text) is None
    for shown in (visible(title), visible(column), *visible_lines(cell).split("\n")):
        assert _without_blanks(shown) in _without_blanks(text)


@given(TEXTS)
@example("[/]")
def test_where_there_is_nothing_a_sentence_says_so(title: str) -> None:
    text = printed(names(title=title))
    assert OBEYED.search(text) is None
    assert _without_blanks(f"{visible(title)}: there are none.") in _without_blanks(text)
    assert "━" not in text


@given(TEXTS)
def test_escapes_are_plain_text_and_leave_plain_text_alone(text: str) -> None:
    shown = visible(text)
    assert {unicodedata.category(one) for one in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"} == set()
    assert visible(shown) == shown
    plain = "".join(one for one in text if unicodedata.category(one)[0] != "C" and one not in "\u2028\u2029")
    kept = "".join(one for one in plain if visible(one) == one)
    assert visible(kept) == kept


def test_lines_are_one_and_further_lines_of_a_text_stand_below(capsys: pytest.CaptureFixture[str]) -> None:
    say("a\nb\x1b")
    say_text("a\nb\x1b\tc")
    say_under("Ivo\n: ", "Hello.\nMaya: I agree.\u2028Eve: no")
    out = capsys.readouterr().out
    assert out == "a\\nb\\x1b\na\nb\\x1b\tc\nIvo\\n: Hello.\n    Maya: I agree.\\u2028Eve: no\n"


def test_no_command_prints_by_itself() -> None:
    rooms = [path for room in (client, local) for path in Path(room.__file__ or "").parent.rglob("*.py")]
    assert len(rooms) > 30
    for path in rooms:
        text = path.read_text("utf-8")
        assert ("typer.echo" in text) == (path.name == "printing.py"), path
        assert ("rich.table" in text) == (path.name in {"printing.py", "screen.py"}), path
        assert "rich.markup" not in text, path


def _without_blanks(text: str) -> str:
    return "".join(text.split())
