"""Commands that back up what ``up`` keeps on this machine, and bring it back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.client.cli.options import LocalOptions
from graphmem.client.cli.printing import say
from graphmem.errors import Conflict

if TYPE_CHECKING:
    from graphmem.settings import Settings


def backup(
    asked: LocalOptions,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to: a folder that is not there, or is empty.")],
) -> None:
    """Back up the whole memory of this machine, while nothing runs.

    It has the secrets, too: keep it as you keep these. For one group, while all runs: graphmem export.

    Example: graphmem backup /backups/graphmem-monday
    """
    import os

    from rich.console import Console

    from graphmem.local import backup as backups
    from graphmem.local.layout import DataDir
    from graphmem.local.neo4j.admin import Neo4jAdmin
    from graphmem.settings import load_settings, written_settings

    written = written_settings(asked.config)
    settings = load_settings(data_dir=asked.data_dir, written=written)
    secret, dumps = _secret(settings), Neo4jAdmin(dict(os.environ))  # noqa: TID251 - handed on to Java
    with Console(stderr=True).status("Backing up …"):
        manifest = backups.back_up(DataDir(settings.data_dir), folder.absolute(), dumps, written=written, secret=secret)
    size = sum(file.size for file in manifest.files.values())
    say(f"{settings.data_dir} is backed up in {folder}: {size:,} bytes. Whoever can read it can read everything.")


def restore(
    asked: LocalOptions,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder that `backup` made.", exists=True, file_okay=False)
    ],
) -> None:
    """Bring a backup back into a data directory that is not there, or is empty.

    Example: graphmem restore /backups/graphmem-monday
    """
    import os

    from rich.console import Console

    from graphmem.local import backup as backups
    from graphmem.local.layout import DataDir
    from graphmem.local.neo4j.admin import Neo4jAdmin

    settings = asked.settings()
    secret, dumps = _secret(settings), Neo4jAdmin(dict(os.environ))  # noqa: TID251 - handed on to Java
    with Console(stderr=True).status("Restoring …"):
        manifest = backups.restore(DataDir(settings.data_dir), folder.absolute(), dumps, secret=secret)
    say(f"{settings.data_dir} is as it was backed up at {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC. Go on: graphmem up.")
    say(f"Settings of files are not changed. Those of that time are in {folder / backups.SETTINGS}.", err=True)


def _secret(settings: "Settings") -> str | None:
    """The ``keys.secret`` of the settings, if they have one.

    Raises:
        Conflict: Neo4j is not run by graphmem.
    """
    if settings.neo4j.uri is not None:
        raise Conflict(
            "Neo4j is not run by graphmem here: back up the server at NEO4J_URI by its own means, or export each group."
        )
    return settings.keys.secret.get_secret_value() if settings.keys.secret else None
