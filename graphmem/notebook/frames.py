"""Beliefs as pandas frames, one version of a belief a row; only this module knows pandas, and imports it late."""
# ruff: noqa: PLC0415 - see above

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Unpack

from graphmem.answers.beliefs import Axis, BeliefOut
from graphmem.client.calls import BeliefOptions, time_options
from graphmem.client.synchronous import GraphmemClient

if TYPE_CHECKING:
    from pandas import DataFrame

Row = dict[str, object]

TIMES = ("valid_from", "valid_to", "recorded_at", "superseded_at", "said_at")
COLUMNS = (
    *("subject", "predicate", "object", "statement", *TIMES, "quote", "confidence", "importance"),
    *("contested", "category", "user", "status", "open", "faded", "kind", "id", "belief_id", "subject_id", "object_id"),
)
"""``object`` is the name of an entity, whose id is ``object_id``, or a value. NaT is an unknown start or an open end;
as ``superseded_at``, that it is still believed. ``said_at`` and ``quote`` are of the first sentence that says so."""


def beliefs(
    client: GraphmemClient,
    group: str,
    *,
    entity: str | None = None,
    depth: int | None = None,
    predicate: Sequence[str] = (),
    type: Sequence[str] = (),  # noqa: A002 - the name in the URL
    limit: int | None = None,
    **asked: Unpack[BeliefOptions],
) -> "DataFrame":
    """What was believed at ``known_at`` to be true at ``valid_at``: all of it, or around an entity (name or id)."""
    found = client.graph(group, entity=entity, depth=depth, predicate=predicate, type=type, limit=limit, **asked)
    return _frame(map(_row, found.beliefs))


def history(
    client: GraphmemClient,
    group: str,
    entity: str,
    *,
    predicate: Sequence[str] = (),
    **asked: Unpack[BeliefOptions],
) -> "DataFrame":
    """Every version of the beliefs about an entity (name or id), superseded ones too, as known at ``known_at``."""
    id_ = client.entity_id(group, entity, **time_options(asked))
    return _frame(map(_row, client.history(group, id_, predicate=predicate, **asked)))


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
    found = client.diff(group, axis, since, to, entity=entity, predicate=predicate, limit=limit, **asked)
    changes: list[tuple[str, BeliefOut, list[str]]] = [("began", belief, []) for belief in found.began]
    changes += [("ended", belief, []) for belief in found.ended]
    for one in found.changed:
        changes += [("was", one.before, one.fields), ("is", one.after, one.fields)]
    rows = ({"change": what, "fields": ", ".join(fields), **_row(belief)} for what, belief, fields in changes)
    return _frame(rows, ("change", "fields"))


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
        "quote": first.quote if first else None,
    }


def _frame(rows: Iterable[Row], before: Sequence[str] = ()) -> "DataFrame":
    """Columns are there, with their types, also of no rows."""
    from pandas import DataFrame, to_datetime

    frame = DataFrame(list(rows), columns=[*before, *COLUMNS])
    for name in TIMES:
        frame[name] = to_datetime(frame[name], utc=True)
    return frame
