"""The command that loads a transcript into a running service, with progress."""

import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from graphmem.client.cli.options import GroupOptions
from graphmem.client.cli.printing import say
from graphmem.client.transcripts import Body, read_transcript

if TYPE_CHECKING:
    from graphmem.client.synchronous import GraphmemClient

BATCH = 50
_PAUSE = 1.0
_INTERRUPTED = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestCounts:
    """What came of a file. ``failed`` holds the reasons, by episode id; ``unread`` is as in their outcomes.

    ``refused`` holds why turns were not taken in, by their place in the file, from 1.
    """

    episodes: int
    new: int
    failed: dict[str, str]
    refused: dict[int, str]
    entities: int
    beliefs: int
    seconds: float
    unread: dict[str, int] = field(default_factory=dict[str, int])

    def __str__(self) -> str:
        refused = f", {len(self.refused)} refused" if self.refused else ""
        return (
            f"{self.episodes} episodes ({self.new} new{refused}) in {self.seconds:.1f} s, "
            f"{self.episodes / self.seconds:.1f} a second; "
            f"the group holds {self.entities} entities and {self.beliefs} beliefs."
        )


def ingest(
    asked: GroupOptions, file: Annotated[Path, typer.Argument(help="LoCoMo JSON, or JSON Lines of chat messages.")]
) -> None:
    """Load a conversation from a file, and wait until it is digested.

    Run again, it goes on where it was. What was forgotten, and turns of who opted out, are passed over and listed.

    Example: graphmem ingest talk.jsonl --group demo
    """
    from graphmem.answers.outcomes import unread_notice

    try:
        with asked.client() as client:
            summary = load(client, file, asked.group, Console(stderr=True))
    except KeyboardInterrupt:
        say("Interrupted. Run the same command again to go on; what was handed in is kept.", err=True)
        raise typer.Exit(_INTERRUPTED) from None
    say(str(summary))
    if notice := unread_notice(summary.unread):
        say(notice, err=True)
    for place, reason in summary.refused.items():
        say(f"Turn {place} is not taken in: {reason}", err=True)
    for episode, reason in summary.failed.items():
        say(f"Episode {episode} failed: {reason}", err=True)
    raise typer.Exit(1 if summary.failed else 0)


def load(client: "GraphmemClient", path: Path, group: str, console: Console) -> IngestCounts:
    """Hand in every turn of a file and wait until all are digested.

    Raises:
        InvalidInput: the file cannot be read; nothing was handed in.
    """
    bodies = read_transcript(path)
    began = time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        handed = progress.add_task("Handing in", total=len(bodies))
        done = progress.add_task("Digesting", total=len(bodies))
        new, ids, refused = 0, set[str](), dict[int, str]()
        for start, batch in _batches(bodies):
            answer = client.post_episodes(group, batch)
            refused |= {start + one.item + 1: str(one.problem["detail"]) for one in answer.refused}
            new += sum(episode.new for episode in answer.episodes)
            ids.update(episode.id for episode in answer.episodes)
            progress.advance(handed, len(batch))
            progress.update(done, completed=_digested(client, group, progress.tasks[handed].completed))
        _wait(client, group, len(bodies), progress, done)
    size = client.group(group)
    return IngestCounts(
        episodes=len(bodies),
        new=new,
        failed={episode.id: str(episode.error) for episode in client.episodes(group, status="failed")},
        refused=refused,
        entities=size.entities or 0,
        beliefs=(size.relationships or 0) + (size.facts or 0),
        seconds=time.monotonic() - began,
        unread=_unread(client, group, ids),
    )


def _unread(client: "GraphmemClient", group: str, ids: Collection[str]) -> dict[str, int]:
    """Characters of these episodes from which no claims were read, by language, the most first."""
    counts = Counter[str]()
    for episode in client.episodes(group, status="digested"):
        if episode.id in ids and episode.outcome:
            counts.update(episode.outcome.unread)
    return dict(counts.most_common())


def _batches(bodies: Sequence[Body]) -> Iterator[tuple[int, Sequence[Body]]]:
    """Some of the turns at a time, with the place of the first."""
    for at in range(0, len(bodies), BATCH):
        yield at, bodies[at : at + BATCH]


def _digested(client: "GraphmemClient", group: str, handed: float) -> float:
    return max(0, handed - client.group(group).work.pending)


def _wait(client: "GraphmemClient", group: str, total: int, progress: Progress, task: TaskID) -> None:
    while (done := _digested(client, group, total)) < total:
        progress.update(task, completed=done)
        time.sleep(_PAUSE)
    progress.update(task, completed=total)
