"""Answers to decisions that are left to a worker."""

from http import HTTPStatus
from typing import Any

from starlette.responses import JSONResponse

from graphmem.answers.jobs import AskedJob
from graphmem.api.backend import WorkQueue, wake
from graphmem.model.work import Work

LEFT_TO_WORKER: dict[int | str, dict[str, Any]] = {
    202: {
        "description": "More than 1,000 claims move, so a worker carries it out: the job shows what came of it",
        "model": AskedJob,
    }
}


async def left_to_worker(queue: WorkQueue, work: Work) -> JSONResponse:
    """The job that carries a decision out, of which workers are told."""
    asked = AskedJob.of(job=work, queued=await wake(queue, work.group_id))
    return JSONResponse(asked.model_dump(mode="json"), HTTPStatus.ACCEPTED)
