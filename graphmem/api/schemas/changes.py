"""Histories and differences as shown."""

from datetime import datetime

from graphmem.answers.changes import Axis, ChangeOut, DiffOut, HistoryOut
from graphmem.api.schemas.beliefs import beliefs_out, entity_out
from graphmem.api.schemas.words import stands
from graphmem.model.recall import Diff, History
from graphmem.reading import Standing


def history_out(
    history: History, valid_at: datetime | None, known_at: datetime, next_cursor: str | None, *, standing: Standing
) -> HistoryOut:
    return HistoryOut(
        **stands(standing),
        valid_at=valid_at,
        known_at=known_at,
        entity=entity_out(history.entities[0], valid_at or known_at),
        versions=beliefs_out(history.versions, history.entities),
        next_cursor=next_cursor,
    )


def diff_out(
    diff: Diff,
    axis: Axis,
    between: tuple[datetime, datetime],
    valid_at: datetime | None,
    known_at: datetime | None,
    *,
    standing: Standing,
) -> DiffOut:
    found, ends = diff.difference, diff.entities
    before = beliefs_out((item.before for item in found.changed), ends)
    after = beliefs_out((item.after for item in found.changed), ends)
    pairs = zip(found.changed, before, after, strict=True)
    return DiffOut.model_validate(
        {
            **stands(standing),
            "axis": axis,
            "from": between[0],
            "to": between[1],
            "valid_at": valid_at,
            "known_at": known_at,
            "began": beliefs_out(found.began, ends),
            "ended": beliefs_out(found.ended, ends),
            "changed": [ChangeOut(fields=list(item.fields), before=old, after=new) for item, old, new in pairs],
            "complete": diff.complete,
        }
    )
