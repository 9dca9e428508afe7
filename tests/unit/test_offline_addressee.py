"""“You” is the other speaker of the session's last turns, or who is called by name, or nobody. Said by Maya."""

from datetime import UTC, datetime

import pytest

from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.fragment import Context, ContextTurn, Fragment

SAID = datetime(2025, 7, 16, 15, 0, tzinfo=UTC)
IVO = ("Ivo", EpisodeRole.USER)
MAYA = ("Maya", EpisodeRole.USER)
PIA = ("Pia", EpisodeRole.USER)
ASSISTANT = (None, EpisodeRole.ASSISTANT)
NAMELESS = (None, EpisodeRole.USER)


async def read(
    offline: OfflineExtractor,
    content: str,
    *before: tuple[str | None, EpisodeRole],
    role: EpisodeRole = EpisodeRole.USER,
) -> Fragment:
    turns = [ContextTurn(role=role, speaker=speaker, content="Well.", occurred_at=SAID) for speaker, role in before]
    episode = Episode(group_id="g", session="s", content=content, occurred_at=SAID, speaker="Maya", role=role)
    return await offline.extract(episode, Context(turns=tuple(turns)))


def told(fragment: Fragment) -> list[str]:
    return [claim.statement for claim in fragment.claims]


@pytest.mark.parametrize(
    ("content", "statement"),
    [
        ("You are my best friend.", "Maya is a friend of Ivo."),
        ("I'm your sister.", "Maya is a sibling of Ivo."),
        ("I saw your sister Anna.", "Anna is a sibling of Ivo."),
        ("Your boss Dana called.", "Ivo reports to Dana."),
        ("Do you still see your cousin Anna?", "Anna is related to Ivo."),
        ("Anna is your sister.", "Anna is a sibling of Ivo."),
        ("You live in Rome now.", "Ivo lives in Rome."),
        ("You work at Acme.", "Ivo works at Acme."),
        ("You’re a nurse, so you know.", "Ivo works as a nurse."),
        ("I live with you.", "Maya lives with Ivo."),
        ("I met you yesterday.", "Maya knows Ivo."),
        ("I broke up with you.", "Maya is no longer together with Ivo."),
        ("Ivo, you are my best friend.", "Maya is a friend of Ivo."),
    ],
)
async def test_you_is_the_one_other_speaker(offline: OfflineExtractor, content: str, statement: str) -> None:
    assert told(await read(offline, content, IVO, MAYA, IVO)) == [statement]


@pytest.mark.parametrize(
    "content",
    [
        # asked
        "You live in Rome, right?",
        "Are you my friend?",
        "You work at Acme?",
        "Did you move to Rome?",
        # denied, possible, wished, guessed, over
        "You are not my friend.",
        "You don't live in Rome.",
        "You might live in Rome.",
        "You would be my friend.",
        "You could work at Acme.",
        "If you live in Rome, call me.",
        "I think you live in Rome.",
        "I wish you lived in Rome.",
        "You lived in Rome.",
        "You used to work at Acme.",
        'He said "you are my friend".',
        # anybody
        "You know Anna, she is late.",
        "You know me.",
        "Thanks for the tip, you really know Oslo.",
        "You love it when it rains.",
        "You get a refund within a week.",
        "You can buy a car in Rome.",
        "Your sister called.",
        "Your car is nice.",
        # somebody else is called by name
        "Tom! I am your sister!",
        "Hi Bruno, you are my best friend.",
    ],
)
async def test_what_is_not_plainly_said_to_them_is_no_claim(offline: OfflineExtractor, content: str) -> None:
    assert told(await read(offline, content, IVO, MAYA, IVO)) == []


@pytest.mark.parametrize(
    "before",
    [
        [],
        [MAYA],
        [IVO, PIA],
        [ASSISTANT],
        [NAMELESS],
        [IVO, ASSISTANT],
        [("Maya", EpisodeRole.ASSISTANT)],
    ],
)
async def test_where_there_is_not_one_other_person_you_is_nobody(
    offline: OfflineExtractor, before: list[tuple[str | None, EpisodeRole]]
) -> None:
    assert told(await read(offline, "I saw your sister Anna.", *before)) == []


@pytest.mark.parametrize(
    ("content", "before"),
    [
        ("Hi Pia, I saw your sister Anna.", []),
        ("Hi Pia! I saw your sister Anna.", [MAYA]),
        ("Hello Pia, I saw your sister Anna.", [IVO, PIA]),
    ],
)
async def test_who_is_called_by_name_is_spoken_to(
    offline: OfflineExtractor, content: str, before: list[tuple[str | None, EpisodeRole]]
) -> None:
    assert "Anna is a sibling of Pia." in told(await read(offline, content, *before))


@pytest.mark.parametrize(
    "content",
    ["Clara, did you know that I saw your sister Anna?", "I told you that your sister Anna called, Clara."],
)
async def test_who_is_called_without_a_greeting_is_spoken_to(offline: OfflineExtractor, content: str) -> None:
    assert told(await read(offline, content)) == ["Anna is a sibling of Clara."]


@pytest.mark.parametrize(
    "content",
    [
        "Thanks, Pia. I saw your sister Anna.",
        "Hi Pia and Tom, I saw your sister Anna.",
        "Hi Pia! Hi Tom! I saw your sister Anna.",
        "I saw your sister Anna with my friend, Pia.",
        "Hi Maya, I saw your sister Anna.",
        "Dear Customer, I saw your sister Anna.",
    ],
)
async def test_who_only_seems_to_be_called_is_not_spoken_to(offline: OfflineExtractor, content: str) -> None:
    assert not [one for one in told(await read(offline, content)) if "sibling" in one]


async def test_what_an_assistant_says_of_its_user_is_no_claim(offline: OfflineExtractor) -> None:
    assert told(await read(offline, "You live in Rome.", MAYA, role=EpisodeRole.ASSISTANT)) == []


async def test_nobody_says_she_of_whom_they_speak_to(offline: OfflineExtractor) -> None:
    assert told(await read(offline, "Hi Pia! She lives in Rome.")) == []


async def test_what_is_said_to_somebody_is_a_fact_about_them(offline: OfflineExtractor) -> None:
    (claim,) = (await read(offline, "You live in Rome now.", IVO)).claims
    assert (claim.kind, claim.category, claim.confidence) == (ClaimKind.STARTS, "identity", 0.7)


def test_only_the_strategy_that_parses_asks_for_earlier_turns(offline: OfflineExtractor) -> None:
    assert 0 < offline.context_turns <= 6
