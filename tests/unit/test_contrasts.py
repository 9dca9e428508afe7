"""What words between two names tell of them."""

import pytest

from graphmem.resolve.matching.contrasts import tells_apart


@pytest.mark.parametrize(
    "between",
    [
        " and ",
        " & ",
        " or ",
        " met ",
        ", but not ",
        " vs. ",
        "'s sister ",
        "’s older brother, ",
        " and his ",
        " and Dr. ",
    ],
)
def test_words_that_tell_two_apart(between: str) -> None:
    assert tells_apart(between)


@pytest.mark.parametrize(
    "between",
    [
        "",
        " ",
        ", ",
        " (",
        ", also called ",
        " is ",
        "'s full name is ",
        ". ",
        " left. And ",
        "'s car and ",
        " or rather ",
    ],
)
def test_words_that_do_not(between: str) -> None:
    assert not tells_apart(between)
