"""What a summary of an entity says, and when one is due."""

from dataclasses import replace
from datetime import datetime

import pytest

from graphmem.derived.entity_summaries import composed, is_due
from graphmem.model.entity_summary import (
    PACKAGED_ENTITY_SUMMARIES,
    EntitySentence,
    StoredEntitySummary,
    entity_summary_id,
)
from graphmem.model.interval import END
from graphmem.model.summary import QuotedSpan
from tests.reflections import MONDAY, UNTIL, belief, evidence

EIGHT = [f"b{at}" for at in range(8)]


def made_from(
    *beliefs: str, content: str = "Maya likes chess.", stale_at: datetime | None = None
) -> StoredEntitySummary:
    sentence = EntitySentence(text=content, belief_id="b0", claims=("c0", "c1"))
    return StoredEntitySummary(
        id="v",
        summary_id=entity_summary_id("maya", ""),
        group_id="g",
        entity_id="maya",
        user="",
        content=content,
        sentences=(sentence,) if content else (),
        tokens=3,
        beliefs=beliefs,
        as_of=MONDAY,
        stale_at=stale_at,
        recorded_at=MONDAY,
        superseded_at=END,
    )


def words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize(
    ("before", "held", "due"),
    [
        (None, EIGHT[:7], False),
        (None, EIGHT, True),
        (made_from(content=""), EIGHT[:7], False),
        (made_from(content="", stale_at=UNTIL), EIGHT[:7], False),
        (made_from(content=""), EIGHT, True),
        (made_from(*EIGHT), EIGHT, False),
        (made_from(*EIGHT, stale_at=UNTIL), EIGHT, True),
        (made_from(*EIGHT), [*EIGHT, "x", "y"], False),
        (made_from(*EIGHT), [*EIGHT, "x", "y", "z"], True),
        (made_from(*EIGHT), [*EIGHT[1:], "x"], False),
        (made_from(*EIGHT), [*EIGHT[1:], "x", "y"], True),
        (made_from(*EIGHT), EIGHT[3:], True),
        (made_from(*EIGHT[:2]), EIGHT[:1], True),
        (made_from(*EIGHT), [], True),
    ],
)
def test_when_it_is_due(before: StoredEntitySummary | None, held: list[str], due: bool) -> None:  # noqa: FBT001
    assert is_due(before, held, PACKAGED_ENTITY_SUMMARIES) is due


def test_it_says_the_statements_with_their_days_each_once() -> None:
    plays = belief("Maya plays chess", evidence("c1"), evidence("c2"), since=MONDAY, stated=True)
    asks = belief("Does Maya ask?")
    same = replace(belief("Does Maya  ask?"), belief_id="another")
    said = composed([plays, asks, same], (), 100, words)
    assert said.content == "Maya plays chess (since 28 April 2025). Does Maya ask?"
    assert [(one.claims, one.belief_id) for one in said.sentences] == [
        (("c1", "c2"), plays.belief_id),
        (("claim of Does Maya ask?",), asks.belief_id),
    ]
    assert said.tokens == words(said.content)


def test_what_is_too_long_makes_room_for_what_comes_after() -> None:
    long, short = belief("Maya likes a great many things."), belief("Maya sings.")
    assert composed([long, short], (), 3, words).content == "Maya sings."
    assert composed([long], (), 3, words).content == ""


def test_what_was_withdrawn_is_superseded_or_cites_nothing_is_not_said() -> None:
    gone = belief("Maya sings.", evidence("c1"), evidence("c2", start=5, end=9))
    withdrawn = {QuotedSpan("episode of c2", 8, 12)}
    over = replace(belief("Maya sang."), superseded_at=UNTIL)
    bare = replace(belief("Maya hums."), evidence=())
    assert composed([gone, over, bare], withdrawn, 100, words).content == ""
    assert composed([gone], {QuotedSpan("episode of c2", 9, 12)}, 100, words).content == "Maya sings."


def test_a_reader_is_not_told_a_sentence_that_cites_what_was_withdrawn() -> None:
    summary = made_from(*EIGHT)
    other = EntitySentence(text="Maya sings.", belief_id="b1", claims=("c2",))
    both = replace(summary, sentences=(*summary.sentences, other), content="Maya likes chess. Maya sings.")
    assert both.without({"c1"}).content == "Maya sings."
    assert both.without({"c1", "c2"}).content == ""
    assert both.without({"c3"}) == both


def test_there_is_one_identity_for_each_entity_and_user() -> None:
    ids = {entity_summary_id(entity, user) for entity in ("maya", "mia") for user in ("", "ann")}
    assert len(ids) == 4
