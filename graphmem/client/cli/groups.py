"""Commands about groups as a whole: list, rename and archive them."""

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.client.cli.app import CommandApp
from graphmem.client.cli.options import ServiceOptions
from graphmem.client.cli.printing import say

if TYPE_CHECKING:
    from graphmem.answers.groups import GroupOut

app = CommandApp("Groups as a whole: what they are called, and whether they are only read.")

GroupArgument = Annotated[str, typer.Argument(metavar="GROUP", help="The group (tenant).")]


@app.command("list")
def list_groups(asked: ServiceOptions) -> None:
    """List the groups, one a line."""
    with asked.client() as client:
        for group in client.groups():
            say(_described(group))


@app.command()
def rename(
    asked: ServiceOptions, group: GroupArgument, name: Annotated[str, typer.Argument(help="What it is called then.")]
) -> None:
    """Call a group by another name. Keys enter it by that name alone.

    Example: graphmem group rename team-1 sales
    """
    with asked.client() as client:
        say(f"{group} is called {client.rename(group, name).id} now.")


@app.command()
def archive(asked: ServiceOptions, group: GroupArgument) -> None:
    """Have a group only be read from now on: nothing is written to it, and no job runs on it."""
    with asked.client() as client:
        client.archive(group)
    say(f"{group} is archived. graphmem group unarchive {group} opens it again.")


@app.command()
def unarchive(asked: ServiceOptions, group: GroupArgument) -> None:
    """Have a group be written to again."""
    with asked.client() as client:
        client.archive(group, archived=False)
    say(f"{group} is archived no more.")


def _described(group: "GroupOut") -> str:
    return f"{group.id}  archived since {group.archived_at:%Y-%m-%d}" if group.archived_at else group.id
