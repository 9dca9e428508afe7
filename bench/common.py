"""What benchmarks share: a service of their own, percentiles, and one JSON object as the last line."""

import json
import os
import re
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter, sleep

import httpx

from graphmem.local import connection
from graphmem.settings import load_settings

NO_KEYS = {"ANTHROPIC_API_KEY": "", "OPENAI_API_KEY": ""}
"""Where none is given on purpose, episodes are read offline: a benchmark spends nobody's money."""
LOOK = 0.1
"""Seconds between two looks at what is still to be digested."""


@dataclass(frozen=True, slots=True)
class Service:
    """A running graphmem."""

    url: str
    token: str

    def client(self) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=600, trust_env=False)


def parser(description: str) -> ArgumentParser:
    arguments = ArgumentParser(description=description)
    arguments.add_argument("--url", help="a running service; without it, one is started on a fresh data directory")
    arguments.add_argument("--token", default="", help="its key or token")
    arguments.add_argument("--json", action="store_true", help="the figures as one JSON object, the last line")
    return arguments


def say(text: str) -> None:
    """Progress goes to standard error."""
    print(text, file=sys.stderr, flush=True)


def tell(figures: dict[str, object], *, as_json: bool) -> None:
    print(json.dumps(figures) if as_json else json.dumps(figures, indent=2))


@contextmanager
def service(arguments: Namespace, *, offline: bool = True) -> Generator[Service]:
    """The service named by ``--url``, else one of our own that ends with the block.

    Unless ``offline``, our own reads by a language model if one is configured.
    """
    if arguments.url:
        yield Service(arguments.url, arguments.token)
        return
    with started({}, offline=offline) as data_dir:
        yield running(data_dir)


@contextmanager
def started(environ: Mapping[str, str], *options: str, offline: bool = True) -> Generator[Path]:
    """A fresh data directory and what runs for it, with more environment and options; both end with the block."""
    with tempfile.TemporaryDirectory(prefix="graphmem-bench-") as folder:
        say("Starting Neo4j, Valkey, API and worker …" if not options else f"Starting with {' '.join(options)} …")
        seconds = up(Path(folder), {**(NO_KEYS if offline else {}), **environ}, *options)
        say(f"Ready after {seconds:.1f} s")
        try:
            yield Path(folder)
        finally:
            down(Path(folder))


def up(data_dir: Path, environ: Mapping[str, str] | None = None, *options: str) -> float:
    """Seconds until `graphmem up --detach` says that everything is ready."""
    began = perf_counter()
    _graphmem("up", "--detach", "--data-dir", str(data_dir), "--api-port", "0", *options, environ=environ)
    return perf_counter() - began


def down(data_dir: Path) -> float:
    began = perf_counter()
    _graphmem("down", "--data-dir", str(data_dir))
    return perf_counter() - began


def running(data_dir: Path) -> Service:
    found = connection(data_dir, load_settings(data_dir=data_dir))
    if found is None or found.api_url is None or found.api_token is None:
        raise SystemExit(f"Nothing runs for {data_dir}.")
    return Service(found.api_url, found.api_token)


def _graphmem(*arguments: str, environ: Mapping[str, str] | None = None) -> None:
    command = [sys.executable, "-m", "graphmem", *arguments]
    whole = {**os.environ, **(environ or {})}  # noqa: TID251 - what this process was given goes on to the service
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=whole)
    if done.returncode != 0:
        raise SystemExit(f"graphmem {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")


def wait_until_digested(client: httpx.Client, group: str, *but: str) -> dict[str, int]:
    """How many episodes are in each state, once none is pending, nor ``but`` in one of these states."""
    while True:
        work: dict[str, int] = client.get(f"/v1/groups/{group}").raise_for_status().json()["work"]
        if not any(work[status] for status in ("pending", *but)):
            return work
        sleep(LOOK)


def milliseconds(seconds: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile, in milliseconds."""
    return summary([1000 * value for value in seconds])


def summary(values: Sequence[float]) -> dict[str, float]:
    cuts = quantiles(values, n=20, method="inclusive")
    return {"p50": round(cuts[9], 1), "p95": round(cuts[18], 1), "n": len(values)}


def peak_mb() -> int:
    """The most memory that this program had, in MiB: not that of whoever started it, as in ``getrusage``."""
    peak = re.search(r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text("ascii"), re.MULTILINE)
    return int(peak[1]) // 1024 if peak else 0
