"""“I stopped …”, “I no longer …”, “not … any more” end what held; “only … now” begins. Said by Maya on 16 July 2025."""

from datetime import datetime

import pytest

from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.claim import ClaimKind
from tests.unit.test_offline_extraction import on, said
from tests.unit.test_offline_predicates import told


@pytest.mark.parametrize(
    ("content", "predicate", "thing", "when"),
    [
        ("I stopped playing tennis in May.", "plays", "tennis", on(2025, 5)),
        ("I stopped using Slack.", "uses", "Slack", None),
        ("I quit working at Acme.", "works_at", "Acme", None),
        ("I stopped learning Spanish.", "studies", "Spanish", None),
        ("I stopped liking olives.", "likes", "olives", None),
        ("I stopped volunteering at the shelter.", "volunteers_at", "shelter", None),
        ("I no longer play the piano.", "plays", "piano", None),
        ("I no longer collect stamps.", "collects", "stamps", None),
        ("We no longer own a car.", "owns", "car", None),
        ("I no longer have a dog.", "owns", "dog", None),
        ("I'm no longer a vegetarian.", "is_a", "vegetarian", None),
        ("I'm no longer allergic to nuts.", "allergic_to", "nuts", None),
        ("I'm not a nurse anymore.", "works_as", "nurse", None),
        ("I don't work as a nurse any more.", "works_as", "nurse", None),
        ("I don't like coffee any more.", "likes", "coffee", None),
        ("I don't play golf anymore.", "plays", "golf", None),
    ],
)
async def test_what_is_over_is_an_end(
    offline: OfflineExtractor, content: str, predicate: str, thing: str, when: datetime | None
) -> None:
    fragment = await offline.extract(said(content))
    assert told(fragment) == [("Maya", predicate, thing)]
    assert [(claim.kind, claim.valid_from) for claim in fragment.claims] == [(ClaimKind.ENDS, when)]


@pytest.mark.parametrize(
    "content",
    ["I stopped eating meat.", "I've stopped eating meat.", "I no longer eat meat.", "I don't eat meat any more."],
)
async def test_who_stops_eating_something_avoids_it(offline: OfflineExtractor, content: str) -> None:
    claims = (await offline.extract(said(content))).claims
    assert {(claim.kind, claim.statement) for claim in claims} == {
        (ClaimKind.ENDS, "Maya no longer eats meat."),
        (ClaimKind.STARTS, "Maya avoids meat."),
    }


@pytest.mark.parametrize(
    ("content", "thing"),
    [
        ("I quit smoking.", "smoking"),
        ("I gave up smoking.", "smoking"),
        ("I stopped driving.", "driving"),
        ("I stopped smoking in 2019.", "smoking"),
        ("I gave up coffee last year.", "coffee"),
        ("I no longer drive.", "driving"),
    ],
)
async def test_what_is_given_up_is_avoided(offline: OfflineExtractor, content: str, thing: str) -> None:
    assert told(await offline.extract(said(content))) == [("Maya", "avoids", thing)]


async def test_one_drink_ends_and_another_begins(offline: OfflineExtractor) -> None:
    claims = (await offline.extract(said("I stopped drinking tea, I only drink coffee now."))).claims
    drinks = [(claim.kind, claim.object.name) for claim in claims if claim.object and claim.predicate == "drinks"]
    assert drinks == [(ClaimKind.ENDS, "tea"), (ClaimKind.STARTS, "coffee")]


@pytest.mark.parametrize(
    "content",
    [
        "I can't stop drinking tea.",
        "I never stopped drinking tea.",
        "I want to stop drinking tea.",
        "I stopped to drink tea.",
        "I stopped eating meat for a week.",
        "I stopped playing tennis with Tom.",
        "I no longer drink coffee at night.",
        "I don't drink coffee at night.",
        "I don't eat meat on Fridays.",
        "Did you stop drinking tea?",
        "If I stop eating meat, I will be hungry.",
        "I gave up hope.",
        "I drink coffee.",
    ],
)
async def test_what_goes_on_or_ends_in_part_is_no_end(offline: OfflineExtractor, content: str) -> None:
    assert told(await offline.extract(said(content))) == []


MOVED = {
    "I moved my piano to Oslo.": set[tuple[str, str]](),
    "They moved our account to Berlin.": set[tuple[str, str]](),
    "I moved my father to Graz last week.": set[tuple[str, str]](),
    "We relocated the servers to Frankfurt.": set[tuple[str, str]](),
    "I left Volkswagen early today.": set[tuple[str, str]](),
    "I left Volkswagen at six and took the bus.": set[tuple[str, str]](),
    "I left Volkswagen at 16:45.": set[tuple[str, str]](),
    "We moved house to Oslo in May.": {("starts", "lives_in")},
    "I moved my family to Graz.": {("starts", "lives_in")},
    "I moved to Berlin.": {("starts", "lives_in")},
    "I left Volkswagen last Friday.": {("ends", "works_at")},
    "I left Volkswagen in 2024.": {("ends", "works_at")},
    "I left Volkswagen early last year.": {("ends", "works_at")},
}


async def test_who_moves_a_thing_stays_and_who_leaves_at_an_hour_comes_back(
    offline: OfflineExtractor, subtests: pytest.Subtests
) -> None:
    for content, expected in MOVED.items():
        with subtests.test(content=content):
            claims = (await offline.extract(said(content))).claims
            assert {(c.kind.value, c.predicate) for c in claims if c.predicate in ("lives_in", "works_at")} == expected
