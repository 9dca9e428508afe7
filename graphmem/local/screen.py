"""Progress and summary of ``graphmem up`` on a terminal."""

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from graphmem.local.control import LocalStatus, ServiceStatus
from graphmem.local.state import Event, LocalState
from graphmem.visible import visible, visible_lines

_MEGABYTE = 1_000_000


class Screen:
    """Shows events as they come: a bar for the download, a line for each service, and notes."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._tasks: dict[str, TaskID] = {}
        self._progress = Progress(
            SpinnerColumn(finished_text="[green]✓"),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TimeElapsedColumn(),
            TextColumn("[dim]{task.fields[detail]}"),
            console=console,
        )

    def close(self) -> None:
        self._progress.stop()

    def show(self, event: Event) -> None:
        match event.kind:
            case "download":
                self._download(event)
            case "starting":
                self._progress.start()
                self._tasks[event.text] = self._progress.add_task(f"Starting {event.text}", total=None, detail="")
            case "started":
                task = self._tasks[event.text]
                self._progress.update(task, description=f"{event.text} is ready", total=1, completed=1)
            case "ready" | "already":
                self._progress.stop()
            case "stopping":
                self._progress.stop()
                self.console.print(Text(visible(f"Stopping {event.text} …")))
            case "stopped":
                self.console.print("Stopped.")
            case _:
                self.console.print(Text(visible_lines(event.text), style="yellow"))

    def _download(self, event: Event) -> None:
        self._progress.start()
        if "download" not in self._tasks:
            self._tasks["download"] = self._progress.add_task("Fetching Neo4j", total=event.bytes_total, detail="")
        megabytes = f"{event.bytes // _MEGABYTE}/{event.bytes_total // _MEGABYTE} MB"
        detail = f"{event.files}/{event.files_total} files, {megabytes}"
        # Sizes arrive before the last files are checked: the bar is full when these are.
        done = event.bytes_total if event.files == event.files_total else min(event.bytes, event.bytes_total - 1)
        self._progress.update(self._tasks["download"], completed=done, detail=detail)


def summary(state: LocalState, *, detached: bool) -> Table:
    """Where everything is, and how to stop it."""
    table = Table(show_header=False, box=None, padding=(0, 2))
    rows = {
        "API": state.api_url,
        "API documentation": state.api_url and f"{state.api_url}/docs",
        "Neo4j Browser": state.browser_url,
        "Neo4j password": state.browser_url and "graphmem status --show-password",
        "Bolt": state.neo4j_uri,
        "Data": str(state.data_dir),
        "Stop": "graphmem down" if detached else "Ctrl-C, or graphmem down",
    }
    for name, value in rows.items():
        if value:
            table.add_row(name, Text(visible(value), overflow="fold"))
    return table


def status_table(status: LocalStatus) -> Table:
    """Every service and how it is."""
    table = Table("Service", "Process", "State", box=None, padding=(0, 2))
    for service in status.services:
        state = _state(service)
        table.add_row(Text(visible(service.title)), str(service.pid) if service.alive else "-", state)
    return table


def _tries(service: ServiceStatus) -> list[str]:
    """What is done about a service that does not serve."""
    tries = [f"restarted {service.restarts} times"] if service.restarts else []
    tries += [f"next try at {service.next_try_at:%H:%M:%S} UTC"] if service.next_try_at else []
    return tries + ([f"last error: {service.last_error}"] if service.last_error else [])


def _state(service: ServiceStatus) -> Text:
    if service.missing is not None:
        return Text(visible("; ".join((service.missing, *_tries(service)))), "red")
    if service.degraded is not None:
        return Text(visible(f"degraded: {service.degraded}"), "yellow")
    return Text("ready", "green")
