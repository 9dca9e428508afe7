"""A long text that has a rare word of the question stands above what has less of these, and nothing else moves."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.hits import Ranked
from graphmem.retrieve.question import question
from graphmem.retrieve.rarity import FEW, MOST_WORDS, Place, RareWords, rare_words, with_rarest_first, words_to_count

REPORT, LEDGER = "report", "ledger"
SPICE, CRATES = (100, 900), (5, 800)
ASKED = question("What do we know about saffron?")


def hits(*ids: str) -> list[Ranked]:
    """Best first; ids that begin with “b” are of beliefs, with “e” of entities."""
    kinds = {"b": "fact", "e": "entity", "s": "summary"}
    return [
        Ranked(kind=kinds.get(id_[0], "episode"), id=id_, score=2 - place / 10, contributions=())
        for place, id_ in enumerate(ids)
    ]


def having(**texts: Place | None) -> list[tuple[str, Place | None]]:
    """Which texts have a word: a long one by itself, and by its passage."""
    return [(id_, at) for id_, place in texts.items() for at in dict.fromkeys((place, None))]


def order(ranked: list[Ranked], rare: RareWords, *cited: tuple[str, str]) -> list[str]:
    return [item.id for item in with_rarest_first(ranked, rare, cited)]


def test_words_that_may_be_rare_say_what_a_question_is_about() -> None:
    assert words_to_count(ASKED) == ["saffron", "know"]
    assert words_to_count(question("Tell me of the crates that the clerks of 1999 saw")) == ["crates", "clerks", "saw"]
    assert len(words_to_count(question(" ".join(f"word{letter}" for letter in "abcdefghijklmnopqrst")))) == MOST_WORDS


def test_a_word_counts_by_how_few_have_it_and_that_of_many_counts_nothing() -> None:
    common = having(**dict.fromkeys((f"t{place}" for place in range(FEW)), None), report=CRATES)
    rare = rare_words(
        ASKED, {"crates": having(report=CRATES, t1=None), "saffron": having(report=SPICE), "day": common, "who": []}
    )
    assert (rare.of(REPORT), rare.of("t1"), rare.places) == ({"crates", "saffron"}, {"crates"}, {REPORT: SPICE})
    assert (rare.worth(rare.of(REPORT)), rare.worth(rare.of("t1"))) == (Fraction(3, 2), Fraction(1, 2))


def test_of_the_words_of_one_text_that_in_fewest_passages_tells_where() -> None:
    everywhere = [(REPORT, (place, place + 900)) for place in range(0, 9_000, 900)]
    assert rare_words(ASKED, {"clerks": everywhere, "saffron": having(report=SPICE)}).places == {REPORT: SPICE}
    assert rare_words(ASKED, {"clerks": everywhere}).places == {REPORT: (0, 900)}


def test_one_rare_word_of_many_moves_nothing() -> None:
    heard = {"saffron": having(report=SPICE)}
    assert rare_words(question("What do the clerks of the harbour office know about saffron crates?"), heard).places
    long = "What do the clerks of the harbour office know about saffron in the crates on the eastern quay?"
    assert not rare_words(question(long), heard).places


def test_a_long_text_with_the_rare_word_stands_above_small_talk_and_whatever_else_lacks_it() -> None:
    rare = rare_words(ASKED, {"saffron": having(report=SPICE), "know": having(t1=None, t2=None)})
    assert order(hits("b1", "t1", "s1", "e1", "t2", REPORT), rare) == [REPORT, "b1", "t1", "s1", "e1", "t2"]
    (first, *others) = with_rarest_first(hits("b1", "t1", REPORT), rare, [])
    assert first.score == pytest.approx(others[0].score)
    assert [(part.channel, part.score) for part in first.contributions] == [("rare", 1.0)]
    assert others == hits("b1", "t1")


def test_two_long_texts_with_the_word_keep_their_order() -> None:
    rare = rare_words(ASKED, {"saffron": having(report=SPICE, ledger=CRATES)})
    assert order(hits("t1", REPORT, "t2", LEDGER), rare) == [REPORT, LEDGER, "t1", "t2"]
    assert order(hits(REPORT, "t1", LEDGER), rare) == [REPORT, LEDGER, "t1"]


def test_what_has_the_word_too_is_not_passed_and_a_belief_has_what_its_short_text_has() -> None:
    rare = rare_words(ASKED, {"saffron": having(report=SPICE, t1=None), "know": having(t2=None, t3=None)})
    ranked, cited = hits("b1", "t1", "t2", "b2", REPORT), (("b1", "t1"), ("b2", REPORT))
    assert order(ranked, rare, *cited) == ["b1", "t1", REPORT, "t2", "b2"]


def test_what_has_as_much_of_other_words_is_passed_and_what_has_more_is_not() -> None:
    words = {"sister": having(t1=None), "bergen": having(t2=None), "ever": having(t2=None)}
    rare = rare_words(ASKED, {"saffron": having(report=SPICE), **words})
    assert order(hits("t2", "t1", REPORT), rare) == ["t2", REPORT, "t1"]


IDS = st.sampled_from(["t1", "t2", "b1", REPORT, LEDGER, "memo"])


@given(
    st.permutations(["t1", "t2", "b1", REPORT, LEDGER, "memo"]),
    st.dictionaries(st.sampled_from(["saffron", "know", "crates"]), st.lists(IDS, max_size=5)),
)
def test_only_long_texts_with_rare_words_rise_and_scores_tell_the_order(
    ids: list[str], texts: dict[str, list[str]]
) -> None:
    long = {REPORT: SPICE, LEDGER: CRATES, "memo": None}
    heard = {word: [(id_, long.get(id_)) for id_ in some] for word, some in texts.items()}
    rare, ranked = rare_words(ASKED, heard), hits(*ids)
    moved = with_rarest_first(ranked, rare, [])
    assert sorted(item.id for item in moved) == sorted(ids)
    assert [item.id for item in moved if item.id not in rare.places] == [id_ for id_ in ids if id_ not in rare.places]
    assert [item.score for item in moved] == sorted((item.score for item in moved), reverse=True)
    for place, item in enumerate(moved):
        if item.id in rare.places:
            least = rare.worth(rare.of(item.id))
            assert all(rare.worth(rare.of(other.id)) >= least for other in moved[:place])
