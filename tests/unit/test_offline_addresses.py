"""An address is one value, and its city is where somebody lives. Said by Maya on 16 July 2025."""

import pytest

from graphmem.extract.identifiers import ADDRESS, addresses, is_street
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.providers import Strategy
from graphmem.model.claim import ClaimKind
from tests.unit.test_offline_extraction import on, said
from tests.unit.test_offline_predicates import told


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


@pytest.mark.parametrize("name", ["Main Street", "Rua das Flores", "Hauptstraße", "Lange Straße", "Fifth Ave"])
def test_a_street_is_known_by_its_words(name: str) -> None:
    assert is_street(name)
    assert not is_street("Bremen")


@pytest.mark.parametrize(
    ("content", "address", "city"),
    [
        ("I live at 123 Main Street, Bremen.", "123 Main Street, Bremen", "Bremen"),
        ("My address is 123 Main Street, Bremen.", "123 Main Street, Bremen", "Bremen"),
        ("Our new address is Hauptstraße 12, 28195 Bremen.", "Hauptstraße 12, 28195 Bremen", "Bremen"),
        ("I moved to 12 Elm Avenue, Springfield last week.", "12 Elm Avenue, Springfield", "Springfield"),
        ("I've lived at 5 High Street, Oxford since 2019.", "5 High Street, Oxford", "Oxford"),
    ],
)
async def test_who_lives_at_an_address_lives_in_its_city(
    offline: OfflineExtractor, content: str, address: str, city: str
) -> None:
    fragment = await offline.extract(said(content))
    assert set(told(fragment)) == {("Maya", "lives_at", address), ("Maya", "lives_in", city)}
    assert [mention.entity.name for mention in fragment.mentions if mention.entity.type != "person"] == [city]


async def test_who_leaves_an_address_may_stay_in_the_city(offline: OfflineExtractor) -> None:
    (claim,) = (await offline.extract(said("I moved out of 12 Elm Street, Bremen."))).claims
    assert (claim.kind, claim.predicate, claim.value) == (ClaimKind.ENDS, "lives_at", "12 Elm Street, Bremen")


async def test_a_later_clause_dates_an_address(offline: OfflineExtractor) -> None:
    (claim,) = (await offline.extract(said("I live at 221B Baker Street. I've been there since 2020."))).claims
    assert (claim.value, claim.valid_from) == ("221B Baker Street", on(2020))


@pytest.mark.parametrize(
    "content",
    [
        "Please ship it to 123 Main Street, Bremen.",
        "My work address is 123 Main Street, Bremen.",
        "My address isn't 5 High Street, Oxford.",
        "Do you live at 5 High Street, Oxford?",
        "I used to live at 123 Main Street, Bremen.",
        "I bought 12 Elm Avenue, Springfield.",
        "I live in Main Street.",
    ],
)
async def test_an_address_by_itself_says_nobody_lives_there(offline: OfflineExtractor, content: str) -> None:
    assert told(await offline.extract(said(content))) == []


@pytest.mark.parametrize("content", ["My address is 5 High Street, Oxford.", "I live at 5 High Street, Oxford."])
async def test_without_a_parser_the_address_is_a_whole_phrase(content: str) -> None:
    fragment = await OfflineExtractor(Strategy.FAST).extract(said(content))
    assert told(fragment) == [("Maya", "lives_at", "5 High Street, Oxford")]
