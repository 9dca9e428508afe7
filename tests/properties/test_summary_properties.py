"""A summary keeps its limit, says only what its turns say, and never a word of what was withdrawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from graphmem.derived.summarise.changes import drift, says_nothing_new, still_believed
from graphmem.derived.summarise.material import (
    cites_withdrawn,
    of_summaries,
    of_turns,
    sentences,
    shown_of_turns,
    telling,
)
from graphmem.derived.summarise.offline import Count, limit_of_meta, limit_of_window, summarised, tokens_said
from graphmem.derived.summarise.writing import grounded, material_key, task_of
from graphmem.embed.tokens import FileTokenizer
from graphmem.model.belief import BeliefRow
from graphmem.model.cited_writing import Refusal, WritingTask, WrittenSentence, WrittenSummary
from graphmem.model.embedding import Vector
from graphmem.model.episode import StoredEpisode
from graphmem.model.summary import QuotedSpan, SummarySentence, SummaryText
from graphmem.settings.recall import EmbeddingSettings
from tests.fakes import unit
from tests.summaries import belief, turn

REAL = FileTokenizer(None, EmbeddingSettings()).count


def words(text: str) -> int:
    return len(text.split())


COUNTS: st.SearchStrategy[Count] = st.sampled_from([REAL, len, words])
SENTENCES = [
    "I sailed to Porto with my sister Ana. ",
    "Hey Ana, I bought a violin in Porto! ",
    "Thanks so much! ",
    "What do you think? ",
    "It's a harbour\n",
    "Dr. Silva repaired the violin of my grandmother. ",
    "Yeah, the harbour of Porto was full of boats… ",
    "You know the harbour, Ivo. ",
    "violin, harbour — boats ",
    "昨日は港でバイオリンを買いました。",
    "🎉 ",
    "In 2024 we moved to the harbour.\u2028",
]
CANARY = "xylophone"


@dataclass(frozen=True, slots=True)
class Case:
    turns: list[StoredEpisode]
    beliefs: list[BeliefRow]
    withdrawn: list[QuotedSpan]


CONTENTS = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3).map("".join)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Turns, beliefs that quote them, and withdrawn quotes, each of which has a canary in it."""
    said, withdrawn_in = list[StoredEpisode](), dict[int, tuple[int, int]]()
    for at in range(draw(st.integers(1, 8))):
        content = draw(CONTENTS)
        if draw(st.integers(0, 3)) == 0:
            before, after = draw(CONTENTS), draw(CONTENTS)
            content = f"{before} {CANARY} {after}"
            withdrawn_in[at] = (len(before) + 1, len(before) + 1 + len(CANARY))
        said.append(
            turn(
                content,
                at,
                speaker=draw(st.sampled_from(("Maya", "Ivo", None))),
                days=draw(st.integers(0, 2)) if at else 0,
            )
        )
    withdrawn = [QuotedSpan(said[at].id, *span) for at, span in withdrawn_in.items()]
    beliefs = list[BeliefRow]()
    for number in range(draw(st.integers(0, 5))):
        about = draw(st.sampled_from(said))
        start = draw(st.integers(0, len(about.episode.content) - 1))
        span = QuotedSpan(about.id, start, draw(st.integers(start + 1, len(about.episode.content))))
        words = about.episode.content[span.start : span.end]
        beliefs.append(belief(f"Belief {number} is that {words}.", span, importance=draw(st.sampled_from((0.2, 0.8)))))
    return Case(said, beliefs, withdrawn)


def vectors_of(material: Sequence[SummarySentence]) -> Mapping[str, Vector]:
    """One of the sentences may have a vector without a direction."""
    found = {sentence.words: unit(sentence.words) for sentence in material}
    return {**found, material[0].words: [0.0] * len(unit(""))} if len(material) > 3 else found


def summary(case: Case, limit: int, count: Count) -> SummaryText | None:
    material = of_turns(case.turns, case.beliefs, case.withdrawn)
    return summarised(material, vectors_of(material), limit, count)


@given(cases(), st.integers(0, 300), COUNTS)
def test_the_limit_is_kept_by_the_whole_content(case: Case, limit: int, count: Count) -> None:
    made = summary(case, limit, count)
    if made is not None:
        assert made.tokens == count(made.content) <= limit
        assert made.content.splitlines()[1:] == list(made.lines)
        assert len(made.lines) == len(made.sentences) > 0
        assert made.model == ""


@given(cases())
def test_what_is_said_is_less_than_a_third_of_the_turns(case: Case) -> None:
    said = tokens_said(case.turns, REAL)
    made = summary(case, limit_of_window(said), REAL)
    assert made is None or made.tokens <= min(256, 0.3 * said)


@given(cases(), st.randoms(use_true_random=False))
def test_the_order_in_which_things_are_given_changes_no_byte(case: Case, draw: Random) -> None:
    turns, beliefs, withdrawn = case.turns, case.beliefs, case.withdrawn
    shuffled = Case(
        draw.sample(turns, len(turns)), draw.sample(beliefs, len(beliefs)), draw.sample(withdrawn, len(withdrawn))
    )
    assert summary(case, 120, REAL) == summary(shuffled, 120, REAL)


@given(cases())
def test_a_withdrawn_quote_is_in_no_summary_of_turns_or_of_summaries(case: Case) -> None:
    made = summary(case, 100_000, len)
    assert made is None or CANARY not in made.content
    shown = shown_of_turns(case.turns, case.beliefs, case.withdrawn)
    assert not any(CANARY in sentence.words for sentence in shown)
    assert not cites_withdrawn(shown, case.withdrawn)
    of_all = of_turns(case.turns, case.beliefs, ())
    if any(CANARY in sentence.words for sentence in of_all):
        before = summarised(of_all, vectors_of(of_all), 100_000, len)
        assert before is not None
        if CANARY in before.content:
            assert cites_withdrawn(before.sentences, case.withdrawn)
        material = of_summaries([before.sentences], {one.id for one in case.beliefs}, case.withdrawn)
        assert not any(CANARY in sentence.words for sentence in material)
        assert not cites_withdrawn(material, case.withdrawn)


@given(cases())
def test_sentences_of_turns_are_their_words_behind_who_said_them(case: Case) -> None:
    turns = {stored.id: stored.episode for stored in case.turns}
    for sentence in of_turns(case.turns, case.beliefs, case.withdrawn):
        for span in sentence.spans:
            assert 0 <= span.start < span.end <= len(turns[span.episode_id].content)
        if sentence.row_id is None:
            (span,) = sentence.spans
            said = turns[span.episode_id]
            words = " ".join(said.content[span.start : span.end].split())
            assert sentence.words == f"{said.speaker or said.role}: {words}"
        else:
            assert sentence.claims


@given(cases())
def test_beliefs_come_first_and_both_are_in_the_order_of_the_turns(case: Case) -> None:
    made = summary(case, 150, REAL)
    if made is None:
        return
    stated = [sentence.place for sentence in made.sentences if sentence.row_id]
    said = [sentence.place for sentence in made.sentences if not sentence.row_id]
    assert [sentence.place for sentence in made.sentences] == [*sorted(stated), *sorted(said)]


@given(st.lists(cases(), min_size=2, max_size=4), st.integers(5, 60))
def test_a_summary_of_summaries_says_nothing_that_they_do_not(several: list[Case], limit: int) -> None:
    made = [one for case in several if (one := summary(case, 150, REAL))]
    known = {belief.id for case in several for belief in case.beliefs}
    forgotten = set(sorted(known)[:2])
    material = of_summaries([one.sentences for one in made], known - forgotten, ())
    above = summarised(material, vectors_of(material), limit, REAL) if material else None
    if above is not None:
        below = {sentence.words for one in made for sentence in one.sentences}
        assert {sentence.words for sentence in above.sentences} <= below
        assert forgotten.isdisjoint(sentence.row_id for sentence in above.sentences)
        assert above.tokens <= limit


@given(st.text(max_size=60) | CONTENTS)
def test_sentences_are_in_order_and_leave_out_nothing_but_blanks(text: str) -> None:
    end = 0
    for start, stop in sentences(text):
        assert end <= start < stop
        assert not text[end:start].strip()
        assert text[start:stop] == text[start:stop].strip() != ""
        end = stop
    assert not text[end:].strip()
    spans = list(sentences(text))
    for start, stop in telling(text):
        assert any(first <= start and stop == last for first, last in spans)


@given(st.text(min_size=1), st.text(min_size=1))
def test_drift_is_nothing_of_the_same_and_the_same_both_ways(one: str, other: str) -> None:
    assert abs(drift(unit(one), unit(one))) < 1e-6
    assert drift(unit(one), unit(other)) == drift(unit(other), unit(one))
    assert 0 <= drift(unit(one), unit(other)) <= 2


@given(st.text(alphabet="ab c", min_size=120, max_size=200))
def test_a_long_summary_says_nothing_new_beside_itself(content: str) -> None:
    assume(len(" ".join(content.split())) >= 120)
    assert says_nothing_new(content, unit(content), [(content, unit("other"))])
    assert says_nothing_new(content, unit(content), [("other", unit(content))])
    assert not says_nothing_new(content, unit(content), [("other", unit("other"))])


@given(st.sets(st.integers(0, 9).map(str)), st.sets(st.integers(0, 9).map(str)))
def test_the_share_still_believed_is_one_if_all_are(cited: set[str], believed: set[str]) -> None:
    assert (still_believed(cited, believed) == 1.0) == (cited <= believed)
    assert 0.0 <= still_believed(cited, believed) <= 1.0


@given(st.integers(0, 100_000))
def test_a_meta_summary_may_have_a_fiftieth_of_its_turns(said: int) -> None:
    assert limit_of_meta(said) == min(512, said // 50)
    assert limit_of_window(said) == min(256, 3 * said // 10)


WRITTEN = st.builds(
    WrittenSentence,
    words=st.sampled_from(["Maya sailed to Porto.", "They laughed a lot about the violin.", "Ivo moved.", " "]),
    cites=st.lists(st.integers(0, 9) | st.integers(1, 3), max_size=4).map(tuple),
)


@given(cases(), st.lists(WRITTEN, max_size=5), st.integers(0, 40))
def test_what_a_model_writes_rests_on_what_stands_or_is_refused(
    case: Case, said: list[WrittenSentence], room: int
) -> None:
    sources = shown_of_turns(case.turns, case.beliefs, ())
    task = WritingTask(tier=1, sources=sources, most_tokens=room)
    written = WrittenSummary(sentences=tuple(said), model="m", prompt="p")
    found = grounded(written, task, case.withdrawn, words) if sources else Refusal(())
    cited = [[sources[number - 1] for number in one.cites if 1 <= number <= len(sources)] for one in said]
    whole = all(len(one) == len(sentence.cites) > 0 for one, sentence in zip(cited, said, strict=True))
    stands = not any(cites_withdrawn(one, case.withdrawn) for one in cited)
    fits = 1 <= len(said) <= 4 and all(one.words.strip() for one in said)
    if isinstance(found, Refusal):
        assert not (sources and whole and stands and fits and sum(words(one.words) for one in said) <= room)
        return
    assert whole
    assert stands
    assert sum(words(one.words) for one in said) <= room
    assert (found.model, found.prompt, found.tokens) == ("m", "p", words(found.content))
    assert found.lines == tuple(one.words for one in said)
    for sentence, rests_on in zip(found.sentences, cited, strict=True):
        assert set(sentence.spans) == {span for one in rests_on for span in one.spans} != set()
        assert set(sentence.claims) == {claim for one in rests_on for claim in one.claims}
        assert sentence.all_rows == {one.row_id for one in rests_on if one.row_id}
        assert sentence.place == min(one.place for one in rests_on)
    assert not cites_withdrawn(found.sentences, case.withdrawn)


@given(cases(), st.integers(0, 300), COUNTS)
def test_a_model_is_asked_for_no_more_than_has_room(case: Case, limit: int, count: Count) -> None:
    sources = shown_of_turns(case.turns, case.beliefs, case.withdrawn)
    task = task_of(1, sources, limit, count)
    if task is not None:
        assert 20 <= task.most_tokens < limit
        assert task.sources == sources != []


@given(cases(), st.randoms(use_true_random=False))
def test_the_key_of_a_material_changes_with_what_is_shown_and_with_nothing_else(case: Case, draw: Random) -> None:
    covers = [stored.id for stored in case.turns]
    shown = shown_of_turns(case.turns, case.beliefs, ())
    shuffled = shown_of_turns(draw.sample(case.turns, len(case.turns)), case.beliefs[::-1], ())
    key = material_key(1, covers, shown)
    assert key == material_key(1, covers, shuffled)
    less = shown_of_turns(case.turns, case.beliefs, case.withdrawn)
    assert (key == material_key(1, covers, less)) == (less == shown)
    assert key != material_key(1, [*covers, "late"], shown)
