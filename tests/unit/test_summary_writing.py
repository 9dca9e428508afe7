"""What a language model wrote becomes a summary, or is refused, in examples."""

from collections.abc import Sequence

import pytest

from graphmem.derived.summarise.material import of_summaries, shown_of_turns
from graphmem.derived.summarise.writing import LEAST_ROOM, grounded, pause_after, standing_facts, task_of
from graphmem.derived.summary_texts import SummaryMaterial, SummaryTexts
from graphmem.model.cited_writing import Refusal, Spent, WritingTask, WrittenSentence, WrittenSummary
from graphmem.model.claim import ClaimKind
from graphmem.model.fragment import Fragment, ProposedClaim, ThingName
from graphmem.model.interval import END
from graphmem.model.summary import QuotedSpan, StoredSummary, SummaryText, place_of
from tests.fakes import HashEmbedder
from tests.jobs.summarising import Words
from tests.summaries import SAID, belief, quote, turn

FIRST = turn("I moved to Porto, at last!", 0)
SECOND = turn("My sister Ana helped.", 1, speaker="Ivo", days=1)
MOVED = belief("Maya lives in Porto.", quote(FIRST, "moved to Porto"))
SOURCES = shown_of_turns([FIRST, SECOND], [MOVED], ())
"""1 and 2 are the turns, 3 is the belief."""


def words(text: str) -> int:
    return len(text.split())


def written(*sentences: tuple[str, Sequence[int]]) -> WrittenSummary:
    told = tuple(WrittenSentence(words=text, cites=tuple(cites)) for text, cites in sentences)
    return WrittenSummary(sentences=told, model="test/model", prompt="turns-2")


def checked(*sentences: tuple[str, Sequence[int]], room: int = 30, gone: str = "") -> SummaryText | Refusal:
    task = WritingTask(tier=1, sources=SOURCES, most_tokens=room)
    return grounded(written(*sentences), task, [quote(FIRST, gone)] if gone else [], words)


def test_a_sentence_cites_all_that_its_sources_do() -> None:
    found = checked(("Maya moved\n to Porto, and was glad.", [3, 1, 1]), ("Ana helped her.", [2]))

    assert isinstance(found, SummaryText)
    assert found.content.splitlines() == [
        "3 May 2025 to 4 May 2025:",
        "Maya moved to Porto, and was glad.",
        "Ana helped her.",
    ]
    assert (found.model, found.prompt, found.tokens) == ("test/model", "turns-2", words(found.content))
    moved, helped = found.sentences
    assert set(moved.spans) == {quote(FIRST, FIRST.episode.content), quote(FIRST, "moved to Porto")}
    assert (moved.rows, moved.beliefs, moved.row_id, moved.belief_id) == ((MOVED.id,), (MOVED.belief_id,), None, None)
    assert moved.claims == (MOVED.evidence[0].claim_id,)
    assert (helped.spans, helped.rows, helped.claims) == ((quote(SECOND, SECOND.episode.content),), (), ())
    assert [one.place.episode_id for one in found.sentences] == [FIRST.id, SECOND.id]


@pytest.mark.parametrize(
    ("sentences", "reason"),
    [
        ([("Ana helped.", list[int]())], "Sentence 1 cites nothing."),
        ([("Ana helped.", [2]), ("Maya moved.", [1, 9, 0])], "Sentence 2 cites 0, 9; the numbers are 1 to 3."),
        ([(" ", [1])], "Sentence 1 has no words."),
        (list[tuple[str, list[int]]](), "There are 0 sentences; write 2 to 4."),
        ([("Ana helped.", [2])] * 5, "There are 5 sentences; write 2 to 4."),
        ([("Ana helped. " * 20, [2])], "It has 47 tokens, and 37 at most have room: say less."),
    ],
)
def test_an_answer_is_refused_and_told_why_in_no_word_of_it(
    sentences: list[tuple[str, list[int]]], reason: str
) -> None:
    assert checked(*sentences) == Refusal((reason,))


@pytest.mark.parametrize("cites", [[1], [3], [2, 3]])
def test_an_answer_that_rests_on_withdrawn_words_is_refused(cites: list[int]) -> None:
    assert isinstance(checked(("Maya moved.", cites)), SummaryText)
    assert checked(("Maya moved.", cites), gone="to Porto") == Refusal(
        ("Sentence 1 rests on words that were withdrawn.",)
    )
    assert isinstance(checked(("Ana helped.", [2]), gone="to Porto"), SummaryText)


def test_a_written_sentence_is_in_summaries_above_until_its_words_are_withdrawn() -> None:
    found = checked(("Maya moved to Porto.", [1, 3]), ("Ana helped.", [2]))
    assert isinstance(found, SummaryText)
    above = of_summaries([found.sentences], (), ())
    left = of_summaries([found.sentences], (), [quote(FIRST, "Porto")])
    assert [one.words for one in above] == ["Maya moved to Porto.", "Ana helped."]
    assert [one.words for one in left] == ["Ana helped."]


def test_a_fact_in_words_that_were_withdrawn_does_not_stand() -> None:
    moved = quote(FIRST, "moved to Porto")
    claim = ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=ThingName("Maya", "person"),
        predicate="identity.home",
        value="Porto",
        statement="Maya: home Porto.",
        quote_start=moved.start,
        quote_end=moved.end,
        confidence=0.9,
    )
    read = {FIRST.id: Fragment(mentions=(), claims=(claim,), extractor="summary", version="turns-2 test/model")}

    def standing(*gone: QuotedSpan) -> tuple[ProposedClaim, ...]:
        return standing_facts(read, gone)[FIRST.id].claims

    assert standing() == (claim,)
    assert standing(quote(FIRST, "Porto, at last!")) == ()
    assert standing(quote(FIRST, ", at last!"), quote(SECOND, "Ana"), QuotedSpan(SECOND.id, 0, 22)) == (claim,)


class NoWriter:
    """Would write summaries, and is never asked."""

    async def write(self, task: WritingTask, spent: Spent) -> WrittenSummary:
        raise NotImplementedError


def material(*withdrawn: QuotedSpan) -> SummaryMaterial:
    return SummaryMaterial(
        tier=1,
        covers=(FIRST.id, SECOND.id),
        sentences=SOURCES,
        sources=SOURCES,
        withdrawn=withdrawn,
        limit=30,
        limit_of_written=30,
        turn_tokens=100,
        turns=2,
        first_turn=1,
    )


def version(text: SummaryText, *, key: str, asked: bool = False) -> StoredSummary:
    return StoredSummary(
        id="v",
        summary_id="s",
        group_id="g",
        session_id="s",
        session="s",
        user="",
        agent=None,
        subject=None,
        tier=1,
        text=text,
        said=100,
        first_turn=1,
        turns=2,
        first=place_of(FIRST),
        last=place_of(SECOND),
        covers=(FIRST.id, SECOND.id),
        drift=None,
        stale_at=SAID,
        recorded_at=SAID,
        superseded_at=END,
        material=key,
        asked=asked,
    )


def test_a_version_stands_if_it_is_of_the_same_material_and_nobody_asks_for_another() -> None:
    text = checked(("Maya moved.", [1]), ("Ana helped.", [2]))
    assert isinstance(text, SummaryText)
    chosen = SummaryText(content=text.content, tokens=text.tokens, lines=text.lines, sentences=text.sentences)
    by_model, offline = (SummaryTexts(HashEmbedder(), Words(), writer) for writer in (NoWriter(), None))
    same, key = material(), material().key
    for texts, said, stands in ((by_model, text, True), (by_model, chosen, True), (offline, text, True)):
        assert texts.stands(version(said, key=key), same) is stands
    assert not offline.stands(version(chosen, key=key), same)
    assert not by_model.stands(version(text, key=key, asked=True), same)
    assert not by_model.stands(version(text, key=""), same)
    assert not by_model.stands(version(text, key=key), material(quote(FIRST, "Porto")))
    assert by_model.stands(version(text, key=key), material(QuotedSpan("elsewhere", 0, 9)))


def test_no_model_is_asked_where_there_is_nothing_or_no_room() -> None:
    heading = words("3 May 2025 to 4 May 2025:")
    asked = task_of(1, SOURCES, heading + LEAST_ROOM, words)
    assert asked is not None
    assert asked.most_tokens == LEAST_ROOM
    assert task_of(1, SOURCES, heading + LEAST_ROOM - 1, words) is None
    assert task_of(1, [], 1_000, words) is None


def test_the_longer_a_model_writes_nothing_of_use_the_longer_it_is_left_alone() -> None:
    assert [pause_after(attempts, 10.0) for attempts in (1, 2, 4)] == [10.0, 20.0, 80.0]
    assert pause_after(10_000) == 86_400.0
    assert pause_after(5, 0.0) == 0.0
