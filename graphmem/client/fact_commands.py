"""Commands about facts: list, remember, confirm, correct and reject them; list and settle conflicts."""
# ruff: noqa: PLC0415 - commands that need no model answer at once: what is heavy is imported where it is used

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.client.lines import say
from graphmem.client.service import DataDirOption, GroupOption, KeyOption, UrlOption, client_of
from graphmem.errors import InvalidInput

if TYPE_CHECKING:
    from graphmem.answers.facts import ActedFact

BeliefArgument = Annotated[str, typer.Argument(help="The id of a fact: graphmem facts.")]
UserOption = Annotated[str | None, typer.Option(help="Who asks or says so; only the owner of a fact changes it.")]
ObjectOption = Annotated[str | None, typer.Option("--object", help="A thing: its name and type, such as Porto:place.")]
ValueOption = Annotated[str | None, typer.Option(help="A plain value, such as green.")]
StatementOption = Annotated[str | None, typer.Option(help="The sentence that says it; else one is made.")]
ValidFromOption = Annotated[str | None, typer.Option(help="Since when: RFC 3339, such as 2025-05-03T00:00:00Z.")]
ValidToOption = Annotated[str | None, typer.Option(help="Until when, if it is over.")]


def add_to(app: typer.Typer) -> None:
    """Make these commands of an application."""
    for command in (facts, remember, confirm, correct, reject, share, unshare, conflicts, settle):
        app.command()(command)


def facts(
    *,
    group: GroupOption,
    user: UserOption = None,
    category: Annotated[list[str] | None, typer.Option(help="Only this category; repeatable.")] = None,
    about: Annotated[str | None, typer.Option(help="Only about this entity, by name or id.")] = None,
    least_importance: Annotated[float | None, typer.Option(min=0, max=1, help="Only what matters so much.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only with this tag; repeatable.")] = None,
    valid_at: Annotated[str | None, typer.Option(help="When it was true: RFC 3339; default: now.")] = None,
    known_at: Annotated[str | None, typer.Option(help="When we believed it: RFC 3339; default: now.")] = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """List facts, the most important first: a user's and what is shared, or without --user all."""
    from graphmem.client.listing import show
    from graphmem.client.terminal import facts_table

    with client_of(data_dir, url, key) as client:
        found = client.facts(
            group,
            user=user,
            category=category or (),
            subject=client.entity_id(group, about) if about else None,
            least_importance=least_importance,
            tag=tag or (),
            valid_at=valid_at,
            known_at=known_at,
        )
        show(facts_table(found, f"Facts of group {group}"))


def remember(
    subject: Annotated[str, typer.Argument(help="Whom or what it is about: name and type, such as Maya:person.")],
    category: Annotated[str, typer.Argument(help="Such as identity, preference, constraint, goal.")],
    fact_key: Annotated[str, typer.Argument(metavar="KEY", help="What it says, such as favourite_colour or lives_in.")],
    *,
    group: GroupOption,
    object_: ObjectOption = None,
    value: ValueOption = None,
    user: UserOption = None,
    statement: StatementOption = None,
    valid_from: ValidFromOption = None,
    valid_to: ValidToOption = None,
    importance: Annotated[float | None, typer.Option(min=0, max=1, help="How much it matters; default: 0.8.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag; repeatable.")] = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Remember a fact that somebody says on purpose. It is sure."""
    more = {"statement": statement, "valid_from": valid_from, "valid_to": valid_to, "importance": importance}
    with client_of(data_dir, url, key) as client:
        done = client.remember_fact(
            group,
            _thing(subject, "SUBJECT"),
            category,
            fact_key,
            object=_thing(object_, "--object") if object_ else None,
            value=value,
            user=user,
            tags=tag,
            **more,
        )
    say(f"Remembered as {done.predicate} (claim {done.claim.claim_id}).")


def confirm(
    fact: BeliefArgument,
    *,
    group: GroupOption,
    user: UserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Say that a fact is right: it does not fade, and nothing less sure takes its place."""
    with client_of(data_dir, url, key) as client:
        _tell("Confirmed", client.confirm_fact(group, fact, user=user))


def share(
    fact: BeliefArgument,
    *,
    group: GroupOption,
    user: UserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Show a fact to everybody in the group, with the words that it rests on."""
    with client_of(data_dir, url, key) as client:
        done = client.share_fact(group, fact, user=user)
    say(f"Everybody in {group} sees {done.belief_id} ({done.versions} versions).")


def unshare(
    fact: BeliefArgument,
    *,
    group: GroupOption,
    user: UserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Take back that a fact is shared: its user alone sees it from now on."""
    with client_of(data_dir, url, key) as client:
        done = client.unshare_fact(group, fact, user=user)
    say(f"Only its user sees {done.belief_id} ({done.versions} versions).")


def correct(
    fact: BeliefArgument,
    *,
    group: GroupOption,
    object_: ObjectOption = None,
    value: ValueOption = None,
    user: UserOption = None,
    statement: StatementOption = None,
    valid_from: ValidFromOption = None,
    valid_to: ValidToOption = None,
    category: Annotated[str | None, typer.Option(help="Another category.")] = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Say what is so instead of a fact. What you leave out stays as it is."""
    instead = {
        "object": _thing(object_, "--object") if object_ else None,
        "value": value,
        "statement": statement,
        "valid_from": valid_from,
        "valid_to": valid_to,
        "category": category,
    }
    with client_of(data_dir, url, key) as client:
        _tell("Corrected", client.correct_fact(group, fact, user=user, **instead))


def reject(
    fact: BeliefArgument,
    *,
    group: GroupOption,
    user: UserOption = None,
    reason: Annotated[str | None, typer.Option(help="Why; it is kept as evidence.")] = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Say that a fact was never so. Its history keeps it."""
    with client_of(data_dir, url, key) as client:
        _tell("Rejected", client.delete_fact(group, fact, user=user, reason=reason))


def conflicts(
    *,
    group: GroupOption,
    user: UserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """List what is contested, with the claims of both sides."""
    from graphmem.client.listing import show
    from graphmem.client.terminal import conflicts_table

    with client_of(data_dir, url, key) as client:
        show(conflicts_table(client.conflicts(group, user=user), f"Contested in group {group}"))


def settle(
    fact: Annotated[str, typer.Argument(help="The id of what is contested: graphmem conflicts.")],
    *,
    group: GroupOption,
    keep: Annotated[str, typer.Option(help="The id of the claim that is right.")],
    user: UserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Say which claim is right about what is contested; the others give way."""
    with client_of(data_dir, url, key) as client:
        _tell("Settled", client.settle_conflict(group, fact, keep, user=user))


def _thing(written: str, what: str) -> dict[str, str]:
    name, _, kind = written.rpartition(":")
    if not name or not kind:
        raise InvalidInput(f"{what} has a name and a type, such as Maya:person, and is {written!r}.")
    return {"name": name, "type": kind}


def _tell(what: str, done: "ActedFact") -> None:
    claims = ", ".join(done.claim_ids)
    say(f"{what}: {done.recorded} recorded, {done.superseded} superseded (claims {claims}).")
