"""The supervisor of one data directory: starts the servers and graphmem's own processes, watches them, stops them.

It holds a lock on the data directory that dies with it.
"""

import errno
import fcntl
import json
import os
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from graphmem import __version__
from graphmem.clock import utc_now
from graphmem.errors import GraphmemError, LocalServerError
from graphmem.local.events import Event, Tell
from graphmem.local.layout import DataDir, ensure_secret
from graphmem.local.neo4j.aot import AotCache, Trainer
from graphmem.local.neo4j.server import pinned_version
from graphmem.local.ports import LOOPBACK, Ports, Reservations
from graphmem.local.process import Child, Identity, Service, describe_exit, start, stop, tail, wait_ready
from graphmem.local.programs import Programs, guide_url, no_programs, own_programs, program_environment
from graphmem.local.servers import Servers, find_ports, prepare
from graphmem.local.state import Ended, LocalState, ServiceState, forget_end, state_file
from graphmem.private_files import write_private
from graphmem.settings import Settings, Written

_WATCH = 0.2
_QUICK = 60.0  # seconds: who lives longer has not died of its start
_HOPELESS = 5
_LONGEST_PAUSE = 10.0


class AlreadyRunning(Exception):
    """Another supervisor holds the data directory."""


class _Interrupted(Exception):
    """Asked to stop."""


@dataclass(frozen=True, slots=True)
class Deaths:
    """How often a service died in quick succession, and what follows from it."""

    count: int = 0

    def another(self, lived: float) -> "Deaths":
        return Deaths(self.count + 1 if lived < _QUICK else 1)

    @property
    def pause(self) -> float:
        return min(0.5 * 2 ** (self.count - 1), _LONGEST_PAUSE)

    @property
    def hopeless(self) -> bool:
        return self.count >= _HOPELESS


@dataclass(slots=True)
class _Place:
    """One service in its place: the process it has now, its history, and when it is to be started again."""

    child: Child
    deaths: Deaths = Deaths()
    due: float | None = None


@dataclass(slots=True)
class Supervisor:
    """Runs everything of one data directory, once."""

    data: DataDir
    settings: Settings
    environ: Mapping[str, str]
    tell: Tell
    asked_to_stop: Callable[[], bool]
    programs: Programs = own_programs
    written: Written = field(default_factory=dict[str, Any])
    _places: dict[str, _Place] = field(default_factory=dict[str, _Place])
    _state: LocalState | None = None
    _trainer: Trainer | None = None

    def run(self) -> None:
        """Start, watch and stop; returns when asked to stop.

        Raises:
            AlreadyRunning: another supervisor holds the data directory.
            GraphmemError: something cannot be started, or does not stay alive.
        """
        with _storage_errors(self.data), hold(self.data), Reservations() as reservations:
            clean_up(self.data, self.tell)
            try:
                self._start(reservations)
                self._watch()
            except _Interrupted:
                pass
            except GraphmemError as error:
                with suppress(OSError):  # of a full disk: the error itself is told all the same
                    Ended(at=utc_now(), text=str(error)).write(self.data)
                raise
            finally:
                self._stop()

    def _start(self, reservations: Reservations) -> None:
        ensure_secret(self.data.api_token)
        ports = find_ports(self.data, self.settings, self.tell, reservations)
        self._state = _first_state(self.data, ports)
        self._state.write()
        # Without an API nobody would serve a guide.
        guide = None if self.programs is no_programs else guide_url(ports, ensure_secret(self.data.guide_key))
        servers = prepare(self.data, self.settings, ports, self.environ, self._tell_unless_asked, guide)
        self._state = _with_servers(self._state, servers)
        browser_origin = servers.neo4j.browser_origin if servers.neo4j else None
        environ = program_environment(self.environ, self.data, ports, servers.connection, browser_origin)
        write_private(self.data.settings, json.dumps(self.written))
        # All at once: the programs load their models while the servers start, and then wait for them.
        self._start_services((*servers.services, *self.programs(self.data, ports, environ)))
        self._record(ready=True)
        forget_end(self.data)
        self.tell(Event(kind="ready"))
        if servers.aot:
            self._train(servers.aot)

    def _train(self, aot: AotCache) -> None:
        with suppress(OSError, LocalServerError):  # what only makes later starts faster
            aot.tidy()
            if aot.is_wanted():
                self._trainer = Trainer(self.environ, self.data.log("training"))
                text = "Once, in the background, it is recorded how Neo4j starts: later starts will be faster."
                self.tell(Event(kind="note", text=text))

    def _start_services(self, services: tuple[Service, ...]) -> None:
        children: list[Child] = []
        for service in services:
            self._check()
            self.tell(Event(kind="starting", text=service.title))
            children.append(start(service))
            self._places[service.name] = _Place(children[-1])
            self._record()
        wait_ready(children, self._check, lambda child: self.tell(Event(kind="started", text=child.service.title)))

    def _watch(self) -> None:
        while not self.asked_to_stop():
            for place in self._places.values():
                if place.due is None and place.child.exit_code() is not None:
                    self._mourn(place)
                elif place.due is not None and time.monotonic() >= place.due:
                    self._revive(place)
            if self._trainer and self._trainer.is_over():
                self._trainer = None
            time.sleep(_WATCH)

    def _mourn(self, place: _Place) -> None:
        service, code = place.child.service, place.child.exit_code() or 0
        place.deaths = place.deaths.another(time.monotonic() - place.child.started)
        if place.deaths.hopeless:
            raise LocalServerError(
                f"{service.title} ended {place.deaths.count} times in quick succession ({describe_exit(code)}). "
                f"The end of {service.log}:\n{tail(service.log)}"
            )
        place.due = time.monotonic() + place.deaths.pause
        text = f"{service.title} ended unexpectedly ({describe_exit(code)}); it is started again."
        self.tell(Event(kind="note", text=text))

    def _revive(self, place: _Place) -> None:
        place.child, place.due = start(place.child.service), None
        self._record()

    def _stop(self) -> None:
        if self._trainer:
            self._trainer.stop()
        for place in reversed(self._places.values()):
            child = place.child
            if child.exit_code() is None:
                self.tell(Event(kind="stopping", text=child.service.title))
                stop(child.identity, child.service.stop_timeout)
                child.handle.wait()
        _remove_run_files(self.data)
        self.tell(Event(kind="stopped"))

    def _check(self) -> None:
        if self.asked_to_stop():
            raise _Interrupted

    def _tell_unless_asked(self, event: Event) -> None:
        self._check()
        self.tell(event)

    def _record(self, *, ready: bool = False) -> None:
        if self._state is None:
            return
        services = tuple(
            ServiceState(name=name, title=place.child.service.title, process=place.child.identity)
            for name, place in self._places.items()
        )
        api_url = f"http://{LOOPBACK}:{self._state.ports.api}" if "api" in self._places else None
        ready = ready or self._state.ready
        self._state = self._state.model_copy(update={"services": services, "api_url": api_url, "ready": ready})
        self._state.write()


def _first_state(data: DataDir, ports: Ports) -> LocalState:
    supervisor = Identity.of(os.getpid())
    return LocalState(
        graphmem_version=__version__,
        neo4j_version=None,
        data_dir=data.root,
        started_at=datetime.fromtimestamp(supervisor.create_time, UTC),
        ready=False,
        supervisor=supervisor,
        services=(),
        ports=ports,
        neo4j_uri=None,
        redis_url=None,
        api_url=None,
        browser_url=None,
    )


def _with_servers(state: LocalState, servers: Servers) -> LocalState:
    found: dict[str, str | None] = {}
    if servers.neo4j:
        found |= {"neo4j_uri": servers.neo4j.uri, "browser_url": servers.neo4j.browser_url}
        found["neo4j_version"] = pinned_version()
    if servers.valkey:
        found["redis_url"] = servers.valkey.url
    return state.model_copy(update=found)


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
    _remove_run_files(data)


def _remove_run_files(data: DataDir) -> None:
    for leftover in (*data.run.glob("worker-*.*"), data.socket(), data.browser_page, data.settings, state_file(data)):
        leftover.unlink(missing_ok=True)


@contextmanager
def _storage_errors(data: DataDir) -> Generator[None]:
    """Say in words what the operating system refuses."""
    try:
        yield
    except OSError as error:
        where = error.filename or data.root
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise LocalServerError(f"The disk of {where} is full. Make room and try again.") from error
        raise LocalServerError(f"{where} cannot be used: {error.strerror or error}.") from error
