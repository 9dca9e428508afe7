"""The server of ``tests.fake_anthropic`` in the format of OpenAI's chat completions.

https://platform.openai.com/docs/api-reference/chat/create
"""

import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from openai.types.chat import CompletionCreateParams
from pydantic import TypeAdapter

from tests.fake_anthropic import EMPTY, KEY, FakeProvider, Fault, serving

_REQUEST: TypeAdapter[Any] = TypeAdapter(CompletionCreateParams)
_USAGE = {
    "prompt_tokens": 1000,
    "completion_tokens": 50,
    "total_tokens": 1050,
    "prompt_tokens_details": {"cached_tokens": 900},
}
_FINISH = {Fault.TRUNCATED: "length", Fault.REFUSAL: "content_filter"}


@contextmanager
def fake_openai() -> Generator[FakeProvider]:
    """A server on a free port of loopback. Of faults it knows TRUNCATED, REFUSAL, MALFORMED and TOO_LONG."""
    with serving(_app) as provider:
        provider.url += "/v1"
        yield provider


def _app(provider: FakeProvider) -> FastAPI:
    app = FastAPI()

    async def completions(request: Request) -> Response:
        body: dict[str, Any] = await request.json()
        provider.requests.append(body)
        _REQUEST.validate_python(body)
        if request.headers.get("authorization") != f"Bearer {KEY}":
            return _failure(401, "invalid_api_key")
        fault = provider.faults.pop(0) if provider.faults else None
        return _failure(400, "context_length_exceeded") if fault is Fault.TOO_LONG else _answer(provider, body, fault)

    app.add_api_route("/v1/chat/completions", completions, methods=["POST"])
    return app


def _answer(provider: FakeProvider, body: dict[str, Any], fault: Fault | None) -> Response:
    said = json.loads(body["messages"][1]["content"])["turns"][0]["text"]
    filled: object = {"entities": "none"} if fault is Fault.MALFORMED else provider.answers.get(said, EMPTY)
    message: dict[str, Any] = {"role": "assistant", "content": None}
    if fault is Fault.REFUSAL:
        message["refusal"] = "I cannot help with that."
    elif "tools" in body:
        function = {"name": body["tools"][0]["function"]["name"], "arguments": json.dumps(filled)}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
    else:
        message["content"] = json.dumps(filled)
    finish = _FINISH.get(fault, "stop") if fault else "stop"
    return JSONResponse(
        {
            "id": f"chatcmpl-{len(provider.requests)}",
            "object": "chat.completion",
            "created": 1741000000,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
            "usage": _USAGE,
        }
    )


def _failure(status: int, code: str) -> JSONResponse:
    error = {"message": "as told", "type": "invalid_request_error", "param": None, "code": code}
    return JSONResponse({"error": error}, status)
