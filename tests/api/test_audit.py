"""The audit over HTTP: every call that changes something is in it, with no word of anybody; and who may ask for it."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import uuid4

import httpx
import pytest
from typer.testing import CliRunner

from graphmem.api import openapi
from graphmem.client.cli import app
from graphmem.clock import utc_now
from graphmem.model.tombstone import owner_id
from graphmem.store.audit import AuditStore
from graphmem.store.driver import Database
from graphmem.trust.audit import Audit
from tests.api.asking import GROUP, WRITES
from tests.api.conftest import OpenService, Service
from tests.api.probes import PROBES
from tests.api.test_access import ALICE, ZINNIA, Told, tell
from tests.models import INSTALLATION, memory_on
from tests.servers import Servers

CANARY, ZOE, AGENT = "Quetzal", "zoe", "clerk"
WORDS = (CANARY, ZINNIA, ALICE, ZOE, AGENT, "Okafor", "favourite", "later", "I say so", "Porto", "likes")
"""What is in the texts, names and reasons of these calls."""
_SAID = {"content": f"{CANARY} likes tea.", "speaker": CANARY, "occurred_at": "2025-06-01T00:00:00Z", "user": ZOE}
_CANARY = {"name": CANARY, "type": "person"}


@dataclass(frozen=True, slots=True)
class Setup:
    service: Service
    run: asyncio.Runner
    database: Database
    audit: Audit


@pytest.fixture(scope="module")
def setup(open_service: OpenService, servers: Servers) -> Iterator[Setup]:
    with asyncio.Runner() as runner, open_service() as service:
        database = runner.run(_opened(servers))
        audit = Audit(AuditStore.beside(memory_on(database).store), INSTALLATION, "admin")
        try:
            yield Setup(service, runner, database, audit)
        finally:
            runner.run(database.aclose())


async def _opened(servers: Servers) -> Database:
    return servers.open()


@dataclass(frozen=True, slots=True)
class Caller:
    """Makes the calls that name no thing of a user's."""

    told: Told

    def ask(self, method: str, path: str, body: Any = None, **params: Any) -> dict[str, Any]:
        where = path.replace("{group}", self.told.group)
        answer = self.told.service.http.request(method, where, json=body, params=params)
        assert answer.is_success, f"{method} {path}: {answer.text}"
        return answer.json()

    def made(self) -> str:
        body = {"label": CANARY, "groups": [self.told.group], "rights": ["read"], "users": [ZOE]}
        return self.ask("POST", "/v1/keys", body)["key"]["id"]

    def forget(self) -> None:
        forget, asked = f"{GROUP}/forget", {"session": "later", "user": ALICE}
        self.ask("POST", forget, {**asked, "confirm": self.ask("POST", forget, asked)["confirm"]})

    def rename(self) -> None:
        """There and back."""
        names = [f"{self.told.group}-{which}" for which in ("2", "3", "2")]
        for former, name in pairwise(names):
            self.ask("PUT", f"/v1/groups/{former}/name", {"name": name})

    def archive(self) -> None:
        for archived in (True, False):
            self.ask("PUT", f"/v1/groups/{self.told.group}-2/archived", {"archived": archived})

    def bring_back(self) -> None:
        """A file of this group, whose ids are of another one, goes into none; an empty one into a new group."""
        other = f"{self.told.group}-copy"
        self.ask("POST", "/v1/groups", {"id": other})
        file = self.told.service.http.get(f"/v1/groups/{other}/export").text
        headers = {"Content-Type": "application/x-ndjson"}
        answer = self.told.service.http.post(f"/v1/groups/{other}/import", content=file, headers=headers)
        assert answer.is_success, answer.text

    def hand_in(self) -> None:
        said = json.dumps({"content": CANARY, "time": "2025-06-01T00:00:00Z", "session": CANARY, "user": ZOE})
        path, headers = f"/v1/groups/{self.told.group}/files", {"Content-Type": "application/octet-stream"}
        asked = {"name": f"{CANARY}.jsonl"}
        answer = self.told.service.http.post(path, params=asked, content=said, headers=headers)
        assert answer.is_success, answer.text

    def act(self, verb: str, **body: Any) -> None:
        """Act on a fact of Zoe's that nobody acted on."""
        value = f"kept {uuid4().hex}"
        self.ask("POST", f"{GROUP}/facts", {**_FACT, "key": value, "value": value})
        facts = self.ask("GET", f"{GROUP}/facts", user=ZOE)["facts"]
        (id_,) = [fact["id"] for fact in facts if fact["value"] == value]
        self.ask("POST", f"{GROUP}/facts/{id_}/{verb}", {**body, "user": ZOE})
        if verb == "share":
            self.ask("POST", f"{GROUP}/facts/{id_}/unshare", {"user": ZOE})

    def keep(self) -> None:
        listed = self.ask("GET", f"{GROUP}/conflicts")["conflicts"]
        (conflict,) = [
            one["belief"]["id"] for one in listed if one["belief"]["predicate"] == "preference.favourite_song"
        ]
        self.ask("POST", f"{GROUP}/conflicts/{conflict}", {"keep": self.told.ids["song"], "user": ALICE})

    def revert(self) -> None:
        body = {"reason": "I say so."}
        self.ask("POST", f"{GROUP}/merges/{self.told.ids['merge']}/revert", body, user=ALICE)

    def close(self) -> None:
        (session,) = self.ask("GET", f"{GROUP}/sessions", name="later")["sessions"]
        self.ask("POST", f"{GROUP}/sessions/{session['id']}/close")


_FACT = {"subject": _CANARY, "category": "habit", "key": CANARY, "value": CANARY, "user": ZOE}
_CLAIM = {"subject": _CANARY, "predicate": "likes", "value": CANARY, "occurred_at": "2025-06-01T00:00:00Z", "user": ZOE}
OTHERS: Mapping[tuple[str, str], Callable[[Caller], object]] = {
    ("POST", f"{GROUP}/merges/{{merge_id}}/revert"): Caller.revert,
    ("POST", f"{GROUP}/conflicts/{{belief_id}}"): Caller.keep,
    ("POST", f"{GROUP}/facts/{{belief_id}}/confirm"): lambda call: call.act("confirm"),
    ("POST", f"{GROUP}/facts/{{belief_id}}/correct"): lambda call: call.act("correct", value="blue"),
    ("POST", f"{GROUP}/facts/{{belief_id}}/share"): lambda call: call.act("share"),
    ("POST", f"{GROUP}/facts/{{belief_id}}/unshare"): lambda call: call.act("share"),
    ("POST", "/v1/groups"): lambda call: call.ask("POST", "/v1/groups", {"id": f"{call.told.group}-2"}),
    ("PUT", f"{GROUP}/name"): Caller.rename,
    ("PUT", f"{GROUP}/archived"): Caller.archive,
    ("POST", f"{GROUP}/import"): Caller.bring_back,
    ("POST", f"{GROUP}/import/end"): lambda call: call.ask("POST", f"{GROUP}/import/end"),
    ("POST", "/v1/keys"): Caller.made,
    ("POST", "/v1/keys/{key_id}/replace"): lambda call: call.ask("POST", f"/v1/keys/{call.made()}/replace", {}),
    ("DELETE", "/v1/keys/{key_id}"): lambda call: call.ask("DELETE", f"/v1/keys/{call.made()}"),
    ("POST", f"{GROUP}/episodes"): lambda call: call.ask("POST", f"{GROUP}/episodes", {**_SAID, "agent": AGENT}),
    ("PUT", f"{GROUP}/episodes/by-external-id/{{external_id}}"): lambda call: call.ask(
        "PUT", f"{GROUP}/episodes/by-external-id/{CANARY}", {**_SAID, "agent": AGENT}
    ),
    ("POST", f"{GROUP}/files"): Caller.hand_in,
    ("POST", f"{GROUP}/claims"): lambda call: call.ask("POST", f"{GROUP}/claims", _CLAIM),
    ("POST", f"{GROUP}/facts"): lambda call: call.ask("POST", f"{GROUP}/facts", _FACT),
    ("POST", f"{GROUP}/sessions/{{session_id}}/close"): Caller.close,
    ("POST", f"{GROUP}/jobs/{{kind}}"): lambda call: call.ask("POST", f"{GROUP}/jobs/dedup", {}),
    ("PUT", f"{GROUP}/ontology"): lambda call: call.ask(
        "PUT", f"{GROUP}/ontology", {"entity_types": {"quetzal": CANARY}}
    ),
    ("DELETE", f"{GROUP}/ontology"): lambda call: call.ask("DELETE", f"{GROUP}/ontology"),
    ("PUT", f"{GROUP}/dates"): lambda call: call.ask("PUT", f"{GROUP}/dates", {"month_first": True}),
    ("PUT", f"{GROUP}/predicates/{{name}}"): lambda call: call.ask(
        "PUT", f"{GROUP}/predicates/{CANARY}", {"cardinality": "one"}
    ),
    ("DELETE", f"{GROUP}/predicates/{{name}}"): lambda call: call.ask("DELETE", f"{GROUP}/predicates/{CANARY}"),
    ("PUT", f"{GROUP}/sources/{{source}}"): lambda call: call.ask("PUT", f"{GROUP}/sources/{CANARY}", {"unique": True}),
    ("PUT", f"{GROUP}/entities/{{entity_id}}/protected"): lambda call: call.ask(
        "PUT", f"{GROUP}/entities/{call.told.ids['known']}/protected", {"protected": True}
    ),
    ("PUT", f"{GROUP}/users/{{user}}/opt_out"): lambda call: call.ask("PUT", f"{GROUP}/users/{ZOE}/opt_out"),
    ("PUT", f"{GROUP}/retention"): lambda call: call.ask("PUT", f"{GROUP}/retention", {"episode_days": 3_000}),
    ("DELETE", f"{GROUP}/retention"): lambda call: call.ask("DELETE", f"{GROUP}/retention"),
    ("POST", f"{GROUP}/tombstones/lift"): lambda call: call.ask(
        "POST", f"{GROUP}/tombstones/lift", {"tombstones": [owner_id(INSTALLATION.hash, call.told.group, ZOE)]}
    ),
    ("DELETE", f"{GROUP}/users/{{user}}/opt_out"): lambda call: (
        call.ask("PUT", f"{GROUP}/users/{ZOE}/opt_out"),
        call.ask("DELETE", f"{GROUP}/users/{ZOE}/opt_out"),
    ),
    ("POST", f"{GROUP}/forget"): Caller.forget,
}
"""Calls of which no probe changes something, once those before it did; in an order in which each does."""


@pytest.mark.timeout(900)
def test_every_call_that_changes_something_leaves_a_row_with_no_word_in_it(setup: Setup) -> None:
    began = utc_now().isoformat()  # what is no group's holds what other tests did, whose groups' names have words
    told = setup.run.run(tell(setup.service, setup.database, f"audit-{uuid4().hex}"))
    for act in OTHERS.values():
        act(Caller(told))
    for (method, path), probes in PROBES.items():
        for probe in probes if (method, path) in WRITES - OTHERS.keys() else ():
            told.ask(method, path, probe, told.ids[probe.thing], ALICE)

    groups = [told.group, f"{told.group}-2", f"{told.group}-copy"]
    rows = [row for group in groups for row in rows_of(setup.service, group)]
    rows += rows_of(setup.service, None, since=began)
    changed = {row["operation"] for row in rows if row["changed"]}
    assert sorted(f"{method} {path}" for method, path in WRITES if f"{method} {path}" not in changed) == []
    ours = json.dumps([{**row, "operation": "", "changed": row["changed"]} for row in rows])
    assert [word for word in WORDS if word in ours] == []
    assert {row["address"] for row in rows if row["operation"].startswith("POST /v1/groups/{group}/c")} == {"127.0.0.1"}

    for group in (told.group, f"{told.group}-copy"):  # that a group was made is in none's own
        assert setup.run.run(setup.audit.chain_group(group)) > 0
        chain = setup.service.get(f"/v1/groups/{group}/audit/chain").json()
        assert (chain["misfit"], chain["unchained"], chain["end"]["place"] > 0) == (None, 0, True)
    refused = httpx.get(f"{setup.service.url}/v1/groups/{told.group}/audit", trust_env=False)
    assert refused.status_code == 401


def rows_of(service: Service, group: str | None, **asked: Any) -> list[dict[str, Any]]:
    """All rows, page by page."""
    path, rows, cursor = "/v1/audit" if group is None else f"/v1/groups/{group}/audit", list[dict[str, Any]](), {}
    while True:
        page = service.get(path, limit=50, **asked, **cursor).raise_for_status().json()
        rows += page["rows"]
        if page["next_cursor"] is None:
            return rows
        cursor = {"cursor": page["next_cursor"]}


def test_every_call_that_writes_is_made_above(setup: Setup) -> None:
    document = setup.service.get("/openapi.json").json()
    assert {(method, path) for method, path, _ in openapi.operations(document)} >= WRITES
    assert PROBES.keys() | OTHERS.keys() >= WRITES


def test_rows_are_found_by_who_and_what_and_come_by_the_page_or_the_line(service: Service, group: str) -> None:
    said = {"subject": _CANARY, "category": "preference", "key": "drink"}
    for user in (None, "ann", "bo"):
        service.post(f"/v1/groups/{group}/facts", {**said, "value": "tea", "user": user}).raise_for_status()
    made = {"label": "an administrator", "groups": [group], "rights": ["read", "write", "admin"]}
    key = service.post("/v1/keys", made).raise_for_status().json()
    headers = {"Authorization": f"Bearer {key['secret']}"}
    facts = f"/v1/groups/{group}/facts"
    (ours,) = [one["id"] for one in service.get(facts, user="ann").json()["facts"] if one["user"] == "ann"]
    service.http.post(f"{facts}/{ours}/confirm", json={"user": "ann"}, headers=headers).raise_for_status()

    every = rows_of(service, group)
    confirm = f"POST {GROUP}/facts/{{belief_id}}/confirm"
    assert [row["operation"] for row in rows_of(service, group, key=key["key"]["id"])] == [confirm]
    assert [row["operation"] for row in rows_of(service, group, by_user="ann")] == [f"POST {GROUP}/facts", confirm]
    assert len(rows_of(service, group, operation=f"POST {GROUP}/facts")) == len(every) == 4
    (last,) = rows_of(service, group, since=every[-1]["recorded_at"])
    assert rows_of(service, group, until=every[-1]["recorded_at"]) == every[:-1]
    named = next(things["ids"][0] for things in last["changed"] if things["kind"] == "claims")
    assert rows_of(service, group, thing=named) == [last]
    assert {row["user"] for row in every[:1]} == {None}

    lines = service.http.get(f"/v1/groups/{group}/audit", headers={"Accept": "application/x-ndjson"})
    assert [json.loads(line) for line in lines.text.splitlines()] == every
    (kept,) = rows_of(service, None, thing=key["key"]["id"])
    assert [things["kind"] for things in kept["changed"]] == ["keys"]


def test_what_administrators_read_of_users_is_kept_and_what_others_read_is_not(service: Service, group: str) -> None:
    service.post(f"/v1/groups/{group}/facts", {**_FACT, "user": "ann"}).raise_for_status()
    for rights, users, kept in (
        (["read", "admin"], None, 3),
        (["read", "admin"], ["ann"], 0),
        (["read"], None, 0),
    ):
        before = len(rows_of(service, group))
        made = {"label": "a reader", "groups": [group], "rights": rights, **({"users": users} if users else {})}
        secret = service.post("/v1/keys", made).raise_for_status().json()["secret"]
        headers = {"Authorization": f"Bearer {secret}"}
        for call in ("facts", "facts?user=ann"):
            service.http.get(f"/v1/groups/{group}/{call}", headers=headers).raise_for_status()
        body = {"query": CANARY, "user": "ann"}
        service.http.post(f"/v1/groups/{group}/search", json=body, headers=headers).raise_for_status()
        reads = rows_of(service, group)[before:]
        assert [row["changed"] for row in reads] == [[]] * kept
        if kept:
            assert [row["operation"] for row in reads] == [*[f"GET {GROUP}/facts"] * 2, f"POST {GROUP}/search"]
            assert [row["user"] for row in reads] == [None, reads[1]["user"], reads[1]["user"]]
            nowhere = service.http.get(f"/v1/groups/{uuid4().hex}/facts", headers=headers)
            assert nowhere.status_code == 403
    service.get(f"/v1/groups/{group}/facts")
    assert len(rows_of(service, group)) == 4


def test_the_command_shows_rows_and_looks_at_the_chain(setup: Setup, group: str) -> None:
    setup.service.post(f"/v1/groups/{group}/facts", _FACT).raise_for_status()
    options = ["--url", setup.service.url, "--key", setup.service.token]

    def command(*words: str) -> str:
        done = CliRunner().invoke(app, ["audit", *words, *options])
        assert done.exit_code == 0, done.output
        return done.output

    assert f"POST {GROUP}/facts" in command(group)
    assert "rows wait for a place" in command(group, "--verify")
    setup.run.run(setup.audit.chain_group(group))
    assert "Every row is as it was written." in command(group, "--verify")
    assert "there is nothing" in command(group, "--operation", "DELETE")
    assert "POST /v1/" in command()
