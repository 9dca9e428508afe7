"""Equal names can be two: who hands in claims says by an id of theirs which one is meant."""

from typing import Any

import pytest

from tests.api.conftest import Service

ROLE = {"predicate": "has_role", "occurred_at": "2025-01-01T00:00:00Z"}


@pytest.fixture
def group(service: Service, group: str) -> str:
    service.post("/v1/groups", {"id": group})
    return f"/v1/groups/{group}"


def anna(id_: str | None = None) -> dict[str, Any]:
    return {"name": "Anna", "type": "person", **({"id": id_} if id_ else {})}


def post(service: Service, group: str, id_: str | None, role: str, source: str | None = "crm", **more: Any) -> None:
    body = {**ROLE, "subject": anna(id_), "value": role, **({"source": source} if source else {}), **more}
    answer = service.post(f"{group}/claims", body)
    assert answer.status_code == 201, answer.text


def annas(service: Service, group: str) -> dict[str, str]:
    """The ids of those named Anna, by qualifier."""
    found = service.get(f"{group}/entities", name="anna").json()["entities"]
    return {entity["qualifier"]: entity["id"] for entity in found}


def roles(service: Service, group: str, id_: str) -> set[str]:
    return {belief["value"] for belief in service.get(f"{group}/entities/{id_}").json()["beliefs"]}


def test_ids_tell_apart_who_has_one_name_and_a_bare_name_is_neither(service: Service, group: str) -> None:
    post(service, group, "1", "nurse")
    post(service, group, "2", "pilot")
    post(service, group, "1", "mother")
    post(service, group, None, "poet")
    post(service, group, "1", "diver", source="erp")
    post(service, group, "1", "baker", source=None)

    found = annas(service, group)
    assert {qualifier: roles(service, group, id_) for qualifier, id_ in found.items()} == {
        "crm:1": {"nurse", "mother"},
        "crm:2": {"pilot"},
        "": {"poet"},
        "erp:1": {"diver"},
        ":1": {"baker"},
    }


def test_a_name_of_several_is_asked_for_by_id(service: Service, group: str) -> None:
    post(service, group, "1", "nurse")
    post(service, group, "2", "pilot")

    problem = service.get(f"{group}/graph", entity="Anna")
    assert (problem.status_code, problem.json()["type"].rsplit(":", 1)[-1]) == (409, "ambiguous-name")
    assert {one["qualifier"]: one["id"] for one in problem.json()["candidates"]} == annas(service, group)


def test_two_of_one_name_may_report_to_each_other_and_none_to_itself(service: Service, group: str) -> None:
    reports = {**ROLE, "predicate": "reports_to", "source": "crm", "subject": anna("1")}
    assert service.post(f"{group}/claims", {**reports, "object": anna("2")}).status_code == 201
    assert service.post(f"{group}/claims", {**reports, "object": anna("1")}).status_code == 422
    assert len(annas(service, group)) == 2


def test_what_came_with_another_id_is_another_claim(service: Service, group: str) -> None:
    body = {**ROLE, "subject": anna("1"), "value": "nurse", "source": "crm", "external_id": "row-1"}
    first = service.post(f"{group}/claims", body)
    assert (
        service.post(f"{group}/claims", body).json()["claims"][0]["claim_id"] == first.json()["claims"][0]["claim_id"]
    )
    assert service.post(f"{group}/claims", {**body, "subject": anna("2")}).status_code == 409


@pytest.mark.parametrize("source", ["crm:eu", "mention"])
def test_ids_are_of_a_source_whose_name_ends_where_the_id_begins(service: Service, group: str, source: str) -> None:
    body = {**ROLE, "subject": anna("1"), "value": "nurse", "source": source}
    answer = service.post(f"{group}/claims", body)
    assert answer.status_code == 422
    assert "give it another name" in answer.text
    assert service.post(f"{group}/claims", {**body, "subject": anna()}).status_code == 201
