"""Sharing over HTTP: what one user shows to everybody, where others see it, and what answers say of that."""

from typing import Any

from tests.api.claiming import MAY, MAYA, post
from tests.api.conftest import Service

FACT = {"subject": MAYA, "category": "preference", "key": "favourite_colour", "value": "green", "occurred_at": MAY}
TOLD = "Maya's favourite colour is green, and nobody knows of her debts."


def answer(service: Service, method: str, path: str, *, status: int = 200, **asked: Any) -> dict[str, Any]:
    given = service.get(path, **asked) if method == "GET" else service.post(path, asked)
    assert given.status_code == status, given.text
    return given.json()


def remembered(service: Service, group: str) -> str:
    """The id of what Ann is told."""
    claimed = {**FACT, "user": "ann", "statement": TOLD}
    answer(service, "POST", f"/v1/groups/{group}/facts", status=201, **claimed)
    (fact,) = answer(service, "GET", f"/v1/groups/{group}/facts", user="ann")["facts"]
    assert fact["audience"] == "personal"
    return fact["belief_id"]


def test_a_shared_fact_is_listed_searched_and_put_into_contexts_of_others(service: Service, group: str) -> None:
    fact, root = remembered(service, group), f"/v1/groups/{group}"
    found: dict[str, Any] = {"query": "favourite colour green", "kinds": ["fact"], "user": "ben"}
    assert answer(service, "POST", f"{root}/search", **found)["hits"] == []

    done = answer(service, "POST", f"{root}/facts/{fact}/share", user="ann")
    assert (done["belief_id"], done["audience"], done["versions"]) == (fact, "shared", 1)
    (shown,) = answer(service, "GET", f"{root}/facts", user="ben")["facts"]
    assert (shown["audience"], shown["user"], shown["statement"]) == ("shared", "ann", TOLD)
    (hit,) = answer(service, "POST", f"{root}/search", **found)["hits"]
    assert hit["thing"]["belief_id"] == fact
    context = answer(service, "POST", f"{root}/context", query="What does Maya like?", user="ben")
    assert "(shared)" in context["markdown"]

    taken_back = answer(service, "POST", f"{root}/facts/{fact}/unshare", user="ann")
    assert (taken_back["audience"], taken_back["versions"]) == ("personal", 1)
    assert answer(service, "POST", f"{root}/search", **found)["hits"] == []
    assert answer(service, "GET", f"{root}/facts", user="ben")["facts"] == []


def test_only_the_owner_shares_and_settled_answers_say_when_access_changed(service: Service, group: str) -> None:
    fact, root = remembered(service, group), f"/v1/groups/{group}"
    assert answer(service, "POST", f"{root}/facts/{fact}/share", status=404, user="ben")["status"] == 404
    past: dict[str, Any] = {"known_at": "2025-06-01T00:00:00Z"}
    before = answer(service, "GET", f"{root}/facts", **past)
    assert (before["settled"], before["access_changed_at"]) == (True, None)

    done = answer(service, "POST", f"{root}/facts/{fact}/share", user="ann")
    refused = answer(service, "POST", f"{root}/facts/{fact}/unshare", status=403, user="ben")
    assert "only 'ann' may change it" in refused["detail"]
    after = answer(service, "GET", f"{root}/facts", **past)
    assert after["access_changed_at"] == done["access_changed_at"]
    now = answer(service, "GET", f"{root}/facts")
    assert (now["settled"], now["access_changed_at"]) == (False, None)


def test_what_everybody_sees_is_not_shared(service: Service, group: str) -> None:
    post(service, group, {"subject": MAYA, "predicate": "shoe_size", "value": 39, "occurred_at": MAY})
    (belief,) = answer(service, "GET", f"/v1/groups/{group}/graph")["beliefs"]
    refused = answer(service, "POST", f"/v1/groups/{group}/facts/{belief['belief_id']}/share", status=409, user="ann")
    assert "everybody in the group sees it" in refused["detail"]


def test_what_an_owner_does_to_a_shared_fact_and_where_it_comes_from_stay_private(service: Service, group: str) -> None:
    root = f"/v1/groups/{group}"
    claimed: dict[str, Any] = {**FACT, "user": "ann", "statement": TOLD, "tags": ["therapy"]}
    answer(service, "POST", f"{root}/facts", status=201, **claimed)
    (told,) = answer(service, "GET", f"{root}/facts", user="ann")["facts"]
    answer(service, "POST", f"{root}/facts/{told['belief_id']}/share", user="ann")

    (shown,) = answer(service, "GET", f"{root}/facts", user="ben")["facts"]
    assert (told["tags"], shown["tags"]) == (["therapy"], [])
    assert answer(service, "GET", f"{root}/facts", user="ben", tag="therapy")["facts"] == []
    asked: dict[str, Any] = {"query": "favourite colour green", "kinds": ["fact"], "tags": ["therapy"]}
    assert answer(service, "POST", f"{root}/search", **asked, user="ben")["hits"] == []
    assert len(answer(service, "POST", f"{root}/search", **asked, user="ann")["hits"]) == 1

    corrected: dict[str, Any] = {"user": "ann", "value": "crimson"}
    answer(service, "POST", f"{root}/facts/{told['belief_id']}/correct", **corrected)
    for user, seen in (("ann", True), ("ben", False)):
        grounds = service.get(f"{root}/beliefs/{told['id']}/evidence", user=user)
        assert (grounds.status_code, "crimson" in grounds.text) == (200, seen), grounds.text
