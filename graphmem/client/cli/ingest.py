"""The command that loads files into a running service, with progress."""

import time
from collections import Counter
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console
from rich.progress import Progress, TaskID

from graphmem.client.cli.options import GroupOptions
from graphmem.client.cli.printing import listing, progress_bar, say, show
from graphmem.errors import CallerError, Conflict, GroupFull, InvalidInput, NotFound, QuotaUsed, TooLarge, UserRequired

if TYPE_CHECKING:
    from graphmem.answers.episodes import PutEpisode
    from graphmem.client.cli.printing import Listing
    from graphmem.client.synchronous import GraphmemClient
    from graphmem.files.episodes import Body, FoundFiles
    from graphmem.files.handing import HandedIn, Part, RefusedBody

_PAUSE = 1.0
_INTERRUPTED = 130
_MOST_LOOKED_AT = 20_000
"""Episodes that are looked at again, for what of them could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestCounts:
    """What came of a file. ``edited``, ``replaced``, ``refused`` and ``refusals`` are as in ``HandedIn``.

    ``failed`` holds the reasons, by episode id; ``unread`` is as in their outcomes.
    """

    episodes: int
    new: int
    edited: int
    replaced: int
    failed: dict[str, str]
    refused: int
    refusals: "list[RefusedBody]"
    entities: int
    beliefs: int
    seconds: float
    unread: dict[str, int] = field(default_factory=dict[str, int])

    def __str__(self) -> str:
        edited = f", {self.edited} of them edited" if self.edited else ""
        refused = f", {self.refused} refused" if self.refused else ""
        return (
            f"{self.episodes} episodes ({self.new} new{edited}{refused}) in {self.seconds:.1f} s, "
            f"{self.episodes / self.seconds:.1f} a second; "
            f"the group holds {self.entities} entities and {self.beliefs} beliefs."
        )


@dataclass(slots=True)
class _TakenIn:
    """What came in so far: episodes, and the sessions with something new, with their users."""

    ids: set[str] = field(default_factory=set[str])
    sessions: set[tuple[str, str | None]] = field(default_factory=set[tuple[str, str | None]])

    def add(self, body: "Body", episode_id: str, *, new: bool) -> None:
        if len(self.ids) < _MOST_LOOKED_AT:
            self.ids.add(episode_id)
        if new and "session" in body:
            self.sessions.add((body["session"], body.get("user")))


def ingest(
    asked: GroupOptions,
    file: Annotated[Path, typer.Argument(help="An export, a log, mail, a table, notes …, or a folder or ZIP of them.")],
    *,
    as_: Annotated[str | None, typer.Option("--as", help="Which speaker is the user, or the user's name.")] = None,
    time_zone: Annotated[
        str | None, typer.Option(help="Of times without one, such as Europe/Lisbon; default: UTC.")
    ] = None,
    date_order: Annotated[
        Literal["dmy", "mdy", "ymd"] | None, typer.Option(help="How days are written; default: as the file tells.")
    ] = None,
    since: Annotated[str | None, typer.Option(help="Only what was said then or later: a day, or a time.")] = None,
    at: Annotated[str | None, typer.Option(help="When it was said, where the file has no times.")] = None,
    columns: Annotated[
        str | None, typer.Option(help="Columns of a table by what they are: content=text,speaker=who.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the first turns as they would be stored.")] = False,
) -> None:
    """Load conversations from a file, and wait until they are digested.

    What it is, is found out by looking. Run again, it goes on where it was, and takes what came to the file since.
    What was forgotten, and turns of who opted out, are passed over and listed.

    Example: graphmem ingest talk.jsonl --group demo
    """
    from graphmem.answers.outcomes import unread_notice
    from graphmem.files.episodes import opened
    from graphmem.files.options import reading_options

    console = Console(stderr=True)
    options = reading_options(user=as_, time_zone=time_zone, date_order=date_order, since=since, at=at, columns=columns)
    with ExitStack() as unpacked:
        with console.status("Looking through …"):
            files = unpacked.enter_context(opened(file, options))
        _say_found(files)
        if dry_run:
            show(_first_turns(files))
            return
        try:
            with asked.client() as client:
                summary = load(client, files, asked.group, console)
        except KeyboardInterrupt:
            say("Interrupted. Run the same command again to go on; what was handed in is kept.", err=True)
            raise typer.Exit(_INTERRUPTED) from None
    say(str(summary))
    if notice := unread_notice(summary.unread):
        say(notice, err=True)
    if summary.replaced:
        say(
            f"Of {summary.replaced:,} turns another text has taken the place since; they stay replaced. PUT "
            "…/episodes/by-external-id/… with an Idempotency-Key puts one back.",
            err=True,
        )
    for turn in summary.refusals:
        say(f"{turn.place} is not taken in: {turn.reason}", err=True)
    if (more := summary.refused - len(summary.refusals)) > 0:
        say(f"Not taken in: {more:,} more.", err=True)
    for episode, reason in summary.failed.items():
        say(f"Episode {episode} failed: {reason}", err=True)
    raise typer.Exit(1 if summary.failed else 0)


def _say_found(files: "FoundFiles") -> None:
    """Say what there is, and on standard error what is left out, cannot be read or is taken for granted."""
    found, notes = files.survey, files.survey.notes
    say(str(found))
    if found.untimed:
        say("What has no time gets that of the message before it in its conversation.", err=True)
    if found.zoneless:
        zone = files.options.zone_name or "UTC (--time-zone says another)"
        say(f"{found.zoneless:,} times without a zone are of {zone}.", err=True)
    if found.unnamed:
        say(f"Of {found.unnamed:,} messages nobody is known to speak: --as says what the user is called.", err=True)
    for path, encoding in notes.guessed.items():
        say(f"{path} is read as {encoding}.", err=True)
    if notes.left_out:
        left_out = ", ".join(f"{number:,} {what}" for what, number in notes.left_out.most_common())
        say(f"Left out: {left_out}.", err=True)
    for bad in notes.bad:
        say(f"Not read: {bad}", err=True)
    if (more := notes.bad_places - len(notes.bad)) > 0:
        say(f"Not read: {more:,} more.", err=True)


def _first_turns(files: "FoundFiles") -> "Listing":
    columns = ("when", "who", "role", "session", "what")
    rows = (
        [str(body.get(key, "")) for key in ("occurred_at", "speaker", "role", "session", "content")]
        for body in files.first_turns()
    )
    return listing(f"The first turns of {files.name}; nothing is stored", columns, "nothing is left of it.", rows)


def load(client: "GraphmemClient", files: "FoundFiles", group: str, console: Console) -> IngestCounts:
    """Hand in every turn of files, wait until all are digested, and close their sessions."""
    from graphmem.files.handing import HandedIn

    began, total = time.monotonic(), files.survey.turns
    with progress_bar("{task.description}", console) as progress:
        handing = progress.add_task("Handing in", total=total)
        done = progress.add_task("Digesting", total=total)
        handed, taken = HandedIn(), _TakenIn()
        for part in handed.parts(files.bodies()):
            try:
                _hand_in(client, group, part, handed, taken)
            except (QuotaUsed, GroupFull):
                _close(client, group, taken.sessions)
                raise
            progress.update(handing, completed=handed.turns)
            progress.update(done, completed=_digested(client, group, handed.turns))
        progress.update(handing, total=handed.turns)
        progress.update(done, total=handed.turns)
        _wait(client, group, handed.turns, progress, done)
        _close(client, group, taken.sessions)
    size = client.group(group)
    return IngestCounts(
        episodes=handed.turns,
        new=handed.new,
        edited=handed.edited,
        replaced=handed.replaced,
        failed={episode.id: str(episode.error) for episode in client.episodes(group, status="failed")},
        refused=handed.refused,
        refusals=handed.refusals,
        entities=size.entities or 0,
        beliefs=(size.relationships or 0) + (size.facts or 0),
        seconds=time.monotonic() - began,
        unread=_unread(client, group, taken.ids),
    )


def _hand_in(client: "GraphmemClient", group: str, part: "Part", handed: "HandedIn", taken: _TakenIn) -> None:
    try:
        answer = client.post_episodes(group, [placed.body for placed in part])
    except UserRequired:
        raise
    except (Conflict, InvalidInput, TooLarge) as error:
        try:
            edited = _edited(client, group, part, error)
        except Conflict as again:
            error, edited = again, None
        if edited is None:
            handed.refuse(part, str(error))
            return
        handed.take_put(part, edited)
        taken.add(part[0].body, edited.id, new=edited.new)
        return
    refused = {one.item: str(one.problem["detail"]) for one in answer.refused}
    replaced = sum(episode.status == "replaced" for episode in answer.episodes)
    handed.take(part, refused, new=sum(episode.new for episode in answer.episodes), replaced=replaced)
    kept = [placed for item, placed in enumerate(part) if item not in refused]
    for placed, episode in zip(kept, answer.episodes, strict=True):
        taken.add(placed.body, episode.id, new=episode.new)


def _edited(client: "GraphmemClient", group: str, part: "Part", refusal: CallerError) -> "PutEpisode | None":
    """What came of a turn that was refused and is put in the place of another text of its id."""
    from graphmem.files.handing import may_be_edited

    body = may_be_edited(part, refusal)
    return None if body is None else client.put_episode(group, body["external_id"], body)


def _close(client: "GraphmemClient", group: str, sessions: Collection[tuple[str, str | None]]) -> None:
    """Close sessions, so that they are summarised. The next episode opens one again."""
    for name, user in sorted(sessions, key=str):
        try:
            client.close_session(group, client.session_id(group, name, user=user), user=user)
        except (NotFound, Conflict):
            continue  # of a name that several have, or nothing of which is left


def _unread(client: "GraphmemClient", group: str, ids: Collection[str]) -> dict[str, int]:
    """Characters of these episodes from which no claims were read, by language, the most first."""
    counts = Counter[str]()
    for episode in client.episodes(group, status="digested"):
        if episode.id in ids and episode.outcome:
            counts.update(episode.outcome.unread)
    return dict(counts.most_common())


def _digested(client: "GraphmemClient", group: str, handed: float) -> float:
    return max(0, handed - client.group(group, counts=False).work.pending)


def _wait(client: "GraphmemClient", group: str, total: int, progress: Progress, task: TaskID) -> None:
    while (done := _digested(client, group, total)) < total:
        progress.update(task, completed=done)
        time.sleep(_PAUSE)
    progress.update(task, completed=total)
