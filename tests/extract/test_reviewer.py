"""Pairs shown to a language model, by the real SDK, to a fake provider that answers over HTTP."""

from collections.abc import AsyncGenerator, Generator

import pytest
from pydantic import SecretStr

from graphmem.errors import ConfigurationError, ModelUnavailable
from graphmem.extract.llm.models import Chain
from graphmem.extract.llm.reviewer import LanguageModelReviewer
from graphmem.extract.providers import Extractors
from graphmem.model.matching import MatchProfile, Says
from graphmem.settings import Settings
from graphmem.settings.extraction import ProviderSettings, StepSettings
from graphmem.settings.matching import MatchingTable
from tests.fake_anthropic import KEY, FakeProvider, Fault, fake_anthropic
from tests.profiles import profile

MODEL = "anthropic/claude-haiku-4-5"
TOM, THOMAS, TAMARA = (profile(f"{name} Okafor", likes="tea") for name in ("Tom", "Thomas", "Tamara"))
PAIRS: list[tuple[MatchProfile, MatchProfile]] = [(THOMAS, TOM), (TAMARA, TOM), (TAMARA, THOMAS)]


@pytest.fixture(scope="module")
def running() -> Generator[FakeProvider]:
    with fake_anthropic() as provider:
        yield provider


@pytest.fixture
def provider(running: FakeProvider) -> FakeProvider:
    verdicts = {frozenset({TOM.name, THOMAS.name}): "same", frozenset({TAMARA.name, TOM.name}): "different"}
    running.__dict__.update(FakeProvider(url=running.url, verdicts=verdicts).__dict__)
    return running


@pytest.fixture
async def reviewer(provider: FakeProvider) -> AsyncGenerator[LanguageModelReviewer]:
    step = StepSettings(models=(MODEL,), backoff_seconds=0.01, timeout=2.0, attempts=2, reasks=0)
    providers = {"anthropic": ProviderSettings(api_key=SecretStr(KEY), base_url=provider.url)}
    made = LanguageModelReviewer(Chain(step, providers, {}))
    yield made
    await made.aclose()


async def test_a_batch_takes_one_call_and_what_is_not_answered_is_unsure(
    provider: FakeProvider, reviewer: LanguageModelReviewer
) -> None:
    answers = await reviewer.review(PAIRS)

    assert [one.says for one in answers] == [Says.SAME, Says.DIFFERENT, Says.UNSURE]
    assert {one.model for one in answers} == {MODEL}
    (document,) = provider.documents()
    first = {
        "type": "person",
        "name": "Thomas Okafor",
        "names": ["Thomas Okafor"],
        "id": "",
        "said": {"likes": ["tea"]},
    }
    assert document["pairs"][0]["first"] == first
    assert len(document["pairs"]) == 3


async def test_what_gets_no_answer_of_use_is_asked_about_in_halves(
    provider: FakeProvider, reviewer: LanguageModelReviewer
) -> None:
    provider.faults = [Fault.MALFORMED, Fault.MALFORMED]

    answers = await reviewer.review(PAIRS)

    assert [one.says for one in answers] == [Says.UNSURE, Says.DIFFERENT, Says.UNSURE]
    assert [len(document["pairs"]) for document in provider.documents()] == [3, 1, 2]


async def test_a_model_that_is_away_is_said_so(provider: FakeProvider, reviewer: LanguageModelReviewer) -> None:
    provider.faults = [Fault.SERVER_ERROR] * 2
    with pytest.raises(ModelUnavailable):
        await reviewer.review(PAIRS)


def test_reviews_are_off_by_default_and_need_a_key() -> None:
    assert Extractors(Settings()).reviewer is None
    with pytest.raises(ConfigurationError, match=r"matching\.model_reviews is on.*Set ANTHROPIC_API_KEY"):
        Extractors(Settings(matching=MatchingTable(model_reviews=True)))
    keyed = Settings(matching=MatchingTable(model_reviews=True), anthropic=ProviderSettings(api_key=SecretStr(KEY)))
    assert Extractors(keyed).reviewer is not None
