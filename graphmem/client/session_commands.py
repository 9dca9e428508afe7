"""Commands about sessions: list them, show their last turns, close them; show their summaries, and reflections."""
# ruff: noqa: PLC0415 - commands that need no model answer at once: what is heavy is imported where it is used

from typing import Annotated

import typer

from graphmem.client.lines import say, say_text, say_under
from graphmem.client.service import DataDirOption, GroupOption, KeyOption, UrlOption, client_of

SessionArgument = Annotated[str, typer.Argument(help="A session, by name or id: graphmem sessions.")]
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
    from graphmem.client.listing import show
    from graphmem.client.terminal import sessions_table

    with client_of(data_dir, url, key) as client:
        found = client.sessions(group, user=user, valid_at=valid_at, known_at=known_at)
        show(sessions_table(found, f"Sessions of group {group}"))


def session(
    name: SessionArgument,
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
        id_ = client.session_id(group, name, user=user)
        found = client.session(group, id_, window=window, user=user)
    if found.earlier:
        say(f"… {found.earlier} earlier")
    for one in found.episodes:
        say_under(f"{one.speaker or one.role}: ", one.content)
    if not found.episodes:
        say("There are no turns to show: --window is 0.")


def close_session(
    name: SessionArgument,
    *,
    group: GroupOption,
    user: UserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Close a session. The next episode opens it again."""
    from graphmem.model.instants import day_text

    with client_of(data_dir, url, key) as client:
        done = client.close_session(group, client.session_id(group, name, user=user), user=user)
    say(f"Session {done.session} is closed since {day_text(done.closed_at, '')} (by {done.closed_by}).")


def summaries(
    *,
    group: GroupOption,
    session: Annotated[str | None, typer.Option(help="Only of this session, by name or id.")] = None,
    user: UserOption = None,
    valid_at: ValidAtOption = None,
    known_at: KnownAtOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Show summaries of sessions, in the order of their last turns."""
    asked = {"user": user, "valid_at": valid_at, "known_at": known_at}
    with client_of(data_dir, url, key) as client:
        id_ = client.session_id(group, session, **asked) if session else None
        found = list(client.summaries(group, session_id=id_, **asked))
    if not found:
        say("There are no summaries. A session is summarised once it is closed (graphmem close-session), or is long.")
    for one in found:
        turns = f"turns {one.first_turn} to {one.first_turn + one.turns - 1}"
        stale = ", stale" if one.stale_at else ""
        say(f"{one.session}, {turns} ({one.summary_id}{stale})")
        say_text(f"{one.content}\n")


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
    say(f"Job {done.job.id} makes it again: {done.job.status}." if done.job else "It is made again.")


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
        found = list(client.reflections(group, user=user, valid_at=valid_at, known_at=known_at))
    if not found:
        say("There are no reflections. One is made of a week with enough facts, at the end of that week.")
    for one in found:
        whose, stale = one.user or "everybody", ", stale" if one.stale_at else ""
        say(f"{one.day}, {whose} ({one.reflection_id}{stale})")
        say_text(f"{one.content}\n")
