"""Jobs as asked for and as shown: what runs in the background, how far it is, and what came of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from graphmem.api.cursors import id_cursor
from graphmem.api.schemas.words import Answer, Name, Request
from graphmem.model.work import Progress, Work, WorkKind, WorkRequest

AskedKind = Literal[
    WorkKind.REPROJECT,
    WorkKind.REPROCESS,
    WorkKind.DEDUP,
    WorkKind.EMBED,
    WorkKind.REEMBED,
    WorkKind.SUMMARISE,
    WorkKind.REFLECT,
    WorkKind.ENRICH,
    WorkKind.CONSOLIDATE,
]
"""The kinds that may be asked for."""


class JobIn(Request):
    """What is asked for.

    ``target`` is what a kind is about: of ``reproject`` the predicate, of ``reflect`` the day on which a week ended, of
    ``consolidate`` a session, or nothing. ``dry_run`` tells or counts what would be done, and changes nothing.
    """

    target: Name | None = None
    dry_run: bool = False


class JobOut(Answer):
    """One thing to do in the background.

    ``arguments`` are what was asked for: of ``merge`` the decision, of ``reembed`` the model, of ``reflect`` when the
    week ended. ``progress`` and ``result`` are counts by name, as the kind has them. ``attempts`` counts errors; after
    the last one the job is ``failed``, and ``error`` says why.
    """

    id: str
    kind: WorkKind
    target: str | None
    period: str | None
    status: Progress
    dry_run: bool
    arguments: Mapping[str, Any] = Field(json_schema_extra={"additionalProperties": True})
    progress: Mapping[str, Any] = Field(json_schema_extra={"additionalProperties": True})
    result: Mapping[str, Any] = Field(json_schema_extra={"additionalProperties": True})
    attempts: int
    error: str | None
    due_at: datetime | None
    requested_at: datetime
    began_at: datetime | None
    finished_at: datetime | None


class AskedJob(Answer):
    """``queued``: workers were told of it; if not, they find it when they look."""

    job: JobOut
    queued: bool


class JobPage(Answer):
    """Jobs in order of id."""

    jobs: list[JobOut]
    next_cursor: str | None


def job_out(work: Work) -> JobOut:
    return JobOut(
        id=work.id,
        kind=work.kind,
        target=work.target or None,
        period=work.period or None,
        status=work.status,
        dry_run=work.dry_run,
        arguments=work.arguments,
        progress=work.progress,
        result=work.result,
        attempts=work.attempts,
        error=work.error,
        due_at=work.due_at,
        requested_at=work.requested_at,
        began_at=work.began_at,
        finished_at=work.finished_at,
    )


def job_page(works: Sequence[Work], limit: int) -> JobPage:
    """The first ``limit`` of the works, and where to go on if there are more."""
    return JobPage(
        jobs=[job_out(work) for work in works[:limit]],
        next_cursor=id_cursor(works[limit - 1].id) if len(works) > limit else None,
    )


def work_request(id_: str, target: str, posted: JobIn, arguments: Mapping[str, object]) -> WorkRequest:
    return WorkRequest(id=id_, target=target, dry_run=posted.dry_run, arguments=arguments)
