"""Commands about sessions: list them, show their last turns, close them; show their summaries, and reflections."""
# ruff: noqa: PLC0415 - commands that need no model answer at once: what is heavy is imported where it is used

from typing import Annotated

import typer

from graphmem.client.service import DataDirOption, GroupOption, KeyOption, UrlOption, client_of

SessionArgument = Annotated[str, typer.Argument(help="The id of a session: graphmem sessions.")]
UserOption = Annotated[str | None, typer.Option(help="Who asks; without it, whoever they are of.")]
ValidAtOption = Annotated[str | None, typer.Option(help="What had been said then: RFC 3339; default: now.")]
KnownAtOption = Annotated[str | None, typer.Option(help="What we knew then: RFC 3339; default: now.")]


def add_to(app: typer.Typer) -> None:
    """Make these commands of an application."""
    for command in (sessions, session, close_session, summaries, regenerate, reflections):
        app.command()(command)


def sessions(
    *,
    group: GroupOption,
    user: UserOption = None,
    valid_at: ValidAtOption = None,
    known_at: KnownAtOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """List sessions in the order in which they were opened."""
    from graphmem.client.terminal import sessions_table, show

    with client_of(data_dir, url, key) as client:
        found = client.sessions(group, user=user, valid_at=valid_at, known_at=known_at)
        show(sessions_table(found, f"Sessions of group {group}"))


def session(
    session_id: SessionArgument,
    *,
    group: GroupOption,
    window: Annotated[int | None, typer.Option(min=0, max=200, help="Turns; default: as the settings say.")] = None,
    user: UserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Show the last turns of a session."""
    with client_of(data_dir, url, key) as client:
        found = client.session(group, session_id, window=window, user=user)
    if found.earlier:
        typer.echo(f"… {found.earlier} earlier")
    for one in found.episodes:
        typer.echo(f"{one.speaker or one.role}: {one.content}")


def close_session(
    session_id: SessionArgument,
    *,
    group: GroupOption,
    user: UserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Close a session. The next episode opens it again."""
    from graphmem.client.days import day

    with client_of(data_dir, url, key) as client:
        done = client.close_session(group, session_id, user=user)
    typer.echo(f"Session {done.session} is closed since {day(done.closed_at, '')} (by {done.closed_by}).")


def summaries(
    *,
    group: GroupOption,
    session: Annotated[str | None, typer.Option(help="Only of this session, by id: graphmem sessions.")] = None,
    user: UserOption = None,
    valid_at: ValidAtOption = None,
    known_at: KnownAtOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Show summaries of sessions, in the order of their last turns."""
    with client_of(data_dir, url, key) as client:
        found = client.summaries(group, session_id=session, user=user, valid_at=valid_at, known_at=known_at)
        for one in found:
            turns = f"turns {one.first_turn} to {one.first_turn + one.turns - 1}"
            stale = ", stale" if one.stale_at else ""
            typer.echo(f"{one.session}, {turns} ({one.summary_id}{stale})\n{one.content}\n")


def regenerate(
    summary_id: Annotated[str, typer.Argument(help="The id of a summary: graphmem summaries.")],
    *,
    group: GroupOption,
    user: UserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Have a summary made again."""
    with client_of(data_dir, url, key) as client:
        done = client.regenerate_summary(group, summary_id, user=user)
    typer.echo(f"Job {done.job.id} makes it again: {done.job.status}." if done.job else "It is made again.")


def reflections(
    *,
    group: GroupOption,
    user: UserOption = None,
    valid_at: ValidAtOption = None,
    known_at: KnownAtOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Show reflections on weeks, in the order in which these ended."""
    with client_of(data_dir, url, key) as client:
        for one in client.reflections(group, user=user, valid_at=valid_at, known_at=known_at):
            whose, stale = one.user or "everybody", ", stale" if one.stale_at else ""
            typer.echo(f"{one.day}, {whose} ({one.reflection_id}{stale})\n{one.content}\n")
