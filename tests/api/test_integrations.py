"""Integrations of frameworks beside the frameworks' own."""

import asyncio
from collections.abc import Generator, Sequence
from typing import Any, cast
from uuid import uuid4

import pytest
from agents.memory import Session
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import Item, Op, SearchItem

from graphmem.client import AsyncGraphmemClient, GraphmemClient
from graphmem.integrations.claude_memory import AsyncGraphmemMemoryTool, GraphmemMemoryTool
from graphmem.integrations.items import entity_name, exact
from graphmem.integrations.langgraph import GraphmemStore
from graphmem.integrations.openai_agents import GraphmemSession
from tests.api.conftest import Service
from tests.generated import generated
from tests.integrating import (
    PRINTED,
    assert_printed,
    batches,
    commands,
    run_example,
    session_calls,
    sessions_agree,
    stores_agree,
    tools_agree,
)

A = ("a",)


@pytest.fixture(scope="module")
def client(service: Service) -> Generator[GraphmemClient]:
    with GraphmemClient(service.url, service.token) as opened:
        yield opened


def a_group() -> str:
    """A group for one example of many."""
    return f"g-{uuid4().hex}"


async def compared(service: Service, asked: Sequence[tuple[Any, ...]]) -> None:
    async with AsyncGraphmemClient(service.url, service.token) as opened:
        await sessions_agree(GraphmemSession("s", opened, a_group()), asked)


def put(store: GraphmemStore, namespace: tuple[str, ...], value: dict[str, Any]) -> list[SearchItem]:
    """The item of a namespace that has one, after its value was put."""
    store.put(namespace, "k", value)
    return store.search(namespace)


def test_frameworks_and_ours_answer_alike(
    client: GraphmemClient, service: Service, pytestconfig: pytest.Config
) -> None:
    often = generated(4, 60, every=pytestconfig.option.all)

    @often
    @given(batches)
    def stores(asked: Sequence[Sequence[Op]]) -> None:
        stores_agree(GraphmemStore(client, a_group()), asked)

    @often
    @given(st.lists(commands, max_size=8))
    def tools(asked: Sequence[dict[str, Any]]) -> None:
        tools_agree(GraphmemMemoryTool(client, a_group()), asked)

    @often
    @given(session_calls)
    def sessions(asked: Sequence[tuple[Any, ...]]) -> None:
        asyncio.run(compared(service, asked))

    stores()
    tools()
    sessions()


def test_an_item_has_its_history_its_users_and_any_value(client: GraphmemClient, group: str) -> None:
    store = GraphmemStore(client, group, user_label=1)
    ann, bob = ("memories", "ann"), ("memories", "bob")
    values = [
        {"text": "likes green tea"},
        {"deep": [{"naïve \u0000 你好 😀\u2028": 10**30}], "long": "x" * 50_000},
        {"n": 1.5},
    ]
    times = [item for value in values for item in put(store, ann, value)]
    assert [exact(item.value) for item in times] == [exact(value) for value in values]
    store.put(bob, "k", {"text": "drives a tram"})
    store.delete(ann, "k")
    assert store.get(ann, "k") is None
    assert len({item.created_at for item in times}) == 1
    was = [store.search(ann, filter={"valid_at": item.updated_at}) for item in times]
    assert [found.value for (found,) in was] == values
    assert [item.namespace for item in store.search(("memories",), query="tram")] == [bob]
    assert store.list_namespaces(prefix=("memories",)) == [ann, bob]


def item_of(store: GraphmemStore, key: str = "k", **how: Any) -> Item:
    item = store.get(A, key, **how)
    assert item
    return item


def test_an_item_expires_after_its_last_use(client: GraphmemClient, group: str) -> None:
    store = GraphmemStore(client, group, ttl={"default_ttl": 1, "refresh_on_read": False})
    store.put(A, "gone", {"n": 1}, ttl=0)
    store.put(A, "kept", {"n": 1})
    store.put(A, "for good", {"n": 1}, ttl=None)
    before = item_of(store, "kept")
    assert item_of(store, "kept", refresh_ttl=True).updated_at == before.updated_at
    assert item_of(store, "kept").updated_at == before.updated_at
    assert [item.key for item in store.search(A)] == ["kept", "for good"]
    assert store.get(A, "gone") is None


def test_items_are_those_of_the_user_whom_a_namespace_names(client: GraphmemClient, group: str) -> None:
    store = GraphmemStore(client, group, user_label=1)
    for user in ("ann", "bob"):
        store.put(("memories", user), "k", {"whose": user})
    assert [item.value["whose"] for item in store.search(("memories",))] == ["ann", "bob"]
    assert [item.value["whose"] for item in store.search(("memories", "bob"))] == ["bob"]
    shown = client.graph(group, entity=entity_name("langgraph", ("memories", "ann")))
    assert {belief.user for belief in shown.beliefs} == {"ann"}


async def test_what_a_search_finds_comes_first_and_only_what_is_indexed(client: GraphmemClient, group: str) -> None:
    store = GraphmemStore(client, group, index=["text"])
    await store.aput(A, "tea", {"text": "drinks tea"})
    await store.aput(A, "secret", {"text": "tea"}, index=False)
    await store.aput(A, "rose", {"text": "grows a rose", "more": "tea"})
    found = await store.asearch(A, query="rose", limit=2)
    assert [item.key for item in found] == ["rose", "tea"]
    assert (found[0].score or 0) > (found[1].score or 0)
    scores = {item.key: item.score for item in await store.asearch(A, query="tea")}
    assert next(iter(scores)) == "tea"
    assert scores["secret"] is None


async def test_what_claude_writes_is_a_document_with_versions(client: GraphmemClient, group: str) -> None:
    tool = AsyncGraphmemMemoryTool(client, group, user="ann")
    await tool.call({"command": "create", "path": "/memories/a.md", "file_text": "Ann likes tea."})
    await tool.call({"command": "str_replace", "path": "/memories/a.md", "old_str": "tea", "new_str": "coffee"})
    await tool.call({"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/b.md"})
    said = [
        (turn.content, turn.content_type, turn.user, turn.metadata["path"])
        for turn in client.episodes(group, user="ann")
        if turn.content_type == "document"
    ]
    assert said == [(f"Ann likes {what}.", "document", "ann", "/memories/a.md") for what in ("tea", "coffee")]
    assert await tool.clear_all_memory() == "All memory cleared"


def test_each_user_has_files_of_their_own(client: GraphmemClient, group: str) -> None:
    tools = {user: GraphmemMemoryTool(client, group, user=user) for user in ("ann", "bob", None)}
    for user, tool in tools.items():
        tool.call({"command": "create", "path": "/memories/a.md", "file_text": f"of {user}"})
    seen = {user: str(tool.call({"command": "view", "path": "/memories/a.md"})) for user, tool in tools.items()}
    assert all(text.endswith(f"of {user}") for user, text in seen.items())


def test_namespaces_of_two_stores_share_nothing_that_identifies() -> None:
    """What has the same code in its name is taken for the same thing, and merged."""
    codes = {entity_name(store, ("memories", "ines")).split()[-1] for store in ("langgraph", "claude-memory")}
    assert len(codes) == 2


async def test_items_of_a_session_are_turns_of_it(service: Service, client: GraphmemClient, group: str) -> None:
    call = {"type": "function_call", "name": "f", "call_id": "c", "arguments": "{}"}
    async with AsyncGraphmemClient(service.url, service.token) as opened:
        session = GraphmemSession("s", opened, group, user="ann")
        await session.add_items([{"role": "user", "content": "I like tea."}, cast("Any", call)])
        other = GraphmemSession("s", opened, group, user="bob")
        assert await other.get_items() == []
        assert isinstance(session, Session)
    said = [(turn.content, turn.role, turn.session, turn.user) for turn in client.episodes(group, user="ann")]
    assert said == [("I like tea.", "user", "s", "ann"), (exact(call), "tool", "s", "ann")]


@pytest.mark.parametrize("heading", PRINTED)
def test_an_example_does_what_it_says(client: GraphmemClient, service: Service, heading: str, group: str) -> None:
    async_client = AsyncGraphmemClient(service.url, service.token)
    assert_printed(heading, run_example(heading, client, async_client, group))
