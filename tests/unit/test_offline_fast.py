"""Without a parser: identifiers and what the trained reader claims. Said by Maya on 16 July 2025."""

import subprocess
import sys

from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.providers import Strategy
from tests.unit.sayings import document, said, told

FAST = OfflineExtractor(Strategy.FAST)


async def test_it_reads_claims_and_the_names_in_them() -> None:
    fragment = await FAST.extract(said("I live in Rome; mail me at maya@example.com about ticket 48812."))
    assert ("Maya", "lives_in", "Rome") in told(fragment)
    assert [mention.entity.type for mention in fragment.mentions] == ["place", "email", "issue"]


async def test_in_a_transcript_each_says_what_they_say() -> None:
    fragment = await FAST.extract(said("Ana: I live in Rome.\nBob: I live in Oslo."))
    assert [claim.statement for claim in fragment.claims] == ["Ana lives in Rome.", "Bob lives in Oslo."]


async def test_a_document_says_nothing_of_who_posts_it() -> None:
    assert (await FAST.extract(document("I live in Rome."))).claims == ()


def test_it_loads_no_parser() -> None:
    code = """
import asyncio, sys
from tests.unit.test_offline_fast import FAST
from tests.unit.sayings import said
FAST.warm()
assert asyncio.run(FAST.extract(said("I live in Rome."))).claims
sys.exit("spacy" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
