"""Jobs: what runs in the background, of a group or of all, asked for and looked at."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Literal

from fastapi import Query

from graphmem.answers.groups import AskedJob, JobPage, OneJob
from graphmem.api.backend import wake
from graphmem.api.bodies import json_body
from graphmem.api.cursors import BY_ID
from graphmem.api.deps import (
    OVERSEEN,
    AdministeredGroup,
    CursorQuery,
    GroupPath,
    IdPath,
    LimitQuery,
    MemoryDep,
    OverseerDep,
    QueueDep,
    ServicesDep,
)
from graphmem.api.errors import invalid
from graphmem.api.openapi import ANYWHERE, CallRouter, TakenBody
from graphmem.api.schemas.words import Name, Request
from graphmem.errors import NotFound
from graphmem.memory import Memory
from graphmem.model.interval import LATEST
from graphmem.model.reflection import ReflectionPolicy, Week
from graphmem.model.scope import Scope
from graphmem.model.work import (
    BUT_DIGESTS,
    SERVICE,
    Work,
    WorkKind,
    WorkRequest,
    reflection_request,
    reprojection_id,
    work_id,
)
from graphmem.recall.reader import existing
from graphmem.store.work import request_one

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


def _job_page(works: Sequence[Work], limit: int) -> JobPage:
    """The first ``limit`` of the works, and where to go on if there are more."""
    return JobPage.of(jobs=works[:limit], next_cursor=BY_ID.after_page(works, limit, lambda work: work.id))


router = CallRouter(prefix="/v1", tags=["jobs"])


@router.call("GET", "/groups/{group}/jobs")
async def list_jobs(
    group: GroupPath,
    user: OverseerDep,
    memory: MemoryDep,
    kind: Annotated[WorkKind | None, Query(description="Only this kind.")] = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> JobPage:
    """The jobs of a group, in order of id; digests that are not done only if they are asked for by `kind=digest`.

    With `user`, only digests of episodes and decisions on merges that this user may see: every other job
    is about the whole group, and counts what all users said.
    """
    await memory.reader.known_group(group)
    kinds = BUT_DIGESTS if kind is None else {kind}
    return _job_page(await memory.works.works(group, kinds, BY_ID.after(cursor), limit + 1, user=user), limit)


@router.call("GET", "/groups/{group}/jobs/{job_id}")
async def job(group: GroupPath, user: OverseerDep, job_id: IdPath, memory: MemoryDep) -> OneJob:
    """One job: how far it is, and what came of it."""
    return OneJob.of(existing(await _work(memory, group, job_id, user), group, "job", job_id))


_OF_JOBS = """With `dry_run`, `dedup` goes over all that waits and decides nothing. The `result` of the job has in
`would` the surest 200 pairs: `same` would be merged; `different` would be taken apart, or looks the same and a person
said otherwise; `review` would be asked about, or is refused, with why. `beyond` says how many more there are. Short
names are told by who is who now. What is computed in one user's eyes, or a language model would say, is not told.

`consolidate` tells what would give way to what, what would come back, and why, by ids of beliefs and claims, and of
episodes that a language model would read the first 50; `enrich` which episodes would be read again. `target` of
`consolidate` is the id of a session; without it, the whole group is gone over. `reflect` tells of the first 200
reflections on which claims their sentences would rest, and of those that would not be written `because` of what. A
reflection less than 6 days before or after another one of the user is not written. No result has a word of what was
said."""


@router.call("POST", "/groups/{group}/jobs/{kind}", takes=TakenBody(JobIn, required=False), status=202, notes=_OF_JOBS)
async def ask(
    group: AdministeredGroup,
    kind: AskedKind,
    posted: Annotated[JobIn, json_body(JobIn, optional=True)],
    services: ServicesDep,
    queue: QueueDep,
    *,
    dry_run: Annotated[bool, Query(description="As in the body.")] = False,
) -> AskedJob:
    """Ask for a job, from its beginning if there is one already: `reproject` projects the beliefs of a predicate
    again, `reprocess` has episodes digested anew that an older reader read, `dedup` finds what is
    the same, `embed` embeds what was stored while the embedding model was away, `reembed` gives the group the
    service's embedding model, `summarise` makes the summaries that are due, `enrich` has episodes
    read again in which little was found, `consolidate` drops facts that say what another one says and settles
    conflicts, `reflect` makes reflections on the week until now, or until the day that is its `target`.
    """
    memory = services.memory
    await memory.reader.known_group(group)
    posted = posted.model_copy(update={"dry_run": posted.dry_run or dry_run})
    if kind is WorkKind.REFLECT:
        week = _week(posted, services.reflections.policy, services.clock())
        request = reflection_request(group, week, anew=True, dry_run=posted.dry_run)
    else:
        id_, target = _identity(group, kind, posted)
        if kind is WorkKind.CONSOLIDATE and target:
            await memory.sessions.session(Scope(group, LATEST), target, 0)
        request = WorkRequest(id=id_, target=target, dry_run=posted.dry_run, arguments=_arguments(kind, memory))
    work = await request_one(memory.works, group, kind, request)
    return AskedJob.of(job=work, queued=await wake(queue, group))


def _week(posted: JobIn, policy: ReflectionPolicy, now: datetime) -> Week:
    """The week that reflections are asked for on: until now, or until the scheduled hour of a day.

    Raises:
        InvalidRequest: the target is no day, or its scheduled hour is still to come.
    """
    if posted.target is None:
        return policy.week_until(now)
    try:
        week = policy.week_of(date.fromisoformat(posted.target))
    except (ValueError, OverflowError):
        raise invalid("body", "/target", "is not a day such as 2025-05-04") from None
    if week.until > now:
        raise invalid("body", "/target", f"is too late: the week ends at {week.until.isoformat()}")
    return week


def _arguments(kind: WorkKind, memory: Memory) -> dict[str, object]:
    """What is asked for, where the kind and the target do not say all."""
    if kind is not WorkKind.REEMBED:
        return {}
    model, dimensions = memory.late_vectors.model
    return {"model": model, "dimensions": dimensions}


def _identity(group: str, kind: WorkKind, posted: JobIn) -> tuple[str, str]:
    """The id of the job, and its target.

    Raises:
        InvalidRequest: the kind needs a target, or has none, or cannot be tried without effect.
    """
    if posted.dry_run and kind in {WorkKind.REPROJECT, WorkKind.EMBED, WorkKind.REEMBED, WorkKind.SUMMARISE}:
        raise invalid("body", "/dry_run", "is not for this kind of job: it changes only what is out of date")
    if kind is WorkKind.CONSOLIDATE and posted.target is not None:
        return work_id(kind, group, posted.target, dry_run=posted.dry_run), posted.target
    if kind is not WorkKind.REPROJECT:
        if posted.target is not None:
            raise invalid("body", "/target", "is not for this kind of job: it is about the whole group")
        return work_id(kind, group, dry_run=posted.dry_run), ""
    if posted.target is None:
        raise invalid("body", "/target", "is missing: the predicate whose beliefs are to be projected again")
    return reprojection_id(group, posted.target), posted.target


@router.call("GET", "/jobs", problems=ANYWHERE, dependencies=[OVERSEEN])
async def list_service_jobs(memory: MemoryDep, cursor: CursorQuery = None, limit: LimitQuery = 100) -> JobPage:
    """The jobs about all groups, in order of id: what is asked for by night, and beliefs projected again after a
    change of the service's own policies.
    """
    return _job_page(await memory.works.works(SERVICE, BUT_DIGESTS, BY_ID.after(cursor), limit + 1), limit)


@router.call("GET", "/jobs/{job_id}", dependencies=[OVERSEEN])
async def service_job(job_id: IdPath, memory: MemoryDep) -> OneJob:
    """One job about all groups: how far it is, and what came of it."""
    work = await _work(memory, SERVICE, job_id)
    if work is None:
        raise NotFound(f"There is no job {job_id!r} about all groups.")
    return OneJob.of(work)


async def _work(memory: Memory, group: str, id_: str, user: str | None = None) -> Work | None:
    """The work of this id, if it is the group's and the user may see it."""
    works = await memory.works.works_by_id(group, [id_], user=user)
    return next((work for work in works if work.group_id == group), None)
