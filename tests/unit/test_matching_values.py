"""Values are read by their shape, and identifiers by their form."""

import pytest

from graphmem.model.matching import MatchingSettings
from graphmem.resolve.matching.attributes import compare_values
from graphmem.resolve.matching.identifiers import compare_identifiers, email, identifiers_of, phone, url
from graphmem.resolve.matching.values import ValueShape, value_of
from graphmem.resolve.matching.weights import NoFrequencies, Rarity, packaged, terms
from tests.profiles import Counted, profile

SETTINGS = MatchingSettings()


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("1949-07-22", ValueShape.DATE),
        ("19490722", ValueShape.DATE),
        ("22 July 1949", ValueShape.DATE),
        ("19491722", ValueShape.CODE),
        ("399", ValueShape.NUMBER),
        ("$1,895.00", ValueShape.NUMBER),
        ("1999", ValueShape.YEAR),
        ("4011", ValueShape.CODE),
        ("V-2201", ValueShape.CODE),
        ("burkitt street", ValueShape.SHORT),
        ("a text of more than six words it is", ValueShape.LONG),
    ],
)
def test_a_value_has_a_shape(text: str, shape: ValueShape) -> None:
    assert value_of(text).shape is shape


@pytest.mark.parametrize(
    ("predicate", "a", "b", "level"),
    [
        ("date_of_birth", "1949-07-22", "22.07.1949", "exact"),
        ("date_of_birth", "1949-09-04", "1949-08-04", "slip"),
        ("date_of_birth", "1949-09-04", "1951-09-04", "part"),
        ("date_of_birth", "1949-09-04", "1962-01-30", "different"),
        ("soc_sec_id", "6678130", "6678103", "slip"),
        ("order_code", "6678130", "9999999", "different"),
        ("price", "204.99", "199", "slip"),
        ("year", "1998", "2000", "different"),
        ("suburb", "long jexty", "Long Jetty", "slip"),
        ("address", "chisholmstreet", "Chisholm Street", "exact"),
        ("venue", "VLDB", "Very Large Data Bases", "part"),
        ("authors", "M. Cilia, A. Buchmann", "Mariano Cilia, Alejandro Buchmann", "slip"),
        ("authors", "Rome and Paris and Athens on a map", "Athens, Rome, Paris: and a map on it", "same"),
    ],
)
def test_values_agree_at_a_level(predicate: str, a: str, b: str, level: str) -> None:
    rarity = Rarity(NoFrequencies(), packaged(), "person")
    (found,) = compare_values(profile("a", **{predicate: a}), profile("b", **{predicate: b}), rarity)
    assert found.level == level


def test_what_is_missing_says_nothing() -> None:
    rarity = Rarity(NoFrequencies(), packaged(), "person")
    assert compare_values(profile("a", city="Rome"), profile("b", age="7"), rarity) == []


def test_a_rare_value_says_more() -> None:
    rare, common = (Rarity(Counted(rome=count), packaged(), "person") for count in (2, 512))
    weights = [compare_values(profile("a", x="Rome"), profile("b", x="Rome"), one)[0].weight for one in (rare, common)]
    assert weights[0] > weights[1] + 5


def test_parts_of_one_address_count_together() -> None:
    rarity = Rarity(NoFrequencies(), packaged(), "person")
    a, b = (profile(name, street="Main", suburb="Kirra", code="123456") for name in "ab")
    found = {one.part: one.weight for one in compare_values(a, b, rarity)}
    assert min(found["street"], found["suburb"]) < max(found["street"], found["suburb"])


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Tom.Okafor+news@GMAIL.com", "tomokafor@gmail.com"),
        ("tom@x.example.org", "tom@x.example.org"),
        ("sales@example.com", None),
        ("rinaldi.family@example.org", None),
        ("tom", None),
    ],
)
def test_an_email_is_written_in_one_way(text: str, address: str | None) -> None:
    assert email(text) == address


def test_phones_and_web_addresses_too() -> None:
    assert phone("0049 30 23125 400") == phone("+49 (30) 23125-400") == "+493023125400"
    assert phone("07700 900145") is None
    assert url("https://www.acme.example/x/") == "acme.example/x"
    assert url("https://acme.example", person=True) is None


def test_shared_keys_are_found() -> None:
    a, b = profile("a", "order", order_id="A-17"), profile("b", "order", order_id="a17")
    assert [one.kind for one in compare_identifiers(a, b, SETTINGS).same] == ["order_id"]


@pytest.mark.parametrize(("other", "different"), [("978-0-13-235088-4", 1), ("9780201633611", 0), ("x", 0)])
def test_two_valid_keys_are_of_two_things(other: str, different: int) -> None:
    found = compare_identifiers(profile("a", isbn="0-201-63361-2"), profile("b", isbn=other), SETTINGS)
    assert len(found.different) == different


@pytest.mark.parametrize(
    ("kind", "valid", "read", "mistyped"),
    [
        ("isbn", "0-8044-2957-X", "9780804429573", "0-8044-2957-1"),
        ("isbn", "978-0-13-235088-4", "9780132350884", "978-0-13-235088-5"),
        ("ean", "4006381333931", "4006381333931", "4006381333932"),
        ("upc", "0 36000 29145 2", "0036000291452", "0 36000 29145 3"),
        ("upc", "36000291452", "0036000291452", "36000291453"),
        ("gtin", "96385074", "0000096385074", "0074"),
        ("gtin", "14006381333938", "14006381333938", "14006381333931"),
        ("imei", "49-015420-323751-8", "490154203237518", "49015420323751"),
        ("orcid", "https://orcid.org/0000-0002-1694-233X", "000000021694233x", "0000-0002-1694-2331"),
        ("lei", "5493001KJTIIGC8Y1R12", "5493001kjtiigc8y1r12", "5493001KJTIIGC8Y1R21"),
    ],
)
def test_a_check_digit_tells_what_was_mistyped(kind: str, valid: str, read: str, mistyped: str) -> None:
    assert [one.value for one in identifiers_of(profile("a", **{kind: valid}), SETTINGS)] == [read]
    assert not identifiers_of(profile("a", **{kind: mistyped}), SETTINGS)


def test_a_number_of_an_employer_is_no_identifier() -> None:
    assert not identifiers_of(profile("a", employee_id="1187"), SETTINGS)


def test_names_and_values_are_counted() -> None:
    assert {("person.person", "okafor"), ("person.city", "rome")} <= terms(profile("Tom Okafor", city="Rome"))
