"""The trained reader without its weights: from scores that are written down to claims."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from tokenizers import Tokenizer

from graphmem.embed.packaged import DEFAULT, PACKAGED
from graphmem.extract.reader.claims import OF_SPEAKER, Whose
from graphmem.extract.reader.decoding import ClaimScores, SpanScores, Thresholds, decoded
from graphmem.extract.reader.labels import EFFECTS, PREDICATES, STATUSES, Effect, Predicate, Status
from graphmem.extract.reader.layout import SPEAKER_AT, USER_AT, SpokenTurn, lay_out, tokenizer_from
from graphmem.extract.reader.padding import Numbers, Padded, Scores

NO, YES = -5.0, 5.0


@dataclass
class Value:
    """What a network is to say of the words of a value; ``subjects``, ``time`` and ``meant`` are words, too."""

    words: str
    predicate: Predicate
    effect: Effect = "holds"
    status: Status = "asserted"
    beside: bool = False
    subjects: tuple[str, ...] = ("@speaker",)
    time: str = ""
    meant: str = ""
    score: float = YES
    foreign: float = NO


@dataclass
class Scripted:
    """A ``Network`` that finds in each turn what it is told to."""

    tokenizer: Tokenizer
    turns: Sequence[SpokenTurn]
    values: Sequence[Sequence[Value]]
    found: dict[tuple[int, int, int], list[Value]] = field(default_factory=dict[tuple[int, int, int], list[Value]])

    def tokens(self, row: int, words: str) -> tuple[int, int]:
        turn = self.turns[row]
        layout = lay_out(self.tokenizer, turn)
        if words == "@speaker":
            return SPEAKER_AT, SPEAKER_AT
        if words == "@user":
            return USER_AT, USER_AT
        if words.startswith("<"):
            before = " ".join(f"{speaker}: {text}" for speaker, text in turn.before)
            start = before.index(words[1:])
            found = layout.tokens_before(start, start + len(words) - 1)
        else:
            start = turn.text.index(words)
            found = layout.tokens(start, start + len(words))
        assert found is not None
        return found

    def spans(self, turns: Padded) -> SpanScores:
        rows, tokens = turns.ids.shape
        spans = np.full((rows, tokens, tokens), NO, dtype=np.float32)
        foreign = np.full((rows, tokens), NO, dtype=np.float32)
        for row, values in enumerate(self.values):
            for value in values:
                first, last = self.tokens(row, value.words)
                spans[row, first, last] = value.score
                foreign[row, first : last + 1] = value.foreign
                self.found.setdefault((row, first, last), []).append(value)
        return SpanScores(np.zeros((rows, tokens, 1), dtype=np.float32), spans, foreign)

    def kinds(self, hidden: Scores, rows: Numbers, first: Numbers, last: Numbers) -> Scores:  # noqa: ARG002 - as the protocol has it
        kinds = np.full((len(rows), len(PREDICATES)), NO, dtype=np.float32)
        for at, key in enumerate(zip(rows.tolist(), first.tolist(), last.tolist(), strict=True)):
            for value in self.found[key]:
                kinds[at, PREDICATES.index(value.predicate)] = YES
        return kinds

    def claims(self, hidden: Scores, rows: Numbers, predicates: Numbers, first: Numbers, last: Numbers) -> ClaimScores:
        labels = np.full((len(rows), len(EFFECTS) + len(STATUSES) + 1), NO, dtype=np.float32)
        pointed = np.full((len(rows), 6, hidden.shape[1]), NO, dtype=np.float32)
        keys = zip(rows.tolist(), first.tolist(), last.tolist(), strict=True)
        for at, (key, predicate) in enumerate(zip(keys, predicates.tolist(), strict=True)):
            value = next(each for each in self.found[key] if each.predicate == PREDICATES[predicate])
            labels[at, EFFECTS.index(value.effect)] = YES
            labels[at, len(EFFECTS) + STATUSES.index(value.status)] = YES
            labels[at, -1] = YES if value.beside else NO
            for subject in value.subjects:
                start, end = self.tokens(key[0], subject)
                pointed[at, 0, start] = pointed[at, 1, end] = YES
            for pointer, words in ((2, value.time), (4, value.meant)):
                start, end = self.tokens(key[0], words or "@speaker")
                pointed[at, pointer, start] = pointed[at, pointer + 1, end] = YES
        return ClaimScores(labels, pointed)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return tokenizer_from(PACKAGED[DEFAULT].find().tokenizer.read_text("utf-8"))


NADIA = "Nadia"


def said(text: str, *before: tuple[str, str]) -> SpokenTurn:
    return SpokenTurn(NADIA, "user", text, before)


def test_claims_are_read_with_all_their_parts_turn_by_turn(tokenizer: Tokenizer) -> None:
    turns = (
        said("I left Initech last Friday and took a second job at Otto."),
        said("Hello!"),
        said("She moved to Lyon.", ("Ana", "And Lena?")),
    )
    values = (
        (
            Value("Otto", "works_at", "starts", beside=True),
            Value("Initech", "works_at", "ends", time="last Friday", foreign=YES),
        ),
        (),
        (Value("Lyon", "lives_in", "starts", "reported", subjects=("She",), meant="<Lena"),),
    )
    first, second, third = decoded(Scripted(tokenizer, turns, values), tokenizer, turns, {})
    text = turns[0].text
    assert [text[slice(*claim.value)] for claim in first] == ["Initech", "Otto"]  # in the order of the text
    ended, begun = first
    assert (ended.predicate, ended.effect, ended.status, ended.beside) == ("works_at", "ends", "asserted", False)
    assert ended.time is not None
    assert text[slice(*ended.time)] == "last Friday"
    assert (begun.beside, begun.time, begun.subject) == (True, None, OF_SPEAKER)
    assert ended.foreign > 0.9
    assert begun.foreign < 0.1
    assert second == []
    (moved,) = third
    assert (moved.subject.whose, moved.subject.meant, moved.status) == (Whose.NAMED, "Lena", "reported")
    assert turns[2].text[slice(*moved.subject.words)] == "She"


def test_one_value_may_be_of_several_and_of_two_predicates(tokenizer: Tokenizer) -> None:
    turns = (said("Tom and I moved to Zurich."), said("My dog is called Rex."))
    values = (
        (Value("Zurich", "lives_in", "starts", subjects=("Tom", "@speaker")),),
        (Value("Rex", "pet"), Value("Rex", "named", subjects=("My dog",))),
    )
    moved, called = decoded(Scripted(tokenizer, turns, values), tokenizer, turns, {})
    assert {claim.subject.whose for claim in moved} == {Whose.SPEAKER, Whose.NAMED}
    assert {claim.predicate for claim in called} == {"pet", "named"}


def test_the_user_of_a_note_is_told_apart_from_who_writes_it(tokenizer: Tokenizer) -> None:
    turns = (said("The user lives in Porto."),)
    values = ((Value("Porto", "lives_in", subjects=("@user",)),),)
    ((claim,),) = decoded(Scripted(tokenizer, turns, values), tokenizer, turns, {})
    assert claim.subject.whose is Whose.USER


def test_of_overlapping_values_of_one_predicate_the_surest_stands(tokenizer: Tokenizer) -> None:
    turns = (said("I live in Graça, Lisbon."),)
    values = ((Value("Graça, Lisbon", "lives_in", score=3.0), Value("Lisbon", "lives_in", score=2.0)),)
    ((claim,),) = decoded(Scripted(tokenizer, turns, values), tokenizer, turns, {})
    assert turns[0].text[slice(*claim.value)] == "Graça, Lisbon"


def test_each_predicate_has_a_threshold_of_its_own(tokenizer: Tokenizer) -> None:
    turns = (said("I like tea and I own a bike."),)
    values = ((Value("tea", "likes", score=1.0), Value("bike", "owns", score=-1.0)),)
    lifted: Thresholds = {"likes": 2.0}
    lowered: Thresholds = {"owns": -2.0}
    for thresholds, expected in (({}, {"likes"}), (lifted, set[str]()), (lowered, {"likes", "owns"})):
        (claims,) = decoded(Scripted(tokenizer, turns, values), tokenizer, turns, thresholds)
        assert {claim.predicate for claim in claims} == expected, thresholds


def test_what_is_said_before_is_cut_at_its_beginning(tokenizer: Tokenizer) -> None:
    layout = lay_out(tokenizer, said("Yes.", ("Ana", "word " * 200), ("Ben", "Was it Lyon?")))
    assert len(layout.offsets_before) == 60
    assert layout.tokens_before(0, 3) is None or layout.offsets_before[0][0] > 0
