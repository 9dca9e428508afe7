"""Commands about who is who: why two are the same, what is merged, and decisions on it."""

import re
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from graphmem.client.cli.app import CommandApp
from graphmem.client.cli.options import GroupOptions, KnownAtOption, UserOptions
from graphmem.client.cli.printing import say, say_taken, show
from graphmem.errors import Conflict, InvalidInput, NotFound

if TYPE_CHECKING:
    from graphmem.answers.entities import Remerged
    from graphmem.answers.groups import AskedJob
    from graphmem.client.cli.tables import Pair
    from graphmem.client.synchronous import GraphmemClient

app = CommandApp("Who is who: what is merged, why, and decisions on it.")

FirstArgument = Annotated[str, typer.Argument(help="An entity, by name or id.")]
SecondArgument = Annotated[str, typer.Argument(help="Another entity.")]
ReasonOption = Annotated[str, typer.Option(help="Why; it is kept with the decision.")]

_MOST_REVIEWS = 100
_VERDICTS: dict[str, Literal["same", "different"]] = {"s": "same", "d": "different"}


@app.command()
def why(asked: UserOptions, first: FirstArgument, second: SecondArgument) -> None:
    """Show why two entities are taken for the same, or why not."""
    with asked.client() as client:
        ids = _ids(client, asked, first, second)
        _show_pair(client.pair(asked.group, *ids, **asked.as_user()))


@app.command()
def reviews(
    asked: UserOptions,
    *,
    walk: Annotated[bool, typer.Option("--walk", help="Decide them one by one.")] = False,
) -> None:
    """List pairs that may be the same, or walk through them."""
    from itertools import islice

    from graphmem.client.cli.tables import reviews_table

    with asked.client() as client:
        if walk:
            _walk(client, asked)
        else:
            pairs = islice(client.reviews(asked.group, **asked.as_user()), _MOST_REVIEWS)
            show(reviews_table(pairs, f"To review in group {asked.group}"))


@app.command()
def merges(asked: UserOptions, *, known_at: KnownAtOption = None) -> None:
    """List which entities are the same, as known at a time."""
    from graphmem.client.cli.tables import merges_table

    with asked.client() as client:
        listed = client.merges(asked.group, known_at=known_at, **asked.as_user())
        show(merges_table(listed, f"Merges of group {asked.group}"))


@app.command()
def merge(asked: UserOptions, first: FirstArgument, second: SecondArgument, *, reason: ReasonOption) -> None:
    """Decide that two entities are the same; `revert` takes it back."""
    from graphmem.answers.entities import Merged

    with asked.client() as client:
        ids = _ids(client, asked, first, second)
        done = client.merge(asked.group, *ids, reason, **asked.as_user())
    if isinstance(done, Merged):
        say(f"{done.merge.member.name} is part of {done.merge.part_of.name} now (merge {done.merge.id}).")
    _tell_changes(done)


@app.command()
def revert(
    asked: UserOptions,
    merge: Annotated[str, typer.Argument(help="A merge, by id or by the name of one of its two entities.")],
    *,
    reason: ReasonOption,
) -> None:
    """Take a merge back: its two are different, and what they were before."""
    from graphmem.answers.entities import Remerged

    with asked.client() as client:
        done = client.revert_merge(asked.group, _merge_id(client, asked, merge), reason, **asked.as_user())
    for closed in done.closed if isinstance(done, Remerged) else ():
        say(f"{closed.member.name} is no longer part of {closed.part_of.name}.")
    _tell_changes(done)


@app.command()
def protect(
    asked: GroupOptions,
    entity: FirstArgument,
    *,
    off: Annotated[bool, typer.Option("--off", help="It may be merged again by what is computed.")] = False,
) -> None:
    """Have an entity merged by people only, for everybody.

    The next dedup job takes back what was computed before.
    """
    with asked.client() as client:
        meant = client.meant(asked.group, entity)
        say_taken(meant)
        called = client.entity(asked.group, meant.id).entity.name
        done = client.protect(asked.group, meant.id, protected=not off)
    say(f"{called} is {'no longer ' if off else ''}protected ({done.id}).")


def _ids(client: "GraphmemClient", asked: UserOptions, first: str, second: str) -> tuple[str, str]:
    one, other = (client.meant(asked.group, name, **asked.as_user()) for name in (first, second))
    say_taken(one)
    say_taken(other)
    if one.id == other.id:
        raise InvalidInput("Both names mean one entity. Name the other one by its id, as GET entities lists it.")
    return one.id, other.id


def _walk(client: "GraphmemClient", asked: UserOptions) -> None:
    """Ask about one pair after the other, until there are none or the person has enough."""
    pairs = list(client.reviews(asked.group, **asked.as_user()))
    if not pairs:
        group = asked.group
        say(f"There is nothing to review in group {group}. Ask about two by name: graphmem identity why FIRST SECOND.")
    for review in pairs:
        _show_pair(client.review(asked.group, review.id, **asked.as_user()))
        answer = typer.prompt("[s]ame, [d]ifferent, [l]ater, or [q]uit", default="l").strip().lower()[:1]
        if answer == "q":
            return
        if answer in _VERDICTS:
            reason = typer.prompt("Why", default="as seen in a review")
            _tell_changes(client.decide(asked.group, review.id, _VERDICTS[answer], reason, **asked.as_user()))


def _show_pair(pair: "Pair") -> None:
    """Show the two side by side, and what speaks for and against their being one."""
    from graphmem.client.cli.tables import pair_table, side_by_side_table

    show(side_by_side_table(pair, f"{pair.first.name} and {pair.second.name}"))
    show(pair_table(pair, "How far they agree"))


def _merge_id(client: "GraphmemClient", asked: UserOptions, merge: str) -> str:
    """The merge that an id or the name of one of its two entities means.

    Raises:
        NotFound: none.
        Conflict: several; lists the first of them with their ids.
    """
    from graphmem.client.problems import candidate_list

    if re.fullmatch("[0-9a-f]{32}", merge):
        return merge
    standing = client.merges(asked.group, **asked.as_user())
    named = [each for each in standing if merge in {each.member.name, each.part_of.name}]
    if not named:
        raise NotFound(
            f"Nothing of the name {merge!r} is merged in group {asked.group!r}. See what is: graphmem identity merges."
        )
    if len(named) > 1:
        listed = candidate_list({each.id: f"{each.member.name} is {each.part_of.name}" for each in named})
        raise Conflict(f"Several merges have this name. Take one of these ids: {listed}.")
    return named[0].id


def _tell_changes(done: "Remerged | AskedJob") -> None:
    from graphmem.answers.groups import AskedJob

    if isinstance(done, AskedJob):
        say(f"More than 1,000 claims move, so a worker carries it out: job {done.job.id}.")
        return
    say(f"{done.moved_claims} claims moved; {done.recorded} beliefs recorded, {done.superseded} superseded.")
