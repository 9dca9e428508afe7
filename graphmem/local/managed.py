"""Neo4j and Valkey alone, for tests and benchmarks: started, stopped, killed and started again one by one."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from graphmem.local.events import Event
from graphmem.local.layout import DataDir
from graphmem.local.ports import Reservations
from graphmem.local.process import Child, kill, start, stop, wait_gone, wait_ready
from graphmem.local.servers import Servers, find_ports, prepare
from graphmem.local.state import LocalConnection, clean_up, hold
from graphmem.settings.servers import ServerSettings

_NOTHING: Mapping[str, str] = MappingProxyType({})


class ManagedServers:
    """Running servers of one data directory. They keep ports, data and credentials over a restart."""

    def __init__(self, servers: Servers) -> None:
        self._services = {service.name: service for service in servers.services}
        self._children: dict[str, Child] = {}
        self.connection: LocalConnection = servers.connection

    @property
    def uri(self) -> str:
        return self.connection.neo4j_uri

    @property
    def user(self) -> str:
        return self.connection.neo4j_user

    @property
    def password(self) -> str:
        return self.connection.neo4j_password

    @property
    def redis_url(self) -> str:
        return self.connection.redis_url

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._services)

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
        kill(child.identity)
        wait_gone(child.identity, 10.0)
        child.handle.wait()

    def pid(self, name: str) -> int:
        return self._children[name].identity.pid


@contextmanager
def managed_servers(
    data_dir: Path, settings: ServerSettings, environ: Mapping[str, str] = _NOTHING
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
        servers = ManagedServers(prepare(data, settings, ports, environ, _silent))
        try:
            servers.start(*servers.names)
            yield servers
        finally:
            servers.stop(*reversed(servers.names))


def _silent(event: Event) -> None:
    del event
