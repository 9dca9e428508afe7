"""Models named ``openai/…``: OpenAI's own, and servers of one's own that speak its format."""

from collections.abc import Generator
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import SecretStr

from graphmem.errors import ConfigurationError, UnusableAnswer
from graphmem.extract.llm.extractor import LanguageModelExtractor
from graphmem.extract.llm.models import Chain
from graphmem.model.episode import Episode
from graphmem.model.ontology import DEFAULT_ONTOLOGY
from graphmem.settings.extraction import OpenAISettings, PriceSettings, StepSettings
from tests.fake_anthropic import KEY, FakeProvider, Fault, closed_later, in_lisbon
from tests.fake_openai import fake_openai
from tests.fakes import ScriptedExtractor

MODEL = "openai/gpt-5-mini"
TEXT = "I live in Lisbon."
PRICES = {MODEL: PriceSettings(input=1, cached=0.1, output=5)}


@pytest.fixture
def provider() -> Generator[FakeProvider]:
    with fake_openai() as running:
        running.answers = {TEXT: in_lisbon("I live in Lisbon")}
        yield running


def reader(url: str | None, mode: str = "tools", *, key: str = KEY, **step: Any) -> LanguageModelExtractor:
    settings = StepSettings(models=(MODEL,), backoff_seconds=0.01, timeout=5.0, **step)
    provider = OpenAISettings.model_validate({"api_key": SecretStr(key), "base_url": url, "mode": mode})
    chain = Chain(settings, {"openai": provider}, PRICES)
    return closed_later(LanguageModelExtractor(chain, ScriptedExtractor(), settings, DEFAULT_ONTOLOGY))


def turn(text: str = TEXT) -> Episode:
    at = datetime(2025, 3, 1, tzinfo=UTC)
    return Episode(group_id="g", session="s", content=text, occurred_at=at, speaker="Maya")


@pytest.mark.parametrize("mode", ["tools", "json_schema"])
async def test_the_form_is_filled_in_and_what_it_took_is_counted(provider: FakeProvider, mode: str) -> None:
    fragment = await reader(provider.url, mode).extract(turn())

    assert [claim.predicate for claim in fragment.claims] == ["lives_in"]
    usage = fragment.usage
    assert usage is not None
    assert (usage.calls, usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (1, 100, 900, 50)
    assert usage.cost == pytest.approx((100 * 1 + 900 * 0.1 + 50 * 5) / 1e6)


async def test_a_tool_is_asked_for_or_a_schema(provider: FakeProvider) -> None:
    await reader(provider.url, "tools").extract(turn())
    await reader(provider.url, "json_schema").extract(turn())

    by_tool, by_schema = provider.requests
    assert by_tool["tool_choice"]["function"]["name"] == by_tool["tools"][0]["function"]["name"]
    assert "claims" in by_schema["response_format"]["json_schema"]["schema"]["properties"]
    assert "tools" not in by_schema
    assert ['"claims"' in asked["messages"][0]["content"] for asked in (by_tool, by_schema)] == [False, True]


async def test_the_limit_of_tokens_has_the_name_that_the_server_knows(
    provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", provider.url)  # stands for OpenAI itself, which refuses max_tokens by now

    await reader(provider.url, max_tokens=777).extract(turn())
    await reader(None, max_tokens=777).extract(turn())

    of_ones_own, openai = provider.requests
    assert (of_ones_own["max_tokens"], "max_completion_tokens" in of_ones_own) == (777, False)
    assert (openai["max_completion_tokens"], "max_tokens" in openai) == (777, False)


@pytest.mark.parametrize(
    ("faults", "calls", "reason"),
    [
        ([Fault.TRUNCATED], 1, "ran into its limit of 4096 tokens"),
        ([Fault.REFUSAL], 1, "refused to read this"),
        ([Fault.TOO_LONG], 1, "cannot take a text of this length"),
        ([Fault.MALFORMED] * 3, 3, "did not fill in the form in 3 answers"),
    ],
    ids=str,
)
@pytest.mark.parametrize("mode", ["tools", "json_schema"])
async def test_what_goes_wrong_is_said(
    provider: FakeProvider, mode: str, faults: list[Fault], calls: int, reason: str
) -> None:
    provider.faults = list(faults)

    with pytest.raises(UnusableAnswer, match=reason):
        await reader(provider.url, mode, fallback="fail").extract(turn())

    assert len(provider.requests) == calls


async def test_a_refused_key_is_an_error_of_the_configuration(provider: FakeProvider) -> None:
    with pytest.raises(ConfigurationError, match="401"):
        await reader(provider.url, key="another").extract(turn())
