"""A server that speaks OpenAI's format of embeddings, for the embedder to call over real HTTP.

It checks each request against the documented shape, gives each text a vector of its own, and fails on request.
https://platform.openai.com/docs/api-reference/embeddings
"""

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from openai.types import CreateEmbeddingResponse, EmbeddingCreateParams
from pydantic import TypeAdapter

from tests.fakes import unit

KEY = "wire-key"
POISON = "poison"
"""A text that holds it is refused."""
WHOLE = 1536
"""Dimensions where none are asked for."""
_REQUEST: TypeAdapter[Any] = TypeAdapter(EmbeddingCreateParams)


@dataclass
class FakeEmbeddings:
    """What the server is to do, and what it was asked.

    It answers the next calls with the statuses of ``faults``, then all with ``status`` if that is no 200. ``seconds``
    is how long each answer takes.
    """

    url: str = ""
    faults: list[int] = field(default_factory=list[int])
    status: int = 200
    seconds: float = 0.0
    wish: float | None = None
    body: dict[str, Any] | None = None
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def texts(self) -> list[list[str]]:
        """The texts of each call."""
        return [list(request["input"]) for request in self.requests]

    def embedding(self, text: str, dimensions: int) -> list[float]:
        return unit(text, dimensions)


@contextmanager
def fake_embeddings() -> Generator[FakeEmbeddings]:
    """A server on a free port of loopback, in a thread of its own."""
    fake = FakeEmbeddings()
    server = uvicorn.Server(uvicorn.Config(_app(fake), host="127.0.0.1", port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = monotonic() + 20
    while not server.started and monotonic() < deadline:
        sleep(0.01)
    (sockets,) = (one.sockets for one in server.servers)
    fake.url = f"http://127.0.0.1:{sockets[0].getsockname()[1]}/v1"
    try:
        yield fake
    finally:
        server.should_exit = True
        thread.join(20)


def _app(fake: FakeEmbeddings) -> FastAPI:
    app = FastAPI()

    async def embeddings(request: Request) -> Response:
        body: dict[str, Any] = await request.json()
        fake.requests.append(body)
        _REQUEST.validate_python(body)
        await asyncio.sleep(fake.seconds)
        status = fake.faults.pop(0) if fake.faults else fake.status
        if request.headers.get("authorization") != f"Bearer {KEY}":
            return _failure(401)
        if any(POISON in text for text in body["input"]):
            return _failure(400)
        if status != 200:
            return _failure(status, fake.wish)
        return JSONResponse(fake.body or _answer(fake, body))

    app.add_api_route("/v1/embeddings", embeddings, methods=["POST"])
    return app


def _answer(fake: FakeEmbeddings, body: dict[str, Any]) -> dict[str, Any]:
    """The last text comes first: the order is that of ``index``."""
    dimensions = body.get("dimensions", WHOLE)
    data = [
        {"object": "embedding", "index": index, "embedding": fake.embedding(text, dimensions)}
        for index, text in enumerate(body["input"])
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    answer = {"object": "list", "data": data[::-1], "model": body["model"], "usage": usage}
    return CreateEmbeddingResponse.model_validate(answer).model_dump()


def _failure(status: int, wish: float | None = None) -> JSONResponse:
    error = {"message": "as told", "type": "invalid_request_error", "param": None, "code": None}
    return JSONResponse({"error": error}, status, headers={} if wish is None else {"retry-after": str(wish)})
