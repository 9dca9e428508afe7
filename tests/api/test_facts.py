"""Facts over HTTP: remembered, listed by whose they are, confirmed, corrected, deleted; and conflicts settled."""

from hashlib import sha256
from typing import Any

import pytest

from graphmem.client.synchronous import GraphmemClient
from graphmem.errors import Outdated
from tests.api.claiming import ABSENT, JANUARY, JULY, MARCH, MAY, MAYA, lives, post
from tests.api.conftest import Service

COLOURLESS = {"subject": MAYA, "predicate": "shoe_size", "occurred_at": MARCH}
COLOUR = {"subject": MAYA, "category": "preference", "key": "favourite_colour", "occurred_at": MAY}


def remember(service: Service, group: str, **fact: Any) -> dict[str, Any]:
    answer = service.post(f"/v1/groups/{group}/facts", COLOUR | fact)
    assert answer.status_code == 201, answer.text
    return answer.json()


def facts(service: Service, group: str, **asked: Any) -> list[dict[str, Any]]:
    answer = service.get(f"/v1/groups/{group}/facts", **asked)
    assert answer.status_code == 200, answer.text
    return answer.json()["facts"]


def act(service: Service, group: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = service.post(f"/v1/groups/{group}/{path}", body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_free_key_is_remembered_under_its_category_as_sure(service: Service, group: str) -> None:
    done = remember(service, group, value="green", tags=["style"], user="ana")

    (fact,) = facts(service, group, user="ana")
    assert done["predicate"] == fact["predicate"] == "preference.favourite_colour"
    kept = {
        "kind": "starts",
        "statement": "Maya: favourite colour green.",
        "predicate": fact["predicate"],
        "user": "ana",
    }
    assert done["kept"] == [{"claim_id": done["claim"]["claim_id"], "belief_id": fact["belief_id"]} | kept]
    assert (done["kept_beyond"], done["not_kept"]) == (0, [])
    assert (fact["statement"], fact["confidence"], fact["importance"]) == ("Maya: favourite colour green.", 1.0, 0.8)
    assert (fact["category"], fact["audience"], fact["tags"]) == ("preference", "personal", ["style"])
    remember(service, group, value="blue", user="ana", occurred_at="2025-06-01T00:00:00Z")
    assert [one["value"] for one in facts(service, group, user="ana")] == ["blue"]


def test_what_is_kept_and_not_believed_is_said_to_be_so(service: Service, group: str) -> None:
    remember(service, group, value="green")
    (fact,) = facts(service, group)
    service.delete(f"/v1/groups/{group}/facts/{fact['id']}").raise_for_status()

    done = remember(service, group, value="green", external_id="again")

    assert [claim["belief_id"] for claim in done["kept"]] == [None]
    (why,) = done["not_kept"]
    assert "not believed" in why
    assert "Maya: favourite colour green." in why


def test_a_key_with_a_policy_is_the_predicate_itself(service: Service, group: str) -> None:
    home = {"object": {"name": "Lisbon", "type": "place"}, "key": "lives_in", "category": "identity"}

    assert remember(service, group, **home)["predicate"] == "lives_in"


def test_facts_are_listed_by_whose_they_are_and_by_what_is_asked(service: Service, group: str) -> None:
    remember(service, group, value="green", user="ana", importance=0.3)
    remember(service, group, value="blue", user="ben", tags=["style"])
    remember(service, group, key="diet", category="constraint", value="no nuts", importance=1.0)
    post(service, group, lives("Porto", MAY))

    def values(**asked: Any) -> list[str]:
        return [fact["value"] for fact in facts(service, group, **asked)]

    assert values(user="ana") == ["no nuts", "green"]
    assert values() == ["no nuts", "blue", "green"]
    assert values(category=["preference"], user="ben") == ["blue"]
    assert values(least_importance=0.5) == ["no nuts", "blue"]
    assert values(tag=["style"]) == ["blue"]
    assert values(subject=ABSENT) == []
    assert values(valid_at="2025-01-01T00:00:00Z") == []
    (about,) = {fact["subject"]["id"] for fact in facts(service, group)}
    assert len(values(subject=about)) == 3
    page = service.get(f"/v1/groups/{group}/facts", limit=2).json()
    rest = service.get(f"/v1/groups/{group}/facts", limit=2, cursor=page["next_cursor"]).json()
    assert [len(page["facts"]), len(rest["facts"]), rest["next_cursor"]] == [2, 1, None]


def test_a_profile_tells_names_facts_relationships_and_when_what_was_so(service: Service, group: str) -> None:
    remember(service, group, value="green", occurred_at=JULY)
    post(service, group, lives("Porto", JANUARY), lives("Lisbon", MAY), {**COLOURLESS, "value": 39})
    (maya,) = service.get(f"/v1/groups/{group}/entities", name="Maya").json()["entities"]

    profile = service.get(f"/v1/groups/{group}/entities/{maya['id']}/profile").json()

    def told(part: str) -> list[str]:
        return [belief["statement"] for belief in profile[part]]

    assert (profile["entity"]["name"], profile["complete"]) == ("Maya", True)
    assert told("facts") == ["Maya: favourite colour green."]
    assert told("relationships") == ["Maya lives in Lisbon."]
    assert told("values") == ["Maya shoe size 39."]
    in_order = ["Maya lives in Porto.", "Maya shoe size 39.", "Maya lives in Lisbon.", "Maya: favourite colour green."]
    assert told("timeline") == in_order
    assert service.get(f"/v1/groups/{group}/entities/{ABSENT}/profile").status_code == 404


def test_a_fact_is_confirmed_corrected_and_deleted_by_its_owner_alone(service: Service, group: str) -> None:
    remember(service, group, value="green", user="ana")
    (fact,) = facts(service, group, user="ana")

    assert service.post(f"/v1/groups/{group}/facts/{fact['id']}/confirm", {"user": "ben"}).status_code == 404
    act(service, group, f"facts/{fact['belief_id']}/confirm", {"user": "ana"})
    (confirmed,) = facts(service, group, user="ana")
    assert (confirmed["protected"], confirmed["belief_id"]) == (True, fact["belief_id"])
    stale = service.post(f"/v1/groups/{group}/facts/{fact['id']}/confirm", {"user": "ana"})
    assert (stale.status_code, "believed no more" in stale.json()["detail"]) == (409, True)

    path = f"/v1/groups/{group}/facts/{fact['belief_id']}/correct"
    for version, content, status in (
        (fact["id"], None, 412),
        (confirmed["id"], sha256(b"Maya: favourite colour grey.").hexdigest(), 409),
        ("unquoted", None, 422),
    ):
        headers = {"If-Match": version if version == "unquoted" else f'"{version}"'}
        body = {"user": "ana", "value": "red", **({"content_sha256": content} if content else {})}
        assert service.http.post(path, json=body, headers=headers).status_code == status
    assert [one["id"] for one in facts(service, group, user="ana")] == [confirmed["id"]]
    seen = sha256(confirmed["statement"].encode()).hexdigest()
    with GraphmemClient(service.url, service.token) as client:
        with pytest.raises(Outdated, match="Read it again"):
            client.delete_fact(group, fact["belief_id"], user="ana", version=fact["id"])
        done = client.correct_fact(
            group, fact["belief_id"], user="ana", version=confirmed["id"], value="blue", content_sha256=seen
        )
    (corrected,) = facts(service, group, user="ana")
    assert (corrected["value"], corrected["statement"]) == ("blue", "Maya: favourite colour blue.")
    assert len(done.claim_ids) == 2
    episodes = service.http.post(f"/v1/groups/{group}/episodes", json={}, headers={"If-Match": f'"{fact["id"]}"'})
    assert (episodes.status_code, "facts take it" in episodes.text) == (422, True)

    gone = service.delete(f"/v1/groups/{group}/facts/{corrected['id']}", user="ana", reason="I like none.")
    assert gone.status_code == 200
    assert facts(service, group, user="ana") == []
    (claim_id,) = gone.json()["claim_ids"]
    service.post(f"/v1/groups/{group}/claims/{claim_id}/retract", {})
    assert [one["value"] for one in facts(service, group, user="ana")] == ["blue"]


def test_what_was_right_until_it_changed_stays_so_and_a_text_in_place_of_an_entity_names_one(
    service: Service, group: str
) -> None:
    def lived(valid_at: str) -> list[str]:
        return [one["statement"] for one in graph(valid_at)["beliefs"]]

    def graph(valid_at: str) -> dict[str, Any]:
        return service.get(f"/v1/groups/{group}/graph", valid_at=valid_at).json()

    post(service, group, lives("Porto", JANUARY))
    (home,) = graph(MAY)["beliefs"]
    path = f"facts/{home['belief_id']}/correct"
    act(service, group, path, {"value": "Lisbon", "changed_at": MAY})
    assert lived("2025-04-30T00:00:00Z") == ["Maya lives in Porto."]
    assert lived("2025-06-01T00:00:00Z") == ["Maya lives in Lisbon."]
    (lisbon,) = [one for one in graph("2025-06-01T00:00:00Z")["entities"] if one["name"] == "Lisbon"]
    assert lisbon["type"] == "place"
    act(service, group, path, {"value": "Braga"})
    assert lived("2025-04-30T00:00:00Z") == ["Maya lives in Braga."]
    (braga,) = graph("2025-04-30T00:00:00Z")["beliefs"]
    path = f"facts/{braga['belief_id']}/correct"
    for wrong, says in (
        ({"changed_at": MAY}, "give what holds since"),
        ({"value": "Faro", "changed_at": MAY, "valid_from": MAY}, "either changed_at or valid_from"),
        ({"value": "Faro", "changed_at": "2024-01-01T00:00:00Z"}, "no instant at which that held"),
    ):
        refused = service.post(f"/v1/groups/{group}/{path}", wrong)
        assert (refused.status_code, says in refused.text) == (422, True)


def test_a_conflict_shows_both_sides_and_is_settled_by_keeping_one(service: Service, group: str) -> None:
    key = {"subject": MAYA, "predicate": "preference.favourite_colour"}
    sure, newer = post(
        service,
        group,
        key | {"value": "green", "confidence": 0.9, "occurred_at": MAY},
        key | {"value": "blue", "confidence": 0.5, "occurred_at": "2025-06-01T00:00:00Z"},
    )

    (conflict,) = service.get(f"/v1/groups/{group}/conflicts").json()["conflicts"]
    assert [one["claim_id"] for one in conflict["belief"]["evidence"]] == [sure]
    assert [one["claim_id"] for one in conflict["disputing"]] == [newer]
    act(service, group, f"conflicts/{conflict['belief']['id']}", {"keep": newer})

    assert service.get(f"/v1/groups/{group}/conflicts").json()["conflicts"] == []
    (belief,) = service.get(f"/v1/groups/{group}/graph", valid_at="2025-07-01T00:00:00Z").json()["beliefs"]
    assert belief["value"] == "blue"
    shown = service.get(f"/v1/groups/{group}/beliefs/{conflict['belief']['id']}/evidence").json()["claims"]
    assert [(one["kind"], one["cap"]) for one in shown if one["kind"] == "lowers"] == [("lowers", 0.3)]


@pytest.mark.parametrize(
    ("path", "body", "says"),
    [
        ("facts", {**COLOUR}, "needs either an object or a value"),
        ("facts", {**COLOUR, "value": "x", "category": "mood"}, "identity"),
        ("facts", {**COLOUR, "value": "x", "valid_from": MAY, "valid_to": MAY}, "ends before it starts"),
        ("facts", {**COLOUR, "value": "x", "subject": {**MAYA, "id": "7"}, "source": "a:b"}, "give it another name"),
        (f"facts/{ABSENT}/correct", {}, "give what is so instead"),
        ("claims", {**lives("Rome", MAY), "kind": "rejects"}, "starts"),
        ("claims", {**lives("Rome", MAY), "kind": "denies"}, "starts"),
    ],
)
def test_what_cannot_be_understood_says_what_would_be(
    service: Service, group: str, path: str, body: dict[str, Any], says: str
) -> None:
    answer = service.post(f"/v1/groups/{group}/{path}", body)

    assert answer.status_code == 422
    assert says in answer.text
