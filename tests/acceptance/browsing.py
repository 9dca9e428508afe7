"""Neo4j Browser in a real Chromium, with nothing in between and no other host, used as a person uses it."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from typing import Literal

from playwright.sync_api import Locator, Page, expect, sync_playwright

from graphmem.local import LocalConnection

CHROMIUM = shutil.which("chromium")
MILLISECONDS = 90_000
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
"""What Neo4j Browser would load from elsewhere (a font, usage statistics) must not be needed: no other host is found.

Routes of Playwright's would do that too, but where one is set it answers every preflight itself, and so hides what the
service refuses.
"""


@contextmanager
def chromium(
    width: int = 1600, height: int = 1200, color_scheme: Literal["light", "dark"] = "light"
) -> Generator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=color_scheme)
        yield _prepared(page)
        browser.close()


def beside(page: Page) -> Page:
    """A page of the same Chromium that knows nothing of this one: there can be one Playwright at a time."""
    browser = page.context.browser
    assert browser is not None
    return _prepared(browser.new_page(viewport=page.viewport_size))


def _prepared(page: Page) -> Page:
    page.set_default_timeout(MILLISECONDS)
    return page


def log_in(page: Page, connection: LocalConnection) -> None:
    page.get_by_test_id("username").fill(connection.neo4j_user)
    page.get_by_test_id("password").fill(connection.neo4j_password)
    page.get_by_test_id("connect").click()
    page.get_by_text("You are connected as user").wait_for()


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


def guide(page: Page) -> Locator:
    return page.get_by_test_id("guidesDrawer")


def heading(page: Page) -> Locator:
    """That of the slide that is shown."""
    return guide(page).locator("h1")


def turn_to(page: Page, title: str, by: str = "guideNextSlide") -> None:
    """Go on, or with ``guidePreviousSlide`` back, to the slide with this heading, one by one."""
    while (shown := heading(page).inner_text()) != title:
        page.get_by_test_id(by).click()
        expect(heading(page)).not_to_have_text(shown)


def click(page: Page, words: str) -> Locator:
    """Run the command with these words on the slide that is shown, by its icon; the frame that shows what it found."""
    guide(page).locator("pre.runnable").filter(has_text=words).locator("i.fa-play-circle-o").click()
    return page.get_by_test_id("frame").filter(has_text=words).first


def rows(frame: Locator) -> list[str]:
    """The rows of a table, once there are any."""
    frame.locator("tbody tr").first.wait_for()
    return [row.inner_text() for row in frame.locator("tbody tr").all()]


def parameter_set(frame: Locator) -> None:
    """Wait until the one parameter of a frame is set: Neo4j Browser does not wait itself."""
    frame.get_by_text("Successfully set your parameters").wait_for()


def settled(frame: Locator) -> None:
    """Wait until every command of a frame of several is done: Neo4j Browser does not wait itself."""
    icons = frame.get_by_test_id("multi-statement-list-icon")
    icons.first.wait_for()
    expect(icons.and_(frame.get_by_title("Status: success"))).to_have_count(icons.count(), timeout=MILLISECONDS)
