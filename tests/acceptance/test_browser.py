"""The graph as a person sees it: Neo4j Browser in a real Chromium, without any other host."""

import shutil
from collections.abc import Generator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, sync_playwright

from graphmem.client.sample import trip, turns
from tests.acceptance.service import START, Service

CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MILLISECONDS = 90_000

pytestmark = [
    pytest.mark.timeout(START),
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (Debian: apt-get install chromium)"),
]


def only_here(route: Route) -> None:
    """What Neo4j Browser would load from elsewhere (a font, usage statistics) must not be needed."""
    if urlsplit(route.request.url).hostname == "127.0.0.1":
        route.continue_()
    else:
        route.abort()


@pytest.fixture(scope="module")
def browser(service: Service) -> Generator[Page]:
    """Neo4j Browser at the printed address, logged in with the generated password."""
    assert service.browser_url in service.told
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = chromium.new_page(viewport={"width": 1600, "height": 1200})
        page.set_default_timeout(MILLISECONDS)
        page.route("**/*", only_here)
        page.goto(service.browser_url)
        page.get_by_test_id("username").fill(service.connection.neo4j_user)
        page.get_by_test_id("password").fill(service.connection.neo4j_password)
        page.get_by_test_id("connect").click()
        page.get_by_text("You are connected as user").wait_for()
        yield page
        chromium.close()


def run(page: Page, query: str) -> Locator:
    """Type a query and press the button; the frame that shows what it found."""
    page.locator(".monaco-editor").first.click()
    page.keyboard.insert_text(query)
    page.get_by_test_id("editor-Run").click()
    frame = page.get_by_test_id("frame").filter(has_text=query).first
    frame.get_by_test_id("frame-loaded-contents").wait_for()
    return frame


def overview(frame: Locator) -> str:
    """What it says beside the graph, once that is drawn."""
    frame.locator("g.node").first.wait_for()
    return frame.get_by_test_id("vizInspector").inner_text()


def keep_picture(page: Page, folder: Path) -> None:
    picture = folder / "neo4j-browser.png"
    page.screenshot(path=picture)
    print(f"Picture: {picture}")  # noqa: T201 -- for who wants to look


def test_entities_and_what_relates_them_are_a_graph(browser: Page, tmp_path: Path) -> None:
    frame = run(browser, "MATCH (a:Entity)-[r:RELATES_TO]->(b) RETURN *")
    shown = overview(frame)
    keep_picture(browser, tmp_path)
    names = set(frame.locator("g.node").all_text_contents())
    assert {"Maya", "Bruno", "Clara", "Porto", "Lisbon", "Valencia"} <= {name.strip() for name in names}
    assert "Person (" in shown
    assert "RELATES_TO (" in shown


def test_a_relationship_shows_its_valid_and_its_transaction_time(browser: Page, tmp_path: Path) -> None:
    query = "MATCH (maya {name: 'Maya'})-[r:RELATES_TO {predicate: 'lives_in'}]->(porto:Place {name: 'Porto'}) RETURN *"
    frame = run(browser, query)
    frame.locator("g.relationship .overlay").click()
    frame.get_by_text("Relationship properties").wait_for()
    properties = frame.get_by_test_id("vizInspector").inner_text()
    keep_picture(browser, tmp_path)
    assert "RELATES_TO" in properties
    assert {"valid_from", "valid_to", "recorded_at", "superseded_at"} <= set(properties.split())


def test_episodes_hang_on_their_sessions(browser: Page, tmp_path: Path) -> None:
    query = "MATCH (s:Session {group_id: 'sample'})-[h:HAS_EPISODE]->(e:Episode) RETURN *"
    shown = overview(run(browser, query))
    keep_picture(browser, tmp_path)
    said = len(turns()) + len(trip())
    assert f"Episode ({said})" in shown
    assert f"HAS_EPISODE ({said})" in shown


def test_vector_indexes_are_online(browser: Page, tmp_path: Path) -> None:
    frame = run(browser, "SHOW VECTOR INDEXES")
    frame.locator("tbody tr").first.wait_for()
    rows = [row.inner_text() for row in frame.locator("tbody tr").all()]
    keep_picture(browser, tmp_path)
    assert all('"ONLINE"' in row for row in rows)
    for name in ("episode_vectors", "fact_vectors", "relationship_vectors"):
        assert sum(f'"{name}"' in row for row in rows) == 1
