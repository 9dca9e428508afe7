"""How a context writes what is known, and whom it takes to be named."""

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.model.belief import BeliefRow
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.interval import BEGIN, END
from graphmem.retrieve.lines import belief_line, profile_line, turn_line
from graphmem.retrieve.question import named_in, proper_runs
from tests.episodes import stored

MAY = datetime(2025, 5, 3, 10, 30, tzinfo=UTC)


def belief(**changes: object) -> BeliefRow:
    fields: dict[str, object] = {
        "id": "r",
        "belief_id": "b",
        "kind": "fact",
        "subject_id": "s",
        "predicate": "likes",
        "object_id": None,
        "value": "tea",
        "target": "t",
        "user": "",
        "statement": "Maya likes tea.",
        "attributes": "{}",
        "category": "",
        "confidence": 1.0,
        "importance": 0.5,
        "contested": False,
        "from_stated": True,
        "to_stated": False,
        "valid_from": MAY,
        "valid_to": END,
        "recorded_at": MAY,
        "superseded_at": END,
        "open": False,
        "day": "",
        "event_to": None,
    }
    return BeliefRow(**{**fields, **changes})  # pyright: ignore[reportArgumentType] -- fields of any type


@pytest.mark.parametrize(
    ("changes", "remarks"),
    [
        ({}, " (since 2025-05-03)"),
        ({"from_stated": False}, " (said 2025-05-03)"),
        ({"valid_to": MAY + timedelta(days=30)}, " (since 2025-05-03, until 2025-06-02)"),
        ({"valid_from": BEGIN}, ""),
        ({"valid_from": BEGIN, "valid_to": MAY}, " (until 2025-05-03)"),
        ({"contested": True}, " (contested, since 2025-05-03)"),
        ({"open": True, "from_stated": False}, " (open, said 2025-05-03)"),
        ({"open": True, "predicate": "plans", "from_stated": False}, " (open, planned, said 2025-05-03)"),
        ({"day": "2025-05-03", "event_to": MAY + timedelta(hours=2)}, " (on 2025-05-03)"),
        ({"day": "2025-05-03", "event_to": MAY + timedelta(days=7)}, " (between 2025-05-03 and 2025-05-10)"),
    ],
)
def test_a_belief_is_written_with_how_it_is_known_and_when(changes: dict[str, object], remarks: str) -> None:
    assert belief_line(belief(**changes)) == f'"Maya likes tea."{remarks}'


def test_a_plan_is_written_with_what_was_done_of_it_later() -> None:
    plan = belief(open=True, predicate="plans", statement="Maya plans to see Oslo.", from_stated=False)
    deed = belief(open=True, statement="Maya saw Oslo.", day="2025-06-01", event_to=MAY, valid_from=MAY - timedelta(1))
    assert belief_line(plan, [deed]) == (
        '"Maya plans to see Oslo." (open, planned, said 2025-05-03), '
        'later: "Maya saw Oslo." (open, between 2025-05-02 and 2025-05-03)'
    )


def test_a_belief_of_a_profile_has_its_category_and_whose_it_is() -> None:
    assert profile_line(belief(category="preference")) == '"Maya likes tea." [preference] (shared), since 2025-05-03'
    assert profile_line(belief(user="ann", valid_from=BEGIN)) == '"Maya likes tea." (personal)'


@pytest.mark.parametrize(
    ("speaker", "role", "who"),
    [
        ("Maya", EpisodeRole.USER, "Maya"),
        (None, EpisodeRole.USER, "user"),
        (None, EpisodeRole.ASSISTANT, "assistant"),
        ("Maya", EpisodeRole.TOOL, "Maya (tool)"),
        ("## Maya", EpisodeRole.USER, '"\\u0023\\u0023 Maya"'),
    ],
)
def test_a_turn_is_written_with_when_it_was_said_and_who_said_it(
    speaker: str | None, role: EpisodeRole, who: str
) -> None:
    said = Episode(group_id="g", session="s", content='"Hi"\nall', occurred_at=MAY, speaker=speaker, role=role)
    assert turn_line(stored(said)) == f'2025-05-03 10:30, {who}: "\\"Hi\\"\\nall"'


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What does Maya Silva like?", ["maya silva"]),
        ("What does Maya like, and Will?", ["maya", "will"]),
        ("will it rain on Maya’s house?", ["maya"]),
        ("where does maya live?", ["maya"]),
        ("will it rain on maya silva?", ["maya silva"]),
        ("Silva, Maya", ["silva", "maya"]),
        ("Who is Maya\nSilva?", ["maya", "silva"]),
        ("", []),
    ],
)
def test_names_are_runs_of_words_the_longest_first(text: str, names: list[str]) -> None:
    assert named_in(proper_runs(text), {"maya", "silva", "maya silva", "will"}) == names
