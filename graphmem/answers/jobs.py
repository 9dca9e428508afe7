"""Jobs as shown: what runs in the background, how far it is, and what came of it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import Field

from graphmem.answers.answer import Answer, TextOrNull, Warned
from graphmem.model.work import WorkKind, WorkProgress


class JobOut(Answer):
    """One thing to do in the background.

    ``arguments`` are what was asked for: of ``merge`` the decision, of ``reembed`` the model, of ``reflect`` when the
    week ended. ``progress`` and ``result`` are counts by name, as the kind has them. ``attempts`` counts errors; after
    the last one the job is ``failed``, and ``error`` says why.
    """

    id: str
    kind: WorkKind
    target: TextOrNull
    period: TextOrNull
    status: WorkProgress
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


class OneJob(JobOut, Warned):
    """A job that was asked for by its id."""


class AskedJob(Warned):
    """``queued``: workers were told of it; if not, they find it when they look."""

    job: JobOut
    queued: bool


class JobPage(Warned):
    """Jobs in order of id."""

    jobs: list[JobOut]
    next_cursor: str | None
