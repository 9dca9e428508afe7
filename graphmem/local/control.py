"""Acting on a supervisor from outside: start it, ask it to stop, look at what it runs and what that logged."""

import os
import select
import subprocess
import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from graphmem.errors import GraphmemError, LocalServerError, NotFound
from graphmem.local import valkey
from graphmem.local.layout import DataDir
from graphmem.local.neo4j import server as neo4j
from graphmem.local.process import Identity, kill, python_module, stop, tail, wait_gone
from graphmem.local.programs import api_degraded, api_missing, worker_missing, worker_silent
from graphmem.local.state import AlreadyRunning, EndedRun, Event, LocalState, ServiceState, clean_up, hold
from graphmem.private_files import read_secret

LOGS = ("supervisor", "neo4j", "valkey", "worker", "api")
_LONGEST_STOP = 180.0
_FOLLOW = 0.2
_ANSWER_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Order:
    """What ``graphmem up`` was asked for."""

    data_dir: Path
    api_port: int | None = None
    servers_only: bool = False
    detach: bool = False
    recover: bool = False

    def command(self) -> list[str]:
        command = [*python_module("graphmem.local"), "--data-dir", str(self.data_dir)]
        command += [] if self.api_port is None else ["--api-port", str(self.api_port)]
        command += ["--servers-only"] if self.servers_only else []
        command += ["--recover"] if self.recover else []
        return command if self.detach else [*command, "--with-parent"]


class Launched:
    """A supervisor started by this process."""

    def __init__(self, handle: subprocess.Popen[bytes], log: Path) -> None:
        self._handle = handle
        self._log = log
        self._unread = b""

    def events(self) -> Generator[Event]:
        """What it tells, until it has nothing more to tell us.

        Raises:
            GraphmemError: what it failed of.
        """
        while line := self._line():
            event = _parse(line)
            if event.kind == "failed":
                self._handle.wait()
                raise _error(event)
            yield event

    def _line(self) -> bytes:
        """The next line; empty at the end."""
        while b"\n" not in self._unread and (more := self._more()):
            self._unread += more
        line, newline, self._unread = self._unread.partition(b"\n")
        return line + newline

    def _more(self) -> bytes:
        """What there is to read. Waits in short turns: a signal that comes right before a read would not end it."""
        if self._handle.stdout is None:
            return b""
        pipe = self._handle.stdout.fileno()
        while not select.select([pipe], [], [], _FOLLOW)[0]:
            pass
        return os.read(pipe, 65536)

    def log_tail(self) -> str:
        return tail(self._log)

    def ask_to_stop(self) -> None:
        self._handle.terminate()


def _error(event: Event) -> GraphmemError:
    """The error that a supervisor ended with, as if it had been raised here."""
    kinds = [GraphmemError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    return next((kind for kind in kinds if kind.slug == event.error), LocalServerError)(event.text)


def _parse(line: bytes) -> Event:
    try:
        return Event.model_validate_json(line)
    except ValidationError:
        return Event(kind="note", text=line.decode("utf-8", "replace").strip())


def launch(order: Order, environ: Mapping[str, str]) -> Launched:
    """Start a supervisor in a session of its own; unless detached, it stops everything when this process ends.

    Raises:
        LocalServerError: the data directory cannot be used.
    """
    data = DataDir(order.data_dir)
    log = data.log("supervisor")
    try:
        data.create()
        with log.open("ab") as errors:
            handle = subprocess.Popen(
                order.command(),
                env=dict(environ),
                stdin=subprocess.DEVNULL if order.detach else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
    except OSError as error:
        raise LocalServerError(f"{error.filename or data.root} cannot be used: {error.strerror or error}.") from error
    return Launched(handle, log)


def down(data_dir: Path) -> bool:
    """Stop everything of a data directory and wait until it is gone; whether there was anything.

    Raises:
        LocalServerError: something does not end.
    """
    state = LocalState.read(data_dir)
    if state is None:
        return False
    identities = [service.process for service in state.services]
    was_running = any(identity.is_alive() for identity in (state.supervisor, *identities))
    stop(state.supervisor, _LONGEST_STOP)
    _stop_leftovers(DataDir(data_dir))
    for identity in identities:
        if not wait_gone(identity, 0.5):
            kill(identity)
        if not wait_gone(identity, 10.0):
            raise LocalServerError(f"Process {identity.pid} does not end. Stop it by hand.")
    return was_running


def _stop_leftovers(data: DataDir) -> None:
    try:
        with hold(data):
            clean_up(data, lambda _event: None)
    except AlreadyRunning:
        return  # somebody started it anew in the meantime


class ServiceStatus(BaseModel):
    """One service as it is now. ``missing`` says what keeps it from serving, ``degraded`` what it goes without.

    ``restarts`` since ``graphmem up``, ``last_error`` of the last one; ``next_try_at``: when it is started again.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    title: str
    pid: int
    alive: bool
    missing: str | None
    degraded: str | None = None
    restarts: int = 0
    next_try_at: datetime | None = None
    last_error: str | None = None


class LocalStatus(BaseModel):
    """Everything of one data directory as it is now. ``ended``: why nothing runs, where nobody had stopped it."""

    model_config = ConfigDict(frozen=True)

    running: bool
    ready: bool
    data_dir: Path
    state: LocalState | None
    services: tuple[ServiceStatus, ...]
    ended: EndedRun | None = None


def status(data_dir: Path) -> LocalStatus:
    """Look at every service of a data directory, now."""
    state = LocalState.read(data_dir)
    services = tuple(_look(state, service) for service in state.services) if state else ()
    running = state is not None and state.is_running()
    ready = running and state is not None and state.ready and all(not service.missing for service in services)
    ended = None if running else EndedRun.read(DataDir(data_dir))
    return LocalStatus(running=running, ready=ready, data_dir=data_dir, state=state, services=services, ended=ended)


def neo4j_password(status: LocalStatus) -> str | None:
    """The password of the managed Neo4j; None before its first start, or where Neo4j is not managed."""
    if status.state is not None and status.running and status.state.neo4j_uri is None:
        return None
    return read_secret(DataDir(status.data_dir).neo4j_password)


def _look(state: LocalState, service: ServiceState) -> ServiceStatus:
    alive = service.process.is_alive()
    missing = _missing(state, service.name, service.process) if alive else "it is not running"
    serves_api = missing is None and service.name == "api"
    degraded = api_degraded(service.process.pid, state.ports.api) if serves_api else None
    restarts = service.model_dump(exclude={"process"})
    return ServiceStatus(**restarts, pid=service.process.pid, alive=alive, missing=missing, degraded=degraded)


def _missing(state: LocalState, name: str, process: Identity) -> str | None:
    data = DataDir(state.data_dir)
    match name:
        case "neo4j":
            password = read_secret(data.neo4j_password) or ""
            return neo4j.probe(process.pid, state.ports) or neo4j.refusal(
                state.neo4j_uri or "", password, _ANSWER_SECONDS
            )
        case "valkey":
            return valkey.probe(data.socket())
        case "worker":
            return worker_missing(data.run, process.pid) or worker_silent(data.run, process.pid)
        case "api":
            return api_missing(process.pid, state.ports.api)
        case _:
            return None


def logs(data_dir: Path, service: str | None, lines: int) -> list[tuple[str, str]]:
    """The last lines of one log, or of every log that there is, each with its name.

    Raises:
        NotFound: there is no such service, or it has not logged anything yet.
    """
    names = LOGS if service is None else (_known(service),)
    ends = [(name, tail(DataDir(data_dir).log(name), lines)) for name in names]
    if service is not None and not DataDir(data_dir).log(service).exists():
        raise NotFound(f"{service} has not logged anything in {data_dir} yet.")
    return [(name, text) for name, text in ends if text]


def follow(data_dir: Path, service: str | None) -> Iterator[tuple[str, str]]:
    """Lines as they are written to one log, or to any, each with its name; never ends by itself."""
    names = LOGS if service is None else (_known(service),)
    paths = {name: DataDir(data_dir).log(name) for name in names}
    positions = {name: _end(path) for name, path in paths.items()}
    while True:
        for name, path in paths.items():
            text, positions[name] = _since(path, positions[name])
            yield from ((name, line) for line in text.splitlines())
        time.sleep(_FOLLOW)


def _known(service: str) -> str:
    if service not in LOGS:
        raise NotFound(f"There is no service {service!r}; there are {', '.join(LOGS)}.")
    return service


def _end(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _since(path: Path, position: int) -> tuple[str, int]:
    """The whole lines after a position; from the beginning again when the log was put aside."""
    if not path.exists():
        return "", 0
    with path.open("rb") as file:
        file.seek(position if position <= os.fstat(file.fileno()).st_size else 0)
        text, newline, _rest = file.read().rpartition(b"\n")
        return text.decode("utf-8", "replace"), file.tell() - len(_rest) if newline else position
