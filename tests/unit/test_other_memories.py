"""What Graphiti and mem0 keep, as what an importing group is told."""

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import TypeAdapter

from graphmem.answers.claims import AcceptedClaims, ClaimReceipt
from graphmem.answers.groups import GroupOut
from graphmem.api.schemas.claims import ClaimIn
from graphmem.api.schemas.episodes import EpisodeIn
from graphmem.client import GraphmemClient
from graphmem.client.cli.importing import Handed, tell
from graphmem.client.others import graphiti, mem0
from graphmem.client.others.steps import Step
from graphmem.errors import ConfigurationError, InvalidInput
from graphmem.model.export import text_of
from graphmem.model.graphiti import GraphitiEdge, GraphitiEpisode
from graphmem.store.graphiti import GraphitiReader
from graphmem.store.queries import cypher_root, load_queries
from tests.others import day, edge, ended

JANUARY, MARCH, MAY = day(1, year=2025), day(3, year=2025), day(5, year=2025)
_CLAIM = TypeAdapter(ClaimIn)


def steps(*edges: GraphitiEdge, left_out: Counter[str] | None = None) -> list[Step]:
    made = sorted(edges, key=lambda one: one.created_at)
    return list(graphiti.steps(made, ended(edges), None, Counter() if left_out is None else left_out))


def outline(told: list[Step]) -> list[tuple[Any, ...]]:
    """When, what holds from then on, and until when; of what ends, what took its place."""
    return [
        (step.at, step.ends, (step.instead or step.claim)["external_id"], (step.instead or step.claim).get("valid_to"))
        for step in told
    ]


def test_an_edge_is_known_without_its_end_until_that_is_learnt_and_with_it_since() -> None:
    told = steps(edge("a", invalid_at=day(6), expired_at=MARCH), edge("b", target="Norda", created_at=MARCH))
    until = text_of(day(6))
    assert outline(told) == [
        (JANUARY, False, "a", None),
        (MARCH, False, "b", None),
        (MARCH, True, f"a:{until}", until),
    ]
    assert [step.claim["external_id"] for step in told] == ["a", "b", "a"]


def test_an_end_that_came_with_the_edge_is_known_from_the_beginning() -> None:
    until = text_of(day(6))
    assert outline(steps(edge("a", invalid_at=day(6)), edge("b", invalid_at=day(6), expired_at=JANUARY))) == [
        (JANUARY, False, f"a:{until}", until),
        (JANUARY, False, f"b:{until}", until),
    ]


def test_what_expired_without_an_end_or_holds_at_no_time_is_withdrawn_then() -> None:
    told = steps(edge("a", expired_at=MARCH), edge("b", invalid_at=day(1), expired_at=MAY))
    assert [(step.at, step.ends, step.instead) for step in told] == [
        (JANUARY, False, None),
        (JANUARY, False, None),
        (MARCH, True, None),
        (MAY, True, None),
    ]


def test_what_was_never_held_to_be_true_is_counted() -> None:
    left_out = Counter[str]()
    assert steps(edge("a", expired_at=JANUARY), edge("b", invalid_at=day(1)), left_out=left_out) == []
    assert left_out == {graphiti.NEVER_HELD: 2}


def test_an_edge_is_a_claim_that_the_service_takes() -> None:
    (step,) = steps(
        edge(
            "a",
            valid_at=None,
            source_labels=("Person", "Entity"),
            attributes=(("role", "lead"), ("since", day(1)), ("tags", ["x"]), ("note", "")),
        )
    )
    claim = _CLAIM.validate_json(json.dumps(step.told))
    assert (claim.predicate, claim.statement) == ("works_at", "Alice Moreno works_at Vexel")
    assert (claim.subject.type, claim.object and claim.object.type) == ("person", "thing")
    assert (claim.valid_from, claim.recorded_at, claim.occurred_at) == (None, JANUARY, day(1))
    assert claim.start(day(1)) is None
    assert claim.attributes == {"role": "lead"}


@pytest.mark.parametrize(
    ("name", "predicate"),
    [
        ("WORKS_AT", "works_at"),
        ("WorksAt", "works_at"),
        ("works at", "works_at"),
        ("_", "related_to"),
        ("", "related_to"),
    ],
)
def test_names_of_edges_become_predicates(name: str, predicate: str) -> None:
    assert graphiti.predicate_of(name) == predicate


@pytest.mark.parametrize(
    ("labels", "type_"),
    [(["Entity"], "thing"), (["Entity", "SalesOrder"], "sales_order"), (["Entity", "2nd"], "thing")],
)
def test_labels_become_types(labels: list[str], type_: str) -> None:
    assert graphiti.type_of(labels) == type_


def test_episodes_are_verbatim_and_those_without_content_counted() -> None:
    def said(uuid: str, content: str) -> GraphitiEpisode:
        return GraphitiEpisode(uuid=uuid, content=content, source="message", source_description="chat", valid_at=day(2))

    left_out = Counter[str]()
    (body,) = graphiti.episodes([said("a", " Alice: hi\n"), said("b", "")], "maya", left_out)
    episode = EpisodeIn.model_validate_json(json.dumps(body))
    assert (episode.content, episode.external_id, episode.user) == (" Alice: hi\n", "a", "maya")
    assert (episode.occurred_at, left_out) == (day(2), {graphiti.WITHOUT_CONTENT: 1})


def test_queries_of_graphiti_read_and_are_methods() -> None:
    queries = load_queries(cypher_root(), "graphiti")
    assert {query.mode for query in queries.values()} == {"read"}
    assert {name for name in queries if not hasattr(GraphitiReader, name)} == set()


@pytest.mark.parametrize("uri", ["bolt://127.0.0.1:1", "ftp://127.0.0.1:1", "nowhere"])
def test_a_neo4j_that_cannot_be_read_is_said_to_be(uri: str) -> None:
    with (
        pytest.raises(ConfigurationError, match="Check its URI"),
        GraphitiReader(uri, user="neo4j", password="", database="neo4j") as there,
    ):
        there.graphiti_counts("team")


@dataclass(slots=True)
class Group:
    """A group that imports, in place of a service: it was told of all before ``settled_until``, and takes no BAD."""

    settled_until: datetime | None = None
    claims_in: list[list[str]] = field(default_factory=list[list[str]])
    changed: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    importing: bool = True

    def make_group(self, group: str, *, importing: bool) -> GroupOut:
        assert importing
        return GroupOut.model_construct(id=group, settled_until=self.settled_until)

    def claims(self, _: str, claims: Sequence[Mapping[str, Any]]) -> AcceptedClaims:
        if any(claim["predicate"] == "bad" for claim in claims):
            raise InvalidInput("It is bad.")
        named = [str(claim["external_id"]) for claim in claims]
        self.claims_in.append(named)
        receipts = [ClaimReceipt.model_construct(claim_id=name) for name in named]
        return AcceptedClaims.model_construct(claims=receipts, refused=[])

    def retract(self, _: str, claim_id: str, *, recorded_at: datetime) -> None:
        self.changed.append((claim_id, text_of(recorded_at)))

    def correct(self, _: str, claim_id: str, claim: Mapping[str, Any]) -> None:
        self.changed.append((claim_id, claim["recorded_at"]))

    def end_import(self, _: str) -> None:
        self.importing = False


def tell_of(group: Group, *edges: GraphitiEdge) -> Handed:
    handed = Handed()
    tell(cast("GraphmemClient", group), "g", steps(*edges), len(edges), handed)
    return handed


def test_what_cannot_be_taken_is_refused_by_itself_and_its_end_passed_over() -> None:
    group = Group()
    handed = tell_of(
        group,
        edge("a", invalid_at=day(6), expired_at=MARCH),
        edge("b", "BAD", invalid_at=day(6), expired_at=MARCH),
        edge("c", expired_at=MAY),
    )
    assert group.claims_in == [["a"], ["c"], ["a"], ["c"]]
    assert group.changed == [("a", text_of(MARCH)), ("c", text_of(MAY))]
    assert (handed.claims, handed.ended, handed.withdrawn) == (2, 1, 1)
    assert (handed.refused, group.importing) == (["b: It is bad."], False)


def test_a_group_is_told_again_of_what_was_recorded_when_it_was_told_last() -> None:
    group = Group(settled_until=MARCH)
    tell_of(group, edge("a"), edge("b", created_at=MARCH), edge("c", created_at=MAY))
    assert group.claims_in == [["b", "c"]]


# mem0 ---------------------------------------------------------------------------------------------------------------

_TEA = {"id": "m1", "memory": "Likes tea", "user_id": "maya", "created_at": text_of(JANUARY), "updated_at": None}
_OF_AN_AGENT = {"id": "m2", "memory": "Answers in French", "agent_id": "guide", "created_at": "2025-01-01T00:00:00"}
_HISTORY = [
    ("h1", "m1", None, "Likes coffee", "ADD", text_of(JANUARY), None),
    ("h2", "m1", "Likes coffee", "Likes coffee", "UPDATE", text_of(JANUARY), "2025-02-01T00:00:00-08:00"),
    ("h3", "m1", "Likes coffee", "Likes tea", "UPDATE", text_of(JANUARY), text_of(MARCH)),
    ("h4", "m3", None, "Lives in Rome", "ADD", text_of(JANUARY), None),
    ("h5", "m3", "Lives in Rome", None, "DELETE", text_of(JANUARY), text_of(MAY)),
]
_COLUMNS = ("id", "memory_id", "old_memory", "new_memory", "event", "created_at", "updated_at")


def written(path: Path, found: object) -> Path:
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


@pytest.fixture(params=["sqlite", "json"])
def history(request: pytest.FixtureRequest, tmp_path: Path) -> list[mem0.Mem0Change]:
    path = tmp_path / "history"
    if request.param == "json":
        return mem0.read_history(written(path, [dict(zip(_COLUMNS, row, strict=True)) for row in _HISTORY]))
    with closing(sqlite3.connect(path)) as stored:
        stored.execute(f"CREATE TABLE history ({', '.join(_COLUMNS)}, is_deleted, actor_id, role)")
        stored.executemany("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, 0, NULL, NULL)", _HISTORY)
        stored.commit()
    return mem0.read_history(path)


def held(told: list[Step]) -> list[tuple[Any, ...]]:
    return [(step.at, step.claim["value"], step.ends, step.instead and step.instead["value"]) for step in told]


def test_a_memory_says_what_its_history_says_and_what_was_deleted_is_of_nobody_else(
    history: list[mem0.Mem0Change], tmp_path: Path
) -> None:
    memories = mem0.read_memories(written(tmp_path / "all", {"results": [_TEA]}), None)
    left_out = Counter[str]()
    assert held(mem0.steps(memories, history, None, left_out)) == [
        (JANUARY, "Likes coffee", False, None),
        (MARCH, "Likes coffee", True, "Likes tea"),
    ]
    assert left_out == {mem0.OF_NOBODY: 1}
    told = mem0.steps(memories, history, "maya", Counter())
    assert held(told)[1:] == [
        (JANUARY, "Lives in Rome", False, None),
        (MARCH, "Likes coffee", True, "Likes tea"),
        (MAY, "Lives in Rome", True, None),
    ]
    handed = {step.claim["external_id"] for step in told if not step.ends}
    assert {step.claim["external_id"] for step in told if step.ends} <= handed


def test_memories_are_claims_and_episodes_that_the_service_takes(tmp_path: Path) -> None:
    memories = mem0.read_memories(written(tmp_path / "all", [_TEA, _OF_AN_AGENT]), None)
    claims = [_CLAIM.validate_json(json.dumps(step.told)) for step in mem0.steps(memories, [], None, Counter())]
    said = [EpisodeIn.model_validate_json(json.dumps(body)) for body in mem0.episodes(memories)]
    assert [(claim.subject.name, claim.user, claim.value) for claim in claims] == [
        ("maya", "maya", "Likes tea"),
        ("guide", None, "Answers in French"),
    ]
    assert [claim.recorded_at for claim in claims] == [JANUARY, JANUARY]
    assert [(episode.content, episode.user, episode.subject, episode.remember) for episode in said] == [
        ("Likes tea", "maya", None, True),
        ("Answers in French", None, "guide", True),
    ]


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ({"memories": [{"id": "m", "memory": "x", "created_at": "2025-01-01"}]}, "--user"),
        ([{**_TEA, "created_at": "yesterday"}], "no date and time"),
        ({"relations": []}, "no list of memories"),
        (["x"], "no list of memories"),
    ],
)
def test_what_cannot_be_read_says_why(found: object, why: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=why):
        mem0.read_memories(written(tmp_path / "all", found), None)
