"""Whatever somebody made of a property: what is read of it is a row, or is left out and named. It is never an error."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st
from neo4j.time import Date, DateTime, Duration

from graphmem.model.scope import Scope
from graphmem.store.belief import SubgraphRow
from graphmem.store.queries import Query
from graphmem.store.reading import read
from graphmem.store.rows.digest import ClaimRow
from graphmem.store.rows.entity import EntityRow
from graphmem.store.rows.episode import EpisodeRow

AT = "2025-01-01T00:00:00Z"
SCOPE = Scope("g", datetime(2026, 1, 1, tzinfo=UTC), user="ann")
ID = "0" * 32
CLAIM: dict[str, Any] = {
    "id": ID,
    "group_id": "g",
    "episode_id": ID,
    "kind": "starts",
    "subject_id": ID,
    "predicate": "likes",
    "object_id": None,
    "value": "tea",
    "statement": "s",
    "quote": "q",
    "quote_start": 0,
    "quote_end": 1,
    "valid_from": AT,
    "valid_to": "9999-12-31T23:59:59.999999Z",
    "from_stated": True,
    "to_stated": False,
    "said_at": AT,
    "turn": [-1, 0],
    "from_precision": 31,
    "beside": False,
    "confidence": 0.5,
    "importance": 0.5,
    "user": "",
    "category": "",
    "session": "",
    "attributes": "{}",
    "extractor": "e",
    "extractor_version": "1",
    "revision": 0,
    "open": False,
    "day": "",
    "event_to": None,
    "asserted_by": "person",
    "protecting": False,
    "cap": None,
    "gave_way_to": "",
    "time_unread": "",
    "recorded_at": AT,
    "retracted_at": "9999-12-31T23:59:59.999999Z",
}
EVIDENCE: dict[str, Any] = {
    "claim_id": ID,
    "kind": "starts",
    "episode_id": ID,
    "quote": "q",
    "quote_start": 0,
    "quote_end": 1,
    "said_at": AT,
    "recorded_at": AT,
    "confidence": 0.5,
    "redacted": False,
    "attribute_keys": [],
    "attribute_values": [],
}
BELIEF: dict[str, Any] = {
    **{name: CLAIM[name] for name in ("id", "subject_id", "predicate", "object_id", "value", "user", "statement")},
    **{name: CLAIM[name] for name in ("attributes", "confidence", "importance", "from_stated", "to_stated")},
    **{name: CLAIM[name] for name in ("valid_from", "valid_to", "recorded_at", "open", "day", "event_to")},
    "kind": "fact",
    "belief_id": ID,
    "target": ID,
    "evidence": [EVIDENCE],
    "faded": False,
    "shared": False,
    "cut_by": ID,
    "to_inferred": True,
    "ended_by": {"claim_id": ID, "statement": "s", "at": AT},
    "attribute_keys": [],
    "attribute_values": [],
    "category": "",
    "contested": False,
    "superseded_at": CLAIM["valid_to"],
    "protected": False,
    "rejected_before": None,
    "rejected_turn": None,
    "rejected_start": None,
    "dropped_before": None,
    "dropped_turn": None,
    "dropped_start": None,
    "fades_at": AT,
    "audience": "",
}
BOUND: dict[str, Any] = {
    "id": ID,
    "bound": "begins",
    "subject_id": ID,
    "user": "",
    "predicate": "born_on",
    "value": "1990",
    "from_stated": True,
    "valid_from": AT,
    "valid_to": CLAIM["valid_to"],
}
SAID_TYPES: dict[str, Any] = {"types": ["person"], "types_by": [1], "types_said_at": [AT], "types_at": [AT]}
ENTITY: dict[str, Any] = {
    "id": ID,
    "said_types": SAID_TYPES,
    "key": "maya",
    "qualifier": "",
    "names": ["Maya"],
    "names_at": [AT],
    "recorded_at": AT,
    "part_of": None,
    "bounds": [BOUND],
    "protected_at": [],
    "shown": [{"name": "May", "valid_from": AT, "valid_to": AT}],
    "known": [{"id": ID, "names": ["Maya"], "names_at": [AT], "said_at": [AT], "said_types": SAID_TYPES}],
}
EPISODE: dict[str, Any] = {
    "id": ID,
    "status": "digested",
    "attempts": 0,
    "leases": 0,
    "error": None,
    "recorded_at": AT,
    "digested_at": None,
    "outcome": '{"claims": 1}',
    "revision": 0,
    "reprocessing": None,
    "cursor": '{"chars_read": 3}',
    "vectors_pending": False,
    "replaced_at": None,
    "replaced_by": None,
    "episode": {
        "group_id": "g",
        "session": "s",
        "content": "c",
        "content_type": "message",
        "role": "user",
        "speaker": None,
        "user": "",
        "agent": None,
        "subject": None,
        "source": None,
        "tags": [],
        "metadata": "{}",
        "sequence": None,
        "position": 0,
        "occurrence": 0,
        "external_id": None,
        "idempotency_key": None,
        "item": None,
        "payload": None,
        "remember": False,
        "revises": None,
        "redacted_at": None,
        "redacted_as": [],
        "occurred_at": AT,
        "time_zone": "UTC",
    },
}
ROWS = (
    (ClaimRow, {"claim": CLAIM}),
    (SubgraphRow, {"beliefs": [BELIEF], "entities": [ENTITY]}),
    (EntityRow, {"entity": ENTITY}),
    (EpisodeRow, {"episode": EPISODE}),
)
_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.text(max_size=20),
    st.binary(max_size=5),
    st.sampled_from([AT, "{", "[]", "null", '{"a": NaN}', "starts", "lowers", "9999-12-31T23:59:59.999999Z", "ends"]),
    st.just(DateTime(2025, 1, 1)),
    st.just(Date(2025, 1, 1)),
    st.just(Duration(days=1)),
)
MESS = st.one_of(_SCALARS, st.lists(_SCALARS, max_size=3))
"""What a property of Neo4j can hold."""


def spoilt(record: Any, place: st.DataObject) -> Any:
    """The same with another value somewhere."""
    if isinstance(record, dict):
        record = cast("dict[str, Any]", record)
        name = place.draw(st.sampled_from(sorted(record)))
        return {**record, name: spoilt(record[name], place)}
    if isinstance(record, list) and record and isinstance(record[0], Mapping) and place.draw(st.booleans()):
        return [spoilt(record[0], place), *record[1:]]
    return place.draw(MESS)


@given(place=st.data())
def test_a_row_with_any_mess_in_it_is_read_or_left_out(place: st.DataObject) -> None:
    for row, record in ROWS:
        query = Query("q", "RETURN 1", "read", "many", row.__name__, (), "", None, None, frozenset(), "q.cypher:1")
        broken = spoilt(spoilt(record, place), place) if place.draw(st.booleans()) else spoilt(record, place)
        found = read(query, row, [record, broken, record])
        assert [number for number, _ in found.rows] in ([0, 1, 2], [0, 2])
        assert len(found.rows) == 3 or any(not one.path for one in found.damaged)
        for one in found.readable:
            assert json.dumps(str(one.entity.to_domain(SCOPE) if isinstance(one, EntityRow) else one))
