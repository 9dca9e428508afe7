"""A language model is told whose which words are, and what it gives is held against that; over HTTP."""

from collections.abc import Generator
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem.extract.llm.extractor import LanguageModelExtractor
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.fragment import ThingName
from graphmem.model.owners import REPORTED
from graphmem.settings.extraction import StepSettings
from tests.fake_anthropic import FakeProvider, closed_later, fake_anthropic, in_lisbon, model_extractor
from tests.fakes import ScriptedExtractor

QUOTE = "I live in Lisbon"


@pytest.fixture(scope="module")
def running() -> Generator[FakeProvider]:
    with fake_anthropic() as provider:
        yield provider


def reader(provider: FakeProvider, text: str, *roles: EpisodeRole) -> LanguageModelExtractor:
    fresh = FakeProvider(url=provider.url, answers={text: in_lisbon(QUOTE)})
    provider.__dict__.update(fresh.__dict__)
    step = StepSettings(models=("anthropic/claude-haiku-4-5",), claims_from=roles or (EpisodeRole.USER,))
    return closed_later(model_extractor(provider, step, ScriptedExtractor()))


def said(text: str, **others: Any) -> Episode:
    at = datetime(2025, 3, 1, tzinfo=UTC)
    how: dict[str, Any] = {"speaker": "Maya", **others}
    return Episode(group_id="g", session="s", content=text, occurred_at=at, **how)


@pytest.mark.parametrize(
    ("text", "owners", "subject", "most"),
    [
        ("I live in Lisbon.", None, "Maya", 0.9),
        ("Tom: I live in Lisbon.", ["nobody", "Tom"], "Tom", REPORTED),
        ("“I live in Lisbon.” It's from a song.", ["nobody"], None, 0),
        ("“I live in Lisbon.” I live in Lisbon.", ["nobody"], "Maya", 0.9),
        ("Translate this: I live in Lisbon.", ["nobody"], None, 0),
    ],
)
async def test_claims_are_of_those_whose_words_are_quoted(
    running: FakeProvider, text: str, owners: list[str] | None, subject: str | None, most: float
) -> None:
    fragment = await reader(running, text).extract(said(text))

    (turn,) = running.documents()[0]["turns"]
    assert ([one["owner"] for one in turn["owners"]] if "owners" in turn else None) == owners
    expected = [] if subject is None else [(ThingName(subject, "person"), most)]
    assert [(claim.subject, claim.confidence) for claim in fragment.claims] == expected
    assert "".join(text[span.start : span.end] for span in fragment.owned) == text


async def test_a_note_is_read_as_its_user_would_say_it(running: FakeProvider) -> None:
    note = "The user lives in Lisbon."
    extractor = reader(running, note, EpisodeRole.TOOL)
    running.answers[note] = in_lisbon("The user lives in Lisbon")
    fragment = await extractor.extract(said(note, role=EpisodeRole.TOOL, speaker=None, user="zoe"))

    assert running.documents()[0]["turns"][0]["speaker"] == "zoe"
    assert [claim.subject for claim in fragment.claims] == [ThingName("zoe", "person", "user:zoe")]
