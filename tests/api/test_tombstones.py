"""What is taken in no more, over HTTP: said of one thing and in lists, by commands and tools, until it is lifted."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from typer.testing import CliRunner

from graphmem.client.calls import ServiceAddress
from graphmem.client.cli import app
from graphmem.client.synchronous import GraphmemClient
from graphmem.clock import utc_now
from graphmem.errors import Forgotten, OptedOut
from graphmem.mcp.memory import AgentMemory
from graphmem.mcp.server import server_of
from graphmem.settings.servers import McpSettings, McpToolset
from graphmem.store.driver import Database
from graphmem.store.tombstone import TombstoneStore
from graphmem.trust.tombstones import Tombstones
from tests.agents import call, refusal
from tests.api.conftest import Service
from tests.models import INSTALLATION, memory_on

SAID = {"content": "Maya lives_in Lisbon.", "speaker": "Maya", "occurred_at": "2025-05-03T10:00:00Z"}
MAYA = {"name": "Maya", "type": "person"}
CLAIM = {"subject": MAYA, "predicate": "likes", "value": "tea", "occurred_at": "2025-05-03T10:00:00Z"}


@pytest.fixture
def tombstones(database: Database) -> Tombstones:
    return Tombstones(TombstoneStore.beside(memory_on(database).store), INSTALLATION, utc_now)


def slug(problem: dict[str, Any]) -> str:
    return problem["type"].rpartition(":")[2]


async def test_what_was_forgotten_is_refused_says_how_it_is_lifted_and_comes_in_then(
    service: Service, tombstones: Tombstones, group: str
) -> None:
    path = f"/v1/groups/{group}"
    claims = [{**CLAIM, "external_id": f"c-{number}"} for number in range(3)]
    posted = service.post(f"{path}/episodes", {**SAID, "external_id": "m-1"}).json()["episodes"]
    posted += [{"id": one["episode_id"]} for one in service.post(f"{path}/claims", claims[1]).json()["claims"]]
    await tombstones.bar(group, [one["id"] for one in posted], [])
    one = service.post(f"{path}/episodes", {**SAID, "external_id": "m-1"})
    assert (one.status_code, slug(one.json())) == (409, "forgotten")
    some = service.post(f"{path}/episodes?wait=30", [{**SAID, "external_id": f"m-{number}"} for number in range(3)])
    assert (some.status_code, len(some.json()["episodes"])) == (207, 2)
    assert [(one["item"], slug(one["problem"])) for one in some.json()["refused"]] == [(1, "forgotten")]

    assert service.post(f"{path}/claims", claims[1]).status_code == 409
    listed = service.post(f"{path}/claims", claims).json()
    lines = service.http.post(
        f"{path}/claims", content="\n".join(map(json.dumps, claims)), headers={"content-type": "application/x-ndjson"}
    ).json()
    places = [(len(told["claims"]), *(told["refused"][0][at] for at in ("item", "line"))) for told in (listed, lines)]
    assert places == [(2, 1, None), (2, None, 2)]

    problem = one.json()
    assert problem["tombstones"][0] in problem["detail"]
    lifted = service.post(f"{path}/tombstones/lift", {"tombstones": problem["tombstones"]}).raise_for_status().json()
    assert lifted["lifted"] == problem["tombstones"]
    assert service.post(f"{path}/episodes", {**SAID, "external_id": "m-1"}).status_code == 202


def test_a_user_opts_out_nothing_comes_in_all_is_read_and_the_user_comes_back(
    service: Service, group: str, subtests: pytest.Subtests
) -> None:
    path, closed = f"/v1/groups/{group}", f"/v1/groups/{group}/users/ann%2F1/opt_out"
    fact = {"subject": MAYA, "category": "habit", "key": "tea", "value": "green", "user": "ann/1"}
    service.post(f"{path}/facts", fact).raise_for_status()
    (known,) = service.get(f"{path}/facts", user="ann/1").json()["facts"]
    assert service.get(closed).json()["opted_out_at"] is None
    since = service.http.put(closed).raise_for_status().json()["opted_out_at"]
    assert service.http.put(closed).json()["opted_out_at"] == service.get(closed).json()["opted_out_at"] == since
    own = {"user": "ann/1"}
    for call_, body in (
        ("episodes", {**SAID, **own}),
        ("claims", {**CLAIM, **own}),
        ("facts", {**fact, "value": "black"}),
        (f"facts/{known['id']}/confirm", own),
        (f"facts/{known['id']}/correct", {**own, "value": "black"}),
    ):
        with subtests.test(call_):
            refused = service.post(f"{path}/{call_}", body)
            assert (refused.status_code, slug(refused.json())) == (409, "opted-out")
            assert f"`DELETE {closed}`" in refused.json()["detail"]
    some = service.post(f"{path}/episodes", [{**SAID, **own}, SAID])
    assert (some.status_code, [one["item"] for one in some.json()["refused"]]) == (207, [0])
    assert [one["id"] for one in service.get(f"{path}/facts", **own).json()["facts"]] == [known["id"]]
    assert service.delete(closed).raise_for_status().json()["opted_out_at"] is None
    assert service.post(f"{path}/episodes", {**SAID, **own}).status_code == 202


def test_a_key_of_one_user_lifts_only_what_is_theirs(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group}).raise_for_status()
    wanted = {"label": "x", "groups": [group], "rights": ["read", "erase"], "users": ["ann"]}
    made = service.post("/v1/keys", wanted).raise_for_status().json()
    headers = {"Authorization": f"Bearer {made['secret']}"}
    path = f"/v1/groups/{group}"
    for user in ("ann", "bo"):
        service.http.put(f"{path}/users/{user}/opt_out").raise_for_status()
        service.http.delete(f"{path}/users/{user}/opt_out", headers=headers)
    assert [service.get(f"{path}/users/{user}/opt_out").json()["opted_out_at"] is None for user in ("ann", "bo")] == [
        True,
        False,
    ]


async def test_clients_raise_it_ingest_lists_it_and_tools_say_it(
    service: Service, tombstones: Tombstones, group: str, tmp_path: Path
) -> None:
    turn = {"content": "Maya likes tea.", "time": SAID["occurred_at"]}
    talk = [turn, {**turn, "id": "m-1"}, {**turn, "user": "ann"}, {**turn, "id": "m-3"}]
    (file := tmp_path / "talk.jsonl").write_text("\n".join(map(json.dumps, talk)))
    with GraphmemClient(service.url, service.token) as client:
        (known,) = client.post_episodes(group, {**SAID, "external_id": "m-1"}).episodes
        await tombstones.bar(group, [known.id], [])
        assert client.opt_out(group, "ann").opted_out_at == client.opted_out(group, "ann").opted_out_at
        with pytest.raises(Forgotten, match="does not come in again") as refused:
            client.post_episodes(group, {**SAID, "external_id": "m-1"})
        with pytest.raises(OptedOut, match="'ann' opted out"):
            client.claims(group, {**CLAIM, "user": "ann"})
    where = ["--group", group, "--url", service.url, "--key", service.token]
    done = CliRunner().invoke(app, ["ingest", str(file), *where])
    assert done.exit_code == 0, done.output
    assert "4 episodes (2 new, 2 refused)" in done.output
    assert "talk.jsonl:2 is not taken in: This was forgotten" in done.output
    assert "talk.jsonl:3 is not taken in: 'ann' opted out" in done.output
    back = CliRunner().invoke(app, ["admin", "opt-in", "ann", *where])
    assert (back.exit_code, "stays out" in back.output) == (0, True), back.output
    out = CliRunner().invoke(app, ["admin", "opt-out", "ann", *where])
    assert (out.exit_code, "graphmem admin opt-in ann" in out.output) == (0, True), out.output
    named = re.findall('"([0-9a-f]{32})"', str(refused.value))
    lifted = CliRunner().invoke(app, ["admin", "lift", *named, "0" * 32, *where])
    assert (lifted.exit_code, "Lifted 1 of 2." in lifted.output) == (1, True), lifted.output

    tools: Sequence[tuple[McpToolset, str, dict[str, Any]]] = (
        ("graphmem", "remember", {"content": "Maya lives_in Lisbon."}),
        ("memory-server", "create_entities", {"entities": [{"name": "Ivo", "entityType": "p", "observations": ["x"]}]}),
    )
    for toolset, tool, said in tools:
        settings = McpSettings(group=group, user="ann", toolset=toolset)
        async with Client(server_of(AgentMemory(lambda: ServiceAddress(service.url, service.token), settings))) as mine:
            assert "opted out" in await refusal(mine, tool, **said)
            assert await call(mine, "facts") if toolset == "graphmem" else await call(mine, "read_graph")
