"""Names and values keep the text's own characters, over the whole noun phrase; only keys are folded.

A value goes without the capital that the beginning of a sentence gives to any word: “Tea is my favourite drink” and “My
favourite drink is tea” say the same.
"""

import pytest

from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.fragment import ThingName
from tests.unit.test_offline_extraction import said, target


@pytest.mark.parametrize(
    ("content", "thing"),
    [
        ("I bought a Canon EOS R6.", "Canon EOS R6"),
        ("My favorite camera is the Canon EOS R6.", "Canon EOS R6"),
        ("I use a Canon EOS R6 for my photos.", "Canon EOS R6"),
        ("I bought a Sony WH-1000XM5.", "Sony WH-1000XM5"),
        ("I own a Nikon D850.", "Nikon D850"),
        ("I bought a canon EOS r6 yesterday.", "canon EOS r6"),
        ("My favorite camera is a canon EOS r6.", "canon EOS r6"),
        ("I use a MacBook Pro M2.", "MacBook Pro M2"),
        ("I own a red honda civic.", "red honda civic"),
        ("I love new york pizza.", "new york pizza"),
        ("My favorite food is Thai green curry.", "Thai green curry"),
        ("I speak british English.", "british English"),
        ("I speak swiss German.", "swiss German"),
        ("I'm learning modern Greek.", "modern Greek"),
        ("Please always answer in british English.", "always answer in british English"),
        ("I speak British English.", "British English"),
        ("I speak Brazilian Portuguese.", "Brazilian Portuguese"),
        ("I always write in British English.", "write in British English"),
        ("Please always answer in British English.", "always answer in British English"),
        ("Always answer in Portuguese.", "always answer in Portuguese"),
        ("Tea is my favourite drink.", "tea"),
        ("My favorite color is Green.", "Green"),
        ("I love HIKING.", "HIKING"),
        ("I'm Shy.", "Shy"),
    ],
)
async def test_a_name_or_value_is_written_as_in_the_text(offline: OfflineExtractor, content: str, thing: str) -> None:
    assert target(await offline.extract(said(content))) == thing


async def test_a_model_belongs_to_its_name(offline: OfflineExtractor) -> None:
    fragment = await offline.extract(said("My favorite camera is a canon EOS r6."))
    assert [mention.entity for mention in fragment.mentions] == [ThingName("EOS r6", "product")]


async def test_what_may_be_one_or_the_other_is_none(offline: OfflineExtractor) -> None:
    assert (await offline.extract(said("I live in Porto/Lisbon."))).claims == ()


async def test_the_name_of_a_person_takes_no_other_words_in(offline: OfflineExtractor) -> None:
    fragment = await offline.extract(said("I met the French actor Alice Martin."))
    assert [mention.entity.name for mention in fragment.mentions if mention.entity.type == "person"][-1:] == [
        "Alice Martin"
    ]
