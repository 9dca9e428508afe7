"""How summaries are scored: what covers what, the three ways beside each other, and what is found by a question."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.summaries.__main__ import spent
from bench.summaries.judging import Coverage, Judge, Score
from bench.summaries.making import Summariser, Vectors
from bench.summaries.told import Conversations, beliefs, conversations
from graphmem.model.cited_writing import Spent, WritingTask, WrittenSentence, WrittenSummary
from graphmem.model.claim import ClaimKind
from graphmem.model.fragment import Fragment, ProposedClaim, ThingName, Usage
from tests.fakes import HashEmbedder

TOLD: dict[str, object] = {
    "sample_id": "talk",
    "conversation": {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": f"D1:{number}", "text": f"Harbour {number} had old violins. Sailors left."}
            for number in range(1, 7)
        ],
    },
    "observation": {"session_1_observation": {"Ana": [["Ana: Harbour 1 had old violins.", "D1:1"], ["None.", "D1:2"]]}},
    "event_summary": {"events_session_1": {"Ana": ["Ana sails."], "date": "8 May, 2023"}},
    "session_summary": {"session_1_summary": "Ana sails. None."},
    "qa": [{"question": "What of Ana?", "evidence": ["D1:2; D:9:9"]}, {"question": "No evidence?", "evidence": []}],
}


@pytest.fixture
def told(tmp_path: Path) -> Conversations:
    (tmp_path / "talks.json").write_text(json.dumps([TOLD]), "utf-8")
    return conversations(tmp_path / "talks.json")


class Writer:
    """Writes a sentence that cites the first source, or none."""

    def __init__(self, *cites: int) -> None:
        self._cites = cites

    async def write(self, task: WritingTask, spent: Spent) -> WrittenSummary:
        spent(Usage(model="writer", prompt="1", calls=1, input_tokens=len(task.sources), output_tokens=7, cost=0.25))
        sentences = (WrittenSentence(words="Sailors had old violins.", cites=self._cites),)
        return WrittenSummary(sentences=sentences, model="writer", prompt="1")


@pytest.fixture
def long_told(tmp_path: Path) -> Conversations:
    """The same in so many words that there is room for a sentence of a language model."""
    said = [
        {"speaker": "Ana", "dia_id": f"D1:{number}", "text": f"Harbour {number} had old violins. " * 5}
        for number in range(1, 7)
    ]
    talk = {**TOLD, "conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": said}}
    (tmp_path / "long.json").write_text(json.dumps([talk]), "utf-8")
    return conversations(tmp_path / "long.json")


def score(told: Conversations, given: Summariser | None = None) -> Score:
    async def judged() -> Score:
        vectors = Vectors(HashEmbedder())
        summariser = given or Summariser(vectors)
        judge, (session,) = Judge(vectors, summariser), told.sessions
        made = await summariser.windows(session.turns, [*beliefs(session)])
        found = await judge.session(session, made, made)
        turns = {session.dialogue[stored.id]: stored for stored in session.turns}
        found.finding = await judge.found(told.questions["talk"], made, turns)
        return found

    return asyncio.run(judged())


def test_what_a_file_says_of_a_session_is_read_with_its_turns_in_order(told: Conversations) -> None:
    (session,) = told.sessions

    assert [stored.episode.sequence for stored in session.turns] == list(range(6))
    assert list(session.dialogue.values()) == [f"D1:{number}" for number in range(1, 7)]
    assert (session.observations, session.events) == (["Ana: Harbour 1 had old violins.", "None."], ["Ana sails."])
    assert [question.evidence for question in told.questions["talk"]] == [{"D1:2", "D9:9"}]


def test_ours_the_floor_and_the_ceiling_are_held_against_the_same_sentences(told: Conversations) -> None:
    found = score(told)

    assert (found.observations.wanted, found.observations.floor, found.observations.ceiling) == (2, 1, 1)
    assert found.observations.chance == found.observations.value
    assert found.strictly == found.observations
    assert found.events == Coverage(wanted=1, ceiling=1)
    (made,) = found.made
    assert made.text.tokens <= 0.3 * made.said


def test_a_question_finds_the_one_summary_there_is_by_any_way(told: Conversations) -> None:
    figures = score(told).finding.figures()

    assert (figures["summary_in_top5_by_cosine"], figures["summary_in_top5_by_parts"]) == (1.0, 1.0)
    assert figures["summary_in_top5_by_chance"] == 1.0


def test_figures_say_how_far_a_coverage_is_from_floor_to_ceiling() -> None:
    figures = Coverage(wanted=10, value=6, floor=4, ceiling=8).figures()

    assert (figures["of_ceiling"], figures["of_way"]) == (0.75, 0.5)
    assert Coverage(wanted=10, value=6, floor=4, ceiling=4).figures()["of_way"] is None


def test_claims_that_assert_are_beliefs_with_their_quotes_and_days(told: Conversations) -> None:
    (session,) = told.sessions
    first = session.turns[0].id

    def claim(kind: ClaimKind) -> ProposedClaim:
        return ProposedClaim(
            kind=kind,
            subject=ThingName("Ana", "person"),
            predicate="did",
            value="sail",
            statement=f"Ana sails: {kind}.",
            quote_start=0,
            quote_end=7,
            confidence=0.6,
            event=(datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 5, 2, tzinfo=UTC)),
        )

    claims = (claim(ClaimKind.STARTS), claim(ClaimKind.ENDS))
    session.fragments = {first: Fragment(mentions=(), claims=claims, extractor="offline", version="1")}
    (found,) = beliefs(session)

    assert (found.statement, found.day, found.evidence[0].quote) == ("Ana sails: starts.", "2023-05-01", "Harbour")


def test_what_a_language_model_writes_is_scored_with_what_it_took(long_told: Conversations) -> None:
    summariser = Summariser(Vectors(HashEmbedder()), Writer(1))

    (made,) = score(long_told, summariser).made

    assert (made.text.model, made.text.lines) == ("writer", ("Sailors had old violins.",))
    took = spent(summariser)
    assert (took["calls"], took["output_tokens"], took["cost"], took["refused"]) == (1, 7, 0.25, 0)


def test_what_it_wrote_that_cannot_be_used_is_counted(long_told: Conversations) -> None:
    summariser = Summariser(Vectors(HashEmbedder()), Writer())

    refused = score(long_told, summariser)

    assert (refused.made, refused.figures()["compression"]) == ([], None)
    assert (spent(summariser)["refused"], spent(summariser)["calls"]) == (1, 2)
