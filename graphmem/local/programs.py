"""graphmem's own processes: the HTTP service and the worker. They start with the servers and wait for them."""

import http.client
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from graphmem.local.layout import DataDir
from graphmem.local.ports import LOOPBACK, Ports, listens
from graphmem.local.process import Service, python_module
from graphmem.local.state import LocalConnection

_START_TIMEOUT = 600.0  # importing PyTorch takes minutes on a busy laptop; who dies is noticed at once
_ANSWER_TIMEOUT = 5.0
_LONGEST_ANSWER = 64 * 1024
_NEO4J_TIMEOUT = 600  # that of Neo4j's own start: who watches it says first what is wrong with it

_LONGEST_SILENCE = 30.0  # seconds; a worker that reads a long text may be slow to get to it

Programs = Callable[[DataDir, Ports, Mapping[str, str]], tuple[Service, ...]]
"""Describes what runs on top of the servers, in the order of starting."""


def own_programs(data: DataDir, ports: Ports, environ: Mapping[str, str]) -> tuple[Service, ...]:
    """The services that are programs of graphmem: one worker and the HTTP service."""
    worker = Service(
        name="worker",
        title="Worker",
        command=python_module("graphmem.jobs"),
        environ=environ,
        log=data.log("worker"),
        probe=lambda pid: worker_missing(data.run, pid),
        answers=lambda pid: worker_silent(data.run, pid),
        start_timeout=_START_TIMEOUT,
    )
    api = Service(
        name="api",
        title="API",
        command=python_module("graphmem.api"),
        environ=environ,
        log=data.log("api"),
        probe=lambda pid: api_missing(pid, ports.api),
        answers=lambda _pid: api_silent(ports.api),
        start_timeout=_START_TIMEOUT,
    )
    return worker, api


def no_programs(data: DataDir, ports: Ports, environ: Mapping[str, str]) -> tuple[Service, ...]:
    """Nothing: only the servers run."""
    del data, ports, environ
    return ()


def guide_url(ports: Ports, key: str, group: str | None = None, host: str = LOOPBACK) -> str:
    """Where the API serves the guide for Neo4j Browser: of a group, or of all."""
    return f"http://{host}:{ports.api}/browser/{f'{group}/' if group else ''}guide.md?key={key}"


def program_environment(
    environ: Mapping[str, str],
    data: DataDir,
    ports: Ports,
    connection: LocalConnection,
    browser_origin: str | None = None,
    disk: Path | None = None,
) -> dict[str, str]:
    """What the programs are told; secrets travel here and never on a command line. ``disk`` is that of Neo4j."""
    # A server without a password has none, which is not the same as an empty one.
    password = {"NEO4J_PASSWORD": connection.neo4j_password} if connection.neo4j_password else {}
    watched = {"GRAPHMEM_DISK_PATH": str(disk)} if disk else {}
    browser = {"GRAPHMEM_API_BROWSER_ORIGIN": browser_origin} if browser_origin else {}
    return {
        **environ,
        **password,
        **browser,
        **watched,
        "NEO4J_URI": connection.neo4j_uri,
        "NEO4J_USER": connection.neo4j_user,
        "NEO4J_STARTUP_TIMEOUT": str(_NEO4J_TIMEOUT),
        "REDIS_URL": connection.redis_url,
        "GRAPHMEM_CONFIG": str(data.settings),
        "GRAPHMEM_DATA_DIR": str(data.root),
        "GRAPHMEM_API_HOST": LOOPBACK,
        "GRAPHMEM_API_PORT": str(ports.api),
    }


def worker_silent(run: Path, pid: int) -> str | None:
    """What shows that a worker does nothing any more; None where it shows signs of life.

    It renews the time of a file every few seconds.
    """
    try:
        silent = time.time() - (run / f"worker-{pid}.alive").stat().st_mtime
    except FileNotFoundError:
        return "it shows no sign of life"
    return f"it has shown no sign of life for {silent:.0f} seconds" if silent > _LONGEST_SILENCE else None


def worker_missing(run: Path, pid: int) -> str | None:
    """What is missing for a worker to be ready, in its own words where it has some.

    One that is connected, and none of whose background tasks fails, has a file.
    """
    ready = run / f"worker-{pid}.ready"
    if ready.exists():
        return None
    try:
        return ready.with_suffix(".failing").read_text("utf-8")
    except FileNotFoundError:
        return "it has not connected to its servers"


def api_missing(pid: int, port: int) -> str | None:
    """What is missing for the HTTP service to serve, in its own words where it has some. It may be degraded."""
    status, answer = _api_readiness(pid, port)
    if status is None:
        return answer
    wanted = ("loading",) if status == http.HTTPStatus.OK else ("unavailable", "loading")
    return "; ".join(_reasons(answer, *wanted)) or (None if status == http.HTTPStatus.OK else f"it answers {status}")


def api_silent(port: int) -> str | None:
    """Why the HTTP service counts as dead, however ready it is; None where it answers."""
    status, answer = _get(port, "/health/live")
    return answer if status is None else None


def api_degraded(pid: int, port: int) -> str | None:
    """What the HTTP service goes without although it serves; None where that is nothing."""
    status, answer = _api_readiness(pid, port)
    return "; ".join(_reasons(answer, "degraded")) or None if status == http.HTTPStatus.OK else None


def _api_readiness(pid: int, port: int) -> tuple[int | None, str]:
    """Status and body of its answer about itself; no status, and why, where it gives none."""
    if not listens(pid, port):
        return None, "it does not listen yet"
    return _get(port, "/health/ready")


def _get(port: int, path: str) -> tuple[int | None, str]:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=_ANSWER_TIMEOUT)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read(_LONGEST_ANSWER).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        return None, f"it does not answer ({error!r})"
    finally:
        connection.close()


def _reasons(answer: str, *statuses: str) -> list[str]:
    """The reasons of the parts that have one of these statuses; none where the answer is not about parts."""
    try:
        parts: Mapping[str, Mapping[str, str]] = json.loads(answer)["parts"]
    except (ValueError, KeyError):
        return []
    return [f"{name}: {part['reason']}" for name, part in parts.items() if part["status"] in statuses]
