"""How many statements a read sends, and what a bare driver takes for them, and for as many that read nothing.

Figures of two machines compare by what is above this floor.
"""

from collections.abc import Awaitable, Callable, Iterable
from statistics import median
from time import perf_counter

from neo4j import Driver

from bench.common import milliseconds
from bench.scale.opened import Bench
from bench.scale.recorded import replay, session_of

WARM, ROUNDS = 20, 60


async def floor(bench: Bench, reads: Iterable[Callable[[], Awaitable[object]]]) -> dict[str, float]:
    """The statements of a read in this process, at the median and the most, and the floor of so many at the median.

    In ms: the statements of a read, one after the other; one round trip (`RETURN 1`), and as many as it has statements.
    """
    counts, seconds = list[int](), list[float]()
    for read in reads:
        bench.database.take()
        await read()
        sent = bench.database.take()
        counts.append(sum(map(len, sent)))
        seconds.append(replay(bench.driver, sent))
    statements = round(median(counts))
    return {
        "statements": statements,
        "most_statements": max(counts),
        "statements_ms": milliseconds(seconds)["p50"],
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
