"""A later clause says since when a state holds: “I've been there since 2021”. Said by Maya on 16 July 2025."""

from datetime import datetime

import pytest

from graphmem.extract.offline.extractor import OfflineExtractor
from tests.unit.test_offline_extraction import on, said


@pytest.mark.parametrize(
    ("content", "predicate", "since"),
    [
        ("I live in Lisbon. I've been there since March 2021.", "lives_in", on(2021, 3)),
        ("I live in Lisbon and I've been here since 2019.", "lives_in", on(2019)),
        ("I live in Porto. Been here since May.", "lives_in", on(2025, 5)),
        ("I live in Porto. I've lived here for ten years.", "lives_in", on(2015)),
        ("Paul lives in Rome. He's been there since 2010.", "lives_in", on(2010)),
        ("I work at Acme. I've been doing this for three years.", "works_at", on(2022)),
        ("I work at Acme. I've been there for five years now.", "works_at", on(2020)),
        ("I'm a nurse. I've been doing this for ten years.", "works_as", on(2015)),
        ("I play the cello. I've been doing it since 2015.", "plays", on(2015)),
        ("I play the cello. I've played it since 2015.", "plays", on(2015)),
        ("I run every morning. I've been doing this for two years.", "habit", on(2023)),
        ("I have a dog. I've had him since 2020.", "owns", on(2020)),
        ("I'm friends with Clara. I've known her since 2010.", "friend_of", on(2010)),
    ],
)
async def test_a_later_clause_dates_the_one_state(
    offline: OfflineExtractor, content: str, predicate: str, since: datetime
) -> None:
    (claim,) = (await offline.extract(said(content))).claims
    assert (claim.predicate, claim.valid_from) == (predicate, since)
    assert content[claim.quote_start : claim.quote_end] == content


@pytest.mark.parametrize(
    "content",
    [
        "Paul lives in Rome. I've been there since 2010.",
        "I live in Lisbon. I work at Acme. I've been there since 2019.",
        "I live in Lisbon. We ate at Nando's Place. I've been there since 2019.",
        "I live in Lisbon. It was sunny. We ate. Nice. I've been there since 2019.",
        "I live in Lisbon. I haven't been there since March 2021.",
        "I live in Lisbon. Have I been there since 2019?",
        "I live in Lisbon. I think I've been there since 2019.",
        "I visited Lisbon. I've been there since March 2021.",
        "I like hiking. I've been there since March 2021.",
    ],
)
async def test_no_state_is_dated_where_two_may_be_meant_or_none(offline: OfflineExtractor, content: str) -> None:
    claims = (await offline.extract(said(content))).claims
    assert claims
    assert not any(claim.valid_from for claim in claims)


async def test_a_beginning_that_is_said_itself_stands(offline: OfflineExtractor) -> None:
    (claim,) = (await offline.extract(said("I have lived in Lisbon since 2015. I've been there since 2019."))).claims
    assert claim.valid_from == on(2015)
