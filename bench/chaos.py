"""Whether anything is lost or believed otherwise while processes die and freeze, the disk fills, the supervisor dies.

    python -m bench.chaos --json
    python -m bench.chaos --turns 60 --seconds 90 --seed 3

A conversation is posted twice, turn by turn, into a service of its own. Once in peace. Once while faults come at random
(of ``--seed``) for so many ``--seconds``, one after the other: Neo4j, Valkey, the API or the worker is killed
(SIGKILL), or stopped for some seconds (SIGSTOP); a file takes the free space of the disk away, down to where writes are
refused; the supervisor is killed, and `graphmem up` called again. Every turn is posted until it is accepted. Then all
is mended, and the end is waited for: every turn digested.

It exits with 1 unless every turn that was accepted is stored, all are digested, and the beliefs are those of the run in
peace. Four fifths of what is free in ``--folder`` is set to stay free, and the file takes three tenths, for some
seconds: name a folder of a disk that can spare it, or of a small one of its own (`mount -t tmpfs -o size=3g …`).
"""

import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from time import monotonic
from typing import Any

import httpx

from bench.common import NO_KEYS, Service, down, parser, running, say, tell, up
from bench.ingest import episodes
from graphmem.local.state import LocalState

GROUP = "chaos"
CHILDREN = ("neo4j", "valkey", "worker", "api")
PAUSES = (2.0, 8.0)
"""Seconds from the end of a fault to the next one, from and to."""
STOPPED = (1.0, 12.0)
"""Seconds that a process is stopped, or a disk is full, from and to."""
ANSWER_SECONDS = 60.0
END_SECONDS = 900.0
REPEAT_SECONDS = 0.3
MEGABYTE = 1024 * 1024
STAYS_FREE, BALLAST = 0.8, 0.3
"""Shares of the free space: below the one nothing is written, and a file takes the other."""

BEGAN, DAYS = datetime(2025, 1, 1, 12, tzinfo=UTC), 10
"""Noon of the days of which beliefs are compared: the conversation has a turn an hour from the first of them on."""

Belief = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """What was done to whom, seconds after the beginning."""

    at: float
    kind: str
    target: str


@dataclass(slots=True)
class Posts:
    """What became of posts: the ids of accepted turns, and how often a post was refused or not answered, by why."""

    accepted: list[str] = field(default_factory=list[str])
    refused: Counter[str] = field(default_factory=Counter[str])


@dataclass(frozen=True, slots=True)
class End:
    """What there is when all is digested. ``lost``: accepted, and not stored; ``unread``: stored, and not digested."""

    lost: list[str]
    unread: list[str]
    beliefs: set[Belief]
    seconds: float


def conversation(seed: int, turns: int) -> list[dict[str, Any]]:
    bodies = episodes(seed)
    return [next(bodies) for _ in range(turns)]


class Caller:
    """Calls the service that runs for a data directory, wherever it listens since it was started again."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir

    @contextmanager
    def client(self) -> Generator[httpx.Client]:
        found: Service = running(self._data_dir)
        headers = {"Authorization": f"Bearer {found.token}"}
        with httpx.Client(base_url=found.url, headers=headers, timeout=ANSWER_SECONDS, trust_env=False) as client:
            yield client

    def post(self, body: Mapping[str, Any], posts: Posts) -> None:
        """Post a turn until it is accepted."""
        while (why := self._refusal(body, posts)) is not None:
            posts.refused[why] += 1
            time.sleep(REPEAT_SECONDS)

    def _refusal(self, body: Mapping[str, Any], posts: Posts) -> str | None:
        """Why a turn was not accepted; None where it was."""
        try:
            with self.client() as client:
                answer = client.post(f"/v1/groups/{GROUP}/episodes", json=body)
        except (httpx.TransportError, SystemExit) as error:  # between two runs of `graphmem up`, nothing runs
            return "nothing runs" if isinstance(error, SystemExit) else type(error).__name__
        if answer.status_code not in {200, 202}:
            return str(answer.status_code)
        posts.accepted.extend(item["id"] for item in answer.json()["episodes"])
        return None

    def end(self, accepted: Sequence[str]) -> End:
        """Wait until all is digested, and look at it."""
        began = monotonic()
        with self.client() as client:
            while monotonic() - began < END_SECONDS and _unread(client):
                time.sleep(REPEAT_SECONDS)
            stored = {item["id"]: item["status"] for item in _episodes(client)}
            beliefs = _beliefs(client)
        return End(
            lost=sorted(set(accepted) - stored.keys()),
            unread=sorted(id_ for id_, status in stored.items() if status != "digested"),
            beliefs=beliefs,
            seconds=monotonic() - began,
        )


def _unread(client: httpx.Client) -> bool:
    with suppress(httpx.TransportError):
        answer = client.get(f"/v1/groups/{GROUP}")
        return answer.status_code != HTTPStatus.OK or bool(answer.json()["work"]["pending"])
    return True


def _episodes(client: httpx.Client) -> Iterator[Mapping[str, Any]]:
    cursor: dict[str, str] = {}
    while True:
        page = client.get(f"/v1/groups/{GROUP}/episodes", params={"limit": "500", **cursor}).raise_for_status().json()
        yield from page["episodes"]
        if page["next_cursor"] is None:
            return
        cursor = {"cursor": page["next_cursor"]}


def _beliefs(client: httpx.Client) -> set[Belief]:
    """What is believed now of several days of the conversation, and of today."""
    days = [(BEGAN + timedelta(days=days)).isoformat() for days in range(DAYS)]
    found: set[Belief] = set()
    for when in (*({"valid_at": day} for day in days), {}):
        answer = client.get(f"/v1/groups/{GROUP}/graph", params={"limit": "5000", **when}).raise_for_status().json()
        found |= {_belief(item) for item in answer["beliefs"]}
    return found


def _belief(item: Mapping[str, Any]) -> Belief:
    """A belief without what says when it was recorded."""
    other = item["object"]["name"] if item["object"] else repr(item["value"])
    times = (str(item["valid_from"]), str(item["valid_to"]))
    return item["kind"], item["subject"]["name"], item["predicate"], other, item["statement"], *times


class Chaos:
    """Does one thing after another to what runs for a data directory."""

    def __init__(self, data_dir: Path, seed: int, ballast: int, environ: Mapping[str, str]) -> None:
        """``ballast``: bytes of the file that fills the disk."""
        self._data_dir = data_dir
        self._random = random.Random(seed)  # noqa: S311 - reproducible on purpose
        self._file, self._ballast = data_dir.parent / "ballast", ballast
        self._environ = environ
        self._began = monotonic()
        self.faults: list[Fault] = []
        self._kinds: list[tuple[str, str, Callable[[str], None]]] = [
            *(("kill", name, self._kill) for name in CHILDREN),
            *(("stop", name, self._stop) for name in CHILDREN),
            ("fill", "disk", self._fill),
            ("kill", "supervisor", self._kill_supervisor),
        ]

    def run(self, seconds: float) -> None:
        """All kinds of faults in random order, again and again, for so many seconds and until each has come once."""
        waiting: list[tuple[str, str, Callable[[str], None]]] = []
        while waiting or monotonic() - self._began < seconds:
            waiting = waiting or self._random.sample(self._kinds, len(self._kinds))
            kind, target, act = waiting.pop()
            time.sleep(self._random.uniform(*PAUSES))
            self.faults.append(Fault(round(monotonic() - self._began, 1), kind, target))
            say(f"{self.faults[-1].at:6.1f} s: {kind} {target}")
            act(target)

    def _kill(self, name: str) -> None:
        self._signal(name, signal.SIGKILL)

    def _stop(self, name: str) -> None:
        pid = self._signal(name, signal.SIGSTOP)
        time.sleep(self._random.uniform(*STOPPED))
        if pid is not None:
            with suppress(ProcessLookupError):  # the supervisor may have killed it meanwhile
                os.kill(pid, signal.SIGCONT)

    def _fill(self, _disk: str) -> None:
        try:
            with self._file.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, self._ballast)
            time.sleep(self._random.uniform(*STOPPED))
        finally:
            self._file.unlink(missing_ok=True)

    def _kill_supervisor(self, _supervisor: str) -> None:
        state = LocalState.read(self._data_dir)
        if state is not None and (process := state.supervisor.process()) is not None:
            process.kill()
        up(self._data_dir, self._environ)

    def _signal(self, name: str, number: signal.Signals) -> int | None:
        """Send a signal to a service, if it runs just now."""
        state = LocalState.read(self._data_dir)
        service = state.service(name) if state is not None else None
        process = service.process.process() if service is not None else None
        if process is None:
            return None
        process.send_signal(number)
        return process.pid


def in_peace(turns: Sequence[Mapping[str, Any]], folder: Path | None) -> tuple[Posts, End]:
    with _data_dir(folder) as data_dir, _service(data_dir, {}):
        caller, posts = Caller(data_dir), Posts()
        for turn in turns:
            caller.post(turn, posts)
        return posts, caller.end(posts.accepted)


def in_chaos(
    turns: Sequence[Mapping[str, Any]], folder: Path | None, seconds: float, seed: int
) -> tuple[Posts, End, list[Fault]]:
    """The turns are spread over the time of the faults."""
    with _data_dir(folder) as data_dir:
        free = shutil.disk_usage(data_dir).free
        least = int(STAYS_FREE * free) // MEGABYTE
        environ = {"GRAPHMEM_DISK_LEAST_FREE_MB": str(least), "GRAPHMEM_DISK_WATCH_SECONDS": "0.5"}
        with _service(data_dir, environ):
            caller, posts = Caller(data_dir), Posts()
            chaos = Chaos(data_dir, seed, int(BALLAST * free), {**NO_KEYS, **environ})
            over = threading.Event()

            def talk() -> None:
                for turn in turns:
                    caller.post(turn, posts)
                    over.wait(seconds / len(turns))

            talking = threading.Thread(target=talk, daemon=True)
            talking.start()
            try:
                chaos.run(seconds)
            finally:
                over.set()
            talking.join()
            return posts, caller.end(posts.accepted), chaos.faults


@contextmanager
def _data_dir(folder: Path | None) -> Generator[Path]:
    with tempfile.TemporaryDirectory(prefix="graphmem-chaos-", dir=folder) as own:
        data_dir = Path(own) / "data"
        data_dir.mkdir()
        yield data_dir


@contextmanager
def _service(data_dir: Path, environ: Mapping[str, str]) -> Generator[None]:
    say(f"ready after {up(data_dir, {**NO_KEYS, **environ}):.1f} s")
    try:
        yield
    finally:
        down(data_dir)


def figures_of(peace: tuple[Posts, End], chaos: tuple[Posts, End, list[Fault]]) -> dict[str, object]:
    (_, expected), (posts, end, faults) = peace, chaos
    missing, unexpected = expected.beliefs - end.beliefs, end.beliefs - expected.beliefs
    return {
        "faults": dict(Counter(f"{fault.kind} {fault.target}" for fault in faults)),
        "posts_accepted": len(posts.accepted),
        "posts_refused": dict(posts.refused),
        "lost": len(end.lost),
        "not_digested": len(end.unread) + len(expected.unread),
        "beliefs_in_peace": len(expected.beliefs),
        "beliefs_missing": [list(belief) for belief in sorted(missing)],
        "beliefs_unexpected": [list(belief) for belief in sorted(unexpected)],
        "s_to_the_end": round(end.seconds, 1),
    }


def main() -> int:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--turns", type=int, default=120)
    arguments.add_argument("--seconds", type=float, default=180.0, help="for how long faults come")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument(
        "--folder", type=Path, help="where the data directories go, by default among temporary files"
    )
    options = arguments.parse_args()
    if options.url:
        raise SystemExit("This one starts services itself; it takes no --url.")
    turns = conversation(options.seed, options.turns)
    peace = in_peace(turns, options.folder)
    chaos = in_chaos(turns, options.folder, options.seconds, options.seed)
    figures = figures_of(peace, chaos)
    tell(figures, as_json=options.json)
    wrong = ("lost", "not_digested", "beliefs_missing", "beliefs_unexpected")
    return 1 if any(figures[name] for name in wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
