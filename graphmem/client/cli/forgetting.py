"""The command that forgets: it shows what would go, asks, and waits for the receipt."""

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.client.cli.options import UserOptions
from graphmem.client.cli.printing import say

if TYPE_CHECKING:
    from graphmem.answers.forgetting import ErasedOut

_PAUSE = 0.2


def forget(
    asked: UserOptions,
    *,
    episode: Annotated[list[str] | None, typer.Option(help="An episode, by id. Repeatable.")] = None,
    external_id: Annotated[list[str] | None, typer.Option(help="An episode, by external id. Repeatable.")] = None,
    session: Annotated[str | None, typer.Option(help="All that was said in a session.")] = None,
    source: Annotated[str | None, typer.Option(help="All that came from a source.")] = None,
    entity: Annotated[str | None, typer.Option(help="All that names an entity, by its id.")] = None,
    since: Annotated[str | None, typer.Option(help="All that was said from then on.")] = None,
    until: Annotated[str | None, typer.Option(help="All that was said before then.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All of the group, or with --user of one.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Without asking.")] = False,
) -> None:
    """Forget something as if it had never been said.

    It shows what would go, asks, and waits until it is gone. Example: graphmem forget -g maya --session chat-7
    """
    from functools import partial
    from time import sleep

    with asked.client() as client:
        forgetting = partial(
            client.forget,
            asked.group,
            episodes=episode or (),
            external_ids=external_id or (),
            session=session,
            source=source,
            entity=entity,
            since=since,
            until=until,
            everything=everything,
            user=asked.user,
        )
        preview = forgetting()
        say("There is: " + ", ".join(f"{count} {kind}" for kind, count in sorted(preview.counts.items())) + ".")
        if preview.would is not None:
            say(f"It would erase {_told(preview.would)}.")
        if not preview.counts["episodes"]:
            raise typer.Exit(1)
        if not yes:
            typer.confirm("Forget that? Nobody can bring it back", abort=True)
        begun = forgetting(confirm=preview.confirm)
        while (receipt := client.receipt(asked.group, begun.receipt or "")).ended_at is None:
            sleep(_PAUSE)
    say(f"Receipt {receipt.id}: erased {_told(receipt.erased)}.")


def _told(erased: "ErasedOut") -> str:
    counts = {name: count for name, count in erased.model_dump().items() if count}
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "nothing"
