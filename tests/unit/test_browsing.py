"""How ``graphmem browser`` opens Neo4j Browser."""

import re
import socket
from html import unescape
from urllib.parse import unquote

from graphmem.client.browsing import opening, redirection
from graphmem.local.ports import Ports, answers_on_ipv6

PORTS = Ports(api=8464, bolt=7687, http=7474)
BROWSER, NEO4J = "http://127.0.0.1:7474/browser/", "bolt://127.0.0.1:7687"
PLAIN = f"{BROWSER}?dbms=bolt://neo4j@127.0.0.1:7687"


def as_browser_reads(name: str, url: str) -> list[str]:
    """As Neo4j Browser 5.24 finds a parameter in its address."""
    return re.findall(rf"[?&]{name}=([^&#]*)", url)


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


def test_who_listens_beside_us_is_noticed() -> None:
    if not socket.has_dualstack_ipv6():
        return
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as stranger:
        port = stranger.getsockname()[1]
        assert answers_on_ipv6(port)
    assert not answers_on_ipv6(port)
