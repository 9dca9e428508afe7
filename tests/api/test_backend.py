"""What the service stands on when it is a process of its own."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import SecretStr

from graphmem.api.backend import open_backend
from graphmem.model.episode import Episode
from graphmem.settings import Settings
from graphmem.settings.extraction import ProviderSettings
from graphmem.settings.servers import Neo4jSettings, RedisSettings
from tests.servers import Servers


async def test_turns_that_come_in_one_request_are_to_be_read_together(
    servers: Servers, tmp_path: Path, group: str
) -> None:
    episodes = [
        Episode(group_id="", session="s", content=f"Turn {day}.", occurred_at=datetime(2025, 1, day, tzinfo=UTC))
        for day in range(1, 15)
    ]
    for key, together in (("key", 10), ("", 1)):
        given = {"anthropic": ProviderSettings(api_key=SecretStr(key))}
        settings = settings_on(servers, tmp_path).model_copy(update=given)
        name = f"{group}{key}"
        async with open_backend(settings) as backend:
            memory = backend.services.memory
            (first, *_) = await memory.intake.remember(name, [replace(episode, group_id=name) for episode in episodes])
            taken = await memory.works.lease_work(name, first.id, "lease", 5, more=0)
            assert taken
            leased = await memory.store.leased_episodes(name, taken.ids, "lease")
        assert [stored.episode.content for stored in leased] == [f"Turn {day}." for day in range(1, together + 1)]


def settings_on(servers: Servers, data_dir: Path) -> Settings:
    return Settings(
        data_dir=data_dir,
        neo4j=Neo4jSettings(uri=servers.uri, user=servers.user, password=SecretStr(servers.password)),
        redis=RedisSettings(url=SecretStr(servers.redis_url)),
    )
