"""Two entities that may be the same share a key."""

import pytest

from graphmem.model.matching import MatchProfile
from graphmem.resolve.matching.keys import MOST_KEYS, fuller_keys, keys, look_ups, short_look_ups
from tests.profiles import profile


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (profile("Tom Okafor"), profile("OKAFOR, Tom")),
        (profile("Bill Gates"), profile("William Gates")),
        (profile("Siobhan Kelly"), profile("Siobhan Keely")),
        (profile("Moniyka Schneider"), profile("Monika Schnieder")),
        (profile("Stephen Smyth"), profile("Steven Smith")),
        (profile("Hans Müller"), profile("Hans Mueller")),
        (profile("Иван Иванов"), profile("Ivan Ivanov")),
        (profile("Tom"), profile("Tom Okafor")),
        (profile("NYC", "place"), profile("New York City", "place")),
        (profile("Sony PSLX350H Turntable", "product"), profile("Sony Record Player with belt - PS-LX350H", "product")),
        (profile("Ann Lee", email="ann@a.example"), profile("A. Baker", email="ANN@a.example")),
        (profile("Ann Lee", soc_sec_id="7561213"), profile("Zoe Baker", soc_sec_id="7561213")),
        (profile("Winona-Salem, NH", "place"), profile("Winona-Salem, New Hampshire", "place")),
        (profile("A firm", "organization", vat_id="DE811569869"), profile("B", "organization", vat_id="811569869")),
        (profile("2031年7月9日", "date"), profile("9 July 2031", "date")),
        (profile("Ann Lee", born="1990-01-02"), profile("Anne Baker", born="02.01.1990")),
    ],
)
def test_a_key_is_shared(a: MatchProfile, b: MatchProfile) -> None:
    assert look_ups(a) & keys(b)
    assert look_ups(b) & keys(a)


def test_keys_are_few_words_without_spaces() -> None:
    values = {f"attribute_{number}": f"some value {number}" for number in range(20)}
    found = keys(profile("Dr. Maximilian Alexander von Habsburg-Lothringen", **values))
    assert len(found) <= MOST_KEYS
    assert not any(" " in key for key in found)


def test_a_name_without_letters_has_a_key_or_none() -> None:
    assert isinstance(keys(profile("???")), frozenset)


@pytest.mark.parametrize("short", [profile("Tom"), profile("Mr. Okafor"), profile("Tommy"), profile("tom", "concept")])
def test_a_short_name_and_a_fuller_one_find_each_other(short: MatchProfile) -> None:
    fuller = profile("Thomas Okafor")
    assert short_look_ups(short) & keys(fuller)
    assert short_look_ups(fuller) & keys(short)


def test_a_given_name_and_a_ruler_find_each_other() -> None:
    short, ruler = profile("Elizabeth"), profile("Queen Elizabeth II")
    assert short_look_ups(short) & fuller_keys(ruler)
    assert short_look_ups(ruler) & keys(short)
    assert not short_look_ups(profile("Elizabeth Taylor")) & keys(ruler)


def test_whole_names_do_not_find_each_other_as_short_ones() -> None:
    assert not short_look_ups(profile("Tom Okafor")) & keys(profile("Tom Baker"))
