"""What is known and believed at a point in time, and how it came about. Every belief comes with evidence.

A settled answer is the same for ever. So nothing here depends on an order that a later write could change: beliefs come
in ``BeliefRow.order``, entities in order of id, and limits cut in order of the id of rows, nearest first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.errors import AnswerTooLarge, InvalidInput, NotFound
from graphmem.model.belief import BeliefRow
from graphmem.model.entity import normalise_name
from graphmem.model.episode import Status, StoredEpisode
from graphmem.model.interval import BEGIN, LATEST
from graphmem.model.recall import (
    FIRST_VERSION,
    Diff,
    Difference,
    Found,
    Graph,
    Grounds,
    History,
    KnownEntity,
    PointInTime,
    Ranked,
    Recall,
    VersionPosition,
)
from graphmem.retrieve.difference import difference
from graphmem.store.graph import GraphStore

MAX_BELIEFS = 5_000
MAX_DEPTH = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQuery:
    """Which part of a group's graph: all of it, or what is within ``depth`` steps of an entity.

    ``types`` keeps relationships with an end of one of these types, and entities of them. Without ``limit``, more than
    a reader gives at once are an error; with it, they are cut.
    """

    entity_id: str | None = None
    depth: int = 1
    predicates: tuple[str, ...] | None = None
    types: frozenset[str] | None = None
    limit: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= (self.limit or 1) <= MAX_BELIEFS or not 0 <= self.depth <= MAX_DEPTH:
            raise InvalidInput(f"limit must be 1 to {MAX_BELIEFS}, and depth 0 to {MAX_DEPTH}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffQuery:
    """Two points in time that differ along one axis, and which beliefs to compare: all, or those at an entity."""

    before: PointInTime
    after: PointInTime
    entity_id: str | None = None
    predicates: tuple[str, ...] | None = None
    limit: int = MAX_BELIEFS


class Reader:
    """Reads of one store, of at most ``most`` beliefs. All raise ``NotFound`` for a group that does not exist."""

    def __init__(self, store: GraphStore, most: int = MAX_BELIEFS) -> None:
        self._store = store
        self._most = most
        self._known: set[str] = set()
        self._horizons: dict[str, datetime] = {}

    async def known_group(self, group: str) -> None:
        if group not in self._known and await self._store.group(group) is None:
            raise NotFound(f"There is no group {group!r}. The first episode posted to a group makes it.")
        self._known.add(group)

    async def settled(self, group: str, known_at: datetime) -> bool:
        """Whether answers as known at ``known_at`` will never change. Ask before reading what is to be settled.

        ``LATEST``, which is what is believed now, never settles. A horizon only moves on, so an old one will do.
        """
        await self.known_group(group)
        if known_at < LATEST and known_at > self._horizons.get(group, BEGIN):
            self._horizons[group] = await self._store.horizon(group) or BEGIN
        return known_at <= self._horizons.get(group, BEGIN)

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
        found = await self._beliefs(group, when, [entity_id], None, self._most + 1)
        beliefs = _in_order(found[: self._most])
        return Graph(
            entities=await self._with_ends(group, when, known, beliefs),
            beliefs=tuple(await self._store.evidence_of_beliefs(group, when, beliefs)),
            complete=len(found) <= self._most,
        )

    async def graph(self, group: str, when: PointInTime, query: GraphQuery) -> Graph:
        """The believed subgraph then.

        Raises:
            NotFound: the entity to start from was not known then.
            AnswerTooLarge: without a limit, there are too many beliefs; says how to ask for fewer.
        """
        await self.known_group(group)
        start = {} if query.entity_id is None else {query.entity_id: await self._entity(group, query.entity_id, when)}
        most = self._most if query.limit is None else query.limit
        read = self._around if start else self._whole
        found = await read(group, when, query, most + 1)
        if query.limit is None and len(found) > most:
            raise self._too_many("entity, depth or predicate, or set limit to have the first of them")
        beliefs = found[:most]
        ends = {**start, **await self._ends(group, when, beliefs)}
        kept = _in_order(belief for belief in beliefs if _of_types(belief, ends, query.types))
        shown = {id_ for belief in kept for id_ in (belief.subject_id, belief.object_id)} | start.keys()
        return Graph(
            entities=tuple(ends[id_] for id_ in sorted(ends.keys() & shown)),
            beliefs=tuple(await self._store.evidence_of_beliefs(group, when, kept)),
            complete=len(found) <= most,
        )

    async def history(
        self,
        group: str,
        entity_id: str,
        known_at: datetime,
        *,
        valid_at: datetime | None = None,
        predicates: tuple[str, ...] | None = None,
        after: VersionPosition = FIRST_VERSION,
        limit: int = 100,
    ) -> History:
        """Every version of an entity's beliefs recorded by ``known_at``, superseded ones too, after a position.

        With ``valid_at``, only those that say something of that time. The evidence of a superseded version is that of
        the last instant at which it was believed.

        Raises:
            NotFound: the entity was not known then.
        """
        await self.known_group(group)
        when = PointInTime(LATEST, known_at)
        known = await self._entity(group, entity_id, when)
        found = await self._store.history_of_entity(
            group,
            entity_id,
            valid_at=valid_at,
            known_at=known_at,
            predicates=predicates,
            after=after,
            limit=limit + 1,
        )
        versions = found[:limit]
        return History(
            entities=await self._with_ends(group, when, known, versions),
            versions=tuple(await self._store.evidence_of_beliefs(group, when, versions)),
            complete=len(found) <= limit,
        )

    async def diff(self, group: str, query: DiffQuery) -> Diff:
        """What began, ended and changed between two points in time, each with its evidence.

        Raises:
            NotFound: the entity was not known at the later one.
            AnswerTooLarge: too many beliefs held at one of the two only; says how to ask for fewer.
        """
        await self.known_group(group)
        if query.entity_id is not None:
            await self._entity(group, query.entity_id, query.after)
        before = await self._held_only(group, query.before, query.after, query)
        after = await self._held_only(group, query.after, query.before, query)
        whole = difference(before, after)
        shown = await self._evidenced(group, query, _first(whole, query.limit))
        beliefs = [*shown.began, *shown.ended, *(item.after for item in shown.changed)]
        ends = await self._ends(group, query.after, beliefs)
        return Diff(difference=shown, entities=tuple(ends.values()), complete=_size(whole) <= query.limit)

    async def evidence(
        self,
        group: str,
        belief_id: str,
        known_at: datetime,
        *,
        valid_at: datetime | None = None,
        after: tuple[datetime, str] = (BEGIN, ""),
        limit: int = 50,
    ) -> Grounds:
        """What a belief rests on: its claims after a position, down to characters, and their episodes.

        Raises:
            NotFound: no belief or version had this id then.
        """
        await self.known_group(group)
        belief = await self._store.version_of_belief(group, belief_id, known_at)
        if belief is None:
            raise NotFound(
                f"Group {group!r} had no belief and no version of one with the id {belief_id!r} at that time."
            )
        found = await self._store.claims_of_belief(
            group, belief, valid_at=valid_at, known_at=known_at, after=after, limit=limit + 1
        )
        when = PointInTime(LATEST, known_at)
        (evidenced,) = await self._store.evidence_of_beliefs(group, when, [belief])
        claims = tuple(found[:limit])
        return Grounds(
            belief=evidenced,
            entities=tuple((await self._ends(group, when, [belief])).values()),
            claims=claims,
            episodes=tuple(await self._store.episodes_by_id(group, {claim.episode_id for claim in claims})),
            complete=len(found) <= limit,
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

    # parts ----------------------------------------------------------------------------------------------------------

    async def _entity(self, group: str, entity_id: str, when: PointInTime) -> KnownEntity:
        found = await self._store.entities_by_id(group, when, [entity_id])
        if entity_id not in found:
            raise NotFound(f"Group {group!r} had no entity {entity_id!r} at that time.")
        return found[entity_id]

    async def _whole(self, group: str, when: PointInTime, query: GraphQuery, enough: int) -> list[BeliefRow]:
        return await self._store.beliefs_of_group(group, when, predicates=query.predicates, limit=enough)

    async def _around(self, group: str, when: PointInTime, query: GraphQuery, enough: int) -> list[BeliefRow]:
        """The first ``enough`` beliefs within ``depth`` steps, nearest first. A step never reads more than so many."""
        found: dict[str, BeliefRow] = {}
        reached: set[str] = set()
        frontier = {query.entity_id} if query.entity_id else set[str]()
        for _ in range(query.depth):
            if not frontier or len(found) >= enough:
                break
            reached |= frontier
            beliefs = await self._beliefs(group, when, frontier, query.predicates, enough)
            for belief in beliefs:
                found.setdefault(belief.id, belief)
            ends = {id_ for belief in beliefs for id_ in (belief.subject_id, belief.object_id) if id_}
            frontier = ends - reached
        return list(found.values())[:enough]

    async def _held_only(self, group: str, when: PointInTime, unless: PointInTime, query: DiffQuery) -> list[BeliefRow]:
        limit = self._most + 1
        if query.entity_id is None:
            found = await self._store.beliefs_of_group(
                group, when, predicates=query.predicates, limit=limit, unless=unless
            )
        else:
            found = await self._beliefs(group, when, [query.entity_id], query.predicates, limit, unless)
        if len(found) == limit:
            raise self._too_many("entity or predicate, or take instants nearer to each other")
        return found

    async def _beliefs(
        self,
        group: str,
        when: PointInTime,
        ids: Iterable[str],
        predicates: tuple[str, ...] | None,
        limit: int,
        unless: PointInTime | None = None,
    ) -> list[BeliefRow]:
        """The first ``limit`` of the beliefs at these entities, by id of their rows."""
        store, ends = self._store, list(ids)
        found = [
            *await store.relationships_of_entities(
                group, when, ends, predicates=predicates, limit=limit, unless=unless
            ),
            *await store.facts_of_entities(group, when, ends, predicates=predicates, limit=limit, unless=unless),
        ]
        return sorted(found, key=lambda belief: belief.id)[:limit]

    async def _evidenced(self, group: str, query: DiffQuery, found: Difference) -> Difference:
        """With the evidence of the instant at which each held."""
        old = [*found.ended, *(item.before for item in found.changed)]
        new = [*found.began, *(item.after for item in found.changed)]
        before = await self._store.evidence_of_beliefs(group, query.before, old)
        after = await self._store.evidence_of_beliefs(group, query.after, new)
        ended, began = len(found.ended), len(found.began)
        changed = zip(found.changed, before[ended:], after[began:], strict=True)
        return Difference(
            began=tuple(after[:began]),
            ended=tuple(before[:ended]),
            changed=tuple(replace(item, before=old, after=new) for item, old, new in changed),
        )

    async def _with_ends(
        self, group: str, when: PointInTime, known: KnownEntity, beliefs: Iterable[BeliefRow]
    ) -> tuple[KnownEntity, ...]:
        """An entity, then the other ends of its beliefs."""
        ends = await self._ends(group, when, beliefs)
        return (known, *(end for end in ends.values() if end.id != known.id))

    async def _ends(self, group: str, when: PointInTime, beliefs: Iterable[BeliefRow]) -> dict[str, KnownEntity]:
        """The entities at the ends of beliefs, in order of id."""
        ids = {id_ for belief in beliefs for id_ in (belief.subject_id, belief.object_id) if id_}
        found = await self._store.entities_by_id(group, when, ids) if ids else {}
        return dict(sorted(found.items()))

    def _too_many(self, advice: str) -> AnswerTooLarge:
        return AnswerTooLarge(f"There are more than {self._most} beliefs to show. Narrow it down by {advice}.")


def _in_order(beliefs: Iterable[BeliefRow]) -> list[BeliefRow]:
    return sorted(beliefs, key=lambda belief: belief.order)


def _of_types(belief: BeliefRow, ends: dict[str, KnownEntity], types: frozenset[str] | None) -> bool:
    if types is None:
        return True
    return any(end in ends and ends[end].type in types for end in (belief.subject_id, belief.object_id) if end)


def _size(found: Difference) -> int:
    return len(found.began) + len(found.ended) + len(found.changed)


def _first(found: Difference, limit: int) -> Difference:
    """The first ``limit``: of what began, then of what ended, then of what changed."""
    began = found.began[:limit]
    ended = found.ended[: limit - len(began)]
    return Difference(began=began, ended=ended, changed=found.changed[: limit - len(began) - len(ended)])
