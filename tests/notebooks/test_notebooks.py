"""Every notebook runs from top to bottom against the running service, and shows what it speaks of."""

from pathlib import Path

import pytest

from tests.acceptance.service import START, Service
from tests.notebooks.running import NOTEBOOKS, outputs, read, run, shown

SHOWN = {
    "01_first_memory.ipynb": [
        ("text/html", "Maya lives in Porto."),
        ("text/html", "Maya lives in Lisbon."),
        ("text/html", "Bruno lives in Valencia."),
        ("text/html", "Bruno lives in Madrid."),
        ("image/svg+xml", "<svg"),
        ("image/png", "iVBORw0KGgo"),
    ],
    "02_point_in_time.ipynb": [
        ("text/html", "Valencia"),
        ("text/html", "Bruno lives in Madrid."),
        ("text/html", "Bruno lives in Valencia."),
        ("image/png", "iVBORw0KGgo"),
        ("text/html", "Bruno lives in Madrid."),
        ("image/png", "iVBORw0KGgo"),
        ("image/svg+xml", "<svg"),
    ],
    "03_who_is_who.ipynb": [
        ("text/plain", "'done'"),
        ("text/html", "identifier"),
        ("image/png", "iVBORw0KGgo"),
        ("image/png", "iVBORw0KGgo"),
        ("text/plain", "'wrongly': 0"),
        ("image/svg+xml", "<svg"),
        ("image/svg+xml", "<svg"),
        ("image/svg+xml", "<svg"),
    ],
    "04_a_year_in_memory.ipynb": [
        ("image/png", "iVBORw0KGgo"),
        ("image/png", "iVBORw0KGgo"),
        ("text/html", "Jonas is allergic to peanuts."),
        ("text/plain", "[]"),
        ("image/png", "iVBORw0KGgo"),
        ("text/plain", "{'fact': 'Maya likes bells.', 'faded': True, 'hits': 0}"),
        ("text/html", "background: hsl(0 70% 85%)"),
        ("text/plain", "Jonas"),
    ],
}
"""What each notebook shows, in this order, and nothing else."""

pytestmark = pytest.mark.timeout(START)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
async def test_a_notebook_runs_and_shows_what_it_speaks_of_and_keeps(path: Path, service: Service) -> None:
    notebook = await run(path, service.environment())
    found = [output.get("data") for output in outputs(notebook)]
    assert all(found), [output for output in outputs(notebook) if "data" not in output]
    assert len(found) == len(SHOWN[path.name])
    for data, (kind, text) in zip(found, SHOWN[path.name], strict=True):
        assert text in data[kind]
    assert shown(notebook) == shown(read(path)), "Run scripts/notebooks.py, which keeps what the notebooks show now."


def test_every_notebook_is_tested() -> None:
    assert [path.name for path in NOTEBOOKS] == sorted(SHOWN)
