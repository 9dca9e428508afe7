"""Commands that fill a group from another memory: its facts with both times, or its texts, to be read anew."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress

from graphmem.client.cli.options import UserOptions
from graphmem.client.cli.printing import progress_bar, say
from graphmem.client.others.steps import Body, Step
from graphmem.errors import InvalidInput, NotFound, TooLarge

if TYPE_CHECKING:
    from graphmem.client.synchronous import GraphmemClient

BATCH = 50
_MOST_LISTED = 20
_ReadOption = Annotated[bool, typer.Option("--read", help="Its texts instead, which graphmem reads itself.")]


@dataclass(slots=True, kw_only=True)
class Handed:
    """What came of what was handed in.

    ``refused`` says why, of the first; ``left_out`` counts what has no place here.
    """

    claims: int = 0
    ended: int = 0
    withdrawn: int = 0
    episodes: int = 0
    refused_total: int = 0
    refused: list[str] = field(default_factory=list[str])
    left_out: Counter[str] = field(default_factory=Counter[str])

    def refuse(self, what: Body, why: object) -> None:
        self.refused_total += 1
        if len(self.refused) < _MOST_LISTED:
            self.refused.append(f"{what['external_id']}: {why}")


def import_graphiti(
    asked: UserOptions,
    uri: Annotated[str, typer.Argument(help="Graphiti's Neo4j, such as bolt://127.0.0.1:7687.")],
    *,
    of: Annotated[str, typer.Option(help="Graphiti's group_id.")] = "",
    database: Annotated[str, typer.Option(help="The database that it is in.")] = "neo4j",
    login: Annotated[str, typer.Option(help="The user of that Neo4j.")] = "neo4j",
    password: Annotated[
        str, typer.Option(envvar="GRAPHITI_PASSWORD", help="Its password: say it by the environment.")
    ] = "",
    read: _ReadOption = False,
) -> None:
    """Fill a new group with the edges that Graphiti keeps, with both times.

    Nothing is written there. Run again after it was cut off, it goes on. With --read its episodes are read instead,
    into any group.

    Example: graphmem admin import-graphiti bolt://127.0.0.1:7687 --of team-1 --group team-1
    """
    from graphmem.client.others import graphiti
    from graphmem.store.graphiti import GraphitiReader

    handed = Handed()
    with GraphitiReader(uri, user=login, password=password, database=database) as there, asked.client() as client:
        counts = there.graphiti_counts(of)
        if not counts.episodes + counts.edges:
            groups = ", ".join(map(repr, there.graphiti_groups())) or "none"
            raise NotFound(f"Graphiti has nothing of the group {of!r} there. Name one with --of; there are: {groups}.")
        if read:
            texts = graphiti.episodes(there.graphiti_episodes(of), asked.user, handed.left_out)
            _hand_in(client, asked.group, texts, counts.episodes, handed)
        else:
            edges, ended = there.graphiti_edges(of), there.graphiti_edges(of, ended=True)
            steps = graphiti.steps(edges, ended, asked.user, handed.left_out)
            tell(client, asked.group, steps, counts.edges + counts.ended, handed)
    other = {"edges": counts.edges} if read else {"episodes (hand them in with --read)": counts.episodes}
    derived = {"summaries of entities": counts.summaries, "communities": counts.communities, "sagas": counts.sagas}
    handed.left_out.update(other | derived)
    _report(asked.group, handed)


def import_mem0(
    asked: UserOptions,
    memories: Annotated[Path, typer.Argument(help="What get_all gave, or an export, as JSON.", exists=True)],
    *,
    history: Annotated[
        Path | None, typer.Option(help="mem0's history.db, or its rows as JSON.", exists=True, dir_okay=False)
    ] = None,
    read: _ReadOption = False,
) -> None:
    """Fill a new group with the memories that mem0 keeps, as facts in words.

    With --history also as they were before, and what was deleted, which is of --user. With --read they are
    read anew, into any group.

    Example: graphmem admin import-mem0 memories.json --history ~/.mem0/history.db --group home
    """
    from graphmem.client.others import mem0

    handed, known = Handed(), mem0.read_memories(memories, asked.user)
    with asked.client() as client:
        if read:
            _hand_in(client, asked.group, mem0.episodes(known), len(known), handed)
        else:
            rows = mem0.read_history(history) if history else []
            steps = mem0.steps(known, rows, asked.user, handed.left_out)
            tell(client, asked.group, steps, len(steps), handed)
    _report(asked.group, handed)


def tell(client: "GraphmemClient", group: str, steps: Iterable[Step], total: int, handed: Handed) -> None:
    """Tell a group that imports, from where an earlier run broke off, and end its import."""
    since = client.make_group(group, importing=True).settled_until
    with progress_bar(f"Handing in {total}") as progress:
        task = progress.add_task("", total=total)
        new = (step for step in _counted(steps, progress) if since is None or step.at >= since)
        for some in _runs(new):
            if some[0].ends:
                _end(client, group, some[0], handed)
            else:
                _assert(client, group, some, handed)
        progress.update(task, completed=total)
    client.end_import(group)


def _assert(client: "GraphmemClient", group: str, steps: Sequence[Step], handed: Handed) -> None:
    """Hand in claims together; where one of them cannot be taken, each by itself."""
    try:
        answer = client.claims(group, [step.told for step in steps])
    except (InvalidInput, TooLarge) as error:
        if len(steps) == 1:
            handed.refuse(steps[0].claim, error)
            return
        for step in steps:
            _assert(client, group, [step], handed)
        return
    handed.claims += len(answer.claims)
    for refused in answer.refused:
        handed.refuse(steps[refused.item or 0].claim, refused.problem["detail"])


def _end(client: "GraphmemClient", group: str, step: Step, handed: Handed) -> None:
    """Withdraw a claim, or put another in its place. It is handed in again, to be told its id."""
    try:
        answer = client.claims(group, [step.told])
    except (InvalidInput, TooLarge):
        return  # it was refused before, and said so
    if not answer.claims:
        return
    (claim,) = answer.claims
    if (instead := step.told_instead) is None:
        client.retract(group, claim.claim_id, recorded_at=step.at)
        handed.withdrawn += 1
        return
    try:
        client.correct(group, claim.claim_id, instead)
        handed.ended += 1
    except (InvalidInput, TooLarge) as error:
        handed.refuse(step.claim, error)


def _hand_in(client: "GraphmemClient", group: str, texts: Iterable[Body], total: int, handed: Handed) -> None:
    """Hand in episodes, which are read in the background."""
    with progress_bar(f"Handing in {total}") as progress:
        task = progress.add_task("", total=total)
        for some in _batches(texts):
            answer = client.post_episodes(group, some)
            handed.episodes += len(answer.episodes)
            for refused in answer.refused:
                handed.refuse(some[refused.item], refused.problem["detail"])
            progress.advance(task, len(some))


def _runs(steps: Iterable[Step]) -> Iterator[list[Step]]:
    """Claims in a row together, some at a time; what ends by itself."""
    run = list[Step]()
    for step in steps:
        if run and (step.ends or len(run) == BATCH):
            yield run
            run = []
        if step.ends:
            yield [step]
        else:
            run.append(step)
    if run:
        yield run


def _batches(texts: Iterable[Body]) -> Iterator[list[Body]]:
    left = iter(texts)
    while some := list(islice(left, BATCH)):
        yield some


def _counted(steps: Iterable[Step], progress: Progress) -> Iterator[Step]:
    for step in steps:
        yield step
        progress.advance(progress.task_ids[0])


def _report(group: str, handed: Handed) -> None:
    if handed.episodes:
        say(f"Group {group} has {handed.episodes} episodes more, which are read in the background: graphmem status.")
    else:
        say(
            f"Group {group} was told {handed.claims} claims; of these {handed.ended} were replaced later, and "
            f"{handed.withdrawn} withdrawn."
        )
    for what, count in handed.left_out.items():
        if count:
            say(f"Left out: {count} × {what}.", err=True)
    for refused in handed.refused:
        say(f"Refused: {refused}", err=True)
    if handed.refused_total > len(handed.refused):
        say(f"… and {handed.refused_total - len(handed.refused)} more.", err=True)
    raise typer.Exit(1 if handed.refused_total else 0)
