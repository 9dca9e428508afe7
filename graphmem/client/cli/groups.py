"""Commands about groups as a whole: rename and archive them."""

from typing import Annotated

import typer

from graphmem.client.cli.options import ServiceOptions
from graphmem.client.cli.printing import say

GroupArgument = Annotated[str, typer.Argument(metavar="GROUP", help="The group (tenant).")]


def rename(
    asked: ServiceOptions, group: GroupArgument, name: Annotated[str, typer.Argument(help="What it is called then.")]
) -> None:
    """Call a group by another name. Keys enter it by that name alone.

    Example: graphmem admin rename team-1 sales
    """
    with asked.client() as client:
        say(f"{group} is called {client.rename(group, name).id} now.")


def archive(asked: ServiceOptions, group: GroupArgument) -> None:
    """Have a group only be read from now on; jobs leave it alone."""
    with asked.client() as client:
        client.archive(group)
    say(f"{group} is archived. graphmem admin unarchive {group} opens it again.")


def unarchive(asked: ServiceOptions, group: GroupArgument) -> None:
    """Have a group be written to again."""
    with asked.client() as client:
        client.archive(group, archived=False)
    say(f"{group} is archived no more.")
