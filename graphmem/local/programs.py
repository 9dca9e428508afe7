"""graphmem's own processes: the HTTP service and the worker. They start with the servers and wait for them."""

import http.client
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from graphmem.local.layout import DataDir
from graphmem.local.ports import LOOPBACK, Ports, listens
from graphmem.local.process import Service
from graphmem.local.state import Connection

_START_TIMEOUT = 600.0  # importing PyTorch takes minutes on a busy laptop; who dies is noticed at once
_NEO4J_TIMEOUT = 600  # that of Neo4j's own start: who watches it says first what is wrong with it

Programs = Callable[[DataDir, Ports, Mapping[str, str]], tuple[Service, ...]]
"""Describes what runs on top of the servers, in the order of starting."""


def own_programs(data: DataDir, ports: Ports, environ: Mapping[str, str]) -> tuple[Service, ...]:
    """One worker and the HTTP service."""
    worker = Service(
        name="worker",
        title="Worker",
        command=(sys.executable, "-m", "graphmem.jobs"),
        environ=environ,
        log=data.log("worker"),
        probe=lambda pid: worker_missing(data.run, pid),
        start_timeout=_START_TIMEOUT,
    )
    api = Service(
        name="api",
        title="API",
        command=(sys.executable, "-m", "graphmem.api"),
        environ=environ,
        log=data.log("api"),
        probe=lambda pid: api_missing(pid, ports.api),
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
    connection: Connection,
    browser_origin: str | None = None,
) -> dict[str, str]:
    """What the programs are told; secrets travel here and never on a command line."""
    # A server without a password has none, which is not the same as an empty one.
    password = {"NEO4J_PASSWORD": connection.neo4j_password} if connection.neo4j_password else {}
    browser = {"GRAPHMEM_API_BROWSER_ORIGIN": browser_origin} if browser_origin else {}
    return {
        **environ,
        **password,
        **browser,
        "NEO4J_URI": connection.neo4j_uri,
        "NEO4J_USER": connection.neo4j_user,
        "NEO4J_STARTUP_TIMEOUT": str(_NEO4J_TIMEOUT),
        "REDIS_URL": connection.redis_url,
        "GRAPHMEM_CONFIG": str(data.settings),
        "GRAPHMEM_DATA_DIR": str(data.root),
        "GRAPHMEM_API_HOST": LOOPBACK,
        "GRAPHMEM_API_PORT": str(ports.api),
    }


def worker_ready_file(run: Path, pid: int) -> Path:
    """The file of a worker that is connected, and none of whose background tasks fails."""
    return run / f"worker-{pid}.ready"


def worker_missing(run: Path, pid: int) -> str | None:
    """What is missing for a worker to be ready, in its own words where it has some."""
    ready = worker_ready_file(run, pid)
    if ready.exists():
        return None
    try:
        return ready.with_suffix(".failing").read_text("utf-8")
    except FileNotFoundError:
        return "it has not connected to its servers"


def api_missing(pid: int, port: int) -> str | None:
    """What is missing for the HTTP service to be ready, in its own words where it has some."""
    if not listens(pid, port):
        return "it does not listen yet"
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=5.0)
    try:
        connection.request("GET", "/health/ready")
        response = connection.getresponse()
        body = response.read(2000).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        return f"it does not answer ({error!r})"
    finally:
        connection.close()
    return None if response.status == http.HTTPStatus.OK else f"it answers {response.status}: {body}"
