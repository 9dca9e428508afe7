"""What one group's requests take while another group is flooded, against what they take while nothing else is asked.

    python -m bench.neighbours --json

Two groups have the same people. A client of the quiet group searches, lists facts and hands in an episode in turn, one
after the other, ten times a second. A process of its own floods the other group with the same calls, as many at once
as ``--flooders``, each as soon as the one before is answered; after a refusal (429) it waits for 50 ms, whatever
`Retry-After` asks. There are three courses, which take turns in short rounds, so that what changes on the machine is in
all of them:

- `idle`: nobody floods;
- `limited`: with a key that may ask ``--limit`` times a minute (`limits.key_requests_per_minute`); its first burst is
  over before anything is measured;
- `unlimited`: with the first key, which has no limit.

`ratio` is p95 of a course by that of `idle`, in all calls and by call; that of `limited` is to be 1.5 or less.
`answered_per_s` and `refused_per_s` are what the flood got. On a small machine the flood takes processor time itself.
"""

import multiprocessing
import threading
from argparse import Namespace
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from time import perf_counter, sleep
from typing import TypeAlias

import httpx

from bench.common import Service, milliseconds, parser, running, say, started, tell, wait_until_digested

QUIET, LOUD = "quiet", "loud"
COURSES = ("idle", "limited", "unlimited")
PEOPLE = 200
THINGS = ("tea", "chess", "jazz", "rowing", "opera")
_EVERY = 0.1
_AFTER_REFUSAL = 0.05
_LONGEST_BURST = 60.0
_TOO_MANY = 429

Number: TypeAlias = "Synchronized[int]"
Calls = Iterator[tuple[str, str, dict[str, object] | None]]


def calls(group: str, whose: str) -> Calls:
    """What is asked in turn: the name of the call, its path, and its body if it has one; no two episodes are equal."""
    for number in count():
        person, thing = f"Person {number % PEOPLE}", THINGS[number % len(THINGS)]
        yield "search", f"/v1/groups/{group}/search", {"query": f"What does {person} like?"}
        yield "facts", f"/v1/groups/{group}/facts?limit=20", None
        yield "episode", f"/v1/groups/{group}/episodes", {"content": f"{whose} {number}: {person} likes {thing}."}


def ask(client: httpx.Client, path: str, body: dict[str, object] | None) -> httpx.Response:
    return client.get(path) if body is None else client.post(path, json=body)


def tell_people(client: httpx.Client, group: str) -> None:
    claims = [
        {
            "subject": {"name": f"Person {number}", "type": "person"},
            "predicate": "likes",
            "value": thing,
            "category": "preference",
        }
        for number in range(PEOPLE)
        for thing in THINGS
    ]
    client.post(f"/v1/groups/{group}/claims", json=claims).raise_for_status()


@dataclass(slots=True)
class Heard:
    """Seconds of the quiet group's calls by name, and what the flood got in how many seconds."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict[str, list[float]](list))
    answered: int = 0
    refused: int = 0
    flooded: float = 0.0

    def figures(self, idle: "Heard") -> dict[str, object]:
        of_call = {name: milliseconds(seconds) for name, seconds in self.seconds.items()}
        rates = {"answered_per_s": self.answered, "refused_per_s": self.refused} if self.flooded else {}
        return {
            **self._all(),
            "ratio": round(self._all()["p95"] / idle._all()["p95"], 2),  # noqa: SLF001 - of the same class
            "by_call": of_call,
            "ratio_by_call": {
                name: round(figures["p95"] / milliseconds(idle.seconds[name])["p95"], 2)
                for name, figures in of_call.items()
            },
            **{name: round(number / self.flooded, 1) for name, number in rates.items()},
        }

    def _all(self) -> dict[str, float]:
        return milliseconds([second for seconds in self.seconds.values() for second in seconds])


def flood(service: Service, flooders: int, answered: Number, refused: Number, end: Event) -> None:
    """Ask about the loud group without pause, until it is told to end."""

    def one(number: int) -> None:
        with service.client() as client:
            for _, path, body in calls(LOUD, f"flooder {number} {perf_counter()}"):
                if end.is_set():
                    return
                over = ask(client, path, body).status_code == _TOO_MANY
                number_of = refused if over else answered
                with number_of.get_lock():
                    number_of.value += 1
                sleep(_AFTER_REFUSAL if over else 0)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(flooders)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@contextmanager
def flooded(service: Service, flooders: int, heard: Heard, *, until_refused: bool) -> Generator[None]:
    """The flood in a process of its own; ``until_refused``: its first burst is over before this begins."""
    spawn = multiprocessing.get_context("spawn")
    answered, refused, end = spawn.Value("i", 0), spawn.Value("i", 0), spawn.Event()
    process = spawn.Process(target=flood, args=(service, flooders, answered, refused, end))
    process.start()
    try:
        _await(answered, 10 * flooders)
        if until_refused:
            _await(refused, 1)
        began, before = perf_counter(), (answered.value, refused.value)
        yield
        heard.flooded += perf_counter() - began
        heard.answered += answered.value - before[0]
        heard.refused += refused.value - before[1]
    finally:
        end.set()
        process.join()


def _await(number: Number, least: int) -> None:
    began = perf_counter()
    while number.value < least and perf_counter() - began < _LONGEST_BURST:
        sleep(_EVERY)


def listen(client: httpx.Client, asked: Calls, heard: Heard, rounds: int) -> None:
    """Ask for the quiet group; each call a tenth of a second after the one before began, or when that is answered."""
    for _ in range(3 * rounds):
        name, path, body = next(asked)
        began = perf_counter()
        ask(client, path, body).raise_for_status()
        took = perf_counter() - began
        heard.seconds[name].append(took)
        sleep(max(0.0, _EVERY - took))


def measure(service: Service, options: Namespace) -> dict[str, object]:
    heard = {course: Heard() for course in COURSES}
    with service.client() as client:
        for group in (QUIET, LOUD):
            tell_people(client, group)
        wanted = {"label": "neighbour", "groups": [LOUD], "rights": ["read", "write"]}
        key = client.post("/v1/keys", json=wanted).raise_for_status().json()["secret"]
        callers = {"limited": Service(service.url, key), "unlimited": service}
        asked = calls(QUIET, "neighbour")
        listen(client, asked, Heard(), options.calls)  # warm
        for number in range(options.rounds):
            for course in COURSES:
                say(f"Round {number + 1}: {course}")
                if course == "idle":
                    wait_until_digested(client, LOUD)
                    listen(client, asked, heard[course], options.calls)
                    continue
                flooding = flooded(callers[course], options.flooders, heard[course], until_refused=course == "limited")
                with flooding:
                    listen(client, asked, heard[course], options.calls)
    return {course: heard[course].figures(heard["idle"]) for course in COURSES}


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--flooders", type=int, default=16, help="requests of the flood at once")
    arguments.add_argument("--limit", type=int, default=600, help="requests a minute of the limited key")
    arguments.add_argument("--rounds", type=int, default=5, help="how often the courses take turns")
    arguments.add_argument("--calls", type=int, default=20, help="calls of each kind in one course of a round")
    options = arguments.parse_args()
    if options.url:
        raise SystemExit("This one starts a service of its own, with its limit; it takes no --url.")
    with started({"GRAPHMEM_LIMITS_KEY_REQUESTS_PER_MINUTE": str(options.limit)}) as data_dir:
        figures = measure(running(data_dir), options)
    tell({"flooders": options.flooders, "limit": options.limit, **figures}, as_json=options.json)


if __name__ == "__main__":
    main()
