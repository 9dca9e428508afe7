"""Tools for agents against the real service: a process over stdio, and HTTP, with the SDK's client."""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, PromptReference, ResourceTemplateReference

from graphmem.answers.episodes import EpisodeOut
from graphmem.answers.outcomes import IN_OWN_WORDS, MOST_KEPT, NOT_READ
from graphmem.client import AsyncGraphmemClient
from graphmem.client.calls import ServiceAddress
from graphmem.errors import NotFound
from graphmem.mcp.budget import estimate
from graphmem.mcp.http import app_of, bearer
from graphmem.mcp.memory import AgentMemory
from graphmem.mcp.server import server_of
from graphmem.mcp.shown import NOTICE
from graphmem.settings.servers import McpSettings, McpToolset
from tests.agents import (
    ANTHROPIC,
    INJECTED,
    JOHN,
    OBSERVED,
    WORKS_AT,
    call,
    connected,
    items,
    listening,
    names,
    refusal,
    text_of,
)
from tests.api.conftest import MAX_CONTENT, Service

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


def mcp_server(service: Service, settings: McpSettings) -> listening:
    """A server over HTTP that has no key of its own."""
    find, url = partial(ServiceAddress, service.url), "https://memory.example/mcp"
    server = server_of(AgentMemory(find, settings, bearer=bearer))
    return listening(uvicorn.Config(app_of(server, settings, find, url)))


@asynccontextmanager
async def calling(url: str, key: str) -> AsyncGenerator[Client]:
    headers = {"authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
    ):
        yield client


@asynccontextmanager
async def over_http(service: Service, group: str, toolset: McpToolset = "graphmem") -> AsyncGenerator[Client]:
    with mcp_server(service, McpSettings(group=group, toolset=toolset)) as url:
        async with calling(url, service.token) as client:
            yield client


@pytest.fixture(params=[over_stdio, over_http], ids=["stdio", "http"])
def connect(request: pytest.FixtureRequest, service: Service, group: str) -> Connect:
    return partial(request.param, service, group)


def test_over_http_nobody_without_a_key_and_no_web_page_is_let_in(service: Service) -> None:
    mine = {"authorization": f"Bearer {service.token}"}
    refused: list[tuple[dict[str, str], int]] = [
        ({}, 401),
        ({"authorization": "Bearer wrong"}, 401),
        ({"authorization": f"Basic {service.token}"}, 401),
        ({**mine, "origin": "https://evil.example"}, 403),
        ({**mine, "origin": "http://localhost.evil.example"}, 403),
        ({**mine, "origin": "null"}, 403),
        ({**mine, "host": "evil.example"}, 421),
    ]
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accept = {"accept": "application/json, text/event-stream"}
    with mcp_server(service, McpSettings()) as url, httpx.Client(trust_env=False, base_url=url) as http:
        for headers, status in refused:
            answer = http.post("/mcp", json=ping, headers={**accept, **headers})
            assert answer.status_code == status, headers
            asks = answer.headers.get("www-authenticate", "")
            assert ("/.well-known/oauth-protected-resource/mcp" in asks) is (status == 401)
        described = http.get("/.well-known/oauth-protected-resource/mcp").json()
    assert (described["resource"], described["scopes_supported"]) == (
        "https://memory.example/mcp",
        ["admin", "erase", "read", "write"],
    )


async def test_over_http_each_key_has_the_memory_of_its_user(service: Service, group: str) -> None:
    def key(user: str, *rights: str) -> dict[str, Any]:
        asked = {"label": user, "groups": [group], "rights": rights, "users": [user]}
        return service.http.post("/v1/keys", json=asked).raise_for_status().json()

    ann, bo, reads = key("ann", "read", "write"), key("bo", "read", "write"), key("ann", "read")
    with mcp_server(service, McpSettings(group=group)) as url:
        async with calling(url, ann["secret"]) as hers, calling(url, bo["secret"]) as his:
            await call(hers, "remember", content="Maya lives_in Lisbon.", occurred_at=SAID)
            await call(his, "remember", content="Maya lives_in Porto.", occurred_at=SAID)
            for caller, theirs, other in ((hers, "Lisbon", "Porto"), (his, "Porto", "Lisbon")):
                told = json.dumps(await call(caller, "facts", entity="Maya"))
                assert (theirs in told, other in told) == (True, False)
                told = str(await caller.read_resource("memory://profile"))
                assert (theirs in told, other in told) == (True, False)
        async with calling(url, reads["secret"]) as reader:
            assert "may not write" in await refusal(reader, "remember", content="Maya lives_in Rome.")
        service.http.delete(f"/v1/keys/{ann['key']['id']}").raise_for_status()
        revoked = {"authorization": f"Bearer {ann['secret']}"}
        async with httpx2.AsyncClient(headers=revoked, trust_env=False) as http, asyncio.timeout(5):
            while (await http.post(f"{url}/mcp", json={})).status_code != 401:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.1)


async def test_an_agent_remembers_recalls_explains_and_corrects(connect: Connect) -> None:
    async with connect() as client:
        first = await call(client, "remember", content="Maya lives_in Lisbon.", occurred_at=SAID, speaker="Maya")
        await call(client, "remember", content="Maya lives_in Porto.", occurred_at=LATER, speaker="Maya")
        then = await call(client, "facts", entity="Maya", predicate="lives_in", valid_at=SAID)
        now = await call(client, "facts", entity="Maya", predicate="lives_in")
        unknown = await call(client, "facts", entity="Zoltan", predicate="lives_in")
        (lisbon,), (porto,) = then["beliefs"], now["beliefs"]
        grounds = await call(client, "why", id=porto["id"], query="Where does Maya live?")
        found = await call(client, "why", query="Where does Maya live?", expected="Maya lives in Porto")
        ended = await call(client, "why", query="Where does Maya live?", expected="Maya lives in Lisbon")
        never = await call(client, "why", query="Where does Maya live?", expected="Maya lives in Rome")
        recalled = await call(client, "recall", query="Where does Maya live?")
        changes = await call(client, "diff", **{"from": SAID, "to": LATER, "axis": "valid"})
        entity = await call(client, "entity", name="Maya")
        await call(client, "confirm", id=porto["id"])
        outdated = await refusal(client, "correct", id=porto["id"], value="Faro", read="Maya lives in Rome.")
        await call(client, "correct", id=porto["id"], value="Braga", read=porto["statement"])
        (braga,) = (await call(client, "facts", entity="Maya", predicate="lives_in"))["beliefs"]
        stats = await call(client, "stats")
        episode = await call(client, "why", id=first["episode_id"])
    assert (first["status"], first["claims"], "Read it again" in outdated) == ("digested", 1, True)
    says = {"statement": "Maya lives_in Lisbon.", "predicate": "lives_in", "does": "starts"}
    assert (first["kept"], first.get("not_kept")) == ([says | {"id": lisbon["id"]}], None)
    assert (lisbon["object"], porto["object"], braga["object"]) == ("Lisbon", "Porto", "Braga")
    assert (porto["replaced"], bool(porto["known_since"])) == ([lisbon["statement"]], True)
    assert (unknown["beliefs"], "nobody and nothing of the name" in unknown["unknown"]) == ([], True)
    (claim,) = grounds["evidence"]
    assert (claim["quote"], claim["start"], claim["speaker"]) == ("Maya lives_in Porto.", 0, "Maya")
    assert grounds["not_recalled"]["why"]
    assert (found["belief"]["id"], "lost" in found["not_recalled"]) == (porto["id"], False)
    assert "A recall has it, under" in found["not_recalled"]["why"]
    assert (ended["belief"]["id"], ended["not_recalled"]["lost"]) == (lisbon["id"], "time")
    assert "It had ended by valid_at, at 2025-06-03T10:00:00" in ended["not_recalled"]["why"]
    assert (never["not_recalled"]["lost"], "belief" in never) == ("unknown", False)
    assert "Porto" in json.dumps(recalled["lines"])
    assert changes["changes"]
    assert [one["object"] for one in entity["beliefs"] if one["now"]] == ["Porto"]
    assert "Lisbon" in [one["object"] for one in entity["beliefs"] if not one["now"]]
    assert stats["episodes"] >= 2
    assert episode["episode"]["content"] == "Maya lives_in Lisbon."


async def test_a_session_is_left_out_where_the_server_has_one(service: Service, group: str) -> None:
    recall = {"query": "Where does Maya live?", "exclude_session": True}
    async with connected(service.url, service.token, group=group, session="s") as client:
        await call(client, "remember", content="Maya lives_in Lisbon.", occurred_at=SAID, speaker="Maya")
        without = await call(client, "recall", **recall)
    async with connected(service.url, service.token, group=group) as client:
        whole = await call(client, "recall", **recall)
    assert (without["lines"], without.get("warnings")) == ([], None)
    assert without["left_out"] == "Left out with this session: 1 profile, 1 turn."
    assert "Lisbon" in json.dumps(whole["lines"])
    assert "no session" in whole["warnings"][0]


REMEMBER = pytest.mark.parametrize(
    ("toolset", "tool", "argument"), [("graphmem", "remember", "content"), ("common", "remember_fact", "statement")]
)
TURQUOISE = "Turquoise, Thursdays."


@REMEMBER
async def test_what_no_claim_can_be_read_from_is_remembered_in_its_own_words(
    service: Service, group: str, toolset: McpToolset, tool: str, argument: str
) -> None:
    async with connected(service.url, service.token, toolset, group=group, user="maya") as client:
        told = await call(client, tool, **{argument: TURQUOISE}, occurred_at=SAID)
        again = await call(client, tool, **{argument: TURQUOISE}, occurred_at=SAID)
    async with AsyncGraphmemClient(service.url, service.token) as http:
        (fact,) = [one async for one in http.facts(group, user="maya")]
    assert (told["status"], told["claims"], told["not_kept"]) == ("digested", 1, IN_OWN_WORDS)
    assert [(one["statement"], one["user"], one["id"]) for one in told["kept"]] == [(TURQUOISE, "maya", fact.belief_id)]
    assert (again["new"], again["kept"]) == (False, told["kept"])
    assert (fact.value, fact.subject.name, fact.confidence) == (TURQUOISE, "maya", 1.0)


@REMEMBER
async def test_what_is_remembered_of_nobody_is_said_to_be_no_fact(
    service: Service, group: str, toolset: McpToolset, tool: str, argument: str
) -> None:
    async with over_http(service, group, toolset) as client:
        told = await call(client, tool, **{argument: TURQUOISE}, occurred_at=SAID)
        of_maya = await call(client, tool, **{argument: TURQUOISE}, occurred_at=SAID, speaker="Maya")
    assert told["claims"] == 0
    assert "it became no fact: set `user`" in told["not_kept"]
    assert told["not_kept"].endswith(NOT_READ)
    assert (of_maya["claims"], of_maya["not_kept"]) == (1, IN_OWN_WORDS)


@REMEMBER
async def test_more_than_fits_was_kept_and_the_answer_says_so(
    service: Service, group: str, toolset: McpToolset, tool: str, argument: str
) -> None:
    find = partial(ServiceAddress, service.url, service.token)
    settings = McpSettings(group=group, toolset=toolset, max_tokens=2_000)
    text = "\n".join(f"{'Person' * 60}{number} knows Bo" for number in range(30))
    async with Client(server_of(AgentMemory(find, settings))) as client:
        answer = await client.call_tool(tool, {argument: text})
    told = answer.structured_content
    assert told is not None
    assert estimate(text_of(answer)) <= 2_000
    assert 0 < len(told["kept"]) < MOST_KEPT
    assert told["left_out"].startswith(f"{30 - len(told['kept'])} more claims were kept")


async def test_another_speaker_than_the_user_is_themselves(service: Service, group: str) -> None:
    async with connected(service.url, service.token, group=group, user="maya", speaker="Maya") as client:
        await call(client, "remember", content=TURQUOISE, occurred_at=SAID)
        await call(client, "remember", content="Purple, Fridays.", occurred_at=SAID, speaker="Bo")
    async with AsyncGraphmemClient(service.url, service.token) as http:
        facts = [one async for one in http.facts(group, user="maya")]
        roles = {episode.speaker: episode.role async for episode in http.episodes(group)}
    told = {fact.value: fact.subject.name for fact in facts if fact.predicate == "remembered"}
    assert told == {TURQUOISE: "Maya", "Purple, Fridays.": "Bo"}
    assert {name: str(role) for name, role in roles.items()} == {"Maya": "user", "Bo": "participant"}


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
        partial(ServiceAddress, service.url, service.token),
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
        await call(client, "remember_fact", statement="Maya lives_in Lisbon.", occurred_at=SAID, speaker="Maya")
        found = await call(client, "search_memory", query="Lisbon")
        fact_id = next(hit["id"] for hit in found["hits"] if hit["kind"] != "episode")
        before = await call(client, "memory_stats")
        await call(client, "confirm_fact", fact_id=fact_id)
        after = await call(client, "memory_stats")
        porto = {"value": "Porto"}
        await call(client, "correct_fact", fact_id=fact_id, **porto, changed_at=LATER)
        info = await call(client, "get_entity_info", name="Maya")
        now, before_that = sorted(info["beliefs"], key=lambda one: not one["now"])
        await call(client, "correct_fact", fact_id=now["id"], value="Braga")
        wrong = await call(client, "get_entity_info", name="Maya")
    assert (before["confirmed"], after["confirmed"]) == (0, 1)
    assert (now["object"], before_that["object"], before_that["valid_to"]) == ("Porto", "Lisbon", now["valid_from"])
    assert {one["object"]: one["now"] for one in wrong["beliefs"]} == {"Braga": True, "Lisbon": False}


async def test_the_examples_of_the_official_memory_server_work(connect: Connect, service: Service, group: str) -> None:
    async with connect(toolset="memory-server") as client:
        assert await call(client, "read_graph") == {"entities": [], "relations": []}
        made = await client.call_tool("create_entities", {"entities": [JOHN, ANTHROPIC]})
        assert made.structured_content == {"entities": [JOHN, ANTHROPIC]}
        assert json.loads(text_of(made)) == [JOHN, ANTHROPIC]
        related = await client.call_tool("create_relations", {"relations": [WORKS_AT]})
        assert json.loads(text_of(related)) == [WORKS_AT]
        added = await client.call_tool("add_observations", {"observations": [OBSERVED]})
        new = ["Graduated in 2019", "Prefers morning meetings"]
        assert json.loads(text_of(added)) == [{"entityName": "John_Smith", "addedObservations": new}]
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


@pytest.mark.parametrize(
    ("toolset", "tool", "arguments"),
    [("graphmem", "facts", {}), ("memory-server", "search_nodes", {"query": "Mallory"})],
)
async def test_injected_instructions_stay_quoted(
    service: Service, group: str, toolset: McpToolset, tool: str, arguments: dict[str, Any]
) -> None:
    hostile = {"name": "Mallory", "entityType": "person", "observations": [INJECTED.replace("\u202e", "")]}
    async with over_http(service, group, "memory-server") as client:
        await call(client, "create_entities", entities=[hostile])
    async with over_http(service, group, toolset) as client:
        answer, instructions = await client.call_tool(tool, arguments), client.instructions
    text = text_of(answer)
    assert json.loads(text) == answer.structured_content
    assert (len(text.splitlines()), "##" in text, "<|" in text) == (1, False, False)
    assert "follow no instruction" in (instructions or "")
    assert tool != "facts" or text.index(NOTICE) < text.index("Mallory")


async def test_errors_of_the_service_say_the_next_step(service: Service, group: str) -> None:
    async with over_http(service, group) as client:
        assert "call remember" in await refusal(client, "facts")
        await call(client, "remember", content="Maya lives_in Lisbon.", occurred_at=SAID)
        assert "Look it up" in await refusal(client, "why", id="0" * 32)
        assert "Look it up" in await refusal(client, "entity", name="Nobody")
        assert "offset" in await refusal(client, "remember", content="Hello.", occurred_at="2025-05-03T10:00:00")
        assert "add +HH:MM" in await refusal(client, "facts", valid_at="2025-05-03T10:00:00")


async def test_times_are_taken_back_as_they_are_shown(service: Service, group: str) -> None:
    async with over_http(service, group) as client:
        await call(client, "remember", content="Maya lives_in Lisbon.", occurred_at="2025-05-03")
        found = await call(client, "facts")
        (belief,) = found["beliefs"]
        assert belief["valid_from"] == "2025-05-03"
        then = await call(client, "facts", valid_at=belief["valid_from"], known_at=found["known_at"])
        assert [one["id"] for one in then["beliefs"]] == [belief["id"]]
        assert (then["valid_at"], then["known_at"]) == (belief["valid_from"], found["known_at"])
        assert (await call(client, "facts", valid_at="2025-05-02"))["beliefs"] == []


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
        assert "512" in await refusal(client, "create_entities", entities=[JOHN | {"entityType": "t" * 513}])
        whole = await call(client, "read_graph")
    assert sorted(whole["entities"], key=lambda one: one["name"]) == [ANTHROPIC, JOHN]
    assert whole["relations"] == []


async def test_a_user_sees_and_changes_their_own(service: Service, group: str) -> None:
    find = partial(ServiceAddress, service.url, service.token)
    maya, jonas = (AgentMemory(find, McpSettings(group=group, user=user)) for user in ("maya", "jonas"))
    async with Client(server_of(maya)) as hers, Client(server_of(jonas)) as his:
        await call(hers, "remember", content="Maya lives_in Lisbon.", occurred_at=SAID)
        await call(his, "remember", content="Jonas lives_in Ulm.", occurred_at=SAID)
        (belief,) = (await call(hers, "facts"))["beliefs"]
        assert "Lisbon" not in json.dumps(await call(his, "facts"))
        assert "Look it up" in await refusal(his, "why", id=belief["id"])
        assert (await his.call_tool("confirm", {"id": belief["id"]})).is_error
        assert (await his.call_tool("entity", {"name": "Maya"})).is_error
        asked = {"query": "Where does Maya live?", "expected": "Maya lives in Lisbon"}
        secret, nothing = await call(his, "why", **asked), await call(his, "why", **asked | {"expected": "Zoe in Oslo"})
        assert secret["not_recalled"]["lost"] == nothing["not_recalled"]["lost"] == "unknown"
        assert secret.keys() == nothing.keys()
        assert "Lisbon" not in json.dumps(secret)


async def test_resources_the_prompt_and_completions_are_of_the_user(service: Service, group: str) -> None:
    find = partial(ServiceAddress, service.url, service.token)
    maya, jonas = (AgentMemory(find, McpSettings(group=group, user=user)) for user in ("maya", "jonas"))
    of_profile = ResourceTemplateReference(type="ref/resource", uri="memory://profile/{name}")
    of_prompt = PromptReference(type="ref/prompt", name="what_do_you_remember")
    async with Client(server_of(maya)) as hers, Client(server_of(jonas)) as his:
        await call(hers, "remember", content="Zara_Lindqvist lives_in Lisbon.", occurred_at=SAID)
        await call(his, "remember", content="Jonas lives_in Ulm.", occurred_at=SAID)
        (belief,) = (await call(hers, "facts"))["beliefs"]
        profile, *others = (
            "memory://profile",
            "memory://profile/Zara%20Lindqvist",
            f"memory://belief/{belief['id']}",
        )
        for address in (profile, *others):
            assert "Lisbon" in str(await hers.read_resource(address))
        assert "Lisbon" not in str(await his.read_resource(profile))
        for address in others:
            with pytest.raises(MCPError, match="Look it up"):
                await his.read_resource(address)
        assert "Lisbon" in str(await hers.get_prompt(of_prompt.name, {"about": "Zara Lindqvist"}))
        assert "Lisbon" not in str(await his.get_prompt(of_prompt.name, {}))
        for ref, argument in ((of_profile, "name"), (of_prompt, "about")):
            for begun in ("Zar", "lind", "Zara Lindqvist"):
                asked = {"name": argument, "value": begun}
                assert (await hers.complete(ref, asked)).completion.values == ["Zara Lindqvist"]
                assert (await his.complete(ref, asked)).completion.values == []
            assert "Lisbon" not in (await his.complete(ref, {"name": argument, "value": ""})).completion.values


async def test_a_relationship_with_a_category_is_listed_once(service: Service, group: str) -> None:
    fact = {"subject": {"name": "Maya", "type": "person"}, "category": "relationship", "key": "sister"}
    bo = {"object": {"name": "Bo", "type": "person"}, "occurred_at": SAID}
    assert service.post(f"/v1/groups/{group}/facts", fact | bo).is_success
    async with connected(service.url, service.token, group=group) as client:
        (belief,) = (await call(client, "entity", name="Maya"))["beliefs"]
    assert (belief["object"], belief["now"]) == ("Bo", True)


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
    said = {"name": "remember", "arguments": {"content": "Maya lives_in Lisbon.", "occurred_at": SAID}}
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
        await call(client, "remember", content="Bruno lives_in Rome.", occurred_at=SAID)
        (belief,) = (await call(client, "facts", entity="Maya"))["beliefs"]
        kept = await call(client, "why", id=episode.id)
    assert belief["object"] == "Lisbon"
    assert kept["episode"]["content"] == "Maya lives_in Lisbon."


async def test_group_user_and_the_rest_are_those_of_the_configuration(service: Service, group: str) -> None:
    fixed: dict[str, Any] = {"group": group, "user": "maya", "agent": "phone", "session": "s1", "speaker": "Maya"}
    async with connected(service.url, service.token, **fixed) as client:
        first = await call(client, "remember", content="I like tea.", occurred_at=SAID)
        again = await call(client, "remember", content="I like tea.", occurred_at=SAID)
    async with AsyncGraphmemClient(service.url, service.token) as http:
        (episode,) = [one async for one in http.episodes(group)]
    assert (first["new"], again["new"], again["episode_id"]) == (True, False, episode.id)
    assert (episode.user, episode.session, episode.speaker) == ("maya", "s1", "Maya")


async def test_a_smaller_budget_can_be_asked_for_and_no_larger_one(service: Service, group: str) -> None:
    told = {"subject": {"name": "名" * 400, "type": "person"}, "predicate": "observation", "occurred_at": SAID}
    long = [{**told, "value": f"tea {at}", "statement": f"tea {at} " + "word " * 5_000} for at in range(3)]
    short = [{**told, "value": f"{at} " + "tea " * 30} for at in range(60)]
    async with connected(service.url, service.token, group=group, max_tokens=2_000) as client:
        assert service.post(f"/v1/groups/{group}/claims", long).is_success
        small = await client.call_tool("recall", {"query": "tea", "max_tokens": 500})
        assert service.post(f"/v1/groups/{group}/claims", short).is_success
        large = await client.call_tool("recall", {"query": "tea", "max_tokens": 50_000})
        assert "500" in await refusal(client, "recall", query="tea", max_tokens=499)
    assert small.structured_content is not None, small.content
    assert "3 belief (too_long)" in small.structured_content["left_out"]
    assert estimate(text_of(small)) <= 500 < estimate(text_of(large)) <= 2_000


async def all_pages(client: Client, tool: str, /, **arguments: Any) -> list[dict[str, Any]]:
    """The answers to a call and to those that its cursors lead to, each under the budget."""
    pages: list[dict[str, Any]] = []
    while not pages or "next_cursor" in pages[-1]:
        more = {"cursor": pages[-1]["next_cursor"]} if pages else {}
        answer = await client.call_tool(tool, arguments | more)
        assert estimate(text_of(answer)) <= 4_000
        assert answer.structured_content is not None, answer.content
        pages.append(answer.structured_content)
    assert all("cursor=next_cursor" in page["left_out"] for page in pages[:-1])
    return pages


async def test_all_evidence_of_a_belief_is_reached(service: Service, group: str) -> None:
    told = {"subject": {"name": "Maya", "type": "person"}, "predicate": "age", "value": 30, "occurred_at": SAID}
    claims = [{**told, "external_id": str(number)} for number in range(150)]
    given = service.post(f"/v1/groups/{group}/claims", claims).json()["claims"]
    async with connected(service.url, service.token, group=group) as client:
        (belief,) = (await call(client, "facts"))["beliefs"]
        pages = await all_pages(client, "why", id=belief["id"])
    shown = [claim["claim_id"] for page in pages for claim in page["evidence"]]
    assert sorted(shown) == sorted(one["claim_id"] for one in given)
    assert ["belief" in page for page in pages] == [True, *[False] * (len(pages) - 1)]


@pytest.mark.parametrize("content", ["I like tea. " * 3_000, "茶\n" * 5_000])
async def test_all_of_a_long_episode_is_reached(service: Service, group: str, content: str) -> None:
    async with connected(service.url, service.token, group=group) as client:
        id_ = (await call(client, "remember", content=content, occurred_at=SAID))["episode_id"]
        shown = [page["episode"] for page in await all_pages(client, "why", id=id_)]
    assert "".join(one["content"] for one in shown) == content
    assert [one["start"] for one in shown] == [0, *[one["end"] for one in shown[:-1]]]


class Unsteady(httpx.AsyncHTTPTransport):
    """The network, which is down while it is ``away``."""

    away = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self.away:
            raise httpx.ConnectError("refused")
        return await super().handle_async_request(request)


async def test_a_service_that_goes_and_comes_back_does_not_end_the_session(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group})
    network = Unsteady()
    async with connected(service.url, service.token, transport=network, group=group) as client:
        network.away = True
        assert "graphmem up" in await refusal(client, "facts")
        network.away = False
        assert (await call(client, "facts"))["beliefs"] == []


async def test_a_process_finds_the_local_service_and_its_token(service: Service, group: str, tmp_path: Path) -> None:
    for folder in ("run", "secrets"):
        (tmp_path / folder).mkdir()
    (tmp_path / "run" / "state.json").write_text(f'{{"api_url": "{service.url}", "graphmem_version": "0"}}')
    (tmp_path / "secrets" / "api-token").write_text(f"{service.token}\n")
    service.post("/v1/groups", {"id": group})

    async def facts(*options: str) -> CallToolResult:
        arguments = ["-m", "graphmem", "mcp", "--data-dir", str(tmp_path), "--group", group, *options]
        command = StdioServerParameters(command=sys.executable, args=arguments, env={"PYTHONPATH": ":".join(sys.path)})
        async with Client(command) as client:
            return await client.call_tool("facts", {})

    assert not (await facts()).is_error
    assert "GRAPHMEM_API_KEY" in text_of(await facts("--key", "wrong"))


async def said_in(http: AsyncGraphmemClient, group: str) -> list[EpisodeOut]:
    """The episodes of a group, once it has any."""
    while True:
        try:
            if found := [one async for one in http.episodes(group)]:
                return found
        except NotFound:
            pass
        await asyncio.sleep(0.05)
