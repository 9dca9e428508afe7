"""Integrations beside the frameworks' own, at the real service; tests/unit/test_integrations.py has more sequences."""

import asyncio
from collections.abc import Generator, Sequence
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import Op, SearchItem

from graphmem.client import AsyncGraphmemClient, GraphmemClient
from graphmem.integrations.claude_memory import GraphmemMemoryTool
from graphmem.integrations.items import exact
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


@pytest.mark.parametrize("heading", PRINTED)
def test_an_example_does_what_it_says(client: GraphmemClient, service: Service, heading: str, group: str) -> None:
    async_client = AsyncGraphmemClient(service.url, service.token)
    assert_printed(heading, run_example(heading, client, async_client, group))
