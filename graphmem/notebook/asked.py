"""The service that runs on this machine, and what is asked of it: as pictures and as pandas frames.

A frame has one version of a belief a row; its ``attrs["taken_for"]`` says for whom a short name was taken, as answers
do. Only this module knows pandas, and imports it late.
"""
# ruff: noqa: PLC0415 - see above

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from graphmem.answers.beliefs import Axis, BeliefOut
from graphmem.client.calls import BeliefOptions, GraphOptions, MeantEntity, When, address_here, time_options
from graphmem.client.problems import nothing_runs
from graphmem.client.synchronous import GraphmemClient
from graphmem.model.interval import instant_of
from graphmem.notebook.graphs import Svg, graph_picture
from graphmem.notebook.pictures import Png, timeline_picture

if TYPE_CHECKING:
    from pandas import DataFrame

    from graphmem.answers.answer import ReadAnswer

_ALWAYS = datetime.min.replace(tzinfo=UTC)
Row = dict[str, object]

TIMES = ("valid_from", "valid_to", "recorded_at", "superseded_at", "said_at")
COLUMNS = (
    *("subject", "predicate", "object", "statement", *TIMES, "quote", "confidence", "importance"),
    *("contested", "category", "user", "status", "open", "faded", "kind", "id", "belief_id", "subject_id", "object_id"),
)
"""``object`` is the name of an entity, whose id is ``object_id``, or a value. NaT is an unknown start or an open end;
as ``superseded_at``, that it is still believed. ``said_at`` and ``quote`` are of the first sentence that says so."""


def connect(data_dir: Path | str | None = None) -> GraphmemClient:
    """A client of the service that ``graphmem up`` runs here, with its token.

    Raises:
        ServiceUnavailable: nothing runs for this data directory.
    """
    from graphmem.settings import load_settings  # the client alone has none

    folder = load_settings(data_dir=data_dir).data_dir
    here = address_here(folder)
    if here is None:
        raise nothing_runs(folder)
    return GraphmemClient(here.url, here.token)


def beliefs_over(
    client: GraphmemClient, group: str, valid_at: Iterable[When], *, known_at: When = None, entity: str | None = None
) -> list[BeliefOut]:
    """What was believed at ``known_at`` to be true at any of these instants, what began first coming first."""
    answers = [client.graph(group, entity=entity, valid_at=instant, known_at=known_at) for instant in valid_at]
    beliefs = {belief.id: belief for answer in answers for belief in answer.beliefs}
    return sorted(beliefs.values(), key=_start)


def graph(client: GraphmemClient, group: str, **asked: Unpack[GraphOptions]) -> Svg:
    """A picture of what was believed at ``known_at`` to be true at ``valid_at``."""
    return graph_picture(client.graph(group, **asked))


def timeline(
    client: GraphmemClient,
    group: str,
    entity: str,
    since: date | str,
    until: date | str,
    *,
    predicate: Sequence[str] = (),
    title: str = "",
    **asked: Unpack[BeliefOptions],
) -> Png:
    """A picture of all beliefs about an entity (name or id) by when they are true, as known at ``known_at``.

    It reaches from ``since`` to ``until``: as ``valid_at`` and ``known_at`` are written. Hatched are
    beliefs that were no longer held then, pale those that rest on open claims or were planned or wished only; what
    happened once is a dot.

    Raises:
        InvalidInput: ``since`` or ``until`` is no instant, or has no offset; nothing was asked then.
    """
    begin, end = instant_of(since), instant_of(until)
    meant = client.meant(group, entity, **time_options(asked))
    versions = sorted(client.history(group, meant.id, predicate=predicate, **asked), key=_start)
    within = [version for version in versions if _overlaps(version, begin, end)]
    believed = [version for version in within if version.superseded_at is None]
    no_longer = [version for version in within if version.superseded_at is not None]
    called = meant.taken_for.get(entity, entity)
    return timeline_picture(believed, no_longer, begin, end, title or f"{called}, by when it was true")


def _start(belief: BeliefOut) -> tuple[datetime, str]:
    return belief.valid_from or _ALWAYS, belief.statement


def _overlaps(belief: BeliefOut, since: datetime, until: datetime) -> bool:
    """Whether some of it is in between; of what happened once, whether it happened then."""
    begins, ends = belief.valid_from, belief.valid_to
    if belief.event is not None:
        begins, ends = belief.event.from_, belief.event.to
    return (begins is None or begins < until) and (ends is None or ends > since)


def beliefs(client: GraphmemClient, group: str, **asked: Unpack[GraphOptions]) -> "DataFrame":
    """What was believed at ``known_at`` to be true at ``valid_at``: all of it, or around an entity (name or id)."""
    answer = client.graph(group, **asked)
    return _frame(map(_row, answer.beliefs), answer)


def history(
    client: GraphmemClient,
    group: str,
    entity: str,
    *,
    predicate: Sequence[str] = (),
    **asked: Unpack[BeliefOptions],
) -> "DataFrame":
    """Every version of the beliefs about an entity (name or id), superseded ones too, as known at ``known_at``."""
    meant = client.meant(group, entity, **time_options(asked))
    return _frame(map(_row, client.history(group, meant.id, predicate=predicate, **asked)), meant)


def diff(
    client: GraphmemClient,
    group: str,
    axis: Axis,
    since: date | str,
    to: date | str,
    *,
    entity: str | None = None,
    predicate: Sequence[str] = (),
    limit: int | None = None,
    **asked: Unpack[BeliefOptions],
) -> "DataFrame":
    """What began, ended and changed from ``since`` to ``to``: ``change`` is `began`, `ended`, or `was` and then `is`.

    ``fields`` of what changed are those that differ.
    """
    answer = client.diff(group, axis, since, to, entity=entity, predicate=predicate, limit=limit, **asked)
    changes: list[tuple[str, BeliefOut, list[str]]] = [("began", belief, []) for belief in answer.began]
    changes += [("ended", belief, []) for belief in answer.ended]
    for change in answer.changed:
        changes += [("was", change.before, change.fields), ("is", change.after, change.fields)]
    rows = ({"change": what, "fields": ", ".join(fields), **_row(belief)} for what, belief, fields in changes)
    return _frame(rows, answer, ("change", "fields"))


def _row(belief: BeliefOut) -> Row:
    first = next(iter(belief.evidence), None)
    return {
        **belief.model_dump(include=set(COLUMNS)),
        "subject": belief.subject.name,
        "subject_id": belief.subject.id,
        "object": belief.object.name if belief.object else belief.value,
        "object_id": belief.object.id if belief.object else None,
        "status": belief.status.value,
        "said_at": first.said_at if first else None,
        "quote": first.quote if first and not first.redacted else None,
    }


def _frame(rows: Iterable[Row], answer: "ReadAnswer | MeantEntity", before: Sequence[str] = ()) -> "DataFrame":
    """Columns are there, with their types, also of no rows."""
    from pandas import DataFrame, to_datetime

    frame = DataFrame(list(rows), columns=[*before, *COLUMNS])
    frame.attrs["taken_for"] = dict(answer.taken_for)
    for name in TIMES:
        frame[name] = to_datetime(frame[name], utc=True)
    return frame
