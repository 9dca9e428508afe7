"""The nine tools of the official memory server: the same names, descriptions, arguments and answers, on graphmem.

Deleting says that something was never so: it is believed no more, and its history keeps it.
"""
# ruff: noqa: D415 - descriptions are as there

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from mcp.types import CallToolResult
from pydantic import Field

from graphmem.answers.beliefs import BeliefOut
from graphmem.errors import NotFound
from graphmem.mcp import knowledge_graph as graph
from graphmem.mcp.budget import Page, fitting, page_of, plain
from graphmem.mcp.knowledge_graph import Node, Store
from graphmem.mcp.memory import Memory, as_answer, rest
from graphmem.mcp.own import CursorOption
from graphmem.mcp.shown import Paged, Shown
from graphmem.model.entity import normalise_name

Name = Annotated[str, Field(min_length=1, max_length=512)]


class Entity(Shown):
    name: Annotated[Name, Field(description="The name of the entity")]
    entity_type: Annotated[str, Field(alias="entityType", description="The type of the entity")]
    observations: Annotated[list[str], Field(description="An array of observation contents associated with the entity")]


class Relation(Shown):
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


class Entities(Shown):
    entities: list[Entity]


class Relations(Shown):
    relations: list[Relation]


class Added(Shown):
    entity_name: Annotated[str, Field(alias="entityName")]
    added_observations: Annotated[list[str], Field(alias="addedObservations")]


class AddedObservations(Shown):
    results: list[Added]


class Deleted(Shown):
    success: bool
    message: str


class KnowledgeGraph(Paged):
    """``left_out`` and ``next_cursor`` are there only where the graph is too much for one answer."""

    entities: list[Entity]
    relations: list[Relation]


class DropIn:
    """The tools, by their names."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._store = Store(memory)

    async def create_entities(self, entities: list[Entity]) -> Annotated[CallToolResult, Entities]:
        """Create multiple new entities in the knowledge graph"""
        made: dict[str, Entity] = {}
        claims: list[Mapping[str, Any]] = []
        for entity in entities:
            node = await self._store.node(entity.name)
            if normalise_name(entity.name) in made or (node is not None and node.is_marked):
                continue
            made[normalise_name(entity.name)] = entity
            thing = node.thing if node else graph.new_thing(entity.name, entity.entity_type)
            contents = dict.fromkeys(entity.observations)
            claims += [graph.marked(thing, entity.entity_type), *(graph.observed(thing, one) for one in contents)]
        await self._store.tell(claims)
        answer = Entities(entities=list(made.values()))
        return as_answer(answer, plain(answer)["entities"])

    async def create_relations(self, relations: list[Relation]) -> Annotated[CallToolResult, Relations]:
        """Create multiple new relations between entities in the knowledge graph. Relations should be in active voice"""
        made: list[Relation] = []
        nodes: dict[str, Node | None] = {}
        for name in {name for one in relations for name in (one.start, one.to)}:
            nodes[name] = await self._store.node(name)
        for one in relations:
            node = nodes[one.start]
            if one not in made and not any(_is(one, belief) for belief in (node.beliefs if node else ())):
                made.append(one)
        things = {name: node.thing if node else graph.new_thing(name, "") for name, node in nodes.items()}
        await self._store.tell(graph.related(things[one.start], one.relation_type, things[one.to]) for one in made)
        answer = Relations(relations=made)
        return as_answer(answer, plain(answer)["relations"])

    async def add_observations(
        self, observations: list[NewObservations]
    ) -> Annotated[CallToolResult, AddedObservations]:
        """Add new observations to existing entities in the knowledge graph"""
        results: list[Added] = []
        claims: list[Mapping[str, Any]] = []
        for one in observations:
            node = await self._store.node(one.entity_name)
            if node is None:
                raise NotFound(f"Entity with name {one.entity_name} not found.")
            known = {graph.observation_of(belief) for belief in node.beliefs}
            new = [content for content in dict.fromkeys(one.contents) if content not in known]
            claims += [graph.observed(node.thing, content) for content in new]
            results.append(Added(entity_name=one.entity_name, added_observations=new))
        await self._store.tell(claims)
        answer = AddedObservations(results=results)
        return as_answer(answer, plain(answer)["results"])

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
        for one in deletions:
            node = await self._store.node(one.entity_name)
            beliefs = node.beliefs if node else ()
            gone = [belief for belief in beliefs if graph.observation_of(belief) in one.observations]
            await self._store.reject(gone, "delete_observations")
        return _deleted("Observations deleted successfully")

    async def delete_relations(
        self, relations: Annotated[list[Relation], Field(description="An array of relations to delete")]
    ) -> Annotated[CallToolResult, Deleted]:
        """Delete multiple relations from the knowledge graph"""
        for one in relations:
            node = await self._store.node(one.start)
            gone = [belief for belief in (node.beliefs if node else ()) if _is(one, belief)]
            await self._store.reject(gone, "delete_relations")
        return _deleted("Relations deleted successfully")

    async def read_graph(self, cursor: CursorOption = None) -> Annotated[CallToolResult, KnowledgeGraph]:
        """Read the entire knowledge graph"""
        beliefs, complete = await self._store.beliefs()
        return self._shown(_Picture.of(beliefs), page_of(cursor, "read_graph"), complete=complete)

    async def search_nodes(
        self,
        query: Annotated[
            str,
            Field(description="The search query to match against entity names, types, and observation content"),
        ],
        cursor: CursorOption = None,
    ) -> Annotated[CallToolResult, KnowledgeGraph]:
        """Search for nodes in the knowledge graph based on a query"""
        beliefs, complete = await self._store.beliefs()
        hits = await self._store.facts_by_words(query) if query.strip() else []
        known = {belief.id for belief in beliefs}
        picture = _Picture.of([*beliefs, *(hit for hit in hits if hit.id not in known)])
        names = [name for name in picture.names if picture.has_words(name, query)]
        names += [hit.subject.name for hit in hits if not graph.is_named(hit.subject.name, names)]
        return self._shown(picture.around(names), page_of(cursor, "search_nodes", query), complete=complete)

    async def open_nodes(
        self,
        names: Annotated[list[str], Field(description="An array of entity names to retrieve")],
        cursor: CursorOption = None,
    ) -> Annotated[CallToolResult, KnowledgeGraph]:
        """Open specific nodes in the knowledge graph by their names"""
        nodes = [node for name in dict.fromkeys(names) if (node := await self._store.node(name)) is not None]
        beliefs = {belief.id: belief for node in nodes for belief in node.beliefs}
        picture = _Picture.of(beliefs.values()).around([node.name for node in nodes])
        return self._shown(picture, page_of(cursor, "open_nodes", *names), complete=True)

    async def _is_less(self, node: Node) -> bool:
        """Whether rejecting left nothing of what was there; else somebody else owns the rest."""
        beliefs, _ = await self._store.beliefs(node.id)
        return not {one.id for one in beliefs} & {one.id for one in node.beliefs}

    def _shown(self, picture: "_Picture", page: Page, *, complete: bool) -> CallToolResult:
        pieces = picture.pieces(self._memory.show.text)
        beyond = "" if complete else "There is more than can be read at once: use search_nodes and open_nodes."

        def build(count: int) -> KnowledgeGraph:
            entities, relations = _together(pieces[page.start : page.start + count])
            return KnowledgeGraph(
                entities=entities, relations=relations, **rest(page, count, len(pieces), beyond=beyond)
            )

        return as_answer(fitting(len(pieces) - page.start, self._memory.budget, build))


@dataclass(frozen=True, slots=True)
class _Picture:
    """Entities by their keys, each with its type and observations, and relations between them."""

    entities: Mapping[str, Entity]
    relations: Sequence[Relation]

    @classmethod
    def of(cls, beliefs: Iterable[BeliefOut]) -> "_Picture":
        entities: dict[str, Entity] = {}
        relations: list[Relation] = []
        for belief in beliefs:
            for end in filter(None, (belief.subject, belief.object)):
                seen = Entity(name=end.name, entity_type=end.type, observations=[])
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
        ends = [one for one in self.relations if {normalise_name(one.start), normalise_name(one.to)} & kept.keys()]
        return _Picture(kept, ends)

    def pieces(self, shorten: Callable[[str], str]) -> list[Entity | Relation]:
        """What fills pages, in order: each entity, each of its observations by itself, then relations."""
        found: list[Entity | Relation] = []
        for entity in self.entities.values():
            found.append(entity.model_copy(update={"observations": []}))
            found += [
                entity.model_copy(update={"observations": [shorten(observation)]})
                for observation in entity.observations
            ]
        return [*found, *self.relations]


def _together(pieces: Iterable[Entity | Relation]) -> tuple[list[Entity], list[Relation]]:
    """Pieces of one entity as one again."""
    entities: dict[str, Entity] = {}
    relations: list[Relation] = []
    for piece in pieces:
        if isinstance(piece, Relation):
            relations.append(piece)
            continue
        seen = entities.get(piece.name)
        observations = [*(seen.observations if seen else ()), *piece.observations]
        entities[piece.name] = piece.model_copy(update={"observations": observations})
    return list(entities.values()), relations


def _relation(belief: BeliefOut) -> Relation:
    assert belief.object is not None  # noqa: S101 - the caller looked
    return Relation(start=belief.subject.name, to=belief.object.name, relation_type=belief.predicate)


def _is(relation: Relation, belief: BeliefOut) -> bool:
    """Whether a belief is this relation."""
    return (
        belief.object is not None
        and belief.predicate == relation.relation_type
        and graph.is_named(belief.subject.name, [relation.start])
        and graph.is_named(belief.object.name, [relation.to])
    )


def _deleted(message: str) -> CallToolResult:
    return as_answer(Deleted(success=True, message=message), message)
