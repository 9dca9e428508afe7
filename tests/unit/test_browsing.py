"""How ``graphmem browser`` opens Neo4j Browser."""

import os
import re
import socket
import webbrowser
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from typer.testing import CliRunner

from graphmem.client.cli import app
from graphmem.client.cli.service import opening, redirection
from graphmem.local.layout import DataDir
from graphmem.local.ports import Ports, answers_on_ipv6
from graphmem.local.process import Identity
from graphmem.local.state import LocalState
from graphmem.private_files import ensure_secret

PORTS = Ports(api=8464, bolt=7687, http=7474)
BROWSER, NEO4J = "http://127.0.0.1:7474/browser/", "bolt://127.0.0.1:7687"
PLAIN = f"{BROWSER}?dbms=bolt://neo4j@127.0.0.1:7687"


def as_browser_reads(name: str, url: str) -> list[str]:
    """As Neo4j Browser 5.24 finds a parameter in its address."""
    return re.findall(rf"[?&]{name}=([^&#]*)", url)


def running(data: DataDir) -> LocalState:
    return LocalState(
        graphmem_version="1",
        neo4j_version="2026.09.0",
        data_dir=data.root,
        started_at=datetime(2026, 5, 3, tzinfo=UTC),
        ready=True,
        supervisor=Identity.of(os.getpid()),
        services=(),
        ports=Ports(api=1),  # of ::1 nobody listens there
        neo4j_uri=NEO4J,
        redis_url="unix:///s",
        api_url="http://127.0.0.1:8464",
        browser_url=BROWSER,
    )


def test_browser_finds_the_guide_in_its_address() -> None:
    found = opening(BROWSER, NEO4J, PORTS, "k_e-y", "team-1", strangers=False)
    assert found.url.startswith(PLAIN)
    assert as_browser_reads("cmd", found.url) == ["guide"]
    (guide,) = as_browser_reads("arg", unquote(found.url.replace("+", " ")))
    assert guide == "http://localhost:8464/browser/team-1/guide.md?key=k_e-y"
    assert found.command is None


def test_without_a_group_it_is_the_list_of_groups() -> None:
    assert unquote(opening(BROWSER, NEO4J, PORTS, "k", None, strangers=False).url).endswith("/browser/guide.md?key=k")


def test_where_a_stranger_is_localhost_too_the_guide_is_typed() -> None:
    found = opening(BROWSER, NEO4J, PORTS, "k", "team-1", strangers=True)
    assert found.url == PLAIN
    assert found.command == ":guide http://127.0.0.1:8464/browser/team-1/guide.md?key=k"


def test_without_a_key_there_is_no_guide() -> None:
    found = opening(BROWSER, NEO4J, PORTS, None, None, strangers=False)
    assert (found.url, found.command) == (PLAIN, None)


def test_a_page_leads_to_the_address() -> None:
    url = opening(BROWSER, NEO4J, PORTS, "k", "team-1", strangers=False).url
    found = re.search(r'content="0;url=([^"]*)"', redirection(url))
    assert found
    assert unescape(found[1]) == url


def test_the_page_with_the_key_is_for_its_owner_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = DataDir(tmp_path / "data")
    data.create()
    running(data).write()
    key = ensure_secret(data.guide_key)
    data.browser_page.write_text("An older one.")
    data.browser_page.chmod(0o644)
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)

    result = CliRunner().invoke(app, ["browser", "--group", "team-1", "--data-dir", str(data.root)])

    assert result.exit_code == 0, result.output
    assert opened == [data.browser_page.as_uri()]
    assert key in data.browser_page.read_text()
    assert data.browser_page.stat().st_mode & 0o777 == 0o600


def test_who_listens_beside_us_is_noticed() -> None:
    if not socket.has_dualstack_ipv6():
        return
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as stranger:
        port = stranger.getsockname()[1]
        assert answers_on_ipv6(port)
    assert not answers_on_ipv6(port)
