"""Whom a short name means over HTTP: the one person whose name it is short for, or several, or nobody."""

from typing import Any

from tests.api.claiming import JANUARY, MARCH, lives, post
from tests.api.conftest import Service

NORA, IDA = ({"name": name, "type": "person"} for name in ("Nora Lindqvist", "Ida Moreau"))


def search(service: Service, group: str, query: str) -> dict[str, Any]:
    return service.post(f"/v1/groups/{group}/search", {"query": query}).json()


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


def test_a_search_takes_the_names_of_its_question_so_too(service: Service, group: str) -> None:
    atlas, region = ({"name": "Atlas", "type": "project"}, {"name": "eu-west", "type": "region"})
    works = {"subject": NORA, "predicate": "works_on", "object": atlas, "valid_from": JANUARY, "occurred_at": JANUARY}
    post(service, group, works, works | {"subject": atlas, "predicate": "deployed_to", "object": region})
    post(service, group, lives("Rome", JANUARY, subject=IDA), lives("Lyon", MARCH, subject=IDA | {"name": "Ida Vik"}))

    found = search(service, group, "Which region is the project Nora works on deployed to?")
    assert (found["hits"][0]["kind"], found["taken_for"]) == ("path", {"Nora": "Nora Lindqvist"})
    assert (found["unknown_names"], found["warnings"]) == ([], [])
    several = search(service, group, "Where does Ida live?")
    assert (several["taken_for"], several["unknown_names"], several["warnings"]) == (
        {},
        [],
        ["'Ida' may mean several: Ida Moreau, Ida Vik. Ask with one of these."],
    )
    whole = search(service, group, "Nora Lindqvist and Ida Vik live where?")
    assert (whole["taken_for"], whole["unknown_names"], whole["warnings"]) == ({}, [], [])
    unknown = search(service, group, "What does Norra Lindquist like?")
    assert unknown["unknown_names"] == ["Norra Lindquist"]
    assert "name 'Norra Lindquist'. Much like it: Nora Lindqvist." in unknown["answerable_because"]


def test_a_context_says_that_nobody_bears_a_name_and_whose_is_spelt_much_like_it(service: Service, group: str) -> None:
    post(service, group, lives("Oslo", JANUARY, subject=NORA), lives("Rome", JANUARY, subject=IDA))
    nobody = f"Group '{group}' knew nobody and nothing of the name 'Norra Lindquist' at that time."
    for asked in ({"query": "Where does Norra Lindquist live?"}, {"query": "where", "about": "Norra Lindquist"}):
        context = service.post(f"/v1/groups/{group}/context", asked).json()
        assert (context["warnings"], context["taken_for"]) == ([f"{nobody} Much like it: Nora Lindqvist."], {})
    for known in ("Where does Ida live?", "Ask Ida.", "Does Nora Lindqvist know Ida Moreau?", "What happened in 2024?"):
        assert service.post(f"/v1/groups/{group}/context", {"query": known}).json()["warnings"] == []


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
