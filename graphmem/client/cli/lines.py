"""Lines that commands print. Others wrote what is stored: a terminal obeys nothing in it, and all of it is shown."""

import typer

from graphmem.visible import visible, visible_lines


def say(line: str, *, err: bool = False) -> None:
    """Print one line, on standard output or on standard error. A line break in it is shown as its escape, too."""
    typer.echo(visible(line), err=err)


def say_text(text: str, *, err: bool = False) -> None:
    """Print a text of several lines."""
    typer.echo(visible_lines(text), err=err)


def say_under(head: str, text: str) -> None:
    """Print a text after what it is of; its further lines stand below, so that none looks like another head."""
    typer.echo(visible(head) + visible_lines(text).replace("\n", "\n    "))


def print_exactly(text: str) -> None:
    """Print what programs read, as it is."""
    typer.echo(text)
