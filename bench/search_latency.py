"""How long a search takes over HTTP, by the number of beliefs in the store and the number of groups they are in.

    python -m bench.search_latency --beliefs 1000 10000 50000 1000000 --groups 1 100 --json

Each number of groups has a fresh data directory, which grows from size to size. A size counts the beliefs of all
groups together; each group has about the same number. The claims and their vectors are those of `bench.scale`
(vectors are made: 384-d, clustered), but every fifth claim has a value instead of an object, so that it is a fact and
not a relationship. The worker is suspended.

Questions ask what somebody of the group did, in words; the service embeds them with its own model. Each question is
asked one after the other in each of these ways, for ten hits:

- for relationships and facts: `p50_ms`, `p95_ms` over HTTP, and `inside_p50_ms`, the time between request and answer
  that the service writes into its log for the same requests;
- for all kinds: `all_kinds_p50_ms`;
- for relationships and facts as of a day on which about 1, 12 and 50 % of the beliefs held: `as_of`.

`index_recall` is of the vector look-up alone, by graphmem's store over Bolt, with made vectors as questions: of the 20
beliefs nearest to the question among those of the group that held on the day, computed exactly over all vectors, the
share that the look-up returns first. It asks the indexes of relationships and of facts for 50 each, as a search for 20
does. It is null where nothing of the group held.

`degraded` counts searches that went without a channel, for example because the question was not embedded in time. They
are quicker or slower than others, so the exit status is 1 if there is any. `load_average` is that
of the machine, of the minute in which the last of the questions was asked. `floor` has, for relationships and facts
and for all kinds, the `statements` of some of the searches, made in this process, and what a bare driver takes for
them, and for as many that read nothing (`bench.floor`).
"""

import asyncio
import json
import os
import random
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import uuid4

import httpx
import numpy as np
import numpy.typing as npt

from bench.common import milliseconds, parser, say, started, summary, tell
from bench.floor import floor
from bench.scale.loading import Part, blocks_between, load, settle
from bench.scale.made import BLOCK, Floats, claims, day, number_of, people, queries, vectors
from bench.scale.opened import Bench, environment, opened
from bench.scale.recall import NEAREST, SHARES, day_of_share, held
from graphmem.clock import utc_now
from graphmem.local import DataDir
from graphmem.model.evidence import StructuredClaim
from graphmem.model.scope import Scope
from graphmem.model.search import FACT, RELATIONSHIP, SEARCHED
from graphmem.store.graph import GraphStore

BELIEFS = ["relationship", "fact"]
SPLIT_BELOW = 50_000
"""Claims below this number go to the groups by tens, so that small sizes fill all groups; later ones by blocks."""

_TEN = 10
_PER_PERSON = 5
_FACT = 3
"""Which of the five claims of a person is a fact."""
_ASKED = 50
_FOUND = 10
_WARM = 20
_FIRST_WARM = 150
"""Questions asked before the first size of a new server, whose code is not compiled yet."""
_LONGEST_PAUSE = 300.0
_COUNTED = 20
"""Questions of which the statements are counted."""

Numbers = npt.NDArray[np.int64]


# the beliefs ----------------------------------------------------------------------------------------------------------


def group_numbers(numbers: Numbers, groups: int) -> Numbers:
    """The group of each claim, from 0."""
    return np.where(numbers < SPLIT_BELOW, numbers // _TEN, numbers // BLOCK) % groups


def group_name(number: int) -> str:
    return f"group-{number}"


def parts(block: int, groups: int) -> Iterator[Part]:
    """The claims of a block, by group."""
    whose = group_numbers(_numbers(block), groups).tolist()
    told = zip(whose, claims(block), strict=True)
    for group, of_group in groupby(told, key=lambda pair: pair[0]):
        yield group_name(group), [_with_facts(claim) for _, claim in of_group]


def _with_facts(claim: StructuredClaim) -> StructuredClaim:
    if claim.object is None or int(claim.external_id or 0) % _PER_PERSON != _FACT:
        return claim
    return replace(claim, object=None, value=claim.object.name)


def _numbers(block: int) -> Numbers:
    return np.arange(BLOCK * block, BLOCK * (block + 1), dtype=np.int64)


# questions over HTTP --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Way:
    """What a question is asked for, besides its words."""

    name: str
    body: Mapping[str, object]


@dataclass(slots=True)
class Timed:
    """Seconds over HTTP and request ids, by way; and how many searches went without a channel."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict[str, list[float]](list))
    ids: dict[str, list[str]] = field(default_factory=lambda: defaultdict[str, list[str]](list))
    degraded: int = 0


def ways(days: Mapping[float, int]) -> list[Way]:
    """``days`` has the day of each share."""
    as_of = [Way(str(share), {"kinds": BELIEFS, "valid_at": day(number).isoformat()}) for share, number in days.items()]
    return [Way("beliefs", {"kinds": BELIEFS}), Way("all", {}), *as_of]


def questions(beliefs: int, groups: int, seed: int) -> Iterator[tuple[str, str]]:
    """Groups and questions about somebody who is in it, without end."""
    rng = random.Random(seed)  # noqa: S311 - reproducible on purpose
    while True:
        number = rng.randrange(beliefs)
        group = int(group_numbers(np.asarray([number]), groups)[0])
        person = people(number // BLOCK)[number % BLOCK // _PER_PERSON]
        yield group_name(group), f"Whom did {person.name} visit?"


def ask(client: httpx.Client, asked: Iterable[tuple[str, str]], in_ways: Sequence[Way]) -> Timed:
    timed = Timed()
    for group, text in asked:
        for way in in_ways:
            id_ = uuid4().hex
            body = {"query": text, "limit": _FOUND, **way.body}
            began = perf_counter()
            answer = client.post(f"/v1/groups/{group}/search", json=body, headers={"X-Request-Id": id_})
            timed.seconds[way.name].append(perf_counter() - began)
            timed.ids[way.name].append(id_)
            timed.degraded += bool(answer.raise_for_status().json()["degraded"])
    return timed


def inside(lines: Iterable[str], ids: Iterable[str]) -> list[float]:
    """Milliseconds of these requests by the log of the service.

    Raises:
        SystemExit: the log lacks one of them.
    """
    wanted = set(ids)
    logged = (json.loads(line) for line in lines if '"event": "request"' in line)
    found = {line["request_id"]: line["milliseconds"] for line in logged if line["request_id"] in wanted}
    if wanted - found.keys():
        raise SystemExit(f"The log of the service lacks {len(wanted - found.keys())} of {len(wanted)} requests.")
    return list(found.values())


# recall of the indexes ------------------------------------------------------------------------------------------------


def nearest(
    blocks: int, asked: Floats, of_group: Callable[[Numbers], npt.NDArray[np.bool_]], on: int
) -> list[set[int]]:
    """For each question, the numbers of the nearest 20 claims that held on a day, or as many as there are.

    ``of_group`` says which claims each question is asked of: one row a question, one column a claim.
    """
    best = np.full((len(asked), NEAREST), -np.inf, dtype=np.float32)
    names = np.full((len(asked), NEAREST), -1, dtype=np.int64)
    for block in range(blocks):
        numbers = _numbers(block)[held(block, on)]
        cosines = np.where(of_group(numbers), asked @ vectors(block)[numbers % BLOCK].T, -np.inf)
        cosines = np.hstack([best, cosines])
        whose = np.hstack([names, np.broadcast_to(numbers, (len(asked), len(numbers)))])
        order = np.argpartition(-cosines, NEAREST - 1, axis=1)[:, :NEAREST]
        best, names = np.take_along_axis(cosines, order, axis=1), np.take_along_axis(whose, order, axis=1)
    return [set(row[np.isfinite(scores)].tolist()) for row, scores in zip(names, best, strict=True)]


def recall(exact: Sequence[set[int]], found: Sequence[set[int]]) -> float | None:
    """The share of all that is right that was found; None where nothing is."""
    right = sum(len(numbers) for numbers in exact)
    hits = sum(len(numbers & others) for numbers, others in zip(exact, found, strict=True))
    return round(hits / right, 4) if right else None


async def index_recall(store: GraphStore, blocks: int, groups: int, count: int, when: Scope, on: int) -> float | None:
    """Each question is asked of one group; ``when`` has the times, on the day ``on``."""
    asked = queries(count)
    rng = random.Random(blocks)  # noqa: S311 - reproducible on purpose
    group_of = np.asarray([rng.randrange(groups) for _ in asked])
    exact = nearest(blocks, asked, lambda numbers: group_numbers(numbers, groups)[None, :] == group_of[:, None], on)
    found = [
        await _looked_up(store, replace(when, group=group_name(int(group))), vector.tolist())
        for group, vector in zip(group_of, asked, strict=True)
    ]
    return recall(exact, found)


async def _looked_up(store: GraphStore, when: Scope, vector: list[float]) -> set[int]:
    found = await store.by_vector(when, vector, [RELATIONSHIP, FACT], _ASKED)
    best = sorted((hit for some in found.values() for hit in some.hits), key=lambda hit: -hit.score)[:NEAREST]
    read = await store.beliefs_by_id(when, [hit.id for hit in best])
    return {number for belief in read.beliefs if (number := number_of(belief.statement)) is not None}


# figures --------------------------------------------------------------------------------------------------------------


async def by_size(bench: Bench, data_dir: Path, groups: int, options: Namespace) -> dict[str, dict[str, Any]]:
    figures, warm = dict[str, dict[str, Any]](), _FIRST_WARM
    for end, blocks in blocks_between(0, options.beliefs):
        say(f"{groups} groups: loading until there are {BLOCK * end:,} beliefs")
        loaded = await load(bench.loader, blocks, options.writers, partial(parts, groups=groups))
        say(f"  {loaded.per_s:.0f} claims/s; waiting until the server rests")
        settle(bench.server, _LONGEST_PAUSE)
        say(f"  {options.questions} questions")
        figures[str(BLOCK * end)] = await _figures(bench, data_dir, end, groups, options.questions, warm)
        warm = _WARM
    return figures


async def _figures(bench: Bench, data_dir: Path, blocks: int, groups: int, count: int, warm: int) -> dict[str, Any]:
    days = {share: day_of_share(blocks, share) for share in SHARES}
    asked, in_ways = questions(BLOCK * blocks, groups, seed=blocks), ways(days)
    ask(bench.client, (next(asked) for _ in range(warm)), in_ways)
    timed = ask(bench.client, (next(asked) for _ in range(count)), in_ways)
    load_average, *_ = os.getloadavg()
    with DataDir(data_dir).log("api").open(encoding="utf-8") as log:
        within = summary(inside(log, timed.ids["beliefs"]))
    took = {name: milliseconds(seconds) for name, seconds in timed.seconds.items()}
    as_of, store, now = dict[str, object](), bench.loader.store, bench.ground(blocks).known_at
    for share, on in days.items():
        when = Scope(group_name(0), day(on), now)
        found = await index_recall(store, blocks, groups, count, when, on)
        as_of[str(share)] = {"p50_ms": took[str(share)]["p50"], "index_recall": found}
    return {
        "p50_ms": took["beliefs"]["p50"],
        "p95_ms": took["beliefs"]["p95"],
        "inside_p50_ms": within["p50"],
        "all_kinds_p50_ms": took["all"]["p50"],
        "as_of": as_of,
        "floor": await _floors(bench, list(islice(asked, _COUNTED))),
        "degraded": timed.degraded,
        "load_average": round(load_average, 1),
    }


async def _floors(bench: Bench, asked: Sequence[tuple[str, str]]) -> dict[str, dict[str, float]]:
    """The statements of searches for beliefs and for all kinds, and their floor."""
    search, now = bench.reader.searcher.search, utc_now()

    async def of(kinds: frozenset[str]) -> dict[str, float]:
        return await floor(bench, [partial(search, Scope(group, now), text, kinds=kinds) for group, text in asked])

    return {"beliefs": await of(frozenset(BELIEFS)), "all": await of(SEARCHED)}


async def _measure(data_dir: Path, groups: int, options: Namespace) -> dict[str, dict[str, Any]]:
    async with opened(data_dir) as bench:
        return await by_size(bench, data_dir, groups, options)


def main(options: Namespace) -> None:
    if options.url:
        raise SystemExit("This one starts services itself, to load their database in bulk; it takes no --url.")
    if any(size % BLOCK or size < _TEN * max(options.groups) for size in options.beliefs):
        raise SystemExit(f"--beliefs must be multiples of {BLOCK:,}, and {_TEN} for each group at least.")
    figures = defaultdict[str, dict[str, dict[str, Any]]](dict)
    for groups in options.groups:
        with started(environment(options.heap, options.page_cache)) as data_dir:
            for size, measured in asyncio.run(_measure(data_dir, groups, options)).items():
                figures[size][str(groups)] = measured
    tell(dict(figures), as_json=options.json)
    if any(measured["degraded"] for sizes in figures.values() for measured in sizes.values()):
        raise SystemExit(1)


if __name__ == "__main__":
    arguments = parser(__doc__ or "")
    arguments.add_argument("--beliefs", type=int, nargs="+", default=[1_000, 10_000, 50_000, 1_000_000], help="sizes")
    arguments.add_argument("--groups", type=int, nargs="+", default=[1, 100], help="groups that the beliefs are in")
    arguments.add_argument("--questions", type=int, default=60, help="questions for each figure")
    arguments.add_argument("--writers", type=int, default=2, help="writers that load at once")
    arguments.add_argument("--heap", default="4g", help="heap of Neo4j")
    arguments.add_argument("--page-cache", default="5g", help="page cache of Neo4j")
    main(arguments.parse_args())
