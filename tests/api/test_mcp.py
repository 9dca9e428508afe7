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

from graphmem.answers.episodes import EpisodeOut
from graphmem.client import AsyncGraphmemClient
from graphmem.client.running import ServiceAddress
from graphmem.errors import NotFound
from graphmem.mcp.connecting import ServiceClients
from graphmem.mcp.http import app_of
from graphmem.mcp.memory import AgentMemory
from graphmem.mcp.server import server_of
from graphmem.mcp.tokens import estimate
from graphmem.settings.service import McpSettings, McpToolset
from tests.api.conftest import MAX_CONTENT, Service
from tests.unit.test_mcp_drop_in import ANTHROPIC, JOHN, OBSERVED, WORKS_AT, names
from tests.unit.test_mcp_tools import INJECTED, call, items, refusal, text_of

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
    find, settings = partial(ServiceAddress, service.url, service.token), McpSettings(group=group, toolset=toolset)
    headers = {"authorization": f"Bearer {service.token}"}
    with listening(
        uvicorn.Config(app_of(server_of(AgentMemory(ServiceClients(find), settings)), settings, find))
    ) as url:
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


@pytest.mark.parametrize(
    ("toolset", "tool", "arguments"),
    [
        ("graphmem", "facts", {"entity": "Maya"}),
        ("common", "search_memory", {"query": "tea", "limit": 100}),
        ("memory-server", "read_graph", {}),
        ("memory-server", "search_nodes", {"query": "tea"}),
        ("memory-server", "open_nodes", {"names": ["Maya"]}),
    ],
)
async def test_pages_are_of_one_list_whatever_is_written_between(
    service: Service, group: str, toolset: McpToolset, tool: str, arguments: dict[str, Any]
) -> None:
    maya = {"name": "Maya", "type": "person"}
    told = {"subject": maya, "predicate": "observation", "occurred_at": SAID}
    claims = [{**told, "value": f"tea {number} {'x ' * 80}"} for number in range(80)]
    large = AgentMemory(
        ServiceClients(partial(ServiceAddress, service.url, service.token)),
        McpSettings(group=group, toolset=toolset, max_tokens=100_000),
    )
    async with AsyncGraphmemClient(service.url, service.token) as http, over_http(service, group, toolset) as client:
        await http.claims(group, claims)
        async with Client(server_of(large)) as at_once:
            whole = items(await call(at_once, tool, **arguments))
        page = await call(client, tool, **arguments)
        seen = items(page)
        beliefs = (await http.graph(group, entity="Maya")).beliefs
        shown = next(one for one in beliefs if {one.belief_id, one.value} & set(seen))
        await http.delete_fact(group, shown.belief_id, reason="wrong")
        await http.claims(group, {**told, "value": "coffee"})
        while "next_cursor" in page:
            answer = await client.call_tool(tool, {**arguments, "cursor": page["next_cursor"]})
            assert answer.structured_content is not None, answer.content
            assert estimate(text_of(answer)) <= 4_000
            page = answer.structured_content
            seen += items(page)
    assert len(seen) == len(set(seen))
    assert set(seen) == set(whole)
    assert toolset == "common" or len(seen) == 80


async def test_names_of_other_systems_work(service: Service, group: str) -> None:
    async with over_http(service, group, "common") as client:
        await call(client, "remember_fact", fact="Maya lives_in Lisbon.", occurred_at=SAID, speaker="Maya")
        found = await call(client, "search_memory", query="Lisbon")
        fact_id = next(hit["id"] for hit in found["hits"] if hit["kind"] != "episode")
        before = await call(client, "memory_stats")
        await call(client, "confirm_fact", fact_id=fact_id)
        after = await call(client, "memory_stats")
        await call(client, "correct_fact", fact_id=fact_id, object_name="Porto", object_type="place")
        info = await call(client, "get_entity_info", name="Maya")
    assert (before["confirmed"], after["confirmed"]) == (0, 1)
    assert [one["object"] for one in info["beliefs"] if one["now"]] == ["Porto"]


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
        for naive in ({"occurred_at": "2025-05-03T10:00:00"}, {"occurred_at": "2025-05-03"}):
            assert "offset" in await refusal(client, "remember", text="Hello.", **naive)
        assert "add +HH:MM" in await refusal(client, "facts", valid_at="2025-05-03T10:00:00")


async def test_times_are_taken_back_as_they_are_shown(service: Service, group: str) -> None:
    async with over_http(service, group) as client:
        await call(client, "remember", text="Maya lives_in Lisbon.", occurred_at="2025-05-03T00:00:00Z")
        found = await call(client, "facts")
        (belief,) = found["beliefs"]
        assert belief["since"] == "2025-05-03"
        then = await call(client, "facts", valid_at=belief["since"], known_at=found["known_at"])
        assert [one["id"] for one in then["beliefs"]] == [belief["id"]]
        assert (then["valid_at"], then["known_at"]) == (belief["since"], found["known_at"])
        assert (await call(client, "facts", valid_at="2025-05-02"))["beliefs"] == []


async def test_a_long_observation_is_deleted_as_it_is_shown(service: Service, group: str) -> None:
    story = ("Maya told a long story about her journey. " * 140)[:5_619].strip()
    maya = {"name": "Maya", "entityType": "person", "observations": [story, "Likes tea"]}
    async with over_http(service, group, "memory-server") as client:
        await call(client, "create_entities", entities=[maya])
        (entity,) = (await call(client, "read_graph"))["entities"]
        cut = [text for text in entity["observations"] if text.endswith(" more cut]")]
        await call(client, "delete_observations", deletions=[{"entityName": "Maya", "observations": cut}])
        (entity,) = (await call(client, "read_graph"))["entities"]
    assert len(cut) == 1
    assert entity["observations"] == ["Likes tea"]


async def test_a_name_that_was_never_created_is_a_thing_until_it_is(service: Service, group: str) -> None:
    async with over_http(service, group, "memory-server") as client:
        await call(client, "create_entities", entities=[JOHN])
        await call(client, "create_relations", relations=[WORKS_AT])
        assert ANTHROPIC | {"entityType": "thing"} in (await call(client, "read_graph"))["entities"]
        assert await call(client, "create_entities", entities=[ANTHROPIC]) == {"entities": [ANTHROPIC]}
        whole = await call(client, "read_graph")
    assert names(whole) == ["Anthropic", "John_Smith"]
    assert ANTHROPIC in whole["entities"]
    assert whole["relations"] == [WORKS_AT]


async def test_what_the_drop_in_refuses(service: Service, group: str) -> None:
    async with over_http(service, group, "memory-server") as client:
        await call(client, "create_entities", entities=[JOHN, ANTHROPIC])
        for observation in (" ", "x" * (MAX_CONTENT + 1)):
            given = {"entityName": "John_Smith", "contents": ["Likes tea", observation]}
            await refusal(client, "add_observations", observations=[given])
        await refusal(client, "create_entities", entities=[{"name": "Maya", "entityType": " ", "observations": []}])
        await refusal(client, "create_relations", relations=[WORKS_AT | {"relationType": "did"}])
        whole = await call(client, "read_graph")
    assert sorted(whole["entities"], key=lambda one: one["name"]) == [ANTHROPIC, JOHN]
    assert whole["relations"] == []


async def test_a_user_sees_and_changes_their_own(service: Service, group: str) -> None:
    find = partial(ServiceAddress, service.url, service.token)
    maya, jonas = (AgentMemory(ServiceClients(find), McpSettings(group=group, user=user)) for user in ("maya", "jonas"))
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
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": said},
    ]
    service.queue.busy = True
    try:
        process.stdin.writelines(json.dumps(message).encode() + b"\n" for message in messages)
        await process.stdin.drain()
        await process.stdout.readline()
        async with AsyncGraphmemClient(service.url, service.token) as http:
            (episode,) = await asyncio.wait_for(said_in(http, group), 60)
        process.kill()
        await process.wait()
    finally:
        service.queue.busy = False
    assert episode.status == "pending"
    async with over_stdio(service, group) as client:
        await call(client, "remember", text="Bruno lives_in Rome.", occurred_at=SAID)
        (belief,) = (await call(client, "facts", entity="Maya"))["beliefs"]
        kept = await call(client, "why", id=episode.id)
    assert belief["object"] == "Lisbon"
    assert kept["episode"]["text"] == "Maya lives_in Lisbon."


async def said_in(http: AsyncGraphmemClient, group: str) -> list[EpisodeOut]:
    """The episodes of a group, once it has any."""
    while True:
        try:
            if found := [one async for one in http.episodes(group)]:
                return found
        except NotFound:
            pass
        await asyncio.sleep(0.05)
