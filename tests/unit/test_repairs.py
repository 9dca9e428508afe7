"""What somebody withdraws in the same breath is left out of what is read."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.offline.repairs import repairs
from graphmem.extract.owners.rewording import reworded

REPAIRED = (
    ("I live in Rome, no, Milan.", "I live in Milan."),
    ("I live in Rome. No, wait, Milan.", "I live in Milan."),
    ("I live in Rome, or rather Milan.", "I live in Milan."),
    ("I live in Rome, actually Milan.", "I live in Milan."),
    ("I live in Rome, no, I live in Milan.", "I live in Milan."),
    ("I work at Acme... I mean Otto", "I work at Otto"),
    ("My boss is Ana — no, Bo.", "My boss is Bo."),
    ("My boss is Ana, wait, Bo.", "My boss is Bo."),
    ("Ask Ana, no, Eva.", "Ask Eva."),
    ("My sister Ana Maria Lopez, no, Eva, called.", "My sister Eva, called."),
    ("My sister lives in Porto. Sorry, I meant Lisbon.", "My sister lives in Lisbon."),
    ("I'm 34. No, 35.", "I'm 35."),
    ("I moved there in 2019, no, 2020.", "I moved there in 2020."),
    ("I start on Monday, no Tuesday.", "I start on Tuesday."),
    ("I have five cats, scratch that, six.", "I have six cats."),
    ("It costs 900, no, 950 a month.", "It costs 950 a month."),
    ("My bus is at 7:15, er, 7:45.", "My bus is at 7:45."),
    ("He lives at 12 Elm Street, no, 14 Elm Street.", "He lives at 14 Elm Street."),
    ("I'm allergic to peanuts, correction, to tree nuts.", "I'm allergic to tree nuts."),
    ("I take metformin, I mean citalopram.", "I take citalopram."),
    ("My email is a@x.example oops b@x.example", "My email is b@x.example"),
)
KEPT = (
    "I don't live in Rome, no, Milan.",
    "Do you like Rome? No, Milan.",
    "I can't come to Porto, sorry, Ana.",
    "I like Rome, no, Milan is better.",
    "I have cats, no dogs.",
    "No sugar, no milk, no eggs.",
    "I live in Porto, no, I don't mean the wine.",
    "I live in Porto, no thanks to Ana.",
    "I work at Acme, no kidding.",
    "Well, I live in Rome.",
    "I asked Tom, or Ana.",
    "My boss is Zuzanna… no, rubbish",
)


WORDS = [
    *(
        "I",
        "live",
        "in",
        "to",
        "a",
        "the",
        "Rome",
        "Milan",
        "Vitamin",
        "A",
        "six",
        "12",
        "7:15",
        "Monday",
        "a@b.c",
        "not",
    ),
    *("no,", "no", "sorry,", "wait,", "I mean", "actually", "er", "scratch that,", ",", ".", "…", "—"),
]


@given(st.lists(st.sampled_from(WORDS), max_size=30), st.sampled_from(["", " ", ", "]))
def test_whatever_is_said_what_is_left_out_is_in_order(said: list[str], between: str) -> None:
    text = between.join(said)
    edits = list(repairs(text))
    places = [(0, 0), *((edit.start, edit.end) for edit in edits), (len(text), len(text))]
    assert all(start < end for start, end in places[1:-1])
    assert all(before[1] <= after[0] for before, after in pairwise(places))


@pytest.mark.parametrize(("said", "meant"), [*REPAIRED, *((text, text) for text in KEPT)])
def test_what_is_withdrawn_in_the_same_breath_is_left_out(said: str, meant: str) -> None:
    read = reworded(said, repairs(said))
    assert read.text == meant
    assert said[slice(*read.place(len(meant) - 1, len(meant)))] == said[-1]
