"""Reflections on weeks, as they were at any time."""

from fastapi import APIRouter

from graphmem.answers.reflections import ReflectionPage
from graphmem.api.cursors import after_time, time_cursor
from graphmem.api.deps import AskedDep, CursorQuery, LimitQuery, ReflectionsDep
from graphmem.api.openapi import documented

router = APIRouter(prefix="/v1/groups/{group}/reflections", tags=["reflections"])


@router.get(
    "",
    **documented(
        "The reflections on weeks that had ended at valid_at, as known at known_at, in the order in which these ended",
        *(401, 403, 404, 422, 503),
    ),
    description="""On Sunday at 03:00 UTC each group gets one on the 7 days before, if at least 3 memories are new, and
so does each user of whom one is. All numbers are settings. The job `reflect` makes them at other times.""",
)
async def list_reflections(
    asked: AskedDep, reflections: ReflectionsDep, cursor: CursorQuery = None, limit: LimitQuery = 100
) -> ReflectionPage:
    found = await reflections.reflections(asked.scope, after=after_time(cursor), limit=limit + 1)
    last = found[limit - 1] if len(found) > limit else None
    more = last and time_cursor(last.week.until, last.id)
    return ReflectionPage.of(asked, reflections=found[:limit], next_cursor=more, context=asked.context())
