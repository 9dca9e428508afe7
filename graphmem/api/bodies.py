"""Request bodies: read up to a limit, then checked in one step from bytes, so that every wrong body is a 422.

JSON is read by pydantic rather than by ``json``: it refuses lone surrogates and numbers that Python cannot hold.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from fastapi import Depends, Request
from pydantic import TypeAdapter, ValidationError

from graphmem.api.auth import media_type
from graphmem.api.errors import InvalidRequest, field_errors, invalid
from graphmem.api.schemas.claims import CLAIM_TAGS, ClaimIn, ClaimList, ClaimsIn, PostedClaims, claim_list
from graphmem.api.schemas.episodes import EPISODE_TAGS, EpisodeIn, EpisodesIn
from graphmem.api.schemas.words import LONGEST_TEXT, MOST_ITEMS
from graphmem.errors import GraphmemError, TooLarge, UnsupportedMediaType
from graphmem.settings import Settings

Body = TypeVar("Body")

NDJSON = "application/x-ndjson"
_EPISODE: TypeAdapter[EpisodeIn] = TypeAdapter(EpisodeIn)
_CLAIM: TypeAdapter[ClaimIn] = TypeAdapter(ClaimIn)
_CLAIMS: TypeAdapter[ClaimIn | ClaimList | list[ClaimIn]] = TypeAdapter(ClaimsIn)
_EPISODES: TypeAdapter[EpisodeIn | list[EpisodeIn]] = TypeAdapter(EpisodesIn)


def json_body(model: Any, *, optional: bool = False) -> Any:
    """A dependency on a JSON body that is read as ``model``. ``optional``: no body is an empty object."""
    adapter: TypeAdapter[Any] = TypeAdapter(model)

    async def body(request: Request) -> Any:
        if media_type(request.headers) == NDJSON:
            raise UnsupportedMediaType("Only episodes and claims are taken as NDJSON; send application/json.")
        content = await read(request)
        return parse(adapter, b"{}" if optional and not content else content, longest=_longest(request))

    return Depends(body)


async def episodes_body(request: Request) -> EpisodeIn | list[EpisodeIn]:
    """One episode, a list of them, or one a line."""
    content = await read(request)
    if media_type(request.headers) != NDJSON:
        return parse(_EPISODES, content, EPISODE_TAGS)
    return [parse(_EPISODE, line, prefix=(index,)) for index, line in enumerate(_lines(content).values())]


async def claims_body(request: Request) -> PostedClaims:
    """One claim, a list of them, or one a line, each of which is taken or refused by itself."""
    content, longest = await read(request), _longest(request)
    if media_type(request.headers) != NDJSON:
        posted = parse(_CLAIMS, content, CLAIM_TAGS, longest=longest)
        alone = isinstance(posted, ClaimIn)
        return PostedClaims(dict(enumerate(claim_list(posted))), {}, each=False, alone=alone)
    claims: dict[int, ClaimIn] = {}
    refused: dict[int, GraphmemError] = {}
    for number, line in _lines(content).items():
        try:
            claims[number] = parse(_CLAIM, line, longest=longest)
        except InvalidRequest as error:
            refused[number] = error
    return PostedClaims(claims, refused, each=True)


def _lines(content: bytes) -> dict[int, bytes]:
    """Lines that are not blank, by their number from 1."""
    lines = {number: line for number, line in enumerate(content.split(b"\n"), start=1) if line.strip()}
    if not 1 <= len(lines) <= MOST_ITEMS:
        raise invalid("body", "", f"has {len(lines)} lines; 1 to {MOST_ITEMS} are taken at a time")
    return lines


async def read(request: Request) -> bytes:
    """The whole body.

    Raises:
        TooLarge: it is over the limit. Up to twice the limit is read all the same, for a client that sends before
            it listens would not see the answer otherwise.
    """
    settings: Settings = request.app.state.settings
    limit = settings.api.max_body_bytes
    kept, size = bytearray(), 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > 2 * limit:
            break
        if size <= limit:
            kept += chunk
    if size > limit:
        raise TooLarge(f"The body has more than {limit} bytes. Send it in parts.")
    return bytes(kept)


def parse(
    adapter: TypeAdapter[Body],
    content: bytes,
    tags: frozenset[str] = frozenset(),
    prefix: Sequence[int] = (),
    *,
    longest: int | None = None,
) -> Body:
    """The body as its model; ``longest``: the most characters of a value and a statement."""
    try:
        return adapter.validate_json(content, context={LONGEST_TEXT: longest})
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False, include_context=False)
        located = [{**item, "loc": ("body", *prefix, *_without_tag(item["loc"], tags))} for item in wrong]
        raise InvalidRequest(field_errors(located)) from None


def _longest(request: Request) -> int:
    settings: Settings = request.app.state.settings
    return settings.api.max_content_chars


def _without_tag(loc: tuple[int | str, ...], tags: frozenset[str]) -> tuple[int | str, ...]:
    return loc[1:] if loc and loc[0] in tags else loc
