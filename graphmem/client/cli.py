"""The command line. Commands that need no model answer at once: what is heavy is imported where it is used."""
# ruff: noqa: PLC0415 - see above

import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from graphmem.client import fact_commands, session_commands, trust_commands
from graphmem.client.lines import print_exactly, say, say_text
from graphmem.client.service import (
    AsUserOption,
    DataDirOption,
    GroupOption,
    KeyOption,
    UrlOption,
    client_of,
    config_variable,
    running,
    settings_of,
    with_config,
)
from graphmem.errors import Conflict, GraphmemError, LocalServerError, NotFound

if TYPE_CHECKING:
    from rich.console import Console

    from graphmem.answers.answer import AsOf
    from graphmem.answers.jobs import AskedJob
    from graphmem.answers.merges import Remerged
    from graphmem.client.synchronous import GraphmemClient
    from graphmem.client.terminal import Pair
    from graphmem.local.control import Launched, Order, Status
    from graphmem.local.screen import Screen

_INTERRUPTED = 130
_MOST_REVIEWS = 100
_VERDICTS: dict[str, Literal["same", "different"]] = {"s": "same", "d": "different"}


class _App(typer.Typer):
    """Tells in words what goes wrong on purpose. Each command takes ``--config``."""

    def command(self, *args: Any, **kwargs: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
        register = super().command(*args, **kwargs)
        return lambda command: register(with_config(command))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().__call__(*args, **kwargs)
        except GraphmemError as error:
            _tell_error(error)
            raise SystemExit(1) from error


app = _App(
    name="graphmem",
    help="A bi-temporal knowledge-graph memory for software agents, on Neo4j.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

rank = _App(help="How searches rank what they find.", no_args_is_help=True)
app.add_typer(rank, name="rank")

PredicateOption = Annotated[list[str] | None, typer.Option(help="Only this predicate; repeatable.")]
ReasonOption = Annotated[str, typer.Option(help="Why; it is kept with the decision.")]
ValidAtOption = Annotated[str | None, typer.Option(help="When it was true: RFC 3339, such as 2025-05-03T00:00:00Z.")]
OpenOption = Annotated[
    bool | None, typer.Option("--open/--no-open", help="Only what rests on open claims, or without it; default: both.")
]
KnownAtOption = Annotated[str | None, typer.Option(help="When we believed it: RFC 3339; default: now.")]
fact_commands.add_to(app)
session_commands.add_to(app)
trust_commands.add_to(app)


@app.command()
def up(
    *,
    data_dir: DataDirOption = None,
    api_port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port of the API; 0 for any.")] = None,
    detach: Annotated[bool, typer.Option("--detach", "-d", help="Return once everything is ready.")] = False,
    sample: Annotated[bool, typer.Option("--sample", help="Load a small conversation and ask it questions.")] = False,
    servers_only: Annotated[bool, typer.Option("--servers-only", help="Only Neo4j and Valkey.")] = False,
    recover: Annotated[
        bool,
        typer.Option("--recover", help="Start Neo4j although its transaction logs are damaged: writes may be lost."),
    ] = False,
) -> None:
    """Start Neo4j, Valkey, the API and a worker on this machine."""
    from rich.console import Console

    from graphmem.local.control import Order
    from graphmem.retrieve.weights import weights_of

    settings = settings_of(data_dir)
    weights_of(settings.search.weights)  # said here, not in the log of a service
    console = Console()
    order = Order(settings.data_dir, api_port, servers_only, detach, recover)
    raise typer.Exit(_Up(order, console, lambda: _load_sample(settings.data_dir, console) if sample else None).run())


@app.command()
def down(data_dir: DataDirOption = None) -> None:
    """Stop everything that `up` started, in order."""
    from graphmem.local import control

    settings = settings_of(data_dir)
    stopped = control.down(settings.data_dir)
    say("Stopped." if stopped else f"Nothing runs for {settings.data_dir}.")


@app.command()
def status(
    *,
    data_dir: DataDirOption = None,
    show_password: Annotated[bool, typer.Option(help="Show how to log in to Neo4j.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show what runs, and where. Exits with 1 when nothing runs, or something does not answer."""
    from graphmem.local import control

    found = control.status(settings_of(data_dir).data_dir)
    password = control.neo4j_password(found) if show_password else None
    if as_json:
        shown = found.model_dump(mode="json") | ({"neo4j_password": password} if show_password else {})
        print_exactly(control.to_json(shown))
    else:
        _print_status(found, password)
    raise typer.Exit(0 if found.ready else 1)


@app.command()
def env(data_dir: DataDirOption = None) -> None:
    """Print GRAPHMEM_URL and GRAPHMEM_TOKEN of the running service for a shell: eval "$(graphmem env)"."""
    from shlex import quote

    from graphmem.local.layout import DataDir, read_secret

    folder = settings_of(data_dir).data_dir
    url, token = running(folder).api_url or "", read_secret(DataDir(folder).api_token) or ""
    print_exactly(f"export GRAPHMEM_URL={quote(url)} GRAPHMEM_TOKEN={quote(token)}")


@app.command()
def logs(
    service: Annotated[str | None, typer.Argument(help="supervisor, neo4j, valkey, worker or api.")] = None,
    *,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with lines as they are written.")] = False,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many lines of each log.")] = 20,
    data_dir: DataDirOption = None,
) -> None:
    """Show the last lines of the logs."""
    from graphmem.local import control

    folder = settings_of(data_dir).data_dir
    found = control.logs(folder, service, lines)
    for name, text in found:
        say_text(text if service else "\n".join(f"{name:<10} | {line}" for line in text.split("\n")))
    if not follow:
        if not found:
            say(f"Nothing has been logged in {folder}. What is logged there begins with `graphmem up`.")
        return
    try:
        for name, line in control.follow(folder, service):
            say_text(line if service else f"{name:<10} | {line}")
    except KeyboardInterrupt:
        return


@app.command()
def browser(
    *,
    group: Annotated[str | None, typer.Option("--group", "-g", help="Whose guide; default: a list of all.")] = None,
    data_dir: DataDirOption = None,
    do_open: Annotated[bool, typer.Option("--open/--no-open", help="Open it, or only print its address.")] = True,
) -> None:
    """Open Neo4j Browser on the managed Neo4j, with a guide to click through."""
    import webbrowser

    from graphmem.client.browsing import opening, redirection
    from graphmem.local.layout import DataDir, read_secret
    from graphmem.local.ports import answers_on_ipv6
    from graphmem.private_files import write_private

    data = DataDir(settings_of(data_dir).data_dir)
    state = running(data.root)
    if state.browser_url is None or state.neo4j_uri is None:
        raise Conflict("Neo4j is not run by graphmem here: open the Browser of the server at NEO4J_URI.")
    key = read_secret(data.guide_key) if state.api_url else None
    strangers = key is not None and answers_on_ipv6(state.ports.api)
    found = opening(state.browser_url, state.neo4j_uri, state.ports, key, group, strangers=strangers)
    say(found.url)
    say("User neo4j; the password: graphmem status --show-password", err=True)
    if found.command:
        say(f"Once connected, type: {found.command}", err=True)
    if do_open:
        write_private(data.browser_page, redirection(found.url))
        webbrowser.open(data.browser_page.as_uri())


@app.command()
def ingest(
    file: Annotated[Path, typer.Argument(help="LoCoMo JSON, or JSON Lines of chat messages.")],
    *,
    group: GroupOption,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Load a conversation from a file, and wait until it is digested. Run again, it goes on."""
    from rich.console import Console

    from graphmem.client.ingest import ingest as load

    console = Console(stderr=True)
    try:
        with client_of(data_dir, url, key) as client:
            summary = load(client, file, group, console)
    except KeyboardInterrupt:
        say("Interrupted. Run the same command again to go on; what was handed in is kept.", err=True)
        raise typer.Exit(_INTERRUPTED) from None
    say(str(summary))
    for episode, reason in summary.failed.items():
        say(f"Episode {episode} failed: {reason}", err=True)
    raise typer.Exit(1 if summary.failed else 0)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="A question in words.")],
    *,
    group: GroupOption,
    valid_at: ValidAtOption = None,
    known_at: KnownAtOption = None,
    user: Annotated[str | None, typer.Option(help="As which user; default: the whole group.")] = None,
    open: OpenOption = None,  # noqa: A002 - the name in the URL
    limit: Annotated[int, typer.Option(min=1, max=100, help="Hits at most.")] = 10,
    session: Annotated[str | None, typer.Option(help="Only of this session.")] = None,
    exclude_session: Annotated[str | None, typer.Option(help="Only of what was said anywhere else.")] = None,
    entity: Annotated[str | None, typer.Option(help="Only about this entity, by name or id.")] = None,
    type: Annotated[  # noqa: A002 - the name in the URL
        list[str] | None, typer.Option(help="Only about entities of this type; repeatable.")
    ] = None,
    predicate: PredicateOption = None,
    category: Annotated[list[str] | None, typer.Option(help="Only this category; repeatable.")] = None,
    role: Annotated[list[str] | None, typer.Option(help="Only of this role; repeatable.")] = None,
    speaker: Annotated[list[str] | None, typer.Option(help="Only of what this one said; repeatable.")] = None,
    source: Annotated[list[str] | None, typer.Option(help="Only of this source; repeatable.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only with this tag; repeatable.")] = None,
    since: Annotated[str | None, typer.Option(help="Only what occurred or held since: RFC 3339.")] = None,
    until: Annotated[str | None, typer.Option(help="… and before: RFC 3339.")] = None,
    least_confidence: Annotated[float | None, typer.Option(min=0, max=1, help="Of beliefs.")] = None,
    least_score: Annotated[float | None, typer.Option(help="Of hits, as the first column has it.")] = None,
    diversity: Annotated[
        float | None, typer.Option(min=0, max=1, help="How much being unlike the hits above counts.")
    ] = None,
    recency: Annotated[
        float | None, typer.Option(min=0, max=1, help="How much being of --valid-at, or now, counts.")
    ] = None,
    half_life_days: Annotated[
        float | None, typer.Option(min=0.001, max=36500, help="By when that is half as much; default: 30.")
    ] = None,
    confidence: Annotated[float | None, typer.Option(min=0, max=1, help="How much being sure counts.")] = None,
    history: Annotated[
        bool, typer.Option("--history", help="Also what had ended, or is no longer believed; marked “was”.")
    ] = False,
    why_not: Annotated[
        list[str] | None, typer.Option(help="Say where this belief or episode, by id, was lost; repeatable.")
    ] = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Search beliefs and episodes, as of a time, as known at a time."""
    from graphmem.client.listing import show
    from graphmem.client.terminal import hits_table

    filters = {
        "session": session,
        "exclude_session": exclude_session,
        "entity": entity,
        "types": type,
        "predicates": predicate,
        "categories": category,
        "roles": role,
        "speakers": speaker,
        "sources": source,
        "tags": tag,
        "since": since,
        "until": until,
        "least_confidence": least_confidence,
        "least_score": least_score,
    }
    preferences = {
        "diversity": diversity,
        "recency": recency,
        "half_life_days": half_life_days,
        "confidence": confidence,
    }
    with client_of(data_dir, url, key) as client:
        answer = client.search(
            group,
            question,
            limit=limit,
            valid_at=valid_at,
            known_at=known_at,
            user=user,
            open=open,
            filters={name: value for name, value in filters.items() if value not in (None, [])},
            include_history=history,
            preferences=preferences,
            why_not=why_not or (),
        )
    for one in answer.degraded:
        say(f"Searched without {one.channel!r} ({one.why}): {one.detail}", err=True)
    show(hits_table(answer.hits, _asked(question, answer)))
    for one in answer.why_not:
        say(f"{one.id}: {one.detail}")


@app.command()
def context(
    query: Annotated[str | None, typer.Argument(help="A question in words; or give a session.")] = None,
    *,
    group: GroupOption,
    session: Annotated[str | None, typer.Option(help="The session whose last turns are in it.")] = None,
    about: Annotated[
        str | None,
        typer.Option(help="Whose profile, by name or id; default: who is named, whom it is about, who speaks."),
    ] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens at most; default: as the settings say.")] = None,
    passages: Annotated[int | None, typer.Option(min=0, max=100, help="Turns that a search brings, at most.")] = None,
    least_score: Annotated[float | None, typer.Option(min=0, max=1, help="How near these are to the question.")] = None,
    exclude_window: Annotated[
        bool, typer.Option("--exclude-window", help="Without the last turns of the session.")
    ] = False,
    valid_at: ValidAtOption = None,
    known_at: KnownAtOption = None,
    user: Annotated[str | None, typer.Option(help="What everybody and this user may see; default: all.")] = None,
    agent: Annotated[str | None, typer.Option(help="Which agent it is for; default: that of the session.")] = None,
    open: OpenOption = None,  # noqa: A002 - the name in the URL
    as_json: Annotated[bool, typer.Option("--json", help="The whole answer, with ids, for programs.")] = False,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Print what goes into the next prompt, under a budget of tokens; on standard error, what was left out."""
    from graphmem.client.terminal import left_out

    with client_of(data_dir, url, key) as client:
        answer = client.context(
            group,
            query,
            session=session,
            about=about,
            max_tokens=max_tokens,
            exclude_window=exclude_window,
            limits={"passages": passages, "least_score": least_score},
            valid_at=valid_at,
            known_at=known_at,
            user=user,
            agent=agent,
            open=open,
        )
    if as_json:
        print_exactly(answer.model_dump_json(indent=2, by_alias=True))
    elif answer.markdown:
        say_text(answer.markdown.removesuffix("\n"))
    else:
        say("Nothing goes into it: nothing is known that fits. Ask in other words, or name a --session.", err=True)
    for line in left_out(answer):
        say(line, err=True)


@app.command()
def extract(
    text: Annotated[str, typer.Argument(help="What somebody says.")],
    *,
    group: Annotated[str, typer.Option("--group", "-g", help="The group whose ontology is looked at.")] = "demo",
    speaker: Annotated[str | None, typer.Option(help="Who says it.")] = None,
    at: Annotated[str | None, typer.Option("--at", help="When: RFC 3339, such as 2025-05-03T00:00:00Z.")] = None,
    strategy: Annotated[str | None, typer.Option(help="accurate, fast, llm or one of your own.")] = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Show what would be read of a text, and why not more; nothing is stored."""
    from graphmem.client.listing import show
    from graphmem.client.terminal import clauses_table, read_claims_table

    with client_of(data_dir, url, key) as client:
        answer = client.extract(group, text, speaker=speaker, occurred_at=at, strategy=strategy)
    if answer.clauses:
        show(clauses_table(answer.clauses, "Clauses"))
    show(read_claims_table(answer.claims, f"Claims ({answer.extractor} {answer.version})"))


@app.command()
def graph(
    *,
    group: GroupOption,
    entity: Annotated[str | None, typer.Option(help="An entity to start from, by name or id.")] = None,
    depth: Annotated[int, typer.Option(min=0, max=5, help="Steps from it.")] = 1,
    predicate: PredicateOption = None,
    valid_at: ValidAtOption = None,
    known_at: KnownAtOption = None,
    open: OpenOption = None,  # noqa: A002 - the name in the URL
    limit: Annotated[int, typer.Option(min=1, max=5000, help="Beliefs at most.")] = 100,
    user: AsUserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Show the believed graph, as of a time, as known at a time."""
    from graphmem.client.listing import show
    from graphmem.client.terminal import beliefs_table

    with client_of(data_dir, url, key) as client:
        answer = client.graph(
            group,
            entity=entity,
            depth=depth,
            predicate=predicate or (),
            valid_at=valid_at,
            known_at=known_at,
            open=open,
            limit=limit,
            user=user,
        )
    show(beliefs_table(answer.beliefs, _asked(f"Group {group}", answer)))
    if not answer.complete:
        say(f"There is more: --limit is {limit}.", err=True)


@app.command()
def history(
    name: Annotated[str, typer.Argument(help="An entity, by name or id.")],
    *,
    group: GroupOption,
    predicate: PredicateOption = None,
    valid_at: ValidAtOption = None,
    known_at: KnownAtOption = None,
    open: OpenOption = None,  # noqa: A002 - the name in the URL
    user: AsUserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Show every version of what was believed about an entity: when it was true, and when it was believed."""
    from graphmem.client.listing import show
    from graphmem.client.terminal import versions_table

    with client_of(data_dir, url, key) as client:
        entity = client.entity_id(group, name, known_at=known_at, user=user)
        versions = client.history(
            group, entity, predicate=predicate or (), valid_at=valid_at, known_at=known_at, open=open, user=user
        )
        show(versions_table(versions, f"{name} in group {group}"))


@app.command()
def diff(
    *,
    group: GroupOption,
    since: Annotated[str, typer.Option("--from", help="RFC 3339, such as 2025-05-03T00:00:00Z.")],
    to: Annotated[str, typer.Option("--to", help="Likewise, later.")],
    axis: Annotated[
        str, typer.Option(help="valid: what changed in the world; known: what we came to believe.")
    ] = "valid",
    entity: Annotated[str | None, typer.Option(help="Only at this entity, by name or id.")] = None,
    predicate: PredicateOption = None,
    valid_at: ValidAtOption = None,
    known_at: KnownAtOption = None,
    open: OpenOption = None,  # noqa: A002 - the name in the URL
    user: AsUserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Show what began, ended and changed between two instants."""
    from graphmem.client.listing import show
    from graphmem.client.terminal import diff_table
    from graphmem.model.instants import day_text

    with client_of(data_dir, url, key) as client:
        answer = client.diff(
            group,
            axis,  # pyright: ignore[reportArgumentType] -- the service says which there are
            since,
            to,
            entity=entity,
            predicate=predicate or (),
            valid_at=valid_at,
            known_at=known_at,
            open=open,
            user=user,
        )
    title = f"Group {group}, from {day_text(answer.since, '')} to {day_text(answer.to, '')} ({axis} time)"
    show(diff_table(answer, title))
    if not answer.complete:
        say("There is more: narrow it down by --entity or --predicate.", err=True)


@app.command()
def merges(
    *,
    group: GroupOption,
    known_at: KnownAtOption = None,
    user: AsUserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """List which entities are the same, as known at a time."""
    from graphmem.client.listing import show
    from graphmem.client.terminal import merges_table

    with client_of(data_dir, url, key) as client:
        show(merges_table(client.merges(group, known_at=known_at, user=user), f"Merges of group {group}"))


@app.command()
def merge(
    first: Annotated[str, typer.Argument(help="An entity, by name or id.")],
    second: Annotated[str, typer.Argument(help="The entity that is the same.")],
    *,
    group: GroupOption,
    reason: ReasonOption,
    user: AsUserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Decide that two entities are the same. It can be taken back: graphmem revert."""
    from graphmem.answers.merges import Merged

    with client_of(data_dir, url, key) as client:
        one, other = (client.entity_id(group, name, user=user) for name in (first, second))
        done = client.merge(group, one, other, reason, user=user)
    if isinstance(done, Merged):
        say(f"{done.merge.member.name} is part of {done.merge.part_of.name} now (merge {done.merge.id}).")
    _tell_changes(done)


@app.command()
def revert(
    merge: Annotated[str, typer.Argument(help="A merge, by id or by the name of one of the two: graphmem merges.")],
    *,
    group: GroupOption,
    reason: ReasonOption,
    user: AsUserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Take a merge back: the two are different, and what they were before."""
    from graphmem.answers.merges import Remerged

    with client_of(data_dir, url, key) as client:
        done = client.revert_merge(group, _merge_id(client, group, merge, user), reason, user=user)
    for one in done.closed if isinstance(done, Remerged) else ():
        say(f"{one.member.name} is no longer part of {one.part_of.name}.")
    _tell_changes(done)


@app.command()
def protect(
    entity: Annotated[str, typer.Argument(help="An entity, by name or id.")],
    *,
    group: GroupOption,
    off: Annotated[bool, typer.Option("--off", help="It may be merged again by what is computed.")] = False,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Have an entity merged by people only, for everybody. The next dedup job takes back what was computed before."""
    with client_of(data_dir, url, key) as client:
        done = client.protect(group, client.entity_id(group, entity), protected=not off)
    say(f"{entity} is {'no longer ' if off else ''}protected ({done.id}).")


@app.command()
def reembed(
    *,
    group: GroupOption,
    wait: Annotated[float, typer.Option(min=0, help="Seconds to wait until it is done.")] = 0,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Embed a group again, with the embedding model of the service. Searches go by full text until it is done."""
    with client_of(data_dir, url, key) as client:
        job = client.job(group, "reembed", wait=wait)
    counts = ", ".join(f"{name} {count}" for name, count in job.progress.items())
    say(f"Job {job.id}, to {job.arguments['model']}: {job.status}{f' ({counts})' if counts else ''}.")
    raise typer.Exit(1 if job.status == "failed" else 0)


@rank.command(name="train")
def rank_train(
    file: Annotated[
        Path, typer.Argument(help="JSON Lines: question, group, and ids or external_ids of episodes that answer it.")
    ],
    *,
    out: Annotated[Path, typer.Option(help="The file of weights to write.")] = Path("weights.toml"),
    force: Annotated[bool, typer.Option("--force", help="Write it over one that is there.")] = False,
    weights: Annotated[
        Path | None, typer.Option(help="The file of weights that the service has; default: search.weights here.")
    ] = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Fit what each reason to show a turn counts to questions whose answers you know; searches write nothing."""
    from rich.console import Console

    from graphmem.client.labelled import read_questions
    from graphmem.client.ranking import fit_to, written
    from graphmem.clock import utc_now
    from graphmem.retrieve.weights import weights_of

    if not out.absolute().parent.is_dir():
        raise NotFound(f"There is no folder for {out}. Make it, or give another --out.")
    if out.exists() and not force:
        raise Conflict(f"{out} is there already. Give another --out, or --force to write over it.")
    start = weights or settings_of(data_dir).search.weights
    current, questions = weights_of(start), read_questions(file)
    with client_of(data_dir, url, key) as client:
        fitted, report = fit_to(client, questions, current, Console(stderr=True))
    out.write_text(written(fitted, report, start=start.name if start else "the packaged ones", now=utc_now()), "utf-8")
    say_text(str(report))
    say(f"Written to {out}. Set search.weights to it, and start the service anew.")


@app.command()
def reviews(
    *,
    group: GroupOption,
    walk: Annotated[bool, typer.Option("--walk", help="Decide them one by one.")] = False,
    user: AsUserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """List pairs that may be the same, or walk through them."""
    from itertools import islice

    from graphmem.client.listing import show
    from graphmem.client.terminal import reviews_table

    with client_of(data_dir, url, key) as client:
        if walk:
            _walk(client, group, user)
        else:
            found = islice(client.reviews(group, user=user), _MOST_REVIEWS)
            show(reviews_table(found, f"To review in group {group}"))


@app.command()
def why(
    first: Annotated[str, typer.Argument(help="An entity, by name or id.")],
    second: Annotated[str, typer.Argument(help="Another one.")],
    *,
    group: GroupOption,
    user: AsUserOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> None:
    """Show why two entities are taken for the same, or why not."""
    with client_of(data_dir, url, key) as client:
        one, other = (client.entity_id(group, name, user=user) for name in (first, second))
        _show_pair(client.pair(group, one, other, user=user))


class _Up:
    """One run of ``up``: shows what the supervisor tells, and passes Ctrl-C on to it."""

    def __init__(self, order: "Order", console: "Console", after_ready: Callable[[], None]) -> None:
        self._order = order
        self._console = console
        self._after_ready = after_ready
        self._ready = False
        self._failed = False

    def run(self) -> int:
        from graphmem.local.control import launch
        from graphmem.local.screen import Screen

        # A service manager stops us as Ctrl-C does.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        environ = {**os.environ, **config_variable()}  # noqa: TID251 - handed on to the supervisor
        launched = launch(self._order, environ)
        with Screen(self._console) as screen:
            interrupted = self._accompany(launched, screen)
        if interrupted and not self._ready:
            return _INTERRUPTED
        if not self._ready:
            raise LocalServerError(f"The supervisor ended before all was ready. Its log ends:\n{launched.log_tail()}")
        return 1 if self._failed else 0

    def _accompany(self, launched: "Launched", screen: "Screen") -> bool:
        interrupted = False
        while True:
            try:
                self._listen(launched, screen)
            except KeyboardInterrupt:
                interrupted = True
                launched.ask_to_stop()
            else:
                return interrupted

    def _listen(self, launched: "Launched", screen: "Screen") -> None:
        for event in launched.events():
            screen.show(event)
            if event.kind in {"ready", "already"}:
                self._ready = True
                self._show_summary(already=event.kind == "already")

    def _show_summary(self, *, already: bool) -> None:
        from graphmem.local.screen import summary

        if already:
            self._console.print("graphmem already runs for this data directory:")
        self._console.print(summary(running(self._order.data_dir), detached=self._order.detach or already))
        try:
            self._after_ready()
        except GraphmemError as error:
            self._failed = True
            _tell_error(error)


def _walk(client: "GraphmemClient", group: str, user: str | None) -> None:
    """Ask about one pair after the other, until there are none or the person has enough."""
    found = list(client.reviews(group, user=user))
    if not found:
        say(f"There is nothing to review in group {group}. Ask about two by name: graphmem why FIRST SECOND.")
    for review in found:
        _show_pair(client.review(group, review.id, user=user))
        answer = typer.prompt("[s]ame, [d]ifferent, [l]ater, or [q]uit", default="l").strip().lower()[:1]
        if answer == "q":
            return
        if answer in _VERDICTS:
            reason = typer.prompt("Why", default="as seen in a review")
            _tell_changes(client.decide(group, review.id, _VERDICTS[answer], reason, user=user))


def _show_pair(pair: "Pair") -> None:
    """The two side by side, and what speaks for and against their being one."""
    from graphmem.client.listing import show
    from graphmem.client.terminal import pair_table, side_by_side_table

    show(side_by_side_table(pair, f"{pair.first.name} and {pair.second.name}"))
    show(pair_table(pair, "How far they agree"))


def _merge_id(client: "GraphmemClient", group: str, merge: str, user: str | None) -> str:
    """The merge that an id or the name of one of its two entities means.

    Raises:
        NotFound: none.
        Conflict: several; lists the first of them with their ids.
    """
    from graphmem.client.problems import candidate_list

    if re.fullmatch("[0-9a-f]{32}", merge):
        return merge
    found = [one for one in client.merges(group, user=user) if merge in {one.member.name, one.part_of.name}]
    if not found:
        raise NotFound(f"Nothing of the name {merge!r} is merged in group {group!r}. See what is: graphmem merges.")
    if len(found) > 1:
        listed = candidate_list((one.id, f"{one.member.name} is {one.part_of.name}") for one in found)
        raise Conflict(f"Several merges have this name. Take one of these ids: {listed}.")
    return found[0].id


def _tell_changes(done: "Remerged | AskedJob") -> None:
    from graphmem.answers.jobs import AskedJob

    if isinstance(done, AskedJob):
        say(f"More than 1,000 claims move, so a worker carries it out: job {done.job.id}.")
        return
    say(f"{done.moved_claims} claims moved; {done.recorded} beliefs recorded, {done.superseded} superseded.")


def _asked(what: str, answer: "AsOf") -> str:
    from graphmem.model.instants import day_text

    return f"{what} (true at {day_text(answer.valid_at, '')}, as known at {day_text(answer.known_at, '')})"


def _load_sample(data_dir: Path, console: "Console") -> None:
    from graphmem.client.sample.show import load_and_show
    from graphmem.local.layout import DataDir

    load_and_show(running(data_dir).api_url or "", DataDir(data_dir).api_token, console)


def _print_status(found: "Status", password: str | None) -> None:
    from rich.console import Console

    from graphmem.local.screen import status_table, summary

    console = Console()
    if found.state is None or not found.running:
        say(f"Nothing runs for {found.data_dir}. Start it with `graphmem up`.")
        if found.ended is not None:
            say(f"It ended by itself at {found.ended.at:%Y-%m-%d %H:%M:%S} UTC. {found.ended.text}")
    else:
        console.print(status_table(found))
        console.print(summary(found.state, detached=True))
    if password is not None:
        say("Neo4j user: neo4j")
        say(f"Neo4j password: {password}")


def _tell_error(error: GraphmemError) -> None:
    say_text(f"Error: {error}", err=True)


if __name__ == "__main__":
    app()
