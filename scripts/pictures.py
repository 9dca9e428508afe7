"""Makes the pictures in README anew: Neo4j Browser in a real Chromium, and the timeline of a notebook.

    .venv/bin/python scripts/pictures.py [--dark]

Starts graphmem in a folder of its own, on ports that are free, and stops it again.
"""

import asyncio
import base64
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from graphmem.client.sample.loading import GROUP  # noqa: E402 - of this folder
from graphmem.local import connection  # noqa: E402 - likewise
from graphmem.settings import Settings  # noqa: E402 - likewise
from tests.acceptance.browsing import chromium, click, heading, log_in, overview, turn_to  # noqa: E402 - likewise
from tests.acceptance.service import environment  # noqa: E402 - likewise
from tests.notebooks.running import outputs, run  # noqa: E402 - likewise

GRAPHMEM = str(Path(sys.executable).parent / "graphmem")
PICTURES = ROOT / "docs" / "pictures"
NOTEBOOK = ROOT / "notebooks" / "02_point_in_time.ipynb"
SETTLED = 6_000
"""Milliseconds after which a drawn graph has stopped moving."""


def main() -> None:
    dark = "--dark" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        of_folder = ("--data-dir", folder)
        subprocess.run([GRAPHMEM, "up", "--sample", "--detach", *of_folder], check=True)
        try:
            command = [GRAPHMEM, "browser", "--group", GROUP, "--no-open", *of_folder]
            told = subprocess.run(command, check=True, capture_output=True, text=True)
            take(told.stdout.strip(), Path(folder), PICTURES / f"neo4j-browser{'-dark' if dark else ''}.png", dark=dark)
            draw(Path(folder), PICTURES / "timeline.png")
        finally:
            subprocess.run([GRAPHMEM, "down", *of_folder], check=True)


def take(address: str, data_dir: Path, picture: Path, *, dark: bool) -> None:
    """The second slide, and what is believed now; the first has the key of the guide."""
    reached = connection(data_dir, Settings())
    if reached is None:
        raise SystemExit(f"Nothing runs for {data_dir}.")
    picture.parent.mkdir(exist_ok=True)
    with chromium(1440, 900, "dark" if dark else "light") as page:
        page.goto(address)
        heading(page).wait_for()
        log_in(page, reached)
        styled = click(page, ":style ")
        styled.get_by_text("node.Person").first.wait_for()
        styled.get_by_title("Close").click()  # its address has the key of the guide
        turn_to(page, "What is believed now")
        frame = click(page, "RETURN a, r, b")
        overview(frame)
        frame.get_by_title("Collapse the node properties display").click()
        page.wait_for_timeout(SETTLED)
        frame.get_by_label("zoom-to-fit").click()
        page.wait_for_timeout(SETTLED)
        page.screenshot(path=picture)
    print(picture)


def draw(data_dir: Path, picture: Path) -> None:
    """The first picture that the notebook draws."""
    notebook = asyncio.run(run(NOTEBOOK, environment({"GRAPHMEM_DATA_DIR": str(data_dir)})))
    drawn = (output.get("data", {}).get("image/png") for output in outputs(notebook))
    picture.write_bytes(base64.b64decode(next(filter(None, drawn))))
    print(picture)


if __name__ == "__main__":
    main()
