"""Whatever a text looks like, the parser gets no endless sentence, and what is read stands where it is quoted."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.spoken import MOST_WORDS, Word, in_sentences
from graphmem.extract.offline.syntax import Parser, SourceText
from graphmem.model.episode import Episode

SIZE = 2_000
LONG = {
    "a list with commas": "I own a lamp" + ", a kettle" * (SIZE // 10) + ". I live in Rome.",
    "a list without blanks": "lamp,kettle,gate," * (SIZE // 17) + ". I live in Rome.",
    "brackets": "( " * (SIZE // 4) + "I live in Rome." + " )" * (SIZE // 4),
    "and": "I like tea" + " and lamps" * (SIZE // 10) + ". I live in Rome.",
    "JSON in one line": "{" + '"lamp": {"id": 7, "of": "gate"}, ' * (SIZE // 33) + "}\nI live in Rome.",
    "clauses in clauses": "I think that " * (SIZE // 13) + "you know. I live in Rome.",
    "numbers": "1 " * (SIZE // 2) + ". I live in Rome.",
    "names": "Anna Smith, " * (SIZE // 12) + "Tom. I live in Rome.",
    "line ends": "\n" * SIZE + "I live in Rome.",
    "a run-on": "my sister bought a gate and my brother likes tea because it rained so " * (SIZE // 70)
    + ".\nI live in Rome.",
}


def test_no_sentence_is_longer_than_the_parser_likes(subtests: pytest.Subtests) -> None:
    parser = Parser()
    for name, text in LONG.items():
        for talk in (True, False):
            with subtests.test(text=name, talk=talk):
                parse = parser.parse(SourceText(text, talk=talk))
                assert max(each.last - each.first for each in parse.sentences) <= MOST_WORDS
                assert all(
                    text[token.start : token.end] == token.text for token in parse.tokens if token.text == "Rome"
                )


async def test_what_stands_behind_an_endless_sentence_is_read_and_quoted_where_it_is(
    subtests: pytest.Subtests, offline: OfflineExtractor
) -> None:
    for name, text in LONG.items():
        if name == "clauses in clauses":  # all of it is a guess to the trained reader
            continue
        with subtests.test(text=name):
            episode = Episode(
                group_id="g", session="s", content=text, occurred_at=datetime(2025, 5, 3, tzinfo=UTC), speaker="Ana"
            )
            claims = (await offline.extract(episode)).claims
            homes = {text[claim.quote_start : claim.quote_end] for claim in claims if claim.predicate == "lives_in"}
            assert {home.strip(" .()") for home in homes} == {"I live in Rome"}


TOKENS = st.sampled_from(["lamp", ",", ".", "and", "(", "Anna", ";", "not"])


@given(st.lists(st.tuples(TOKENS, st.booleans())), st.integers(min_value=1, max_value=9))
def test_sentences_are_cut_and_nothing_else_changes(tokens: list[tuple[str, bool]], most: int) -> None:
    words = [Word(text, i, i + 1, begins=begins) for i, (text, begins) in enumerate(tokens)]
    cut = in_sentences(words, most)

    starts = [0, *(i for i, word in enumerate(cut) if word.begins), len(cut)]
    assert all(after - before <= most for before, after in pairwise(starts))
    assert [(word.text, word.start) for word in cut] == [(word.text, word.start) for word in words]
    assert all(word.begins for word, given_ in zip(cut, words, strict=True) if given_.begins)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("a b . c d e", "a b ."),
        ("a b c , d e", "a b c ,"),
        ("a b c and d e", "a b c"),
        ("a , b c d e", "a , b c d"),
    ],
)
def test_it_is_cut_where_a_sentence_ends_else_a_clause_else_before_and(text: str, first: str) -> None:
    words = [Word(word, i, i + 1) for i, word in enumerate(text.split())]
    begins = next(i for i, word in enumerate(in_sentences(words, 5)) if word.begins)
    assert " ".join(text.split()[:begins]) == first
