"""Commands about the service on this machine that ``up`` started, and for who runs a service."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast
from urllib.parse import quote

import typer

from graphmem.client.cli.app import CommandApp
from graphmem.client.cli.options import GroupOptions, LocalOptions, running
from graphmem.client.cli.printing import print_exactly, say, say_text
from graphmem.errors import Conflict

if TYPE_CHECKING:
    from graphmem.local.control import LocalStatus
    from graphmem.local.ports import Ports

app = CommandApp("For who runs a service: embedding models, settings of a folder, users who opt out.")


def down(asked: LocalOptions) -> None:
    """Stop everything that `up` started, in order."""
    from graphmem.local import control

    folder = asked.settings().data_dir
    stopped = control.down(folder)
    say("Stopped." if stopped else f"Nothing runs for {folder}.")


def status(
    asked: LocalOptions,
    *,
    show_password: Annotated[bool, typer.Option(help="Show how to log in to Neo4j.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show what runs, and where.

    Exits with 1 when nothing runs, or something does not answer.
    """
    import json

    from graphmem.local import control

    state = control.status(asked.settings().data_dir)
    password = control.neo4j_password(state) if show_password else None
    if as_json:
        shown = state.model_dump(mode="json") | ({"neo4j_password": password} if show_password else {})
        print_exactly(json.dumps(shown, indent=2))
    else:
        _print_status(state, password)
    raise typer.Exit(0 if state.ready else 1)


def env(asked: LocalOptions) -> None:
    """Print GRAPHMEM_URL and GRAPHMEM_TOKEN for a shell.

    Example: eval "$(graphmem env)"
    """
    import shlex

    from graphmem.local.layout import DataDir
    from graphmem.private_files import read_secret

    folder = asked.settings().data_dir
    url, token = running(folder).api_url or "", read_secret(DataDir(folder).api_token) or ""
    print_exactly(f"export GRAPHMEM_URL={shlex.quote(url)} GRAPHMEM_TOKEN={shlex.quote(token)}")


def logs(
    asked: LocalOptions,
    service: Annotated[str | None, typer.Argument(help="supervisor, neo4j, valkey, worker or api.")] = None,
    *,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with lines as they are written.")] = False,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many lines of each log.")] = 20,
) -> None:
    """Show the last lines of the logs."""
    from graphmem.local import control

    folder = asked.settings().data_dir
    logged = control.logs(folder, service, lines)
    for name, text in logged:
        say_text(text if service else "\n".join(f"{name:<10} | {line}" for line in text.split("\n")))
    if not follow:
        if not logged:
            say(f"Nothing has been logged in {folder}. What is logged there begins with `graphmem up`.")
        return
    try:
        for name, line in control.follow(folder, service):
            say_text(line if service else f"{name:<10} | {line}")
    except KeyboardInterrupt:
        return


def _print_status(status: "LocalStatus", password: str | None) -> None:
    from rich.console import Console

    from graphmem.local.screen import status_table, summary

    console = Console()
    if status.state is None or not status.running:
        say(f"Nothing runs for {status.data_dir}. Start it with `graphmem up`.")
        if status.ended is not None:
            say(f"It ended by itself at {status.ended.at:%Y-%m-%d %H:%M:%S} UTC. {status.ended.text}")
    else:
        console.print(status_table(status))
        console.print(summary(status.state, detached=True))
    if password is not None:
        say("Neo4j user: neo4j")
        say(f"Neo4j password: {password}")


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

    from graphmem.local.layout import DataDir
    from graphmem.local.ports import answers_on_ipv6
    from graphmem.private_files import read_secret, write_private

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


@app.command()
def reembed(
    asked: GroupOptions,
    *,
    wait: Annotated[float, typer.Option(min=0, help="Seconds to wait until it is done.")] = 0,
) -> None:
    """Embed a group again, with the embedding model of the service.

    Searches go by full text until it is done.
    """
    with asked.client() as client:
        job = client.job(asked.group, "reembed", wait=wait)
    counts = ", ".join(f"{name} {count}" for name, count in job.progress.items())
    say(f"Job {job.id}, to {job.arguments['model']}: {job.status}{f' ({counts})' if counts else ''}.")
    raise typer.Exit(1 if job.status == "failed" else 0)


@app.command()
def dates(
    asked: GroupOptions,
    *,
    month_first: Annotated[
        bool | None, typer.Option("--month-first/--day-first", help="Whether 05/06/2024 is 6 May, or 5 June.")
    ] = None,
    fiscal_year_start: Annotated[
        int | None, typer.Option(min=1, max=12, help="The month in which fiscal years begin; FY24 ends in 2024.")
    ] = None,
) -> None:
    """Show how a group writes days, or say so; what is read from then on is read so.

    Example: graphmem admin dates --group crm --month-first --fiscal-year-start 10
    """
    with asked.client() as client:
        answer = client.dates(asked.group)
        if month_first is not None or fiscal_year_start is not None:
            answer = client.put_dates(
                asked.group,
                month_first=answer.month_first if month_first is None else month_first,
                fiscal_year_start=fiscal_year_start or answer.fiscal_year_start,
            )
    order = "the month first" if answer.month_first else "the day first"
    say(f"Group {asked.group} writes {order}; its fiscal years begin in month {answer.fiscal_year_start}.")


@app.command()
def trust(
    file: Annotated[Path, typer.Argument(help="A file of settings.")] = Path("graphmem.toml"),
    *,
    off: Annotated[bool, typer.Option("--off", help="Trust it no longer.")] = False,
) -> None:
    """Have commands that run in a folder read its settings.

    They do as long as the file stays as it is now.
    """
    from graphmem.settings import files as settings_files
    from graphmem.settings import load_settings, written_settings

    if off:
        known = settings_files.distrust(file)
        say(f"{file} is trusted no longer." if known else f"{file} was not trusted.")
        return
    load_settings(written=written_settings(file))  # what does not fit is said now
    trusted = settings_files.trust(file)
    say(f"Trusted as it is now: {trusted.path}. Once it changes, trust it again. It sets:")
    for name in _names(trusted.values()):
        say(f"  {name}")


def _names(values: Mapping[str, object], table: str = "") -> Iterator[str]:
    """The settings that are made, each as documentation names it; of tables in tables, the outer ones."""
    for key, value in values.items():
        if isinstance(value, Mapping) and not table:
            yield from _names(cast("Mapping[str, object]", value), key)
        else:
            yield f"{table}.{key}" if table else key
