"""What is read of a text in which not all words are the speaker's: whose claims they make, and which none."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.fragment import Context, ContextTurn, Fragment, ThingName
from graphmem.model.owners import REPORTED, OwnedSpan, Owner, Voice
from tests.models import extractor

SAID = datetime(2025, 5, 20, 10, tzinfo=UTC)


def gold(name: str) -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parents[1] / "gold" / f"{name}.toml").read_text("utf-8"))


MOST_WRONG = 0.02
"""Of texts that say nothing of the speaker the share of which the trained reader may claim something all the same."""
MEANT_ONLY = {"goal", "plans", "wishes", "not", "can"}
STATES = {
    *("lives_in", "address", "works_at", "works_as", "boss", "studies_at", "member_of", "partner", "child", "pet"),
    *("health", "diet", "allergic_to", "medication", "phone", "named"),
}
PASTED: list[str] = [*gold("pasted")["texts"], *gold("elsewhere")["texts"]]


def said(content: str, **others: Any) -> Episode:
    how: dict[str, Any] = {"speaker": "Ines", **others}
    return Episode(group_id="g", session="s", content=content, occurred_at=SAID, **how)


def told(fragment: Fragment) -> set[str]:
    return {
        f"{one.subject.name} {one.predicate} {one.object.name if one.object else one.value}" for one in fragment.claims
    }


@pytest.fixture(scope="module")
def accurate() -> OfflineExtractor:
    return extractor()


async def test_pasted_and_made_up_texts_make_no_claims_of_the_speakers(accurate: OfflineExtractor) -> None:
    fragments = await accurate.extract_each([(said(text), Context()) for text in PASTED])
    wrong = [
        (text, one.statement)
        for text, fragment in zip(PASTED, fragments, strict=True)
        for one in fragment.claims
        if ThingName("Ines", "person") in (one.subject, one.object) and one.predicate != "has"
    ]
    assert len(wrong) <= MOST_WRONG * len(PASTED), wrong


async def test_what_changes_nothing_is_at_most_read_for_what_it_is(accurate: OfflineExtractor) -> None:
    unchanged = gold("unchanged")
    fragments = await accurate.extract_each([(said(text), Context()) for text in unchanged["texts"]])
    wrong = [
        (text, one.statement)
        for text, fragment in zip(unchanged["texts"], fragments, strict=True)
        for one in fragment.claims
        if ThingName("Ines", "person") in (one.subject, one.object)
        and one.kind.asserts
        and one.predicate not in MEANT_ONLY
        and one.statement != unchanged["right"].get(text)
    ]
    assert len(wrong) <= MOST_WRONG * len(unchanged["texts"]), wrong


async def test_words_of_moving_starting_and_ending_that_change_nobodys_life_change_nothing(
    accurate: OfflineExtractor,
) -> None:
    traps = gold("traps")
    fragments = await accurate.extract_each([(said(text), Context()) for text in traps["texts"]])
    read = {
        text: [
            f"{claim.subject.name} {claim.predicate} {claim.object.name if claim.object else claim.value}"
            for claim in fragment.claims
            if claim.predicate in STATES and not claim.open
        ]
        for text, fragment in zip(traps["texts"], fragments, strict=True)
    }
    assert {text: claims for text, claims in read.items() if claims} == traps["right"] | traps["wrong"]


@pytest.mark.parametrize(
    ("content", "claims"),
    [
        ("[03/05/2025, 09:15] Odile: I live in Lyon.\n[03/05/2025, 09:16] Remi: I work at Acme.",
         {"Odile lives_in Lyon", "Remi works_at Acme"}),
        ("Odile: I live in Lyon.\nInes: I live in Porto.", {"Odile lives_in Lyon", "Ines lives_in Porto"}),
        ("I live in Porto.\n\nMum wrote: I am allergic to penicillin.",
         {"Ines lives_in Porto", "Ines's mum allergic_to penicillin"}),
        ("Remi said: “I live in Nantes.”", {"Remi lives_in Nantes"}),
        ("Remi says he works at Acme.", {"Remi works_at Acme"}),
        ("Remi told me that he moved to Oslo.", {"Remi lives_in Oslo"}),
        ("Remi says he lives in Lyon. I live in Oslo.", {"Remi lives_in Lyon", "Ines lives_in Oslo"}),
        ("Remi said he lives in Rome, but that is not true.", set[str]()),
        ("Remi told me he lives in Rome. That's wrong.", set[str]()),
        ("I live in Rome. Just kidding!", set[str]()),
        ("Yeah right, I live in Rome. I live in Oslo.", {"Ines lives_in Oslo"}),
        ("I live in Rome. Not! I live in Oslo.", {"Ines lives_in Oslo"}),
        ("Odile: I live in Lyon, j/k.\nRemi: I live in Nantes.", {"Remi lives_in Nantes"}),
        ("I told you that I live in Rome. It's not true, I live in Oslo.", {"Ines lives_in Oslo"}),
        ("> I live in Rome\nI live in Oslo.", {"Ines lives_in Oslo"}),
        ("Here:\n```\nI live in Rome\n```\nI live in Oslo.", {"Ines lives_in Oslo"}),
        ("Work: I work at Acme.", {"Ines works_at Acme"}),
    ],
)  # fmt: skip
async def test_claims_are_of_those_whose_words_they_are(
    offline: OfflineExtractor, content: str, claims: set[str]
) -> None:
    fragment = await offline.extract(said(content))

    assert told(fragment) == claims
    others = [one for one in fragment.claims if one.subject.name != "Ines"]
    assert all(one.confidence <= REPORTED for one in others)
    assert all(content[one.quote_start : one.quote_end].strip() for one in fragment.claims)


async def test_what_is_reported_of_oneself_is_no_surer_than_a_report(offline: OfflineExtractor) -> None:
    (claim,) = (await offline.extract(said("I told Remi that I live in Rome."))).claims
    assert (claim.object, claim.confidence) == (ThingName("Rome", "place"), REPORTED)


async def test_names_that_nobody_claims_anything_of_are_still_mentioned(offline: OfflineExtractor) -> None:
    fragment = await offline.extract(said("Translate this: I met Greta Lind in Oslo.\n[9:15] Remi: hi"))
    assert {"Greta Lind", "Oslo", "Remi"} <= {one.entity.name for one in fragment.mentions}


async def test_a_fragment_says_whose_which_words_are(offline: OfflineExtractor) -> None:
    content = "Odile: I live in Lyon."
    assert (await offline.extract(said(content))).owned == (
        OwnedSpan(0, 6, Owner(Voice.NOBODY), "head"),
        OwnedSpan(6, len(content), Owner(Voice.NAMED, "Odile"), "transcript"),
    )


async def test_a_trace_has_the_clauses_of_all_owners_in_their_places(accurate: OfflineExtractor) -> None:
    content = "I repaired my bike. Remi says he painted the fence."
    clauses = (await accurate.trace(said(content))).clauses

    assert [(content[each.start : each.end], each.dropped) for each in clauses if each.status] == [
        ("I repaired my bike", ""),
        ("he painted the fence", ""),
    ]


NOTES = {
    "The user prefers dark mode.": {"Zoe prefers dark mode"},
    "User is vegetarian.": {"Zoe diet vegetarian"},
    "user's birthday is 4 May": {"Zoe birthday 4 May"},
    "The user's name is Zoe Lind.": {"Zoe named Zoe Lind"},
    "- prefers dark mode\n- works at Acme": {"Zoe prefers dark mode", "Zoe works_at Acme"},
    "Location: Lyon": {"Zoe lives_in Lyon"},
    "- Employer until 4 Oct 2025: Acme\n- husband: Tom": {"Zoe works_at Acme", "Zoe partner Tom"},
    "Noted: the user lives in Lyon. She works at Acme.": {"Zoe lives_in Lyon", "Zoe works_at Acme"},
    "The user's sister Anna lives in Oslo.": {"Zoe sibling Anna", "Anna lives_in Oslo"},
    "The user no longer works at Acme.": {"Zoe works_at Acme"},
    "When the user clicks save, the user lives in Rome.": set[str](),
    "I think the user lives in Rome.": set[str](),
    "Features:\n- works at scale\n- prefers SSDs": set[str](),
    "You could tell the user that it works at noon.": set[str](),
}


async def test_notes_are_about_the_user(offline: OfflineExtractor, subtests: pytest.Subtests) -> None:
    for content, claims in NOTES.items():
        with subtests.test(content):
            note = said(content, role=EpisodeRole.ASSISTANT, speaker=None, user="Zoe")
            fragment = await offline.extract(note)
            assert told(fragment) == claims
            assert all(content[one.quote_start : one.quote_end].strip() for one in fragment.claims)


async def test_a_note_is_about_the_subject_of_its_session_or_who_alone_speaks_in_it(offline: OfflineExtractor) -> None:
    note = said("The user prefers dark mode.", role=EpisodeRole.ASSISTANT, speaker=None)
    turns = tuple(
        ContextTurn(role=EpisodeRole.USER, speaker=name, content="Hi", occurred_at=SAID) for name in ("Bo", "Al")
    )

    assert told(await offline.extract(note)) == set()
    assert told(await offline.extract(note, Context(turns=turns))) == set()
    assert told(await offline.extract(note, Context(turns=turns[:1]))) == {"Bo prefers dark mode"}
    subject = said(note.content, role=EpisodeRole.ASSISTANT, speaker=None, subject="Zoe")
    assert told(await offline.extract(subject)) == {"Zoe prefers dark mode"}


@pytest.mark.parametrize(
    ("content", "claims"),
    [
        ("The user prefers dark mode", {"Ines prefers dark mode"}),
        ("Name: Ines\nCity: Lyon\nI work at Acme.", {"Ines lives_in Lyon", "Ines works_at Acme"}),
        ("Name: Heike Brandis\nCompany: Acme", {"Heike Brandis works_at Acme"}),
        ("The user clicks save and I work at Acme.", {"Ines works_at Acme"}),
    ],
)
async def test_a_user_writes_notes_too(offline: OfflineExtractor, content: str, claims: set[str]) -> None:
    assert told(await offline.extract(said(content))) == claims


async def test_who_says_their_name_is_not_said_to_be_it(offline: OfflineExtractor) -> None:
    fragment = await offline.extract(said("I'm Petra. I live in Hull.", speaker="Petra"))

    assert told(fragment) == {"Petra lives_in Hull"}
