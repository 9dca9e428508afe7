"""What a name is the name of: its own words and those around it know better than the parser, and once is enough."""

import pytest

from graphmem.extract.offline.extractor import OfflineExtractor
from tests.unit.sayings import document, said


async def kinds(offline: OfflineExtractor, content: str) -> dict[str, str]:
    fragment = await offline.extract(document(content))
    return {mention.entity.name: mention.entity.type for mention in fragment.mentions}


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        # the name's own words
        ("She swam in Fennel Brook.", "Fennel Brook", "place"),
        ("They crossed Mendel Glacier at noon.", "Mendel Glacier", "place"),
        ("He joined Hyrule Labs.", "Hyrule Labs", "organization"),
        ("They sued Zelda Inc. in May.", "Zelda Inc.", "organization"),
        ("Everybody likes Project Heron.", "Project Heron", "project"),
        # what is said of it
        ("Velmore is a village near Oslo.", "Velmore", "place"),
        ("Pemberton was an actor.", "Pemberton", "person"),
        ("Whitfield said that she was tired.", "Whitfield", "person"),
        ("They came from Torvale, England.", "Torvale", "place"),
        ("Everybody knows Captain Harrow.", "Harrow", "person"),
    ],
)
async def test_words_in_and_around_a_name_tell_its_kind(
    offline: OfflineExtractor, content: str, name: str, kind: str
) -> None:
    assert (await kinds(offline, content)).get(name) == kind


async def test_one_name_has_one_kind_in_a_text(offline: OfflineExtractor) -> None:
    text = "Velmore is a village. Velmore won the match. People love Velmore."
    assert await kinds(offline, text) == {"Velmore": "place"}


async def test_a_last_name_is_the_persons(offline: OfflineExtractor) -> None:
    found = await kinds(offline, "Sandra Whitfield is an actress. Whitfield's films were shown in Rome.")
    assert found["Whitfield"] == "person"


async def test_what_a_slash_parts_is_two_names(offline: OfflineExtractor) -> None:
    assert (await kinds(offline, "She moved to Porto/Lisbon.")).keys() == {"Porto", "Lisbon"}


@pytest.mark.parametrize("content", ["The Institute was old.", "Guitar is fun.", "He left the Party."])
async def test_a_word_for_a_kind_names_nothing(offline: OfflineExtractor, content: str) -> None:
    assert await kinds(offline, content) == {}


@pytest.mark.parametrize(
    "content",
    [
        "Wow, Haha, Congrats!",
        "Yikes! Phew. Hooray!",
        "On Monday in June I ran 5 kg.",
        "See you Friday Night.",
        "That is 20 MPH.",
    ],
)
async def test_calendars_units_and_exclamations_name_nothing(offline: OfflineExtractor, content: str) -> None:
    names = [mention.entity.name for mention in (await offline.extract(said(content))).mentions]
    assert names in ([], ["Maya"])
