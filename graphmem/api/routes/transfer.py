"""Export and import: a group as a file, and a file as a group."""

import zlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Annotated

from fastapi import Header, Query, Request
from starlette.responses import Response, StreamingResponse

from graphmem.answers.groups import ImportOut
from graphmem.api.auth import media_type
from graphmem.api.backend import wake
from graphmem.api.bodies import NDJSON
from graphmem.api.deps import GroupPath, QueueDep, RestoredGroup, ServicesDep, UserDep
from graphmem.api.errors import group_of
from graphmem.api.openapi import ANYWHERE, CallRouter, TakenBody
from graphmem.api.schemas.words import Instant
from graphmem.errors import CallerError, InvalidInput, UnsupportedMediaType
from graphmem.trust.lines import CUT_OFF

router = CallRouter(prefix="/v1/groups/{group}", tags=["groups"])

_GZIP = 16 + zlib.MAX_WBITS
_PIECE = 1024 * 1024
"""Bytes that are unpacked at once."""


@router.call("GET", "/export", 409, media_types=(NDJSON,), response_class=Response)
async def export(
    group: GroupPath,
    user: UserDep,
    services: ServicesDep,
    known_at: Annotated[Instant | None, Query(description="As known at this time; default: now.")] = None,
    vectors: Annotated[bool, Query(description="Vectors, too: an import with the same model takes them.")] = False,  # noqa: FBT002 -- by name in the URL
    after: Annotated[
        str | None, Query(max_length=4_000, description="`after` of the last position of a file that broke off.")
    ] = None,
    accept_encoding: Annotated[str, Header(include_in_schema=False)] = "",
) -> Response:
    """Everything that a group has, or that a user may see of it, as known at one instant: one thing a line.

    The first line is the header. What is recorded later than its `known_at` is left out, and a line names only what
    stands before it. After each page comes a position, with the hash of all so far: `after` it an export goes on that
    broke off. The last line is the end. Packed, if `Accept-Encoding` has gzip.
    """
    exported = await services.exports.export(group, user=user, known_at=known_at, vectors=vectors, after=after)
    named = exported.header.name
    name = f'attachment; filename="{named}.ndjson"'
    if "gzip" not in accept_encoding.lower():
        return StreamingResponse(exported.lines, media_type=NDJSON, headers={"Content-Disposition": name})
    headers = {"Content-Disposition": name, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return StreamingResponse(_packed(exported.lines), media_type=NDJSON, headers=headers)


@router.call(
    "POST",
    "/import",
    409,
    problems=ANYWHERE,
    takes=TakenBody(str, (NDJSON,), "ExportedFile", only=True),
    status=201,
)
async def restore(group: RestoredGroup, request: Request, services: ServicesDep, queue: QueueDep) -> ImportOut:
    """Fill a group that is not there, or is empty, from an exported file, whole or not at all.

    Ids are kept, and so are both times: what was answered of any instant up to the file's `known_at` is answered again.
    The group is shown once the end of the file fits; until then there is no such group. Texts are embedded again where
    the file has no vectors of the service's model. `differences` are beliefs that the file has and its claims do not
    amount to here, or the other way round. What was forgotten here stays out, with all that rests on it (`forgotten`).
    A file that was cut off is sent again: what is in of it is passed over (409 `importing` for up to a minute after a
    run that was killed). The group may get another name than it had where it comes from; `group` is what it is called.
    A file says ids and times itself, so this is for administrators of all groups.
    """
    if media_type(request.headers) != NDJSON:
        raise UnsupportedMediaType("Send the file as application/x-ndjson; a packed one with Content-Encoding: gzip.")
    body: AsyncIterator[bytes] = request.stream()
    packed = request.headers.get("content-encoding", "").lower() == "gzip"
    try:
        report = await services.restoring.restore(group, _unpacked(body) if packed else body)
    except CallerError:
        async for _ in body:  # a client that sends before it listens would not see the answer otherwise
            pass
        raise
    await wake(queue, report.group)
    there = group_of(request.scope)
    return ImportOut.of(report, group=group if there is None else there.name)


async def _packed(lines: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    packer = zlib.compressobj(wbits=_GZIP)
    async for piece in lines:
        if packed := packer.compress(piece):
            yield packed
    yield packer.flush()


async def _unpacked(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """What packed bytes hold, some of it at a time, however much that is.

    Raises:
        InvalidInput: they are not gzip, or not all of it.
    """
    unpacker = zlib.decompressobj(wbits=_GZIP)
    try:
        async for chunk in chunks:
            rest = chunk
            while rest:
                yield unpacker.decompress(rest, _PIECE)
                rest = unpacker.unconsumed_tail
    except zlib.error:
        raise InvalidInput("The body is not gzip, as its Content-Encoding says.") from None
    if not unpacker.eof:
        raise InvalidInput(CUT_OFF)
