"""Commands for who runs a service: embedding models, and settings of a folder."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, cast

import typer

from graphmem.client.cli.app import CommandApp
from graphmem.client.cli.lines import say
from graphmem.client.cli.options import GroupOptions

app = CommandApp("For who runs a service: embedding models, settings of a folder.")


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
