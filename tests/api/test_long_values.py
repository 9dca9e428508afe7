"""A value as long as an episode may be, through every answer; a longer one is refused by itself."""

import csv
import io
import json
from functools import partial
from typing import Any

from mcp import Client
from typer.testing import CliRunner

from graphmem.client.calls import ServiceAddress
from graphmem.client.cli import app
from graphmem.mcp.budget import estimate
from graphmem.mcp.memory import AgentMemory
from graphmem.mcp.server import server_of
from graphmem.settings.servers import McpSettings
from tests.agents import text_of
from tests.api.claiming import JANUARY
from tests.api.conftest import MAX_CONTENT, Service

LAMP = {"name": "Lamp", "type": "product"}
WORDS = "An arc lamp with a brass foot. " * 1_613
LONG = f"{WORDS[:49_966]}It hums in the dark like a kettle."
DESCRIBED = {
    "subject": LAMP,
    "predicate": "description",
    "value": LONG,
    "valid_from": JANUARY,
    "occurred_at": JANUARY,
    "importance": 1.0,
    "category": "other",
}
PRICE = DESCRIBED | {"predicate": "price", "value": 20, "importance": 0.5}


def test_a_value_of_50_000_characters_is_stored_shown_and_taken_back(service: Service, group: str) -> None:
    path = f"/v1/groups/{group}"
    answer = service.post(f"{path}/claims", [DESCRIBED, PRICE])
    assert (answer.status_code, len(LONG), answer.json()["vectors_pending"]) == (201, 50_000, 1), answer.text
    claim_id = answer.json()["claims"][0]["claim_id"]

    def get(where: str, **asked: Any) -> Any:
        found = service.get(f"{path}{where}", **asked)
        assert found.is_success, found.text
        return found.json()

    (entity,) = get("/entities")["entities"]
    answers: dict[str, list[dict[str, Any]]] = {
        "graph": get("/graph")["beliefs"],
        "entity": get(f"/entities/{entity['id']}")["beliefs"],
        "history": get(f"/entities/{entity['id']}/history")["versions"],
        "facts": get("/facts")["facts"],
        "profile": get(f"/entities/{entity['id']}/profile")["timeline"],
        "search": [
            one["thing"]
            for one in service.post(f"{path}/search", {"query": "kettle hums in the dark"}).json()["hits"]
            if one["kind"] != "episode"
        ],
    }
    for name, found in answers.items():
        assert [one["value"] for one in found if one["predicate"] == "description"] == [LONG], name
    (row,) = [
        row for row in csv_rows(service.get(f"{path}/graph", format="csv").text) if row["predicate"] == "description"
    ]
    assert row["value"] == LONG
    for asked in ({}, {"about": "Lamp"}):
        shown = service.post(f"{path}/context", {"query": "kettle hums in the dark", "max_tokens": 500, **asked}).json()
        assert shown["tokens"] <= 500
        assert LONG[:100] not in shown["markdown"]
        assert "too_long" in {one["because"] for one in shown["left_out"]}
    assert service.post(f"{path}/claims/{claim_id}/retract", {}).status_code == 200
    assert [one["predicate"] for one in get("/graph")["beliefs"]] == ["price"]
    past = get(f"/entities/{entity['id']}/history")["versions"]
    assert [one["value"] for one in past if one["predicate"] == "description"] == [LONG]


def csv_rows(text: str) -> list[dict[str, str]]:
    csv.field_size_limit(MAX_CONTENT * 2)
    return list(csv.DictReader(io.StringIO(text)))


def test_a_value_longer_than_an_episode_is_refused_with_its_line_or_its_place(service: Service, group: str) -> None:
    path = f"/v1/groups/{group}"
    longest, too_long = ("x" * count for count in (MAX_CONTENT, MAX_CONTENT + 1))
    lines = [PRICE, DESCRIBED | {"value": too_long}, DESCRIBED | {"value": longest}]
    answer = service.http.post(
        f"{path}/claims",
        content="\n".join(map(json.dumps, lines)),
        headers={"content-type": "application/x-ndjson"},
    )
    assert (answer.status_code, [one["line"] for one in answer.json()["claims"]]) == (207, [1, 3])
    (refused,) = answer.json()["refused"]
    assert (refused["line"], refused["problem"]["errors"][0]["pointer"]) == (2, "/value")
    listed = service.post(f"{path}/claims", [PRICE, DESCRIBED | {"value": too_long}])
    assert (listed.status_code, listed.json()["errors"][0]["pointer"]) == (422, "/1/value")
    fact = {"subject": LAMP, "category": "other", "key": "note", "value": too_long}
    assert service.post(f"{path}/facts", fact).status_code == 422
    assert service.post(f"{path}/facts", fact | {"value": longest}).status_code == 201


async def test_tools_of_agents_and_tables_show_the_beginning_of_a_long_value(service: Service, group: str) -> None:
    service.post(f"/v1/groups/{group}/claims", [DESCRIBED, PRICE])
    settings = McpSettings(group=group)
    async with Client(server_of(AgentMemory(partial(ServiceAddress, service.url, service.token), settings))) as client:
        answer = await client.call_tool("facts", {"entity": "Lamp"})
    beliefs = {one["predicate"]: one for one in json.loads(text_of(answer))["beliefs"]}
    assert estimate(text_of(answer)) <= settings.max_tokens
    assert beliefs["description"]["statement"].startswith("Lamp description An arc lamp")
    where = ("--group", group, "--url", service.url, "--key", service.token)
    table = CliRunner().invoke(app, ["history", "Lamp", *where], env={"COLUMNS": "200"})
    assert (table.exit_code, "kettle" in table.output) == (0, False)
    assert f"({len(f'Lamp description {LONG}.')}" in table.output
