"""Commands about keys of the service: make one, list them, replace and revoke them."""

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.client.cli.app import CommandApp
from graphmem.client.cli.options import ServiceOptions
from graphmem.client.cli.printing import print_exactly, say, show
from graphmem.model.key import PREFIX
from graphmem.model.principal import Right

if TYPE_CHECKING:
    from graphmem.answers.keys import NewKey

app = CommandApp("Keys of the service: for whom, for which groups, and until when.")

KeyArgument = Annotated[
    str, typer.Argument(metavar="ID", help="The id of a key, with or without gm_: graphmem key list.")
]
_DAY = 86_400


@app.command()
def make(
    asked: ServiceOptions,
    label: Annotated[str, typer.Argument(help="What it is for.")],
    *,
    group: Annotated[list[str], typer.Option(help="A group, or a pattern that ends with *. Repeatable.")],
    right: Annotated[list[Right], typer.Option(help="read, write, erase or admin. Repeatable.")],
    user: Annotated[list[str] | None, typer.Option(help="For this user only. Repeatable.")] = None,
    shared: Annotated[bool, typer.Option("--shared", help="For no user: what everybody may see.")] = False,
    agent: Annotated[list[str] | None, typer.Option(help="As this agent only. Repeatable.")] = None,
    days: Annotated[float | None, typer.Option(min=0.01, help="After so many days it opens nothing any more.")] = None,
) -> None:
    """Make a key, and print its secret: it is shown this once, alone on standard output."""
    from datetime import timedelta

    from graphmem.clock import utc_now

    if shared and user:
        raise typer.BadParameter("--shared is for no user, and --user for one.")
    expires_at = None if days is None else utc_now() + timedelta(days=days)
    users = [] if shared else user or None
    with asked.client() as client:
        _print(client.make_key(label, group, right, users=users, agents=agent or None, expires_at=expires_at))


@app.command("list")
def list_keys(asked: ServiceOptions) -> None:
    """List the keys, also those that were revoked or have expired."""
    from graphmem.client.cli.tables import keys_table

    with asked.client() as client:
        show(keys_table(client.keys(), "Keys"))


@app.command()
def replace(
    asked: ServiceOptions,
    id_: KeyArgument,
    *,
    overlap: Annotated[int, typer.Option(min=0, max=30 * _DAY, help="Seconds for which both open.")] = 3_600,
) -> None:
    """Make a key that may what another one may, which then ends."""
    from datetime import timedelta

    with asked.client() as client:
        _print(client.replace_key(_id(id_), overlap=timedelta(seconds=overlap)))


@app.command()
def revoke(asked: ServiceOptions, id_: KeyArgument) -> None:
    """Revoke a key: it opens nothing any more."""
    with asked.client() as client:
        done = client.revoke_key(_id(id_))
    say(f"The key {PREFIX}{done.id} ({done.label}) opens nothing any more.")


def _id(key: str) -> str:
    return key.removeprefix(PREFIX).partition("_")[0]


def _print(made: "NewKey") -> None:
    say(f"The key {PREFIX}{made.key.id} ({made.key.label}). Keep its secret: nobody can show it again.", err=True)
    print_exactly(made.secret)
