"""What a text tells of two names in it."""

import re

import pytest

from graphmem.resolve.matching.contrasts import contrast


def told(content: str) -> str:
    """What stands between two names, of which the first is written [so] and the second <so>, where they are two."""
    text, ones, others = "", list[tuple[int, int]](), list[tuple[int, int]]()
    for part in re.split(r"(\[[^\]]+\]|<[^>]+>)", content):
        start, name = len(text), part.strip("[]<>") if part[:1] in ("[", "<") else part
        text += name
        if name != part:
            (ones if part[0] == "[" else others).append((start, len(text)))
    return contrast(text, ones, others)


@pytest.mark.parametrize(
    "between",
    [
        " and ",
        " & ",
        " + ",
        " met ",
        ", but not ",
        " vs. ",
        "'s sister ",
        "’s older brother, ",
        "'s car and ",
        " and his ",
        " and Dr. ",
        " is not ",
        " isn't ",
        " is not the same person as ",
        ", unlike ",
        " differs from ",
        " rather than ",
        " married ",
        " is married to ",
        " is the father of ",
        " is the boss of ",
        ", not ",
        " (not ",
        " is older than ",
        " is known to ",
        " was called by ",
        " called ",
        " lives in Rome; ",
        " (b. 1970 in Rome) is no friend of J. and of ",
        " is as tall as ",
        " told Bob that ",
        ", who has never seen ",
    ],
)
def test_two_names_in_one_sentence_are_two(between: str) -> None:
    assert told(f"[José García]{between}<Jose Garcia> yesterday.") == between
    assert told(f"Then <Jose Garcia>{between}[José García].") == between


@pytest.mark.parametrize(
    "between",
    [
        "",
        " ",
        ", ",
        " (",
        " – ",
        "/",
        " = ",
        " aka ",
        " (a.k.a. ",
        ", also known as ",
        ", also called ",
        " alias ",
        ", formerly ",
        ", née ",
        ", born ",
        " is ",
        " is called ",
        ", known as ",
        " goes by ",
        ", nicknamed ",
        " is short for ",
        " stands for ",
        ", i.e. ",
        ", that is ",
        " or ",
        " or rather ",
        " is the same person as ",
        "'s full name is ",
        " (whose real name is ",
        ", better known as ",
    ],
)
def test_what_is_called_so_is_one(between: str) -> None:
    assert not told(f"[José García]{between}<Jose Garcia> lives in Rome.")


@pytest.mark.parametrize("between", [". ", " left. And ", "\n", ": ", " left!) ", f" {'talked on ' * 10}to "])
def test_other_sentences_tell_nothing(between: str) -> None:
    assert not told(f"[José García]{between}<Jose Garcia> lives in Rome.")


@pytest.mark.parametrize(
    "content",
    [
        "[José García], <Jose Garcia> and Bob Hall live in Rome.",
        "[José García], <Jose Garcia>, Bob Hall, and Eve live in Rome.",
        "Unlike [José García], <Jose Garcia> lives in Rome.",
        "Apart from [José García], <Jose Garcia> lives in Rome.",
        "It was either [José García] or <Jose Garcia>.",
        "[José García] is <Jose Garcia>'s father.",
        "The father of [José García] is <Jose Garcia>.",
        "[Tom] is not <Tom Okafor>.",
        "[Tom Okafor] thinks that [he] likes <Tom>.",
        "[Tom] (see below) came, and [Tom] met <Tom Okafor>.",
        "[José García] and <Jose Garcia> are the same age.",
        "[José García] and <Jose Garcia> are not the same person.",
        "[I] met <Maya>.",
        "<Maya> and [I] left.",
    ],
)
def test_what_stands_around_tells_of_two(content: str) -> None:
    assert told(content)


@pytest.mark.parametrize(
    "content",
    [
        "[José García] and <Jose Garcia> are the same person.",
        "[José García] and <Jose Garcia> are one and the same.",
        "[José García] and <Jose Garcia> are two spellings of one name.",
        "My friend [Tom], <Tom Okafor>, lives in Rome and works in Paris.",
        "With [Tom], <Tom Okafor>, I went to Rome.",
        "[Tommy] is <Tom Okafor>'s nickname.",
        "<Tom Okafor> ([Tom]) lives in Rome, where [Tom] likes the sea.",
        "[Tom], that is <Tom Okafor>, said that [Tom] is ill.",
        "[I] will be late, <Maya>",
        "[I]'m <Maya>.",
        "[Paris] is a town, but <Paris> is nice.",
        "[Tom <Okafor>] left.",
    ],
)
def test_what_stands_around_tells_of_one(content: str) -> None:
    assert not told(content)
