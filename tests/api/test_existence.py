"""Whether an entity existed, over HTTP: in every answer that shows entities, as of any time."""

from typing import Any

import pytest

from tests.api.claiming import MAYA, lives, post
from tests.api.conftest import Service

SAID = "2024-01-01T00:00:00Z"


def told(predicate: str, value: str) -> dict[str, Any]:
    return {"subject": MAYA, "predicate": predicate, "value": value, "occurred_at": SAID}


@pytest.fixture
def maya(service: Service, group: str) -> str:
    post(service, group, lives("Lisbon", SAID), told("born_on", "1984-05-03"), told("died_on", "2020"))
    (found,) = service.get(f"/v1/groups/{group}/entities", name="Maya").json()["entities"]
    return f"/v1/groups/{group}/entities/{found['id']}"


def shown(entity: dict[str, Any]) -> tuple[str | None, str | None, str]:
    return entity["valid_from"], entity["valid_to"], entity["existed"]


@pytest.mark.parametrize(
    ("valid_at", "existed"), [("1984-05-02", "false"), ("1984-05-03", "true"), ("2020-12-31", "true"), (None, "false")]
)
def test_an_entity_says_whether_it_existed(service: Service, maya: str, valid_at: str | None, existed: str) -> None:
    at = {"valid_at": f"{valid_at}T00:00:00Z"} if valid_at else {}
    entity = service.get(maya, **at).json()["entity"]
    assert shown(entity) == ("1984-05-03T00:00:00Z", "2021-01-01T00:00:00Z", existed)


def test_each_answer_with_entities_says_so(service: Service, group: str, maya: str) -> None:
    path, at = f"/v1/groups/{group}", {"valid_at": "2024-06-01T00:00:00Z"}
    answers = [
        service.get(f"{path}/graph", **at).json()["entities"],
        service.get(f"{path}/entities", **at).json()["entities"],
        [service.get(f"{maya}/history", **at).json()["entity"]],
        service.post(f"{path}/search", {"query": "Lisbon", **at}).json()["entities"],
    ]
    found = [{entity["name"]: shown(entity) for entity in entities} for entities in answers]
    of_maya = ("1984-05-03T00:00:00Z", "2021-01-01T00:00:00Z", "false")
    assert [one["Maya"] for one in found] == [of_maya] * len(answers)
    assert found[0]["Lisbon"] == (None, None, "unknown")
    assert 'key="node-existed">false<' in service.get(f"{path}/graph", format="graphml", **at).text


def test_a_history_without_a_time_says_whether_it_existed_when_it_was_known(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group, "importing": True})
    post(service, group, told("opened_on", "2023") | {"recorded_at": SAID})
    post(service, group, told("closed_on", "2023") | {"recorded_at": "2025-01-01T00:00:00Z"})
    (maya,) = service.get(f"/v1/groups/{group}/entities").json()["entities"]
    known = {
        year: service.get(f"/v1/groups/{group}/entities/{maya['id']}/history", known_at=f"{year}-06-01T00:00:00Z")
        for year in ("2024", "2025")
    }
    assert {year: answer.json()["entity"]["existed"] for year, answer in known.items()} == {
        "2024": "true",
        "2025": "false",
    }


def test_a_group_declares_a_predicate_that_tells_of_existence(service: Service, group: str) -> None:
    path = f"/v1/groups/{group}/predicates"
    for name, bound in (("enrolled_on", "begins"), ("opened", "none")):
        service.http.put(f"{path}/{name}", json={"cardinality": "many", "bound": bound})

    post(service, group, told("enrolled_on", "2001"), told("opened", "1984"))

    (maya,) = service.get(f"/v1/groups/{group}/entities").json()["entities"]
    assert shown(maya) == ("2001-01-01T00:00:00Z", None, "true")
