"""The command that shows the audit, and looks whether it is as it was written."""

from typing import Annotated

import typer

from graphmem.client.cli.options import ServiceOptions
from graphmem.client.cli.printing import say, show


def audit(
    asked: ServiceOptions,
    group: Annotated[
        str | None, typer.Argument(help="The group (tenant); default: what is no group's, such as keys.")
    ] = None,
    *,
    verify: Annotated[bool, typer.Option("--verify", help="Look whether each row is as it was written.")] = False,
    since: Annotated[str | None, typer.Option(help="From then on: a day or RFC 3339.")] = None,
    until: Annotated[str | None, typer.Option(help="Before then.")] = None,
    made_with: Annotated[str | None, typer.Option(help="With this key, by its id; or worker, process.")] = None,
    user: Annotated[str | None, typer.Option(help="For this user.")] = None,
    operation: Annotated[str | None, typer.Option(help="Operations that begin so, such as DELETE.")] = None,
    thing: Annotated[str | None, typer.Option(help="What names the thing of this id.")] = None,
) -> None:
    """Show who changed what, and when; or whether it is as it was written.

    Example: graphmem audit team-1 --since 2025-05-01 --operation DELETE
    """
    from graphmem.client.cli.tables import audit_table

    with asked.client() as client:
        if not verify:
            rows = client.audit(
                group, since=since, until=until, key=made_with, by_user=user, operation=operation, thing=thing
            )
            show(audit_table(rows, f"Audit of {group or 'the service'}"))
            return
        chain = client.audit_chain(group)
    say(f"The chain ends with place {chain.end.place}, {chain.end.hash or 'no hash'}.")
    if chain.first.place:
        say(f"It begins after place {chain.first.place}: older rows were taken away.")
    if chain.unchained:
        say(f"{chain.unchained} rows wait for a place.")
    if chain.misfit is None:
        say("Every row is as it was written.")
        return
    row = f", row {chain.misfit.id}" if chain.misfit.id else ""
    say(f"It does not fit at place {chain.misfit.place}{row}: {chain.misfit.why}.", err=True)
    raise typer.Exit(1)
