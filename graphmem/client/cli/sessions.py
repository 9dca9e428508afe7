"""Commands about sessions: list them, show their last turns, close them; show their summaries, and reflections."""

from typing import Annotated

import typer

from graphmem.client.cli.app import CommandApp
from graphmem.client.cli.options import TimedOptions, UserOptions
from graphmem.client.cli.printing import REDACTED, say, say_text, say_under, show

app = CommandApp("Sessions, their summaries, and reflections on weeks.")

SessionArgument = Annotated[str, typer.Argument(help="A session, by name or id: graphmem session list.")]


@app.command("list")
def list_sessions(asked: TimedOptions) -> None:
    """List sessions in the order in which they were opened."""
    from graphmem.client.cli.tables import sessions_table

    with asked.client() as client:
        listed = client.sessions(asked.group, **asked.as_of())
        show(sessions_table(listed, f"Sessions of group {asked.group}"))


@app.command("show")
def show_session(
    asked: UserOptions,
    name: SessionArgument,
    *,
    window: Annotated[int | None, typer.Option(min=0, max=200, help="Turns; default: as the settings say.")] = None,
) -> None:
    """Show the last turns of a session."""
    with asked.client() as client:
        id_ = client.session_id(asked.group, name, **asked.as_user())
        shown = client.session(asked.group, id_, window=window, **asked.as_user())
    if shown.earlier:
        say(f"… {shown.earlier} earlier")
    for turn in shown.episodes:
        say_under(f"{turn.speaker or turn.role}: ", REDACTED if turn.redacted_at else turn.content)
    if not shown.episodes:
        say("There are no turns to show: --window is 0.")


@app.command()
def close(asked: UserOptions, name: SessionArgument) -> None:
    """Close a session. The next episode opens it again."""
    from graphmem.model.interval import day_text

    with asked.client() as client:
        done = client.close_session(
            asked.group, client.session_id(asked.group, name, **asked.as_user()), **asked.as_user()
        )
    say(f"Session {done.session} is closed since {day_text(done.closed_at, '')} (by {done.closed_by}).")


@app.command()
def summaries(
    asked: TimedOptions,
    *,
    session: Annotated[str | None, typer.Option(help="Only of this session, by name or id.")] = None,
) -> None:
    """Show summaries of sessions, in the order of their last turns."""
    with asked.client() as client:
        id_ = client.session_id(asked.group, session, **asked.as_of()) if session else None
        listed = list(client.summaries(asked.group, session_id=id_, **asked.as_of()))
    if not listed:
        say("There are no summaries. A session is summarised once it is closed (graphmem session close), or is long.")
    for summary in listed:
        turns = f"turns {summary.first_turn} to {summary.first_turn + summary.turns - 1}"
        stale = ", stale" if summary.stale_at else ""
        say(f"{summary.session}, {turns} ({summary.summary_id}{stale})")
        say_text(f"{summary.content}\n")


@app.command()
def regenerate(
    asked: UserOptions,
    summary_id: Annotated[str, typer.Argument(help="The id of a summary: graphmem session summaries.")],
) -> None:
    """Have a summary made again."""
    with asked.client() as client:
        done = client.regenerate_summary(asked.group, summary_id, **asked.as_user())
    say(f"Job {done.job.id} makes it again: {done.job.status}." if done.job else "It is made again.")


@app.command()
def reflections(asked: TimedOptions) -> None:
    """Show reflections on weeks, in the order in which these ended."""
    with asked.client() as client:
        listed = list(client.reflections(asked.group, **asked.as_of()))
    if not listed:
        say("There are no reflections. One is made of a week with enough facts, at the end of that week.")
    for reflection in listed:
        whose, stale = reflection.user or "everybody", ", stale" if reflection.stale_at else ""
        say(f"{reflection.day}, {whose} ({reflection.reflection_id}{stale})")
        say_text(f"{reflection.content}\n")
