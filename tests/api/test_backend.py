"""What the service stands on when it is a process of its own."""

from pathlib import Path

from pydantic import SecretStr

from graphmem.api.backend import open_backend
from graphmem.extract.nothing import NothingExtractor
from graphmem.settings import Neo4jSettings, ProviderSettings, RedisSettings, Settings
from tests.servers import Servers


async def test_a_key_loads_no_language_model_where_nothing_is_digested(servers: Servers, tmp_path: Path) -> None:
    settings = Settings(
        data_dir=tmp_path,
        neo4j=Neo4jSettings(uri=servers.uri, user=servers.user, password=SecretStr(servers.password)),
        redis=RedisSettings(url=SecretStr(servers.redis_url)),
        anthropic=ProviderSettings(api_key=SecretStr("key")),
    )

    async with open_backend(settings) as backend:
        await backend.services.warm()

        assert isinstance(backend.services.extractor, NothingExtractor)
