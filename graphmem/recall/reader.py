"""What is known and believed at a point in time, and how it came about. Every belief comes with evidence.

A settled answer is the same for ever. So nothing here depends on an order that a later write could change: beliefs come
in ``BeliefRow.order``, entities in order of id, and limits cut in order of the id of rows, nearest first.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import inf
from time import monotonic
from typing import TypeVar

from graphmem.clock import Clock, utc_now
from graphmem.errors import AnswerTooLarge, InvalidInput, NotFound, Unreadable, absent, no_group
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimStatus
from graphmem.model.entity import normalise_name
from graphmem.model.entity_summary import StoredEntitySummary
from graphmem.model.episode import EpisodeStatus, StoredEpisode, StoredEpisodePage
from graphmem.model.group import MemoryStats, memory_stats
from graphmem.model.hits import Path, Ranked, Recall, SearchHit, Thing
from graphmem.model.interval import BEGIN, LATEST
from graphmem.model.recall import (
    FIRST_VERSION,
    Cluster,
    Diff,
    Difference,
    Graph,
    Grounds,
    History,
    KnownEntity,
    KnownState,
    Subgraph,
    VersionPosition,
)
from graphmem.model.reflection import StoredReflection
from graphmem.model.scope import Scope
from graphmem.model.search import ENTITY, EPISODE, HIT_KINDS, REFLECTION, SUMMARY
from graphmem.model.summary import StoredSummary
from graphmem.process.tasks import side_by_side
from graphmem.retrieve.difference import difference
from graphmem.retrieve.states import last_before, values_at, why_unknown
from graphmem.retrieve.summaries import cited_by_stale, standing_reflection, standing_summary
from graphmem.store.graph import GraphStore

Found = TypeVar("Found")

_AS_KNOWN = "as known at that time"
MAX_BELIEFS = 5_000
MAX_DEPTH = 5
_AHEAD, _GOAL = (ClaimStatus.PLANNED, ClaimStatus.WISHED), "goal"
"""What may be carried out: plans and wishes, and goals, which a person has already."""
AS_PLANNED = 0.75
"""Cosine from which what somebody did is taken for what they had planned. An estimate: of 115 plans and wishes in the
five conversations of LoCoMo four have events as near, and four of these six events are what was planned."""
MOST_DEEDS = 3
"""So many are shown of each plan."""
_VERSIONS = 500
"""Versions that are looked at for what holds of an entity by one predicate."""
KNOWN_SECONDS = 1.0
"""For so long a process takes for granted that a group is there."""
_TRIES = 5
"""How often an answer of several statements is read that changes meanwhile; the last one stands."""


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
    """Two scopes that differ along one axis of time, and which beliefs to compare: all, or those at an entity."""

    before: Scope
    after: Scope
    entity_id: str | None = None
    predicates: tuple[str, ...] | None = None
    limit: int = MAX_BELIEFS


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Whether no later write changes an answer; of such a one, when sharing and forgetting last did."""

    settled: bool
    access_changed_at: datetime | None = None
    erased_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Settled:
    """Up to when answers of a group have settled, as this process knows, and how soon that may have moved on.

    ``horizon`` is what the database's clock allowed when it was asked, ``asked_at`` by the clock of this machine. While
    the group imports, that moves with the import, and is asked for each time.
    """

    until: datetime
    horizon: datetime
    asked_at: datetime
    importing: bool

    def may_have_reached(self, known_at: datetime, now: datetime) -> bool:
        """Whether it may by now. Time in which the machine slept counts; a monotonic clock would leave it out."""
        return self.importing or self.horizon + (now - self.asked_at) >= known_at


@dataclass(slots=True)
class _Steps:
    """What is found step by step from an entity: beliefs by id, and from which entities steps were taken."""

    beliefs: dict[str, BeliefRow] = field(default_factory=dict[str, BeliefRow])
    entities: dict[str, KnownEntity] = field(default_factory=dict[str, KnownEntity])
    reached: set[str] = field(default_factory=set[str])
    before_last: frozenset[str] = frozenset()
    _beliefs_before_last: frozenset[str] = frozenset()

    def add(self, frontier: set[str], step: Subgraph) -> None:
        self.before_last, self._beliefs_before_last = frozenset(self.reached), frozenset(self.beliefs)
        self.reached |= frontier
        self.beliefs |= {belief.id: belief for belief in step.beliefs if belief.id not in self.beliefs}
        self.entities |= step.entities

    def known(self, enough: int) -> set[str]:
        """The ids of the first beliefs, by id, that were found before the last step."""
        return set(sorted(self._beliefs_before_last)[:enough])


class Reader:
    """Reads of one store, of at most ``most`` beliefs. All raise ``NotFound`` for a group that does not exist."""

    def __init__(self, store: GraphStore, most: int = MAX_BELIEFS, clock: Clock = utc_now) -> None:
        self._store = store
        self._most = most
        self._clock = clock
        self._known: dict[str, float] = {}
        self._settled: dict[str, _Settled] = {}

    async def known_group(self, group: str) -> None:
        """Raise NotFound unless there is such a group, or was a second ago."""
        now = monotonic()
        if now - self._known.get(group, -inf) < KNOWN_SECONDS:
            return
        if not await self._is_there(group):
            self._known.pop(group, None)
            raise no_group(group)
        self._known[group] = now

    async def _is_there(self, group: str) -> bool:
        try:
            return await self._store.group(group) is not None
        except Unreadable:
            return True

    async def imports(self, group: str) -> bool:
        """Whether a group takes in what was recorded elsewhere: until that ends, nothing of it is over."""
        stored = await self._store.group(group)
        return stored is not None and stored.importing

    async def standing(self, group: str, known_at: datetime) -> Standing:
        """Whether no later write changes answers, and when sharing and forgetting last did. Ask before reading."""
        if not await self.settled(group, known_at):
            return Standing(settled=False)
        try:
            changed = await self._store.past_changed(group)
        except Unreadable:
            return Standing(settled=False)
        return Standing(settled=True, access_changed_at=changed.access_changed_at, erased_at=changed.erased_at)

    async def settled(self, group: str, known_at: datetime) -> bool:
        """Whether answers as known at ``known_at`` will never change. Ask before reading what is to be settled.

        ``LATEST``, which is what is believed now, never settles. A horizon only moves on, so an old one will do. Where
        the group's own instants are damaged, nothing is promised.
        """
        await self.known_group(group)
        if known_at >= LATEST:
            return False
        known, now = self._settled.get(group), self._clock()
        if known is None or (known_at > known.until and known.may_have_reached(known_at, now)):
            try:
                known = self._settled[group] = await self._settled_now(group, known_at, now)
            except Unreadable:
                return False
        return known_at <= known.until

    async def _settled_now(self, group: str, known_at: datetime, now: datetime) -> _Settled:
        """What the clock and the import allow; a new answer that this settles is promised first."""
        horizon = await self._store.horizon(group)
        if horizon is None:
            return _Settled(BEGIN, BEGIN, now, importing=True)
        until = horizon.until if horizon.importing else horizon.promised
        if until < known_at <= horizon.until:
            await self._store.promise_settled(group, horizon.until)
            until = horizon.until
        return _Settled(max(until, horizon.promised), horizon.until, now, horizon.importing)

    async def episode(self, group: str, episode_id: str, *, user: str | None = None) -> StoredEpisode:
        """An episode, whenever it occurred, if a user may see it."""
        await self.known_group(group)
        stored = await self._store.episode(Scope(group, LATEST, user=user), episode_id)
        return existing(stored, group, "episode", episode_id)

    async def episodes(
        self,
        scope: Scope,
        *,
        status: EpisodeStatus | None = None,
        after: tuple[datetime, str] = (BEGIN, ""),
        limit: int = 100,
    ) -> StoredEpisodePage:
        """Episodes that had happened and were known then, in the order in which they were said, at most ``limit``."""
        await self.known_group(scope.group)
        return await self._store.episodes(scope, status=status, after=after, limit=limit)

    async def episodes_by_id(self, scope: Scope, ids: Sequence[str]) -> list[StoredEpisode]:
        """The episodes of these ids that the reader may see, in the order in which they were said.

        Raises:
            AnswerTooLarge: their contents are too long for one answer.
        """
        return await self._store.episodes_by_id(scope, ids) if ids else []

    async def entities(
        self,
        scope: Scope,
        *,
        entity_type: str | None = None,
        name: str | None = None,
        after: str = "",
        limit: int = 100,
    ) -> list[KnownEntity]:
        """Entities known then, in order of id; ``name`` asks for one name, however written."""
        await self.known_group(scope.group)
        if name is None:
            return await self._store.entities(scope, entity_type=entity_type, after=after, limit=limit)
        key = normalise_name(name)
        return await self._store.entities_named(scope, key=key, entity_type=entity_type, after=after, limit=limit)

    async def entity(self, scope: Scope, entity_id: str) -> Graph:
        """One entity and its beliefs then. Among the entities it comes first, then the other ends."""
        await self.known_group(scope.group)
        subgraph = await self._store.beliefs_around(scope, [entity_id], predicates=None, limit=self._most + 1)
        beliefs = subgraph.beliefs[: self._most]
        return Graph(
            entities=_with_ends(_entity(subgraph, entity_id, scope), subgraph, beliefs),
            beliefs=_in_order(beliefs),
            complete=len(subgraph.beliefs) <= self._most,
        )

    async def same_things(self, scope: Scope, entity_id: str) -> frozenset[str]:
        """The ids of all that an entity was the same as then; its own too.

        Raises:
            NotFound: the entity was not known then.
        """
        known = await self._store.entities_by_id(scope, [entity_id])
        existing(known or None, scope.group, "entity", entity_id, _AS_KNOWN)
        return await self._store.same_things(scope, entity_id)

    async def cluster(self, scope: Scope, entity_id: str) -> Cluster:
        """All that an entity was the same as then.

        Raises:
            NotFound: the entity was not known then.
        """
        await self.known_group(scope.group)
        cluster = (await self._store.clusters(scope, [entity_id])).get(entity_id)
        return existing(cluster, scope.group, "entity", entity_id, _AS_KNOWN)

    async def graph(self, scope: Scope, query: GraphQuery) -> Graph:
        """The believed subgraph then.

        Raises:
            NotFound: the entity to start from was not known then.
            AnswerTooLarge: without a limit, there are too many beliefs; says how to ask for fewer.
        """
        await self.known_group(scope.group)
        most = self._most if query.limit is None else query.limit
        subgraph = await self._read(scope, query, most + 1)
        if query.limit is None and len(subgraph.beliefs) > most:
            raise self._too_many("entity, depth or predicate, or set limit to have the first of them")
        kept = _in_order(
            belief for belief in subgraph.beliefs[:most] if _of_types(belief, subgraph.entities, query.types)
        )
        shown = _ends(kept) | {query.entity_id}
        return Graph(
            entities=tuple(subgraph.entities[id_] for id_ in sorted(subgraph.entities.keys() & shown)),
            beliefs=kept,
            complete=len(subgraph.beliefs) <= most,
        )

    async def history(
        self,
        scope: Scope,
        entity_id: str,
        *,
        valid_at: datetime | None = None,
        predicates: tuple[str, ...] | None = None,
        after: VersionPosition = FIRST_VERSION,
        limit: int = 100,
    ) -> History:
        """Every version of an entity's beliefs recorded by then, superseded ones too, after a position.

        With ``valid_at``, only those that say something of that time. The evidence of a superseded version is that of
        the last instant at which it was believed.

        Raises:
            NotFound: the entity was not known then.
        """
        await self.known_group(scope.group)
        subgraph = await self._store.history_of_entity(
            scope, entity_id, valid_at=valid_at, predicates=predicates, after=after, limit=limit + 1
        )
        versions = subgraph.beliefs[:limit]
        return History(
            entities=_with_ends(_entity(subgraph, entity_id, scope), subgraph, versions),
            versions=versions,
            complete=len(subgraph.beliefs) <= limit,
        )

    async def diff(self, query: DiffQuery) -> Diff:
        """What began, ended and changed between two points in time, each with its evidence.

        Raises:
            NotFound: the entity was not known at the later one.
            AnswerTooLarge: too many beliefs held at one of the two only; says how to ask for fewer.
        """
        await self.known_group(query.after.group)
        before, after = await self._both(query)
        if query.entity_id is not None:
            _entity(after, query.entity_id, query.after)
        whole = difference(before.beliefs, after.beliefs)
        shown = _first(whole, query.limit)
        ends = _ends([*shown.began, *shown.ended, *(item.after for item in shown.changed)])
        known = await self._store.entities_by_id(query.after, ends - after.entities.keys())
        entities = {**before.entities, **known, **after.entities}
        return Diff(
            difference=shown,
            entities=tuple(entities[id_] for id_ in sorted(ends & entities.keys())),
            complete=_size(whole) <= query.limit,
        )

    async def beliefs(
        self, scope: Scope, *, predicates: tuple[str, ...] | None = None, after: str = "", limit: int = 100
    ) -> Graph:
        """The beliefs of a group then, in order of the ids of their rows, after one."""
        await self.known_group(scope.group)
        subgraph = await self._store.beliefs_of_group(scope, predicates=predicates, after=after, limit=limit + 1)
        kept = subgraph.beliefs[:limit]
        return Graph(
            entities=tuple(subgraph.entities[id_] for id_ in sorted(_ends(kept))),
            beliefs=kept,
            complete=len(subgraph.beliefs) <= limit,
        )

    async def state(self, scope: Scope, entity_id: str, predicate: str) -> KnownState:
        """What holds of an entity by a predicate then: nothing is an answer, too.

        Raises:
            NotFound: the entity was not known then.
        """
        past = await self.history(scope, entity_id, predicates=(predicate,), limit=_VERSIONS)
        own = past.entity.part_of or past.entity.id
        values = values_at(past.versions, scope.valid_at, own)
        before = () if values else last_before(past.versions, scope.valid_at)
        others = () if values or past.versions else await self._predicates(scope, entity_id)
        return KnownState(
            entity=past.entity,
            entities=past.entities,
            values=values,
            before=before,
            unknown=None if values else why_unknown(past.entity.name, predicate, past.versions, before, others),
            complete=past.complete,
        )

    async def _predicates(self, scope: Scope, entity_id: str) -> tuple[str, ...]:
        """The predicates by which something is known of an entity now."""
        subgraph = await self._store.beliefs_around(scope, [entity_id], predicates=None, limit=_VERSIONS)
        return tuple(sorted({belief.predicate for belief in subgraph.beliefs}))

    async def evidence(
        self,
        scope: Scope,
        belief_id: str,
        *,
        valid_at: datetime | None = None,
        after: tuple[datetime, str] = (BEGIN, ""),
        limit: int = 50,
    ) -> Grounds:
        """What a belief rests on: its claims after a position, down to characters, and their episodes.

        Raises:
            NotFound: no belief or version had this id then.
        """
        await self.known_group(scope.group)
        grounds = await self._store.version_of_belief(scope, belief_id, valid_at=valid_at, after=after, limit=limit + 1)
        if grounds is None:
            raise NotFound(
                f"Group {scope.group!r} had no belief and no version of one with the id {belief_id!r} at that time."
            )
        claims = grounds.claims[:limit]
        shown = {claim.episode_id for claim in claims}
        return replace(
            grounds,
            claims=claims,
            episodes=tuple(stored for stored in grounds.episodes if stored.id in shown),
            complete=grounds.complete and len(grounds.claims) <= limit,
        )

    async def entity_summary(self, scope: Scope, entity_id: str) -> StoredEntitySummary | None:
        """What is told of an entity, and of all that it stands for: to its user first, else to everybody."""
        summaries = await self._store.summaries_of_entity(scope, entity_id)
        return next(iter(await self._standing_summaries(scope, summaries)), None)

    async def stats(self, scope: Scope) -> MemoryStats:
        """How much the reader may see of the group."""
        await self.known_group(scope.group)
        episodes, beliefs = await self._store.said_in_group(scope), await self._store.believed_in_group(scope)
        texts, unprojected = await self._store.texts_in_group(scope), await self._store.unprojected_in_group(scope)
        return memory_stats(episodes, beliefs, texts, unprojected)

    async def hits(self, scope: Scope, ranked: Sequence[Ranked]) -> Recall:
        """Search hits: beliefs with their evidence and the entities at their ends, and episodes.

        What does not hold any more, because it changed since the look-up, is left out; so are those sentences of
        summaries and reflections that cite what was withdrawn, and whoever has no others. Plans and wishes come with
        what was done of them.
        """
        ids = defaultdict[str, list[str]](list)
        for item in ranked:
            ids[item.kind].append(item.id)
        beliefs = [item.id for item in ranked if HIT_KINDS[item.kind].is_belief]
        beliefs += [id_ for item in ranked for id_ in item.steps]
        async with side_by_side() as tasks:
            believed = tasks.create_task(self._beliefs_by_id(scope, beliefs))
            episodes = tasks.create_task(self.episodes_by_id(scope, ids[EPISODE]))
            named = tasks.create_task(self._entities_by_id(scope, ids[ENTITY]))
            texts = [
                tasks.create_task(self._summaries(scope, ids[SUMMARY])),
                tasks.create_task(self._entity_summaries(scope, ids[SUMMARY])),
                tasks.create_task(self._reflections(scope, ids[REFLECTION])),
            ]
        subgraph, entities = believed.result(), named.result()
        things: dict[str, Thing] = {thing.id: thing for thing in (*subgraph.beliefs, *episodes.result())}
        things |= entities
        things |= {text.id: text for task in texts for text in task.result()}
        things |= paths_of(ranked, {belief.id: belief for belief in subgraph.beliefs})
        done, deeds = await self.carried_out(scope, subgraph.beliefs)
        entities = {**deeds, **subgraph.entities, **entities}
        return Recall(
            hits=tuple(
                SearchHit(ranked=item, thing=things[item.id], carried_out=done.get(item.id, ()))
                for item in ranked
                if item.id in things
            ),
            entities=tuple(entities[id_] for id_ in sorted(entities)),
        )

    # parts ----------------------------------------------------------------------------------------------------------

    async def _standing_summaries(
        self, scope: Scope, summaries: Sequence[StoredEntitySummary]
    ) -> list[StoredEntitySummary]:
        """Summaries of entities without the sentences that cite what was withdrawn by then, while any are left."""
        stale = {claim for summary in summaries if summary.stale_at is not None for claim in summary.claims}
        withdrawn = await self._withdrawn_claims(scope, stale)
        return [left for summary in summaries if (left := summary.without(withdrawn)).content]

    async def _beliefs_by_id(self, scope: Scope, ids: Sequence[str]) -> Subgraph:
        return await self._store.beliefs_by_id(scope, ids) if ids else Subgraph((), {})

    async def _entities_by_id(self, scope: Scope, ids: Sequence[str]) -> Mapping[str, KnownEntity]:
        return await self._store.entities_by_id(scope, ids) if ids else {}

    async def _entity_summaries(self, scope: Scope, ids: Sequence[str]) -> Sequence[StoredEntitySummary]:
        """Versions of summaries of entities, by id, as far as what they say still counts."""
        summaries = await self._store.entity_summaries_by_id(scope, ids) if ids else ()
        return await self._standing_summaries(scope, summaries)

    async def _summaries(self, scope: Scope, ids: Sequence[str]) -> Sequence[StoredSummary]:
        """Versions of summaries, by id, as far as what they say still counts."""
        summaries = await self._store.summaries_by_id(scope, ids) if ids else ()
        episodes = cited_by_stale(summaries, scope.known_at)
        withdrawn = set(await self._store.withdrawn_spans(scope, episodes) if episodes else ())
        return [left for summary in summaries if (left := standing_summary(summary, withdrawn))]

    async def _reflections(self, scope: Scope, ids: Sequence[str]) -> Sequence[StoredReflection]:
        """Versions of reflections, by id, as far as what they say still counts."""
        reflections = await self._store.reflections_by_id(scope, ids) if ids else ()
        stale = {
            claim
            for reflection in reflections
            if reflection.as_known(scope.known_at).stale_at
            for claim in reflection.claims
        }
        withdrawn = await self._withdrawn_claims(scope, stale)
        return [left for reflection in reflections if (left := standing_reflection(reflection, withdrawn))]

    async def _withdrawn_claims(self, scope: Scope, ids: Collection[str]) -> Collection[str]:
        return await self._store.withdrawn_claims(scope.group, ids, scope.known_at) if ids else ()

    async def carried_out(
        self, scope: Scope, beliefs: Iterable[BeliefRow]
    ) -> tuple[Mapping[str, tuple[BeliefRow, ...]], Mapping[str, KnownEntity]]:
        """What was done of the plans and wishes among beliefs, by the ids of their rows, and the entities in it."""
        plans = [belief.id for belief in beliefs if belief.status in _AHEAD or belief.predicate == _GOAL]
        pairs = await self._store.carried_out(scope, plans, AS_PLANNED, MOST_DEEDS) if plans else []
        if not pairs:
            return {}, {}
        subgraph = await self._store.beliefs_by_id(replace(scope, open=None), {deed for _, deed in pairs})
        known = {belief.id: belief for belief in subgraph.beliefs}
        done = {
            plan: tuple(known[deed] for planned, deed in pairs if planned == plan and deed in known) for plan in plans
        }
        return done, subgraph.entities

    async def _read(self, scope: Scope, query: GraphQuery, enough: int) -> Subgraph:
        if query.entity_id is None:
            return await self._store.beliefs_of_group(scope, predicates=query.predicates, limit=enough)
        if query.depth == 0:
            alone = Subgraph((), await self._store.entities_by_id(scope, [query.entity_id]))
            _entity(alone, query.entity_id, scope)
            return alone
        return await self._around(scope, query.entity_id, query, enough)

    async def _around(self, scope: Scope, start: str, query: GraphQuery, enough: int) -> Subgraph:
        """The first ``enough`` beliefs within ``depth`` steps, nearest first, all as at one instant.

        All steps but the last are looked at again in the end: what came or went meanwhile has it begin anew.
        """
        steps = await self._steps(scope, start, query, enough)
        for _ in range(_TRIES):
            if not steps.before_last:
                break
            before = await self._store.beliefs_around(
                scope, steps.before_last, predicates=query.predicates, limit=enough
            )
            if {belief.id for belief in before.beliefs} == steps.known(enough):
                break
            steps = await self._steps(scope, start, query, enough)
        _entity(Subgraph((), steps.entities), start, scope)
        return Subgraph(tuple(steps.beliefs.values())[:enough], steps.entities)

    async def _steps(self, scope: Scope, start: str, query: GraphQuery, enough: int) -> _Steps:
        """What is reached step by step. A step never reads more than ``enough``."""
        steps, frontier = _Steps(), {start}
        for _ in range(query.depth):
            if not frontier or len(steps.beliefs) >= enough:
                break
            step = await self._store.beliefs_around(scope, frontier, predicates=query.predicates, limit=enough)
            steps.add(frontier, step)
            frontier = _ends(step.beliefs) - steps.reached
        return steps

    async def _both(self, query: DiffQuery) -> tuple[Subgraph, Subgraph]:
        """What held at one point in time only, as at one instant: the first is looked at again after the second."""
        before = await self._held_only(query.before, query.after, query)
        after = await self._held_only(query.after, query.before, query)
        for _ in range(_TRIES):
            again = await self._held_only(query.before, query.after, query)
            if again.beliefs == before.beliefs:
                break
            before, after = again, await self._held_only(query.after, query.before, query)
        return before, after

    async def _held_only(self, scope: Scope, unless: Scope, query: DiffQuery) -> Subgraph:
        limit = self._most + 1
        predicates, store = query.predicates, self._store
        if query.entity_id is None:
            subgraph = await store.beliefs_of_group(scope, predicates=predicates, limit=limit, unless=unless)
        else:
            ids = [query.entity_id]
            subgraph = await store.beliefs_around(scope, ids, predicates=predicates, limit=limit, unless=unless)
        if len(subgraph.beliefs) >= limit:
            raise self._too_many("entity or predicate, or take instants nearer to each other")
        return subgraph

    def _too_many(self, advice: str) -> AnswerTooLarge:
        return AnswerTooLarge(f"There are more than {self._most} beliefs to show. Narrow it down by {advice}.")


def paths_of(ranked: Iterable[Ranked], beliefs: Mapping[str, BeliefRow]) -> dict[str, Path]:
    """The paths among hits of which all beliefs still hold."""
    return {
        item.id: Path(id=item.id, beliefs=tuple(beliefs[id_] for id_ in item.steps))
        for item in ranked
        if item.steps and beliefs.keys() >= set(item.steps)
    }


def existing(thing: Found | None, group: str, kind: str, id_: str, which: str = "") -> Found:
    """The thing that was looked up by its id.

    Raises:
        NotFound: it is None.
    """
    if thing is None:
        raise absent(group, kind, id_, which)
    return thing


def _entity(subgraph: Subgraph, entity_id: str, scope: Scope) -> KnownEntity:
    return existing(subgraph.entities.get(entity_id), scope.group, "entity", entity_id, _AS_KNOWN)


def _ends(beliefs: Iterable[BeliefRow]) -> set[str]:
    return {id_ for belief in beliefs for id_ in (belief.subject_id, belief.object_id) if id_}


def _with_ends(known: KnownEntity, subgraph: Subgraph, beliefs: Iterable[BeliefRow]) -> tuple[KnownEntity, ...]:
    """An entity, then the other ends of its beliefs, in order of id."""
    return (known, *(subgraph.entities[id_] for id_ in sorted(_ends(beliefs) - {known.id})))


def _in_order(beliefs: Iterable[BeliefRow]) -> tuple[BeliefRow, ...]:
    return tuple(sorted(beliefs, key=lambda belief: belief.order))


def _of_types(belief: BeliefRow, ends: Mapping[str, KnownEntity], types: frozenset[str] | None) -> bool:
    if types is None:
        return True
    return any(end in ends and ends[end].type in types for end in (belief.subject_id, belief.object_id) if end)


def _size(whole: Difference) -> int:
    return len(whole.began) + len(whole.ended) + len(whole.changed)


def _first(whole: Difference, limit: int) -> Difference:
    """The first ``limit``: of what began, then of what ended, then of what changed."""
    began = whole.began[:limit]
    ended = whole.ended[: limit - len(began)]
    return Difference(began=began, ended=ended, changed=whole.changed[: limit - len(began) - len(ended)])
