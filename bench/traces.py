"""What the files of `graphmem up` still have of words that were forgotten, and until when.

    python -m bench.traces --json

Words that stand nowhere else are said in turns, short ones and ones of some 2,000 characters, and read. Then their
group is forgotten whole. Of each kind of file it is told how many of the words stand in it: `said`, once Neo4j has
written its files; `forgotten`, at once; `checkpoint`, once it has written them again, which it does when it is stopped;
and `written`, after `--more` megabytes of other writes and another stop.

The kinds are Neo4j's `store`, where free space is used again later, its `indexes` and `transaction_logs`; `valkey` and
`logs` are to have none at any time. Bytes are looked at: what Neo4j packs or cuts into blocks is not found.
"""

import json
import string
from collections import defaultdict
from pathlib import Path
from random import Random
from time import sleep

from bench.common import NO_KEYS, down, parser, running, say, started, tell, up, wait_until_digested
from graphmem.client import GraphmemClient
from graphmem.local.traces import traces

GROUP, OTHERS = "forgotten", "others"
WORDS = 40
LONG = "The harbour master wrote down every crate that came ashore. " * 35
_PAUSE = 0.2
_METADATA = 60_000
"""Characters of each other write: they cost Neo4j what they are, and nobody reads them."""


def word(random: Random) -> str:
    return "zor" + "".join(random.choices(string.ascii_lowercase, k=15))


def kind_of(path: str) -> str:
    """What the file of a path in a data directory is."""
    parts = Path(path).parts
    if "transactions" in parts:
        return "transaction_logs"
    if "databases" in parts:
        return "indexes" if "schema" in parts else "store"
    return "logs" if "logs" in parts else parts[0]


def counted(found: dict[str, list[int]]) -> dict[str, int]:
    """How many words stand in each kind of file, of the numbers of words by path."""
    numbers = defaultdict[str, set[int]](set)
    for path, some in found.items():
        numbers[kind_of(path)] |= {*some}
    return {kind: len(some) for kind, some in sorted(numbers.items())}


def restart(data_dir: Path) -> None:
    """Have Neo4j write its files."""
    down(data_dir)
    up(data_dir, NO_KEYS)


def say_words(data_dir: Path, words: list[str]) -> None:
    service = running(data_dir)
    with service.client() as client:
        for number, one in enumerate(words):
            content = f"Maya likes {one}." + (f" {LONG}" if number % 2 else "")
            client.post(f"/v1/groups/{GROUP}/episodes", json={"content": content}).raise_for_status()
        wait_until_digested(client, GROUP)


def forget(data_dir: Path) -> None:
    service = running(data_dir)
    with GraphmemClient(service.url, service.token) as client:
        preview = client.forget(GROUP, everything=True)
        begun = client.forget(GROUP, everything=True, confirm=preview.confirm)
        while client.receipt(GROUP, begun.receipt or "").ended_at is None:
            sleep(_PAUSE)


def write_more(data_dir: Path, megabytes: int, random: Random) -> None:
    with running(data_dir).client() as client:
        for number in range(megabytes * 1_000_000 // _METADATA):
            metadata = {"x": "".join(random.choices(string.ascii_letters, k=_METADATA))}
            said = {"content": f"Turn {number}.", "metadata": metadata}
            client.post(f"/v1/groups/{OTHERS}/episodes", json=said).raise_for_status()
        wait_until_digested(client, OTHERS)


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--more", type=int, default=80, help="megabytes that are written after all was forgotten")
    options = arguments.parse_args()
    if options.url:
        raise SystemExit("This one looks into the files of a service of its own; it takes no --url.")
    random, figures = Random(42), dict[str, object]()  # noqa: S311 - the same words each time
    words = [word(random) for _ in range(WORDS)]
    with started({}) as data_dir:

        def look(stage: str) -> None:
            figures[stage] = counted({**traces(data_dir, words)})
            say(f"{stage}: {json.dumps(figures[stage])}")

        say_words(data_dir, words)
        restart(data_dir)
        look("said")
        forget(data_dir)
        look("forgotten")
        restart(data_dir)
        look("checkpoint")
        write_more(data_dir, options.more, random)
        restart(data_dir)
        look("written")
    tell({"words": WORDS, **figures}, as_json=options.json)


if __name__ == "__main__":
    main()
