"""The nine tools of the official memory server, against the real service: what its own tests prove of them."""

import json
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

import pytest
from mcp import Client
from mcp.types import CallToolResult

from graphmem.mcp.budget import estimate
from tests.agents import ANTHROPIC, JOHN, OBSERVED, WORKS_AT, Json, call, connected, names, refusal, text_of
from tests.api.claiming import MAYA
from tests.api.conftest import Service

SAID = "2025-05-03T10:00:00Z"


@dataclass(frozen=True)
class Agent:
    """Opens a session for each call, so that nothing rests on what a session knows."""

    service: Service
    group: str

    async def call_tool(self, name: str, arguments: Json, /) -> CallToolResult:
        async with connected(self.service.url, self.service.token, "memory-server", group=self.group) as client:
            return await client.call_tool(name, arguments)


@pytest.fixture
def client(service: Service, group: str) -> Agent:
    return Agent(service, group)


def short_of_words(service: Service, group: str) -> AbstractAsyncContextManager[Client]:
    return connected(service.url, service.token, "memory-server", group=group, max_tokens=2_000)


async def test_what_is_there_already_is_not_made_again(client: Agent) -> None:
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


async def test_observations_of_nobody_are_an_error_that_says_the_next_step(client: Agent) -> None:
    said = await refusal(client, "add_observations", observations=[{"entityName": "Nobody", "contents": ["x"]}])
    assert "Entity with name Nobody not found" in said
    assert "create_entities" in said


async def test_what_is_deleted_is_gone_and_can_be_made_again(client: Agent) -> None:
    await call(client, "create_entities", entities=[JOHN, ANTHROPIC])
    await call(client, "create_relations", relations=[WORKS_AT])
    await call(client, "add_observations", observations=[OBSERVED])
    gone = {"entityName": "John_Smith", "observations": ["Graduated in 2019", "Never said"]}
    done = await client.call_tool("delete_observations", {"deletions": [gone]})
    assert text_of(done) == "Observations deleted successfully"
    assert done.structured_content == {"success": True, "message": "Observations deleted successfully"}
    assert (await call(client, "search_nodes", query="2019"))["entities"] == []
    await call(client, "delete_relations", relations=[WORKS_AT])
    assert (await call(client, "read_graph"))["relations"] == []
    await call(client, "create_relations", relations=[WORKS_AT])
    await call(client, "delete_entities", entityNames=["John_Smith", "Nobody"])
    assert await call(client, "read_graph") == {"entities": [ANTHROPIC], "relations": []}
    assert await call(client, "create_entities", entities=[JOHN]) == {"entities": [JOHN]}


async def test_a_name_is_short_for_nobody(client: Agent) -> None:
    fuller = {"name": "Nora Lindqvist", "entityType": "person", "observations": ["likes tea"]}
    await call(client, "create_entities", entities=[fuller])
    await call(client, "delete_entities", entityNames=["Nora"])
    assert await call(client, "open_nodes", names=["Nora"]) == {"entities": [], "relations": []}
    nora = fuller | {"name": "Nora", "observations": ["likes jam"]}
    assert await call(client, "create_entities", entities=[nora]) == {"entities": [nora]}
    assert (await call(client, "read_graph"))["entities"] == [fuller, nora]


async def test_silent_where_there_is_nothing_to_delete(client: Agent) -> None:
    await call(client, "delete_entities", entityNames=["Nobody"])
    await call(client, "delete_observations", deletions=[{"entityName": "Nobody", "observations": ["x"]}])
    await call(client, "delete_relations", relations=[WORKS_AT])


FOUND = {
    "Alice": ["Alice"],
    "company": ["Acme Corp"],
    "programming": ["Alice"],
    "ALICE": ["Alice"],
    "Acme": ["Acme Corp", "Alice"],
    "NonExistent": [],
}
"""Names of what the official server finds, by question."""


async def test_nodes_are_found_as_the_official_server_finds_them(client: Agent) -> None:
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
    graphs = {query: await call(client, "search_nodes", query=query) for query in FOUND}
    assert {query: names(graph) for query, graph in graphs.items()} == FOUND
    assert [len(graphs[query]["relations"]) for query in ("Alice", "company", "NonExistent")] == [1, 2, 0]


async def test_a_type_of_several_words_is_shown_as_it_was_given(client: Agent) -> None:
    project: Json = {"name": "Apollo", "entityType": "Software Project (internal)", "observations": []}
    await call(client, "create_entities", entities=[project])
    assert (await call(client, "read_graph"))["entities"] == [project]
    (entity,) = client.service.get(f"/v1/groups/{client.group}/entities").json()["entities"]
    assert entity["type"] == "software_project_internal"


async def test_what_conversations_told_is_shown_beside(client: Agent) -> None:
    told = {"subject": MAYA, "predicate": "age", "value": 30, "statement": "Maya is 30.", "occurred_at": SAID}
    assert client.service.post(f"/v1/groups/{client.group}/claims", told).is_success
    (entity,) = (await call(client, "open_nodes", names=["maya"]))["entities"]
    assert entity == {"name": "Maya", "entityType": "person", "observations": ["Maya is 30."]}
    made = await call(client, "create_entities", entities=[{**entity, "entityType": "colleague", "observations": []}])
    assert [one["name"] for one in made["entities"]] == ["Maya"]
    await call(client, "delete_observations", deletions=[{"entityName": "Maya", "observations": ["Maya is 30."]}])
    assert (await call(client, "read_graph"))["entities"] == made["entities"]


async def test_what_is_shown_cut_is_deleted_and_not_added_again(client: Agent) -> None:
    story = ("Maya told a long story about her journey. " * 140)[:5_619]
    await call(client, "create_entities", entities=[JOHN | {"observations": [story, "Likes tea"]}])
    shown = (await call(client, "read_graph"))["entities"][0]["observations"]
    (cut,) = [text for text in shown if text.endswith(" more cut]")]
    again = {"entityName": "John_Smith", "contents": [cut, story]}
    assert (await call(client, "add_observations", observations=[again]))["results"][0]["addedObservations"] == []
    await call(client, "delete_observations", deletions=[{"entityName": "John_Smith", "observations": [cut]}])
    assert (await call(client, "read_graph"))["entities"][0]["observations"] == ["Likes tea"]


async def test_of_several_that_are_shown_by_one_cut_text_none_is_deleted(client: Agent) -> None:
    stories = ["Maya told a long story. " * 200 + end for end in ("It was true.", "It was a lie.")]
    stories[1] = stories[1][: len(stories[0]) - 1] + "!"
    await call(client, "create_entities", entities=[JOHN | {"observations": stories}])
    (cut, other) = (await call(client, "read_graph"))["entities"][0]["observations"]
    assert cut == other
    gone = {"entityName": "John_Smith", "observations": [cut]}
    assert "Give the whole text" in await refusal(client, "delete_observations", deletions=[gone])
    await call(client, "delete_observations", deletions=[gone | {"observations": stories[:1]}])
    assert (await call(client, "read_graph"))["entities"][0]["observations"] == [cut]


async def test_long_names_and_types_are_cut_and_lead_back_to_what_they_name(service: Service, group: str) -> None:
    name, other, kind = ("名" * 400, "町" * 400, "a very long type " * 30)
    entities: list[Json] = [{"name": one, "entityType": kind.strip(), "observations": []} for one in (name, other)]
    relation = {"from": name, "to": other, "relationType": "lebt_in_" * 60}
    async with short_of_words(service, group) as client:
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


async def test_what_was_written_is_shown_under_the_budget(service: Service, group: str) -> None:
    many = [
        {"name": f"Name {number} {'n' * 400}", "entityType": "t" * 512, "observations": ["told " * 1_000]}
        for number in range(20)
    ]
    observed = [{"entityName": one["name"], "contents": [f"{n} " + "more " * 300 for n in range(3)]} for one in many]
    related = [{"from": one["name"], "to": "Acme", "relationType": "r" * 512} for one in many]
    asked: list[tuple[str, Json]] = [
        ("create_entities", {"entities": many}),
        ("create_relations", {"relations": related}),
        ("add_observations", {"observations": observed}),
    ]
    async with short_of_words(service, group) as client:
        answers = [await client.call_tool(tool, arguments) for tool, arguments in asked]
    for answer in answers:
        assert answer.structured_content is not None, answer.content
        assert json.loads(text_of(answer)) == answer.structured_content
        assert "open_nodes" in answer.structured_content["left_out"]
        assert estimate(text_of(answer)) <= 2_000
    assert len(service.get(f"/v1/groups/{group}/graph").json()["beliefs"]) == 20 * (1 + 1 + 1 + 3)


async def test_a_type_too_long_is_refused(client: Agent) -> None:
    assert "512" in await refusal(client, "create_entities", entities=[JOHN | {"entityType": "t" * 513}])


async def test_opened_nodes_say_that_there_is_more(client: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    await call(client, "create_entities", entities=[JOHN | {"observations": ["a", "b", "c"]}, ANTHROPIC])
    assert "left_out" not in await call(client, "open_nodes", names=["John_Smith", "Anthropic"])
    monkeypatch.setattr("graphmem.mcp.knowledge_graph._MOST_BELIEFS", 2)
    assert "There is more" in (await call(client, "open_nodes", names=["John_Smith", "Anthropic"]))["left_out"]
