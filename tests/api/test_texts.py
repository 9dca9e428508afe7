"""An edited message over HTTP: it takes the place of what was said before, which stays evidence of the past."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from graphmem.clock import utc_now
from graphmem.store.driver import Database
from graphmem.store.tombstone import TombstoneStore
from graphmem.trust.tombstones import Tombstones
from tests.api.conftest import MAX_CONTENT, Service
from tests.models import INSTALLATION, memory_on

SAID = {"content": "Maya lives_in Lisbon.", "occurred_at": "2025-05-03T10:00:00Z", "session": "chat", "speaker": "Maya"}
EDITED = SAID | {"content": "Maya lives_in Porto."}


@pytest.fixture
def tombstones(database: Database) -> Tombstones:
    return Tombstones(TombstoneStore.beside(memory_on(database).store), INSTALLATION, utc_now)


def put(service: Service, group: str, body: Any, *, key: str | None = None, name: str = "message/1") -> httpx.Response:
    path = f"/v1/groups/{group}/episodes/by-external-id/{name.replace('/', '%2F')}"
    return service.http.put(path, json=body, headers={"Idempotency-Key": key} if key else {})


def shown(service: Service, group: str, **asked: Any) -> list[str]:
    return [one["content"] for one in service.get(f"/v1/groups/{group}/episodes", **asked).json()["episodes"]]


def believed(service: Service, group: str, **asked: Any) -> list[str]:
    return [one["statement"] for one in service.get(f"/v1/groups/{group}/graph", **asked).json()["beliefs"]]


def test_an_edited_text_takes_the_place_of_the_one_before_from_now_on(service: Service, group: str) -> None:
    path = f"/v1/groups/{group}"
    first, same, other = (put(service, group, body) for body in (SAID, SAID, EDITED))
    said, edited = first.json(), other.json()
    old, new = (service.get(f"{path}/episodes/{one['id']}").json() for one in (said, edited))

    assert (first.status_code, said["new"], said["replaces"], said["retracted"]) == (201, True, None, 0)
    assert (same.status_code, same.json()["id"], same.json()["new"]) == (200, said["id"], False)
    assert (other.status_code, edited["replaces"], edited["retracted"]) == (201, said["id"], 1)
    assert edited["id"] != said["id"]
    assert (old["status"], old["replaced_by"], old["content"]) == ("replaced", new["id"], SAID["content"])
    assert (new["external_id"], new["replaced_by"], new["recorded_at"]) == ("message/1", None, old["replaced_at"])

    assert (believed(service, group), shown(service, group)) == ([EDITED["content"]], [EDITED["content"]])
    assert shown(service, group, status="replaced") == [SAID["content"]]
    before = {"known_at": old["digested_at"]}
    assert believed(service, group, **before) == [SAID["content"]]
    assert shown(service, group, **before) == shown(service, group, session="chat", **before) == [SAID["content"]]
    session = service.get(f"{path}/sessions").json()["sessions"][0]["id"]
    turns = service.get(f"{path}/sessions/{session}").json()["episodes"]
    assert [turn["content"] for turn in turns] == [EDITED["content"]]
    asked = {"query": "Where does Maya live?", "kinds": ["episode"]}
    for times, ids in (({}, [new["id"]]), (before, [old["id"]])):
        hits = service.post(f"{path}/search", {**asked, **times}).raise_for_status().json()["hits"]
        assert [hit["thing"]["id"] for hit in hits] == ids


def test_a_late_retry_changes_nothing_and_a_key_brings_a_text_back(service: Service, group: str) -> None:
    first, second = (put(service, group, body, key=key).json() for body, key in ((SAID, "first"), (EDITED, "second")))
    late = put(service, group, SAID)
    late_with_its_key = put(service, group, SAID, key="first")
    posted = service.post(f"/v1/groups/{group}/episodes", SAID | {"external_id": "message/1"}).json()["episodes"][0]
    refused = service.post(f"/v1/groups/{group}/episodes", EDITED | {"external_id": "message/1"})
    back, again = (put(service, group, SAID, key="undo") for _ in range(2))

    assert (late.status_code, late.json()["new"], late.json()["replaced_by"]) == (200, False, second["id"])
    assert late_with_its_key.json() == late.json()
    assert (posted["id"], posted["new"], posted["status"]) == (first["id"], False, "replaced")
    assert refused.status_code == 409
    assert (back.status_code, back.json()["replaces"]) == (201, second["id"])
    assert (again.status_code, again.json()["id"]) == (200, back.json()["id"])
    assert believed(service, group) == shown(service, group) == [SAID["content"]]


def test_a_text_without_a_time_was_said_when_the_first_one_was(service: Service, group: str) -> None:
    undated = {name: value for name, value in EDITED.items() if name != "occurred_at"}
    put(service, group, SAID)
    new, again = (put(service, group, undated).json() for _ in range(2))

    assert (new["new"], again["new"], again["id"]) == (True, False, new["id"])
    episode = service.get(f"/v1/groups/{group}/episodes/{new['id']}").json()
    assert episode["occurred_at"] == SAID["occurred_at"]

    with ThreadPoolExecutor() as senders:
        sent = [senders.submit(put, service, group, undated, name="message/2") for _ in range(4)]
    at_once = [one.result() for one in sent]
    assert sorted(one.status_code for one in at_once) == [200, 200, 200, 201]
    assert len({one.json()["id"] for one in at_once}) == 1


def test_an_edit_takes_a_text_out_of_a_session_which_is_not_there_once_nothing_is_left(
    service: Service, group: str
) -> None:
    path = f"/v1/groups/{group}/sessions"
    old = put(service, group, SAID).json()
    before = {"known_at": service.get(f"/v1/groups/{group}/episodes/{old['id']}").json()["digested_at"]}
    (chat,) = service.get(path).json()["sessions"]
    put(service, group, EDITED | {"session": "talk"})

    assert [one["session"] for one in service.get(path).json()["sessions"]] == ["talk"]
    assert service.http.get(f"{path}/{chat['id']}").status_code == 404
    assert [one["session"] for one in service.get(path, **before).json()["sessions"]] == ["chat"]
    assert service.get(f"{path}/{chat['id']}", **before).json()["episodes"][0]["id"] == old["id"]


def test_what_waits_to_be_read_is_not_read_once_it_is_replaced(service: Service, group: str) -> None:
    service.queue.busy = True
    try:
        old = put(service, group, SAID).json()
        new = put(service, group, EDITED).json()
    finally:
        service.queue.busy = False
    service.post(f"/v1/groups/{group}/episodes", SAID | {"content": "Bruno lives_in Faro."}, wait=30)

    stored = service.get(f"/v1/groups/{group}/episodes/{old['id']}").json()
    assert (new["replaces"], new["retracted"]) == (old["id"], 0)
    assert (stored["status"], stored["digested_at"]) == ("replaced", None)
    assert SAID["content"] not in believed(service, group)
    for verb in ("retry", "reprocess"):
        assert service.http.post(f"/v1/groups/{group}/episodes/{old['id']}/{verb}").status_code == 409


async def test_names_are_their_users_and_a_forgotten_one_goes_with_all_its_texts_and_takes_no_other(
    service: Service, tombstones: Tombstones, group: str
) -> None:
    path = f"/v1/groups/{group}"
    first = put(service, group, SAID | {"user": "ann"}).json()
    for user, body in (("bo", SAID), ("ann", EDITED)):
        put(service, group, body | {"user": user})
    assert shown(service, group, user="bo") == [SAID["content"]]
    preview = service.post(f"{path}/forget", {"external_ids": ["message/1"], "user": "ann"}).raise_for_status().json()
    assert preview["counts"]["episodes"] == 2

    await tombstones.bar(group, [first["id"]], [])
    for body in (SAID, EDITED, SAID | {"content": "Maya lives_in Faro."}):
        refused = put(service, group, body | {"user": "ann"})
        assert (refused.status_code, refused.json()["type"].rpartition(":")[2]) == (409, "forgotten")
    assert put(service, group, EDITED | {"user": "bo"}).status_code == 201


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (SAID | {"external_id": "message/2"}, 422),
        ([SAID], 422),
        ({"content": " "}, 422),
        ({"content": "x" * (MAX_CONTENT + 1)}, 413),
    ],
)
def test_what_is_no_text_of_the_name_is_refused(service: Service, group: str, body: Any, status: int) -> None:
    service.post("/v1/groups", {"id": group})
    assert put(service, group, body).status_code == status
    assert shown(service, group) == []


def test_a_group_that_imports_takes_no_text(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group, "importing": True})
    assert put(service, group, SAID).status_code == 409
