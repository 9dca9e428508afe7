"""The knowledge graph of the official memory server, kept as claims.

An entity is a name with one type and observations; a relation has two names and a type. Here, an entity is marked by a
fact ``entity_type``, an observation is a fact ``observation``, a relation is a relationship. What else is believed in
the group is shown beside: facts as observations, in their words.
"""

import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Any

from graphmem.answers.beliefs import BeliefOut, EntityOut
from graphmem.answers.search import HitOut
from graphmem.client.calls import TimeOptions, given
from graphmem.errors import Barred, Conflict, NotFound
from graphmem.mcp.budget import is_cut, is_shown_as
from graphmem.mcp.memory import AgentMemory
from graphmem.model.entity import normalise_name, user_of

MARK, OBSERVES = "entity_type", "observation"
_UNTYPED = "thing"
_MOST_BELIEFS, _MOST_CLAIMS, _MOST_HITS = 5_000, 500, 30
_WORD = re.compile(r"[^\w-]+")
_LONGEST_TYPE = 64


@dataclass(frozen=True, slots=True)
class BeliefsAsOf:
    """What was believed at two instants, in order of recording; ``complete`` is false where there was more.

    Without the instants, there is no group yet.
    """

    beliefs: Sequence[BeliefOut] = ()
    complete: bool = True
    valid_at: datetime | None = None
    known_at: datetime | None = None

    def at(self, otherwise: TimeOptions) -> TimeOptions:
        """The instants for reading more of the same."""
        return otherwise if self.known_at is None else TimeOptions(valid_at=self.valid_at, known_at=self.known_at)


@dataclass(frozen=True, slots=True)
class GraphNode:
    """An entity with what is believed of it."""

    id: str
    name: str
    type: str
    believed: BeliefsAsOf = field(repr=False)

    @property
    def beliefs(self) -> Sequence[BeliefOut]:
        return self.believed.beliefs

    @property
    def is_marked(self) -> bool:
        return any(belief.predicate == MARK and belief.subject.id == self.id for belief in self.beliefs)

    @property
    def thing(self) -> dict[str, str]:
        """The entity as a claim names it."""
        return {"name": self.name, "type": self.type}


class Store:
    """Reads and changes the graph through the service."""

    def __init__(self, memory: AgentMemory) -> None:
        self._memory = memory

    async def node(self, name: str, at: TimeOptions | None = None) -> GraphNode | None:
        """The entity of a name of which something is believed; marked ones come first.

        Raises:
            Conflict: the name is cut, as answers show long ones, and several begin so.
        """
        at = at or TimeOptions()
        nodes = [node async for node in self._nodes(name, at) if node.beliefs]
        if not nodes and is_cut(name) and (whole := await self._whole(name, at)) is not None:
            return await self.node(whole, at)
        return min(nodes, key=lambda node: not node.is_marked, default=None)

    async def _nodes(self, name: str, at: TimeOptions) -> AsyncIterator[GraphNode]:
        memory = self._memory
        try:
            named = [entity async for entity in memory.client.entities(memory.group, name=name, **self._asked(at))]
        except NotFound:  # there is no group yet
            return
        for entity in filter(partial(_is_called, name), named):
            believed = await self.beliefs(entity.id, at)
            at = believed.at(at)
            yield GraphNode(entity.id, entity.name, entity.type, believed)

    async def _whole(self, cut: str, at: TimeOptions) -> str | None:
        """The name that is shown so."""
        believed = await self.beliefs(at=at)
        ends = [end for belief in believed.beliefs for end in (belief.subject, belief.object) if end is not None]
        names = {normalise_name(end.name): end.name for end in ends if is_shown_as(end.name, cut)}
        if len(names) > 1:
            raise Conflict(f"{len(names)} names are shown as {cut!r}. Give the whole name of the one that is meant.")
        return next(iter(names.values()), None)

    async def beliefs(self, entity_id: str | None = None, at: TimeOptions | None = None) -> BeliefsAsOf:
        """What is believed of an entity, or of the group."""
        memory, asked = self._memory, self._asked(at or TimeOptions())
        try:
            answer = await memory.client.graph(memory.group, entity=entity_id, depth=1, limit=_MOST_BELIEFS, **asked)
        except NotFound:
            return BeliefsAsOf()
        in_order = sorted(answer.beliefs, key=attrgetter("recorded_at"))
        return BeliefsAsOf(in_order, answer.complete, answer.valid_at, answer.known_at)

    async def facts_by_words(self, query: str, at: TimeOptions) -> list[BeliefOut]:
        """Facts that share words with a query; likeness of meaning alone finds something for any query."""
        memory = self._memory
        try:
            answer = await memory.client.search(
                memory.group, query, limit=_MOST_HITS, kinds=["fact"], explain=True, **self._asked(at)
            )
        except NotFound:
            return []
        return [hit.thing for hit in answer.hits if isinstance(hit.thing, BeliefOut) and _by_words(hit)]

    def _asked(self, at: TimeOptions) -> TimeOptions:
        return {**at, "user": self._memory.user}

    async def tell(self, claims: Iterable[Mapping[str, Any]]) -> None:
        """Hand in claims, for the user of this server.

        Raises:
            Barred: the user opted out, or it was forgotten.
        """
        memory = self._memory
        owned = [{**claim, **given(user=memory.user)} for claim in claims]
        for start in range(0, len(owned), _MOST_CLAIMS):
            accepted = await memory.client.claims(memory.group, owned[start : start + _MOST_CLAIMS])
            for refused in accepted.refused:
                raise Barred(str(refused.problem["detail"]))

    async def reject(self, beliefs: Iterable[BeliefOut], reason: str) -> None:
        """Say of beliefs that they were never so; history keeps them. One that is gone already is passed over."""
        memory = self._memory
        for belief in beliefs:
            try:
                await memory.client.delete_fact(memory.group, belief.id, user=memory.user, reason=reason)
            except (NotFound, Conflict):
                continue


def _is_called(name: str, entity: EntityOut) -> bool:
    """Whether a name is that of an entity, and not short for it; the person of a user is shown by another name."""
    return normalise_name(entity.name) == normalise_name(name) or bool(user_of(entity.qualifier))


def _by_words(hit: HitOut) -> bool:
    return any("text" in part.channel and part.contribution > 0 for part in hit.contributions or ())


def new_thing(name: str, kind: str) -> dict[str, str]:
    """An entity as a claim names it; its type is one word."""
    word = _WORD.sub("_", kind.strip().lower()).strip("_-")[:_LONGEST_TYPE]
    return {"name": name, "type": word if word and not word[0].isdigit() else _UNTYPED}


def entity_claim(thing: Mapping[str, str], kind: str) -> dict[str, Any]:
    """The claim that an entity is there, and of which type."""
    says = f"{thing['name']} is of the type {kind}."
    return {"subject": thing, "predicate": MARK, "value": kind, "statement": says}


def observation_claim(thing: Mapping[str, str], content: str) -> dict[str, Any]:
    """The claim that an observation is, whose statement searches find."""
    says = f"{thing['name']}: {content}"
    return {"subject": thing, "predicate": OBSERVES, "value": content, "statement": says}


def relation_claim(start: Mapping[str, str], kind: str, end: Mapping[str, str]) -> dict[str, Any]:
    """The claim that one entity stands in a relation to another."""
    return {"subject": start, "predicate": kind, "object": end}


def observation_of(belief: BeliefOut) -> str | None:
    """A fact as an observation; null for relationships, and for what marks an entity."""
    if belief.object is not None or belief.predicate == MARK:
        return None
    return str(belief.value) if belief.predicate == OBSERVES else belief.statement


def is_named(name: str, names: Iterable[str]) -> bool:
    """Whether a name is among others; case, width and blanks do not count."""
    return normalise_name(name) in set(map(normalise_name, names))


def beliefs_of(node: GraphNode | None) -> Sequence[BeliefOut]:
    """What is believed of an entity; nothing, where there is none."""
    return node.beliefs if node else ()
