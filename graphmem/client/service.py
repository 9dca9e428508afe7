"""Which service a command asks: the one at a URL, or the one that runs on this machine, and options for that."""
# ruff: noqa: PLC0415 - commands that need no model answer at once: what is heavy is imported where it is used

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphmem.client.synchronous import GraphmemClient
    from graphmem.local.state import LocalState
    from graphmem.settings import Settings

DataDirOption = Annotated[
    Path | None, typer.Option("--data-dir", help="Where everything is kept; default: a folder of yours.")
]
GroupOption = Annotated[str, typer.Option("--group", "-g", help="The group (tenant).")]
AsUserOption = Annotated[str | None, typer.Option("--user", help="As which user; default: the whole group.")]
UrlOption = Annotated[str | None, typer.Option(help="A service elsewhere; default: the one that runs here.")]
KeyOption = Annotated[str | None, typer.Option(help="Its key; default: GRAPHMEM_API_KEY, or the local token.")]


def settings_of(data_dir: Path | None) -> "Settings":
    from graphmem.settings import load_settings

    return load_settings(data_dir=data_dir)


def running(data_dir: Path) -> "LocalState":
    """What runs on this machine.

    Raises:
        NotFound: nothing does.
    """
    from graphmem.local.state import LocalState

    state = LocalState.read(data_dir)
    if state is None or not state.is_running():
        raise NotFound(f"Nothing runs for {data_dir}. Start it with `graphmem up`.")
    return state


def _warn(warnings: "Sequence[str]") -> None:
    """Tell people on standard error what an answer warns of, without characters that a terminal obeys."""
    for warning in warnings:
        typer.echo("".join(one if one.isprintable() else "?" for one in f"Warning: {warning}"), err=True)


def client_of(data_dir: Path | None, url: str | None, key: str | None) -> "GraphmemClient":
    """A client of the service at ``url``, or of the one that runs here."""
    from graphmem.client.synchronous import GraphmemClient
    from graphmem.local.layout import DataDir, read_secret

    settings = settings_of(data_dir)
    configured = settings.api.key.get_secret_value() if settings.api.key else None
    if url is not None:
        return GraphmemClient(url, key or configured, hear=_warn)
    state = running(settings.data_dir)
    token = read_secret(DataDir(settings.data_dir).api_token)
    return GraphmemClient(state.api_url or "", key or token or configured, hear=_warn)
