"""Facts, and claims that dispute them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.model.fact import FactPosition
from graphmem.model.recall import KnownClaim
from graphmem.model.scope import Scope
from graphmem.store.instants import as_text
from graphmem.store.named import QueryStore, read_in_passes


@dataclass(frozen=True, slots=True)
class UsedBelief:
    """A row that was used, and until when it does not fade then; ``END``: it never does."""

    id: str
    at: datetime
    fades_at: datetime


DISPUTING_LIMIT = 10
"""Claims of other values shown with a contested belief, the newest first."""


@dataclass(frozen=True, slots=True)
class RankedFactRow:
    id: str
    importance: float


@dataclass(frozen=True, slots=True)
class TagsRow:
    id: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DisputeRow:
    """``settled`` counts claims that gave way."""

    id: str
    claims: tuple[KnownClaim, ...]
    settled: int


class FactStore(QueryStore):
    """The queries of ``fact.cypher``."""

    async def facts(
        self,
        scope: Scope,
        *,
        categories: Sequence[str],
        subjects: Iterable[str] | None,
        least: float,
        after: FactPosition,
        limit: int,
    ) -> list[FactPosition]:
        """The rows of facts after a position: the importance and the id of each, in order."""
        about = None if subjects is None else sorted(subjects)
        return await self._ranked(
            "facts", scope, after, limit, least=least, categories=list(categories), subjects=about
        )

    async def conflicts(self, scope: Scope, *, after: FactPosition, limit: int) -> list[FactPosition]:
        """The rows of contested beliefs after a position: the importance and the id of each, in order."""
        return await self._ranked("conflicts", scope, after, limit)

    async def disputing_claims(
        self, scope: Scope, ids: Iterable[str]
    ) -> tuple[Mapping[str, Sequence[KnownClaim]], frozenset[str]]:
        """By row, the claims of other values that speak of its time; and the rows of which all such gave way."""
        rows = await self._run.many("disputing_claims", DisputeRow, scope, ids=sorted(set(ids)), limit=DISPUTING_LIMIT)
        settled = frozenset(row.id for row in rows if row.settled and not row.claims)
        return {row.id: row.claims for row in rows}, settled

    async def tags_of_episodes(self, scope: Scope, ids: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        """By episode, its tags; of those that the reader may see and that have any."""
        rows = await self._run.many("tags_of_episodes", TagsRow, scope, ids=sorted(set(ids)))
        return {row.id: row.tags for row in rows}

    async def use_beliefs(self, group: str, used: Iterable[UsedBelief]) -> None:
        """Have what was used fade later, where it had not faded then; each row is counted once a day."""
        rows = [{"id": belief.id, "at": as_text(belief.at), "fades_at": as_text(belief.fades_at)} for belief in used]
        await self._run.execute("use_beliefs", group=group, rows=rows)

    async def _ranked(
        self, query: str, scope: Scope, after: FactPosition, limit: int, **params: object
    ) -> list[FactPosition]:
        params |= {"after_importance": after[0], "after_id": after[1], "limit": limit}

        async def read() -> set[FactPosition]:
            return {(row.importance, row.id) for row in await self._run.many(query, RankedFactRow, scope, **params)}

        positions = set[FactPosition]().union(*await read_in_passes(scope.known_at, read, frozenset))
        return sorted(positions, key=lambda position: (-position[0], position[1]))[:limit]
