"""Bulk load through graphmem's own path, and as plain Cypher as the floor."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from neo4j import Driver, ManagedTransaction
from psutil import Process

from bench.common import say
from bench.scale.made import BIG, BLOCK, big_blocks, claims, entity_ids, group_of
from bench.scale.recorded import session_of
from graphmem.errors import TransactionEnded
from graphmem.memory import Memory
from graphmem.model.evidence import StructuredClaim
from graphmem.model.ids import digest, group_token
from graphmem.store.queries import Query, read_queries

_LATEST = 20
"""Blocks at the end of a load whose rate is compared with the floor."""
_SCRATCH = "floor"
_TRIES = 5
_QUERIES = {query.name: query for query in read_queries(Path(__file__).with_name("floor.cypher"))}


Part = tuple[str, list[StructuredClaim]]
"""A group, and claims for it."""
Parts = Callable[[int], Iterable[Part]]


def whole(block: int) -> list[Part]:
    """The block in one part."""
    return in_parts(block, BLOCK)


def in_parts(block: int, size: int) -> list[Part]:
    """The block in parts of ``size`` claims."""
    made = list(claims(block))
    return [(group_of(block), made[start : start + size]) for start in range(0, BLOCK, size)]


@dataclass(frozen=True, slots=True)
class Loaded:
    """``latest_per_s`` is the rate of the last blocks, when the graph was about as large as it is now."""

    claims: int
    seconds: float
    latest_per_s: float

    @property
    def per_s(self) -> float:
        return self.claims / self.seconds


async def load(memory: Memory, blocks: Sequence[int], writers: int, parts: Parts = whole) -> Loaded:
    """Blocks of claims by several writers at once; each of the ``parts`` of a block is a transaction."""
    began, stamps = perf_counter(), list[float]()
    waiting = iter(blocks)
    async with asyncio.TaskGroup() as tasks:
        for _ in range(writers):
            tasks.create_task(_write(memory, waiting, stamps, parts))
    return Loaded(len(blocks) * BLOCK, perf_counter() - began, _latest(began, stamps))


async def _write(memory: Memory, waiting: Iterator[int], stamps: list[float], parts: Parts) -> None:
    for block in waiting:
        for group, part in parts(block):
            await _tell(memory, group, part)
        stamps.append(perf_counter())
        if block % 50 == 49:
            say(f"  {BLOCK * (block + 1):,} claims")


async def _tell(memory: Memory, group: str, part: list[StructuredClaim]) -> None:
    """The same claims again are the same claims: where a busy machine ended a transaction, it is written again."""
    for _ in range(_TRIES):
        try:
            await memory.intake.assert_claims(group, part)
        except TransactionEnded as ended:
            say(f"  {ended}")
        else:
            return
    raise SystemExit(f"{_TRIES} times a transaction took too long: load with fewer --writers.")


def _latest(began: float, stamps: Sequence[float]) -> float:
    moments = sorted([began, *stamps])[-_LATEST - 1 :]
    return BLOCK * (len(moments) - 1) / (moments[-1] - moments[0])


def plain_per_s(driver: Driver, blocks: int, writers: int) -> float:
    """Relationships and vectors of the big tenant's last blocks, copied by UNWIND … CREATE into a scratch group.

    They go into the same indexes, as large as they are now; the entities at their ends are there before.
    """
    copied = [_copy(driver, block, blocks) for block in big_blocks(blocks)[-_LATEST:]]
    began = perf_counter()
    with ThreadPoolExecutor(writers) as threads:
        written = sum(threads.map(partial(_create, driver), copied))
    return written / (perf_counter() - began)


def _copy(driver: Driver, block: int, blocks: int) -> list[dict[str, Any]]:
    """A block's relationships under other ids, and the entities at their ends."""
    with session_of(driver) as session:
        found = session.run(_QUERIES["relationships_of_block"].text, group=BIG, ids=entity_ids(block)).data()
        rows = [_scratch(row["properties"], row["embedding"], blocks) for row in found]
        ends = sorted({row["properties"][end] for row in rows for end in ("subject_id", "object_id")})
        session.execute_write(_execute, _QUERIES["create_ends"], group=_SCRATCH, ids=ends)
    return rows


def _scratch(properties: dict[str, Any], embedding: list[float], blocks: int) -> dict[str, Any]:
    ids = {key: digest(_SCRATCH, blocks, properties[key]) for key in ("id", "belief_id", "subject_id", "object_id")}
    whose = {"group_id": _SCRATCH, "group_token": group_token(_SCRATCH)}
    return {"properties": {**properties, **ids, **whose}, "embedding": embedding}


def _create(driver: Driver, rows: list[dict[str, Any]]) -> int:
    with session_of(driver) as session:
        session.execute_write(_execute, _QUERIES["create_relationships"], rows=rows)
    return len(rows)


def _execute(transaction: ManagedTransaction, query: Query, **params: Any) -> None:
    transaction.run(query.text, params).consume()


def settle(server: int, longest: float) -> float:
    """Seconds until the server has merged its indexes and rests, or ``longest``."""
    began, process = perf_counter(), Process(server)
    process.cpu_percent()
    resting = 0
    while resting < 3 and perf_counter() - began < longest:
        time.sleep(1.0)
        resting = resting + 1 if process.cpu_percent() < 25.0 else 0
    return perf_counter() - began


def blocks_between(first: int, sizes: Iterable[int]) -> list[tuple[int, range]]:
    """For each size, smallest first: the blocks that lead to it from the size before, the first of them ``first``."""
    wanted = sorted({size // BLOCK for size in sizes})
    if not wanted or wanted[0] <= first:
        raise SystemExit(f"--claims must each be more than {first * BLOCK:,}.")
    return [(end, range(start, end)) for start, end in zip([first, *wanted], wanted, strict=False)]
