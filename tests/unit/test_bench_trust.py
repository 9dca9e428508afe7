"""How the benchmark of trust compares, and what it calls the memory of a process."""

import subprocess
import sys
from collections import Counter

import httpx

from bench.common import peak_mb
from bench.trust import WARM, Caller, apart, compared

HOLDS = 'held = b"x" * (100 << 20)'


async def test_callers_take_turns_and_what_warms_is_not_counted() -> None:
    asked = list[tuple[str, str]]()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append((request.headers["authorization"], request.url.path))
        return httpx.Response(200)

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer), base_url="http://graphmem.test") as client:
        callers = {kind: Caller(client, kind) for kind in ("with", "without")}
        figures = await compared(callers, "g", 20)

    first = [who for who, path in asked if path.endswith("/search")][::2]
    assert Counter(first) == {f"Bearer {kind}": (WARM + 20) // 2 for kind in callers}
    assert figures.keys() == {"episodes", "facts", "search", "more"}
    assert str(figures["facts"]).count("'n': 20") == 2


def test_what_takes_as_long_is_longer_in_half_of_the_rounds() -> None:
    assert apart([0.001, 0.003, 0.002, 0.002], [0.002, 0.002, 0.003, 0.001])["longer"] == 0.5


def test_the_memory_of_a_process_is_its_own_and_not_that_of_whoever_started_it() -> None:
    code = f"from bench.common import peak_mb; before = peak_mb(); {HOLDS}; print(before, peak_mb())"
    held = b"x" * (400 << 20)
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    before, after = map(int, done.stdout.split())
    assert before < 300 < len(held) >> 20 <= peak_mb()
    assert 90 <= after - before <= 110
