"""Request bodies: read up to a limit, then checked in one step from bytes, so that every wrong body is a 422.

JSON is read by pydantic rather than by ``json``: it refuses lone surrogates and numbers that Python cannot hold.
"""

import re
from collections.abc import AsyncIterator, Sequence
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
FILE = "application/octet-stream"
MOST_VALUES = 100_000
"""Values of JSON in one body, keys aside: nobody else is answered while a body is understood."""
_MOST_BLANK_LINES = 10_000
_MOST_WRONG = 2_000
"""Mistakes of a body that are looked at, to name the first of them."""
_TEXTS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
"""Strings of JSON; one that does not end goes on to the end, so that this takes no longer for wrong bodies."""
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
    if content.count(b"\n") > MOST_ITEMS + _MOST_BLANK_LINES:
        raise invalid("body", "", f"has more than {_MOST_BLANK_LINES} blank lines")
    lines = {number: line for number, line in enumerate(content.split(b"\n"), start=1) if line.strip()}
    if not 1 <= len(lines) <= MOST_ITEMS:
        raise invalid("body", "", f"has {len(lines)} lines; 1 to {MOST_ITEMS} are taken at a time")
    return lines


async def read(request: Request) -> bytes:
    """The whole body.

    Raises:
        TooLarge: it is over the limit, or has more values than may be.
        UnsupportedMediaType: it is a file.
    """
    if media_type(request.headers) == FILE:
        raise UnsupportedMediaType("Files are taken by POST …/files only; send application/json.")
    settings: Settings = request.app.state.settings
    kept = bytearray()
    async for piece in pieces(request, settings.api.max_body_bytes, "api.max_body_bytes"):
        kept += piece
    if _has_too_many_values(kept):
        raise TooLarge(f"The body has more than {MOST_VALUES} values. Send it in parts.")
    return bytes(kept)


async def pieces(request: Request, limit: int, setting: str) -> AsyncIterator[bytes]:
    """The body, piece after piece.

    Raises:
        TooLarge: it has more bytes than the limit of a setting. Up to twice as many are read all the same, for a
            client that sends before it listens would not see the answer otherwise.
    """
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > 2 * limit:
            break
        if size <= limit:
            yield piece
    if size > limit:
        raise TooLarge(f"The body has more than {limit} bytes ({setting}). Send it in parts.")


def _has_too_many_values(content: bytes | bytearray) -> bool:
    """Whether a body has more than ``MOST_VALUES`` of JSON, as told by its commas and brackets, or by its quotes."""
    if len(content) <= 2 * MOST_VALUES:
        return False
    if content.count(b'"') - content.count(b'\\"') > 4 * MOST_VALUES:
        return True  # of keys and texts: to look at each of so many would take as long as to understand them
    structure = _TEXTS.sub(b"", content)
    return sum(map(structure.count, (b",", b"[", b"{"))) > MOST_VALUES


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
        if error.error_count() > _MOST_WRONG:
            raise invalid("body", "", f"has {error.error_count()} mistakes, too many to be named") from None
        wrong = error.errors(include_url=False, include_input=False, include_context=False)
        located = [{**item, "loc": ("body", *prefix, *_without_tag(item["loc"], tags))} for item in wrong]
        raise InvalidRequest(field_errors(located)) from None


def _longest(request: Request) -> int:
    settings: Settings = request.app.state.settings
    return settings.api.max_content_chars


def _without_tag(loc: tuple[int | str, ...], tags: frozenset[str]) -> tuple[int | str, ...]:
    return loc[1:] if loc and loc[0] in tags else loc
