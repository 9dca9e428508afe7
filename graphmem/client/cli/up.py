"""The command that starts everything on this machine, and stays with it."""

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from graphmem.client.cli.app import tell_error
from graphmem.client.cli.options import LocalOptions, running
from graphmem.errors import GraphmemError, LocalServerError

if TYPE_CHECKING:
    from graphmem.local.control import Launched, Order
    from graphmem.local.screen import Screen

_INTERRUPTED = 130


def up(
    asked: LocalOptions,
    *,
    api_port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port of the API; 0 for any.")] = None,
    detach: Annotated[bool, typer.Option("--detach", "-d", help="Return once everything is ready.")] = False,
    sample: Annotated[bool, typer.Option("--sample", help="Load a small conversation and ask it questions.")] = False,
    servers_only: Annotated[bool, typer.Option("--servers-only", help="Only Neo4j and Valkey.")] = False,
    recover: Annotated[
        bool,
        typer.Option("--recover", help="Start Neo4j although its transaction logs are damaged: writes may be lost."),
    ] = False,
) -> None:
    """Start Neo4j, Valkey, the API and a worker on this machine."""
    from graphmem.local.control import Order
    from graphmem.retrieve.weights import weights_of

    settings = asked.settings()
    weights_of(settings.search.weights)  # said here, not in the log of a service
    console = Console()
    order = Order(settings.data_dir, api_port, servers_only, detach, recover)
    after_ready = partial(_load_sample, settings.data_dir, console) if sample else None
    raise typer.Exit(_Up(order, console, after_ready).run(asked.config))


class _Up:
    """One run of ``up``: shows what the supervisor tells, and passes Ctrl-C on to it."""

    def __init__(self, order: "Order", console: Console, after_ready: Callable[[], None] | None) -> None:
        self._order = order
        self._console = console
        self._after_ready = after_ready
        self._ready = False
        self._failed = False

    def run(self, config: Path | None) -> int:
        from graphmem.local.control import launch
        from graphmem.local.screen import Screen

        # A service manager stops us as Ctrl-C does.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        named = {"GRAPHMEM_CONFIG": str(config.absolute())} if config else {}
        environ = {**os.environ, **named}  # noqa: TID251 - handed on to the supervisor
        launched = launch(self._order, environ)
        with Screen(self._console) as screen:
            interrupted = self._accompany(launched, screen)
        if interrupted and not self._ready:
            return _INTERRUPTED
        if not self._ready:
            raise LocalServerError(f"The supervisor ended before all was ready. Its log ends:\n{launched.log_tail()}")
        return 1 if self._failed else 0

    def _accompany(self, launched: "Launched", screen: "Screen") -> bool:
        interrupted = False
        while True:
            try:
                self._listen(launched, screen)
            except KeyboardInterrupt:
                interrupted = True
                launched.ask_to_stop()
            else:
                return interrupted

    def _listen(self, launched: "Launched", screen: "Screen") -> None:
        for event in launched.events():
            screen.show(event)
            if event.kind in {"ready", "already"}:
                self._ready = True
                self._show_summary(already=event.kind == "already")

    def _show_summary(self, *, already: bool) -> None:
        from graphmem.local.screen import summary

        if already:
            self._console.print("graphmem already runs for this data directory:")
        self._console.print(summary(running(self._order.data_dir), detached=self._order.detach or already))
        try:
            if self._after_ready:
                self._after_ready()
        except GraphmemError as error:
            self._failed = True
            tell_error(error)


def _load_sample(data_dir: Path, console: Console) -> None:
    from graphmem.client.cli.sample import load_and_show
    from graphmem.local.layout import DataDir

    load_and_show(running(data_dir).api_url or "", DataDir(data_dir).api_token, console)
