"""What commands print. Others wrote what is stored: a terminal obeys nothing in it, and all of it is shown.

The only place where lines are printed and tables made, so that no stored text is taken for markup.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from graphmem.visible import visible, visible_lines

_UNFOLDED = 200
"""Columns of what goes into a file or another program, which folds no lines."""
REDACTED = "(redacted)"
"""What is shown in place of words that are gone."""
Listing = Table | Text


def progress_bar(what: str, console: Console | None = None) -> Progress:
    """How many are done, of how many and since when, on standard error or another console, behind a word for each."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console or Console(stderr=True))


def listing(title: str, columns: Sequence[str], empty: str, *sections: Iterable[Sequence[str]]) -> Listing:
    """Sections of rows as a table, or where there are none, a sentence. Every character is shown; none is obeyed.

    ``empty`` says what there is none of and what to do next; it follows the title.
    """
    filled = [rows for section in sections if (rows := list(section))]
    if not filled:
        return Text(visible(f"{title}: {empty}"))
    table = Table(title=Text(visible(title), style="table.title"), title_justify="left")
    for column in columns:
        table.add_column(Text(visible(column)), overflow="fold")
    for section in filled:
        for row in section:
            table.add_row(*(Text(visible_lines(cell).expandtabs(4)) for cell in row))
        table.add_section()
    return table


def show(table: Listing, console: Console | None = None) -> None:
    """Print a table, in a terminal as wide as that is."""
    console = console or Console()
    if not console.is_terminal:
        console.width = max(console.width, _UNFOLDED)
    console.print(table)


def say(line: str, *, err: bool = False) -> None:
    """Print one line, on standard output or on standard error. A line break in it is shown as its escape, too."""
    typer.echo(visible(line), err=err)


class Taking(Protocol):
    """An answer, or an entity that is meant: ``taken_for`` has fuller names by the short ones that were asked for."""

    @property
    def taken_for(self) -> Mapping[str, str]: ...


def say_taken(answer: Taking) -> None:
    """Print on standard error for whom short names were taken."""
    for name, fuller in answer.taken_for.items():
        say(f"{name} is taken for {fuller}.", err=True)


def say_text(text: str, *, err: bool = False) -> None:
    """Print a text of several lines."""
    typer.echo(visible_lines(text), err=err)


def say_under(head: str, text: str) -> None:
    """Print a text after what it is of; its further lines stand below, so that none looks like another head."""
    typer.echo(visible(head) + visible_lines(text).replace("\n", "\n    "))


def print_exactly(text: str) -> None:
    """Print what programs read, as it is."""
    typer.echo(text)
