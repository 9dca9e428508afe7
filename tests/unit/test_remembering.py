"""What an episode says beside its text: the name that a user's turn carries, and that it is to be remembered."""

from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem.extract.speakers import NOBODY_SPEAKS
from graphmem.model.claim import Category
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.fragment import Fragment
from graphmem.resolve.remembering import LONGEST_REMEMBERED, OF_NOBODY, TOO_LONG, category_by_wording
from graphmem.write.changes import evidence_of
from tests.episodes import stored

AT = datetime(2025, 5, 3, 10, tzinfo=UTC)
NOTHING = Fragment(mentions=(), claims=(), extractor="scripted", version="1")
WORDINGS = {
    Category.INSTRUCTION: (
        "Always answer in French",
        "Please don't use tables.",
        "From now on, metric units only.",
        "Short replies. Never apologise.",
        "The reviewer wants you to quote sources",
    ),
    Category.CONSTRAINT: (
        "Severely allergic to shellfish",
        "I can’t take calls before ten",
        "The budget is 900 a month",
        "She never eats pork",
        "Lactose intolerance, mild",
    ),
    Category.PREFERENCE: (
        "Aisle seats preferred",
        "Prefers dark mode",
        "Fond of brutalist buildings",
        "Tea rather than coffee",
    ),
    Category.IDENTITY: ("Pronouns: they/them", "Time zone is Lisbon", "Goes to nobody but is called Mo"),
    Category.OCCUPATION: ("Freelance illustrator", "Runs a company of four"),
    Category.RELATIONSHIP: ("Two kids, Ada and Max", "The boss is Greta"),
    Category.GOAL: ("Saving for a kiln", "Planning to run a marathon"),
    Category.COMMITMENT: ("Promised Ana a lift", "Dentist appointment in June"),
    Category.HABIT: ("Swims on Tuesdays", "Usually up at five"),
    Category.HOBBY: ("Collects stamps", "Gardening, mostly roses"),
    Category.PERSONALITY: ("Rather shy at first", "A perfectionist"),
    Category.MILESTONE: ("Graduated in 2019", "Won a bronze medal"),
    Category.OTHER: ("Turquoise", "Seven spare keys in the shed", "Lovely weatherproof mustard"),
}


def test_a_remembered_sentence_has_the_category_of_its_wording(subtests: pytest.Subtests) -> None:
    for category, sentences in WORDINGS.items():
        for sentence in sentences:
            with subtests.test(sentence=sentence):
                assert category_by_wording(sentence) is category


def said(content: str = "Turquoise.", **fields: Any) -> Episode:
    return Episode(group_id="g", session="s", content=content, occurred_at=AT, **fields)


def test_what_is_claimed_beside_the_text(subtests: pytest.Subtests) -> None:
    named, kept = ("display_name", "Zoe"), ("remembered", "Turquoise.")
    table: list[tuple[dict[str, Any], list[tuple[str, object]], str]] = [
        ({"user": "u1"}, [], ""),
        ({"user": "u1", "speaker": " Zoe "}, [named], ""),
        ({"speaker": "Zoe"}, [], ""),
        ({}, [], NOBODY_SPEAKS),
        ({"user": "u1", "speaker": "Zoe", "role": EpisodeRole.PARTICIPANT}, [], ""),
        ({"user": "u1", "speaker": "Zoe", "role": EpisodeRole.ASSISTANT}, [], ""),
        ({"user": "u1", "remember": True}, [kept], ""),
        ({"user": "u1", "remember": True, "content": " Turquoise.\n"}, [kept], ""),
        ({"user": "u1", "remember": True, "content": "x" * (LONGEST_REMEMBERED + 1)}, [], TOO_LONG),
        ({"user": "u1", "speaker": "Zoe", "remember": True}, [named, kept], ""),
        ({"remember": True}, [], OF_NOBODY),
    ]
    for fields, expected, missing in table:
        with subtests.test(fields=fields):
            found = evidence_of(stored(said(**fields)), NOTHING)
            assert sorted((claim.predicate, claim.value) for claim in found.claims) == expected
            assert found.remarks == ((missing,) if missing else ())


def test_asking_for_it_to_be_remembered_makes_an_episode_of_its_own() -> None:
    assert len({said().id, said(remember=True).id}) == 2
