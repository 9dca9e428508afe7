"""The command that starts everything on this machine, and stays with it.

With ``--sample`` it loads the sample conversations and prints three questions about them, with their answers.
"""

import os
import signal
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

import typer
from rich.console import Console

from graphmem.client.cli.app import tell_error
from graphmem.client.cli.options import LocalOptions, running
from graphmem.client.cli.printing import show
from graphmem.errors import GraphmemError, LocalServerError

if TYPE_CHECKING:
    from graphmem.local.control import Launched, Order
    from graphmem.local.screen import Screen

_INTERRUPTED = 130
_BEFORE_CORRECTION = "2025-03-10T00:00:00Z"


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


@dataclass(frozen=True, slots=True)
class _SampleQuestion:
    """A question in words, and as the parameters of ``GET graph``."""

    words: str
    parameters: dict[str, str | list[str]]


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
        with closing(Screen(self._console)) as screen:
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
    """Load the sample, print each question with its answer and the call that asks it."""
    from graphmem.client.cli.tables import beliefs_table
    from graphmem.client.sample.loading import GROUP, load
    from graphmem.client.synchronous import GraphmemClient
    from graphmem.local.layout import DataDir

    api_url, token_file = running(data_dir).api_url or "", DataDir(data_dir).api_token
    with GraphmemClient(api_url, token_file.read_text().strip()) as client:
        with console.status("Loading the sample conversations …"):
            corrected = load(client)
        for number, question in enumerate(_questions(corrected), start=1):
            answer = client.graph(GROUP, **question.parameters)  # pyright: ignore[reportArgumentType] -- as it takes them
            console.print()
            show(beliefs_table(answer.beliefs, f"{number}. {question.words}"), console)
            console.print(_curl(api_url, token_file, question), soft_wrap=True, highlight=False, markup=False)


def _questions(corrected: datetime) -> list[_SampleQuestion]:
    """Now; back then; and what was believed about then, before the correction came in at ``corrected``."""
    then = (corrected - timedelta(microseconds=1)).isoformat()
    bruno: dict[str, str | list[str]] = {"entity": "Bruno", "predicate": ["lives_in"], "valid_at": _BEFORE_CORRECTION}
    return [
        _SampleQuestion("Where does Maya live now?", {"entity": "Maya", "predicate": ["lives_in"]}),
        _SampleQuestion("Where did Bruno live on 10 March 2025?", bruno),
        _SampleQuestion(
            "And where did we believe he lived, before Maya corrected herself?", {**bruno, "known_at": then}
        ),
    ]


def _curl(api_url: str, token_file: Path, question: _SampleQuestion) -> str:
    from graphmem.client.sample.loading import GROUP

    url = f"{api_url}/v1/groups/{GROUP}/graph?{urlencode(question.parameters, doseq=True)}"
    return f"curl -s -H \"Authorization: Bearer $(cat '{token_file}')\" '{url}'"
