"""Exports a group, or what one user may see of it, as lines of JSON, page by page."""

import asyncio
import base64
from array import array
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, TypeVar, cast

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError
from pydantic_core import to_json

from graphmem import __version__
from graphmem.errors import Conflict, InvalidInput, no_group
from graphmem.model.export import (
    DAMAGED,
    EMBEDDING,
    END_LINE,
    HEADER,
    POSITION,
    SCHEMA,
    DamagedRow,
    ExportHeader,
    Properties,
    as_known,
    left_out,
    sealed,
    text_of,
)
from graphmem.model.interval import BEGIN
from graphmem.model.scope import Scope
from graphmem.store.export import CoversRow, ExportedRow, ExportStore, Position, settings_of
from graphmem.store.graph import GraphStore
from graphmem.store.predicates import PredicateStore

PAGE = 500
"""Rows in memory at once."""

Item = TypeVar("Item")

Rows = Sequence[ExportedRow]
FIRST: Position = (text_of(BEGIN), "")


@dataclass(frozen=True, slots=True)
class Export:
    """What is exported: read once, from its header, or from where an earlier one broke off, to its end."""

    header: ExportHeader
    lines: AsyncIterator[bytes]
    """Pages, each of whole lines."""


class ExportPlace(BaseModel):
    """Where an export is after a page: of which it was, the section, and what of it came last.

    ``seal`` is the hash of all pages so far, and ``counts`` says of how many lines of each kind they are.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    group: str
    user: str | None
    known_at: AwareDatetime
    vectors: bool
    section: int = 0
    after: Position = FIRST
    seal: str = ""
    counts: dict[str, int] = {}


@dataclass(frozen=True, slots=True)
class _Page:
    """Rows, and the position of the last thing that was looked at; None after all."""

    rows: Rows
    last: Position | None


Section = Callable[[Position], Awaitable[_Page]]
"""Reads a page of rows of some kinds, after a position."""


class Exports:
    """Exports groups as they were known at one instant; what is recorded later is left out."""

    def __init__(self, store: GraphStore) -> None:
        self._graph = store
        self._store = ExportStore.beside(store)
        self._predicates = PredicateStore.beside(store)

    async def export(
        self,
        group: str,
        *,
        user: str | None = None,
        known_at: datetime | None = None,
        vectors: bool = False,
        after: str | None = None,
    ) -> Export:
        """Begin an export; with a ``user``, of what that user may see, as known at an instant, by default now.

        It waits for writers who may still record something at or before that instant. ``after`` is what the last
        position of an export says that broke off: this one has what follows, without a header.

        Raises:
            NotFound: there is no such group.
            Conflict: it imports with transaction times of its own.
            InvalidInput: the instant is still to come; or the position is none of this group and user.
        """
        stored, row = await self._graph.group(group), await self._store.group_to_export(group)
        if stored is None or row is None:
            raise no_group(group)
        if stored.importing:
            raise Conflict(f"Group {group!r} is importing: what it has may still be recorded. End the import first.")
        place = None if after is None else _place(after, group, user)
        known_at = await self._settled(group, place.known_at if place else known_at)
        place = place or ExportPlace(group=group, user=user, known_at=known_at, vectors=vectors)
        scope = Scope(group, known_at, known_at, user)
        header = ExportHeader(
            group=group,
            name=stored.name,
            user=user,
            known_at=known_at,
            embedding_model=stored.embedding_model,
            dimensions=stored.dimensions,
            vectors=place.vectors,
            settings=settings_of(row, whole=user is None),
            counts=asdict(await self._store.counts_to_export(scope)),
        )
        pages = _ahead(self._walk(scope, place))
        return Export(header, _sealed(None if after else header, place, pages))

    async def _settled(self, group: str, asked: datetime | None) -> datetime:
        """An instant at or before which nothing is recorded any more."""
        now = await self._graph.time_of_database()
        if asked is not None and asked > now:
            raise InvalidInput("`known_at` is still to come. Leave it out to export what is known now.")
        known_at = asked or now
        await self._predicates.all_written(known_at)
        await self._graph.promise_settled(group, known_at)
        return known_at

    async def _walk(self, scope: Scope, place: ExportPlace) -> AsyncGenerator[tuple[int, Position, Rows]]:
        """Pages after a place, each with its section and where it ends."""
        after = place.after
        for number, section in enumerate(self._sections(scope, vectors=place.vectors)):
            if number < place.section:
                continue
            while (page := await section(after)).last is not None:
                after = page.last
                yield number, after, page.rows
            after = FIRST

    def _sections(self, scope: Scope, *, vectors: bool) -> Sequence[Section]:
        """In an order in which what is named comes first."""
        store, texts = self._store, left_out("summary", vectors=vectors)
        episodes, claims = (left_out(kind, vectors=vectors) for kind in ("episode", "claim"))
        parts = left_out("passage", "mention", vectors=vectors)

        async def policies(after: Position) -> _Page:
            return _Page([], None) if after != FIRST else _Page(await store.policies_to_export(scope), ("", ""))

        async def of_entities(after: Position) -> _Page:
            page = await store.entities_to_export(scope, after[1], PAGE)
            rows = await store.of_entities_to_export(scope, [row.id for row in page]) if page else []
            return _Page(rows, _last(page))

        async def said(after: Position) -> _Page:
            page = await store.episodes_to_export(scope, after, PAGE, episodes)
            ids = [row.id for row in page]
            of_page = await store.of_episodes_to_export(scope, ids, parts) if page else []
            return _Page([*page, *of_page], _last(page))

        async def covers(after: Position) -> _Page:
            rows = [_covers(row) for row in await store.covers_to_export(scope, after[1], PAGE)]
            return _Page(rows, _last(rows))

        return (
            policies,
            _whole(lambda after: store.sessions_to_export(scope, after, PAGE)),
            _whole(lambda after: store.entities_to_export(scope, after[1], PAGE)),
            of_entities,
            said,
            _whole(lambda after: store.claims_to_export(scope, after, PAGE, claims)),
            _whole(lambda after: store.merges_to_export(scope, after, PAGE)),
            _whole(lambda after: store.beliefs_to_export(scope, after[1], PAGE)),
            _whole(lambda after: store.texts_to_export(scope, after[1], PAGE, texts)),
            covers,
        )


def _covers(row: CoversRow) -> ExportedRow:
    return ExportedRow("covers", row.id, "", [], [("id", row.id), ("summaries", row.summaries)])


def _last(rows: Rows) -> Position | None:
    return (rows[-1].at, rows[-1].id) if rows else None


def _whole(read: Callable[[Position], Awaitable[Rows]]) -> Section:
    """A section of which all that is looked at is a row."""

    async def page(after: Position) -> _Page:
        rows = await read(after)
        return _Page(rows, _last(rows))

    return page


def _place(text: str, group: str, user: str | None) -> ExportPlace:
    """The place that a position tells of.

    Raises:
        InvalidInput: it is none of an export of this group for this user.
    """
    try:
        place = ExportPlace.model_validate_json(base64.urlsafe_b64decode(text))
    except (ValidationError, ValueError):
        place = None
    if place is None or (place.group, place.user) != (group, user):
        raise InvalidInput("`after` is no position of an export of this group for this user. Export it from the start.")
    return place


async def _ahead(pages: AsyncIterator[Item]) -> AsyncGenerator[Item]:
    """Pages, of which the next is read while one is sent."""

    async def following() -> Item | None:
        return await anext(pages, None)

    coming = asyncio.create_task(following())
    try:
        while (page := await coming) is not None:
            coming = asyncio.create_task(following())
            yield page
    finally:
        coming.cancel()


async def _sealed(
    header: ExportHeader | None, place: ExportPlace, pages: AsyncIterator[tuple[int, Position, Rows]]
) -> AsyncGenerator[bytes]:
    """The lines of pages, after each one its position, and the end. A page is sealed with all that stands before it."""
    if header is not None:
        first = {"type": HEADER, "schema": SCHEMA, "version": __version__, **asdict(header)}
        text = _line(first | {"known_at": text_of(header.known_at)})
        place = place.model_copy(update={"seal": sealed(place.seal, text)})
        yield text + _position(place)
    async for section, after, rows in pages:
        lines = [line for row in rows if (line := _line_of(row, place.known_at)) is not None]
        counts = Counter(place.counts) + Counter(line["type"] for line in lines)
        text = b"".join(map(_line, lines))
        update = {"section": section, "after": after, "seal": sealed(place.seal, text), "counts": dict(counts)}
        place = place.model_copy(update=update)
        yield text + _position(place)
    yield _line({"type": END_LINE, "counts": dict(sorted(place.counts.items())), "sha256": place.seal})


def _position(place: ExportPlace) -> bytes:
    after = base64.urlsafe_b64encode(place.model_dump_json().encode()).decode()
    return _line({"type": POSITION, "sha256": place.seal, "after": after})


def _line_of(row: ExportedRow, at: datetime) -> Properties | None:
    """A row as it was known then; None where it was not. One that cannot be read is named."""
    try:
        known = as_known(row.kind, row.values, at)
    except DamagedRow as error:
        return {"type": DAMAGED, "kind": row.kind, "id": row.id, "why": str(error)}
    if known is None:
        return None
    if row.kind == "entity" and "type" in known:
        known["entity_type"] = known.pop("type")
    if EMBEDDING in known:
        known[EMBEDDING] = base64.b64encode(array("f", cast("list[float]", known[EMBEDDING])).tobytes()).decode()
    return {"type": row.kind, **{name: known[name] for name in sorted(known)}}


def _line(line: Mapping[str, Any]) -> bytes:
    return to_json(line, inf_nan_mode="constants") + b"\n"
