"""Whose words the parts of a text are."""

import tomllib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.owners.notes import named_user
from graphmem.extract.owners.people import Cast
from graphmem.extract.owners.spans import owned_spans
from graphmem.model.owners import NOBODY, SPEAKER, OwnedSpan, Owner, Voice, masked, within

GOLD: dict[str, Any] = tomllib.loads((Path(__file__).parents[1] / "gold" / "owners.toml").read_text("utf-8"))
INES = Cast(("Ines Moreau",), frozenset({"Bashir", "Wen"}))
PIECES = GOLD["pieces"]
TEXTS = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=14).map("".join))


def words_of(text: str, spans: Sequence[OwnedSpan], owner: Owner) -> list[str]:
    """What an owner says, neighbouring spans as one."""
    runs = list[str]()
    last = -1
    for span in (each for each in spans if each.owner == owner):
        words = text[span.start : span.end]
        runs[len(runs) - (last == span.start) :] = [(runs[-1] if last == span.start else "") + words]
        last = span.end
    return [run.strip() for run in runs]


def test_what_is_ones_own_stays_so(subtests: pytest.Subtests) -> None:
    for text in GOLD["own"]:
        with subtests.test(text):
            others = [span for span in owned_spans(text, INES) if span.owner != SPEAKER and span.form != "head"]
            assert others == []


def test_each_form_shows_whose_which_words_are(subtests: pytest.Subtests) -> None:
    for row in GOLD["mixed"]:
        with subtests.test(row["form"]):
            spans = owned_spans(row["text"], INES)
            said = {SPEAKER: row.get("own", []), NOBODY: row.get("nobody", [])}
            said |= {Owner(Voice.NAMED, name): words for name, words in row.get("named", {}).items()}
            named = {span.owner for span in spans if span.owner.voice is Voice.NAMED}
            assert named == {owner for owner in said if owner.voice is Voice.NAMED}
            for owner, words in said.items():
                found = "\n".join(words_of(row["text"], spans, owner))
                assert all(each in found for each in words), (owner, found)
                for other in said.keys() - {owner}:
                    assert not any(each in found for each in said[other]), (owner, found)


@given(TEXTS)
def test_spans_cover_a_text_without_overlaps(text: str) -> None:
    spans = owned_spans(text, INES)

    assert "".join(text[span.start : span.end] for span in spans) == text
    assert all(before.end == after.start for before, after in pairwise(spans))
    assert all(span.start < span.end for span in spans)


@given(TEXTS)
def test_masking_keeps_lines_and_offsets(text: str) -> None:
    spans = owned_spans(text, INES)
    for owner in {span.owner for span in spans}:
        said = [span for span in spans if span.owner == owner]
        content = masked(text, said)
        assert (len(content), content.count("\n")) == (len(text), text.count("\n"))
        assert all(content[span.start : span.end] == text[span.start : span.end] for span in said)
        assert not masked(content, [span for span in spans if span.owner != owner]).strip()


@given(TEXTS, st.integers(0, 200), st.integers(0, 200))
def test_a_piece_has_the_owners_of_the_whole(text: str, first: int, size: int) -> None:
    spans, piece = owned_spans(text, INES), text[first : first + size]
    inside = within(spans, first, first + size)

    assert "".join(piece[span.start : span.end] for span in inside) == piece


@pytest.mark.parametrize("line", GOLD["repeated"])
def test_a_long_text_takes_time_in_proportion(line: str) -> None:
    """No more steps are taken than fit into the time limit of the run: 50 kB in one form."""
    text = line * (50_000 // len(line))
    assert sum(span.end - span.start for span in owned_spans(text, INES)) == len(text)


@pytest.mark.parametrize(
    ("note", "name"),
    [
        ("Memory file opened. The user is Inès Fabre, backend developer.", "Inès Fabre"),
        ("User's name is Zoe.", "Zoe"),
        ("The user's full name is Nguyễn Văn An", "Nguyễn Văn An"),
        ("The user is called Al and likes tea.", "Al"),
        ("The user goes by Big Al.", "Big Al"),
        ("The user is French.", None),
        ("The user is Senior Developer, since May.", None),
        ("The user is at home, says Ana.", None),
        ("The user is Anna's brother.", None),
        ("A user is called twice.", None),
    ],
)
def test_a_note_names_the_user(note: str, name: str | None) -> None:
    assert named_user(note) == name
