"""How long `graphmem up` takes on a new data directory, and how long on one that was there before.

Later starts are timed as they are from the second day on: once Neo4j's start was recorded in the background.

python -m bench.startup --json
"""

import os
import tempfile
from pathlib import Path
from time import monotonic, sleep

from bench.common import down, parser, say, tell, up
from graphmem.local.neo4j.java import aot_cache, find_java
from graphmem.local.neo4j.server import jvm_options, pinned_jars
from graphmem.process.fetch import default_cache, fetch_jars

_LONGEST = 900.0
_PAUSE = 2.0


def _wait_for_recording() -> bool:
    environ = dict(os.environ)  # noqa: TID251 - to find the same Java
    java, jars = find_java(environ), fetch_jars(pinned_jars(), default_cache())
    cache = aot_cache(java, jars, jvm_options(java))
    deadline = monotonic() + _LONGEST
    while cache and cache.is_wanted() and monotonic() < deadline:
        sleep(_PAUSE)
    return cache is not None and cache.find() is not None


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--runs", type=int, default=3, help="later starts to time")
    options = arguments.parse_args()
    if options.url:
        raise SystemExit("This one starts services itself; it takes no --url.")
    with tempfile.TemporaryDirectory(prefix="graphmem-bench-") as folder:
        data_dir = Path(folder)
        first, later, stops = up(data_dir), list[float](), list[float]()
        say(f"first start {first:.1f} s")
        recorded = _wait_for_recording()
        for _ in range(options.runs):
            stops.append(down(data_dir))
            later.append(up(data_dir))
            say(f"later start {later[-1]:.1f} s")
        stops.append(down(data_dir))
    figures: dict[str, object] = {
        "first_start_s": round(first, 1),
        "later_starts_s": [round(seconds, 1) for seconds in later],
        "neo4j_start_recorded": recorded,
        "stops_s": [round(seconds, 1) for seconds in stops],
    }
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
