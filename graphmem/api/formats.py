"""A graph for other tools: GraphML for graph viewers, CSV for tables."""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from typing import Literal
from xml.etree import ElementTree as ET

from graphmem.answers.beliefs import BeliefOut, GraphOut, Happened

Format = Literal["json", "graphml", "csv"]
MEDIA_TYPES: Mapping[Format, str] = {
    "json": "application/json",
    "graphml": "application/graphml+xml",
    "csv": "text/csv",
}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NODE_KEYS = ("name", "type", "existed", "valid_from", "valid_to", "value")
_EDGE_KEYS = (
    "predicate",
    "statement",
    "valid_from",
    "valid_to",
    "recorded_at",
    "superseded_at",
    "confidence",
    "contested",
    "attributes",
    "category",
    "open",
    "status",
    "event",
)
_COLUMNS = (
    "id",
    "belief_id",
    "kind",
    "subject_id",
    "subject_type",
    "subject",
    "predicate",
    "object_id",
    "object_type",
    "object",
    "value",
    *_EDGE_KEYS[1:],
    "user",
    "episodes",
)


def chosen_format(asked: Format | None, accept: str) -> Format:
    """``format=`` wins over the Accept header; JSON where neither says otherwise."""
    if asked is not None:
        return asked
    wanted = {part.partition(";")[0].strip().lower() for part in accept.split(",")}
    accepted: list[Format] = [name for name, media_type in MEDIA_TYPES.items() if media_type in wanted]
    return accepted[0] if accepted else "json"


def graphml(graph: GraphOut) -> bytes:
    """Entities are nodes; a fact is a node too, whose type is ``fact``, at the end of an edge."""
    root = ET.Element("graphml", xmlns="http://graphml.graphdrawing.org/xmlns")
    for domain, names in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for name in names:
            attributes = {"id": f"{domain}-{name}", "for": domain, "attr.name": name, "attr.type": "string"}
            ET.SubElement(root, "key", attributes)
    tree = ET.SubElement(root, "graph", edgedefault="directed")
    for entity in graph.entities:
        _add(tree, "node", {"id": entity.id}, {name: getattr(entity, name, None) for name in _NODE_KEYS})
    for belief in graph.beliefs:
        if belief.object is None:
            _add(tree, "node", {"id": f"fact-{belief.id}"}, {"type": "fact", "value": belief.value})
    for belief in graph.beliefs:
        target = belief.object.id if belief.object else f"fact-{belief.id}"
        ends = {"id": belief.id, "source": belief.subject.id, "target": target}
        _add(tree, "edge", ends, {name: getattr(belief, name) for name in _EDGE_KEYS})
    return ET.tostring(root, encoding="utf-8", xml_declaration=True)


def beliefs_csv(graph: GraphOut) -> bytes:
    """One belief a row, with the episodes behind it."""
    text = io.StringIO(newline="")
    table: csv.DictWriter[str] = csv.DictWriter(text, _COLUMNS)
    table.writeheader()
    table.writerows(_rows(graph.beliefs))
    return text.getvalue().encode()


def _rows(beliefs: Iterable[BeliefOut]) -> Iterable[dict[str, str]]:
    for belief in beliefs:
        ends = {"subject": belief.subject, "object": belief.object}
        row: dict[str, object] = {name: getattr(belief, name, None) for name in _COLUMNS}
        for name, end in ends.items():
            row[name] = end and end.name
            row[f"{name}_id"] = end and end.id
            row[f"{name}_type"] = end and end.type
        row["episodes"] = " ".join(dict.fromkeys(evidence.episode_id for evidence in belief.evidence))
        yield {name: _cell(value) for name, value in row.items()}


def _cell(value: object) -> str:
    """A value as a cell: a text that a spreadsheet would run as a formula stands behind an apostrophe."""
    text = _text(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text


def _add(parent: ET.Element, tag: str, attributes: dict[str, str], values: Mapping[str, object]) -> None:
    element = ET.SubElement(parent, tag, attributes)
    for name, value in values.items():
        if value is not None:
            ET.SubElement(element, "data", key=f"{tag}-{name}").text = _NOT_XML.sub("\ufffd", _text(value))


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""
    if isinstance(value, Happened):
        return f"{_text(value.from_)}/{_text(value.to)}"
    isoformat = getattr(value, "isoformat", None)
    return str(isoformat()).replace("+00:00", "Z") if isoformat else str(value)
