"""Which service a command asks: the one at a URL, or the one that runs on this machine, and options for that."""
# ruff: noqa: PLC0415 - commands that need no model answer at once: what is heavy is imported where it is used

import inspect
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmem.client.lines import say

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


ConfigOption = Annotated[
    Path | None, typer.Option(help="A file of settings, read in place of yours; default: GRAPHMEM_CONFIG.")
]
_CONFIG: ContextVar[Path | None] = ContextVar("config", default=None)
"""The file that ``--config`` of the command names."""


def with_config(command: Callable[..., None]) -> Callable[..., None]:
    """A command with one option more, ``--config``, whose settings are those of that file."""

    @wraps(command)
    def configured(*args: Any, config: Path | None = None, **kwargs: Any) -> None:
        with _reading(config):
            command(*args, **kwargs)

    added = inspect.Parameter("config", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=ConfigOption)
    signature = inspect.signature(command, eval_str=True)
    configured.__signature__ = signature.replace(parameters=[*signature.parameters.values(), added])  # pyright: ignore[reportAttributeAccessIssue]
    return configured


@contextmanager
def _reading(config: Path | None) -> Generator[None]:
    token = _CONFIG.set(config)
    try:
        yield
    finally:
        _CONFIG.reset(token)


def config_variable() -> dict[str, str]:
    """What other processes are told of the file that ``--config`` names."""
    config = _CONFIG.get()
    return {"GRAPHMEM_CONFIG": str(config.absolute())} if config else {}


def settings_of(data_dir: Path | None) -> "Settings":
    from graphmem.settings import load_settings, written_settings

    return load_settings(data_dir=data_dir, written=written_settings(_CONFIG.get()))


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
