"""Runs the notebooks anew and keeps what they show: GitHub shows it, and a test compares it.

    .venv/bin/python scripts/notebooks.py [NAME …]      all, or those whose names begin so

Starts graphmem in a folder of its own, on ports that are free, and stops it again.
"""

import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.acceptance.service import environment  # noqa: E402 - of this folder
from tests.notebooks.running import NOTEBOOKS, run  # noqa: E402 - likewise

GRAPHMEM = str(Path(sys.executable).parent / "graphmem")


def main() -> None:
    names = tuple(sys.argv[1:]) or ("",)
    with tempfile.TemporaryDirectory() as folder:
        of_folder = ("--data-dir", folder)
        subprocess.run([GRAPHMEM, "up", "--sample", "--detach", *of_folder], check=True)
        try:
            for path in (path for path in NOTEBOOKS if path.name.startswith(names)):
                keep(path, Path(folder))
        finally:
            subprocess.run([GRAPHMEM, "down", *of_folder], check=True)


def keep(path: Path, data_dir: Path) -> None:
    notebook = asyncio.run(run(path, environment({"GRAPHMEM_DATA_DIR": str(data_dir)})))
    nbformat.write(notebook, path)  # pyright: ignore[reportUnknownMemberType] -- not typed
    print(path)


if __name__ == "__main__":
    main()
