"""The command that has the settings of a folder read."""
# ruff: noqa: PLC0415 - commands that need no model answer at once: what is heavy is imported where it is used

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, cast

import typer

from graphmem.client.lines import say


def add_to(app: typer.Typer) -> None:
    """Make this command one of an application."""
    app.command()(trust)


def trust(
    file: Annotated[Path, typer.Argument(help="A file of settings.")] = Path("graphmem.toml"),
    *,
    off: Annotated[bool, typer.Option("--off", help="Trust it no longer.")] = False,
) -> None:
    """Trust the settings of a folder: commands that run in it read them, as long as the file stays as it is now."""
    from graphmem import settings_files
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
