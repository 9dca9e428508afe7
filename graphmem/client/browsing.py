"""How Neo4j Browser is opened on a guide."""

from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from graphmem.local.ports import Ports
from graphmem.local.programs import guide_url


@dataclass(frozen=True, slots=True)
class Opening:
    """The address to open, and what is left to be typed there, if anything."""

    url: str
    command: str | None = None


def opening(
    browser_url: str, neo4j_uri: str, ports: Ports, key: str | None, group: str | None, *, strangers: bool
) -> Opening:
    """Neo4j Browser on this Neo4j, and on the guide where there is a ``key`` for it.

    Browser fetches a guide that its address names before it is connected, and then from no host but ``localhost``: it
    has not read Neo4j's settings yet. ``strangers``: somebody else listens at that port of ``::1``, which is
    ``localhost`` as well; the key and the guide are not for them.
    """
    url = f"{browser_url}?dbms={neo4j_uri.replace('://', '://neo4j@')}"
    if key is None:
        return Opening(url)
    if strangers:
        return Opening(url, f":guide {guide_url(ports, key, group)}")
    return Opening(f"{url}&cmd=guide&arg={quote(guide_url(ports, key, group, 'localhost'), safe='')}")


def redirection(url: str) -> str:
    """A page that leads there. What a web browser is told to open stands on a command line, for everybody to read."""
    return f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={escape(url)}">\n'
