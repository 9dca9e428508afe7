"""Episodes are stored once each, all of a request or none."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from graphmem.clock import utc_now
from graphmem.errors import Conflict
from graphmem.model.episode import Episode
from graphmem.model.scope import Scope
from graphmem.store.driver import Database, check_server
from graphmem.store.graph import GraphStore
from tests.models import shipped_queries
from tests.servers import Servers

NOON = datetime(2025, 1, 1, 12, tzinfo=UTC)


def episode(group: str, content: str, external_id: str) -> Episode:
    return Episode(group_id=group, session="s", content=content, occurred_at=NOON, external_id=external_id)


@pytest.fixture
def store(database: Database) -> GraphStore:
    return GraphStore(database, shipped_queries())


async def ids(store: GraphStore, group: str) -> list[str]:
    first = (datetime(1, 1, 1, tzinfo=UTC), "")
    found = await store.episodes(Scope(group, utc_now()), status=None, after=first, limit=9)
    return sorted(str(stored.episode.external_id) for stored in found.episodes)


async def test_a_request_with_one_conflict_stores_nothing(store: GraphStore, group: str) -> None:
    await store.remember_episodes(group, uuid4().hex, [episode(group, "Hi", "1")])

    with pytest.raises(Conflict):
        await store.remember_episodes(group, uuid4().hex, [episode(group, "New", "2"), episode(group, "Ho", "1")])
    assert await ids(store, group) == ["1"]


async def test_a_retried_transaction_still_says_that_the_episode_is_new(store: GraphStore, group: str) -> None:
    request = uuid4().hex
    for _ in range(2):
        (row,) = await store.remember_episodes(group, request, [episode(group, "Hi", "1")])

        assert row.new


async def test_the_routing_scheme_works_as_the_direct_one_does(servers: Servers) -> None:
    direct = await check_server(servers.uri, servers.user, servers.password)

    assert await check_server(servers.uri.replace("bolt://", "neo4j://"), servers.user, servers.password) == direct
