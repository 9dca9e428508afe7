"""Who is who in a large group: what it costs to find and compare the candidates of one entity.

    python -m bench.matching --entities 1000 100000 --json

People with a name and a date of birth, of whom one in fifty is told twice with a slip, are told and indexed, up to each
of the sizes. Then the first of them are compared: one at a time, as after a digest, and 50 at a time, as the job does.

`floor` is the look-up of the same entities by id, `candidates` the look-up of their keys alone; `one` and `of_50` are
the whole of it, with everything that decides and writes, by entity. In milliseconds; `ratio` is that of `one` to the
floor.
`pairs` are the candidates scored for one entity. `index_ms` and `told_ms` are the mean of telling and indexing.
"""

import asyncio
import random
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from time import perf_counter

from bench.common import milliseconds, parser, say, started, summary, tell
from graphmem.local import connection
from graphmem.memory import Memory
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import Name
from graphmem.model.matching import MatchingSettings
from graphmem.resolve.frequencies import look_up_tokens
from graphmem.services import open_services
from graphmem.settings import load_settings
from tests.fakes import HashEmbedder
from tests.models import extractor

GROUP = "matching"
BATCH = 1_000
MEASURED = 200
TOGETHER = 50
_TWICE = 50
_SYLLABLES = [consonant + vowel for consonant in "bcdfghjklmnprstvwz" for vowel in "aeiou"]
_BORN = date(1930, 1, 1)
_SAID = datetime(2025, 1, 1, tzinfo=UTC)


def people() -> Iterator[tuple[str, date]]:
    """Names and dates of birth without an end, the same every time; given names are common, family names rare."""
    chance = random.Random(7)  # noqa: S311 - reproducible on purpose
    given = ["".join(chance.choices(_SYLLABLES, k=2)).title() for _ in range(400)]
    while True:
        name = f"{chance.choice(given)} {''.join(chance.choices(_SYLLABLES, k=4)).title()}"
        born = _BORN + timedelta(days=chance.randrange(25_000))
        yield name, born
        if chance.randrange(_TWICE) == 0:
            at = chance.randrange(1, len(name) - 1)
            yield name[:at] + name[at + 1 :], born


async def load(memory: Memory, more: Iterator[tuple[str, date]], number: int) -> tuple[float, float]:
    """Seconds of telling and of indexing so many more people."""
    began, told = perf_counter(), 0
    while batch := list(islice(more, min(BATCH, number - told))):
        claims = [
            StructuredClaim(
                subject=Name(name, "person", f"list:{name}"),
                predicate="birth_date",
                value=born.isoformat(),
                valid_from=_SAID,
                occurred_at=_SAID,
            )
            for name, born in batch
        ]
        await memory.intake.assert_claims(GROUP, claims)
        told += len(batch)
        if told % 10_000 == 0:
            say(f"  {told} people told after {perf_counter() - began:.0f} s")
    seconds, began, indexed = perf_counter() - began, perf_counter(), 0
    while found := await memory.matching.index_some(GROUP, BATCH):
        indexed += found
        if indexed % 10_000 < BATCH:
            say(f"  {indexed} indexed after {perf_counter() - began:.0f} s")
    return seconds, perf_counter() - began


async def timed(times: Sequence[int], run: Callable[[int], Awaitable[object]]) -> dict[str, float]:
    found: list[float] = []
    for number in times:
        began = perf_counter()
        await run(number)
        found.append(perf_counter() - began)
    return milliseconds(found)


async def measured(memory: Memory, settings: MatchingSettings) -> dict[str, object]:
    due = list(await memory.store.due_to_match(GROUP, MEASURED))
    rows = await memory.store.profiles(GROUP, due)
    profiles = {row.id: row.to_domain() for row in rows}
    keys = {id_: look_up_tokens(GROUP, profile, settings) for id_, profile in profiles.items()}
    pairs: list[float] = []

    async def candidates(number: int) -> None:
        await memory.store.candidates(GROUP, {due[number]: keys[due[number]]}, settings.most_holders)

    async def compare(_: int) -> None:
        compared = await memory.matching.compare_some(GROUP, 1)
        pairs.append(float(compared.pairs) if compared else 0.0)

    everyone = range(len(due))
    floor = await timed(everyone, lambda number: memory.store.names(GROUP, [due[number]]))
    looked_up = await timed(everyone, candidates)
    one = await timed(everyone, compare)
    together = await timed(range(MEASURED // TOGETHER), lambda _: memory.matching.compare_some(GROUP, TOGETHER))
    return {
        "floor": floor,
        "candidates": looked_up,
        "one": one,
        "of_50": {name: round(together[name] / TOGETHER, 2) for name in ("p50", "p95")},
        "ratio": round(one["p50"] / floor["p50"], 1),
        "pairs": summary(pairs),
    }


async def run(data_dir: Path, sizes: Sequence[int]) -> dict[str, object]:
    found = connection(data_dir, load_settings(data_dir=data_dir))
    if found is None:
        raise SystemExit(f"Nothing runs for {data_dir}.")
    address = {"uri": found.neo4j_uri, "user": found.neo4j_user, "password": found.neo4j_password}
    settings = load_settings(data_dir=data_dir, neo4j={**address, "transaction_timeout": 300.0})
    figures: dict[str, object] = {}
    async with open_services(settings, extractor=extractor(), embedder=HashEmbedder()) as services:
        more, there = people(), 0
        for size in sizes:
            told, indexed = await load(services.memory, more, size - there)
            figures[str(size)] = {
                **await measured(services.memory, settings.matching.settings()),
                "told_ms": round(1000 * told / (size - there), 2),
                "index_ms": round(1000 * indexed / (size - there), 2),
            }
            there = size
            say(f"{size}: {figures[str(size)]}")
    return figures


def main(arguments: Namespace) -> None:
    with started({"GRAPHMEM_JOBS_DEDUP_SECONDS": "0"}) as data_dir:
        tell({"entities": asyncio.run(run(data_dir, sorted(arguments.entities)))}, as_json=arguments.json)


if __name__ == "__main__":
    told = parser(__doc__ or "")
    told.add_argument("--entities", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    main(told.parse_args())
