"""Commands that forget, prove it, and say what is taken in no more."""

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.client.cli.options import GroupOptions, UserOptions
from graphmem.client.cli.printing import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graphmem.answers.forgetting import ErasedOut

_PAUSE = 0.2
UserArgument = Annotated[str, typer.Argument(metavar="USER", help="Whose memory it is.")]


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
    verify: Annotated[
        str | None,
        typer.Option(
            metavar="RECEIPT",
            help="Forget nothing; look for what a receipt tells of, and for words of it.",
        ),
    ] = None,
    canaries: Annotated[
        typer.FileText | None,
        typer.Option(help="For --verify: a file of words that stood only in it, one a line; - is standard input."),
    ] = None,
) -> None:
    """Forget something as if it had never been said.

    It shows what would go, asks, and waits until it is gone. Example: graphmem forget -g maya --session chat-7
    """
    from functools import partial
    from time import sleep

    if verify is not None:
        words = [word for line in canaries or () if (word := line.strip())]
        raise typer.Exit(0 if _verified(asked, verify, words) else 1)
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


def opt_out(asked: GroupOptions, user: UserArgument) -> None:
    """Take in nothing more of a user; what is stored stays."""
    with asked.client() as client:
        since = client.opt_out(asked.group, user).opted_out_at
    say(f"Nothing of {user} comes in since {since:%Y-%m-%d %H:%M} UTC.")
    say(f"They come back with: graphmem admin opt-in {user} -g {asked.group}")


def opt_in(asked: GroupOptions, user: UserArgument) -> None:
    """Take in again what is of a user who opted out."""
    with asked.client() as client:
        client.opt_in(asked.group, user)
    say(f"What is of {user} comes in again. What was forgotten stays out.")


def lift(
    asked: UserOptions,
    tombstones: Annotated[list[str], typer.Argument(metavar="TOMBSTONE…", help="The ids that a refusal names.")],
) -> None:
    """Let in again what was forgotten, once somebody hands it in anew."""
    with asked.client() as client:
        lifted = client.lift_tombstones(asked.group, tombstones, **asked.as_user()).lifted
    say(f"Lifted {len(lifted)} of {len(tombstones)}.")
    raise typer.Exit(0 if len(lifted) == len(set(tombstones)) else 1)


def _verified(asked: UserOptions, receipt_id: str, words: "Sequence[str]") -> bool:
    """Tell where words are left that were forgotten, by their lines; returns whether they are left nowhere."""
    with asked.client() as client:
        verified = client.verify(asked.group, receipt_id, words)
    for place in verified.places:
        where = ".".join(filter(None, [":".join(place.kinds), place.key]))
        say(f"Line {place.canary + 1} stands in {where}: {place.count}")
    for id_ in verified.episodes:
        say(f"Episode {id_} is there again.")
    clean = not (verified.places or verified.episodes)
    if clean:
        say(f"Looked for {len(words)} lines and for the episodes: nothing is left in the group.")
    if not verified.vectors:
        say("Vectors were not looked at: the embedding model is away.")
    for path, numbers in _traces(asked, words).items():
        say(f"The file {path} has line {', '.join(str(number + 1) for number in numbers)} (docs/forgetting.md).")
    say("Not proven: " + " ".join(verified.not_proven))
    return clean


def _traces(asked: UserOptions, words: "Sequence[str]") -> "Mapping[str, list[int]]":
    """Which words stand in which files of the service, where it is the one of this machine."""
    from graphmem.local.traces import traces

    return {} if asked.url is not None else traces(asked.settings().data_dir, words)
