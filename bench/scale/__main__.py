"""How load, reads, search and ingest grow with the graph, beside the same Cypher on a bare driver.

    python -m bench.scale --claims 10000 100000 1000000 --json

One data directory grows from size to size. Claims are loaded through graphmem's own path; their vectors are made, not
embedded. At each size: the rate of the load, and of plain Cypher that writes the same relationships into the same
indexes; reads over HTTP, and an episode digested in this process, each beside the statements that graphmem sends for
it, sent again by a bare driver one after the other, reads around an entity also beside the least Cypher that answers
the same (`least.cypher`); recall of the vector index under filters. Growth is from the first size to the last.
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.common import parser, say, started, tell
from bench.scale.loading import Loaded, blocks_between, in_parts, load, plain_per_s, settle
from bench.scale.made import BLOCK, big_blocks
from bench.scale.opened import Bench, described, environment, opened
from bench.scale.reads import (
    Ground,
    entity_as_of,
    graph_depth_1,
    graph_depth_2,
    measure,
    search,
    vector_search,
)
from bench.scale.recall import vector_recall
from bench.scale.writing import ingest

_LONGEST_PAUSE = 300.0
_WARMING = 5
"""Blocks loaded before anything is measured; they count towards the sizes."""
_MEASURED = ("entity_as_of", "graph_depth_1", "graph_depth_2", "search", "vector", "ingest")


async def figures_of(bench: Bench, sizes: Sequence[int], questions: int, writers: int) -> dict[str, object]:
    by_size: dict[str, dict[str, Any]] = {}
    await _warm(bench, questions, writers)
    for end, blocks in blocks_between(_WARMING, sizes):
        say(f"loading until there are {BLOCK * end:,} claims")
        loaded = await load(bench.loader, blocks, writers)
        say(f"  {loaded.per_s:.0f} claims/s; waiting until the server rests")
        by_size[str(BLOCK * end)] = {
            **_load_figures(loaded),
            "settled_s": round(settle(bench.server, _LONGEST_PAUSE), 1),
            **await _reads(bench.ground(end), questions),
            **_plain_figures(bench, end, writers, loaded),
        }
    return {"sizes": by_size, "growth": growth(by_size)}


async def _warm(bench: Bench, count: int, writers: int) -> None:
    """Java compiles what runs often; without this, the first size would be measured before it does."""
    say("warming up")
    await load(bench.loader, range(_WARMING), writers, partial(in_parts, size=100))
    await _reads(bench.ground(_WARMING), count)


async def _reads(ground: Ground, count: int) -> dict[str, object]:
    say("reads, and episodes")
    return {
        "big_tenant_claims": BLOCK * len(big_blocks(ground.blocks)),
        "entity_as_of": await measure(ground, entity_as_of, count),
        "graph_depth_1": await measure(ground, graph_depth_1, count),
        "graph_depth_2": await measure(ground, graph_depth_2, count),
        "search": await measure(ground, search, count),
        "vector": await vector_search(ground, count),
        "ingest": await ingest(ground, count),
        "vector_recall_at_20": await vector_recall(ground, count),
    }


def _load_figures(loaded: Loaded) -> dict[str, object]:
    return {
        "load_s": round(loaded.seconds, 1),
        "load_claims_per_s": round(loaded.per_s),
        "load_latest_claims_per_s": round(loaded.latest_per_s),
    }


def _plain_figures(bench: Bench, blocks: int, writers: int, loaded: Loaded) -> dict[str, object]:
    say("the same relationships by plain Cypher")
    plain = plain_per_s(bench.driver, blocks, writers)
    return {"plain_create_per_s": round(plain), "load_to_plain": round(loaded.latest_per_s / plain, 2)}


def growth(by_size: Mapping[str, Mapping[str, Any]]) -> dict[str, object]:
    """How often the first median the last one is, of each measurement and of its floor, and how these compare."""
    first, *_, last = [*by_size.values(), *by_size.values()]
    return {name: _growth(first[name], last[name]) for name in _MEASURED}


def _growth(first: Mapping[str, Any], last: Mapping[str, Any]) -> dict[str, float]:
    ours = next(name for name in first if name.endswith("ms") and name != "cypher_ms")
    grown = last[ours]["p50"] / first[ours]["p50"]
    floor = last["cypher_ms"]["p50"] / first["cypher_ms"]["p50"]
    return {"measured": round(grown, 2), "cypher": round(floor, 2), "measured_to_cypher": round(grown / floor, 2)}


async def run(data_dir: Path, sizes: Sequence[int], questions: int, writers: int) -> dict[str, object]:
    began = perf_counter()
    async with opened(data_dir) as bench:
        figures = await figures_of(bench, sizes, questions, writers)
        server = described(bench.driver, data_dir)
    minutes = round((perf_counter() - began) / 60, 1)
    vectors = "made: 384-d, unit length, clustered; no model embedded them"
    return {**figures, "server": server, "writers": writers, "vectors": vectors, "minutes": minutes}


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--claims", type=int, nargs="+", default=[10_000, 100_000, 1_000_000], help="sizes")
    arguments.add_argument("--questions", type=int, default=60, help="questions for each figure")
    arguments.add_argument("--writers", type=int, default=2, help="writers that load at once")
    arguments.add_argument("--heap", default="4g", help="heap of Neo4j")
    arguments.add_argument("--page-cache", default="5g", help="page cache of Neo4j")
    options = arguments.parse_args()
    if options.url:
        raise SystemExit("This one starts services itself, to reach their database; it takes no --url.")
    with started(environment(options.heap, options.page_cache)) as data_dir:
        figures = asyncio.run(run(data_dir, options.claims, options.questions, options.writers))
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
