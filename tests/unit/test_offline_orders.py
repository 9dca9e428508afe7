"""An order is meant by its number: “order 4711-A” is one thing, “order” is none. Said by Maya on 16 July 2025."""

import pytest

from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.fragment import ThingName
from tests.unit.test_offline_extraction import said
from tests.unit.test_offline_predicates import told


@pytest.mark.parametrize(
    ("content", "who", "predicate", "number", "kind"),
    [
        ("Jonas cancelled order 4711-A.", "Jonas", "cancelled", "4711-A", "order"),
        ("I cancelled my order A-10293 yesterday.", "Maya", "cancelled", "A-10293", "order"),
        ("I cancelled order #12345.", "Maya", "cancelled", "12345", "order"),
        ("I cancelled booking AB-1234.", "Maya", "cancelled", "AB-1234", "order"),
        ("I returned order A-10293.", "Maya", "returned", "A-10293", "order"),
        ("I received order number 48812 today.", "Maya", "received", "48812", "order"),
        ("I placed order A-10293.", "Maya", "ordered", "A-10293", "order"),
        ("I reported ticket 48812.", "Maya", "reported", "48812", "issue"),
        ("I opened ticket #48812 yesterday.", "Maya", "reported", "48812", "issue"),
    ],
)
async def test_the_number_is_the_object(
    offline: OfflineExtractor, content: str, who: str, predicate: str, number: str, kind: str
) -> None:
    fragment = await offline.extract(said(content))
    assert told(fragment) == [(who, predicate, number)]
    assert fragment.claims[0].object == ThingName(number, kind)
    assert [mention.entity for mention in fragment.mentions if mention.entity.type == kind] == [ThingName(number, kind)]


@pytest.mark.parametrize(
    "content",
    [
        "Jonas cancelled order.",
        "I cancelled my order.",
        "I got the package.",
        "I ordered a package.",
        "I sold my order.",
        "I haven't cancelled order A-10293.",
        "I like order A-10293.",
        "I bought order A-10293.",
    ],
)
async def test_a_bare_type_is_no_object_and_an_order_nothing_else(offline: OfflineExtractor, content: str) -> None:
    assert told(await offline.extract(said(content))) == []


async def test_with_a_word_more_it_is_one(offline: OfflineExtractor) -> None:
    claims = told(await offline.extract(said("I cancelled the hotel booking.")))
    assert claims == [("Maya", "cancelled", "hotel booking")]
