"""Integrations beside the frameworks' own, at a service in memory; tests/api/test_integrations.py has a real one."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import Op

from graphmem.client import AsyncGraphmemClient, GraphmemClient
from graphmem.integrations.claude_memory import GraphmemMemoryTool
from graphmem.integrations.langgraph import GraphmemStore
from graphmem.integrations.openai_agents import GraphmemSession
from tests.integrating import batches, commands, session_calls, sessions_agree, stores_agree, tools_agree
from tests.small_service import SmallService

URL = "http://service.test"


def client_of(service: SmallService) -> GraphmemClient:
    return GraphmemClient(URL, transport=service.transport)


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
