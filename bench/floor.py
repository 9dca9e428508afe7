"""How many statements a read sends, and what a bare driver takes for as many that read nothing.

Figures of two machines compare by what is above this floor.
"""

from collections.abc import Awaitable, Callable, Iterable
from statistics import median
from time import perf_counter

from neo4j import Driver

from bench.common import milliseconds
from bench.scale.opened import Bench
from bench.scale.recorded import session_of

WARM, ROUNDS = 20, 60


async def floor(bench: Bench, reads: Iterable[Callable[[], Awaitable[object]]]) -> dict[str, float]:
    """The statements of a read in this process, at the median and the most, and the floor of so many at the median.

    In ms: one round trip (`RETURN 1`), and as many as the read has statements, one after the other.
    """
    counts = list[int]()
    for read in reads:
        bench.database.take()
        await read()
        counts.append(sum(map(len, bench.database.take())))
    statements = round(median(counts))
    return {
        "statements": statements,
        "most_statements": max(counts),
        "round_trip_ms": _round_trips(bench.driver, 1),
        "round_trips_ms": _round_trips(bench.driver, statements),
    }


def _round_trips(driver: Driver, count: int) -> float:
    seconds = list[float]()
    with session_of(driver) as session:
        for _ in range(WARM + ROUNDS):
            began = perf_counter()
            for _ in range(count):
                session.run("RETURN 1").consume()
            seconds.append(perf_counter() - began)
    return milliseconds(seconds[WARM:])["p50"]
