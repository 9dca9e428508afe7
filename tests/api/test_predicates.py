"""Policies of predicates over HTTP: read, set, taken back; and how far beliefs have followed."""

from typing import Any
from urllib.parse import quote

import pytest

from graphmem.model.projection.predicate import BUILT_IN
from tests.api.conftest import Service

ONE = {"cardinality": "one"}


def put(service: Service, group: str, name: str, body: Any) -> Any:
    return service.http.put(f"/v1/groups/{group}/predicates/{quote(name, safe='')}", json=body)


def get(service: Service, group: str, name: str) -> Any:
    return service.get(f"/v1/groups/{group}/predicates/{quote(name, safe='')}").json()


def delete(service: Service, group: str, name: str) -> Any:
    return service.http.delete(f"/v1/groups/{group}/predicates/{quote(name, safe='')}")


def in_force(answer: Any) -> tuple[str, str, str | None, str]:
    return answer["name"], answer["cardinality"], answer["rule"], answer["source"]


def test_the_built_in_policies_are_in_force_where_nothing_else_is_said(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group})

    listed = service.get(f"/v1/groups/{group}/predicates", limit=500).json()["predicates"]

    assert set(BUILT_IN) <= {one["name"] for one in listed}
    assert in_force(get(service, group, "status")) == ("status", "one", "latest", "service")
    assert in_force(get(service, group, "works_at")) == ("works_at", "successive", None, "service")
    assert in_force(get(service, group, "likes")) == ("likes", "many", None, "service")
    assert in_force(get(service, group, "unheard of")) == ("unheard of", "many", None, "default")
    assert get(service, group, "unheard of")["reprojection"] is None


def test_a_group_has_its_own_policy_and_other_groups_have_not(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": f"{group}-other"})

    answer = put(service, group, "stage", ONE | {"rule": "confident"})

    assert answer.status_code == 202
    assert in_force(answer.json()) == ("stage", "one", "confident", "group")
    assert answer.json() == get(service, group, "stage")
    assert in_force(get(service, f"{group}-other", "stage")) == ("stage", "many", None, "default")


def test_workers_are_told_of_what_is_to_follow_and_it_is_shown(service: Service, group: str) -> None:
    shown = put(service, group, "stage", ONE).json()["reprojection"]

    assert service.queue.told[-1] == group
    assert (shown["scope"], shown["status"], shown["subjects_done"], shown["error"]) == ("group", "pending", 0, None)


def test_the_same_again_starts_nothing(service: Service, group: str) -> None:
    first = put(service, group, "stage", ONE).json()
    told = len(service.queue.told)

    again = put(service, group, "stage", ONE | {"rule": "latest"})

    assert (again.status_code, again.json()) == (200, first)
    assert len(service.queue.told) == told


def test_a_bound_is_shown_whoever_says_so(service: Service, group: str) -> None:
    first = put(service, group, "enrolled_on", {"cardinality": "many", "bound": "begins"})
    again = put(service, group, "enrolled_on", {"cardinality": "many", "bound": "begins"})
    put(service, group, "opened", {"cardinality": "many", "bound": "none"})

    names = ["enrolled_on", "opened", "founded_on", "died_on", "stage"]
    assert (first.status_code, again.status_code) == (202, 200)
    assert [get(service, group, name)["bound"] for name in names] == ["begins", "none", "begins", "ends", "none"]
    listed = service.get(f"/v1/groups/{group}/predicates", limit=500).json()["predicates"]
    assert {"enrolled_on": "begins", "died_on": "ends"}.items() <= {one["name"]: one["bound"] for one in listed}.items()


def test_it_is_shown_whether_a_predicate_is_irreflexive_whoever_says_so(service: Service, group: str) -> None:
    many = {"cardinality": "many"}
    for name, declared in (("rivals", True), ("reports_to", False), ("boss", None)):
        body = many if declared is None else many | {"irreflexive": declared}
        assert [put(service, group, name, body).status_code for _ in range(2)] == [202, 200]

    names = ["rivals", "reports_to", "boss", "married_to", "country"]
    assert [get(service, group, name)["irreflexive"] for name in names] == [True, False, True, True, False]
    assert put(service, group, "boss", many | {"irreflexive": "yes"}).status_code == 422


def test_to_take_it_back_is_a_change_once(service: Service, group: str) -> None:
    put(service, group, "status", {"cardinality": "many"})

    answers = [delete(service, group, "status") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [202, 200]
    assert in_force(answers[0].json()) == ("status", "one", "latest", "service")
    assert answers[0].json() == answers[1].json()


def test_the_policy_of_an_earlier_time_is_shown(service: Service, group: str) -> None:
    first = put(service, group, "stage", ONE).json()
    second = put(service, group, "stage", {"cardinality": "many"}).json()
    path = f"/v1/groups/{group}/predicates"

    then = service.get(f"{path}/stage", known_at=first["changed_at"]).json()
    listed = service.get(path, known_at=first["changed_at"], limit=500).json()["predicates"]

    assert (in_force(then), then["changed_at"]) == (in_force(first), first["changed_at"])
    assert [one["cardinality"] for one in listed if one["name"] == "stage"] == ["one"]
    assert get(service, group, "stage") == second


def test_it_is_set_while_the_queue_is_away(service: Service, group: str) -> None:
    service.queue.away = True
    try:
        answer = put(service, group, "stage", ONE)
    finally:
        service.queue.away = False

    assert (answer.status_code, answer.json()["reprojection"]["status"]) == (202, "pending")


@pytest.mark.parametrize("name", ["is in/of", "späte Straße", "a?b#c%", "p" * 512])
def test_a_predicate_is_taken_verbatim(service: Service, group: str, name: str) -> None:
    put(service, group, name, ONE)

    assert in_force(get(service, group, name)) == (name, "one", "latest", "group")


def test_lists_are_paged_by_name(service: Service, group: str) -> None:
    put(service, group, "zone", ONE)
    path = f"/v1/groups/{group}/predicates"
    pages = [service.get(path, limit=7).json()]
    while pages[-1]["next_cursor"]:
        pages.append(service.get(path, limit=7, cursor=pages[-1]["next_cursor"]).json())

    names = [one["name"] for page in pages for one in page["predicates"]]
    assert names == sorted({*names})
    assert names[-1] == "zone"


@pytest.mark.parametrize(
    ("name", "body", "part", "pointer"),
    [
        ("stage", {"cardinality": "two"}, "body", "/cardinality"),
        ("stage", {}, "body", "/cardinality"),
        ("stage", ONE | {"rule": "best"}, "body", "/rule"),
        ("stage", {"cardinality": "many", "rule": "latest"}, "body", ""),
        ("stage", {"cardinality": "successive", "rule": "latest"}, "body", ""),
        ("stage", ONE | {"note": "x"}, "body", "/note"),
        ("stage", ONE | {"bound": "starts"}, "body", "/bound"),
        (" ", ONE, "path", "/name"),
        ("a\x00b", ONE, "path", "/name"),
        ("p" * 513, ONE, "path", "/name"),
    ],
)
def test_what_does_not_fit_is_a_problem(
    service: Service, group: str, name: str, body: Any, part: str, pointer: str
) -> None:
    answer = put(service, group, name, body)

    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (422, "urn:graphmem:problem:invalid-input")
    assert [(error["in"], error["pointer"]) for error in problem["errors"]] == [(part, pointer)]


def test_of_a_group_that_is_not_there_nothing_is_read_or_taken_back(service: Service, group: str) -> None:
    answers = [
        service.get(f"/v1/groups/{group}/predicates"),
        service.get(f"/v1/groups/{group}/predicates/status"),
        delete(service, group, "status"),
    ]

    assert [answer.status_code for answer in answers] == [404, 404, 404]
