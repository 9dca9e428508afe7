"""Commands about facts: list, remember, confirm, correct and reject them; list and settle conflicts."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmem.client.cli.app import CommandApp
from graphmem.client.cli.options import TimedOptions, UserOptions
from graphmem.client.cli.printing import say, say_taken, show
from graphmem.errors import InvalidInput

if TYPE_CHECKING:
    from graphmem.answers.claims import ActedFact
    from graphmem.answers.outcomes import KeptOut

_PATIENCE = 10.0
"""Seconds until a sentence is read."""

app = CommandApp("Facts that people own: confirm, correct, share them; settle conflicts.")

BeliefArgument = Annotated[str, typer.Argument(help="The id of a fact: graphmem fact list.")]
ObjectOption = Annotated[str | None, typer.Option("--object", help="A thing: its name and type, such as Porto:place.")]
ValueOption = Annotated[str | None, typer.Option(help="A plain value, such as green.")]
StatementOption = Annotated[str | None, typer.Option(help="The sentence that says it; else one is made.")]
ValidFromOption = Annotated[str | None, typer.Option(help="Since when: a day, such as 2025-04-01, or RFC 3339.")]
ValidToOption = Annotated[str | None, typer.Option(help="Until when, if it is over.")]


def remember(
    asked: UserOptions,
    subject: Annotated[
        str,
        typer.Argument(
            metavar="SUBJECT|TEXT",
            help="Whom or what it is about: name and type, such as Maya:person; or just a sentence.",
        ),
    ],
    category: Annotated[str | None, typer.Argument(help="Such as identity, preference, constraint, goal.")] = None,
    fact_key: Annotated[
        str | None, typer.Argument(metavar="KEY", help="What it says, such as favourite_colour or lives_in.")
    ] = None,
    *,
    object_: ObjectOption = None,
    value: ValueOption = None,
    statement: StatementOption = None,
    valid_from: ValidFromOption = None,
    valid_to: ValidToOption = None,
    importance: Annotated[float | None, typer.Option(min=0, max=1, help="How much it matters; default: 0.8.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag; repeatable.")] = None,
    beside: Annotated[bool, typer.Option("--beside", help="It ends no other value: a second job.")] = False,
) -> None:
    """Remember a fact that somebody says on purpose; it is sure.

    A sentence alone is read as its user says it; what no claim can be read from is a fact in its own words.

    Example: graphmem remember Maya:person preference favourite_colour --value green --user maya --group demo
    """
    if category is None:
        _remember_text(asked, subject, tag)
        return
    if fact_key is None:
        raise InvalidInput("A fact has a subject, a category and a key; a sentence alone has neither of the last two.")
    times = {"valid_from": valid_from, "valid_to": valid_to}
    more = {"statement": statement, "importance": importance, "beside": beside or None, **times}
    with asked.client() as client:
        done = client.remember_fact(
            asked.group,
            _thing(subject, "SUBJECT"),
            category,
            fact_key,
            object=_thing(object_, "--object") if object_ else None,
            value=value,
            tags=tag,
            **asked.as_user(),
            **more,
        )
    say(f"Remembered as {done.predicate} (claim {done.claim.claim_id}):")
    _tell_kept(done)


def _remember_text(asked: UserOptions, text: str, tags: list[str] | None) -> None:
    """Hand in a sentence to be remembered, and say what came of it."""
    body = {
        "content": text,
        "remember": True,
        "tags": tags or [],
        **{key: user for key, user in asked.as_user().items() if user},
    }
    with asked.client() as client:
        (done,) = client.post_episodes(asked.group, body, wait=_PATIENCE).episodes
    if done.outcome is None:
        say(f"It is stored as episode {done.id} ({done.status}), and not read yet.")
        return
    say(f"Remembered as episode {done.id}:" if done.kept else f"It is stored as episode {done.id}, but became no fact.")
    _tell_kept(done)


def _tell_kept(done: "KeptOut") -> None:
    """Say what was kept, and what was not, and why."""
    for claim in done.kept:
        belief = f"belief {claim.belief_id}" if claim.belief_id else f"{claim.kind}, claim {claim.claim_id}"
        whose = f", of user {claim.user}" if claim.user else ""
        say(f"  {claim.statement} ({claim.predicate}, {belief}{whose})")
    if done.kept_beyond:
        say(f"  … and {done.kept_beyond} more.")
    for sentence in done.not_kept:
        say(sentence, err=True)


@app.command("list")
def list_facts(
    asked: TimedOptions,
    *,
    category: Annotated[list[str] | None, typer.Option(help="Only this category; repeatable.")] = None,
    about: Annotated[str | None, typer.Option(help="Only about this entity, by name or id.")] = None,
    least_importance: Annotated[float | None, typer.Option(min=0, max=1, help="Only what matters so much.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only with this tag; repeatable.")] = None,
) -> None:
    """List facts, the most important first.

    They are a user's and those that are shared, or without --user all.
    """
    from graphmem.client.cli.tables import facts_table

    with asked.client() as client:
        subject = client.meant(asked.group, about, **asked.as_of()) if about else None
        if subject:
            say_taken(subject)
        listed = client.facts(
            asked.group,
            category=category or (),
            subject=subject.id if subject else None,
            least_importance=least_importance,
            tag=tag or (),
            **asked.as_of(),
        )
        show(facts_table(listed, f"Facts of group {asked.group}"))


@app.command()
def confirm(asked: UserOptions, fact: BeliefArgument) -> None:
    """Say that a fact is right.

    It does not fade, and nothing less sure takes its place.
    """
    with asked.client() as client:
        _tell("Confirmed", client.confirm_fact(asked.group, fact, **asked.as_user()))


@app.command()
def share(asked: UserOptions, fact: BeliefArgument) -> None:
    """Show a fact to everybody in the group, with the words that it rests on."""
    with asked.client() as client:
        done = client.share_fact(asked.group, fact, **asked.as_user())
    say(f"Everybody in {asked.group} sees {done.belief_id} ({done.versions} versions).")


@app.command()
def unshare(asked: UserOptions, fact: BeliefArgument) -> None:
    """Take back that a fact is shared: its user alone sees it from now on."""
    with asked.client() as client:
        done = client.unshare_fact(asked.group, fact, **asked.as_user())
    say(f"Only its user sees {done.belief_id} ({done.versions} versions).")


@app.command()
def correct(
    asked: UserOptions,
    fact: BeliefArgument,
    *,
    object_: ObjectOption = None,
    value: ValueOption = None,
    statement: StatementOption = None,
    valid_from: ValidFromOption = None,
    valid_to: ValidToOption = None,
    changed_at: Annotated[
        str | None, typer.Option(help="It was right until then: a day, such as 2025-04-01, or RFC 3339.")
    ] = None,
    category: Annotated[str | None, typer.Option(help="Another category.")] = None,
) -> None:
    """Say what is so instead of a fact that was wrong all along: it counts as never said.

    Of one that was right and has changed, as by a move, give --changed-at: it was so until then, and stays known.
    What you leave out stays as it is.
    """
    instead: dict[str, Any] = {
        "object": _thing(object_, "--object") if object_ else None,
        "value": value,
        "statement": statement,
        "valid_from": valid_from,
        "valid_to": valid_to,
        "changed_at": changed_at,
        "category": category,
    }
    with asked.client() as client:
        _tell("Corrected", client.correct_fact(asked.group, fact, **asked.as_user(), **instead))


@app.command()
def reject(
    asked: UserOptions,
    fact: BeliefArgument,
    *,
    reason: Annotated[str | None, typer.Option(help="Why; it is kept as evidence.")] = None,
) -> None:
    """Say that a fact was never so. Its history keeps it."""
    with asked.client() as client:
        _tell("Rejected", client.delete_fact(asked.group, fact, reason=reason, **asked.as_user()))


@app.command()
def conflicts(asked: UserOptions) -> None:
    """List what is contested, with the claims of both sides."""
    from graphmem.client.cli.tables import conflicts_table

    with asked.client() as client:
        show(conflicts_table(client.conflicts(asked.group, **asked.as_user()), f"Contested in group {asked.group}"))


@app.command()
def settle(
    asked: UserOptions,
    fact: Annotated[str, typer.Argument(help="The id of what is contested: graphmem fact conflicts.")],
    *,
    keep: Annotated[str, typer.Option(help="The id of the claim that is right.")],
) -> None:
    """Say which claim is right about what is contested; the others give way."""
    with asked.client() as client:
        _tell("Settled", client.settle_conflict(asked.group, fact, keep, **asked.as_user()))


def _thing(written: str, what: str) -> dict[str, str]:
    name, _, kind = written.rpartition(":")
    if not name or not kind:
        raise InvalidInput(f"{what} has a name and a type, such as Maya:person, and is {written!r}.")
    return {"name": name, "type": kind}


def _tell(what: str, done: "ActedFact") -> None:
    claims = ", ".join(done.claim_ids)
    say(f"{what}: {done.recorded} recorded, {done.superseded} superseded (claims {claims}).")
