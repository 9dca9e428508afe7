"""Who is who in a large group: what it costs to find and compare the candidates of one entity.

    python -m bench.matching --entities 1000 100000 1000000 --json

People with a name and a date of birth, of whom one in fifty is there twice with a slip. All but the last thousand up to
each of the sizes are written as the job leaves them; the last are told and indexed. Then the first of these are
compared: one at a time, and 50 at a time, as the job does.

`floor` is the look-up of the same entities by id, `candidates` the look-up of their keys alone; `one` and `of_50` are
the whole of it, with everything that decides and writes, by entity. In milliseconds; `ratio` is that of `one` to the
floor. `pairs` are the candidates scored for one entity. `index_ms` and `told_ms` are the mean of telling and indexing.

`digest` is a turn that has somebody's given name first in a session, where the whole name was said (`short`), beside
one that has the whole name again (`whole`); `at_once` is the look-up of whom the given name means, which a digest makes
while it embeds.
"""

import asyncio
import random
from argparse import Namespace
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

from neo4j import Driver, GraphDatabase

from bench.common import milliseconds, parser, say, started, summary, tell
from graphmem.local import connection
from graphmem.memory import Memory
from graphmem.model.claim import Claim, ClaimKind
from graphmem.model.entity import normalise_name
from graphmem.model.episode import Episode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id
from graphmem.model.matching import MatchingSettings, MatchProfile
from graphmem.resolve.frequencies import counting, key_tokens, look_up_tokens
from graphmem.resolve.matching.identifiers import identifying_words
from graphmem.resolve.plan import resolve
from graphmem.settings import load_settings
from graphmem.store.parameters import claim_row
from graphmem.store.queries import read_queries
from graphmem.wiring import open_services
from tests.fakes import HashEmbedder, ScriptedExtractor
from tests.models import digest

GROUP = "matching"
BATCH = 1_000
WRITTEN = 5_000
DIGESTS = 60
MEASURED = 200
TOGETHER = 50
_TWICE = 50
_SYLLABLES = [consonant + vowel for consonant in "bcdfghjklmnprstvwz" for vowel in "aeiou"]
_QUERIES = {query.name: query for query in read_queries(Path(__file__).with_suffix(".cypher"))}
_BORN = date(1930, 1, 1)
_SAID = datetime(2025, 1, 1, tzinfo=UTC)


def people() -> Iterator[tuple[str, date]]:
    """Names and dates of birth without an end, always the same: given names common, family names rare, none twice."""
    chance = random.Random(7)  # noqa: S311 - reproducible on purpose
    given = ["".join(chance.choices(_SYLLABLES, k=2)).title() for _ in range(400)]
    known = set[str]()
    while True:
        name = f"{chance.choice(given)} {''.join(chance.choices(_SYLLABLES, k=4)).title()}"
        born = _BORN + timedelta(days=chance.randrange(25_000))
        at = chance.randrange(1, len(name) - 1)
        names = (name, name[:at] + name[at + 1 :]) if chance.randrange(_TWICE) == 0 else (name,)
        for one in names:
            if (key := normalise_name(one)) not in known:
                known.add(key)
                yield one, born


def write(driver: Driver, more: Iterator[tuple[str, date]], number: int, settings: MatchingSettings) -> None:
    """So many more people, as the job leaves them."""
    began, written = perf_counter(), 0
    while batch := list(islice(more, min(WRITTEN, number - written))):
        profiles = [_profile(name, born) for name, born in batch]
        counts = {one.id: counting(GROUP, one) for one in profiles}
        rows = [
            {
                "id": one.id,
                "key": normalise_name(one.name),
                "name": one.name,
                "qualifier": one.qualifier,
                "claim": _claim(one.id, born),
                "keys": " ".join(sorted({*key_tokens(GROUP, one, settings), *counts[one.id].tokens})),
                "terms": sorted(counts[one.id].tokens),
            }
            for one, (_, born) in zip(profiles, batch, strict=True)
        ]
        holders = Counter(token for one in counts.values() for token in one.tokens)
        changes = [{"id": token, "change": change} for token, change in sorted(holders.items())]
        for name, params in (("write_people", {"rows": rows, "now": _SAID}), ("count_holders", {"rows": changes})):
            driver.execute_query(_QUERIES[name].text, group=GROUP, parameters_=params)
        written += len(batch)
        if written % 50_000 == 0:
            say(f"  {written:,} people written after {perf_counter() - began:.0f} s")


def _claim(id_: str, born: date) -> dict[str, Any]:
    claim = Claim(
        group_id=GROUP,
        episode_id="",
        kind=ClaimKind.STARTS,
        subject_id=id_,
        predicate="birth_date",
        value=born.isoformat(),
        statement="",
        quote="",
        quote_start=0,
        quote_end=0,
        valid_from=_SAID,
        from_stated=True,
        said_at=_SAID,
        confidence=1.0,
        extractor="bench",
        extractor_version="1",
    )
    return claim_row(claim, [])["properties"]


def _profile(name: str, born: date) -> MatchProfile:
    key, qualifier = normalise_name(name), f"list:{name}"
    return MatchProfile(
        id=entity_id(GROUP, key, qualifier),
        type="person",
        name=name,
        qualifier=qualifier,
        names=frozenset({name}),
        values={"birth_date": frozenset({born.isoformat()})},
        first_seen=_SAID,
    )


async def load(memory: Memory, more: Iterator[tuple[str, date]], number: int) -> tuple[float, float]:
    """Seconds of telling and of indexing so many more people."""
    began, told = perf_counter(), 0
    while batch := list(islice(more, min(BATCH, number - told))):
        claims = [
            StructuredClaim(
                subject=ThingName(name, "person", f"list:{name}"),
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


async def digests(memory: Memory, names: Sequence[str], size: int) -> dict[str, object]:
    """Turns of sessions in which a whole name was said: with the given name, and with the whole name again."""
    times: dict[str, list[float]] = {"whole": [], "short": []}
    at_once: list[float] = []
    for number, name in enumerate(names):
        whole, given = name.replace(" ", "_"), name.split()[0]
        for sort, who in (("whole", whole), ("short", given)):
            session = f"{size} {sort} {number}"
            await _digest(memory, session, 0, f"{whole} knows Ann_Lee")
            episode = Episode(group_id=GROUP, session=session, content=f"{who} likes Chess", occurred_at=_SAID)
            (remembered,) = await memory.intake.remember(GROUP, [episode])
            lease = await memory.digestion.lease(GROUP, remembered.id, 60)
            if lease is None:
                raise SystemExit("Somebody else digests.")
            fragment = await ScriptedExtractor().extract(episode)
            reading = (episode, resolve(lease.stored, fragment))
            began = perf_counter()
            await memory.short_names.provisional_meanings([reading])
            if sort == "short":
                at_once.append(perf_counter() - began)
            began = perf_counter()
            await memory.digestion.digest(lease)
            times[sort].append(perf_counter() - began)
    return {**{sort: milliseconds(found) for sort, found in times.items()}, "at_once": milliseconds(at_once)}


async def _digest(memory: Memory, session: str, day: int, content: str) -> None:
    at = _SAID + timedelta(days=day)
    episode = Episode(group_id=GROUP, session=session, content=content, occurred_at=at)
    (remembered,) = await memory.intake.remember(GROUP, [episode])
    await digest(memory, GROUP, remembered.id)


async def measured(memory: Memory, settings: MatchingSettings) -> dict[str, object]:
    due = list(await memory.store.due_to_match(GROUP, MEASURED))
    rows = await memory.store.profiles(GROUP, due, identifying_words(settings))
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
    async with open_services(settings, extractor=ScriptedExtractor(), embedder=HashEmbedder()) as services:
        more, there = people(), 0
        await services.memory.groups.ensure(GROUP)
        for size in sizes:
            with GraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType] -- its **config
                found.neo4j_uri, auth=(found.neo4j_user, found.neo4j_password)
            ) as driver:
                write(driver, more, max(0, size - there - BATCH), settings.matching.settings())
            last = min(size - there, BATCH)
            names = [name for name, _ in islice(people(), there, there + DIGESTS)]
            told, indexed = await load(services.memory, more, last)
            figures[str(size)] = {
                **await measured(services.memory, settings.matching.settings()),
                "told_ms": round(1000 * told / last, 2),
                "index_ms": round(1000 * indexed / last, 2),
                "digest": await digests(services.memory, names, size),
            }
            there = size
            say(f"{size}: {figures[str(size)]}")
    return figures


def main(arguments: Namespace) -> None:
    with started({}, "--servers-only") as data_dir:
        tell({"entities": asyncio.run(run(data_dir, sorted(arguments.entities)))}, as_json=arguments.json)


if __name__ == "__main__":
    told = parser(__doc__ or "")
    told.add_argument("--entities", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    main(told.parse_args())
