"""Groups: tenants, each with a graph of its own, and how much it holds."""

from typing import Annotated

from fastapi import Query, Response

from graphmem.answers.groups import GroupOut, GroupPage, GroupWithWork, MemoryStatsOut, WorkOut
from graphmem.api.bodies import json_body
from graphmem.api.cursors import BY_ID
from graphmem.api.deps import (
    AdministeredGroup,
    AskedDep,
    CursorQuery,
    GroupPath,
    LimitQuery,
    MemoryDep,
    NamesDep,
    PrincipalDep,
    RestoredGroup,
    StandingDep,
    UserDep,
)
from graphmem.api.openapi import ANYWHERE, CallRouter
from graphmem.api.schemas.words import GroupId, Request
from graphmem.errors import Conflict, no_group
from graphmem.model.episode import EpisodeStatus
from graphmem.model.group import Group
from graphmem.model.principal import Right


class GroupIn(Request):
    """``importing`` makes a group whose claims bring their own ``recorded_at``, until its import ends."""

    id: GroupId
    importing: bool = False


router = CallRouter(prefix="/v1/groups", tags=["groups"])

CountsQuery = Annotated[
    bool, Query(description="Count entities, beliefs and digested episodes too, which takes long in a large group.")
]
_UNDONE = frozenset({EpisodeStatus.PENDING, EpisodeStatus.REFINING, EpisodeStatus.FAILED})
"""What is few, and counted at once."""


@router.call("GET", "", problems=ANYWHERE)
async def list_groups(
    principal: PrincipalDep, memory: MemoryDep, cursor: CursorQuery = None, limit: LimitQuery = 100
) -> GroupPage:
    """The groups that the caller may ask for, in order of what they are called."""
    groups = await memory.store.groups(BY_ID.after(cursor), limit + 1, principal.groups)
    return GroupPage.of(groups=groups[:limit], next_cursor=BY_ID.after_page(groups, limit, lambda group: group.name))


@router.call(
    "POST",
    "",
    404,
    409,
    problems=ANYWHERE,
    takes=GroupIn,
    status=201,
    also={200: {"description": "It was there already", "model": GroupOut}},
)
async def make_group(
    body: Annotated[GroupIn, json_body(GroupIn)],
    principal: PrincipalDep,
    names: NamesDep,
    memory: MemoryDep,
    response: Response,
) -> GroupOut:
    """Make a group; the first episode or claim posted to it does so too. One that imports an administrator makes."""
    if body.importing:
        principal.administers(body.id)
    principal.enters(body.id, Right.WRITE)
    if (there := await names.called(principal, body.id)) is not None:
        response.status_code = 200
    id_ = there.id if there else body.id
    await memory.groups.ensure(id_, importing=body.importing)
    row = await _row(memory, id_)
    if body.importing and not row.importing:
        raise Conflict(f"Group {body.id!r} is there already, and does not import. Import into a new group.")
    return GroupOut.of(row)


@router.call("POST", "/{group}/import/end")
async def end_import(group: AdministeredGroup, memory: MemoryDep) -> GroupOut:
    """End an import: from now on the clock says when something is recorded."""
    return GroupOut.of(await memory.groups.end_import(group))


class NameIn(Request):
    """``name``: what the group is called from now on."""

    name: GroupId


class ArchivedIn(Request):
    """``archived``: the group is only read."""

    archived: bool


@router.call("PUT", "/{group}/name", 409, takes=NameIn)
async def rename_group(group: RestoredGroup, body: Annotated[NameIn, json_body(NameIn)], names: NamesDep) -> GroupOut:
    """Call a group by another name: ids and answers stay, and by the former name there is no group (404).

    Keys enter it by the new name alone. So it is for administrators of all groups, and refused where a key could enter
    the group by the new name that could not before, which `detail` names. The name that a group was made under is
    given to no other group.
    """
    return GroupOut.of(await names.rename(group, body.name))


@router.call("PUT", "/{group}/archived", 409, takes=ArchivedIn)
async def archive_group(
    group: AdministeredGroup, body: Annotated[ArchivedIn, json_body(ArchivedIn)], names: NamesDep
) -> GroupOut:
    """Say whether a group is only read: what would write to it is refused (409, `archived`) but forgetting.

    No job is asked for in it any more. It is refused while episodes wait to be read or
    embedded.
    """
    return GroupOut.of(await names.archive(group, archived=body.archived))


@router.call("GET", "/{group}")
async def group(
    group: GroupPath,
    user: UserDep,
    memory: MemoryDep,
    counts: CountsQuery = False,  # noqa: FBT002 -- by name in the URL
) -> GroupWithWork:
    """One group: how many of its episodes wait or have failed; with `counts`, its size."""
    row = await _row(memory, group)
    statuses = set(EpisodeStatus) if counts else _UNDONE
    work = await memory.store.work_of_group(group, sorted(statuses), user=user)
    size = await memory.store.size_of_group(group, user=user) if counts else None
    pending = await memory.store.count_vectors_pending(group, user=user)
    counted = {status.value: work.get(status) for status in EpisodeStatus}
    return GroupWithWork.of(
        row,
        work=WorkOut.model_validate({**counted, "vectors_pending": pending}),
        entities=size.entities if size else None,
        relationships=size.relationships if size else None,
        facts=size.facts if size else None,
    )


async def _row(memory: MemoryDep, group: str) -> Group:
    row = await memory.store.group(group)
    if row is None:
        raise no_group(group)
    return row


@router.call("GET", "/{group}/memory/stats")
async def memory_stats(standing: StandingDep, asked: AskedDep, memory: MemoryDep) -> MemoryStatsOut:
    """How much is remembered: by layer, category and age; what has faded or is stale, and what was used last.

    Beliefs are counted one by one, which takes long in a large group.
    """
    return MemoryStatsOut.of(await memory.reader.stats(asked.scope), asked, standing)
