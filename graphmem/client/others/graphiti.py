"""Graphiti's edges as claims with both times, and its episodes as ours.

Graphiti keeps one row of an edge, and writes into it. Of its times, ``created_at`` says since when the fact was known,
``valid_at`` and ``invalid_at`` when it was true, and ``expired_at`` when the end was learnt: until then it was known
without an end, and since then with it. So an edge is a claim recorded at ``created_at``, and, if its end came later,
another one in its place from ``expired_at`` on.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from heapq import merge

from graphmem.client.others.steps import Body, Step
from graphmem.model.export import text_of
from graphmem.model.graphiti import GraphitiEdge, GraphitiEpisode

SOURCE = "graphiti"
NEVER_HELD = "edges that hold at no time"
WITHOUT_CONTENT = "episodes of which Graphiti kept no content"
_ANY_TYPE = "thing"
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NO_LETTER = re.compile(r"\W+")
_NO_TYPE = re.compile(r"[^a-z0-9_-]+")
_MOST_ATTRIBUTES = 64


def steps(
    edges: Iterable[GraphitiEdge], ended: Iterable[GraphitiEdge], user: str | None, left_out: Counter[str]
) -> Iterator[Step]:
    """What Graphiti held, step by step; ``left_out`` counts edges that it never held to be true.

    ``edges`` come in the order in which they were made, and those whose end was learnt later, ``ended``, in the order
    of that.
    """
    return merge(_begun(edges, user, left_out), _over(ended, user), key=lambda step: step.at)


def _begun(edges: Iterable[GraphitiEdge], user: str | None, left_out: Counter[str]) -> Iterator[Step]:
    for edge in edges:
        if edge.ends_later:
            yield Step(at=edge.created_at, claim=_claim(edge, None, user))
        elif edge.is_empty or (edge.expired_at is not None and edge.invalid_at is None):
            left_out[NEVER_HELD] += 1
        else:
            yield Step(at=edge.created_at, claim=_claim(edge, edge.invalid_at, user))


def _over(edges: Iterable[GraphitiEdge], user: str | None) -> Iterator[Step]:
    for edge in edges:
        if edge.expired_at is not None and edge.ends_later:
            told = edge.invalid_at is not None and not edge.is_empty
            instead = _claim(edge, edge.invalid_at, user) if told else None
            yield Step(at=edge.expired_at, claim=_claim(edge, None, user), ends=True, instead=instead)


def _claim(edge: GraphitiEdge, until: datetime | None, user: str | None) -> Body:
    """The claim that an edge holds ``until`` then, under a name of its own; None is an open end."""
    return {
        "subject": {"name": edge.source, "type": type_of(edge.source_labels)},
        "predicate": predicate_of(edge.name),
        "object": {"name": edge.target, "type": type_of(edge.target_labels)},
        "statement": edge.fact or None,
        "valid_from": None if edge.valid_at is None else text_of(edge.valid_at),
        "valid_to": None if until is None else text_of(until),
        "occurred_at": text_of(edge.said_at),
        "user": user,
        "source": SOURCE,
        "external_id": edge.uuid if until is None else f"{edge.uuid}:{text_of(until)}",
        "attributes": dict(_attributes(edge)),
    }


def _attributes(edge: GraphitiEdge) -> list[tuple[str, str | int | float | bool]]:
    """What the type of an edge says of it beside, where it is a plain value."""
    plain = [(name, value) for name, value in edge.attributes if isinstance(value, str | int | float | bool)]
    return [(name, value) for name, value in plain if value != ""][:_MOST_ATTRIBUTES]


def predicate_of(name: str) -> str:
    """The name of an edge as our predicates are written: WORKS_AT and WorksAt are works_at."""
    return _NO_LETTER.sub("_", _HUMP.sub("_", name)).strip("_").lower() or "related_to"


def type_of(labels: Iterable[str]) -> str:
    """The type that the labels of an entity say, beside the one that all have; ``thing`` where there is none."""
    own = sorted(label for label in labels if label != "Entity")
    written = _NO_TYPE.sub("_", _HUMP.sub("_", own[0]).lower()).strip("_-") if own else ""
    return written[:64] if written[:1].isalpha() else _ANY_TYPE


def episodes(read: Iterable[GraphitiEpisode], user: str | None, left_out: Counter[str]) -> Iterator[Body]:
    """Episodes, verbatim; those without content are counted in ``left_out``."""
    for episode in read:
        if not episode.content.strip():
            left_out[WITHOUT_CONTENT] += 1
            continue
        yield {
            "content": episode.content,
            "occurred_at": text_of(episode.valid_at),
            "content_type": "message" if episode.source == "message" else "text",
            "user": user,
            "source": episode.source_description.strip()[:512] or SOURCE,
            "external_id": episode.uuid,
        }
