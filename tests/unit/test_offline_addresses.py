"""An address is one identifier, and names its city."""

import pytest

from graphmem.extract.identifiers import ADDRESS, addresses


@pytest.mark.parametrize(
    ("text", "address", "city"),
    [
        ("at 123 Main Street, Bremen.", "123 Main Street, Bremen", "Bremen"),
        ("at 42 Rua das Flores in Porto", "42 Rua das Flores in Porto", "Porto"),
        ("Rua das Flores 42, 4050-262 Porto", "Rua das Flores 42, 4050-262 Porto", "Porto"),
        ("350 5th Ave, Apt 4B, New York, NY 10118", "350 5th Ave, Apt 4B, New York, NY 10118", "New York"),
        ("Hauptstraße 12, 28195 Bremen now", "Hauptstraße 12, 28195 Bremen", "Bremen"),
        ("Lange Straße 5, Bremen, Germany.", "Lange Straße 5, Bremen, Germany", "Bremen"),
        ("7 Rue de Rivoli, Paris", "7 Rue de Rivoli, Paris", "Paris"),
        ("221B Baker Street. Yes.", "221B Baker Street", None),
        ("12 Elm St. in Springfield", "12 Elm St. in Springfield", "Springfield"),
        ("Rua do Almada 12 in May", "Rua do Almada 12", None),
        ("12 Elm Street, March was fine", "12 Elm Street", None),
        ("12 Elm Street, Tom lives next door", "12 Elm Street", None),
    ],
)
def test_an_address_is_found_as_a_whole_with_its_city(text: str, address: str, city: str | None) -> None:
    found = {span.name.type: text[span.start : span.end] for span in addresses(text)}
    assert (found[ADDRESS], found.get("place")) == (address, city)


@pytest.mark.parametrize(
    "text",
    ["Main Street", "5 apples", "the 3 Wise Men", "Room 12", "Via Appia", "$20 Main Street", "in 2019 Anna left"],
)
def test_what_has_no_number_or_no_street_is_no_address(text: str) -> None:
    assert list(addresses(text)) == []


def test_long_rows_of_words_are_read_in_no_time() -> None:
    assert list(addresses("12 Aa " * 5000 + "Via " * 5000 + "A" * 5000)) == []
