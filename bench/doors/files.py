"""Files of each format, handed in by the command ``graphmem ingest``; and a big one, read as that command reads it."""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep
from typing import Any
from uuid import uuid4

import psutil

from bench.common import Service, say
from bench.doors.talk import ALONE, BOTH, conversation
from graphmem.client import GraphmemClient
from graphmem.errors import NotFound
from tests import written_files
from tests.written_files import START, USER, WRITERS, chatgpt

FORMATS = {**WRITERS, **written_files.ALONE}
LEAST_PER_SECOND, MOST_GROWTH = 500.0, 1.25
_LOOK = 0.02
_TALK, _LENGTH = 100, 2_000
"""Messages of a conversation of the big file, and characters of each."""
_MEGABYTE = 1_000_000
_READS = """
import sys
from pathlib import Path
from graphmem.files.episodes import look_through
from graphmem.files.turns import ReadingOptions
path, user, messages = sys.argv[1:]
files = look_through(Path(path), ReadingOptions(user=user))
sys.exit(sum(1 for _ in files.bodies()) != int(messages))
"""


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended: its exit status, the most memory that it took, in MB, and when how much was stored."""

    status: int
    peak_mb: float
    stored: Sequence[tuple[float, int]]


def formats(asked: Service, names: Sequence[str], messages: int) -> dict[str, Any]:
    """By format: messages stored a second, turns lost, and the most memory that the command took.

    The time is that from the first part that is stored to the last, while the worker digests what came before.
    ``digested_s`` is when the command has ended, its start included.
    """
    with tempfile.TemporaryDirectory(prefix="graphmem-bench-") as folder:
        figures = dict[str, Any]()
        for name in names:
            place = Path(folder, name)
            place.mkdir()
            figures[name] = _format(asked, name, messages, place)
            say(f"{name}: {figures[name]}")
    rates = [each["per_second"] for each in figures.values() if each["per_second"] is not None]
    lost = sum(each["lost"] for each in figures.values())
    return {"messages": messages, **figures, "ok": not lost and all(rate >= LEAST_PER_SECOND for rate in rates)}


def _format(asked: Service, name: str, messages: int, folder: Path) -> dict[str, Any]:
    writer, group = FORMATS[name], f"doors-{name}-{uuid4().hex[:8]}"
    said = conversation(writer, BOTH if name in WRITERS else ALONE, messages)
    path = writer.write(said, folder)
    command = [sys.executable, "-m", "graphmem", "ingest", str(path), "--group", group, "--as", USER]
    with GraphmemClient(asked.url, asked.token) as client:
        began = perf_counter()
        ended = _run([*command, "--at", START.isoformat(), *_reach(asked)], lambda: _stored(client, group), messages)
        seconds = perf_counter() - began
        if ended.status:
            raise SystemExit(f"graphmem ingest of {name} ended with {ended.status}.")
        kept = Counter(episode.content for episode in client.episodes(group))
    return {
        "per_second": rate(ended.stored),
        "lost": (Counter(one.what for one in said) - kept).total(),
        "peak_mb": ended.peak_mb,
        "digested_s": round(seconds, 1),
    }


def _reach(asked: Service) -> list[str]:
    return ["--url", asked.url, "--key", asked.token]


def _stored(client: GraphmemClient, group: str) -> int:
    try:
        work = client.group(group).work
    except NotFound:
        return 0
    return work.pending + work.refining + work.failed + (work.digested or 0) + (work.redacted or 0)


def _run(command: Sequence[str], stored: Callable[[], int], enough: int) -> Ended:
    """Run a command to its end; look often how much memory it takes, and how much is stored until that is enough."""
    seen, peak = list[tuple[float, int]](), 0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    watched = psutil.Process(process.pid)
    while process.poll() is None:
        with suppress(psutil.NoSuchProcess):
            peak = max(peak, watched.memory_info().rss)
        if not seen or seen[-1][1] < enough:
            seen.append((perf_counter(), stored()))
        sleep(_LOOK)
    return Ended(process.returncode, round(peak / _MEGABYTE, 1), seen)


def rate(seen: Sequence[tuple[float, int]]) -> float | None:
    """Messages stored a second, from the first that were seen to the last; None where all came between two looks."""
    (first, some), (last, all_) = next((one for one in seen if one[1]), (0.0, 0)), max(seen, key=lambda one: one[1])
    return round((all_ - some) / (last - first), 1) if all_ > some else None


def big(megabytes: float) -> dict[str, Any]:
    """Messages read a second of a ChatGPT export of so many MB, and the most memory that took, and for a tenth of it.

    It is read twice, as ``ingest`` does it, to count and to hand in; nothing is handed in.
    """
    with tempfile.TemporaryDirectory(prefix="graphmem-bench-") as folder:
        path = Path(folder, "conversations.json")
        (tenth, _, _), (whole, messages, seconds) = (_read(path, size) for size in (megabytes / 10, megabytes))
    return {
        "megabytes": megabytes,
        "messages": messages,
        "per_second": round(messages / seconds, 1),
        "peak_mb": whole,
        "peak_mb_of_a_tenth": tenth,
        "ok": whole <= MOST_GROWTH * tenth,
    }


def _read(path: Path, megabytes: float) -> tuple[float, int, float]:
    """The most memory, in MB, the messages and the seconds that it takes to read an export of so many MB."""
    say(f"Writing and reading {megabytes:g} MB …")
    messages = write_big(path, megabytes)
    began = perf_counter()
    ended = _run([sys.executable, "-c", _READS, str(path), USER, str(messages)], lambda: 0, enough=0)
    if ended.status:
        raise SystemExit(f"Reading {path} ended with {ended.status}: {messages} messages are in it.")
    return ended.peak_mb, messages, perf_counter() - began


def write_big(path: Path, megabytes: float) -> int:
    """Write an export of ChatGPT of about so many MB, and say how many messages it has."""
    said = conversation(WRITERS["chatgpt"], BOTH, _TALK)
    long = [one._replace(what=(f"{one.what} " * _LENGTH)[:_LENGTH]) for one in said]
    with tempfile.TemporaryDirectory(prefix="graphmem-bench-") as folder:
        (exported,) = json.loads(chatgpt(long, Path(folder)).read_bytes())
    conversations = 0
    with path.open("wb") as file:
        while file.tell() < megabytes * _MEGABYTE:
            exported["conversation_id"] = f"c{conversations}"
            file.write(b",\n" if conversations else b"[")
            file.write(json.dumps(exported).encode())
            conversations += 1
        file.write(b"]")
    return conversations * _TALK
