"""The nine tools of the official memory server: the same names, descriptions, arguments and answers, on graphmem.

Deleting says that something was never so: it is believed no more, and its history keeps it. What answers show cut, such
as a long observation, is taken for the whole where it is given back.
"""
# ruff: noqa: D415 - descriptions are as there

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeVar

from mcp.types import CallToolResult
from pydantic import Field

from graphmem.answers.beliefs import BeliefOut
from graphmem.errors import Conflict, NotFound
from graphmem.mcp import knowledge_graph as graph
from graphmem.mcp.budget import PagePosition, fitting, is_shown_as, name_of_list, page_of, plain
from graphmem.mcp.knowledge_graph import BeliefsAsOf, GraphNode, Store
from graphmem.mcp.memory import AgentMemory, as_answer, rest
from graphmem.mcp.own import CursorOption
from graphmem.mcp.shown import LeftOut, Paged, Presenter, Shown
from graphmem.model.entity import normalise_name

Name = Annotated[str, Field(min_length=1, max_length=512)]


class GraphEntity(Shown):
    name: Annotated[Name, Field(description="The name of the entity")]
    entity_type: Annotated[str, Field(alias="entityType", description="The type of the entity")]
    observations: Annotated[list[str], Field(description="An array of observation contents associated with the entity")]


class NewGraphEntity(GraphEntity):
    entity_type: Annotated[str, Field(max_length=512, alias="entityType", description="The type of the entity")]


class GraphRelation(Shown):
    start: Annotated[Name, Field(alias="from", description="The name of the entity where the relation starts")]
    to: Annotated[Name, Field(description="The name of the entity where the relation ends")]
    relation_type: Annotated[Name, Field(alias="relationType", description="The type of the relation")]


class NewObservations(Shown):
    entity_name: Annotated[
        Name, Field(alias="entityName", description="The name of the entity to add the observations to")
    ]
    contents: Annotated[list[str], Field(description="An array of observation contents to add")]


class Deletion(Shown):
    entity_name: Annotated[
        Name, Field(alias="entityName", description="The name of the entity containing the observations")
    ]
    observations: Annotated[list[str], Field(description="An array of observations to delete")]


class WriteAnswer(Shown):
    """What was written; ``left_out`` is there only where that is too much for one answer."""

    left_out: LeftOut = None


class Entities(WriteAnswer):
    entities: list[GraphEntity]


class Relations(WriteAnswer):
    relations: list[GraphRelation]


class AddedToEntity(Shown):
    entity_name: Annotated[str, Field(alias="entityName")]
    added_observations: Annotated[list[str], Field(alias="addedObservations")]


class AddedObservations(WriteAnswer):
    results: list[AddedToEntity]


class Deleted(Shown):
    success: bool
    message: str


class KnowledgeGraph(Paged):
    """``left_out`` and ``next_cursor`` are there only where the graph is too much for one answer."""

    entities: list[GraphEntity]
    relations: list[GraphRelation]


P = TypeVar("P")
Piece = tuple[str, GraphEntity | GraphRelation]
"""Some of an entity, by its whole name; or a relation."""
_NOT_ALL_SHOWN = "Everything was written; not all of it is shown here. Look it up with open_nodes."


class DropIn:
    """The tools, by their names."""

    def __init__(self, memory: AgentMemory) -> None:
        self._memory = memory
        self._store = Store(memory)

    async def create_entities(self, entities: list[NewGraphEntity]) -> Annotated[CallToolResult, Entities]:
        """Create multiple new entities in the knowledge graph"""
        created: dict[str, GraphEntity] = {}
        claims: list[Mapping[str, Any]] = []
        for entity in entities:
            node = await self._store.node(entity.name)
            if normalise_name(entity.name) in created or (node is not None and node.is_marked):
                continue
            created[normalise_name(entity.name)] = entity
            thing = node.thing if node else graph.new_thing(entity.name, entity.entity_type)
            contents = _unknown(entity.observations, node)
            claims += [graph.entity_claim(thing, entity.entity_type)]
            claims += [graph.observation_claim(thing, content) for content in contents]
        await self._store.tell(claims)
        pieces = [piece for entity in created.values() for piece in _pieces(entity, self._memory.show)]
        return self._written(pieces, lambda part: Entities(entities=_together(part)[0]), "entities")

    async def create_relations(self, relations: list[GraphRelation]) -> Annotated[CallToolResult, Relations]:
        """Create multiple new relations between entities in the knowledge graph. Relations should be in active voice"""
        created: list[GraphRelation] = []
        names = {name for relation in relations for name in (relation.start, relation.to)}
        nodes = {name: await self._store.node(name) for name in names}
        for relation in relations:
            known = any(_is(relation, belief, is_shown_as) for belief in graph.beliefs_of(nodes[relation.start]))
            if not known and relation not in created:
                created.append(relation)
        things = {name: node.thing if node else graph.new_thing(name, "") for name, node in nodes.items()}
        await self._store.tell(
            graph.relation_claim(things[relation.start], relation.relation_type, things[relation.to])
            for relation in created
        )
        shown = [_shortened(relation, self._memory.show) for relation in created]
        return self._written(shown, lambda part: Relations(relations=list(part)), "relations")

    async def add_observations(
        self, observations: list[NewObservations]
    ) -> Annotated[CallToolResult, AddedObservations]:
        """Add new observations to existing entities in the knowledge graph"""
        claims: list[Mapping[str, Any]] = []
        pieces: list[tuple[int, AddedToEntity]] = []
        show = self._memory.show
        for at, given in enumerate(observations):
            node = await self._store.node(given.entity_name)
            if node is None:
                raise NotFound(f"Entity with name {given.entity_name} not found.")
            new = _unknown(given.contents, node)
            claims += [graph.observation_claim(node.thing, content) for content in new]
            texts = [[], *([show.text(content)] for content in new)]
            name = show.name(given.entity_name)
            pieces += [(at, AddedToEntity(entity_name=name, added_observations=text)) for text in texts]
        await self._store.tell(claims)
        return self._written(pieces, lambda part: AddedObservations(results=_joined(part)), "results")

    async def delete_entities(
        self,
        entity_names: Annotated[
            list[str], Field(alias="entityNames", description="An array of entity names to delete")
        ],
    ) -> Annotated[CallToolResult, Deleted]:
        """Delete multiple entities and their associated relations from the knowledge graph"""
        for name in entity_names:
            while (node := await self._store.node(name)) is not None:
                await self._store.reject(node.beliefs, "delete_entities")
                if not await self._is_less(node):
                    break
        return _deleted("Entities deleted successfully")

    async def delete_observations(self, deletions: list[Deletion]) -> Annotated[CallToolResult, Deleted]:
        """Delete specific observations from entities in the knowledge graph"""
        gone: dict[str, BeliefOut] = {}
        for deletion in deletions:
            beliefs = graph.beliefs_of(await self._store.node(deletion.entity_name))
            gone |= {belief.id: belief for given in deletion.observations for belief in _observed(given, beliefs)}
        await self._store.reject(gone.values(), "delete_observations")
        return _deleted("Observations deleted successfully")

    async def delete_relations(
        self, relations: Annotated[list[GraphRelation], Field(description="An array of relations to delete")]
    ) -> Annotated[CallToolResult, Deleted]:
        """Delete multiple relations from the knowledge graph"""
        gone: dict[str, BeliefOut] = {}
        for relation in relations:
            beliefs = graph.beliefs_of(await self._store.node(relation.start))
            gone |= {belief.id: belief for belief in _related(relation, beliefs)}
        await self._store.reject(gone.values(), "delete_relations")
        return _deleted("Relations deleted successfully")

    async def read_graph(self, cursor: CursorOption = None) -> Annotated[CallToolResult, KnowledgeGraph]:
        """Read the entire knowledge graph"""
        page = page_of(cursor, "read_graph")
        believed = await self._store.beliefs(at=self._memory.as_of(page))
        return self._shown(_Picture.of(believed.beliefs), page, believed)

    async def search_nodes(
        self,
        query: Annotated[
            str,
            Field(description="The search query to match against entity names, types, and observation content"),
        ],
        cursor: CursorOption = None,
    ) -> Annotated[CallToolResult, KnowledgeGraph]:
        """Search for nodes in the knowledge graph based on a query"""
        page = page_of(cursor, "search_nodes", query)
        at = self._memory.as_of(page)
        believed = await self._store.beliefs(at=at)
        hits = await self._store.facts_by_words(query, believed.at(at)) if query.strip() else []
        known = {belief.id for belief in believed.beliefs}
        picture = _Picture.of([*believed.beliefs, *(hit for hit in hits if hit.id not in known)])
        names = [name for name in picture.names if picture.has_words(name, query)]
        names += [hit.subject.name for hit in hits if not graph.is_named(hit.subject.name, names)]
        return self._shown(picture.around(names), page, believed)

    async def open_nodes(
        self,
        names: Annotated[list[str], Field(description="An array of entity names to retrieve")],
        cursor: CursorOption = None,
    ) -> Annotated[CallToolResult, KnowledgeGraph]:
        """Open specific nodes in the knowledge graph by their names"""
        page = page_of(cursor, "open_nodes", *names)
        at, nodes, believed = self._memory.as_of(page), list[GraphNode](), BeliefsAsOf()
        for name in dict.fromkeys(names):
            if (node := await self._store.node(name, at)) is not None:
                nodes.append(node)
                believed = replace(node.believed, complete=believed.complete and node.believed.complete)
                at = believed.at(at)
        beliefs = {belief.id: belief for node in nodes for belief in node.beliefs}
        picture = _Picture.of(beliefs.values()).around([node.name for node in nodes])
        return self._shown(picture, page, believed)

    async def _is_less(self, node: GraphNode) -> bool:
        """Whether rejecting left nothing of what was there; else somebody else owns the rest."""
        believed = await self._store.beliefs(node.id)
        return not {belief.id for belief in believed.beliefs} & {belief.id for belief in node.beliefs}

    def _shown(self, picture: "_Picture", page: PagePosition, believed: BeliefsAsOf) -> CallToolResult:
        pieces = picture.pieces(self._memory.show)
        listed = name_of_list(piece.model_dump_json() for _, piece in pieces)
        beyond = "" if believed.complete else "There is more than can be read at once: use search_nodes and open_nodes."

        def build(count: int) -> KnowledgeGraph:
            entities, relations = _together(pieces[page.start : page.start + count])
            more = rest(page, count, len(pieces), believed, listed, beyond)
            return KnowledgeGraph(entities=entities, relations=relations, **more)

        return as_answer(fitting(len(pieces) - page.start, self._memory.budget, build))

    def _written(self, pieces: Sequence[P], join: Callable[[Sequence[P]], WriteAnswer], field: str) -> CallToolResult:
        """An answer whose text is a list, as that of the official server; where that is too long, all of the answer."""

        def build(count: int) -> WriteAnswer:
            left_out = None if count >= len(pieces) else _NOT_ALL_SHOWN
            return join(pieces[:count]).model_copy(update={"left_out": left_out})

        answer = fitting(len(pieces), self._memory.budget, build)
        return as_answer(answer, plain(answer)[field] if answer.left_out is None else None)


@dataclass(frozen=True, slots=True)
class _Picture:
    """Entities by their keys, each with its type and observations, and relations between them."""

    entities: Mapping[str, GraphEntity]
    relations: Sequence[GraphRelation]

    @classmethod
    def of(cls, beliefs: Iterable[BeliefOut]) -> "_Picture":
        entities: dict[str, GraphEntity] = {}
        relations: list[GraphRelation] = []
        for belief in beliefs:
            for end in filter(None, (belief.subject, belief.object)):
                seen = GraphEntity(name=end.name, entity_type=end.type, observations=[])
                entities.setdefault(normalise_name(end.name), seen)
            key = normalise_name(belief.subject.name)
            if belief.predicate == graph.MARK and belief.object is None:
                entities[key] = entities[key].model_copy(update={"entity_type": str(belief.value)})
            elif belief.object is not None:
                relations.append(_relation(belief))
            elif (content := graph.observation_of(belief)) not in (None, *entities[key].observations):
                entities[key].observations.append(str(content))
        return cls(entities, list(dict.fromkeys(relations)))

    @property
    def names(self) -> list[str]:
        return [entity.name for entity in self.entities.values()]

    def has_words(self, name: str, query: str) -> bool:
        """Whether a query stands in the name, the type or an observation of an entity, in any case."""
        entity, words = self.entities[normalise_name(name)], query.lower()
        return any(words in text.lower() for text in (entity.name, entity.entity_type, *entity.observations))

    def around(self, names: Iterable[str]) -> "_Picture":
        """Some entities, and the relations that have at least one of them as an end."""
        keys = list(dict.fromkeys(map(normalise_name, names)))
        kept = {key: self.entities[key] for key in keys if key in self.entities}
        touching = [
            relation
            for relation in self.relations
            if normalise_name(relation.start) in kept or normalise_name(relation.to) in kept
        ]
        return _Picture(kept, touching)

    def pieces(self, show: Presenter) -> list[Piece]:
        """What fills pages, in order: entities in pieces, then relations."""
        entities = [piece for entity in self.entities.values() for piece in _pieces(entity, show)]
        return [*entities, *(("", _shortened(relation, show)) for relation in self.relations)]


def _pieces(entity: GraphEntity, show: Presenter) -> list[tuple[str, GraphEntity]]:
    """An entity, and each of its observations by itself."""
    names = {"name": show.name(entity.name), "entity_type": show.name(entity.entity_type)}
    alone = entity.model_copy(update={**names, "observations": []})
    texts = map(show.text, entity.observations)
    parts = [alone, *(alone.model_copy(update={"observations": [text]}) for text in texts)]
    return [(entity.name, part) for part in parts]


def _shortened(relation: GraphRelation, show: Presenter) -> GraphRelation:
    return relation.model_copy(update={field: show.name(name) for field, name in relation})


def _together(pieces: Iterable[Piece]) -> tuple[list[GraphEntity], list[GraphRelation]]:
    """Pieces of one entity as one again."""
    entities: dict[str, GraphEntity] = {}
    relations: list[GraphRelation] = []
    for name, piece in pieces:
        if isinstance(piece, GraphRelation):
            relations.append(piece)
        else:
            observations = [*(entities[name].observations if name in entities else ()), *piece.observations]
            entities[name] = piece.model_copy(update={"observations": observations})
    return list(entities.values()), relations


def _joined(pieces: Iterable[tuple[int, AddedToEntity]]) -> list[AddedToEntity]:
    """Pieces of what was added at one place as one again."""
    added: dict[int, AddedToEntity] = {}
    for at, piece in pieces:
        texts = [*(added[at].added_observations if at in added else ()), *piece.added_observations]
        added[at] = piece.model_copy(update={"added_observations": texts})
    return list(added.values())


def _unknown(contents: Iterable[str], node: GraphNode | None) -> list[str]:
    """Observations that an entity does not have."""
    known = {graph.observation_of(belief) or "" for belief in graph.beliefs_of(node)}
    return [content for content in dict.fromkeys(contents) if not any(is_shown_as(text, content) for text in known)]


def _observed(given: str, beliefs: Iterable[BeliefOut]) -> list[BeliefOut]:
    """What is shown as this observation."""
    texts = [(belief, text) for belief in beliefs if (text := graph.observation_of(belief)) is not None]
    exact = [belief for belief, text in texts if text == given]
    shown = {text for _, text in texts if is_shown_as(text, given)}
    if not exact and len(shown) > 1:
        raise _several(len(shown), "observations", given)
    return exact or [belief for belief, text in texts if text in shown]


def _related(relation: GraphRelation, beliefs: Iterable[BeliefOut]) -> list[BeliefOut]:
    """What is shown as this relation."""
    exact = [belief for belief in beliefs if _is(relation, belief)]
    shown = [belief for belief in beliefs if _is(relation, belief, is_shown_as)]
    if not exact and len(set(map(_relation, shown))) > 1:
        raise _several(len(shown), "relations", f"{relation.start} {relation.relation_type} {relation.to}")
    return exact or shown


def _several(count: int, what: str, given: str) -> Conflict:
    return Conflict(
        f"{count} {what} are shown by the same cut text, which begins with {given[:60]!r}. Give the whole text of the "
        "one that is meant, or ask the user to raise mcp.max_tokens until they are not cut."
    )


def _relation(belief: BeliefOut) -> GraphRelation:
    assert belief.object is not None  # noqa: S101 - the caller looked
    return GraphRelation(start=belief.subject.name, to=belief.object.name, relation_type=belief.predicate)


def _is(relation: GraphRelation, belief: BeliefOut, is_it: Callable[[str, str], bool] = str.__eq__) -> bool:
    """Whether a belief is this relation; ``is_it`` says so of a text and how it is given."""

    def is_named(name: str, given: str) -> bool:
        return graph.is_named(name, [given]) or is_it(name, given)

    return (
        belief.object is not None
        and is_it(belief.predicate, relation.relation_type)
        and is_named(belief.subject.name, relation.start)
        and is_named(belief.object.name, relation.to)
    )


def _deleted(message: str) -> CallToolResult:
    return as_answer(Deleted(success=True, message=message), message)
