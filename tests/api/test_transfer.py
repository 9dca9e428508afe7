"""A group that is exported, taken away and imported answers as before, of any instant up to the export, over HTTP."""

import asyncio
import gzip
import json
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import sleep
from typing import Any, cast
from uuid import uuid4

import httpx
import pytest
from hypothesis import given
from typer.testing import CliRunner

from graphmem.api import openapi
from graphmem.client.cli import app
from graphmem.recall.reader import KNOWN_SECONDS
from graphmem.store.driver import Database
from tests.api import asking
from tests.api.asking import AUDIT, EXPORT, GROUP, Asked
from tests.api.claiming import JANUARY, MAY, MAYA, compare, lives, post
from tests.api.conftest import PATIENCE, OpenService, Service
from tests.api.hostile import OTHER, READER, Said, at_once, tellings
from tests.api.tenants import Tenant
from tests.generated import generated
from tests.models import memory_on
from tests.servers import Servers
from tests.transfer import Transfer

FEW, MANY = 2, 20
NDJSON = {"Content-Type": "application/x-ndjson"}
_WHEN = "2025-06-01T00:00:00Z"
_OF_A_REQUEST = frozenset({"settled", "access_changed_at", "erased_at", "request_id"})
_RANKED = frozenset({f"{GROUP}/search", f"{GROUP}/context"})
_NOT_KEPT = frozenset({EXPORT, *AUDIT, f"{GROUP}/memory/stats", f"{GROUP}/extract"})
"""What no import keeps: when something was used, what is read of a text by now, who did what."""


@dataclass(frozen=True, slots=True)
class Setup:
    service: Service
    transfer: Transfer
    document: dict[str, Any]
    run: Callable[[Coroutine[Any, Any, Any]], Any]
    database: Database


@pytest.fixture(scope="module")
def setup(open_service: OpenService, servers: Servers) -> Iterator[Setup]:
    with asyncio.Runner() as runner, open_service(patience=PATIENCE, max_body_bytes=10_000_000) as service:
        database = runner.run(opened(servers))
        document = service.get("/openapi.json").json()
        try:
            yield Setup(service, Transfer(memory_on(database)), document, runner.run, database)
        finally:
            runner.run(database.aclose())


async def opened(servers: Servers) -> Database:
    return servers.open()


def exported(service: Service, group: str, **asked: Any) -> httpx.Response:
    answer = service.get(f"/v1/groups/{group}/export", **asked)
    assert answer.is_success, answer.text
    return answer


def imported(service: Service, group: str, content: bytes, **headers: str) -> httpx.Response:
    return service.http.post(f"/v1/groups/{group}/import", content=content, headers={**NDJSON, **headers})


@pytest.mark.timeout(7200)
def test_answers_of_the_past_are_the_same(setup: Setup, pytestconfig: pytest.Config) -> None:
    every = pytestconfig.option.all

    @generated(FEW, MANY, every=every)
    @given(told=tellings(), asked=asking.requests(setup.document, {}))
    def holds(told: tuple[Said, ...], asked: list[Asked]) -> None:
        comes_back(setup, told, asked)

    holds()


def comes_back(setup: Setup, told: Sequence[Said], asked: Sequence[Asked]) -> None:
    tenant = Tenant(setup.service, f"transfer-{uuid4().hex[:12]}")
    tenant.keep("other", OTHER, told, 2)
    tenant.tell(at_once(told))
    with tenant.telling():
        for user in (None, READER, OTHER):
            tenant.merge_first("person", user, "They say so.")
        setup.run(compare(setup.database, tenant.group))
    tenant.know()
    dated = [past for number, one in enumerate(asked) if (past := of_the_past(setup.document, one, number))]
    before = [answer(setup, tenant, one) for one in dated]
    content = exported(setup.service, tenant.group).content
    setup.run(setup.transfer.delete(tenant.group))
    report = imported(setup.service, tenant.group, content)
    assert (report.status_code, report.json().get("differences")) == (201, []), report.text
    for one, answered in zip(dated, before, strict=True):
        assert answer(setup, tenant, one) == answered, one


def of_the_past(document: dict[str, Any], asked: Asked, number: int) -> Asked | None:
    """A request as of instants that are over; None of one that takes none, or that an import does not keep."""
    taken = taken_by(document, asked)
    if "known_at" not in taken or asked.path in _NOT_KEPT or (asked.path in _RANKED and not asked.whole):
        return None
    times = {name: at for name, at in (("known_at", f"@after {number}@"), ("valid_at", _WHEN)) if name in taken}
    if asked.given.get("axis"):
        times = {
            name: at
            for name, at in times.items()
            if name.startswith("known" if asked.given["axis"] == "valid" else "valid")
        }
    if asked.body is None:
        return replace(asked, params={**asked.params, **times})
    return replace(asked, body={**asked.body, **times})


def taken_by(document: dict[str, Any], asked: Asked) -> set[str]:
    for method, path, operation in openapi.operations(document):
        if (method, path) == (asked.method, asked.path):
            named = {one["name"] for one in operation.get("parameters", ())}
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            schema = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
            return named | document["components"]["schemas"].get(schema, {}).get("properties", {}).keys()
    return set()


def answer(setup: Setup, tenant: Tenant, asked: Asked) -> tuple[int, Any]:
    answered = asked.by(None).send(setup.service, tenant)
    if asked.ranked:
        return answered.status_code, tenant.shown(answered.text, ranked=True, by_token=asked.by_token)
    try:
        return answered.status_code, without(answered.json())
    except ValueError:
        return answered.status_code, answered.text


def without(value: Any) -> Any:
    """An answer but for what says when it was asked."""
    if isinstance(value, Mapping):
        parts = cast("Mapping[str, Any]", value)
        return {name: without(part) for name, part in parts.items() if name not in _OF_A_REQUEST}
    return [without(part) for part in cast("list[Any]", value)] if isinstance(value, list) else value


def test_a_file_of_one_user_has_nothing_of_others_and_may_be_imported(setup: Setup, group: str) -> None:
    service = setup.service
    post(service, group, lives("Porto", JANUARY), lives("Lisbon", MAY, user="ann"), lives("Oslo", MAY, user="bob"))
    said = {"content": "Maya likes_most Bergen", "session": "s", "user": "bob", "occurred_at": MAY}
    assert service.post(f"/v1/groups/{group}/episodes", said, wait=30).is_success
    content = exported(service, group, user="ann").content
    lines = [json.loads(line) for line in content.splitlines()]
    assert (lines[0]["user"], b"Oslo" in content, b"Bergen" in content, b"bob" in content) == (
        "ann",
        False,
        False,
        False,
    )
    assert sorted(line["statement"] for line in lines if line["type"] == "claim") == [
        "Maya lives in Lisbon.",
        "Maya lives in Porto.",
    ]
    names = {line["name"] for line in lines if line["type"] == "entity"}
    assert names == {"Maya", "Porto", "Lisbon"}
    before = service.get(f"/v1/groups/{group}/graph", user="ann", valid_at=_WHEN).json()["beliefs"]

    setup.run(setup.transfer.delete(group))
    assert imported(service, group, content).status_code == 201
    assert service.get(f"/v1/groups/{group}/graph", user="ann", valid_at=_WHEN).json()["beliefs"] == before
    assert service.get(f"/v1/groups/{group}/graph", valid_at=_WHEN).json()["beliefs"] == before


def test_packed_or_not_with_vectors_or_without_it_is_the_same(setup: Setup, group: str) -> None:
    service = setup.service
    post(service, group, lives("Porto", JANUARY), lives("Lisbon", MAY))
    everything = setup.run(setup.transfer.everything(group))
    known_at = exported(service, group).text.partition('"known_at":"')[2].partition('"')[0]
    for vectors, packed in ((True, True), (False, False), (True, False)):
        encoding = {"Accept-Encoding": "gzip" if packed else "identity"}
        path = f"/v1/groups/{group}/export"
        with service.http.stream(
            "GET", path, params={"vectors": vectors, "known_at": known_at}, headers=encoding
        ) as sent:
            content = b"".join(sent.iter_raw())
        plain = gzip.decompress(content) if packed else content
        assert (b'"embedding":' in plain) == vectors
        setup.run(setup.transfer.delete(group))
        report = imported(service, group, content, **({"Content-Encoding": "gzip"} if packed else {}))
        assert (report.status_code, report.json()["embedded"] > 0) == (201, not vectors), report.text
        assert setup.run(setup.transfer.everything(group)) == everything


def test_what_cannot_be_imported_is_said(setup: Setup, group: str) -> None:
    service = setup.service
    post(service, group, lives("Porto", JANUARY))
    content = exported(service, group).content
    assert imported(service, group, content).status_code == 409
    other = imported(service, f"{group}-2", content)
    assert (other.status_code, "keeps the ids" in other.json()["detail"]) == (409, True)
    json_body = service.post(f"/v1/groups/{group}/import", {})
    half = imported(service, group, gzip.compress(content)[:-20], **{"Content-Encoding": "gzip"})
    assert (json_body.status_code, half.status_code) == (415, 409)
    assert service.get(f"/v1/groups/{group}-none/export").status_code == 404
    assert service.get(f"/v1/groups/{group}/export", known_at="2999-01-01").status_code == 422
    service.post("/v1/groups", {"id": f"{group}-i", "importing": True})
    assert service.get(f"/v1/groups/{group}-i/export").status_code == 409


def test_an_empty_group_may_be_filled(setup: Setup, group: str) -> None:
    service = setup.service
    post(service, group, lives("Porto", JANUARY))
    content = exported(service, group).content
    setup.run(setup.transfer.delete(group))
    sleep(KNOWN_SECONDS)  # for which the service takes for granted that it is there
    service.post("/v1/groups", {"id": group})
    assert service.get(f"/v1/groups/{group}/entities").json()["entities"] == []
    assert imported(service, group, content).status_code == 201
    assert {one["name"] for one in service.get(f"/v1/groups/{group}/entities").json()["entities"]} == {"Maya", "Porto"}
    post(service, group, {"subject": MAYA, "predicate": "likes", "value": "tea", "occurred_at": MAY})


def test_elsewhere_a_group_may_get_another_name(setup: Setup, group: str) -> None:
    service, name = setup.service, f"{group}-elsewhere"
    post(service, group, lives("Porto", JANUARY))
    asked = {
        "valid_at": _WHEN,
        "known_at": exported(service, group).text.partition('"known_at":"')[2].partition('"')[0],
    }
    content = exported(service, group).content
    before = service.get(f"/v1/groups/{group}/graph", **asked).json()["beliefs"]
    setup.run(setup.transfer.delete(group))
    sleep(KNOWN_SECONDS)
    report = imported(service, name, content)
    assert (report.status_code, report.json()["group"]) == (201, name), report.text
    sleep(KNOWN_SECONDS)
    assert service.get(f"/v1/groups/{name}/graph", **asked).json()["beliefs"] == before
    assert service.get(f"/v1/groups/{group}/graph", **asked).status_code == 404
    header = json.loads(exported(service, name).content.splitlines()[0])
    assert (header["group"], header["name"]) == (group, name)
    assert imported(service, name, content).status_code == 409


def test_commands_write_a_file_once_and_fill_a_group_from_it(setup: Setup, group: str, tmp_path: Path) -> None:
    service, runner, file = setup.service, CliRunner(), tmp_path / "maya.ndjson.gz"
    post(service, group, lives("Porto", JANUARY))
    asked = ["--url", service.url, "--key", service.token]
    done = runner.invoke(app, ["export", group, str(file), *asked])
    assert (done.exit_code, "as known at" in done.output) == (0, True), done.output
    content = gzip.decompress(file.read_bytes())
    assert (content.startswith(b'{"type":"header"'), list(tmp_path.iterdir())) == (True, [file])
    again = runner.invoke(app, ["export", group, str(file), *asked])
    assert (again.exit_code, type(again.exception).__name__) == (1, "Conflict")
    whole, lines = tmp_path / "whole.ndjson", content.splitlines(keepends=True)
    for broke_off in (content[:100], b"".join(lines[: len(lines) // 2]) + lines[len(lines) // 2][:9], content[:-9]):
        whole.with_name("whole.ndjson.part").write_bytes(broke_off)
        done = runner.invoke(app, ["export", group, str(whole), *asked])
        assert (done.exit_code, len(whole.read_bytes().splitlines())) == (0, len(lines)), done.output
        whole.unlink()
    setup.run(setup.transfer.delete(group))
    filled = runner.invoke(app, ["import", str(file), *asked])
    assert (filled.exit_code, "1 claim" in filled.output) == (0, True), filled.output
