"""Commands about the service on this machine that ``up`` started."""

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.client.cli.lines import print_exactly, say, say_text
from graphmem.client.cli.options import LocalOptions, running

if TYPE_CHECKING:
    from graphmem.local.control import LocalStatus


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
    from graphmem.local import control

    state = control.status(asked.settings().data_dir)
    password = control.neo4j_password(state) if show_password else None
    if as_json:
        shown = state.model_dump(mode="json") | ({"neo4j_password": password} if show_password else {})
        print_exactly(control.to_json(shown))
    else:
        _print_status(state, password)
    raise typer.Exit(0 if state.ready else 1)


def env(asked: LocalOptions) -> None:
    """Print GRAPHMEM_URL and GRAPHMEM_TOKEN for a shell.

    Example: eval "$(graphmem env)"
    """
    from shlex import quote

    from graphmem.local.layout import DataDir, read_secret

    folder = asked.settings().data_dir
    url, token = running(folder).api_url or "", read_secret(DataDir(folder).api_token) or ""
    print_exactly(f"export GRAPHMEM_URL={quote(url)} GRAPHMEM_TOKEN={quote(token)}")


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


def _print_status(found: "LocalStatus", password: str | None) -> None:
    from rich.console import Console

    from graphmem.local.screen import status_table, summary

    console = Console()
    if found.state is None or not found.running:
        say(f"Nothing runs for {found.data_dir}. Start it with `graphmem up`.")
        if found.ended is not None:
            say(f"It ended by itself at {found.ended.at:%Y-%m-%d %H:%M:%S} UTC. {found.ended.text}")
    else:
        console.print(status_table(found))
        console.print(summary(found.state, detached=True))
    if password is not None:
        say("Neo4j user: neo4j")
        say(f"Neo4j password: {password}")
