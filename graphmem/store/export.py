"""What a group has, page by page, as it is stored."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from graphmem.errors import OurError
from graphmem.model.export import GROUP_WIDE, HEADER, INSTANTS, OF_OTHERS, Properties, for_user, instant_of, left_out
from graphmem.model.scope import Scope
from graphmem.store.named import MOST_PASSES, QueryStore, read_in_passes
from graphmem.store.rows import IdRow

CHARS = 1_000_000
"""Characters of contents, or of values, after which a page ends."""

Position = tuple[str, str]
"""Where a walk over what was recorded is: (recorded_at, id). The instant is a text, of as many digits as Neo4j has."""


@dataclass(frozen=True, slots=True)
class ExportedRow:
    """One thing: ``properties`` are names with values, and whether each is an instant; ``more`` has what stands beside.

    ``at`` is when it was recorded, where rows come in that order.
    """

    kind: str
    id: str
    at: str
    properties: object
    more: object

    @property
    def values(self) -> Properties:
        """Its properties by name.

        Raises:
            OurError: one is an instant that ``INSTANTS`` does not name: it would come back as a text.
        """
        return named_values(self.properties) | dict(cast("Sequence[tuple[str, Any]]", self.more))


@dataclass(frozen=True, slots=True)
class GroupToExportRow:
    importing: bool | None
    properties: object


@dataclass(frozen=True, slots=True)
class CountsToExportRow:
    episodes: int
    claims: int


@dataclass(frozen=True, slots=True)
class CoversRow:
    """A summary, and those that it summarises."""

    id: str
    summaries: tuple[str, ...]


def named_values(properties: object) -> Properties:
    """Properties by name.

    Raises:
        OurError: one is an instant, or a list of them, and ``INSTANTS`` does not say so: it would come back as texts.
    """
    named = cast("Sequence[tuple[str, Any, bool | None]]", properties)
    if unknown := [name for name, _, instant in named if instant and name not in INSTANTS]:
        raise OurError(f"{unknown[0]} is an instant, and graphmem.model.export does not say so.")
    return {name: value for name, value, _ in named}


class ExportStore(QueryStore):
    """The queries of ``export.cypher``: of what a user may see, pages of what was recorded by ``scope.known_at``."""

    async def group_to_export(self, group: str) -> GroupToExportRow | None:
        return await self._run.optional("group_to_export", GroupToExportRow, group=group, left_out=left_out(HEADER))

    async def counts_to_export(self, scope: Scope) -> CountsToExportRow:
        return await self._run.single("counts_to_export", CountsToExportRow, scope)

    async def policies_to_export(self, scope: Scope) -> list[ExportedRow]:
        params = {"left_out": left_out("predicate")}
        rows = await _all(scope, lambda: self._run.many("policies_to_export", ExportedRow, scope, **params))
        return sorted(rows, key=lambda row: (instant_of(row.at), row.id))

    async def sessions_to_export(self, scope: Scope, after: Position, limit: int) -> list[ExportedRow]:
        return await self._page("sessions_to_export", scope, after, limit, left_out("session"))

    async def entities_to_export(self, scope: Scope, after: str, limit: int) -> list[ExportedRow]:
        """Entities; for a user under the names of which that user has heard."""
        if scope.user is None:
            return await self._run.many(
                "entities_to_export", ExportedRow, scope, after_id=after, limit=limit, left_out=left_out("entity")
            )
        others = sorted({*left_out("entity"), *OF_OTHERS})
        rows = await self._run.many(
            "entities_to_export_for_user", ExportedRow, scope, after_id=after, limit=limit, left_out=others
        )
        return [_as_heard(row) for row in rows]

    async def of_entities_to_export(self, scope: Scope, ids: Sequence[str]) -> list[ExportedRow]:
        of_them = left_out("name", "judgement", "share")
        return await self._run.many("of_entities_to_export", ExportedRow, scope, ids=list(ids), left_out=of_them)

    async def episodes_to_export(
        self, scope: Scope, after: Position, limit: int, without: Sequence[str] = ()
    ) -> list[ExportedRow]:
        return await self._page("episodes_to_export", scope, after, limit, without, chars=CHARS)

    async def of_episodes_to_export(
        self, scope: Scope, ids: Sequence[str], without: Sequence[str] = ()
    ) -> list[ExportedRow]:
        return await self._run.many("of_episodes_to_export", ExportedRow, scope, ids=list(ids), left_out=list(without))

    async def claims_to_export(
        self, scope: Scope, after: Position, limit: int, without: Sequence[str] = ()
    ) -> list[ExportedRow]:
        return await self._page("claims_to_export", scope, after, limit, without, chars=CHARS)

    async def merges_to_export(self, scope: Scope, after: Position, limit: int) -> list[ExportedRow]:
        """Decisions on who is who."""
        rows = await _all(scope, lambda: self._page("merges_to_export", scope, after, limit, left_out("merge")))
        return sorted(rows, key=lambda row: (instant_of(row.at), row.id))[:limit]

    async def beliefs_to_export(self, scope: Scope, after: str, limit: int) -> list[ExportedRow]:
        """Versions in order of id; one that is superseded meanwhile moves from one index to another."""
        found = dict[str, ExportedRow]()
        for _ in range(MOST_PASSES):
            rows = await self._run.many(
                "beliefs_to_export", ExportedRow, scope, after_id=after, limit=limit, left_out=left_out("belief")
            )
            found |= {row.id: row for row in rows}
            if found.keys() >= set(await self.belief_ids_to_export(scope, after, limit)):
                break
        return [found[id_] for id_ in sorted(found)[:limit]]

    async def belief_ids_to_export(self, scope: Scope, after: str, limit: int) -> list[str]:
        rows = await self._run.many("belief_ids_to_export", IdRow, scope, after_id=after, limit=limit)
        return [row.id for row in rows]

    async def texts_to_export(
        self, scope: Scope, after: str, limit: int, without: Sequence[str] = ()
    ) -> list[ExportedRow]:
        params = {"after_id": after, "limit": limit, "left_out": list(without)}
        rows = await _all(scope, lambda: self._run.many("texts_to_export", ExportedRow, scope, **params))
        return sorted(rows, key=lambda row: row.id)[:limit]

    async def covers_to_export(self, scope: Scope, after: str, limit: int) -> list[CoversRow]:
        return await self._run.many("covers_to_export", CoversRow, scope, after_id=after, limit=limit)

    async def _page(
        self, query: str, scope: Scope, after: Position, limit: int, without: Sequence[str], **more: object
    ) -> list[ExportedRow]:
        time, id_ = after
        return await self._run.many(
            query, ExportedRow, scope, after_time=time, after_id=id_, limit=limit, left_out=list(without), **more
        )


async def _all(scope: Scope, read: Callable[[], Awaitable[list[ExportedRow]]]) -> list[ExportedRow]:
    """Rows of a page, also those that move from one index to another meanwhile."""
    passes = await read_in_passes(scope.known_at, read, lambda rows: [(row.id, row.at) for row in rows])
    return list({(row.id, row.at): row for rows in passes for row in rows}.values())


def settings_of(row: GroupToExportRow, *, whole: bool) -> Properties:
    """The settings of a group; ``whole``: also those that were learnt of all users."""
    return {name: value for name, value in named_values(row.properties).items() if whole or name not in GROUP_WIDE}


def _as_heard(row: ExportedRow) -> ExportedRow:
    values = row.values
    heard, told = values.pop("heard"), values.pop("told")
    return ExportedRow(row.kind, row.id, row.at, [], list(for_user(values, heard, told).items()))
