"""Without a parser: what a whole phrase says surely, and nothing else. Said by Maya on 16 July 2025."""

import subprocess
import sys
from datetime import UTC, datetime

import pytest

from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.providers import Strategy
from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.fragment import Fragment

SAID = datetime(2025, 7, 16, 15, 0, tzinfo=UTC)


async def read(content: str, **how: object) -> Fragment:
    named: dict[str, object] = {"speaker": "Maya", **how}
    episode = Episode(group_id="g", session="s", content=content, occurred_at=SAID, **named)  # pyright: ignore[reportArgumentType] - a test's shorthand
    return await OfflineExtractor(Strategy.FAST).extract(episode)


@pytest.mark.parametrize(
    ("content", "predicate", "value", "quote"),
    [
        ("My name is Maya Lopes.", "named", "Maya Lopes", "My name is Maya Lopes"),
        ("Hi, my name's Maya!", "named", "Maya", "my name's Maya"),
        ("Hello. I’m called Mo, by the way.", "named", "Mo", "I’m called Mo"),
        ("Please call me Mo.", "named", "Mo", "call me Mo"),
        ("You can call me Mo.", "named", "Mo", "You can call me Mo"),
        ("My e-mail is maya@example.com.", "has_email", "maya@example.com", "My e-mail is maya@example.com"),
        ("Email me at maya@example.com!", "has_email", "maya@example.com", "Email me at maya@example.com"),
        ("My mobile number: +351 912 345 678", "has_phone", "+351 912 345 678", "My mobile number: +351 912 345 678"),
        ("You can call me on 555-010-0143.", "has_phone", "555-010-0143", "You can call me on 555-010-0143"),
        ("My order number is A-10293.", "ordered", "A-10293", "My order number is A-10293"),
        ("My ticket is 48812.", "reported", "48812", "My ticket is 48812"),
        ("My birthday is 3 May.", "birthday", "3 May", "My birthday is 3 May"),
        ("I'm 34 years old.", "age", "34", "I'm 34 years old"),
        ("I live in New York.", "lives_in", "New York", "I live in New York"),
        ("I work at Acme, and it is fine.", "works_at", "Acme", "I work at Acme"),
        ("I'm from Porto\nand so on", "comes_from", "Porto", "I'm from Porto"),
        ("I'm allergic to nuts.", "allergic_to", "nuts", "I'm allergic to nuts"),
        ("I'm a vegetarian.", "is_a", "vegetarian", "I'm a vegetarian"),
    ],
)
async def test_a_whole_phrase_is_one_claim(content: str, predicate: str, value: str, quote: str) -> None:
    (claim,) = (await read(content)).claims
    target = claim.object.name if claim.object else claim.value
    assert (claim.subject.name, claim.predicate, target) == ("Maya", predicate, value)
    assert content[claim.quote_start : claim.quote_end].strip() == quote


@pytest.mark.parametrize(
    "content",
    [
        "Is my name Maya?",
        "My name is Maya, isn't it?",
        "My name is on the list.",
        "My name is not Maya.",
        "Her name is Maya.",
        "Don't call me Mo.",
        "Never call me Mo.",
        "They call me Mo.",
        "Call me Mo if you must.",
        "Call me maybe.",
        "Call me Tomorrow.",
        "If my e-mail is maya@example.com, write.",
        "My e-mail is not maya@example.com.",
        "Your e-mail is bruno@example.com.",
        "My old phone number is 555-010-0143.",
        "My order number is unknown.",
        "I'm 34 years older.",
        "I don't live in Rome.",
        "I live in Rome?",
        "I live in fear.",
        "I live in Rome with Bruno until May.",
        "If I live in Rome, I walk.",
        "He said: “I live in Rome.”",
        'He said. "Well. I live in Rome."',
        "I wish I live in Rome.",
        "I work at home.",
        "I work at Night.",
        "I'm from Monday on in Porto.",
        "I'm allergic to you.",
        "I'm allergic to that thing.",
        "I'm not allergic to nuts.",
        "I'm not vegan.",
        "Am I vegan?",
        "",
    ],
)
async def test_what_is_no_whole_phrase_is_no_claim(content: str) -> None:
    assert (await read(content)).claims == ()


@pytest.mark.parametrize(
    "how",
    [
        {"role": EpisodeRole.ASSISTANT},
        {"speaker": None, "content_type": ContentType.DOCUMENT},
    ],
)
async def test_only_a_person_who_speaks_says_who_they_are(how: dict[str, object]) -> None:
    assert (await read("I live in Rome.", **how)).claims == ()


async def test_in_a_transcript_each_says_what_they_say() -> None:
    claims = (await read("Ana: I live in Rome.\nBob: I live in Oslo.")).claims
    assert [claim.statement for claim in claims] == ["Ana lives in Rome.", "Bob lives in Oslo."]


async def test_identifiers_and_what_claims_name_are_mentions() -> None:
    fragment = await read("I live in Rome; mail me at maya@example.com about ticket 48812.")
    assert [mention.entity.type for mention in fragment.mentions] == ["place", "email", "issue"]


def test_it_loads_no_parser() -> None:
    code = """
import asyncio, sys
from datetime import UTC, datetime
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.providers import Strategy
from graphmem.model.episode import Episode
fast = OfflineExtractor(Strategy.FAST)
fast.warm()
episode = Episode(group_id="g", session="s", content="I live in Rome.", occurred_at=datetime.now(UTC), user="u")
assert asyncio.run(fast.extract(episode)).claims
sys.exit("spacy" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
