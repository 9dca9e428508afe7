"""Options that many commands take. Each is declared once, in the dataclass that a command takes as its first parameter.

``CommandApp`` makes options of the fields, after those of the command itself.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.client.cli.printing import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphmem.client.calls import BeliefOptions, TimeOptions, UserOption
    from graphmem.client.synchronous import GraphmemClient
    from graphmem.local.state import LocalState
    from graphmem.settings import Settings

_SERVICE, _MEMORY = "Which service", "Which memory"

KnownAtOption = Annotated[
    str | None, typer.Option(help="As believed then: a day or RFC 3339; default: now.", rich_help_panel=_MEMORY)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalOptions:
    """Whose settings a command reads, and where the service of this machine keeps everything."""

    config: Annotated[
        Path | None,
        typer.Option(help="A file of settings in place of yours; default: GRAPHMEM_CONFIG.", rich_help_panel=_SERVICE),
    ] = None
    data_dir: Annotated[
        Path | None, typer.Option(help="Its folder on this machine; default: one of yours.", rich_help_panel=_SERVICE)
    ] = None

    def settings(self) -> "Settings":
        from graphmem.settings import load_settings, written_settings

        return load_settings(data_dir=self.data_dir, written=written_settings(self.config))


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceOptions(LocalOptions):
    """Which service a command asks: the one at a URL, or the one that runs on this machine."""

    key: Annotated[
        str | None,
        typer.Option(help="Its key; default: GRAPHMEM_API_KEY, or the local token.", rich_help_panel=_SERVICE),
    ] = None
    url: Annotated[
        str | None, typer.Option(help="A service elsewhere; default: the one that runs here.", rich_help_panel=_SERVICE)
    ] = None

    def client(self) -> "GraphmemClient":
        """A client of that service.

        Raises:
            ServiceUnavailable: none is named, and none runs here.
        """
        from graphmem.client.synchronous import GraphmemClient
        from graphmem.local.layout import DataDir
        from graphmem.private_files import read_secret

        settings = self.settings()
        configured = settings.api.key.get_secret_value() if settings.api.key else None
        if self.url is not None:
            return GraphmemClient(self.url, self.key or configured, hear=_warn)
        state = running(settings.data_dir)
        token = read_secret(DataDir(settings.data_dir).api_token)
        return GraphmemClient(state.api_url or "", self.key or token or configured, hear=_warn)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupOptions(ServiceOptions):
    """Which group a command is about."""

    group: Annotated[str, typer.Option("--group", "-g", help="The group (tenant).", rich_help_panel=_MEMORY)]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserOptions(GroupOptions):
    """As which user of the group a command reads or writes."""

    user: Annotated[
        str | None, typer.Option(help="As which user; default: the whole group.", rich_help_panel=_MEMORY)
    ] = None

    def as_user(self) -> "UserOption":
        return {"user": self.user}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedOptions(UserOptions):
    """What was believed at one instant to be true at another."""

    known_at: KnownAtOption = None
    valid_at: Annotated[
        str | None,
        typer.Option(help="True then: a day, such as 2025-04-01, or RFC 3339; default: now.", rich_help_panel=_MEMORY),
    ] = None

    def as_of(self) -> "TimeOptions":
        return {"user": self.user, "valid_at": self.valid_at, "known_at": self.known_at}


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefReadOptions(TimedOptions):
    """Which beliefs a command reads."""

    open: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Only open beliefs, or none; default: both.", rich_help_panel=_MEMORY),
    ] = None

    def beliefs(self) -> "BeliefOptions":
        return {**self.as_of(), "open": self.open}


def running(data_dir: Path) -> "LocalState":
    """What runs on this machine.

    Raises:
        ServiceUnavailable: nothing does.
    """
    from graphmem.client.problems import nothing_runs
    from graphmem.local.state import LocalState

    state = LocalState.read(data_dir)
    if state is None or not state.is_running():
        raise nothing_runs(data_dir)
    return state


def _warn(warnings: "Sequence[str]") -> None:
    """Tell people on standard error what an answer warns of."""
    for warning in warnings:
        say(f"Warning: {warning}", err=True)
