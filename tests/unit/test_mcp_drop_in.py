"""The nine tools of the official memory server: its README's examples, and what its own tests prove of it."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from mcp.types import CallToolResult

from tests.memory_service import StandIn
from tests.unit.test_mcp_tools import call, connected, refusal, text_of, tools_of

Json = dict[str, Any]

# The examples of its README.
JOHN: Json = {"name": "John_Smith", "entityType": "person", "observations": ["Speaks fluent Spanish"]}
ANTHROPIC: Json = {"name": "Anthropic", "entityType": "organization", "observations": []}
WORKS_AT = {"from": "John_Smith", "to": "Anthropic", "relationType": "works_at"}
OBSERVED: Json = {
    "entityName": "John_Smith",
    "contents": ["Speaks fluent Spanish", "Graduated in 2019", "Prefers morning meetings"],
}
HINTS = {"create": (False, False, False), "delete": (False, True, True), "read": (True, False, True)}
"""Whether a tool reads, destroys, and may be called again."""
DOES = {"add": "create", "search": "read", "open": "read"}
TAKES = {
    "create_entities": {"entities"},
    "create_relations": {"relations"},
    "add_observations": {"observations"},
    "delete_entities": {"entityNames"},
    "delete_observations": {"deletions"},
    "delete_relations": {"relations"},
    "read_graph": set[str](),
    "search_nodes": {"query"},
    "open_nodes": {"names"},
}
DONE, GRAPH = {"success", "message"}, {"entities", "relations"}
GIVES = {
    "create_entities": {"entities"},
    "create_relations": {"relations"},
    "add_observations": {"results"},
    "delete_entities": DONE,
    "delete_observations": DONE,
    "delete_relations": DONE,
    "read_graph": GRAPH,
    "search_nodes": GRAPH,
    "open_nodes": GRAPH,
}


@pytest.fixture
def stand_in() -> StandIn:
    return StandIn()


@dataclass(frozen=True)
class Client:
    """Opens a session for each call, so that nothing rests on what a session knows."""

    stand_in: StandIn

    async def call_tool(self, name: str, arguments: Json, /) -> CallToolResult:
        async with connected(self.stand_in, "memory-server") as client:
            return await client.call_tool(name, arguments)


@pytest.fixture
def client(stand_in: StandIn) -> Client:
    return Client(stand_in)


def names(graph: Json) -> list[str]:
    return sorted(entity["name"] for entity in graph["entities"])


async def test_tools_have_the_names_arguments_answers_and_hints_of_the_official_server() -> None:
    tools = {tool.name: tool for tool in await tools_of("memory-server")}
    assert tools.keys() == TAKES.keys()
    for name, tool in tools.items():
        assert set(tool.input_schema.get("required", ())) == TAKES[name]
        assert set(tool.input_schema["properties"]) - TAKES[name] <= {"cursor"}
        assert tool.output_schema is not None
        assert set(tool.output_schema["required"]) == GIVES[name]
        hints = tool.annotations
        assert hints is not None
        verb = name.partition("_")[0]
        found = (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint)
        assert (*found, hints.open_world_hint) == (*HINTS[DOES.get(verb, verb)], False)


async def test_the_examples_of_its_readme_work(client: Client) -> None:
    assert await call(client, "read_graph") == {"entities": [], "relations": []}
    made = await client.call_tool("create_entities", {"entities": [JOHN, ANTHROPIC]})
    assert made.structured_content == {"entities": [JOHN, ANTHROPIC]}
    assert json.loads(text_of(made)) == [JOHN, ANTHROPIC]
    related = await client.call_tool("create_relations", {"relations": [WORKS_AT]})
    assert json.loads(text_of(related)) == [WORKS_AT]
    added = await client.call_tool("add_observations", {"observations": [OBSERVED]})
    new = ["Graduated in 2019", "Prefers morning meetings"]
    assert json.loads(text_of(added)) == [{"entityName": "John_Smith", "addedObservations": new}]
    john = JOHN | {"observations": ["Speaks fluent Spanish", *new]}
    whole = {"entities": [john, ANTHROPIC], "relations": [WORKS_AT]}
    assert await call(client, "read_graph") == whole
    assert await call(client, "search_nodes", query="SPANISH") == {"entities": [john], "relations": [WORKS_AT]}
    assert await call(client, "open_nodes", names=["Anthropic", "Nobody"]) == {
        "entities": [ANTHROPIC],
        "relations": [WORKS_AT],
    }


async def test_what_is_there_already_is_not_made_again(client: Client) -> None:
    await call(client, "create_entities", entities=[JOHN, ANTHROPIC])
    await call(client, "create_relations", relations=[WORKS_AT])
    assert (await call(client, "create_entities", entities=[JOHN, JOHN])) == {"entities": []}
    assert (await call(client, "create_relations", relations=[WORKS_AT])) == {"relations": []}
    other = WORKS_AT | {"relationType": "founded"}
    assert (await call(client, "create_relations", relations=[other, other])) == {"relations": [other]}
    again = {"entityName": "John_Smith", "contents": JOHN["observations"]}
    assert (await call(client, "add_observations", observations=[again]))["results"][0]["addedObservations"] == []
    for tool, argument in (("create_entities", "entities"), ("create_relations", "relations")):
        assert await call(client, tool, **{argument: []}) == {argument: []}


async def test_observations_of_nobody_are_an_error_that_says_the_next_step(client: Client) -> None:
    said = await refusal(client, "add_observations", observations=[{"entityName": "Nobody", "contents": ["x"]}])
    assert "Entity with name Nobody not found" in said
    assert "create_entities" in said


async def test_what_is_deleted_is_rejected_and_its_history_stays(client: Client, stand_in: StandIn) -> None:
    await call(client, "create_entities", entities=[JOHN, ANTHROPIC])
    await call(client, "create_relations", relations=[WORKS_AT])
    await call(client, "add_observations", observations=[OBSERVED])
    gone = {"entityName": "John_Smith", "observations": ["Graduated in 2019", "Never said"]}
    done = await client.call_tool("delete_observations", {"deletions": [gone]})
    assert text_of(done) == "Observations deleted successfully"
    assert done.structured_content == {"success": True, "message": "Observations deleted successfully"}
    assert (await call(client, "search_nodes", query="2019"))["entities"] == []
    assert [one["value"] for one in stand_in.rejected.values()] == ["Graduated in 2019"]
    await call(client, "delete_relations", relations=[WORKS_AT])
    assert (await call(client, "read_graph"))["relations"] == []
    await call(client, "create_relations", relations=[WORKS_AT])
    await call(client, "delete_entities", entityNames=["John_Smith", "Nobody"])
    assert await call(client, "read_graph") == {"entities": [ANTHROPIC], "relations": []}
    assert {one["statement"] for one in stand_in.rejected.values()} >= {"John_Smith: Speaks fluent Spanish"}
    assert await call(client, "create_entities", entities=[JOHN]) == {"entities": [JOHN]}


async def test_silent_where_there_is_nothing_to_delete(client: Client) -> None:
    await call(client, "delete_entities", entityNames=["Nobody"])
    await call(client, "delete_observations", deletions=[{"entityName": "Nobody", "observations": ["x"]}])
    await call(client, "delete_relations", relations=[WORKS_AT])


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Alice", ["Alice"]),
        ("company", ["Acme Corp"]),
        ("programming", ["Alice"]),
        ("ALICE", ["Alice"]),
        ("Acme", ["Acme Corp", "Alice"]),
        ("gramm", ["Alice"]),
        ("NonExistent", []),
    ],
)
async def test_nodes_are_found_as_the_official_server_finds_them(client: Client, query: str, found: list[str]) -> None:
    entities = [
        {"name": "Alice", "entityType": "person", "observations": ["works at Acme Corp", "likes programming"]},
        {"name": "Bob", "entityType": "person", "observations": ["works at TechCo"]},
        {"name": "Acme Corp", "entityType": "company", "observations": ["tech company"]},
    ]
    relations = [
        {"from": "Alice", "to": "Acme Corp", "relationType": "works_at"},
        {"from": "Bob", "to": "Acme Corp", "relationType": "competitor"},
    ]
    await call(client, "create_entities", entities=entities)
    await call(client, "create_relations", relations=relations)
    graph = await call(client, "search_nodes", query=query)
    assert names(graph) == found
    assert len(graph["relations"]) == sum(bool({one["from"], one["to"]} & set(found)) for one in relations)


async def test_a_type_of_several_words_is_shown_as_it_was_given(client: Client, stand_in: StandIn) -> None:
    project: Json = {"name": "Apollo", "entityType": "Software Project (internal)", "observations": []}
    await call(client, "create_entities", entities=[project])
    assert (await call(client, "read_graph"))["entities"] == [project]
    (belief,) = stand_in.beliefs.values()
    assert belief["subject"]["type"] == "software_project_internal"


async def test_what_conversations_told_is_shown_beside(client: Client, stand_in: StandIn) -> None:
    maya = {"name": "Maya", "type": "person"}
    stand_in.believe({"subject": maya, "predicate": "age", "value": 30, "statement": "Maya is 30."})
    (entity,) = (await call(client, "open_nodes", names=["maya"]))["entities"]
    assert entity == {"name": "Maya", "entityType": "person", "observations": ["Maya is 30."]}
    made = await call(client, "create_entities", entities=[{**entity, "entityType": "colleague", "observations": []}])
    assert [one["name"] for one in made["entities"]] == ["Maya"]
    await call(client, "delete_observations", deletions=[{"entityName": "Maya", "observations": ["Maya is 30."]}])
    assert (await call(client, "read_graph"))["entities"] == made["entities"]
