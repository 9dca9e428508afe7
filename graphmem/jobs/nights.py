"""Work of the night: a record of the service asks for it in each group; what comes next, once it is done."""

from collections.abc import Mapping

from graphmem.jobs.steps import added, number
from graphmem.memory import Memory
from graphmem.model.work import Work, WorkKind, WorkRequest, WorkStep, work_id

NIGHTLY = "nightly"
"""The period of a group's work of the night, which is the same record every night."""
GROUPS = 100
"""Groups that are asked in one step."""
THEN = "then"
"""The argument that names what is to be asked for afterwards."""


PAUSE = 2.0
"""Seconds between looks at whether what was asked for has been read."""
MOST_PAUSES = 300
"""After so many the work goes on all the same: what is read later, the next night finds."""


async def next_pause(memory: Memory, work: Work) -> int | None:
    """The number of the next pause, while what was asked for waits to be read; None where it is not waited for."""
    paused = number(work.cursor["paused"]) + 1
    return paused if paused < MOST_PAUSES and await memory.reading_again.waiting(work.group_id) else None


async def ask_each_group(memory: Memory, work: Work) -> WorkStep:
    """Ask for work of this kind in the next groups; where it is still under way, it stays so."""
    page = await memory.store.groups(str(work.cursor.get("group", "")), GROUPS)
    for group in page:
        await ask_by_night(memory, group.id, work.kind, work.arguments)
    cursor = {"group": page[-1].id} if page else work.cursor
    counts = added(work.progress, {"groups": len(page)})
    return WorkStep(cursor=cursor, progress=counts, result={}, finished=len(page) < GROUPS)


async def ask_next(memory: Memory, work: Work) -> None:
    """Ask for what is to come after this work; asked for again, it is done again, and changes nothing."""
    then = work.arguments.get(THEN)
    if then:
        await ask_by_night(memory, work.group_id, WorkKind(str(then)), {})


async def ask_by_night(memory: Memory, group: str, kind: WorkKind, arguments: Mapping[str, object]) -> None:
    """Ask for a group's work of the night."""
    request = WorkRequest(
        id=work_id(kind, group, period=NIGHTLY), period=NIGHTLY, arguments=arguments, anew=False, again=True
    )
    await memory.works.request_work(group, kind, [request])
