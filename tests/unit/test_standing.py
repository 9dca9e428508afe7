"""Which summaries stand in a context; and summaries and reflections are found without what was withdrawn of them."""

from dataclasses import replace
from datetime import date

import pytest

from graphmem.model.interval import END
from graphmem.model.reflection import ReflectionSentence, ReflectionText, StoredReflection
from graphmem.model.summary import QuotedSpan, StoredSummary, SummaryOutline, SummarySentence, SummaryText, place_of
from graphmem.retrieve.summaries import standing_reflection, standing_summary, topmost
from tests.reflections import UNTIL, WEEK
from tests.summaries import SAID, turn

TURN = turn("I like jazz. I live in Porto. I like tea.")
LINES = ("Maya likes jazz.", "Maya lives in Porto.", "Maya likes tea.")
SPANS = tuple(QuotedSpan(TURN.id, start, start + 5) for start in (0, 13, 30))


def summary(content: str = "\n".join(("3 May 2025:", *LINES))) -> StoredSummary:
    place = place_of(TURN)
    sentences = tuple(
        SummarySentence(words=line, said_on=date(2025, 5, 3), place=place, spans=(span,))
        for line, span in zip(LINES, SPANS, strict=True)
    )
    return StoredSummary(
        id="version",
        summary_id="summary",
        group_id="g",
        session_id="s",
        session="s",
        user="",
        agent=None,
        subject=None,
        tier=1,
        text=SummaryText(content=content, tokens=12, lines=LINES, sentences=sentences),
        said=20,
        first_turn=1,
        turns=1,
        first=place,
        last=place,
        covers=(TURN.id,),
        drift=None,
        stale_at=SAID,
        recorded_at=SAID,
        superseded_at=END,
    )


def reflection() -> StoredReflection:
    sentences = tuple(ReflectionSentence(text=f"New: {line}", claims=(line, "shared")) for line in LINES)
    content = "\n".join(("Week to 4 May 2025:", *(one.text for one in sentences)))
    return StoredReflection(
        id="version",
        reflection_id="reflection",
        group_id="g",
        user="",
        week=WEEK,
        text=ReflectionText(content=content, tokens=12, sentences=sentences),
        memories=3,
        new=3,
        tags=("weekly",),
        stale_at=UNTIL,
        recorded_at=UNTIL,
        superseded_at=END,
    )


@pytest.mark.parametrize(
    ("gone", "content"),
    [
        (0, "3 May 2025:\nMaya lives in Porto.\nMaya likes tea."),
        (1, "3 May 2025:\nMaya likes jazz.\nMaya likes tea."),
        (2, "3 May 2025:\nMaya likes jazz.\nMaya lives in Porto."),
    ],
)
def test_a_summary_is_found_without_the_sentence_that_was_withdrawn(gone: int, content: str) -> None:
    found = standing_summary(summary(), {SPANS[gone]})
    assert found is not None
    assert found.text.content == content
    assert found.text.lines == tuple(line for at, line in enumerate(LINES) if at != gone)
    assert [one.words for one in found.text.sentences] == list(found.text.lines)


def test_sentences_in_one_paragraph_are_cut_out_of_it() -> None:
    found = standing_summary(summary(" ".join(LINES)), {SPANS[1]})
    assert found is not None
    assert found.text.content == "Maya likes jazz. Maya likes tea."


def test_a_summary_of_which_nothing_was_withdrawn_is_as_it_is_and_one_without_sentences_is_none() -> None:
    assert standing_summary(summary(), {QuotedSpan("another", 0, 50)}) == summary()
    assert standing_summary(summary(), set(SPANS)) is None


def test_a_reflection_is_found_without_the_sentence_that_cites_what_was_withdrawn() -> None:
    found = standing_reflection(reflection(), {LINES[1]})
    assert found is not None
    assert found.text.content == "Week to 4 May 2025:\nNew: Maya likes jazz.\nNew: Maya likes tea."
    assert [one.claims[0] for one in found.text.sentences] == [LINES[0], LINES[2]]
    assert standing_reflection(reflection(), {"another"}) == reflection()
    assert standing_reflection(reflection(), {"shared"}) is None


BELOW = SummaryOutline(
    id=summary().id, summary_id=summary().summary_id, tier=1, last=summary().last, covers=summary().covers
)


def test_a_summary_of_summaries_that_were_not_read_stands_in_a_context() -> None:
    above = replace(BELOW, id="above", summary_id="meta", tier=2, covers=("summary",))
    assert topmost([above], window=()) == [above]
    assert topmost([above], [TURN.id]) == [above]


def test_what_another_one_covers_or_is_wholly_in_the_window_stands_in_no_context() -> None:
    above = replace(BELOW, id="above", summary_id="meta", tier=2, covers=("summary",))
    assert topmost([BELOW, above], window=()) == [above]
    assert topmost([BELOW, above], [TURN.id]) == []
    assert topmost([BELOW], [TURN.id]) == []
