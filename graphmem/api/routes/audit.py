"""The audit: who changed what, of a group and of the service, and whether that is still what was written."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Header, Query
from starlette.responses import Response, StreamingResponse

from graphmem.answers.audit import AuditPage, AuditRowOut, ChainOut
from graphmem.api.bodies import NDJSON
from graphmem.api.cursors import BY_TIME
from graphmem.api.deps import OVERSEEN_BY_ADMIN, AdministeredGroup, AuditDep, CursorQuery, LimitQuery, MemoryDep
from graphmem.api.openapi import ANYWHERE, CallRouter
from graphmem.api.schemas.words import Instant, Name
from graphmem.model.audit import INSTALLATION, AuditFilter, AuditRow
from graphmem.trust.audit import Audit

router = CallRouter(prefix="/v1", tags=["audit"])
_MEDIA_TYPES = ("application/json", NDJSON)
_HOW = """Rows are in order of time; of those of the last seconds some may come in later. With
`Accept: application/x-ndjson` all of them come, one a line, whatever `limit` says. What users say is in none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRows:
    """Which rows are asked for, and how they are to come."""

    since: Instant | None
    until: Instant | None
    key: str | None
    by_user: str | None
    operation: str
    thing: str | None
    cursor: str | None
    limit: int
    accept: str

    def of(self, audit: Audit, group: str) -> AuditFilter:
        return audit.asked(
            group,
            since=self.since,
            until=self.until,
            key=self.key,
            user=self.by_user,
            operation=self.operation,
            thing=self.thing,
        )

    @property
    def streamed(self) -> bool:
        return NDJSON in self.accept.lower()


async def _asked_rows(
    since: Annotated[Instant | None, Query(description="Recorded at or after this time.")] = None,
    until: Annotated[Instant | None, Query(description="Recorded before this time.")] = None,
    key: Annotated[Name | None, Query(description="With this key, by its id; or `worker`, `process`.")] = None,
    by_user: Annotated[Name | None, Query(description="For this user.")] = None,
    operation: Annotated[str, Query(max_length=200, description="Of operations that begin so.")] = "",
    thing: Annotated[Name | None, Query(description="That name the thing of this id.")] = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> AskedRows:
    return AskedRows(
        since=since,
        until=until,
        key=key,
        by_user=by_user,
        operation=operation,
        thing=thing,
        cursor=cursor,
        limit=limit,
        accept=accept,
    )


AskedRowsDep = Annotated[AskedRows, Depends(_asked_rows)]


@router.call("GET", "/groups/{group}/audit", media_types=_MEDIA_TYPES, response_model=AuditPage, notes=_HOW)
async def audit(group: AdministeredGroup, asked: AskedRowsDep, audit: AuditDep, memory: MemoryDep) -> object:
    """What was changed in a group, and read with keys of administrators: who, when, from where, and which things."""
    await memory.reader.known_group(group)
    return await _answer(audit, group, asked)


@router.call("GET", "/groups/{group}/audit/chain")
async def audit_chain(group: AdministeredGroup, audit: AuditDep, memory: MemoryDep) -> ChainOut:
    """Whether all rows of a group's audit are as they were written. Looks at each, which takes long where there are
    many.
    """
    await memory.reader.known_group(group)
    return ChainOut.of(await audit.check(group))


@router.call(
    "GET",
    "/audit",
    problems=ANYWHERE,
    media_types=_MEDIA_TYPES,
    response_model=AuditPage,
    dependencies=[OVERSEEN_BY_ADMIN],
    notes=_HOW,
)
async def service_audit(asked: AskedRowsDep, audit: AuditDep) -> object:
    """What was changed that is no group's: keys, policies of the service, and that groups were made."""
    return await _answer(audit, INSTALLATION, asked)


@router.call("GET", "/audit/chain", problems=ANYWHERE, dependencies=[OVERSEEN_BY_ADMIN])
async def service_audit_chain(audit: AuditDep) -> ChainOut:
    """Whether all rows of the service's own audit are as they were written."""
    return ChainOut.of(await audit.check(INSTALLATION))


async def _answer(audit: Audit, group: str, asked: AskedRows) -> Response | AuditPage:
    wanted, after = asked.of(audit, group), BY_TIME.after(asked.cursor)
    if asked.streamed:
        return StreamingResponse(_lines(audit, group, wanted), media_type=NDJSON)
    end = await audit.end(group)
    rows = await audit.rows(group, wanted, after, asked.limit + 1)
    next_cursor = BY_TIME.after_page(rows, asked.limit, _position)
    return AuditPage.of(rows=rows[: asked.limit], end=end, next_cursor=next_cursor)


async def _lines(audit: Audit, group: str, wanted: AuditFilter) -> AsyncIterator[bytes]:
    async for rows in audit.pages(group, wanted):
        yield b"".join(AuditRowOut.of(row).model_dump_json().encode() + b"\n" for row in rows)


def _position(row: AuditRow) -> tuple[datetime, str]:
    return row.recorded_at, row.id
