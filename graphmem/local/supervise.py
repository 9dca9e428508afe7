"""The supervisor of one data directory: starts the servers and graphmem's own processes, watches them, stops them.

It holds a lock on the data directory that dies with it.
"""

import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem import __version__
from graphmem.clock import utc_now
from graphmem.errors import GraphmemError, LocalServerError
from graphmem.local.layout import DataDir, storage_errors
from graphmem.local.neo4j.java import AotCache, Trainer
from graphmem.local.neo4j.server import pinned_version
from graphmem.local.ports import LOOPBACK, Ports, Reservations
from graphmem.local.process import Child, Identity, Probe, Service, describe_exit, kill, start, stop, tail, wait_ready
from graphmem.local.programs import Programs, guide_url, no_programs, own_programs, program_environment
from graphmem.local.servers import Servers, find_ports, prepare
from graphmem.local.state import EndedRun, Event, LocalState, ServiceState, Tell, clean_up, hold, remove_run_files
from graphmem.private_files import ensure_secret, write_private
from graphmem.process.fetch import Jar
from graphmem.settings.servers import ServerSettings

_QUICK = 60.0  # seconds: who lives longer has not died of its start
_FIRST_PAUSE = 0.5
_MOST_DOUBLINGS = 20

_WATCH = 0.2
_RECOVERED = (
    "What could not be read of Neo4j's transaction logs, if anything, is cut off: the last writes may be missing. "
    "Make a backup before you go on."
)
_TRIES_AT_START = 5
_LONGEST_LINE = 300


@dataclass(frozen=True, slots=True)
class Restarts:
    """What one service has been through.

    ``count`` restarts since the supervisor runs; ``quick`` ends in quick succession; ``unanswered`` checks in a row.
    """

    count: int = 0
    quick: int = 0
    unanswered: int = 0

    def ended(self, lived: float) -> "Restarts":
        """After the end of a process that lived so many seconds, or that could not be started (0)."""
        return Restarts(self.count, self.quick + 1 if lived < _QUICK else 1)

    def started(self) -> "Restarts":
        return replace(self, count=self.count + 1, unanswered=0)

    def checked(self, *, answered: bool) -> "Restarts":
        return replace(self, unanswered=0 if answered else self.unanswered + 1)

    def pause(self, longest: float) -> float:
        """Seconds until it is started again: twice as many with each quick end."""
        return min(_FIRST_PAUSE * 2 ** min(max(0, self.quick - 1), _MOST_DOUBLINGS), longest)


class RunningCheck:
    """One question to one process, asked in the background."""

    def __init__(self, probe: Probe, pid: int) -> None:
        self._began = time.monotonic()
        self._missing: str | None = None
        self._over = threading.Event()
        threading.Thread(target=self._ask, args=(probe, pid), daemon=True).start()

    def _ask(self, probe: Probe, pid: int) -> None:
        try:
            self._missing = probe(pid)
        except Exception as error:  # noqa: BLE001 - the edge: whatever it is, the process does not answer
            self._missing = f"it cannot be asked ({error!r})"
        self._over.set()

    def is_over(self, limit: float) -> bool:
        """Whether there is an answer, or none came within so many seconds."""
        return self._over.is_set() or time.monotonic() - self._began > limit

    @property
    def missing(self) -> str | None:
        """What is missing for the process to answer; None where it does."""
        if self._over.is_set():
            return self._missing
        return f"it has not answered for {time.monotonic() - self._began:.0f} seconds"


class _Interrupted(Exception):
    """Asked to stop."""


@dataclass(slots=True)
class _Place:
    """One service in its place: the process that it has, or had last, and what it has been through.

    ``due`` is there while it waits to be started again, ``check`` while it is asked whether it answers. Until it is
    ``ready`` for the first time, it may take the time that its start takes.
    """

    child: Child
    restarts: Restarts = field(default_factory=Restarts)
    due: float | None = None
    next_try_at: datetime | None = None
    last_error: str | None = None
    check: RunningCheck | None = None
    checked: float = 0.0
    ready: bool = False

    @property
    def name(self) -> str:
        return self.child.service.name

    @property
    def title(self) -> str:
        return self.child.service.title

    @property
    def probe(self) -> Probe:
        service = self.child.service
        return (service.answers or service.probe) if self.ready else service.probe

    def lived(self) -> float:
        return time.monotonic() - self.child.started

    def has_space(self) -> bool:
        """Whether its disk has what it needs at the least."""
        service = self.child.service
        try:
            return not service.least_space or shutil.disk_usage(service.log.parent).free >= service.least_space
        except OSError:  # its folder is gone, which is another fault
            return True

    def state(self) -> ServiceState:
        return ServiceState(
            name=self.name,
            title=self.title,
            process=self.child.identity,
            restarts=self.restarts.count,
            next_try_at=self.next_try_at,
            last_error=self.last_error,
        )


@dataclass(slots=True)
class Supervisor:
    """Runs everything of one data directory, once. ``weights`` are fetched with the servers, for the programs."""

    data: DataDir
    settings: ServerSettings
    environ: Mapping[str, str]
    tell: Tell
    asked_to_stop: Callable[[], bool]
    programs: Programs = own_programs
    recover: bool = False
    written: Mapping[str, Any] = field(default_factory=dict[str, Any])
    weights: Sequence[Jar] = ()
    _places: dict[str, _Place] = field(default_factory=dict[str, _Place])
    _state: LocalState | None = None
    _written: LocalState | None = None
    _trainer: Trainer | None = None

    def run(self) -> None:
        """Start, watch and stop; returns when asked to stop.

        Raises:
            AlreadyRunning: another supervisor holds the data directory.
            GraphmemError: something cannot be started for the first time.
        """
        with storage_errors(self.data.root), hold(self.data), Reservations() as reservations:
            clean_up(self.data, self.tell)
            try:
                self._start(reservations)
                self._watch()
            except _Interrupted:
                pass
            except GraphmemError as error:
                with suppress(OSError):  # of a full disk: the error itself is told all the same
                    EndedRun(at=utc_now(), text=str(error)).write(self.data)
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
        servers = prepare(
            self.data,
            self.settings,
            ports,
            self.environ,
            self._tell_unless_asked,
            guide,
            recover=self.recover,
            weights=self.weights,
        )
        self._state = _with_servers(self._state, servers)
        browser_origin = servers.neo4j.browser_origin if servers.neo4j else None
        disk = (self.settings.disk.path or self.data.root) if servers.neo4j else None
        environ = program_environment(self.environ, self.data, ports, servers.connection, browser_origin, disk)
        write_private(self.data.settings, json.dumps(self.written))
        # All at once: the programs load their models while the servers start, and then wait for them.
        self._start_services((*servers.services, *self.programs(self.data, ports, environ)))
        if servers.neo4j and self.recover:
            servers.neo4j.configure(recover=False)  # a restart must not cut off any more
            self._note(_RECOVERED)
        self._record(ready=True)
        self.data.ended.unlink(missing_ok=True)
        self.tell(Event(kind="ready"))
        if servers.aot:
            self._train(servers.aot)

    def _train(self, aot: AotCache) -> None:
        with suppress(OSError, LocalServerError):  # what only makes later starts faster
            aot.tidy()
            if aot.is_wanted():
                self._trainer = Trainer(self.environ, self.data.log("training"))
                self._note("Once, in the background, it is recorded how Neo4j starts: later starts will be faster.")

    def _start_services(self, services: tuple[Service, ...]) -> None:
        children: list[Child] = []
        for service in services:
            self._check()
            self.tell(Event(kind="starting", text=service.title))
            children.append(start(service))
            self._places[service.name] = _Place(children[-1])
            self._record()
        wait_ready(children, self._check, self._started, self._again)

    def _started(self, child: Child) -> None:
        place = self._places[child.service.name]
        place.ready, place.checked = True, time.monotonic()
        self.tell(Event(kind="started", text=child.service.title))

    def _again(self, child: Child, code: int) -> Child | None:
        """A new process for one that did not get, at the first start, what may be there in a moment."""
        place = self._places[child.service.name]
        if code != os.EX_TEMPFAIL or place.restarts.quick >= _TRIES_AT_START:
            return None
        self._mourn(place)
        self._sleep((place.due or 0) - time.monotonic())
        self._revive(place)
        return place.child

    def _sleep(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._check()
            time.sleep(_WATCH)

    def _watch(self) -> None:
        while not self.asked_to_stop():
            for place in self._places.values():
                self._look_after(place)
            self._record()
            if self._trainer and self._trainer.is_over():
                self._trainer = None
            time.sleep(_WATCH)

    def _look_after(self, place: _Place) -> None:
        if place.due is not None:
            if time.monotonic() >= place.due:
                self._revive(place)
        elif place.child.exit_code() is not None:
            self._mourn(place)
        else:
            self._ask(place)

    def _ask(self, place: _Place) -> None:
        """Ask a process whether it answers; who does not, time and again, is killed."""
        settings = self.settings.supervisor
        if place.check is None:
            if time.monotonic() >= place.checked + settings.check_seconds:
                place.check = RunningCheck(place.probe, place.child.identity.pid)
        elif place.check.is_over(settings.check_timeout):
            missing, place.check, place.checked = place.check.missing, None, time.monotonic()
            self._judge(place, missing)

    def _judge(self, place: _Place, missing: str | None) -> None:
        if missing is None:
            if not place.ready or place.restarts.unanswered:
                self._note(f"{place.title} answers again.")
            place.ready, place.restarts = True, place.restarts.checked(answered=True)
            return
        place.last_error = _one_line(missing)
        if not place.ready:
            if place.lived() > place.child.service.start_timeout:
                self._kill(place, f"is not ready after {place.lived():.0f} seconds")
        elif place.has_space():
            place.restarts = place.restarts.checked(answered=False)
            if place.restarts.unanswered >= self.settings.supervisor.check_failures:
                self._kill(place, f"has not answered {place.restarts.unanswered} times in a row")

    def _kill(self, place: _Place, why: str) -> None:
        """Kill a process that does not answer: one that is stopped or hangs takes no other signal."""
        self._note(f"{place.title} {why} ({place.last_error}); it is killed.")
        kill(place.child.identity)
        self._wait_for_next_try(place)

    def _mourn(self, place: _Place) -> None:
        cause = place.child.diagnose() or _one_line(tail(place.child.service.log, 1))
        how = describe_exit(place.child.exit_code() or 0)
        place.last_error = f"{how}: {cause}" if cause else how
        self._wait_for_next_try(place)
        self._note(f"{place.title} ended unexpectedly ({how}); it is started again.")

    def _wait_for_next_try(self, place: _Place) -> None:
        place.restarts = place.restarts.ended(place.lived())
        self._postpone(place)

    def _postpone(self, place: _Place) -> None:
        pause = place.restarts.pause(self.settings.supervisor.longest_pause)
        place.due, place.next_try_at = time.monotonic() + pause, utc_now() + timedelta(seconds=pause)
        place.ready, place.check = False, None

    def _revive(self, place: _Place) -> None:
        """Start a service again; where that is impossible now, later."""
        if place.child.exit_code() is None:  # killed, and held by the system
            return self._postpone(place)
        if not place.has_space():
            place.last_error = f"The disk of {self.data.root} is full. Free space there."
            return self._postpone(place)
        try:
            place.child = start(place.child.service)
        except (LocalServerError, OSError) as error:
            place.last_error = _one_line(str(error))
            place.restarts = place.restarts.ended(0)
            return self._postpone(place)
        place.due, place.next_try_at, place.checked = None, None, time.monotonic()
        place.restarts = place.restarts.started()
        return None

    def _stop(self) -> None:
        if self._trainer:
            self._trainer.stop()
        for place in reversed(self._places.values()):
            child = place.child
            if child.exit_code() is None:
                self.tell(Event(kind="stopping", text=child.service.title))
                stop(child.identity, child.service.stop_timeout)
                child.handle.wait()
        remove_run_files(self.data)
        self.tell(Event(kind="stopped"))

    def _note(self, text: str) -> None:
        self.tell(Event(kind="note", text=text))

    def _check(self) -> None:
        if self.asked_to_stop():
            raise _Interrupted

    def _tell_unless_asked(self, event: Event) -> None:
        self._check()
        self.tell(event)

    def _record(self, *, ready: bool = False) -> None:
        """Write down what runs, where that has changed."""
        if self._state is None:
            return
        api_url = f"http://{LOOPBACK}:{self._state.ports.api}" if "api" in self._places else None
        update = {
            "services": tuple(place.state() for place in self._places.values()),
            "api_url": api_url,
            "ready": ready or self._state.ready,
        }
        state = self._state.model_copy(update=update)
        if state != self._written:
            with suppress(OSError):  # of a full disk: it is written when there is room
                state.write()
                self._written = state
        self._state = state


def _one_line(text: str) -> str:
    return " ".join(text.split())[:_LONGEST_LINE]


def _first_state(data: DataDir, ports: Ports) -> LocalState:
    supervisor = Identity.of(os.getpid())
    return LocalState(
        graphmem_version=__version__,
        data_dir=data.root,
        started_at=datetime.fromtimestamp(supervisor.create_time, UTC),
        supervisor=supervisor,
        ports=ports,
    )


def _with_servers(state: LocalState, servers: Servers) -> LocalState:
    managed: dict[str, str] = {"redis_url": servers.valkey.url} if servers.valkey else {}
    if servers.neo4j:
        managed |= {"neo4j_uri": servers.neo4j.uri, "browser_url": servers.neo4j.browser_url}
        managed["neo4j_version"] = pinned_version()
    return state.model_copy(update=managed)
