"""What a summary without a language model says, in examples."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.derived.summarise.material import (
    MOST_OF_TURN,
    cites_withdrawn,
    of_summaries,
    of_turns,
    shown_of_turns,
    telling,
)
from graphmem.derived.summarise.offline import summarised
from graphmem.derived.summarise.writing import OPENING, cosine, drift, says_nothing_new, still_believed
from graphmem.model.belief import BeliefRow
from graphmem.model.episode import ContentType, Episode, EpisodeRole, StoredEpisode, is_counted
from graphmem.model.summary import QuotedSpan, SummaryText, summary_id
from tests.fakes import unit
from tests.summaries import SAID, belief, quote, turn

LONG = "x" * OPENING


def words(text: str) -> int:
    return len(text.split())


def summary(
    turns: Sequence[StoredEpisode],
    beliefs: Sequence[BeliefRow] = (),
    withdrawn: Sequence[QuotedSpan] = (),
    limit: int = 1000,
) -> SummaryText | None:
    material = of_turns(turns, beliefs, withdrawn)
    return summarised(material, {one.words: unit(one.words) for one in material}, limit, words)


def content(*turns: StoredEpisode, beliefs: Sequence[BeliefRow] = ()) -> str:
    made = summary(turns, beliefs)
    assert made is not None
    return made.content


@pytest.mark.parametrize(
    "said",
    [
        "Hey Ana! Good to see you!",
        "Thanks so much, Ivo!",
        "What kind of violin did your sister buy in Porto?",
        "Wow, Ana! Your violin sounds gorgeous.",
        "That's an old violin from the harbour.",
        "And they sailed along the coast of Portugal.",
        "Never saw this coming.",
        "We can do it.",
        "If the harbour gets too windy, let me know.",
        "x" * 700,
        "." * 100_000,
        "hey " * 25_000,
        "",
    ],
)
def test_questions_greetings_small_talk_and_what_points_back_are_left_out(said: str) -> None:
    assert list(telling(said)) == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Hey Ana, I sailed around Porto harbour. Thanks!", ["I sailed around Porto harbour."]),
        ("Yeah, so, we moved from Porto to Oslo", ["we moved from Porto to Oslo"]),
        ("Yeah I moved from Porto to Oslo", ["I moved from Porto to Oslo"]),
        ("But Ana, who sailed to Porto, sold Ivo's boat.", ["But Ana, who sailed to Porto, sold Ivo's boat."]),
        ("No-one repaired Ana's violin yesterday.", ["No-one repaired Ana's violin yesterday."]),
        ("Dr. Silva repaired my violin... Then came winter.", ["Dr. Silva repaired my violin..."]),
        ("昨日は港でバイオリンを買いました。", ["昨日は港でバイオリンを買いました。"]),
        ('He asked: "Why?" My sister teaches violin in Oslo.', ["My sister teaches violin in Oslo."]),
    ],
)
def test_what_tells_something_stays_in_its_words(said: str, told: list[str]) -> None:
    assert [said[start:end] for start, end in telling(said)] == told


def test_beliefs_come_first_with_their_days_then_what_was_said_by_whom() -> None:
    first = turn("Guess what! Last Friday I bought a violin. My sister teaches music at Oslo cathedral.", 0)
    second = turn("I have lived in Oslo since March.", 1, speaker="Ivo")
    bought = belief(
        "Maya bought a violin.",
        quote(first, "I bought a violin"),
        event=("2025-05-02", datetime(2025, 5, 3, tzinfo=UTC)),
    )
    lives = belief("Ivo lives in Oslo.", quote(second, "I have lived in Oslo"), since=datetime(2025, 3, 1, tzinfo=UTC))
    assert content(first, second, beliefs=[lives, bought]).splitlines() == [
        "3 May 2025:",
        "Maya bought a violin (2 May 2025).",
        "Ivo lives in Oslo (since 1 March 2025).",
        "Maya: My sister teaches music at Oslo cathedral.",
    ]


@pytest.mark.parametrize(
    ("day", "when"),
    [
        ("2025-05-02", " (2 May 2025)"),
        ("2025-05", " (May 2025)"),
        ("2024", " (2024)"),
        ("2025-05-02/2025-05-04", " (2 May 2025 to 4 May 2025)"),
    ],
)
def test_days_of_events_are_as_exact_as_they_were_said(day: str, when: str) -> None:
    said = turn("I sailed to Porto.")
    sailed = belief("Maya sailed to Porto.", quote(said, "I sailed to Porto"), event=(day, SAID))
    assert content(said, beliefs=[sailed]).splitlines()[1] == f"Maya sailed to Porto{when}."


def test_a_statement_that_tells_its_year_is_not_dated_again_and_an_end_is_told() -> None:
    said = turn("On 2 May 2025 I sailed to Porto. I lived there until last week.")
    sailed = belief(
        "On 2 May 2025, Maya sailed.", quote(said, "2 May 2025 I sailed to Porto"), event=("2025-05-02", SAID)
    )
    lived = belief("Maya lives in Porto.", quote(said, "I lived there"), until=datetime(2025, 4, 28, tzinfo=UTC))
    lines = content(said, beliefs=[sailed, lived]).splitlines()
    assert lines[1:] == ["On 2 May 2025, Maya sailed.", "Maya lives in Porto (until 27 April 2025)."]


def test_what_took_its_place_after_the_last_turn_is_not_told() -> None:
    said, later = turn("I live in Porto."), SAID + timedelta(days=30)
    lives = belief("Maya lives in Porto.", quote(said, "I live in Porto"))
    cut, stated = replace(lives, valid_to=later, to_stated=False), replace(lives, valid_to=later, to_stated=True)
    assert content(said, beliefs=[cut]) == content(said, beliefs=[lives])
    assert "until" in content(said, beliefs=[stated])


def test_of_several_days_each_sentence_says_its_own() -> None:
    first = turn("My sister teaches music at Oslo cathedral.", 0)
    second = turn("Grandmother repaired the old violin!", 1, speaker=None, role=EpisodeRole.ASSISTANT, days=1)
    assert content(first, second).splitlines() == [
        "3 May 2025 to 4 May 2025:",
        "Maya: My sister teaches music at Oslo cathedral (said 3 May 2025).",
        "assistant: Grandmother repaired the old violin! (said 4 May 2025)",
    ]


def test_a_sentence_that_a_belief_quotes_is_not_said_twice() -> None:
    said = turn("My sister teaches music at Oslo cathedral.")
    teaches = belief("Maya's sister teaches music.", quote(said, "My sister teaches music at Oslo"))
    assert content(said, beliefs=[teaches]).splitlines()[1:] == ["Maya's sister teaches music."]


def test_a_belief_cites_all_that_it_rests_on_those_of_its_first_turn_first() -> None:
    said, other = turn("Grandmother did it.", 0), turn("Granny mended it.", 1)
    mended = belief("Maya's grandmother mends.", QuotedSpan("before", 0, 5), quote(other, "Granny"), quote(said, "did"))
    (found,) = of_turns([other, said], [mended], ())
    assert found.spans == (quote(said, "did"), *sorted([QuotedSpan("before", 0, 5), quote(other, "Granny")]))
    assert len(found.claims) == 3
    assert (found.row_id, found.place.episode_id) == (mended.id, said.id)


def test_beliefs_that_rest_on_other_turns_are_none_of_this_summary() -> None:
    said, other = turn("My sister teaches music at Oslo cathedral.", 0), turn("I sailed to Porto.", 1)
    sailed = belief("Maya sailed.", quote(other, "I sailed"))
    assert "sailed" not in content(said, beliefs=[sailed])


def test_what_overlaps_a_withdrawn_quote_is_left_out_and_a_summary_that_cites_it_refused() -> None:
    said = turn("My sister teaches music in Oslo. Grandmother repaired the old violin.")
    gone, other = quote(said, "sister"), QuotedSpan("elsewhere", 0, 100)
    teaches = belief("Maya's sister teaches.", quote(said, "sister teaches"))
    left = ["Maya: Grandmother repaired the old violin."]
    made = summary([said], [teaches])
    assert made is not None
    assert len(made.lines) == 3
    assert [one.words for one in of_turns([said], [teaches], [gone, other])] == left
    assert [one.words for one in of_summaries([made.sentences], {teaches.id}, [gone])] == left
    assert cites_withdrawn(made.sentences, [gone])
    assert not cites_withdrawn(made.sentences, [other, QuotedSpan(said.id, 4, 4)])


def test_a_belief_is_left_out_if_any_evidence_of_it_is_withdrawn() -> None:
    said, other = turn("Grandmother did it.", 0), turn("Granny mended it.", 1)
    mended = belief("Maya's grandmother mends violins.", quote(said, "Grandmother"), quote(other, "Granny"))
    assert of_turns([said], [mended], [quote(other, "Granny mended")]) == []
    assert len(of_turns([said], [mended], [quote(other, "mended")])) == 1


def test_a_language_model_is_shown_a_turn_without_the_sentences_that_were_withdrawn() -> None:
    said = turn("Hey Ana!  My sister teaches music. Grandmother repaired the old violin?")
    (left,) = shown_of_turns([said], (), [quote(said, "sister")])
    (whole,) = shown_of_turns([said], (), [QuotedSpan("elsewhere", 0, 99)])
    assert left.words == "Maya: Hey Ana! Grandmother repaired the old violin?"
    assert left.spans == (quote(said, "Hey Ana!"), quote(said, "Grandmother repaired the old violin?"))
    assert (whole.words, whole.spans) == (
        "Maya: Hey Ana! My sister teaches music. Grandmother repaired the old violin?",
        (quote(said, said.episode.content),),
    )
    assert shown_of_turns([said], (), [quote(said, said.episode.content)]) == []


def test_a_language_model_is_shown_turns_in_their_order_then_beliefs_and_nothing_of_systems() -> None:
    first, second = turn("Hello!", 0), turn("I sailed to Porto.", 1, speaker="Ivo")
    prompt = turn("Answer politely about violins and harbours.", 2, role=EpisodeRole.SYSTEM)
    sailed = belief("Ivo sailed.", quote(second, "I sailed"))
    shown = shown_of_turns([prompt, second, first], [sailed], ())
    assert [one.words for one in shown] == ["Maya: Hello!", "Ivo: I sailed to Porto.", "Ivo sailed."]
    assert [one.row_id for one in shown] == [None, None, sailed.id]
    assert [one.words for one in shown_of_turns([first, second], [sailed], [quote(second, "I")])] == ["Maya: Hello!"]


def test_a_language_model_is_shown_the_beginning_of_a_long_turn() -> None:
    said = turn("My sister sails. " * 1_000)
    (shown,) = shown_of_turns([said], (), [quote(said, "My")])
    (span,) = shown.spans
    assert span.start == len("My sister sails. ")
    assert MOST_OF_TURN <= span.end - span.start <= MOST_OF_TURN + MOST_OF_TURN // 10
    (one,) = shown_of_turns([turn("x" * 10_000)], (), ())
    assert one.words == "Maya: " + "x" * MOST_OF_TURN


def test_what_systems_and_tools_write_is_left_out_but_events_are_not() -> None:
    prompt = turn("Answer politely about violins and harbours.", 0, role=EpisodeRole.SYSTEM)
    output = turn("Harbour weather: northern wind, seven knots.", 1, role=EpisodeRole.TOOL)
    event = turn("Order of violin strings shipped from Oslo.", 2, role=EpisodeRole.TOOL, content_type=ContentType.EVENT)
    assert len(of_turns([prompt, output, event], (), ())) == 1


def test_where_nothing_is_told_or_nothing_has_room_there_is_no_summary() -> None:
    assert summary([turn("Thanks!")]) is None
    assert summary([turn("My sister teaches music at Oslo cathedral.")], limit=9) is None
    assert summary([turn("My sister teaches music at Oslo cathedral.")], limit=11) is not None


def test_the_most_important_beliefs_have_room_before_others() -> None:
    said = turn("Yes. No. Right.")
    spans = [quote(said, word) for word in ("Yes", "No", "Right")]
    beliefs = [belief(f"Maya {word} everything.", span) for word, span in zip("abc", spans, strict=True)]
    beliefs[1] = belief("Maya eats no nuts.", spans[1], importance=3.0)
    made = summary([said], beliefs, limit=7)
    assert made is not None
    assert made.lines == ("Maya eats no nuts.",)


def test_a_missing_vector_is_an_error() -> None:
    material = of_turns([turn("My sister teaches music at Oslo cathedral.")], (), ())
    with pytest.raises(KeyError):
        summarised(material, {}, 100, words)


def test_messages_and_events_of_a_session_count() -> None:
    said = turn("Hello.").episode
    assert is_counted(said)
    assert not is_counted(Episode(group_id="g", session="", content="Hello.", occurred_at=SAID))
    document = turn("Hello.", content_type=ContentType.DOCUMENT).episode
    assert not is_counted(document)


def test_a_summary_made_again_is_the_same_one() -> None:
    assert summary_id("s", 1, "a") == summary_id("s", 1, "a")
    assert (
        len({summary_id("s", 1, "a"), summary_id("s", 2, "a"), summary_id("t", 1, "a"), summary_id("s", 1, "b")}) == 4
    )


def test_a_long_summary_with_a_known_beginning_or_meaning_says_nothing_new() -> None:
    other = [(LONG.upper() + " and more", unit("other"))]
    assert says_nothing_new(f" {LONG} or less", unit("this"), other)
    assert says_nothing_new(f"y{LONG}", unit("other"), other)
    assert not says_nothing_new(f"y{LONG}", unit("this"), other)
    assert not says_nothing_new("short", unit("other"), [("short", unit("other"))])


def test_drift_and_what_is_still_believed() -> None:
    assert drift([1.0, 0.0], [0.0, 2.0]) == 1.0
    assert drift([1.0, 0.0], [-1.0, 0.0]) == 2.0
    assert cosine([0.0, 0.0], [1.0, 0.0]) == 0.0
    assert still_believed(["a", "b", "b"], {"b", "c"}) == 0.5
    assert still_believed([], {"b"}) == 1.0
