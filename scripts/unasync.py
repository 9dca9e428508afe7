"""Make the synchronous client from the asynchronous one: the same modules without ``async`` and ``await``.

    .venv/bin/python scripts/unasync.py [--check]

With ``--check`` nothing is written, and it fails where a module is not as it would be made.
"""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
SOURCE, TARGET = ROOT / "graphmem/client/asynchronous", ROOT / "graphmem/client/synchronous"
MADE = f"# Made by scripts/unasync.py from the module of this name in {SOURCE.relative_to(ROOT)}. Change that one.\n"
WORDS = {
    r"async (?=def|for|with)": "",
    r"await ": "",
    r"asyncio": "time",
    r"__a(?=enter__|exit__)": "__",
    r"aclose": "close",
    r"Async(?=BaseTransport|Client|GraphmemClient|Iterator)": "",
    r"client\.asynchronous": "client.synchronous",
}
RUFF = (
    # Imports in order; and `yield from`, which only synchronous code may say.
    ("check", "--fix-only", "--unsafe-fixes", "--select", "I,UP028"),
    ("format",),
)


def synchronous() -> Mapping[str, str]:
    """The modules of the synchronous client by name, as ruff formats them."""
    settings = ("--config", str(ROOT / "pyproject.toml"), "--config", 'lint.isort.known-first-party = ["graphmem"]')
    with TemporaryDirectory() as folder:
        for path in SOURCE.glob("*.py"):
            Path(folder, path.name).write_text(MADE + _without_async(path.read_text("utf-8")), "utf-8")
        for command in RUFF:
            subprocess.run([sys.executable, "-m", "ruff", *command, "--quiet", *settings, folder], check=True)
        return {path.name: path.read_text("utf-8") for path in Path(folder).glob("*.py")}


def _without_async(source: str) -> str:
    for word, instead in WORDS.items():
        source = re.sub(rf"\b{word}", instead, source)
    return source


def main() -> int:
    made = synchronous()
    there = {path.name: path.read_text("utf-8") for path in TARGET.glob("*.py")}
    stale = sorted(name for name in {*made, *there} if made.get(name) != there.get(name))
    if "--check" in sys.argv[1:]:
        for name in stale:
            print(f"{TARGET.relative_to(ROOT)}/{name} is not as scripts/unasync.py makes it.")
        return 1 if stale else 0
    TARGET.mkdir(exist_ok=True)
    for name in stale:
        if name in made:
            (TARGET / name).write_text(made[name], "utf-8")
        else:
            (TARGET / name).unlink()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
