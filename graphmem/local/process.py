"""Child processes: start in a session of their own, tell whether they answer, stop for certain.

A process is known by its number *and* its moment of creation, so that a number which the system has given to
somebody else in the meantime is never signalled.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
from pydantic import BaseModel, ConfigDict

from graphmem.errors import LocalServerError

Probe = Callable[[int], str | None]
"""Takes the process number; returns what is missing for the service to be ready, None when it is ready."""

Diagnose = Callable[[], str | None]
"""Says cause and cure of what a process does not survive, as far as its logs tell; None where they do not."""

_DIAGNOSE_AGAIN = 1.0
_LARGEST_LOG = 10 * 1024 * 1024
_SAME_MOMENT = 2.0  # seconds: the system derives creation times from a boot time that it may adjust
_POLL = 0.05


class Identity(BaseModel):
    """A process that cannot be mistaken for another."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pid: int
    create_time: float

    @classmethod
    def of(cls, pid: int) -> "Identity":
        return cls(pid=pid, create_time=psutil.Process(pid).create_time())

    def process(self) -> psutil.Process | None:
        """The live process, or None when it has ended (a zombie has)."""
        try:
            process = psutil.Process(self.pid)
            # While threads of a zombie still end, it holds its files, locks and ports.
            if process.status() == psutil.STATUS_ZOMBIE and process.num_threads() <= 1:
                return None
            return process if abs(process.create_time() - self.create_time) < _SAME_MOMENT else None
        except psutil.NoSuchProcess:
            return None

    def is_alive(self) -> bool:
        return self.process() is not None


@dataclass(frozen=True, slots=True)
class Service:
    """How one service is started, asked and stopped."""

    name: str
    title: str
    command: tuple[str, ...]
    environ: Mapping[str, str]
    log: Path
    probe: Probe
    answers: Probe | None = None  # whether it answers at all, where it may not be ready for reasons of others
    watch_logs: Callable[[], Diagnose] | None = None  # called before each start
    least_space: int = 0  # bytes, on the disk of its log, without which it is neither judged nor started
    folder: Path | None = None  # where it runs; None: where we do
    start_timeout: float = 120.0
    stop_timeout: float = 20.0


def _nothing_known() -> None:
    """Without logs that are understood, nothing is known."""


@dataclass(frozen=True, slots=True)
class Child:
    """One started process of a service."""

    service: Service
    identity: Identity
    handle: subprocess.Popen[bytes]
    started: float  # on the monotonic clock
    diagnose: Diagnose = _nothing_known

    def exit_code(self) -> int | None:
        return self.handle.poll()


def python_module(name: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a module of ours; ``-P`` keeps Python from importing what lies in the working directory."""
    return (sys.executable, "-P", "-m", name, *arguments)


def start(service: Service) -> Child:
    """Start a service in a session of its own, so that Ctrl-C in a terminal reaches the supervisor alone.

    Raises:
        LocalServerError: the program cannot be executed.
    """
    rotate(service.log)
    diagnose = service.watch_logs() if service.watch_logs else _nothing_known
    with service.log.open("ab") as log:
        try:
            handle = subprocess.Popen(
                service.command,
                env=dict(service.environ),
                cwd=service.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise LocalServerError(f"{service.title} cannot be started: {error.strerror or error}.") from error
    return Child(service, Identity.of(handle.pid), handle, time.monotonic(), diagnose)


def rotate(log: Path) -> None:
    """Put a log that has grown large aside; one older generation is kept."""
    if log.exists() and log.stat().st_size > _LARGEST_LOG:
        log.replace(log.with_suffix(".log.1"))


def tail(log: Path, lines: int = 15) -> str:
    """The last lines of a log."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 64 * 1024))
            text = file.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    return "\n".join(text.splitlines()[-lines:])


Again = Callable[[Child, int], Child | None]
"""Starts a service again that ended at its start with this exit code; None where that would be in vain."""


def _never(_child: Child, _code: int) -> None:
    """Who ends at its start is not started again."""


def wait_ready(
    children: Sequence[Child], check: Callable[[], None], ready: Callable[[Child], None], again: Again = _never
) -> None:
    """Wait until every child is ready. Who needs another comes after it.

    ``check`` is called again and again and may raise to end the wait; ``ready`` is called once for each child.

    Raises:
        LocalServerError: a child ended, does not survive what its logs say, or is not ready in time.
    """
    started, waiting, diagnosed = list(children), list(children), time.monotonic()
    while waiting:
        check()
        _replace_ended(started, waiting, again)
        for child in tuple(waiting):
            if _is_ready(child):
                waiting.remove(child)
                ready(child)
        if time.monotonic() > diagnosed + _DIAGNOSE_AGAIN:
            diagnosed = time.monotonic()
            _refuse_hopeless(waiting)
        time.sleep(_POLL)


def _replace_ended(started: list[Child], waiting: list[Child], again: Again) -> None:
    """Start the first process again of those that ended: it is the cause, and others may have ended because of it.

    The exit codes are read from the last to the first: by then, what needs the first one may have ended too.

    Raises:
        LocalServerError: ``again`` starts none in its place.
    """
    ended = [(child, code) for child in reversed(started) if (code := child.exit_code()) is not None]
    if not ended:
        return
    child, code = ended[-1]
    replacement = again(child, code)
    if replacement is None:
        title, cause = child.service.title, child.diagnose()
        why = f" {cause}" if cause else ""
        raise LocalServerError(f"{title} ended at start ({describe_exit(code)}).{why}{_end_of_log(child.service)}")
    started[started.index(child)] = replacement
    waiting[:] = [replacement if other is child else other for other in waiting]


def _refuse_hopeless(children: Sequence[Child]) -> None:
    for child in children:
        cause = child.diagnose()
        if cause is not None:
            raise LocalServerError(f"{child.service.title} cannot start. {cause}")


def _is_ready(child: Child) -> bool:
    service = child.service
    missing = service.probe(child.identity.pid)
    if missing is not None and time.monotonic() - child.started > service.start_timeout:
        waited = f"{service.start_timeout:.0f} seconds"
        raise LocalServerError(f"{service.title} is not ready after {waited}: {missing}.{_end_of_log(service)}")
    return missing is None


def _end_of_log(service: Service) -> str:
    end = tail(service.log)
    return f" The end of {service.log}:\n{end}" if end else f" {service.log} is empty."


def describe_exit(code: int) -> str:
    """An exit code in words."""
    names = {number.value: number.name for number in signal.Signals}  # real-time signals have none
    return f"killed by {names.get(-code, f'signal {-code}')}" if code < 0 else f"exit code {code}"


def stop(identity: Identity, timeout: float) -> None:
    """End a process: ask, wait, then kill it and what is left of its session."""
    process = identity.process()
    if process is None:
        return
    try:
        process.terminate()
    except psutil.NoSuchProcess:
        return
    if not wait_gone(identity, timeout):
        kill(identity, wait=10.0)


def kill(identity: Identity, *, wait: float = 0) -> None:
    """Kill a process at once, with its process group where it leads one; wait for its end so many seconds."""
    process = identity.process()
    if process is None:
        return
    try:
        if os.getpgid(identity.pid) == identity.pid:
            os.killpg(identity.pid, signal.SIGKILL)
        else:
            process.kill()
    except (ProcessLookupError, psutil.NoSuchProcess):
        return
    if wait:
        wait_gone(identity, wait)


def wait_gone(identity: Identity, timeout: float) -> bool:
    """Wait for the end of a process, of a child of ours or of somebody else's; whether it came in time."""
    deadline = time.monotonic() + timeout
    while identity.is_alive():
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL)
    return True
