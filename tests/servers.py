"""The servers that tests talk to: given, in containers, or managed with little memory."""

import os
import socket
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from testcontainers.community.neo4j import Neo4jContainer
from testcontainers.community.redis import RedisContainer

from graphmem.local import DataDir, ManagedServers, managed_servers
from graphmem.local.neo4j.server import pinned_version
from graphmem.local.ports import Ports
from graphmem.local.state import remember_ports
from graphmem.settings import Settings
from graphmem.settings.servers import Neo4jSettings, RedisSettings
from graphmem.store.driver import Database, open_driver

SMALL: Mapping[str, object] = {"heap": "512m", "page_cache": "64m", "replan_interval": 3600.0}
"""Graphs of tests grow from nothing again and again: to plan queries anew each time would be most of the work."""

QUICK: Mapping[str, str] = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1"}
"""Compiles once, and not well: to compile anew what runs often takes more than it saves a server that lives minutes."""


@dataclass(frozen=True, slots=True)
class Servers:
    """Where the servers of the tests are."""

    uri: str
    user: str
    password: str
    redis_url: str

    def as_environment(self) -> dict[str, str]:
        """Variables by which ``settings_of`` names them."""
        neo4j = {"NEO4J_URI": self.uri, "NEO4J_USER": self.user, "NEO4J_PASSWORD": self.password}
        return {**neo4j, "REDIS_URL": self.redis_url}

    def open(self, **changes: object) -> Database:
        """A Database, with changed settings if need be; to be closed by who asked."""
        settings = Neo4jSettings.model_validate(changes)
        return Database(open_driver(self.uri, self.user, self.password, settings), settings)


@contextmanager
def running(folder: Path, settings: Settings) -> Generator[Servers]:
    """Managed servers on any free ports: several test runs on one machine must not wish for the same one.

    They live as long as a run does. In one of all tests, most of which wait for a query to be planned, the compiler
    that ``started`` goes without takes off a third of that.
    """
    remember_ports(DataDir(folder), Ports(api=0, bolt=0, http=0))
    with managed_servers(folder, settings, os.environ) as managed:  # noqa: TID251 -- for Java and its children
        yield servers_of(managed)


def started(folder: Path, settings: Settings) -> AbstractContextManager[ManagedServers]:
    """Managed servers that a test may kill, until the block ends."""
    return managed_servers(folder, settings, {**os.environ, **QUICK})  # noqa: TID251 -- for Java and its children


def servers_of(managed: ManagedServers) -> Servers:
    return Servers(managed.uri, managed.user, managed.password, managed.redis_url)


def small_settings(neo4j: Mapping[str, str] | None = None, redis_url: str | None = None) -> Settings:
    """Settings for ``managed_servers``, which starts those that have no address here."""
    return Settings(
        neo4j=Neo4jSettings.model_validate({**SMALL, **(neo4j or {})}),
        redis=RedisSettings.model_validate({"url": redis_url}),
    )


def settings_of(environment: Mapping[str, str], stack: ExitStack) -> Settings:
    """Settings of the servers that the environment names, else of containers that ``stack`` ends, else of none."""
    redis_url = environment.get("REDIS_URL")
    if "NEO4J_URI" in environment:
        neo4j = {"user": "neo4j", "password": ""} | {
            name.removeprefix("NEO4J_").lower(): value
            for name, value in environment.items()
            if name in {"NEO4J_URI", "NEO4J_USER", "NEO4J_PASSWORD"}
        }
        return small_settings(neo4j, redis_url)
    return _containers(stack, redis_url) if _docker_answers() else small_settings(redis_url=redis_url)


def _containers(stack: ExitStack, redis_url: str | None) -> Settings:
    neo4j = stack.enter_context(Neo4jContainer(f"neo4j:{pinned_version().rsplit('.', 1)[0]}-community"))
    redis = stack.enter_context(RedisContainer("valkey/valkey:9-alpine"))
    url = f"redis://{redis.get_container_host_ip()}:{redis.get_exposed_port(redis.port)}"
    given = {"uri": neo4j.get_connection_url(), "user": neo4j.username, "password": neo4j.password}
    return small_settings(given, redis_url or url)


def _docker_answers() -> bool:
    """Whether an engine listens; Docker's own client leaves a socket open where none does."""
    host = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")  # noqa: TID251 -- as testcontainers will
    if not host.startswith("unix://"):
        return True
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(5.0)
        return probe.connect_ex(host.removeprefix("unix://")) == 0
