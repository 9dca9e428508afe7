"""What the doors cost: files that people have, the plugin of coding agents, the store of LangGraph.

    python -m bench.doors --json

``files``: each format is handed in by ``graphmem ingest``; none of it may be lost, and 500 messages a second are to be
stored. ``big``: an export of 100 MB is read (``--megabytes 1000``: of 1 GB), in the same memory as a tenth of it.
``hooks``: a project of 1,000 turns; at the 95th percentile, ``start`` is to take at most 800 ms and ``prompt`` 300 ms,
a process of its own included; ``end`` is what an agent waits for when its log is handed in, and ``answered`` counts
events that brought context. ``stores``: calls of LangGraph's store. The exit status is 1 where a bound does not hold.
"""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bench.common import Service, parser, service, tell
from bench.doors.files import FORMATS, big, formats
from bench.doors.hooks import hooks
from bench.doors.stores import stores

Part = Callable[[Service, Namespace], dict[str, Any]]
"""Measures one door beside a service, and says whether it is as it should be, in ``ok``."""

PARTS: Mapping[str, Part] = {
    "files": lambda asked, options: formats(asked, options.format or list(FORMATS), options.messages),
    "big": lambda _, options: big(options.megabytes),
    "hooks": lambda asked, options: hooks(asked, options.turns, options.times),
    "stores": lambda asked, options: asyncio.run(stores(asked, options.items, options.times)),
}


def main(given: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--part", choices=list(PARTS), action="append", help="only this one; default: all")
    arguments.add_argument("--format", choices=list(FORMATS), action="append", help="of files; default: all")
    arguments.add_argument("--messages", type=int, default=500, help="of each file; a rate takes more than 200")
    arguments.add_argument("--megabytes", type=float, default=100, help="of the big file")
    arguments.add_argument("--turns", type=int, default=1_000, help="of the project that hooks ask about")
    arguments.add_argument("--items", type=int, default=200, help="of a store")
    arguments.add_argument("--times", type=int, default=50, help="each event happens, and each search is asked")
    options = arguments.parse_args(given)
    with service(options) as running:
        figures = {name: PARTS[name](running, options) for name in options.part or PARTS}
    tell({**figures}, as_json=options.json)
    if not all(figure["ok"] for figure in figures.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
