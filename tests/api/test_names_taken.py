"""Whom a short name means over HTTP: the one person whose name it is short for, or several, or nobody."""

from typing import Any

from tests.api.claiming import JANUARY, MARCH, lives, post
from tests.api.conftest import Service

NORA, IDA = ({"name": name, "type": "person"} for name in ("Nora Lindqvist", "Ida Moreau"))


def read(service: Service, group: str, what: str, **asked: Any) -> dict[str, Any]:
    answer = service.get(f"/v1/groups/{group}/{what}", **asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_short_name_means_the_one_person_whose_name_it_is_short_for(service: Service, group: str) -> None:
    post(service, group, lives("Oslo", JANUARY, subject=NORA, importance=0.9), lives("Rome", JANUARY, subject=IDA))
    taken = {"Nora": "Nora Lindqvist"}

    graph = read(service, group, "graph", entity="Nora")
    assert ([one["statement"] for one in graph["beliefs"]], graph["taken_for"]) == (
        ["Nora Lindqvist lives in Oslo."],
        taken,
    )
    named = read(service, group, "entities", name="Nora")
    assert ([one["name"] for one in named["entities"]], named["taken_for"]) == (["Nora Lindqvist"], taken)
    span = {"axis": "valid", "from": "2024-01-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"}
    diff = read(service, group, "diff", entity="Nora", **span)
    assert (len(diff["began"]), diff["taken_for"]) == (1, taken)
    for asked in ({"query": "Where does Nora live?"}, {"query": "where", "about": "Nora"}):
        context = service.post(f"/v1/groups/{group}/context", {**asked, "valid_at": "2025-02-01T00:00:00Z"}).json()
        assert (context["parts"][0]["heading"], context["taken_for"]) == ("What is known about Nora Lindqvist", taken)
    asked = {"query": "home", "entity": "Nora", "kinds": ["relationship"]}
    found = service.post(f"/v1/groups/{group}/search", asked).json()
    assert ([hit["thing"]["statement"] for hit in found["hits"]], found["taken_for"]) == (
        ["Nora Lindqvist lives in Oslo."],
        taken,
    )
    for whole in ("Nora Lindqvist", graph["entities"][0]["id"]):
        assert read(service, group, "graph", entity=whole)["taken_for"] == {}
    assert service.post(f"/v1/groups/{group}/context", {"query": "Nora Lindqvist?"}).json()["taken_for"] == {}


def test_a_name_that_is_somebodys_own_is_taken_for_no_other_and_of_several_all_are_told(
    service: Service, group: str
) -> None:
    post(service, group, lives("Oslo", JANUARY, subject=NORA))
    post(service, group, lives("Bergen", MARCH, subject={"name": "Nora Vik", "type": "person"}))
    several = service.get(f"/v1/groups/{group}/graph", entity="Nora")
    assert several.status_code == 409
    assert {one["name"] for one in several.json()["candidates"]} == {"Nora Lindqvist", "Nora Vik"}
    page = read(service, group, "entities", name="Nora")
    assert ({one["name"] for one in page["entities"]}, page["taken_for"]) == ({"Nora Lindqvist", "Nora Vik"}, {})
    post(service, group, lives("Rome", MARCH, subject={"name": "Nora", "type": "person"}))
    own = read(service, group, "graph", entity="Nora")
    assert ([one["statement"] for one in own["beliefs"]], own["taken_for"]) == (["Nora lives in Rome."], {})


def test_nobody_of_a_name_is_told_and_no_short_name_of_a_thing_is_taken(service: Service, group: str) -> None:
    post(service, group, lives("New York", JANUARY, subject=NORA))
    for name in ("Ida", "New"):
        nobody = service.get(f"/v1/groups/{group}/graph", entity=name)
        assert nobody.status_code == 404
        assert f"nobody and nothing of the name {name!r}" in nobody.json()["detail"]
