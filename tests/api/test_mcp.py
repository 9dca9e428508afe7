"""Tools for agents against the real service: a process over stdio, and HTTP, with the SDK's client."""

import asyncio
import json
import socket
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

import httpx2
import pytest
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from graphmem.client import AsyncGraphmemClient
from graphmem.mcp.connecting import Address
from graphmem.mcp.connecting import Service as Found
from graphmem.mcp.http import app_of
from graphmem.mcp.memory import Memory
from graphmem.mcp.server import server_of
from graphmem.mcp.tokens import estimate
from graphmem.settings import McpSettings, McpToolset
from tests.api.conftest import Service
from tests.unit.test_mcp_drop_in import ANTHROPIC, JOHN, OBSERVED, WORKS_AT, names
from tests.unit.test_mcp_tools import INJECTED, call, refusal, text_of

SAID = "2025-05-03T10:00:00Z"
LATER = "2025-06-03T10:00:00Z"
Connect = Callable[..., AbstractAsyncContextManager[Client]]


@asynccontextmanager
async def over_stdio(service: Service, group: str, toolset: McpToolset = "graphmem") -> AsyncGenerator[Client]:
    options = ["--url", service.url, "--key", service.token, "--group", group, "--toolset", toolset]
    env = {"PYTHONPATH": ":".join(filter(None, sys.path))}
    command = StdioServerParameters(command=sys.executable, args=["-m", "graphmem", "mcp", *options], env=env)
    async with Client(command) as client:
        yield client


@asynccontextmanager
async def over_http(service: Service, group: str, toolset: McpToolset = "graphmem") -> AsyncGenerator[Client]:
    find, settings = partial(Address, service.url, service.token), McpSettings(group=group, toolset=toolset)
    headers = {"authorization": f"Bearer {service.token}"}
    with listening(uvicorn.Config(app_of(server_of(Memory(Found(find), settings)), settings, find))) as url:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
        ):
            yield client


@pytest.fixture(params=[over_stdio, over_http], ids=["stdio", "http"])
def connect(request: pytest.FixtureRequest, service: Service, group: str) -> Connect:
    return partial(request.param, service, group)


class listening:  # noqa: N801 - used as a context manager
    """A server in a thread, on a free port."""

    def __init__(self, config: uvicorn.Config) -> None:
        config.log_level = "critical"
        self._server = uvicorn.Server(config)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)
        self._socket.close()


async def test_an_agent_remembers_recalls_explains_and_corrects(connect: Connect) -> None:
    async with connect() as client:
        first = await call(client, "remember", text="Maya lives_in Lisbon.", occurred_at=SAID, speaker="Maya")
        await call(client, "remember", text="Maya lives_in Porto.", occurred_at=LATER, speaker="Maya")
        then = await call(client, "facts", entity="Maya", predicate="lives_in", valid_at=SAID)
        now = await call(client, "facts", entity="Maya", predicate="lives_in")
        (lisbon,), (porto,) = then["beliefs"], now["beliefs"]
        grounds = await call(client, "why", id=porto["id"], query="Where does Maya live?")
        recalled = await call(client, "recall", query="Where does Maya live?")
        changes = await call(client, "diff", **{"from": SAID, "to": LATER, "axis": "valid"})
        entity = await call(client, "entity", name="Maya")
        await call(client, "confirm", id=porto["id"])
        await call(client, "correct", id=porto["id"], object_name="Braga", object_type="place")
        (braga,) = (await call(client, "facts", entity="Maya", predicate="lives_in"))["beliefs"]
        stats = await call(client, "stats")
        episode = await call(client, "why", id=first["episode_id"])
    assert (first["status"], first["claims"]) == ("digested", 1)
    assert (lisbon["object"], porto["object"], braga["object"]) == ("Lisbon", "Porto", "Braga")
    (claim,) = grounds["evidence"]
    assert (claim["quote"], claim["start"], claim["speaker"]) == ("Maya lives_in Porto.", 0, "Maya")
    assert grounds["not_recalled"]["why"]
    assert "Porto" in json.dumps(recalled["lines"])
    assert changes["changes"]
    assert [one["object"] for one in entity["beliefs"] if one["now"]] == ["Porto"]
    assert "Lisbon" in [one["object"] for one in entity["beliefs"] if not one["now"]]
    assert stats["episodes"] >= 2
    assert episode["episode"]["text"] == "Maya lives_in Lisbon."


async def test_pages_are_of_one_list_whatever_is_written_between(service: Service, group: str) -> None:
    maya = {"name": "Maya", "type": "person"}
    claims: list[dict[str, Any]] = [
        {"subject": maya, "predicate": "likes", "value": f"tea {n} {'x ' * 80}", "occurred_at": SAID} for n in range(80)
    ]
    async with AsyncGraphmemClient(service.url, service.token) as http, over_http(service, group) as client:
        await http.claims(group, claims)
        page = await call(client, "facts", entity="Maya")
        await http.claims(group, {"subject": maya, "predicate": "likes", "value": "coffee", "occurred_at": SAID})
        seen = [one["id"] for one in page["beliefs"]]
        while "next_cursor" in page:
            answer = await client.call_tool("facts", {"entity": "Maya", "cursor": page["next_cursor"]})
            assert answer.structured_content is not None, answer.content
            assert estimate(text_of(answer)) <= 4_000
            page = answer.structured_content
            seen += [one["id"] for one in page["beliefs"]]
    assert len(seen) == len(set(seen)) == 80


async def test_names_of_other_systems_work(service: Service, group: str) -> None:
    async with over_http(service, group, "common") as client:
        await call(client, "remember_fact", fact="Maya lives_in Lisbon.", occurred_at=SAID, speaker="Maya")
        found = await call(client, "search_memory", query="Lisbon")
        fact_id = next(hit["id"] for hit in found["hits"] if "belief" in hit)
        await call(client, "confirm_fact", fact_id=fact_id)
        await call(client, "correct_fact", fact_id=fact_id, object_name="Porto", object_type="place")
        info = await call(client, "get_entity_info", name="Maya")
        assert (await call(client, "memory_stats"))["confirmed"] >= 0
    assert "Porto" in [one.get("object") for one in info["beliefs"]]


async def test_the_examples_of_the_official_memory_server_work(connect: Connect, service: Service, group: str) -> None:
    async with connect(toolset="memory-server") as client:
        assert await call(client, "read_graph") == {"entities": [], "relations": []}
        assert await call(client, "create_entities", entities=[JOHN, ANTHROPIC]) == {"entities": [JOHN, ANTHROPIC]}
        assert await call(client, "create_relations", relations=[WORKS_AT]) == {"relations": [WORKS_AT]}
        added = await call(client, "add_observations", observations=[OBSERVED])
        assert added["results"][0]["addedObservations"] == ["Graduated in 2019", "Prefers morning meetings"]
        whole = await call(client, "read_graph")
        assert names(whole) == ["Anthropic", "John_Smith"]
        assert whole["relations"] == [WORKS_AT]
        for query in ("spanish", "morning meetings", "meetings morning", "person", "john"):
            assert "John_Smith" in names(await call(client, "search_nodes", query=query)), query
        assert names(await call(client, "search_nodes", query="Zanzibar")) == []
        assert names(await call(client, "open_nodes", names=["Anthropic", "Nobody"])) == ["Anthropic"]
        gone = {"entityName": "John_Smith", "observations": ["Graduated in 2019"]}
        await call(client, "delete_observations", deletions=[gone])
        assert names(await call(client, "search_nodes", query="2019")) == []
        await call(client, "delete_relations", relations=[WORKS_AT])
        assert (await call(client, "read_graph"))["relations"] == []
        await call(client, "delete_entities", entityNames=["John_Smith", "Nobody"])
        assert names(await call(client, "read_graph")) == ["Anthropic"]
        assert await call(client, "create_entities", entities=[JOHN]) == {"entities": [JOHN]}
    async with AsyncGraphmemClient(service.url, service.token) as http:
        john = await http.entity_id(group, "John_Smith")
        kept = {version.value async for version in http.history(group, john, predicate=["observation"])}
    assert kept >= {"Graduated in 2019", "Prefers morning meetings"}


async def test_injected_instructions_stay_quoted(service: Service, group: str) -> None:
    hostile = {"name": "Mallory", "entityType": "person", "observations": [INJECTED.replace("\u202e", "")]}
    async with over_http(service, group, "memory-server") as client:
        await call(client, "create_entities", entities=[hostile])
        answer = await client.call_tool("search_nodes", {"query": "Mallory"})
    text = text_of(answer)
    assert json.loads(text) == answer.structured_content
    assert (len(text.splitlines()), "##" in text, "<|" in text) == (1, False, False)


async def test_errors_of_the_service_say_the_next_step(service: Service, group: str) -> None:
    async with over_http(service, group) as client:
        assert "call remember" in await refusal(client, "facts")
        await call(client, "remember", text="Maya lives_in Lisbon.", occurred_at=SAID)
        assert "Look it up" in await refusal(client, "why", id="0" * 32)
        assert "Look it up" in await refusal(client, "entity", name="Nobody")
        assert "offset" in await refusal(client, "facts", valid_at="2025-05-03T10:00:00")


async def test_a_user_sees_and_changes_their_own(service: Service, group: str) -> None:
    find = partial(Address, service.url, service.token)
    maya, jonas = (Memory(Found(find), McpSettings(group=group, user=user)) for user in ("maya", "jonas"))
    async with Client(server_of(maya)) as hers, Client(server_of(jonas)) as his:
        await call(hers, "remember", text="Maya lives_in Lisbon.", occurred_at=SAID)
        (belief,) = (await call(hers, "facts"))["beliefs"]
        assert (await call(his, "facts"))["beliefs"] == []
        assert "Look it up" in await refusal(his, "why", id=belief["id"])
        assert (await his.call_tool("confirm", {"id": belief["id"]})).is_error
        assert (await his.call_tool("entity", {"name": "Maya"})).is_error


async def test_a_session_that_is_cut_while_it_remembers_loses_nothing(service: Service, group: str) -> None:
    options = ["--url", service.url, "--key", service.token, "--group", group]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "graphmem", "mcp", *options),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={"PYTHONPATH": ":".join(filter(None, sys.path))},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "cut", "version": "0"}}
    said = {"name": "remember", "arguments": {"text": "Maya lives_in Lisbon.", "occurred_at": SAID}}
    for message in (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": said},
    ):
        process.stdin.write(json.dumps(message).encode() + b"\n")
    await process.stdin.drain()
    await process.stdout.readline()
    process.kill()
    await process.wait()
    async with over_stdio(service, group) as client:
        again = await call(client, "remember", text="Maya lives_in Lisbon.", occurred_at=SAID)
        assert len((await call(client, "facts"))["beliefs"]) == 1
    assert again["status"] == "digested"
