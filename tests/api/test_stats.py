"""How much is remembered over HTTP: by layer, category and age, as a user may see it, at any two times."""

from typing import Any

from graphmem.store.driver import Database
from tests.api.claiming import JANUARY, JULY, MARCH, MAY, MAYA, lives, post
from tests.api.conftest import PATIENCE, OpenService, Service
from tests.api.test_entity_summaries import THINGS, claim, work

COLOUR = {"subject": MAYA, "category": "preference", "key": "colour", "value": "green", "occurred_at": MAY}


def stats(service: Service, group: str, **asked: Any) -> dict[str, Any]:
    answer = service.get(f"/v1/groups/{group}/memory/stats", **asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_beliefs_are_counted_by_layer_category_and_age(service: Service, group: str) -> None:
    post(service, group, lives("Porto", JANUARY), lives("Lisbon", MAY))
    assert service.post(f"/v1/groups/{group}/facts", COLOUR).status_code == 201

    found = stats(service, group, valid_at=JULY)

    texts = {"summaries": 0, "entity_summaries": 0, "reflections": 0}
    assert found["layers"] == {"episodes": 3, "sessions": 0, "relationships": 1, "facts": 1, "open": 0, **texts}
    assert found["categories"] == {"preference": 1}
    assert found["ages"][0] == {"days": 1, "beliefs": 2}
    assert (found["faded"], found["contested"], found["stale"], found["protected"]) == (0, 0, 0, 0)
    (believed,) = service.get(f"/v1/groups/{group}/facts").json()["facts"]
    assert found["latest_recorded_at"] >= believed["recorded_at"]
    assert stats(service, group, valid_at=MARCH)["layers"]["facts"] == 0
    assert stats(service, group, known_at="2025-01-01T00:00:00Z")["latest_recorded_at"] is None


def test_sessions_and_turns_are_counted(service: Service, group: str) -> None:
    turns = [
        {"content": "Hello.", "occurred_at": MAY, "session": "s", "user": user, "external_id": f"{user}-{turn}"}
        for user in ("ann", "bo")
        for turn in range(2)
    ]
    assert service.post(f"/v1/groups/{group}/episodes", turns, wait=30).is_success
    assert stats(service, group)["layers"]["sessions"] == 2
    alone = stats(service, group, user="ann")["layers"]
    assert (alone["episodes"], alone["sessions"]) == (2, 1)


def test_a_user_is_told_of_nobody_elses_facts_and_uses(service: Service, group: str) -> None:
    assert service.post(f"/v1/groups/{group}/facts", COLOUR | {"user": "ann"}).status_code == 201
    before = stats(service, group, user="bo")
    assert (before["layers"]["facts"], before["categories"]) == (0, {})
    assert service.post(f"/v1/groups/{group}/search", {"query": "green", "user": "ann"}).is_success
    after = stats(service, group, user="bo")
    assert (after["uses"], after["last_used_at"]) == (0, None)
    assert stats(service, group, user="ann")["categories"] == {"preference": 1}


async def test_summaries_are_counted_and_those_that_are_to_be_made_again(
    service: Service, group: str, database: Database
) -> None:
    claims = post(service, group, *(claim(one, at) for at, one in enumerate(THINGS)))
    post(service, group, claim("sailing", 9, user="ann"))
    job = service.post(f"/v1/groups/{group}/jobs/summarise", {}).json()["job"]
    await work(database, group, job)
    made = stats(service, group)
    assert (made["layers"]["entity_summaries"], made["stale"]) == (2, 0)

    assert service.post(f"/v1/groups/{group}/claims/{claims[0]}/retract", {}).is_success

    withdrawn, bobs = stats(service, group), stats(service, group, user="bob")
    assert (withdrawn["layers"]["entity_summaries"], withdrawn["stale"]) == (2, 2)
    assert (bobs["layers"]["entity_summaries"], bobs["stale"]) == (1, 1)
    then = stats(service, group, known_at=made["known_at"])
    assert (then["layers"]["entity_summaries"], then["stale"]) == (2, 0)


def test_without_fading_what_faded_before_comes_up_and_counts_as_young_as_it_is(
    service: Service, open_service: OpenService, group: str
) -> None:
    forgotten = {**lives("Porto", JANUARY), "predicate": "visits", "category": "other", "confidence": 0.04}
    post(service, group, forgotten)
    with open_service(patience=PATIENCE, fading=False) as awake:
        for one, faded in ((service, 1), (awake, 0)):
            found = stats(one, group)
            assert (found["faded"], found["ages"][0]) == (faded, {"days": 1, "beliefs": 1})
            (belief,) = one.get(f"/v1/groups/{group}/facts").json()["facts"]
            assert belief["faded"] is bool(faded)
            question = {"query": "Who visits Porto?", "kinds": ["relationship"]}
            hits = one.post(f"/v1/groups/{group}/search", question).json()["hits"]
            assert len(hits) == 1 - faded


def test_a_group_that_is_not_there_is_not_found(service: Service) -> None:
    assert service.get("/v1/groups/no-such-group/memory/stats").status_code == 404
