"""What runs for a data directory: who holds it, ``run/state.json`` as its supervisor writes it, and what that tells."""

import fcntl
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError

from graphmem.errors import LocalServerError
from graphmem.local.layout import DataDir
from graphmem.local.ports import Ports
from graphmem.local.process import Identity, stop
from graphmem.private_files import read_secret, write_private
from graphmem.settings.servers import ServerSettings


class AlreadyRunning(Exception):
    """Another supervisor holds the data directory."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Event(_Record):
    """One thing that a supervisor tells whoever started it, as one JSON object a line.

    ``text`` is for people; ``error`` names its kind; the numbers belong to ``download``.
    """

    kind: Literal["note", "download", "starting", "started", "ready", "already", "stopping", "stopped", "failed"]
    text: str = ""
    error: str = ""
    files: int = 0
    files_total: int = 0
    bytes: int = 0
    bytes_total: int = 0


Tell = Callable[[Event], None]


class ServiceState(_Record):
    """One service: the process that it has, or had last, and what it has been through since the supervisor runs.

    ``next_try_at`` is there while it waits to be started again; ``last_error`` is one line.
    """

    name: str
    title: str
    process: Identity
    restarts: int = 0
    next_try_at: datetime | None = None
    last_error: str | None = None


class LocalConnection(_Record):
    """How to reach the servers of a data directory. Holds secrets: not for logs."""

    neo4j_uri: str
    neo4j_user: str
    neo4j_password: str
    redis_url: str
    api_url: str | None
    api_token: str | None


class LocalState(_Record):
    """What runs for one data directory. Without secrets; addresses of servers of one's own stay in the settings."""

    graphmem_version: str
    neo4j_version: str | None = None
    data_dir: Path
    started_at: datetime
    ready: bool = False
    supervisor: Identity
    services: tuple[ServiceState, ...] = ()
    ports: Ports
    neo4j_uri: str | None = None
    redis_url: str | None = None
    api_url: str | None = None
    browser_url: str | None = None

    @classmethod
    def read(cls, data_dir: Path) -> "LocalState | None":
        """The recorded state, or None. What it records need not be alive: see ``is_running``.

        Raises:
            LocalServerError: the file is damaged.
        """
        path = DataDir(data_dir).state
        try:
            return cls.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except ValidationError as error:
            raise LocalServerError(f"{path} is damaged; stop the servers of {data_dir} and remove it.") from error

    def write(self) -> None:
        write_private(DataDir(self.data_dir).state, self.model_dump_json(indent=2))

    def is_running(self) -> bool:
        return self.supervisor.is_alive()

    def service(self, name: str) -> ServiceState | None:
        return next((service for service in self.services if service.name == name), None)


class EndedRun(_Record):
    """How the last run of a data directory ended, where nobody had asked it to: what, when, and with which words."""

    at: datetime
    text: str

    @classmethod
    def read(cls, data: DataDir) -> "EndedRun | None":
        try:
            return cls.model_validate_json(data.ended.read_bytes())
        except (FileNotFoundError, ValidationError):
            return None

    def write(self, data: DataDir) -> None:
        write_private(data.ended, self.model_dump_json(indent=2))


def connection(data_dir: Path, settings: ServerSettings) -> LocalConnection | None:
    """How to reach what runs for this data directory, or None where nothing does."""
    state, data = LocalState.read(data_dir), DataDir(data_dir)
    if state is None or not state.is_running():
        return None
    managed = state.neo4j_uri is not None
    return LocalConnection(
        neo4j_uri=state.neo4j_uri or settings.neo4j.uri or "",
        neo4j_user="neo4j" if managed else settings.neo4j.user,
        neo4j_password=(read_secret(data.neo4j_password) or "") if managed else revealed(settings.neo4j.password),
        redis_url=state.redis_url or revealed(settings.redis.url),
        api_url=state.api_url,
        api_token=read_secret(data.api_token),
    )


def revealed(secret: SecretStr | None) -> str:
    """The text of a secret; empty where there is none."""
    return secret.get_secret_value() if secret else ""


def remembered_ports(data: DataDir) -> Ports | None:
    """The ports that this data directory had last."""
    try:
        return Ports.model_validate_json(data.ports.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def remember_ports(data: DataDir, ports: Ports) -> None:
    write_private(data.ports, ports.model_dump_json())


@contextmanager
def hold(data: DataDir) -> Generator[None]:
    """Hold the data directory for as long as this process lives, at most.

    Raises:
        AlreadyRunning: somebody else holds it.
    """
    data.create()
    with (data.run / "supervisor.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise AlreadyRunning from error
        yield


def clean_up(data: DataDir, tell: Tell) -> None:
    """Stop what a killed supervisor left running, and remove what it left lying."""
    state = LocalState.read(data.root)
    left = [service for service in reversed(state.services) if service.process.is_alive()] if state else []
    if left:
        titles = ", ".join(service.title for service in left)
        tell(Event(kind="note", text=f"An earlier supervisor was killed; stopping what it left running: {titles}."))
    for service in left:
        stop(service.process, timeout=30.0)
    remove_run_files(data)


def remove_run_files(data: DataDir) -> None:
    for leftover in (*data.run.glob("worker-*.*"), data.socket(), data.browser_page, data.settings, data.state):
        leftover.unlink(missing_ok=True)
