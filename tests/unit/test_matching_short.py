"""Whether one name is short for another."""

import pytest

from graphmem.model.matching import Profile
from graphmem.resolve.matching.short import is_part_of, short_of
from tests.profiles import profile

TOM = profile("Tom")
OKAFOR, BAKER = profile("Tom Okafor"), profile("Thomas Baker")


@pytest.mark.parametrize(
    ("short", "fuller"),
    [
        (TOM, OKAFOR),
        (TOM, BAKER),
        (profile("Mr Okafor"), OKAFOR),
        (profile("Dr. Okafor"), OKAFOR),
        (profile("Tom", "concept"), OKAFOR),
    ],
)
def test_a_part_is_short_for_the_whole(short: Profile, fuller: Profile) -> None:
    assert short_of(short, fuller)
    assert not short_of(fuller, short)


@pytest.mark.parametrize(
    ("short", "fuller"),
    [
        (TOM, profile("Anna Okafor")),
        (TOM, profile("Tom", id_="2")),
        (TOM, profile("Tom Okafor", "place")),
        (OKAFOR, BAKER),
        (OKAFOR, profile("Tom James Okafor")),
        (TOM, profile("Tommy")),
        (profile("York", "place"), profile("New York", "place")),
        (profile("Acme", "organization"), profile("Acme Labs", "organization")),
        (profile("Mrs. Okafor"), profile("Mr. Tom Okafor")),
    ],
)
def test_other_names_are_not(short: Profile, fuller: Profile) -> None:
    assert not short_of(short, fuller)


def test_a_name_with_an_id_is_short_for_nobody() -> None:
    assert not short_of(profile("Tom", qualifier="crm:1"), OKAFOR)


def test_a_whole_name_is_a_part_of_a_longer_one() -> None:
    assert is_part_of(OKAFOR, profile("Tom James Okafor"))
