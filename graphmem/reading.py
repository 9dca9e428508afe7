"""What is known and believed at a point in time: episodes, entities, the graph. Every belief comes with evidence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.errors import InvalidInput, NotFound
from graphmem.model.belief import BeliefRow
from graphmem.model.entity import normalise_name
from graphmem.model.episode import Status, StoredEpisode
from graphmem.model.interval import BEGIN
from graphmem.model.recall import Found, Graph, KnownEntity, PointInTime, Ranked, Recall
from graphmem.store.graph import GraphStore

MAX_BELIEFS = 5_000
MAX_DEPTH = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQuery:
    """Which part of a group's graph: all of it, or what is within ``depth`` steps of an entity.

    ``types`` keeps relationships with an end of one of these types, and entities of them.
    """

    entity_id: str | None = None
    depth: int = 1
    predicates: tuple[str, ...] | None = None
    types: frozenset[str] | None = None
    limit: int = 1_000

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MAX_BELIEFS or not 0 <= self.depth <= MAX_DEPTH:
            raise InvalidInput(f"limit must be 1 to {MAX_BELIEFS}, and depth 0 to {MAX_DEPTH}.")


class Reader:
    """Reads of one store. All of them raise ``NotFound`` for a group that does not exist."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store
        self._known: set[str] = set()

    async def known_group(self, group: str) -> None:
        if group not in self._known and await self._store.group(group) is None:
            raise NotFound(f"There is no group {group!r}. The first episode posted to a group makes it.")
        self._known.add(group)

    async def episode(self, group: str, episode_id: str) -> StoredEpisode:
        await self.known_group(group)
        stored = await self._store.episode(group, episode_id)
        if stored is None:
            raise NotFound(f"Group {group!r} has no episode {episode_id!r}.")
        return stored

    async def episodes(
        self,
        group: str,
        when: PointInTime,
        *,
        session: str | None = None,
        status: Status | None = None,
        after: tuple[datetime, str] = (BEGIN, ""),
        limit: int = 100,
    ) -> list[StoredEpisode]:
        """Episodes that had happened and were known then, in order of (occurred_at, id)."""
        await self.known_group(group)
        return await self._store.episodes(group, when, session=session, status=status, after=after, limit=limit)

    async def entities(
        self,
        group: str,
        when: PointInTime,
        *,
        entity_type: str | None = None,
        name: str | None = None,
        after: str = "",
        limit: int = 100,
    ) -> list[KnownEntity]:
        """Entities known then, in order of id; ``name`` asks for one name, however written."""
        await self.known_group(group)
        if name is None:
            return await self._store.entities(group, when, entity_type=entity_type, after=after, limit=limit)
        key = normalise_name(name)
        return await self._store.entities_named(group, when, key=key, entity_type=entity_type, after=after, limit=limit)

    async def entity(self, group: str, entity_id: str, when: PointInTime) -> Graph:
        """One entity and its beliefs then. Among the entities it comes first, then the other ends."""
        await self.known_group(group)
        known = await self._entity(group, entity_id, when)
        beliefs = await self._beliefs(group, when, [entity_id], GraphQuery(limit=MAX_BELIEFS))
        ends = await self._ends(group, when, beliefs)
        ends.pop(entity_id, None)
        return Graph(
            entities=(known, *ends.values()),
            beliefs=tuple(await self._store.evidence_of_beliefs(group, when, beliefs)),
            complete=len(beliefs) < MAX_BELIEFS,
        )

    async def graph(self, group: str, when: PointInTime, query: GraphQuery) -> Graph:
        """The believed subgraph then.

        Raises:
            NotFound: the entity to start from was not known then.
        """
        await self.known_group(group)
        if query.entity_id is None:
            beliefs = await self._store.beliefs_of_group(group, when, predicates=query.predicates, limit=query.limit)
        else:
            await self._entity(group, query.entity_id, when)
            beliefs = await self._around(group, when, query.entity_id, query)
        ends = await self._ends(group, when, beliefs)
        if query.entity_id is not None and query.entity_id not in ends:
            ends[query.entity_id] = await self._entity(group, query.entity_id, when)
        kept = [belief for belief in beliefs if _of_types(belief, ends, query.types)]
        shown = {id_ for belief in kept for id_ in (belief.subject_id, belief.object_id)} | {query.entity_id}
        return Graph(
            entities=tuple(entity for entity in ends.values() if entity.id in shown),
            beliefs=tuple(await self._store.evidence_of_beliefs(group, when, kept)),
            complete=len(beliefs) < query.limit,
        )

    async def with_evidence(
        self, group: str, when: PointInTime, ranked: Sequence[tuple[Ranked, BeliefRow | StoredEpisode]]
    ) -> Recall:
        """Search hits, the beliefs among them with their evidence and the entities at their ends."""
        beliefs = [thing for _, thing in ranked if isinstance(thing, BeliefRow)]
        evidenced = {belief.id: belief for belief in await self._store.evidence_of_beliefs(group, when, beliefs)}
        found = tuple(
            Found(
                ranked=item,
                belief=evidenced.get(thing.id) if isinstance(thing, BeliefRow) else None,
                episode=thing if isinstance(thing, StoredEpisode) else None,
            )
            for item, thing in ranked
        )
        return Recall(found=found, entities=tuple((await self._ends(group, when, beliefs)).values()))

    async def _entity(self, group: str, entity_id: str, when: PointInTime) -> KnownEntity:
        found = await self._store.entities_by_id(group, when, [entity_id])
        if entity_id not in found:
            raise NotFound(f"Group {group!r} had no entity {entity_id!r} at that time.")
        return found[entity_id]

    async def _around(self, group: str, when: PointInTime, entity_id: str, query: GraphQuery) -> list[BeliefRow]:
        """Beliefs within ``depth`` steps, nearest first."""
        found: dict[str, BeliefRow] = {}
        reached: set[str] = set()
        frontier = {entity_id}
        for _ in range(query.depth):
            if not frontier or len(found) >= query.limit:
                break
            reached |= frontier
            beliefs = await self._beliefs(group, when, frontier, query)
            found.update((belief.id, belief) for belief in beliefs)
            ends = {id_ for belief in beliefs for id_ in (belief.subject_id, belief.object_id) if id_}
            frontier = ends - reached
        return list(found.values())[: query.limit]

    async def _beliefs(self, group: str, when: PointInTime, ids: Iterable[str], query: GraphQuery) -> list[BeliefRow]:
        found = list(ids)
        return [
            *await self._store.relationships_of_entities(
                group, when, found, predicates=query.predicates, limit=query.limit
            ),
            *await self._store.facts_of_entities(group, when, found, predicates=query.predicates, limit=query.limit),
        ]

    async def _ends(self, group: str, when: PointInTime, beliefs: Iterable[BeliefRow]) -> dict[str, KnownEntity]:
        ids = {id_ for belief in beliefs for id_ in (belief.subject_id, belief.object_id) if id_}
        return await self._store.entities_by_id(group, when, ids) if ids else {}


def _of_types(belief: BeliefRow, ends: dict[str, KnownEntity], types: frozenset[str] | None) -> bool:
    if types is None:
        return True
    return any(end in ends and ends[end].type in types for end in (belief.subject_id, belief.object_id) if end)
