"""Commands that read the memory, as of a time, as known at a time."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from graphmem.client.cli.options import BeliefReadOptions, ServiceOptions
from graphmem.client.cli.printing import print_exactly, say, say_taken, say_text, show
from graphmem.errors import InvalidInput

if TYPE_CHECKING:
    from graphmem.answers.answer import AsOf

_OF_MANY = {
    "types": "type",
    "categories": "category",
    "roles": "role",
    "speakers": "speaker",
    "sources": "source",
    "tags": "tag",
}
"""How an option is called that may be given several times, by the name of its list."""
PredicateOption = Annotated[list[str] | None, typer.Option(help="Only this predicate; repeatable.")]


def _given(options: Mapping[str, object]) -> list[str]:
    """How those of some options are called that were given, by the names that calls have for them."""
    given = (name for name, value in options.items() if value is not None and value is not False and value != [])
    return [f"--{_OF_MANY.get(name, name).replace('_', '-')}" for name in given]


def ask(
    asked: BeliefReadOptions,
    question: Annotated[
        str | None, typer.Argument(help="A question in words; none is needed with --entity and one --predicate.")
    ] = None,
    *,
    limit: Annotated[int | None, typer.Option(min=1, max=100, help="Hits at most; default: 10.")] = None,
    session: Annotated[str | None, typer.Option(help="Only of this session.")] = None,
    exclude_session: Annotated[str | None, typer.Option(help="Only of what was said anywhere else.")] = None,
    entity: Annotated[str | None, typer.Option(help="Only about this entity, by name or id.")] = None,
    type: Annotated[  # noqa: A002 - the name in the URL
        list[str] | None, typer.Option(help="Only about entities of this type; repeatable.")
    ] = None,
    predicate: PredicateOption = None,
    category: Annotated[list[str] | None, typer.Option(help="Only this category; repeatable.")] = None,
    role: Annotated[list[str] | None, typer.Option(help="Only of this role; repeatable.")] = None,
    speaker: Annotated[list[str] | None, typer.Option(help="Only of what this speaker said; repeatable.")] = None,
    source: Annotated[list[str] | None, typer.Option(help="Only of this source; repeatable.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only with this tag; repeatable.")] = None,
    since: Annotated[str | None, typer.Option(help="Only what occurred or held since: a day or RFC 3339.")] = None,
    until: Annotated[str | None, typer.Option(help="… and before.")] = None,
    least_confidence: Annotated[float | None, typer.Option(min=0, max=1, help="Of beliefs.")] = None,
    least_score: Annotated[float | None, typer.Option(help="Of hits, as the first column has it.")] = None,
    least_relevance: Annotated[
        float | None, typer.Option(min=0, max=1, help="How likely a hit answers the question.")
    ] = None,
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
) -> None:
    """Search beliefs and episodes, or say what holds.

    Without a question, it says what holds of an --entity by a --predicate, since when, and what that replaced.

    Example: graphmem ask "Where does Maya live?" --group sample --valid-at 2025-04-01

    Example: graphmem ask --entity Maya --predicate lives_in --group sample --valid-at 2025-04-01
    """
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
        "least_relevance": least_relevance,
    }
    preferences = {
        "diversity": diversity,
        "recency": recency,
        "half_life_days": half_life_days,
        "confidence": confidence,
    }
    if question is None:
        others = {
            **filters,
            **preferences,
            "limit": limit,
            "history": history,
            "why_not": why_not,
            "entity": None,
            "predicates": None,
        }
        _answer(asked, entity, predicate or [], _given(others))
        return
    from graphmem.client.cli.tables import hits_table

    with asked.client() as client:
        answer = client.search(
            asked.group,
            question,
            limit=limit or 10,
            filters={name: value for name, value in filters.items() if value not in (None, [])},
            include_history=history,
            preferences=preferences,
            why_not=why_not or (),
            **asked.beliefs(),
        )
    say_taken(answer)
    for channel in answer.degraded:
        say(f"Searched without {channel.channel!r} ({channel.why}): {channel.detail}", err=True)
    show(hits_table(answer.hits, _as_of(question, answer)))
    if answer.answerable == "unlikely":
        say(f"Perhaps nothing here answers it. {answer.answerable_because}", err=True)
    for lost in answer.why_not:
        say(f"{lost.id}: {lost.detail}")


def _answer(asked: BeliefReadOptions, entity: str | None, predicates: list[str], others: list[str]) -> None:
    """What holds of an entity by a predicate.

    Raises:
        InvalidInput: there is not one of both, or there are ``others``, options that only a search has.
    """
    from graphmem.client.cli.tables import state_table

    if entity is None or len(predicates) != 1:
        raise InvalidInput("Ask a question in words, or give --entity and one --predicate.")
    if others:
        raise InvalidInput(f"{', '.join(others)}: without a question there is no search. Ask one, or leave these out.")
    with asked.client() as client:
        answer = client.answer(asked.group, entity, predicates[0], **asked.beliefs())
    say_taken(answer)
    if answer.unknown:
        say(answer.unknown)
    else:
        called = answer.entity.name if answer.entity else entity
        show(state_table(answer.values, _as_of(f"{predicates[0]} of {called}", answer)))


def context(
    asked: BeliefReadOptions,
    query: Annotated[str | None, typer.Argument(help="A question in words; or give a session.")] = None,
    *,
    session: Annotated[str | None, typer.Option(help="The session whose last turns are in it.")] = None,
    about: Annotated[
        str | None,
        typer.Option(help="Whose profile comes right after the user's, by name or id."),
    ] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens at most; default: as the settings say.")] = None,
    passages: Annotated[
        int | None, typer.Option(min=0, max=100, help="Passages that a search brings, at most.")
    ] = None,
    least_score: Annotated[float | None, typer.Option(min=0, max=1, help="How near these are to the question.")] = None,
    exclude_window: Annotated[
        bool, typer.Option("--exclude-window", help="Without the last turns of the session.")
    ] = False,
    exclude_session: Annotated[
        str | None, typer.Option(help="Without the turns and summaries of this session, and what only it says.")
    ] = None,
    agent: Annotated[str | None, typer.Option(help="Which agent it is for; default: that of the session.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole answer, with ids, for programs.")] = False,
) -> None:
    """Print what goes into the next prompt, under a budget of tokens.

    What was left out is told on standard error.

    Example: graphmem context "What does Maya like?" --group sample --max-tokens 500
    """
    from graphmem.client.cli.tables import left_out

    with asked.client() as client:
        answer = client.context(
            asked.group,
            query,
            session=session,
            about=about,
            max_tokens=max_tokens,
            exclude_window=exclude_window,
            exclude_session=exclude_session,
            limits={"passages": passages, "least_score": least_score},
            agent=agent,
            **asked.beliefs(),
        )
    say_taken(answer)
    if as_json:
        print_exactly(answer.model_dump_json(indent=2, by_alias=True))
    elif answer.markdown:
        say_text(answer.markdown.removesuffix("\n"))
    else:
        say("Nothing goes into it: nothing is known that fits. Ask in other words, or name a --session.", err=True)
    for line in left_out(answer):
        say(line, err=True)


def graph(
    asked: BeliefReadOptions,
    *,
    entity: Annotated[str | None, typer.Option(help="An entity to start from, by name or id.")] = None,
    depth: Annotated[int, typer.Option(min=0, max=5, help="Steps from it.")] = 1,
    predicate: PredicateOption = None,
    limit: Annotated[int, typer.Option(min=1, max=5000, help="Beliefs at most.")] = 100,
) -> None:
    """Show the believed graph.

    Example: graphmem graph --group sample --entity Bruno --valid-at 2025-03-10
    """
    from graphmem.client.cli.tables import beliefs_table

    with asked.client() as client:
        answer = client.graph(
            asked.group, entity=entity, depth=depth, predicate=predicate or (), limit=limit, **asked.beliefs()
        )
    say_taken(answer)
    show(beliefs_table(answer.beliefs, _as_of(f"Group {asked.group}", answer)))
    if not answer.complete:
        say(f"There is more: --limit is {limit}.", err=True)


def history(
    asked: BeliefReadOptions,
    name: Annotated[str, typer.Argument(help="An entity, by name or id.")],
    *,
    predicate: PredicateOption = None,
) -> None:
    """Show every version of what was believed about an entity.

    Each says when it was true, and when it was believed.

    Example: graphmem history Bruno --group sample --predicate lives_in
    """
    from graphmem.client.cli.tables import versions_table

    with asked.client() as client:
        entity = client.meant(asked.group, name, known_at=asked.known_at, user=asked.user)
        say_taken(entity)
        called = client.entity(asked.group, entity.id, known_at=asked.known_at, user=asked.user).entity.name
        versions = client.history(asked.group, entity.id, predicate=predicate or (), **asked.beliefs())
        show(versions_table(versions, f"{called} in group {asked.group}"))


def diff(
    asked: BeliefReadOptions,
    *,
    since: Annotated[str, typer.Option("--from", help="A day, such as 2025-04-01, or RFC 3339.")],
    to: Annotated[str, typer.Option("--to", help="A later one.")],
    axis: Annotated[
        Literal["valid", "known"],
        typer.Option(help="valid: what changed in the world; known: what we came to believe."),
    ] = "valid",
    entity: Annotated[str | None, typer.Option(help="Only at this entity, by name or id.")] = None,
    predicate: PredicateOption = None,
) -> None:
    """Show what began, ended and changed between two instants.

    Example: graphmem diff --group sample --entity Bruno --from 2025-01-01 --to 2025-08-01
    """
    from graphmem.client.cli.tables import diff_table
    from graphmem.model.interval import day_text

    with asked.client() as client:
        answer = client.diff(asked.group, axis, since, to, entity=entity, predicate=predicate or (), **asked.beliefs())
    say_taken(answer)
    between = f"from {day_text(answer.since, '')} to {day_text(answer.to, '')}"
    show(diff_table(answer, f"Group {asked.group}, {between} ({axis} time)"))
    if not answer.complete:
        say("There is more: narrow it down by --entity or --predicate.", err=True)


def extract(
    asked: ServiceOptions,
    text: Annotated[str, typer.Argument(help="What somebody says.")],
    *,
    group: Annotated[str, typer.Option("--group", "-g", help="The group whose ontology is looked at.")] = "demo",
    speaker: Annotated[str | None, typer.Option(help="Who says it.")] = None,
    at: Annotated[str | None, typer.Option("--at", help="When: RFC 3339, such as 2025-05-03T10:00:00Z.")] = None,
    strategy: Annotated[str | None, typer.Option(help="accurate, fast, llm or one of your own.")] = None,
) -> None:
    """Show what would be read of a text, and why not more; nothing is stored.

    Example: graphmem extract "Maybe I lost a key of the shed." --speaker Ines
    """
    from graphmem.client.cli.tables import clauses_table, owners_table, read_claims_table

    with asked.client() as client:
        answer = client.extract(group, text, speaker=speaker, occurred_at=at, strategy=strategy)
    if len(answer.owned) > 1:
        show(owners_table(answer.owned, "Owners"))
    if answer.clauses:
        show(clauses_table(answer.clauses, "Clauses"))
    show(read_claims_table(answer.claims, f"Claims ({answer.extractor} {answer.version})"))
    for time in answer.unread_times:
        say(f"{time.why}.")
    if answer.notice:
        say(answer.notice, err=True)


def _as_of(what: str, answer: "AsOf") -> str:
    from graphmem.model.interval import day_text

    return f"{what} (true at {day_text(answer.valid_at, '')}, as known at {day_text(answer.known_at, '')})"
