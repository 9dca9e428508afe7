"""What each kind of key may: a table of every call, and keys as they are made, replaced and revoked over HTTP."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import httpx
import pytest
from typer.testing import CliRunner

from graphmem.api import openapi
from graphmem.client.cli import app
from tests.api.conftest import Service

TABLE = Path(__file__).parent / "rights.tsv"
USERS = (None, "ann", "bo")
KEYS: Mapping[str, Mapping[str, Any]] = {
    "reader": {"rights": ["read"]},
    "writer": {"rights": ["read", "write"]},
    "admin": {"rights": ["read", "write", "admin"]},
    "ann reads": {"rights": ["read"], "users": ["ann"]},
    "ann writes": {"rights": ["read", "write"], "users": ["ann"]},
    "ann's admin": {"rights": ["read", "write", "admin"], "users": ["ann"]},
    "ann and bo": {"rights": ["read", "write"], "users": ["ann", "bo"]},
    "shared": {"rights": ["read", "write"], "users": []},
    "shared admin": {"rights": ["read", "write", "admin"], "users": []},
    "only writes": {"rights": ["write"]},
    "only erases": {"rights": ["erase"]},
    "ann erases": {"rights": ["read", "erase"], "users": ["ann"]},
    "elsewhere": {"rights": ["read", "write", "admin"], "groups": ["another-group"]},
}
SIGNS = {403: "-", 401: "!"}


@dataclass(frozen=True, slots=True)
class Operation:
    """A call of the API, and where it takes a user."""

    method: str
    path: str
    body: Mapping[str, Any]
    params: Mapping[str, Any]
    user_in: str | None

    @property
    def call(self) -> str:
        return f"{self.method} {self.path}"

    def ask(self, service: Service, group: str, secret: str, user: str | None) -> httpx.Response:
        named = {"{group}": group, "{kind}": "dedup", "{user}": user or "cy"}
        steps = [named.get(step, step) for step in self.path.split("/")]
        path = "/".join(("0" * (12 if step == "{key_id}" else 32)) if step.startswith("{") else step for step in steps)
        params, body = dict(self.params), dict(self.body)
        if self.path == "/v1/groups":
            body = {"id": group}
        if self.path == "/v1/keys":
            body = {"label": "another", "groups": [group], "rights": ["read"]}
        if self.path.endswith("/archived"):
            body = {"archived": False}  # else no later call that writes comes as far as its own rights
        if user is not None and self.user_in == "query":
            params["user"] = user
        if self.user_in == "body":
            body = {
                **{name: value for name, value in body.items() if name != "user"},
                **({"user": user} if user else {}),
            }
        headers = {"Authorization": f"Bearer {secret}"}
        sent = body if self.method != "GET" else None
        return service.http.request(self.method, path, params=params, json=sent, headers=headers)


def operations(document: dict[str, Any]) -> Iterator[Operation]:
    schemas = document["components"]["schemas"]
    for method, path, operation in openapi.operations(document):
        if path.startswith("/health"):
            continue
        example = openapi.EXAMPLES[f"{method} {path}"].body
        # a file of lines is sent as an object, which is refused behind the gate
        body = cast("dict[str, Any]", example if isinstance(example, dict) else {})
        parameters = [one for one in operation.get("parameters", ()) if one["in"] == "query"]
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
        in_body = "user" in schemas.get(name, {}).get("properties", {}) or (
            path.endswith(("/episodes", "/claims")) and method == "POST"
        )
        in_query = any(one["name"] == "user" for one in parameters)
        needed = {one["name"]: _value(one["name"]) for one in parameters if one.get("required")}
        in_path = "path" if "{user}" in path else None
        yield Operation(method, path, body, needed, "query" if in_query else "body" if in_body else in_path)


def _value(name: str) -> str:
    return {"axis": "valid", "from": "2025-01-01", "to": "2025-02-01", "entity": "Maya", "predicate": "likes"}.get(
        name, "0" * 32
    )


def _sign(answer: httpx.Response) -> str:
    """``+``: the gate lets it through, whatever comes of it; ``?``: it has to say for whom; ``-``: it is refused."""
    if answer.status_code == 422 and answer.json()["type"].endswith("user-required"):
        return "?"
    assert answer.status_code < 500, answer.text
    return SIGNS.get(answer.status_code, "+")


def _secret(service: Service, group: str, wanted: Mapping[str, Any]) -> str:
    body = {"label": "of a test", "groups": [group], **wanted}
    return service.post("/v1/keys", body).raise_for_status().json()["secret"]


def _table() -> Mapping[str, Mapping[str, str]]:
    """For each call and each key a sign for each user, or for nobody in particular where the call takes none."""
    with TABLE.open(encoding="utf-8") as file:
        _, *rows = csv.reader(file, delimiter="\t")
    return {call: dict(zip(KEYS, cells, strict=True)) for call, *cells in rows}


def _secrets(service: Service, group: str) -> dict[str, str]:
    service.post("/v1/groups", {"id": group}).raise_for_status()
    return {name: _secret(service, group, wanted) for name, wanted in KEYS.items()}


def test_every_call_refuses_each_key_that_the_table_says(service: Service, group: str) -> None:
    """For one user of those for whom it does; the whole table is tried below."""
    secrets, table = _secrets(service, group), _table()
    calls = {operation.call: operation for operation in operations(service.get("/openapi.json").json())}
    assert table.keys() == calls.keys()
    let_through = [
        (call, name)
        for call, cells in table.items()
        for name, signs in cells.items()
        if "-" in signs and _sign(calls[call].ask(service, group, secrets[name], USERS[signs.rindex("-")])) != "-"
    ]
    assert let_through == []


@pytest.mark.full
@pytest.mark.timeout(900)  # Neo4j plans nearly every query for it
def test_every_call_lets_each_key_through_or_refuses_it_as_the_table_says(
    service: Service, group: str, tmp_path: Path
) -> None:
    secrets = _secrets(service, group)
    lines = ["\t".join(["call", *KEYS])]
    for operation in operations(service.get("/openapi.json").json()):
        users = USERS if operation.user_in else (None,)
        cells = [
            "".join(_sign(operation.ask(service, group, secret, user)) for user in users) for secret in secrets.values()
        ]
        lines.append("\t".join([operation.call, *cells]))
    (new := tmp_path / TABLE.name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert lines == TABLE.read_text(encoding="utf-8").splitlines(), f"If what changed is right: cp {new} {TABLE}"


def test_a_key_is_made_listed_replaced_and_revoked(service: Service, group: str) -> None:
    wanted = {"label": "A bot", "groups": [group], "rights": ["read", "write"], "users": ["ann"], "agents": ["bot"]}
    answer = service.post("/v1/keys", wanted)
    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    made, secret = answer.json()["key"], answer.json()["secret"]
    assert secret.startswith(f"gm_{made['id']}_")
    assert {name: sorted(made[name]) if name == "rights" else made[name] for name in wanted} == wanted

    new = service.post(f"/v1/keys/{made['id']}/replace", {"overlap": 0}).json()
    assert new["key"]["replaces"] == made["id"]
    with httpx.Client(base_url=service.url, trust_env=False) as http:
        for shown, status in ((new["secret"], 200), (secret, 401)):
            headers = {"X-API-Key": shown}
            assert http.get(f"/v1/groups/{group}/episodes", headers=headers).status_code in (status, 404)
    service.delete(f"/v1/keys/{new['key']['id']}").raise_for_status()
    refused = httpx.get(f"{service.url}/v1/groups", headers={"X-API-Key": new["secret"]}, trust_env=False)
    assert (refused.status_code, "was revoked" in refused.json()["detail"]) == (401, True)

    listed = {key["id"]: key for key in _all_keys(service)}
    assert listed[new["key"]["id"]]["revoked_at"] is not None
    assert secret not in str(listed)
    assert "hash" not in listed[made["id"]]


def test_commands_make_list_replace_and_revoke_keys(service: Service, group: str) -> None:
    def command(*words: str) -> str:
        asked = ["key", *words, "--url", service.url, "--key", service.token]
        done = CliRunner().invoke(app, asked, env={"COLUMNS": "200"})
        assert done.exit_code == 0, done.output
        told = [line for line in done.stdout.splitlines() if not line.startswith('{"')]  # the service logs there, too
        return told[-1] if words[0] in ("make", "replace") else "\n".join(told)

    def owns(secret: str) -> Mapping[str, Any]:
        return service.http.get("/v1/keys/own", headers={"Authorization": f"Bearer {secret}"}).json()

    secret = command("make", "A bot", "--group", group, "--right", "read", "--user", "ann", "--days", "1")
    first = secret.split("_")[1]
    new = command("replace", f"gm_{first}", "--overlap", "60")
    assert [owns(one)["users"] for one in (secret, new)] == [["ann"], ["ann"]]
    second = new.split("_")[1]
    assert f"gm_{second} (A bot) opens nothing any more" in command("revoke", second)
    assert (owns(new)["status"], owns(secret)["users"]) == (401, ["ann"])
    listed = command("list")
    assert ([id_ in listed for id_ in (first, second)], secret in listed) == ([True, True], False)


def _all_keys(service: Service) -> Iterator[dict[str, Any]]:
    cursor: str | None = None
    while True:
        page = service.get("/v1/keys", limit=200, **({"cursor": cursor} if cursor else {})).raise_for_status().json()
        yield from page["keys"]
        cursor = page["next_cursor"]
        if cursor is None:
            return


def test_a_key_that_only_writes_is_told_how_much_was_kept_and_no_words(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group}).raise_for_status()
    headers = {"Authorization": f"Bearer {_secret(service, group, KEYS['only writes'])}"}
    said = {"content": "Maya lives_in Lisbon.", "speaker": "Maya"}
    fact = {"subject": {"name": "Maya", "type": "person"}, "category": "habit", "key": "tea", "value": "green"}
    for call, body in (("episodes?wait=30", said), ("facts", fact)):
        answer = service.http.post(f"/v1/groups/{group}/{call}", json=body, headers=headers).raise_for_status().json()
        (told,) = answer.get("episodes", [answer])
        assert (told["kept"], told["kept_beyond"], told["not_kept"]) == ([], 1, [])


def test_a_key_of_some_groups_hears_of_no_other(service: Service, group: str) -> None:
    for name in (group, f"{group}-1", f"{group}-2", uuid4().hex):
        service.post("/v1/groups", {"id": name}).raise_for_status()
    secret = _secret(service, group, {"rights": ["read"], "groups": [group, f"{group}-*"]})
    headers = {"Authorization": f"Bearer {secret}"}
    listed, cursor = list[str](), ""
    for _ in range(10):
        page = service.http.get(
            "/v1/groups", params={"limit": 2, **({"cursor": cursor} if cursor else {})}, headers=headers
        ).json()
        listed += [one["id"] for one in page["groups"]]
        if not (cursor := page["next_cursor"]):
            break
    assert listed == [group, f"{group}-1", f"{group}-2"]


def test_one_user_sees_and_says_only_its_own_and_what_everybody_may(service: Service, group: str) -> None:
    said = {"subject": {"name": "Maya", "type": "person"}, "category": "preference", "key": "drink"}
    for user, value in ((None, "water"), ("ann", "tea"), ("bo", "rum")):
        service.post(f"/v1/groups/{group}/facts", {**said, "value": value, "user": user}).raise_for_status()

    def values(wanted: Mapping[str, Any], user: str | None = None) -> set[str]:
        secret = _secret(service, group, {"rights": ["read", "write"], **wanted})
        params = {"user": user} if user else {}
        headers = {"Authorization": f"Bearer {secret}"}
        answer = service.http.get(f"/v1/groups/{group}/facts", params=params, headers=headers).raise_for_status()
        return {fact["value"] for fact in answer.json()["facts"]}

    assert values({}) == {"water", "tea", "rum"}
    assert values({"users": ["ann"]}) == {"water", "tea"}
    assert values({"users": ["ann", "bo"]}, "bo") == {"water", "rum"}
    assert values({"users": ["ann", "bo"]}) == values({"users": []}) == {"water"}

    secret = _secret(service, group, {"rights": ["read", "write"], "users": ["ann"]})
    mine = {"Authorization": f"Bearer {secret}"}
    service.http.post(f"/v1/groups/{group}/facts", json={**said, "key": "food", "value": "rice"}, headers=mine)
    assert "rice" in values({"users": ["ann"]})
    assert "rice" not in values({"users": ["bo"]})

    listed = service.http.get(f"/v1/groups/{group}/facts", headers=mine).raise_for_status().json()["facts"]
    done = {
        fact["value"]: service.http.post(f"/v1/groups/{group}/facts/{fact['id']}/confirm", headers=mine).status_code
        for fact in listed
    }
    assert done == {"water": 403, "tea": 200, "rice": 200}, "what is everybody's it leaves alone"


def test_a_key_of_one_agent_hands_in_as_that_one(service: Service, group: str) -> None:
    secret = _secret(service, group, {"rights": ["read", "write"], "agents": ["clerk"]})
    headers = {"Authorization": f"Bearer {secret}"}
    path, said = f"/v1/groups/{group}/episodes", {"content": "Hello.", "occurred_at": "2025-05-01T00:00:00Z"}
    service.http.post(path, json={**said, "session": "s"}, headers=headers).raise_for_status()
    (session,) = service.get(f"/v1/groups/{group}/sessions").json()["sessions"]
    assert session["agent"] == "clerk"
    refused = service.http.post(path, json={**said, "agent": "other"}, headers=headers)
    assert (refused.status_code, "'clerk'" in refused.json()["detail"]) == (403, True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"groups": []},
        {"groups": ["a*b"]},
        {"groups": ["**"]},
        {"rights": []},
        {"rights": ["own"]},
        {"users": [""]},
        {"users": ["*"]},
        {"agents": []},
        {"expires_at": "2020-01-01T00:00:00Z"},
        {"label": " "},
    ],
)
def test_a_key_that_makes_no_sense_is_refused(service: Service, wrong: Mapping[str, Any]) -> None:
    body = {"label": "of a test", "groups": ["g"], "rights": ["read"], **wrong}
    assert service.post("/v1/keys", body).status_code == 422


def test_what_is_everybodys_an_administrator_decides(service: Service, group: str) -> None:
    said = {"content": "Hello, I am Maya.", "occurred_at": "2025-05-01T00:00:00Z"}
    path = f"/v1/groups/{group}/episodes"
    (shared,) = service.post(path, said).raise_for_status().json()["episodes"]
    (own,) = service.post(path, {**said, "user": "ann"}).raise_for_status().json()["episodes"]

    def statuses(wanted: Mapping[str, Any], user: str) -> list[int]:
        headers = {"Authorization": f"Bearer {_secret(service, group, wanted)}"}
        return [
            service.http.post(
                f"{path}/{one['id']}/reprocess", params={"user": user}, headers=headers, json={}
            ).status_code
            for one in (shared, own)
        ]

    assert statuses({"rights": ["read", "write"], "users": ["ann"]}, "ann") == [403, 202]
    assert statuses({"rights": ["read", "write", "admin"]}, "ann") == [202, 202]


def test_guides_and_streams_are_refused_as_other_calls_are(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group}).raise_for_status()
    for wanted, guide in (({"users": ["ann"], "rights": ["read"]}, 403), ({"rights": ["write"]}, 403)):
        headers = {"Authorization": f"Bearer {_secret(service, group, wanted)}"}
        assert service.http.get("/browser/guide.md", headers=headers).status_code == guide
    reader = {"Authorization": f"Bearer {_secret(service, group, {'rights': ['read']})}"}
    assert group in service.http.get("/browser/guide.md", headers=reader).text
    stream = {**reader, "Content-Type": "application/x-ndjson"}
    assert service.http.post(f"/v1/groups/{group}/claims", content="{}\n", headers=stream).status_code == 403
