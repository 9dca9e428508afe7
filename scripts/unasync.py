"""Make the synchronous client from the asynchronous one: the same modules without ``async`` and ``await``.

    .venv/bin/python scripts/unasync.py

``scripts/install`` runs it, and hatchling before it builds or installs anything. What it makes is not committed.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parents[1]
CLIENT = Path("graphmem", "client")
WORDS = {
    r"async (?=def|for|with)": "",
    r"await ": "",
    r"asyncio": "time",
    r"__a(?=enter__|exit__)": "__",
    r"aclose": "close",
    r"aread": "read",
    r"aiter_bytes": "iter_bytes",
    r"Async(?=BaseTransport|Client|GraphmemClient|Iterator)": "",
    r"client\.asynchronous": "client.synchronous",
}


class Unasync(BuildHookInterface[Any]):
    """Hatchling's hook: the synchronous client is there, and goes in although Git ignores it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        write(Path(self.root))
        build_data["artifacts"].append(f"/{CLIENT.as_posix()}/synchronous/*.py")


def write(root: Path) -> None:
    """Write what differs, and remove what has no source any more."""
    made, target = synchronous(root), root / CLIENT / "synchronous"
    target.mkdir(exist_ok=True)
    for stale in {path.name for path in target.glob("*.py")} - made.keys():
        (target / stale).unlink()
    for name, text in made.items():
        path = target / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def synchronous(root: Path) -> Mapping[str, str]:
    """The modules of the synchronous client by name."""
    source = CLIENT / "asynchronous"
    head = f"# Made by scripts/unasync.py from the module of this name in {source.as_posix()}. Change that one.\n"
    return {path.name: head + without_async(path.read_text("utf-8")) for path in (root / source).glob("*.py")}


def without_async(source: str) -> str:
    for word, instead in WORDS.items():
        source = re.sub(rf"\b{word}", instead, source)
    return source


if __name__ == "__main__":
    write(ROOT)
