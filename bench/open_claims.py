"""What a further turn costs of a speaker with 10, 1,000 or 10,000 open claims: the milliseconds of its digest.

    python -m bench.open_claims --json

Speakers tell of things in plain sentences (“I varnished the amber garden bench.”), of which the offline reader takes
all but one in a thousand for one open claim each: a third of them under `did`, the others under `went_to`, `made`,
`repaired` or `hiked`. About six in ten name an entity, the others a value. No two sentences of a speaker are the same.
All are in one group, so that what depends on its size is the same for all.

Then further turns of one sentence, of a speaker of each size in turn, one at a time: every other one says again what
was said before. `transaction_ms` is what the worker measures of the writing transaction, up to its last statement;
`post_to_digested_ms` is the whole of it. A speaker takes as many further turns as make a fifth of its claims, so there
are many speakers of the smallest size. `claims` are those of a speaker before. `ratio` is the median of the largest
size to that of the smallest.

The service that is started compares no entities meanwhile (`jobs.dedup_seconds` is 0).
"""

import random
from argparse import Namespace
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice, product
from math import ceil
from statistics import median
from typing import Any
from uuid import uuid4

import httpx

from bench.common import Service, milliseconds, parser, running, say, started, summary, tell, wait_until_digested
from bench.ingest import post

SENTENCES, POSTED = 20, 50
"""Sentences of a turn, and turns of a request, while claims are loaded."""
GROWTH = 5
"""A speaker takes further turns up to the fifth part of its claims."""
LONGEST = 60
"""Seconds that a digest may take."""
_SAID = datetime(2025, 1, 1, tzinfo=UTC)
_VERBS = ("varnished", "juggled", "drove to", "built", "repaired", "hiked around")
_WORDS = """
amber blue broken copper crooked dusty green heavy iron narrow old painted red round rusty silver small striped tall
wooden yellow white black grey tiny

garden kitchen harbour school village attic tower bridge island forest market station castle river office stable cellar
museum theatre church

lantern ladder barrel bench basket cabinet candle carpet chair clock door fence gate kettle lamp mirror pump shelf stove
table trunk vase wagon wheel window
"""
_LOOKS, _PARTS, _THINGS = (words.split() for words in _WORDS.split("\n\n"))
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprst" for vowel in "aeiou"]


def sentences(seed: int) -> Iterator[str]:
    """As many as there are things to tell of, in an order of their own, none twice."""
    chance = random.Random(seed)  # noqa: S311 - reproducible on purpose
    things = [" ".join(words) for words in product(_LOOKS, _PARTS, _THINGS)]
    chance.shuffle(things)
    yield from (f"I {chance.choice(_VERBS)} the {thing}." for thing in things)


def names() -> Iterator[str]:
    chance = random.Random(3)  # noqa: S311 - reproducible on purpose
    while True:
        yield " ".join("".join(chance.choices(_SYLLABLES, k=3)).title() for _ in range(2))


@dataclass
class Speaker:
    """Somebody who tells, one sentence after the other; ``said`` are those that were told."""

    name: str
    left: Iterator[str]
    said: list[str] = field(default_factory=list[str])

    def tells(self, number: int) -> str:
        """So many sentences more."""
        more = list(islice(self.left, number))
        self.said += more
        return " ".join(more)

    def body(self, content: str, turn: int) -> dict[str, Any]:
        return {
            "content": content,
            "speaker": self.name,
            "session": f"{self.name} {turn // SENTENCES}",
            "occurred_at": (_SAID + timedelta(hours=turn)).isoformat(),
        }


def speakers(sizes: Sequence[int], turns: int) -> dict[int, list[Speaker]]:
    """Of each size as many as the further turns need."""
    named = names()
    return {
        size: [Speaker(next(named), sentences(number)) for number in range(ceil(turns * GROWTH / size))]
        for size in sizes
    }


def load(client: httpx.Client, group: str, size: int, some: Sequence[Speaker]) -> float:
    """Have the speakers tell so many sentences each; the claims that a speaker has then, in the mean."""
    say(f"{len(some)} speakers, {size:,} sentences each")
    bodies = [
        speaker.body(speaker.tells(min(SENTENCES, size - told)), told // SENTENCES)
        for speaker in some
        for told in range(0, size, SENTENCES)
    ]
    claims = 0
    for at in range(0, len(bodies), POSTED):
        answer = client.post(f"/v1/groups/{group}/episodes", json=bodies[at : at + POSTED]).raise_for_status().json()
        wait_until_digested(client, group)
        claims += sum(_claims(client, group, one["id"]) for one in answer["episodes"])
        say(f"  {min(at + POSTED, len(bodies))} of {len(bodies)} turns digested")
    return claims / len(some)


def _claims(client: httpx.Client, group: str, id_: str) -> int:
    episode = client.get(f"/v1/groups/{group}/episodes/{id_}").raise_for_status().json()
    if episode["status"] != "digested":
        raise SystemExit(f"Episode {id_} is {episode['status']}: {episode['error']}")
    return episode["outcome"]["claims"]


def further(client: httpx.Client, group: str, speaker: Speaker, turn: int) -> tuple[float, float]:
    """Seconds from POST to digested of one turn more, and the milliseconds of its transaction."""
    content = speaker.tells(1) if turn % 2 else random.Random(turn).choice(speaker.said)  # noqa: S311 - likewise
    seconds, answer = post(client, group, speaker.body(content, 1_000_000 + turn), LONGEST)
    episode = answer["episodes"][0]
    if episode["status"] != "digested":
        raise SystemExit(f"An episode is {episode['status']} after {LONGEST} s: {content}")
    return seconds, episode["outcome"]["milliseconds"]["transaction"]


def measured(client: httpx.Client, sizes: Sequence[int], turns: int, warm: int) -> dict[str, object]:
    group, told = f"bench-{uuid4().hex[:8]}", speakers(sizes, turns + warm)
    claims = {size: load(client, group, size, some) for size, some in told.items()}
    say(f"{turns} further turns of each size, {warm} before to warm up")
    took: dict[int, list[tuple[float, float]]] = {size: [] for size in sizes}
    for turn in range(warm + turns):
        for size, some in told.items():
            took[size].append(further(client, group, some[turn % len(some)], turn))
    figures = {size: _figures(claims[size], len(told[size]), took[size][warm:]) for size in sizes}
    return {"open_claims": {str(size): one for size, one in figures.items()}, "ratio": _ratio(took, warm)}


def _ratio(took: Mapping[int, Sequence[tuple[float, float]]], warm: int) -> float:
    """The median transaction of the largest size to that of the smallest."""
    medians = [median(transaction for _, transaction in some[warm:]) for _, some in sorted(took.items())]
    return round(medians[-1] / medians[0], 2)


def _figures(claims: float, some: int, took: Sequence[tuple[float, float]]) -> dict[str, object]:
    return {
        "claims": round(claims, 1),
        "speakers": some,
        "transaction_ms": summary([transaction for _, transaction in took]),
        "post_to_digested_ms": milliseconds([seconds for seconds, _ in took]),
    }


@contextmanager
def service(options: Namespace) -> Generator[Service]:
    """The service named by ``--url``, else one of our own that compares no entities."""
    if options.url:
        yield Service(options.url, options.token)
        return
    with started({"GRAPHMEM_JOBS_DEDUP_SECONDS": "0"}) as data_dir:
        yield running(data_dir)


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--claims", type=int, nargs="+", default=[10, 1_000, 10_000], help="of a speaker")
    arguments.add_argument("--turns", type=int, default=100, help="further turns of each size")
    arguments.add_argument("--warm", type=int, default=30, help="turns before, while Neo4j compiles what is hot")
    options = arguments.parse_args()
    with service(options) as asked, asked.client() as client:
        figures = measured(client, sorted(options.claims), options.turns, options.warm)
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
