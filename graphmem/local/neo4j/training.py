"""``python -m graphmem.local.neo4j.training``: start Neo4j on an empty folder, so that its JVM records how it starts.

It does what every start does (log in, migrate), tries what was recorded, and only then hands it over. It has the
lowest priority and a folder of its own; nobody waits for it. With ``--when-calm`` it begins when the machine has a
moment to spare. It ends at once when its standard input is closed.
"""

import asyncio
import fcntl
import os
import shutil
import signal
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import psutil

from graphmem.errors import GraphmemError, LocalServerError
from graphmem.local.layout import DataDir, private_folder
from graphmem.local.neo4j.java import WHEN_CALM, AotCache, Java, aot_cache, find_java, making, using
from graphmem.local.neo4j.server import Neo4jServer, jvm_options, pinned_jars
from graphmem.local.ports import Ports, Reservations, choose_ports
from graphmem.local.process import Child, Identity, describe_exit, kill, start, tail, wait_gone, wait_ready
from graphmem.private_files import write_private
from graphmem.process.fetch import default_cache, fetch_jars
from graphmem.settings.servers import Neo4jSettings
from graphmem.visible import visible_lines

_LOWEST = 19
_PATIENCE = 20.0  # seconds; longer than it takes to load the sample
_GLANCE = 2.0
_BUSY = 50.0  # per cent of all processors
_LONGEST = 1800.0  # seconds, for a JVM of lowest priority that writes its file
_SMALL = Neo4jSettings(heap="256m", page_cache="16m", transaction_timeout=600.0, connection_timeout=120.0)


@dataclass(frozen=True, slots=True)
class Training:
    """One training run in a folder that is thrown away."""

    draft: Path
    java: Java
    jars: Sequence[Path]
    environ: Mapping[str, str]

    def run(self, cache: AotCache) -> None:
        """Make the file, try it, and hand it over.

        Raises:
            LocalServerError: Neo4j does not start, or does not write the file.
        """
        made = self.draft / "made.aot"
        with self._neo4j(making(made)) as (server, child, password):
            asyncio.run(_exercise(server, password))
            _end(child)
        with self._neo4j(using(made)) as (_server, child, _password):
            kill(child.identity, wait=10.0)
        cache.publish(made)

    @contextmanager
    def _neo4j(self, options: Sequence[str]) -> Generator[tuple[Neo4jServer, Child, str]]:
        data = DataDir(self.draft / "data")
        data.create()
        with Reservations() as reservations:
            server = Neo4jServer(data, choose_ports(Ports(api=0, bolt=0, http=0), reservations.take), _SMALL)
            password = server.prepare(self.java, self.jars, options)
            child = start(server.service(self.java, self.environ))
            write_private(_record(self.draft), child.identity.model_dump_json())
            wait_ready([child], lambda: None, lambda _child: None)
            yield server, child, password


def _record(draft: Path) -> Path:
    return draft / "neo4j.json"


async def _exercise(server: Neo4jServer, password: str) -> None:
    """What worker and API ask of Neo4j before they are ready."""
    # ruff: noqa: PLC0415 - slow to import
    from graphmem.store.driver import Database, check_server, open_driver
    from graphmem.store.migrations import migrate
    from graphmem.store.queries import cypher_root

    reached = (server.uri, "neo4j", password, server.settings)
    await check_server(*reached)
    database = Database(open_driver(*reached), server.settings)
    try:
        for _ in range(2):  # the second finds everything there, as usual
            await migrate(database, cypher_root())
    finally:
        await database.aclose()


def _end(child: Child) -> None:
    child.handle.terminate()
    wait_gone(child.identity, _LONGEST)
    code = child.exit_code()
    if code != 0:
        how = "does not end" if code is None else f"ended ({describe_exit(code)})"
        raise LocalServerError(f"Neo4j {how}. The end of its log:\n{tail(child.service.log)}")


@contextmanager
def drafting(folder: Path) -> Generator[Path | None]:
    """A folder for a training run, removed at its end with all that runs in it; None while another run has it."""
    draft = folder / "draft"
    private_folder(folder)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        try:
            _remove(draft)
            draft.mkdir(mode=0o700)
            yield draft
        finally:
            _remove(draft)


def _remove(draft: Path) -> None:
    with suppress(FileNotFoundError, ValueError):
        kill(
            Identity.model_validate_json(_record(draft).read_bytes()), wait=10.0
        )  # also that of a run which was killed
    shutil.rmtree(draft, ignore_errors=True)


def _kill_children() -> None:
    """Kill also a Neo4j that was started a moment ago and is not recorded yet."""
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            kill(Identity.of(child.pid), wait=10.0)


def _train(environ: Mapping[str, str]) -> None:
    java, jars = find_java(environ), fetch_jars(pinned_jars(), default_cache())
    cache = aot_cache(java, jars, jvm_options(java))
    if cache is None:
        return
    with drafting(cache.folder) as draft:
        if draft is None or cache.find():
            return
        try:
            Training(draft, java, jars, environ).run(cache)
        except (GraphmemError, OSError) as error:
            cache.failed.write_text(f"{error}\n", encoding="utf-8")
            raise


def _wait_for_calm() -> None:
    """Let whoever started graphmem have the machine: even at lowest priority this takes half of it from them."""
    deadline = monotonic() + _PATIENCE
    while monotonic() < deadline and psutil.cpu_percent(_GLANCE) > _BUSY:
        pass


def _end_with_parent() -> None:
    def watch() -> None:
        os.read(sys.stdin.fileno(), 1)  # nobody writes: this returns at the end
        os.kill(os.getpid(), signal.SIGTERM)

    def end(*_arguments: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, end)
    threading.Thread(target=watch, daemon=True).start()


def main() -> int:
    os.nice(_LOWEST)
    _end_with_parent()
    if WHEN_CALM in sys.argv:
        _wait_for_calm()
    try:
        _train(dict(os.environ))  # noqa: TID251 - handed on to Java
    except (GraphmemError, OSError) as error:
        sys.stderr.write(f"{visible_lines(str(error))}\n")
        return 1
    finally:
        _kill_children()
    return 0


if __name__ == "__main__":
    sys.exit(main())
