"""Facts and conflicts in pages, the most important first."""

from collections.abc import Iterable, Mapping, Sequence

from graphmem.model.claim import Category
from graphmem.model.fact import FIRST_FACT, ConflictPage, ContestedBelief, Fact, FactPage, FactPosition, FactQuery
from graphmem.model.recall import KnownEntity, Subgraph
from graphmem.model.scope import Scope
from graphmem.model.search import Filters
from graphmem.recall.reader import Reader
from graphmem.store.graph import GraphStore

_AT_ONCE = 500


class FactLists:
    """Reads of facts. All raise ``NotFound`` for a group that does not exist."""

    def __init__(self, store: GraphStore, reader: Reader) -> None:
        self._store = store
        self._reader = reader

    async def facts(
        self, scope: Scope, query: FactQuery, *, after: FactPosition = FIRST_FACT, limit: int = 100
    ) -> FactPage:
        """Up to ``limit`` facts that held then, after a position."""
        await self._reader.known_group(scope.group)
        subject = query.subject_id
        subjects = None if subject is None else await self._store.same_things(scope, subject)
        positions = await self._positions(scope, query, subjects, after, limit + 1)
        page = positions[:limit]
        subgraph = await self._subgraph(scope, page)
        tags = await self._tags(scope, subgraph)
        by_id = {row.id: row for row in subgraph.beliefs}
        return FactPage(
            facts=tuple(Fact(belief=by_id[id_], tags=tags[id_]) for _, id_ in page if id_ in by_id),
            entities=tuple(subgraph.entities[id_] for id_ in sorted(subgraph.entities)),
            more_after=page[-1] if len(positions) > limit else None,
        )

    async def conflicts(self, scope: Scope, *, after: FactPosition = FIRST_FACT, limit: int = 100) -> ConflictPage:
        """Up to ``limit`` contested beliefs that held then, with both sides; none of which the other side gave way."""
        await self._reader.known_group(scope.group)
        kept, entities = list[ContestedBelief](), dict[str, KnownEntity]()
        more_after: FactPosition | None = after
        while more_after is not None and len(kept) < limit:
            wanted = limit - len(kept)
            positions = await self._store.conflicts(scope, after=more_after, limit=wanted + 1)
            page = positions[:wanted]
            subgraph = await self._subgraph(scope, page)
            unsettled = await self._unsettled(scope, subgraph)
            kept += [unsettled[id_] for _, id_ in page if id_ in unsettled]
            entities |= subgraph.entities
            more_after = page[-1] if len(positions) > wanted else None
        return ConflictPage(
            conflicts=tuple(kept),
            entities=tuple(entities[id_] for id_ in sorted(entities)),
            more_after=more_after,
        )

    async def _unsettled(self, scope: Scope, subgraph: Subgraph) -> Mapping[str, ContestedBelief]:
        """By row, contested beliefs with the other side, unless that gave way."""
        if not subgraph.beliefs:
            return {}
        disputing, settled = await self._store.disputing_claims(scope, [row.id for row in subgraph.beliefs])
        return {
            row.id: ContestedBelief(belief=row, disputing=tuple(disputing.get(row.id, ())))
            for row in subgraph.beliefs
            if row.id not in settled
        }

    async def _subgraph(self, scope: Scope, page: Sequence[FactPosition]) -> Subgraph:
        ids = [id_ for _, id_ in page]
        return await self._store.beliefs_by_id(scope, ids) if ids else Subgraph((), {})

    async def _positions(
        self, scope: Scope, query: FactQuery, subjects: Iterable[str] | None, after: FactPosition, enough: int
    ) -> list[FactPosition]:
        """Up to ``enough`` positions of facts after one; where tags are asked for, it reads page after page."""
        kept: list[FactPosition] = []
        size = max(enough, _AT_ONCE) if query.tags else enough
        while len(kept) < enough:
            page = await self._store.facts(
                scope,
                categories=query.categories or tuple(Category),
                subjects=subjects,
                least=query.least_importance,
                after=after,
                limit=size,
            )
            kept += await self._tagged(scope, page, query.tags)
            if len(page) < size:
                break
            after = page[-1]
        return kept[:enough]

    async def _tagged(self, scope: Scope, page: Sequence[FactPosition], tags: tuple[str, ...]) -> list[FactPosition]:
        if not tags or not page:
            return list(page)
        tagged = await self._store.beliefs_resting_on(scope, [id_ for _, id_ in page], Filters(tags=tags))
        return [position for position in page if position[1] in tagged]

    async def _tags(self, scope: Scope, subgraph: Subgraph) -> Mapping[str, tuple[str, ...]]:
        ids = {support.episode_id for row in subgraph.beliefs for support in row.evidence}
        of_episode: Mapping[str, tuple[str, ...]] = {}
        if ids:
            of_episode = await self._store.tags_of_episodes(scope, ids)
        return {
            row.id: tuple(sorted({tag for support in row.evidence for tag in of_episode.get(support.episode_id, ())}))
            for row in subgraph.beliefs
        }
