"""Whether one name is short for another."""

from dataclasses import replace

import pytest

from graphmem.model.matching import FamilyTie, MatchProfile
from graphmem.resolve.matching.vetoes import is_part_of, is_short_name, short_of, told_to_differ
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
        (TOM, profile("Tom Okafor Jr.")),
        (profile("Elizabeth"), profile("Elizabeth I")),
        (profile("Elizabeth"), profile("Queen Elizabeth II")),
        (profile("Charles"), profile("Charles XII of Sweden")),
    ],
)
def test_a_part_is_short_for_the_whole(short: MatchProfile, fuller: MatchProfile) -> None:
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
        (profile("Henry VIII"), profile("Henry Baker")),
        (profile("Charles III"), profile("Charles Dickens")),
        (profile("Queen Elizabeth II"), profile("Elizabeth Taylor")),
        (profile("George VI"), profile("George Harrison")),
        (profile("Leo IX"), profile("Leo X")),
        (profile("Tom Jr."), OKAFOR),
        (TOM, profile("Tom Jr.")),
    ],
)
def test_other_names_are_not(short: MatchProfile, fuller: MatchProfile) -> None:
    assert not short_of(short, fuller)


def test_a_name_with_an_id_is_short_for_nobody() -> None:
    assert not short_of(profile("Tom", qualifier="crm:1"), OKAFOR)


@pytest.mark.parametrize("name", ["Henry VIII", "Queen Elizabeth II", "Tom Jr."])
def test_a_name_with_a_number_or_suffix_is_no_short_name(name: str) -> None:
    assert not is_short_name(profile(name))


def test_a_ruler_is_no_part_of_a_name_without_the_number() -> None:
    assert not is_part_of(profile("Henry VIII"), profile("Henry Baker"))
    assert not is_part_of(profile("John Smith"), profile("John Smith III"))
    assert is_part_of(profile("Henry VIII"), profile("Henry VIII of England"))


def test_a_whole_name_is_a_part_of_a_longer_one() -> None:
    assert is_part_of(OKAFOR, profile("Tom James Okafor"))


HUSBAND, BROTHER = (FamilyTie(predicate=one, of="ann", user="") for one in ("partner", "sibling"))
NO_HUSBAND = replace(HUSBAND, ended=True)
NOBODY = set[str]()


@pytest.mark.parametrize(
    ("short", "fuller", "users"),
    [
        ({HUSBAND}, {BROTHER}, {""}),
        ({HUSBAND}, {NO_HUSBAND}, {""}),
        ({NO_HUSBAND}, {HUSBAND}, NOBODY),
        ({HUSBAND}, {HUSBAND}, NOBODY),
        ({HUSBAND, NO_HUSBAND}, {HUSBAND}, NOBODY),
        ({HUSBAND}, {HUSBAND, BROTHER}, NOBODY),
        ({HUSBAND}, {replace(BROTHER, of="bea")}, NOBODY),
        ({NO_HUSBAND}, {BROTHER}, NOBODY),
        ({HUSBAND}, set[FamilyTie](), NOBODY),
        ({replace(HUSBAND, user="ann")}, {BROTHER}, {"ann"}),
        ({replace(HUSBAND, user="ann")}, {replace(BROTHER, user="bob")}, NOBODY),
    ],
)
def test_one_person_is_one_thing_to_another_of_the_family(
    short: set[FamilyTie], fuller: set[FamilyTie], users: set[str]
) -> None:
    assert told_to_differ(short, fuller) == users
