"""The graph as a person sees it: Neo4j Browser in a real Chromium, without any other host."""

import re
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from graphmem.client.sample import trip, turns
from graphmem.client.sample.loading import GROUP
from graphmem.local import DataDir
from graphmem.store.queries import cypher_root
from tests.acceptance.browsing import (
    CHROMIUM,
    beside,
    chromium,
    click,
    heading,
    log_in,
    overview,
    parameter_set,
    rows,
    run,
    settled,
    turn_to,
)
from tests.acceptance.service import BIN, START, Service

PERSON, GREY = "#3C8FEF", "#878F98"
"""Of the style: what people, and what is no longer believed, are drawn in."""

pytestmark = [
    pytest.mark.timeout(START),
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (Debian: apt-get install chromium)"),
]


@pytest.fixture(scope="module")
def browser(service: Service) -> Generator[Page]:
    """Neo4j Browser at the printed address, logged in with the generated password."""
    assert service.browser_url in service.told
    with chromium() as page:
        page.goto(service.browser_url)
        log_in(page, service.connection)
        yield page


@pytest.fixture(scope="module")
def guided(service: Service, browser: Page) -> Page:
    """Neo4j Browser as ``graphmem browser`` opens it, logged in."""
    page = beside(browser)
    page.goto(address(service))
    heading(page).get_by_text(f"What {GROUP} remembers").wait_for()
    log_in(page, service.connection)
    return page


def address(service: Service) -> str:
    command = [str(BIN / "graphmem"), "browser", "--group", GROUP, "--no-open"]
    return subprocess.run(command, env=service.environment(), capture_output=True, text=True, check=True).stdout.strip()


def keep_picture(page: Page, folder: Path) -> None:
    picture = folder / "neo4j-browser.png"
    page.screenshot(path=picture)
    print(f"Picture: {picture}")  # noqa: T201 -- for who wants to look


def captions(frame: Locator, selector: str) -> set[str]:
    return {text.strip() for text in frame.locator(selector).all_text_contents()}


def colors(frame: Locator, selector: str) -> set[str]:
    return {(one.get_attribute("fill") or "").upper() for one in frame.locator(selector).all()}


def test_entities_and_what_relates_them_are_a_graph(browser: Page, tmp_path: Path) -> None:
    frame = run(browser, "MATCH (a:Entity)-[r:RELATES_TO]->(b) RETURN *")
    shown = overview(frame)
    keep_picture(browser, tmp_path)
    assert {"Maya", "Bruno", "Clara", "Porto", "Lisbon", "Valencia"} <= captions(frame, "g.node")
    assert "Person (" in shown
    assert "RELATES_TO (" in shown


@pytest.mark.full
def test_a_relationship_shows_its_valid_and_its_transaction_time(browser: Page, tmp_path: Path) -> None:
    maya = "(maya {group_id: 'sample', name: 'Maya'})"  # notebooks tell other groups of another Maya
    query = f"MATCH {maya}-[r:RELATES_TO {{predicate: 'lives_in'}}]->(porto:Place {{name: 'Porto'}}) RETURN *"
    frame = run(browser, query)
    frame.locator("g.relationship .overlay").click()
    frame.get_by_text("Relationship properties").wait_for()
    properties = frame.get_by_test_id("vizInspector").inner_text()
    keep_picture(browser, tmp_path)
    assert "RELATES_TO" in properties
    assert {"valid_from", "valid_to", "recorded_at", "superseded_at"} <= set(properties.split())


@pytest.mark.full
def test_episodes_hang_on_their_sessions(browser: Page, tmp_path: Path) -> None:
    query = "MATCH (s:Session {group_id: 'sample'})-[h:HAS_EPISODE]->(e:Episode) RETURN *"
    shown = overview(run(browser, query))
    keep_picture(browser, tmp_path)
    said = len(turns()) + len(trip())
    assert f"Episode ({said})" in shown
    assert f"HAS_EPISODE ({said})" in shown


@pytest.mark.full
def test_vector_indexes_are_online(browser: Page, tmp_path: Path) -> None:
    shown = rows(run(browser, "SHOW VECTOR INDEXES"))
    keep_picture(browser, tmp_path)
    assert all('"ONLINE"' in row for row in shown)
    for name in ("episode_vectors", "fact_vectors", "relationship_vectors"):
        assert sum(f'"{name}"' in row for row in shown) == 1


def test_the_key_of_guides_is_in_no_log(service: Service) -> None:
    data = DataDir(service.data_dir)
    key = data.guide_key.read_text("utf-8").strip()
    logs = [
        path for folder in (data.neo4j / "logs", data.root / "logs") for path in folder.rglob("*") if path.is_file()
    ]
    assert [path for path in logs if key in path.read_text("utf-8", errors="replace")] == []
    assert "browser.post_connect_cmd=guide http" in (data.neo4j / "logs" / "debug.log").read_text("utf-8")


@pytest.mark.full
def test_who_connects_by_hand_gets_the_guide(browser: Page) -> None:
    heading(browser).wait_for()
    assert heading(browser).inner_text() in {"Which memory?", f"What {GROUP} remembers"}  # other tests may add groups


@pytest.mark.full
def test_the_guide_opens_by_its_address_alone_slide_by_slide(service: Service, browser: Page, tmp_path: Path) -> None:
    page, sent = beside(browser), list[dict[str, str]]()
    page.on("request", lambda request: sent.append(request.headers) if "/guide.md?" in request.url else None)
    page.goto(address(service))
    log_in(page, service.connection)
    for title in re.findall(r"^# (.+)$", (cypher_root() / "browser" / "guide.md").read_text("utf-8"), re.MULTILINE):
        turn_to(page, title.replace("{{group}}", GROUP))
    turn_to(page, "What is believed now", by="guidePreviousSlide")
    frame = click(page, "RETURN a, r, b")
    overview(frame)
    shown = captions(frame, "g.node")
    keep_picture(page, tmp_path)
    page.close()
    assert {"Maya", "Bruno"} <= shown
    assert "sentry-trace" in sent[0]  # so it was asked for in a preflight: this header is Browser's own affair


def test_a_click_loads_the_style_and_another_draws_what_is_believed_now(guided: Page, tmp_path: Path) -> None:
    turn_to(guided, f"What {GROUP} remembers")
    click(guided, ":style ").get_by_text("node.Person").first.wait_for()
    turn_to(guided, "What is believed now")
    frame = click(guided, "RETURN a, r, b")
    shown = overview(frame)
    keep_picture(guided, tmp_path)
    assert "Person (" in shown
    assert {"Maya", "Bruno", "Clara"} <= captions(frame, "g.node")
    assert "lives_in" in captions(frame, "g.relationship text")
    assert PERSON in colors(frame, "g.node circle.b-outline")


@pytest.mark.full
def test_beside_the_picture_of_now_stand_a_table_and_all_about_one(guided: Page, tmp_path: Path) -> None:
    turn_to(guided, "What is believed now")
    assert any('"Bruno"' in row and '"Porto"' in row for row in rows(click(guided, "RETURN a.name AS subject")))
    overview(click(guided, "RETURN e, link, other"))
    keep_picture(guided, tmp_path)


@pytest.mark.full
def test_on_a_day_the_table_leaves_out_what_is_drawn_beside_it(guided: Page, tmp_path: Path) -> None:
    turn_to(guided, "The same on a day")
    parameter_set(click(guided, ":param valid_at"))
    told = rows(click(guided, "r.valid_to > $valid_at RETURN a.name AS subject"))
    picture = click(guided, "r.valid_to > $valid_at RETURN a, r, b")
    overview(picture)
    keep_picture(guided, tmp_path)
    homes = [row for row in told if '"Bruno"' in row and '"lives_in"' in row]
    assert len(homes) == 1
    assert '"Valencia"' in homes[0]
    assert {"Bruno", "Valencia", "Porto"} <= captions(picture, "g.node")


@pytest.mark.full
def test_what_is_no_longer_believed_is_drawn_grey_and_says_so(guided: Page, tmp_path: Path) -> None:
    turn_to(guided, "As known then")
    frame = click(guided, "ORDER BY r.superseded_at DESC")
    overview(frame)
    keep_picture(guided, tmp_path)
    assert any(caption.startswith("was ") for caption in captions(frame, "g.relationship text"))
    assert GREY in colors(frame, "g.relationship path.b-outline")


@pytest.mark.full
@pytest.mark.parametrize(("title", "setting", "query", "column"), [
    ("As known then", ":param valid_at", "AS believed_from", "believed_to"),
    ("What changed between two days", ":param since", "AS change", "change"),
])  # fmt: skip
def test_days_are_set_at_a_click_and_answered_in_a_table(
    guided: Page, tmp_path: Path, title: str, setting: str, query: str, column: str
) -> None:
    turn_to(guided, title)
    settled(click(guided, setting))
    frame = click(guided, query)
    frame.locator("tbody tr").first.wait_for()
    keep_picture(guided, tmp_path)
    assert column in frame.locator("thead").inner_text()


@pytest.mark.full
@pytest.mark.parametrize(("title", "query"), [
    ("Where a sentence came from", "RETURN e, about, c, states, episode"),
    ("Where a sentence came from", "AS said_at"),
    ("Who is who", "RETURN a, s, b"),
    ("What faded", "AS fades_at"),
    ("What makes it fast", "SHOW INDEXES"),
])  # fmt: skip
def test_other_slides_answer_too(guided: Page, tmp_path: Path, title: str, query: str) -> None:
    turn_to(guided, title)
    frame = click(guided, query)
    frame.get_by_test_id("frame-loaded-contents").wait_for()
    if title != "Who is who":  # in the sample nobody may have two names
        frame.locator("g.node, tbody tr").first.wait_for()
    keep_picture(guided, tmp_path)
    assert "Neo." not in frame.inner_text()  # as the codes of its errors begin


def test_a_call_is_found_in_the_documentation_of_the_service(service: Service, browser: Page) -> None:
    page = beside(browser)
    page.goto(f"{service.api_url}/docs")
    page.get_by_role("searchbox").fill("versions HISTORY")
    found = page.locator("details:visible summary").all_inner_texts()
    headings = page.locator("h2:visible").all_inner_texts()
    page.close()
    assert [text.split()[:2] for text in found] == [["GET", "/v1/groups/{group}/entities/{entity_id}/history"]]
    assert headings == ["Core"]
