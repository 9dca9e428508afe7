"""Notebooks, read and run by a kernel of their own."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from tests.acceptance.service import START


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] -- not typed


async def run(path: Path, environment: Mapping[str, str]) -> Any:
    """From top to bottom, with what its cells show; the file stays as it is."""
    notebook = read(path)
    beside = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(notebook, timeout=START // 2, kernel_name="python3", resources=beside)
    await client.async_execute(env=dict(environment))
    return notebook


def outputs(notebook: Any) -> Iterator[Any]:
    for cell in notebook.cells:
        yield from cell.get("outputs", ())
