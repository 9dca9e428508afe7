"""Groups that are renamed, archived, and not deleted by DELETE: over HTTP, by keys and by the administrator."""

from collections.abc import Iterator
from typing import Any

import pytest

from graphmem.api import openapi
from tests.api.asking import GROUP, WRITES
from tests.api.claiming import ABSENT, JANUARY, MAY, lives, post
from tests.api.conftest import Service

WHEN = "2025-06-01T00:00:00Z"
STILL_TAKEN = frozenset(
    {
        *(("POST", f"{GROUP}/{path}") for path in ("forget", "tombstones/lift")),
        *((method, f"{GROUP}/users/{{user}}/opt_out") for method in ("PUT", "DELETE")),
        *(("PUT", f"{GROUP}/{path}") for path in ("name", "archived")),
    }
)
"""What an archived group takes: to forget, and to be archived no more."""


def believed(service: Service, group: str) -> Any:
    return service.get(f"/v1/groups/{group}/graph", valid_at=WHEN).json()["beliefs"], [
        service.get(f"/v1/groups/{group}/{path}", valid_at=WHEN).json()[path] for path in ("entities", "beliefs")
    ]


def named(service: Service, group: str, name: str) -> Any:
    return service.http.put(f"/v1/groups/{group}/name", json={"name": name})


def archived(service: Service, group: str, *, archived: bool) -> Any:
    return service.http.put(f"/v1/groups/{group}/archived", json={"archived": archived})


def test_a_renamed_group_answers_as_before_and_by_its_new_name_alone(service: Service, group: str) -> None:
    new = f"{group}-new"
    post(service, group, lives("Porto", JANUARY), lives("Lisbon", MAY))
    before = believed(service, group)
    renamed = named(service, group, new)
    assert (renamed.status_code, renamed.json()["id"], renamed.json()["made_as"]) == (200, new, group), renamed.text
    assert believed(service, new) == before
    post(service, new, lives("Lisbon", MAY))  # of the same Maya
    assert len(service.get(f"/v1/groups/{new}/entities", name="Maya").json()["entities"]) == 1

    refused = [
        service.get(f"/v1/groups/{group}/graph"),
        service.post(f"/v1/groups/{group}/claims", [lives("Oslo", MAY)]),
        service.post("/v1/groups", {"id": group}),
    ]
    assert [(one.status_code, "another name now" in one.json()["detail"]) for one in refused] == [(404, True)] * 3
    listed = {one["id"] for one in service.get("/v1/groups", limit=500).json()["groups"]}
    assert (new in listed, group in listed) == (True, False)
    missing = service.get(f"/v1/groups/{new}/entities/{ABSENT}").json()
    assert (repr(new) in missing["detail"], missing["detail"].count(group)) == (True, missing["detail"].count(new))
    assert missing["instance"] == f"/v1/groups/{new}/entities/{ABSENT}"
    assert service.post("/v1/groups", {"id": new}).json()["made_as"] == group
    assert named(service, new, group).json()["id"] == group
    assert believed(service, group)[1][0] == before[1][0]


def test_no_group_gets_a_name_that_is_or_was_given(service: Service, group: str) -> None:
    for name in (group, f"{group}-2"):
        service.post("/v1/groups", {"id": name})
    assert named(service, group, f"{group}-2").status_code == 409
    assert named(service, group, f"{group}-3").status_code == 200
    taken = named(service, f"{group}-2", group)
    assert (taken.status_code, "made under it" in taken.json()["detail"]) == (409, True)
    assert named(service, f"{group}-3", "no name").status_code == 422
    assert named(service, f"{group}-none", f"{group}-4").status_code == 404


def test_a_name_opens_a_group_to_no_key_that_could_not_enter_it(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group})
    keys = {
        name: service.post("/v1/keys", {"label": name, "groups": [name], "rights": ["read", "write", "admin"]}).json()
        for name in (group, f"{group}-n*")
    }
    refused = named(service, group, f"{group}-new")
    gaining, own = keys[f"{group}-n*"]["key"]["id"], keys[group]["secret"]
    assert (refused.status_code, gaining in refused.json()["detail"]) == (409, True)
    assert keys[group]["key"]["id"] not in refused.json()["detail"]
    service.delete(f"/v1/keys/{gaining}").raise_for_status()
    assert named(service, group, f"{group}-new").status_code == 200

    def status(secret: str, name: str) -> int:
        headers = {"Authorization": f"Bearer {secret}"}
        return service.http.get(f"/v1/groups/{name}/graph", headers=headers).status_code

    body = {"label": "new", "groups": [f"{group}-new"], "rights": ["read"]}
    new = service.post("/v1/keys", body).json()["secret"]
    assert [status(own, f"{group}-new"), status(own, group)] == [403, 404]
    assert [status(new, f"{group}-new"), status(new, group)] == [200, 403]
    shown = service.http.get("/v1/groups", headers={"Authorization": f"Bearer {new}"}).json()["groups"]
    assert [one["id"] for one in shown] == [f"{group}-new"]
    assert named(service, f"{group}-new", group).status_code == 200  # what it was made as


@pytest.fixture
def archive(service: Service, group: str) -> Iterator[str]:
    post(service, group, lives("Porto", JANUARY))
    assert archived(service, group, archived=True).json()["archived_at"] is not None
    yield group
    assert archived(service, group, archived=False).json()["archived_at"] is None
    post(service, group, lives("Lisbon", MAY))


def test_an_archived_group_takes_nothing_but_what_forgets(service: Service, archive: str) -> None:
    refused = set[tuple[str, str]]()
    for method, path, _ in openapi.operations(service.get("/openapi.json").json()):
        if path.startswith(GROUP) and method != "GET":
            steps = [{"{group}": archive, "{kind}": "dedup"}.get(step, step) for step in path.split("/")]
            url = "/".join(ABSENT if step.startswith("{") else step for step in steps)
            answer = service.http.request(method, url, json={})
            if answer.status_code == 409 and answer.json()["type"].endswith(":archived"):
                refused.add((method, path))
    assert refused == {(method, path) for method, path in WRITES if path.startswith(GROUP)} - STILL_TAKEN
    said = service.post(f"/v1/groups/{archive}/claims", [lives("Oslo", MAY)]).json()["detail"]
    assert "admin unarchive" in said


def test_an_archived_group_is_read_and_listed_as_such(service: Service, archive: str) -> None:
    beliefs = service.get(f"/v1/groups/{archive}/graph", valid_at=WHEN).json()["beliefs"]
    found = service.post(f"/v1/groups/{archive}/search", {"query": "Where does Maya live?"})
    assert (len(beliefs), found.status_code) == (1, 200)
    since = service.get(f"/v1/groups/{archive}").json()["archived_at"]
    again = archived(service, archive, archived=True).json()["archived_at"]
    assert (since, service.post("/v1/groups", {"id": archive}).status_code) == (again, 200)


def test_a_group_in_which_something_waits_to_be_read_is_not_archived_yet(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group, "importing": True})
    refused = archived(service, group, archived=True)
    assert (refused.status_code, "importing" in refused.json()["detail"]) == (409, True)
    assert archived(service, f"{group}-none", archived=True).status_code == 404


def test_delete_says_how_a_group_is_forgotten(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group})
    refused = service.http.delete(f"/v1/groups/{group}")
    assert (refused.status_code, "forget --everything" in refused.json()["detail"]) == (405, True)
