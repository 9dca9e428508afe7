"""The graph as a picture to move; only this module knows neo4j-viz, and imports it where it draws."""
# ruff: noqa: PLC0415 - see above
# What IPython leaves untyped:
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false

from typing import TYPE_CHECKING

from graphmem.answers.beliefs import BeliefOut, GraphOut
from graphmem.notebook.tables import Html

if TYPE_CHECKING:
    from neo4j_viz import Node, Relationship

_COLOURS = {
    "person": "#F79767",
    "place": "#57C7E3",
    "organization": "#D9C8AE",
    "product": "#8DCC93",
    "concept": "#F16667",
    "fact": "#ECB5C9",
}
_OTHER_COLOUR = "#A5ABB6"


def graph_picture(graph: GraphOut, *, height: str = "500px") -> Html:
    """An answer of ``GET graph`` to look at and to move: entities coloured by their type."""
    from neo4j_viz import VisualizationGraph

    nodes = [_node(entity.id, entity.name, entity.type) for entity in graph.entities]
    nodes += [_node(belief.id, str(belief.value), "fact") for belief in graph.beliefs if not belief.object]
    picture = VisualizationGraph(nodes, [_relationship(belief) for belief in graph.beliefs])
    types = sorted({node.properties["type"] for node in nodes})
    picture.color_nodes(property="type", colors={name: _COLOURS.get(name, _OTHER_COLOUR) for name in types})
    return Html(str(picture.render(height=height).data))


def _node(id_: str, name: str, type_: str) -> "Node":
    from neo4j_viz import Node

    shown = {"id": id_, "caption": name, "size": 25, "properties": {"name": name, "type": type_}}
    return Node.model_validate(shown)


def _relationship(belief: BeliefOut) -> "Relationship":
    from neo4j_viz import Relationship

    times = belief.model_dump(mode="json", include={"valid_from", "valid_to", "recorded_at", "superseded_at"})
    shown = {
        "id": belief.id,
        "source": belief.subject.id,
        "target": belief.object.id if belief.object else belief.id,
        "caption": belief.predicate,
        "properties": {"statement": belief.statement, **{name: str(time) for name, time in times.items()}},
    }
    return Relationship.model_validate(shown)
