"""The supervisor as a program: what it is asked for, who asks it to stop, and to whom it tells what it does.

    python -m graphmem.local --data-dir D [--api-port N] [--servers-only] [--with-parent] [--recover]

It tells what it does as events on standard output until everything is ready, or, with ``--with-parent``, until its
parent goes away, and then it stops everything.
"""

import argparse
import os
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType

from graphmem.embed.packaged import jars_of
from graphmem.errors import GraphmemError
from graphmem.local.layout import DataDir
from graphmem.local.programs import no_programs, own_programs
from graphmem.local.state import AlreadyRunning, Event, LocalState
from graphmem.local.supervise import Supervisor
from graphmem.settings import load_settings, written_settings
from graphmem.visible import visible, visible_lines

_WATCH = 0.2


class _Signals:
    """Remembers that somebody asked to stop: by a signal, or by going away."""

    def __init__(self, *, with_parent: bool) -> None:
        self._asked = False
        self._with_parent = with_parent
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._remember)

    def _remember(self, _number: int, _frame: FrameType | None) -> None:
        self._asked = True

    def asked(self) -> bool:
        if self._with_parent and not self._asked:
            readable, _, _ = select.select([sys.stdin], [], [], 0)
            # The parent never writes: readable means that its end is closed.
            self._asked = bool(readable)
        return self._asked


class _Voice:
    """Tells events to the parent while it listens, and always to the log."""

    def __init__(self, *, until_ready: bool) -> None:
        self._until_ready = until_ready
        self._heard = True

    def tell(self, event: Event) -> None:
        if event.kind not in {"download", "failed"}:
            moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            _log(f"{moment} {event.kind} {visible(event.text)}")
        if self._heard:
            self._heard = _send(event)
        if event.kind == "ready" and self._until_ready:
            self._heard = False
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _log(line: str) -> None:
    with suppress(OSError):  # of a full disk: what runs is more than its log
        sys.stderr.write(line.rstrip() + "\n")
        sys.stderr.flush()


def _send(event: Event) -> bool:
    try:
        sys.stdout.write(event.model_dump_json(exclude_defaults=True) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def _run_or_find(supervisor: Supervisor) -> None:
    """Run, unless another supervisor runs already: then wait until that one is ready."""
    while True:
        try:
            return supervisor.run()
        except AlreadyRunning:
            state = LocalState.read(supervisor.data.root)
            if state and state.ready and state.is_running():
                return supervisor.tell(Event(kind="already"))
        if supervisor.asked_to_stop():
            return None
        time.sleep(_WATCH)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m graphmem.local")
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--api-port", type=int)
    parser.add_argument("--servers-only", action="store_true")
    parser.add_argument("--with-parent", action="store_true")
    parser.add_argument("--recover", action="store_true")
    options = parser.parse_args()
    voice, signals = _Voice(until_ready=not options.with_parent), _Signals(with_parent=options.with_parent)
    api = {} if options.api_port is None else {"api": {"port": options.api_port}}
    try:
        written = written_settings()
        settings = load_settings(data_dir=options.data_dir, written=written, **api)
        environ = dict(os.environ)  # noqa: TID251 - handed on to the children
        programs = no_programs if options.servers_only else own_programs
        data = DataDir(settings.data_dir)
        supervisor = Supervisor(
            data,
            settings,
            environ,
            voice.tell,
            signals.asked,
            programs,
            recover=options.recover,
            written=written,
            weights=jars_of(settings.embedding),
        )
        _run_or_find(supervisor)
    except GraphmemError as error:
        voice.tell(Event(kind="failed", text=str(error), error=error.slug))
        _log(f"Error: {visible_lines(str(error))}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
