"""A fake server of Anthropic's Messages API, for the real SDK to call.

It checks each request against the documented shape, answers from a table by the text of the turn, and fails on
request.
https://docs.anthropic.com/en/api/messages
"""

import asyncio
import json
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from anthropic.types import MessageCreateParams
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from pydantic import SecretStr, TypeAdapter, ValidationError

from graphmem.extract.llm.extractor import LanguageModelExtractor
from graphmem.extract.llm.models import Chain
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.fragment import Extractor
from graphmem.model.ontology import DEFAULT_ONTOLOGY
from graphmem.settings.extraction import PriceSettings, ProviderSettings, StepSettings
from graphmem.settings.strategies import Composition
from tests.listening import listening

KEY = "wire-key"
Answer = Mapping[str, Any]
EMPTY: Answer = {"entities": [], "claims": [], "facts": []}


def in_lisbon(quote: str, **times: str) -> Answer:
    """The form filled in by Maya living in Lisbon, as quoted; ``valid_from`` and ``valid_to`` where it says them."""
    claim = {
        "turn": 0,
        "subject": "I",
        "predicate": "lives_in",
        "object": "Lisbon",
        "statement": "Maya lives in Lisbon.",
        "confidence": 0.9,
        "quote": quote,
    }
    entities = [{"name": "Lisbon", "type": "place", "confidence": "high"}]
    return {"entities": entities, "claims": [{**claim, **times}], "facts": []}


def in_short(document: Mapping[str, Any]) -> Answer:
    """The form of a summary filled in by one sentence that cites everything."""
    parts = ("turns", "beliefs", "summaries", "statements")
    numbers = [one["number"] for part in parts for one in document.get(part, ())]
    return {"sentences": [{"text": f"In short, {len(numbers)} things.", "cites": numbers}]}


_REQUEST: TypeAdapter[Any] = TypeAdapter(MessageCreateParams)


class Fault(StrEnum):
    """What goes wrong with one call."""

    RATE_LIMIT = "rate_limit"
    SERVER_ERROR = "server_error"
    OVERLOADED = "overloaded"
    SLOW = "slow"
    TRUNCATED = "truncated"
    MALFORMED = "malformed"
    NO_TOOL = "no_tool"
    NO_JSON = "no_json"
    REFUSAL = "refusal"
    BAD_KEY = "bad_key"
    TOO_LONG = "too_long"


_TOO_LONG = "prompt is too long: 208310 tokens > 200000 maximum"
_STATUS = {
    Fault.RATE_LIMIT: (429, "rate_limit_error"),
    Fault.SERVER_ERROR: (500, "api_error"),
    Fault.OVERLOADED: (529, "overloaded_error"),
    Fault.BAD_KEY: (401, "authentication_error"),
    Fault.TOO_LONG: (400, "invalid_request_error"),
}


def _set() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


@dataclass
class FakeProvider:
    """What the server is to do, and what it was asked. ``latency`` and ``slow`` are seconds.

    While it is not ``open``, nobody gets an answer.
    """

    url: str = ""
    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])
    verdicts: dict[frozenset[str], str] = field(default_factory=dict[frozenset[str], str])
    sums_up: Callable[[Mapping[str, Any]], Answer] = in_short
    faults: list[Fault] = field(default_factory=list[Fault])
    latency: float = 0.0
    slow: float = 2.5
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    open: threading.Event = field(default_factory=_set)
    at_once: int = 0
    most_at_once: int = 0

    async def asked_at_once(self, calls: int) -> None:
        """Return once so many wait for an answer, and give more of them time to come."""
        async with asyncio.timeout(30):
            while self.at_once < calls:  # noqa: ASYNC110 - counted in the server's thread
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)

    def documents(self) -> list[dict[str, Any]]:
        """The user messages that came, parsed."""
        return [_document(request) for request in self.requests]


IDENTIFIERS = OfflineExtractor("identifiers", Composition(providers=("regex",)))
"""What the packaged strategy asks beside a model."""
OPEN: list[LanguageModelExtractor] = []
"""Readers that are closed after the test."""


def closed_later(reader: LanguageModelExtractor) -> LanguageModelExtractor:
    OPEN.append(reader)
    return reader


def model_extractor(
    provider: FakeProvider,
    step: StepSettings,
    offline: Extractor,
    *,
    key: str = KEY,
    prices: Mapping[str, PriceSettings] | None = None,
    seconds: float = 90.0,
) -> LanguageModelExtractor:
    """An extractor that asks this server; to be closed."""
    providers = {"anthropic": ProviderSettings(api_key=SecretStr(key), base_url=provider.url)}
    return LanguageModelExtractor(
        Chain(step, providers, prices or {}), offline, step, DEFAULT_ONTOLOGY, seconds=seconds, beside=IDENTIFIERS
    )


def fake_anthropic() -> AbstractContextManager[FakeProvider]:
    """A server on a free port of loopback, in a thread of its own."""
    return serving(_app)


@contextmanager
def serving(app_of: Callable[[FakeProvider], FastAPI]) -> Generator[FakeProvider]:
    """The same with another wire format."""
    provider = FakeProvider()
    with listening(app_of(provider)) as provider.url:
        yield provider


def _app(provider: FakeProvider) -> FastAPI:
    app = FastAPI()

    async def messages(request: Request) -> Response:
        body: dict[str, Any] = await request.json()
        provider.requests.append(body)
        if (problem := _problem(request, body)) is not None:
            return _failure(400, "invalid_request_error", problem)
        provider.at_once += 1
        provider.most_at_once = max(provider.most_at_once, provider.at_once)
        try:
            await asyncio.sleep(provider.latency)
            await asyncio.to_thread(provider.open.wait)
            return await _answer(provider, body)
        finally:
            provider.at_once -= 1

    app.add_api_route("/v1/messages", messages, methods=["POST"])
    return app


def _problem(request: Request, body: dict[str, Any]) -> str | None:
    """What is wrong with a request, by the documentation."""
    try:
        _REQUEST.validate_python(body)
    except ValidationError as error:
        return str(error)
    tools = {tool["name"] for tool in body.get("tools", [])}
    problems = {
        "no key": f"Bearer {KEY}" != request.headers.get("authorization"),
        "no version": "anthropic-version" not in request.headers,
        "unknown tool": body["tool_choice"].get("name") not in tools,
        "turns must alternate, from the user on": [m["role"] for m in body["messages"]]
        != ["user", "assistant"] * (len(body["messages"]) // 2) + ["user"],
        "schema": any(tool["input_schema"].get("type") != "object" for tool in body["tools"]),
    }
    return next((problem for problem, wrong in problems.items() if wrong), None)


async def _answer(provider: FakeProvider, body: dict[str, Any]) -> Response:
    fault = provider.faults.pop(0) if provider.faults else None
    if fault is not None and fault in _STATUS:
        status, kind = _STATUS[fault]
        message = _TOO_LONG if fault is Fault.TOO_LONG else "as told"
        return _failure(status, kind, message, {"retry-after": "0"} if fault is Fault.RATE_LIMIT else {})
    if fault is Fault.SLOW:
        await asyncio.sleep(provider.slow)
    if fault is Fault.NO_JSON:
        return Response("<html>", media_type="application/json")
    document = _document(body)
    filled: object = _answered(provider, document)
    if fault is Fault.MALFORMED:
        filled = {"entities": "none", "claims": [{"turn": "first"}]}
    tool = {
        "type": "tool_use",
        "id": f"toolu_{len(provider.requests)}",
        "name": body["tools"][0]["name"],
        "input": filled,
    }
    content: list[object] = [tool]
    if fault in (Fault.NO_TOOL, Fault.REFUSAL):
        content = [{"type": "text", "text": "There is nothing."}] if fault is Fault.NO_TOOL else []
    stop = {Fault.TRUNCATED: "max_tokens", Fault.REFUSAL: "refusal", Fault.NO_TOOL: "end_turn"}
    return JSONResponse(
        {
            "id": f"msg_{len(provider.requests)}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": content,
            "stop_reason": stop.get(fault, "tool_use") if fault else "tool_use",
            "stop_sequence": None,
            "usage": {
                "input_tokens": 100,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 900,
                "output_tokens": 50,
            },
        }
    )


def _answered(provider: FakeProvider, document: Mapping[str, Any]) -> Answer:
    if "pairs" in document:
        return _compared(provider, document["pairs"])
    return provider.sums_up(document) if "most_words" in document else _filled_in(provider, document["turns"])


def _compared(provider: FakeProvider, pairs: Sequence[Mapping[str, Any]]) -> Answer:
    """The verdicts on pairs that are known by their names; nothing of others."""
    names = {pair["pair"]: frozenset({pair["first"]["name"], pair["second"]["name"]}) for pair in pairs}
    said = {number: provider.verdicts[both] for number, both in names.items() if both in provider.verdicts}
    return {"verdicts": [{"pair": number, "verdict": one, "reason": "as told"} for number, one in said.items()]}


def _filled_in(provider: FakeProvider, turns: Sequence[Mapping[str, Any]]) -> Answer:
    """The answers to all turns in one form, each numbered as its turn is."""
    answers = [(turn["turn"], provider.answers.get(turn["text"], EMPTY)) for turn in turns]
    numbered = {
        key: [{**one, "turn": number} for number, answer in answers for one in answer[key]]
        for key in ("claims", "facts")
    }
    return {"entities": [one for _, answer in answers for one in answer["entities"]], **numbered}


def _failure(status: int, kind: str, message: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    body = {"type": "error", "error": {"type": kind, "message": message}}
    return JSONResponse(body, status, headers=dict(headers or {}))


def _document(body: dict[str, Any]) -> dict[str, Any]:
    content = body["messages"][0]["content"]
    return json.loads(content if isinstance(content, str) else content[0]["text"])
