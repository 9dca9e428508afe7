"""The managed servers that the settings ask for: those for which no address of one's own is given."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import ConfigurationError
from graphmem.local.events import Event, Tell
from graphmem.local.fetch import Progress, default_cache, fetch_jars, require_space
from graphmem.local.java import find_java
from graphmem.local.layout import DataDir
from graphmem.local.neo4j import USER, Neo4jServer, pinned_jars
from graphmem.local.ports import Ports, choose_port, choose_ports
from graphmem.local.process import Service
from graphmem.local.state import Connection, remember_ports, remembered_ports
from graphmem.local.valkey import ValkeyServer
from graphmem.settings import Settings

_LEAST_SPACE = 100 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers of one data directory: what to start, and how everybody reaches them."""

    services: tuple[Service, ...]
    connection: Connection
    neo4j: Neo4jServer | None
    valkey: ValkeyServer | None


def prepare(
    data: DataDir, settings: Settings, ports: Ports, environ: Mapping[str, str], tell: Tell, cache: Path | None = None
) -> Servers:
    """Fetch, configure and describe the servers; starts none.

    Raises:
        LocalServerError: something that they need cannot be had; says what to do.
        ConfigurationError: a server of one's own lacks its password.
    """
    require_space(data.root, _LEAST_SPACE)
    services: list[Service] = []
    neo4j = None if settings.neo4j.uri else Neo4jServer(data, ports, settings.neo4j)
    password = own_password(settings) if neo4j is None else ""
    if neo4j is not None:
        java = find_java(environ)
        if java.note:
            tell(Event(kind="note", text=java.note))
        jars = fetch_jars(pinned_jars(), cache or default_cache(), lambda progress: tell(_downloading(progress)))
        password = neo4j.prepare(java, jars)
        services.append(neo4j.service(java, environ))
    redis = settings.redis.url
    valkey = None if redis else ValkeyServer(data)
    if valkey is not None:
        valkey.prepare()
        services.append(valkey.service(environ))
    return Servers(
        services=tuple(services),
        neo4j=neo4j,
        valkey=valkey,
        connection=Connection(
            neo4j_uri=neo4j.uri if neo4j else settings.neo4j.uri or "",
            neo4j_user=USER if neo4j else settings.neo4j.user,
            neo4j_password=password,
            redis_url=valkey.url if valkey else redis.get_secret_value() if redis else "",
            api_url=None,
            api_token=None,
        ),
    )


def own_password(settings: Settings) -> str:
    """The password of a Neo4j of one's own.

    Raises:
        ConfigurationError: there is none.
    """
    password = settings.neo4j.password
    if password is None:
        raise ConfigurationError(
            "NEO4J_URI is set, but NEO4J_PASSWORD is not. Set it (to nothing, if that server has authentication off)."
        )
    return password.get_secret_value()


def find_ports(data: DataDir, settings: Settings, tell: Tell) -> Ports:
    """The ports to use: those asked for, else those of last time, else the usual ones; others where they are taken."""
    wanted = remembered_ports(data) or Ports(api=settings.api.port)
    if "port" in settings.api.model_fields_set:
        wanted = wanted.model_copy(update={"api": settings.api.port})
    chosen = choose_ports(wanted) if settings.neo4j.uri is None else _with_api_port(wanted)
    for name in Ports.model_fields:
        before, now = getattr(wanted, name), getattr(chosen, name)
        if before not in {0, now}:
            tell(Event(kind="note", text=f"Port {before} ({name}) is taken; using {now}."))
    remember_ports(data, chosen)
    return chosen


def _with_api_port(wanted: Ports) -> Ports:
    return wanted.model_copy(update={"api": choose_port(wanted.api)})


def _downloading(progress: Progress) -> Event:
    return Event(
        kind="download",
        files=progress.files,
        files_total=progress.files_total,
        bytes=progress.bytes,
        bytes_total=progress.bytes_total,
    )
