"""Every notebook is kept with what it shows, and shows the same from top to bottom against the running service."""

import re
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
        ("image/svg+xml", "Bruno"),
        ("image/png", "iVBORw0KGgo"),
    ],
    "02_point_in_time.ipynb": [
        ("text/html", "Valencia"),
        ("text/html", "Bruno lives in Madrid."),
        ("text/html", "Bruno lives in Valencia."),
        ("image/png", "iVBORw0KGgo"),
        ("text/html", "Bruno lives in Madrid."),
        ("image/png", "iVBORw0KGgo"),
        ("image/svg+xml", "Bruno"),
    ],
    "03_who_is_who.ipynb": [
        ("text/plain", "'done'"),
        ("text/html", "identifier"),
        ("image/png", "iVBORw0KGgo"),
        ("image/png", "iVBORw0KGgo"),
        ("text/plain", "'wrongly': 0"),
        ("image/svg+xml", "Bill Brandt"),
        ("image/svg+xml", "Bill Brandt"),
        ("image/svg+xml", "Bill Brandt"),
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
OF_A_MACHINE = re.compile(r"/(?:home|root|tmp|var|Users|opt)/|127\.0\.0\.1|localhost|0x[0-9a-f]{8}")

pytestmark = pytest.mark.timeout(START)


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=pytest.mark.full if at else ()) for at, path in enumerate(NOTEBOOKS)],
)
async def test_a_notebook_shows_what_it_is_kept_with(path: Path, service: Service) -> None:
    """Where it does not, and should not: ``scripts/notebooks.py``."""
    assert shown(await run(path, service.environment())) == shown(read(path))


def test_kept_notebooks_show_what_they_speak_of_and_nothing_of_the_machine() -> None:
    assert [path.name for path in NOTEBOOKS] == sorted(SHOWN)
    for path in NOTEBOOKS:
        found = [output.get("data", {}) for output in outputs(read(path))]
        for data, (kind, text) in zip(found, SHOWN[path.name], strict=True):
            assert text in data.get(kind, ""), (path.name, kind)
        for data in found:
            texts = [str(shown) for kind, shown in data.items() if kind != "image/png"]
            assert [text for text in texts if OF_A_MACHINE.search(text)] == []
