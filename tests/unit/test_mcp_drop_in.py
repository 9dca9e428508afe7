"""The nine tools of the official memory server: its README's examples, and what its own tests prove of it."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from mcp.types import CallToolResult

from graphmem.mcp.budget import estimate
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


async def test_what_is_shown_cut_is_deleted_and_not_added_again(client: Client, stand_in: StandIn) -> None:
    story = ("Maya told a long story about her journey. " * 140)[:5_619]
    await call(client, "create_entities", entities=[JOHN | {"observations": [story, "Likes tea"]}])
    shown = (await call(client, "read_graph"))["entities"][0]["observations"]
    (cut,) = [text for text in shown if text.endswith(" more cut]")]
    again = {"entityName": "John_Smith", "contents": [cut, story]}
    assert (await call(client, "add_observations", observations=[again]))["results"][0]["addedObservations"] == []
    await call(client, "delete_observations", deletions=[{"entityName": "John_Smith", "observations": [cut]}])
    assert [one["value"] for one in stand_in.rejected.values()] == [story]
    assert (await call(client, "read_graph"))["entities"][0]["observations"] == ["Likes tea"]


async def test_of_several_that_are_shown_by_one_cut_text_none_is_deleted(client: Client, stand_in: StandIn) -> None:
    stories = ["Maya told a long story. " * 200 + end for end in ("It was true.", "It was a lie.")]
    stories[1] = stories[1][: len(stories[0]) - 1] + "!"
    await call(client, "create_entities", entities=[JOHN | {"observations": stories}])
    (cut, other) = (await call(client, "read_graph"))["entities"][0]["observations"]
    assert cut == other
    gone = {"entityName": "John_Smith", "observations": [cut]}
    assert "Give the whole text" in await refusal(client, "delete_observations", deletions=[gone])
    assert stand_in.rejected == {}
    await call(client, "delete_observations", deletions=[gone | {"observations": stories[:1]}])
    assert [one["value"] for one in stand_in.rejected.values()] == stories[:1]


async def test_long_names_and_types_are_cut_and_lead_back_to_what_they_name(stand_in: StandIn) -> None:
    name, other, kind = ("名" * 400, "町" * 400, "a very long type " * 30)
    entities: list[Json] = [{"name": one, "entityType": kind.strip(), "observations": []} for one in (name, other)]
    relation = {"from": name, "to": other, "relationType": "lebt_in_" * 60}
    async with connected(stand_in, "memory-server", max_tokens=2_000) as client:
        await call(client, "create_entities", entities=entities)
        assert (await call(client, "create_relations", relations=[relation]))["relations"] != []
        graph = await call(client, "read_graph")
        (shown,) = graph["relations"]
        opened = await call(client, "open_nodes", names=[shown["from"]])
        assert (await call(client, "create_relations", relations=[shown]))["relations"] == []
        await call(client, "delete_relations", relations=[shown])
        assert (await call(client, "read_graph"))["relations"] == []
        await call(client, "delete_entities", entityNames=[shown["from"]])
        left = await call(client, "read_graph")
    assert all(len(text) < 300 for entity in graph["entities"] for text in (entity["name"], entity["entityType"]))
    assert names(opened) == [shown["from"]]
    assert names(left) == [shown["to"]]
    assert set(shown) == {"from", "to", "relationType"}


@pytest.mark.parametrize(
    ("tool", "arguments"), [("read_graph", {}), ("search_nodes", {"query": "tea"}), ("open_nodes", {"names": ["Maya"]})]
)
async def test_every_page_is_read_at_the_instants_of_the_first(stand_in: StandIn, tool: str, arguments: Json) -> None:
    maya = {"name": "Maya", "type": "person"}
    for number in range(60):
        stand_in.believe({"subject": maya, "predicate": "observation", "value": f"tea {number} " + "x " * 80})
    async with connected(stand_in, "memory-server", max_tokens=2_000) as client:
        page = await call(client, tool, **arguments)
        del stand_in.asked[:]
        await call(client, tool, **arguments, cursor=page["next_cursor"])
    assert stand_in.asked
    read = [{name: asked.get(name, "")[:19] for name in ("valid_at", "known_at")} for _, _, asked in stand_in.asked]
    assert all(at == dict.fromkeys(("valid_at", "known_at"), "2025-05-03T10:00:00") for at in read)


async def test_what_was_written_is_shown_under_the_budget(stand_in: StandIn) -> None:
    many = [
        {"name": f"Name {number} {'n' * 400}", "entityType": "t" * 512, "observations": ["told " * 1_500]}
        for number in range(40)
    ]
    observed = [{"entityName": one["name"], "contents": [f"{n} " + "more " * 900 for n in range(3)]} for one in many]
    related = [{"from": one["name"], "to": "Acme", "relationType": "r" * 512} for one in many]
    asked: list[tuple[str, Json]] = [
        ("create_entities", {"entities": many}),
        ("create_relations", {"relations": related}),
        ("add_observations", {"observations": observed}),
    ]
    async with connected(stand_in, "memory-server", max_tokens=2_000) as client:
        answers = [await client.call_tool(tool, arguments) for tool, arguments in asked]
    for answer in answers:
        assert answer.structured_content is not None, answer.content
        assert json.loads(text_of(answer)) == answer.structured_content
        assert "open_nodes" in answer.structured_content["left_out"]
        assert estimate(text_of(answer)) <= 2_000
    assert len(stand_in.beliefs) == 40 * (1 + 1 + 1 + 3)


async def test_a_type_too_long_is_refused(client: Client) -> None:
    assert "512" in await refusal(client, "create_entities", entities=[JOHN | {"entityType": "t" * 513}])


async def test_opened_nodes_say_that_there_is_more(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    await call(client, "create_entities", entities=[JOHN | {"observations": ["a", "b", "c"]}, ANTHROPIC])
    assert "left_out" not in await call(client, "open_nodes", names=["John_Smith", "Anthropic"])
    monkeypatch.setattr("graphmem.mcp.knowledge_graph._MOST_BELIEFS", 2)
    assert "There is more" in (await call(client, "open_nodes", names=["John_Smith", "Anthropic"]))["left_out"]


async def test_a_name_that_was_never_created_is_a_thing_until_it_is(client: Client) -> None:
    await call(client, "create_entities", entities=[JOHN])
    await call(client, "create_relations", relations=[WORKS_AT])
    assert ANTHROPIC | {"entityType": "thing"} in (await call(client, "read_graph"))["entities"]
    assert await call(client, "create_entities", entities=[ANTHROPIC]) == {"entities": [ANTHROPIC]}
    whole = await call(client, "read_graph")
    assert names(whole) == ["Anthropic", "John_Smith"]
    assert ANTHROPIC in whole["entities"]
    assert whole["relations"] == [WORKS_AT]
