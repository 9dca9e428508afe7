"""Integrations beside the frameworks' own, at a service in memory; tests/api/test_integrations.py has a real one."""

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, cast

import pytest
from agents.memory import Session
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import Item, Op
from pydantic import TypeAdapter

from graphmem.api.schemas.words import Name
from graphmem.client import AsyncGraphmemClient, GraphmemClient
from graphmem.integrations.claude_memory import AsyncGraphmemMemoryTool, GraphmemMemoryTool
from graphmem.integrations.items import entity_name, exact, sendable
from graphmem.integrations.langgraph import GraphmemStore, matches
from graphmem.integrations.openai_agents import GraphmemSession, turn_of
from tests.integrating import (
    EXAMPLES,
    PRINTED,
    VALUES,
    assert_printed,
    batches,
    commands,
    run_example,
    session_calls,
    sessions_agree,
    stores_agree,
    tools_agree,
)
from tests.small_service import SmallService

URL = "http://service.test"


A = ("a",)
NOT_NUMBERS: list[Any] = [None, "x", [], {}]


def client_of(service: SmallService) -> GraphmemClient:
    return GraphmemClient(URL, transport=service.transport)


@pytest.fixture
def client() -> GraphmemClient:
    return client_of(SmallService())


def item_of(store: GraphmemStore, key: str = "k", **how: Any) -> Item:
    item = store.get(A, key, **how)
    assert item
    return item


@given(batches)
def test_the_store_answers_as_langgraphs_own(asked: Sequence[Sequence[Op]]) -> None:
    with client_of(SmallService()) as client:
        stores_agree(GraphmemStore(client, "g"), asked)


@given(st.lists(commands, max_size=12))
def test_the_memory_tool_says_what_the_sdks_own_says(asked: Sequence[dict[str, Any]]) -> None:
    with client_of(SmallService()) as client:
        tools_agree(GraphmemMemoryTool(client, "g"), asked)


@given(session_calls)
async def test_the_session_has_what_the_sdks_own_has(asked: Sequence[tuple[Any, ...]]) -> None:
    async with AsyncGraphmemClient(URL, transport=SmallService().transport) as client:
        await sessions_agree(GraphmemSession("s", client, "g"), asked)


def test_what_was_before_is_told_and_an_item_keeps_its_making(client: GraphmemClient) -> None:
    store = GraphmemStore(client, "g")
    store.put(A, "k", {"n": 1})
    first = item_of(store)
    store.put(A, "k", {"n": 2})
    second = item_of(store)
    store.delete(A, "k")
    assert store.get(A, "k") is None
    assert (second.created_at, first.updated_at) == (first.created_at, first.created_at)
    told = [store.search(A, filter={"valid_at": at}) for at in (first.updated_at, second.updated_at.isoformat())]
    assert [item.value for (item,) in told] == [{"n": 1}, {"n": 2}]
    assert store.search(A, filter={"valid_at": first.updated_at, "known_at": "2020-01-01"}) == []


def test_an_item_expires_after_its_last_use(client: GraphmemClient) -> None:
    store = GraphmemStore(client, "g", ttl={"default_ttl": 1, "refresh_on_read": False})
    store.put(A, "gone", {"n": 1}, ttl=0)
    store.put(A, "kept", {"n": 1})
    store.put(A, "for good", {"n": 1}, ttl=None)
    before = item_of(store, "kept")
    assert item_of(store, "kept", refresh_ttl=True).updated_at == before.updated_at
    assert item_of(store, "kept").updated_at == before.updated_at
    assert [item.key for item in store.search(A)] == ["kept", "for good"]
    assert store.get(A, "gone") is None


def test_items_are_those_of_the_user_whom_a_namespace_names(client: GraphmemClient) -> None:
    store = GraphmemStore(client, "g", user_label=1)
    for user in ("ann", "bob"):
        store.put(("memories", user), "k", {"whose": user})
    assert [item.value["whose"] for item in store.search(("memories",))] == ["ann", "bob"]
    assert [item.value["whose"] for item in store.search(("memories", "bob"))] == ["bob"]
    shown = client.graph("g", entity=entity_name("langgraph", ("memories", "ann")))
    assert {belief.user for belief in shown.beliefs} == {"ann"}


async def test_what_a_search_finds_comes_first_and_only_what_is_indexed(client: GraphmemClient) -> None:
    store = GraphmemStore(client, "g", index=["text"])
    await store.aput(A, "tea", {"text": "drinks tea"})
    await store.aput(A, "secret", {"text": "tea"}, index=False)
    await store.aput(A, "rose", {"text": "grows a rose", "more": "tea"})
    found = await store.asearch(A, query="rose", limit=2)
    assert [(item.key, item.score) for item in found] == [("rose", 1.0), ("tea", None)]
    assert [item.key for item in await store.asearch(A, query="tea")] == ["tea", "secret", "rose"]


def test_a_filter_compares_numbers_alone() -> None:
    assert not any(matches(value, {"$lt": 1}) for value in NOT_NUMBERS)
    with pytest.raises(ValueError, match=r"no operator '\$in'"):
        matches(1, {"$in": [1]})


@given(VALUES)
def test_json_is_exact_and_of_characters_that_a_request_may_have(value: object) -> None:
    written = exact(value)
    assert json.loads(written) == value
    assert sendable(written) == written


@given(st.lists(st.text(min_size=1) | st.just("\ufdfa" * 200), min_size=1).map(tuple))
def test_a_namespace_has_a_name_that_a_request_may_have(namespace: tuple[str, ...]) -> None:
    name = entity_name("langgraph", namespace)
    assert TypeAdapter(Name).validate_python(name) == name
    assert entity_name("langgraph", (*namespace, "x")) != name


async def test_what_claude_writes_is_a_document_with_versions() -> None:
    service = SmallService()
    tool = AsyncGraphmemMemoryTool(client_of(service), "g", user="ann")
    await tool.call({"command": "create", "path": "/memories/a.md", "file_text": "Ann likes tea."})
    await tool.call({"command": "str_replace", "path": "/memories/a.md", "old_str": "tea", "new_str": "coffee"})
    await tool.call({"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/b.md"})
    said = [(turn.content, turn.content_type, turn.user, turn.metadata["path"]) for turn in service.episodes]
    assert said == [(f"Ann likes {what}.", "document", "ann", "/memories/a.md") for what in ("tea", "coffee")]
    assert await tool.clear_all_memory() == "All memory cleared"


def test_each_user_has_files_of_their_own(client: GraphmemClient) -> None:
    tools = {user: GraphmemMemoryTool(client, "g", user=user) for user in ("ann", "bob", None)}
    for user, tool in tools.items():
        tool.call({"command": "create", "path": "/memories/a.md", "file_text": f"of {user}"})
    seen = {user: str(tool.call({"command": "view", "path": "/memories/a.md"})) for user, tool in tools.items()}
    assert all(text.endswith(f"of {user}") for user, text in seen.items())


async def test_items_of_a_session_are_turns_of_it() -> None:
    service = SmallService()
    session = GraphmemSession("s", AsyncGraphmemClient(URL, transport=service.transport), "g", user="ann")
    call = {"type": "function_call", "name": "f", "call_id": "c", "arguments": "{}"}
    await session.add_items([{"role": "user", "content": "I like tea."}, cast("Any", call)])
    other = GraphmemSession("s", AsyncGraphmemClient(URL, transport=service.transport), "g", user="bob")
    assert await other.get_items() == []
    assert isinstance(session, Session)
    said = [(turn.content, turn.role, turn.session, turn.user) for turn in service.episodes]
    assert said == [("I like tea.", "user", "s", "ann"), (exact(call), "tool", "s", "ann")]


def test_a_long_item_of_a_session_is_the_content_of_its_turn() -> None:
    item = {"role": "user", "content": "\u2028" * 20_000}
    turn = turn_of(item)
    assert (json.loads(turn["content"]), turn["metadata"]) == (item, {})


@pytest.mark.parametrize("name", ["claude_memory", "langgraph", "openai_agents", "pydantic_ai"])
def test_what_is_not_installed_names_its_extra(name: str) -> None:
    hidden = ("anthropic", "langgraph", "agents", "pydantic_ai")
    program = f"import sys\nfor name in {hidden}: sys.modules[name] = None\nimport graphmem.integrations.{name}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert f"pip install 'graphmem[{name.replace('_', '-')}]'" in done.stderr


def test_every_framework_has_an_example() -> None:
    assert EXAMPLES.keys() == PRINTED.keys()
    assert all(len(example.splitlines()) <= 20 for example in EXAMPLES.values())


@pytest.mark.parametrize("heading", PRINTED)
def test_an_example_does_what_it_says(heading: str) -> None:
    service = SmallService()
    with client_of(service) as client:
        assert_printed(heading, run_example(heading, client, AsyncGraphmemClient(URL, transport=service.transport)))
