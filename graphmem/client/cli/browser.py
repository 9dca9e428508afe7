"""The command that opens Neo4j Browser on a guide."""

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from graphmem.client.cli.lines import say
from graphmem.client.cli.options import LocalOptions, running
from graphmem.errors import Conflict

if TYPE_CHECKING:
    from graphmem.local.ports import Ports


@dataclass(frozen=True, slots=True)
class BrowserAddress:
    """The address to open, and what is left to be typed there, if anything."""

    url: str
    command: str | None = None


def browser(
    asked: LocalOptions,
    *,
    group: Annotated[str | None, typer.Option("--group", "-g", help="Whose guide; default: a list of all.")] = None,
    do_open: Annotated[bool, typer.Option("--open/--no-open", help="Open it, or only print its address.")] = True,
) -> None:
    """Open Neo4j Browser on the graph, with a guide to click through."""
    import webbrowser

    from graphmem.local.layout import DataDir, read_secret
    from graphmem.local.ports import answers_on_ipv6
    from graphmem.private_files import write_private

    data = DataDir(asked.settings().data_dir)
    state = running(data.root)
    if state.browser_url is None or state.neo4j_uri is None:
        raise Conflict("Neo4j is not run by graphmem here: open the Browser of the server at NEO4J_URI.")
    key = read_secret(data.guide_key) if state.api_url else None
    strangers = key is not None and answers_on_ipv6(state.ports.api)
    place = opening(state.browser_url, state.neo4j_uri, state.ports, key, group, strangers=strangers)
    say(place.url)
    say("User neo4j; the password: graphmem status --show-password", err=True)
    if place.command:
        say(f"Once connected, type: {place.command}", err=True)
    if do_open:
        write_private(data.browser_page, redirection(place.url))
        webbrowser.open(data.browser_page.as_uri())


def opening(
    browser_url: str, neo4j_uri: str, ports: "Ports", key: str | None, group: str | None, *, strangers: bool
) -> BrowserAddress:
    """Neo4j Browser on this Neo4j, and on the guide where there is a ``key`` for it.

    Browser fetches a guide that its address names before it is connected, and then from no host but ``localhost``: it
    has not read Neo4j's settings yet. ``strangers``: somebody else listens at that port of ``::1``, which is
    ``localhost`` as well; the key and the guide are not for them.
    """
    from graphmem.local.programs import guide_url

    url = f"{browser_url}?dbms={neo4j_uri.replace('://', '://neo4j@')}"
    if key is None:
        return BrowserAddress(url)
    if strangers:
        return BrowserAddress(url, f":guide {guide_url(ports, key, group)}")
    return BrowserAddress(f"{url}&cmd=guide&arg={quote(guide_url(ports, key, group, 'localhost'), safe='')}")


def redirection(url: str) -> str:
    """A page that leads there. What a web browser is told to open stands on a command line, for everybody to read."""
    return f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={escape(url)}">\n'
