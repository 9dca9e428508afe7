"""Notebooks, read and run by a kernel of their own, and what they show in a form that is the same at each run."""

import base64
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from tests.acceptance.service import START

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
_SIZE_OF_PNG = slice(16, 24)


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] -- not typed


async def run(path: Path, environment: Mapping[str, str]) -> Any:
    """From top to bottom, with what its cells show; the file stays as it is."""
    notebook = read(path)
    beside = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(notebook, timeout=START // 2, kernel_name="python3", resources=beside, record_timing=False)
    await client.async_execute(env=dict(environment))
    notebook.metadata.language_info = {"name": "python"}  # without the version that ran it
    return notebook


def outputs(notebook: Any) -> Iterator[Any]:
    for cell in notebook.cells:
        yield from cell.get("outputs", ())


def shown(notebook: Any) -> list[dict[str, object]]:
    """What it shows, by kind: texts; of a drawn graph its words; of a chart, which is pixels, its size."""
    return [
        {kind: _comparable(kind, one) for kind, one in output.get("data", {}).items()} for output in outputs(notebook)
    ]


def _comparable(kind: str, shown: str) -> object:
    match kind:
        case "image/png":
            return base64.b64decode(shown)[_SIZE_OF_PNG].hex()
        case "image/svg+xml":
            return sorted(re.findall(r"<(?:text|title)\b[^>]*>([^<]*)", shown))
        case _:
            return shown
