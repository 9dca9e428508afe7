"""Who is who over HTTP: merged by hand, listed, taken back."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from graphmem.jobs.deduplicator import Merger
from graphmem.jobs.steps import Stepper
from graphmem.model.matching import Method, pair_of
from graphmem.model.merge import Merge
from graphmem.settings.jobs import JobSettings
from graphmem.store.change.statements import Statements
from graphmem.store.driver import Database
from tests.api.conftest import Service
from tests.models import memory_on, shipped_queries

CLAIMS = [
    {
        "subject": {"name": name, "type": "person"},
        "predicate": "lives_in",
        "object": {"name": city, "type": "place"},
        "occurred_at": f"2025-0{month}-01T00:00:00Z",
    }
    for month, (name, city) in enumerate([("Tom", "Rome"), ("Tom Okafor", "Oslo"), ("Thomas Okafor", "Bonn")], start=1)
]


@pytest.fixture
def group(service: Service, group: str) -> str:
    assert service.post(f"/v1/groups/{group}/claims", CLAIMS).status_code == 201
    return f"/v1/groups/{group}"


def named(service: Service, group: str, name: str) -> dict[str, Any]:
    (found,) = service.get(f"{group}/entities", name=name).json()["entities"]
    return found


def merge(service: Service, group: str, one: str, other: str) -> dict[str, Any]:
    ids = [named(service, group, name)["id"] for name in (one, other)]
    answer = service.post(f"{group}/merges", {"entities": ids, "reason": "He says so."})
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_merge_is_made_listed_and_taken_back(service: Service, group: str) -> None:
    done = merge(service, group, "Tom Okafor", "Tom")
    made = done["merge"]
    assert (made["member"]["name"], made["part_of"]["name"], made["method"]) == ("Tom Okafor", "Tom", "human")
    assert (done["opened"], done["closed"], done["moved_claims"]) == ([made], [], 1)
    page = service.get(f"{group}/merges").json()
    assert (page["merges"], page["next_cursor"]) == ([made], None)
    assert service.get(f"{group}/merges/{made['id']}").json() == made | {"warnings": []}
    assert named(service, group, "Tom Okafor")["part_of"] == named(service, group, "Tom")["id"]

    (oslo,) = [one for one in service.get(f"{group}/graph").json()["beliefs"] if one["object"]["name"] == "Oslo"]
    shown = service.get(f"{group}/episodes/{oslo['evidence'][0]['episode_id']}").json()
    assert [claim["belief_id"] for claim in shown["kept"]] == [oslo["belief_id"]]

    back = service.post(f"{group}/merges/{made['id']}/revert", {"reason": "Two people."}).json()

    assert [one["id"] for one in back["closed"]] == [made["id"]]
    assert service.get(f"{group}/merges").json()["merges"] == []
    assert service.get(f"{group}/merges", known_at=made["recorded_at"]).json()["merges"] == [made]
    closed = service.get(f"{group}/merges/{made['id']}").json()
    assert closed["superseded_at"] == back["closed"][0]["superseded_at"]
    assert service.post(f"{group}/merges/{made['id']}/revert", {"reason": "Again."}).status_code == 409


def test_a_user_takes_back_only_what_holds_for_that_user_alone(service: Service, group: str) -> None:
    shared = merge(service, group, "Tom Okafor", "Tom")["merge"]
    ids = [named(service, group, name)["id"] for name in ("Thomas Okafor", "Tom")]
    own = service.post(f"{group}/merges", {"entities": ids, "reason": "He says so.", "user": "ann"}).json()["merge"]

    def revert(merge_id: str, **user: str) -> httpx.Response:
        return service.post(f"{group}/merges/{merge_id}/revert", {"reason": "Two people."}, **user)

    refused = revert(shared["id"], user="ann")
    assert (refused.status_code, refused.json()["detail"]) == (
        409,
        f"Merge {shared['id']} holds for everybody, not for user 'ann' alone. Revert it without a user.",
    )
    assert {one["id"] for one in service.get(f"{group}/merges").json()["merges"]} == {shared["id"], own["id"]}
    assert revert(own["id"], user="bo").status_code == 404
    assert [one["id"] for one in revert(own["id"], user="ann").json()["closed"]] == [own["id"]]
    assert [one["id"] for one in revert(shared["id"]).json()["closed"]] == [shared["id"]]


def test_who_merges_what_another_user_merged_further_learns_nothing_of_it(service: Service, group: str) -> None:
    """Six times, for ids decide which of two merges an answer shows."""
    for number in range(6):
        names = {
            f"Zinnia {number}": ("2019", "ann"),
            f"Una {number}": ("2020", None),
            f"Una B {number}": ("2021", None),
        }
        claims = [
            {
                **CLAIMS[0],
                "subject": {"name": name, "type": "person"},
                "occurred_at": f"{year}-01-01T00:00:00Z",
                "user": user,
            }
            for name, (year, user) in names.items()
        ]
        assert service.post(f"{group}/claims", claims).status_code == 201
        private, first, second = (named(service, group, name)["id"] for name in names)
        for pair, user in (((first, second), None), ((private, first), "ann"), ((first, second), "bo")):
            body = {"entities": list(pair), "reason": f"Says {user}.", "user": user}
            answer = service.post(f"{group}/merges", body)
            assert answer.status_code == 201, answer.text
        assert "Zinnia" not in answer.text
        assert "ann" not in answer.text


def test_an_entity_says_what_it_is_the_same_as_now_and_what_it_was_then(service: Service, group: str) -> None:
    for content in ("Tom knows Ann.", "Tommy knows Ann.", "Tommy knows Bo."):
        said = {"content": content, "occurred_at": "2025-05-01T00:00:00Z", "session": content}
        assert service.post(f"{group}/episodes", said).is_success
    made = merge(service, group, "Tommy", "Tom")["merge"]
    back = service.post(f"{group}/merges/{made['id']}/revert", {"reason": "Two."}).json()["closed"][0]["superseded_at"]
    tom, tommy = (named(service, group, name)["id"] for name in ("Tom", "Tommy"))

    def shown(entity: str, **at: str) -> tuple[Any, ...]:
        answer = service.get(f"{group}/entities/{entity}", **at).json()
        found, targets = answer["entity"], {one["object"]["name"] for one in answer["beliefs"]}
        return found["part_of"], found["members"], found["aliases"], found["mentions"], targets

    member = {"id": tommy, "type": "person", "name": "Tommy", "qualifier": ""}
    members = [{**member, "since": made["recorded_at"], "merge_id": made["id"]}]
    assert shown(tom, known_at=made["recorded_at"]) == (None, members, ["Tommy"], 3, {"Rome", "Ann", "Bo"})
    assert shown(tommy, known_at=made["recorded_at"]) == (tom, members, ["Tom"], 3, {"Rome", "Ann", "Bo"})
    for now in ({}, {"known_at": back}):
        assert shown(tom, **now) == (None, [], [], 1, {"Rome", "Ann"})
        assert shown(tommy, **now) == (None, [], [], 2, {"Ann", "Bo"})
    assert shown(tom, known_at=made["recorded_at"], valid_at="2025-04-01T00:00:00Z")[3:] == (0, {"Rome"})
    assert service.get(f"{group}/entities/{'0' * 32}").status_code == 404


def test_the_id_of_what_one_user_merged_is_part_of_something_for_that_user_only(service: Service, group: str) -> None:
    ids = [named(service, group, name)["id"] for name in ("Tom Okafor", "Tom")]
    body = {"entities": ids, "reason": "He says so.", "user": "ann"}
    made = service.post(f"{group}/merges", body).json()["merge"]

    def shown(**user: str) -> tuple[str | None, list[str], list[str]]:
        found = service.get(f"{group}/entities/{ids[0]}", **user).json()["entity"]
        return found["part_of"], [one["merge_id"] for one in found["members"]], found["aliases"]

    assert shown(user="ann") == (ids[1], [made["id"]], ["Tom"])
    assert shown(user="bo") == shown() == (None, [], [])


def test_what_another_user_said_before_does_not_say_which_of_two_stands_for_both(service: Service, group: str) -> None:
    before = {**CLAIMS[1], "occurred_at": "2020-01-01T00:00:00Z", "user": "bo"}
    assert service.post(f"{group}/claims", before).status_code == 201
    assert merge(service, group, "Tom Okafor", "Tom")["merge"]["part_of"]["name"] == "Tom"


async def test_a_short_name_says_what_it_means_in_a_session(service: Service, database: Database, group: str) -> None:
    ids = [named(service, group, name)["id"] for name in ("Tom", "Tom Okafor")]
    short = Merge(
        member=ids[0],
        other=ids[1],
        user="ann",
        session="monday",
        pair=pair_of(*ids),
        method=Method.SCORE,
        stage=None,
        score=3.0,
        reason="",
    )
    at, queries = datetime(2027, 1, 1, tzinfo=UTC), shipped_queries()
    tenant = group.rpartition("/")[2]
    await database.write(lambda transaction: Statements(transaction, queries, tenant).open_merges([short], at))

    def shown(**asked: str) -> list[Any]:
        return service.get(f"{group}/entities/{ids[0]}", **asked).json()["entity"]["short_for"]

    okafor = {"id": ids[1], "type": "person", "name": "Tom Okafor"}
    meant = [{"session": "monday", "user": "ann", "entity": okafor, "merge_id": short.id_at(at)}]
    assert shown() == shown(user="ann") == meant
    assert shown(user="bo") == shown(known_at="2026-12-31T00:00:00Z") == []


def test_pages_of_merges_follow_each_other(service: Service, group: str) -> None:
    merge(service, group, "Tom Okafor", "Tom")
    merge(service, group, "Thomas Okafor", "Tom")
    whole = service.get(f"{group}/merges").json()["merges"]
    first = service.get(f"{group}/merges", limit=1).json()
    second = service.get(f"{group}/merges", limit=1, cursor=first["next_cursor"]).json()
    assert first["merges"] + second["merges"] == whole
    assert second["next_cursor"] is None


def test_a_name_of_two_that_are_one_is_not_ambiguous(service: Service, group: str) -> None:
    again = {**CLAIMS[0], "subject": {"name": "Tom", "type": "person", "id": "7"}, "source": "crm"}
    assert service.post(f"{group}/claims", again).status_code == 201
    assert service.get(f"{group}/graph", entity="Tom").status_code == 409
    ids = [one["id"] for one in service.get(f"{group}/entities", name="Tom").json()["entities"]]
    assert service.post(f"{group}/merges", {"entities": ids, "reason": "One."}).status_code == 201
    assert service.get(f"{group}/graph", entity="Tom").status_code == 200


def test_an_entity_is_protected_and_no_longer(service: Service, group: str) -> None:
    path = f"{group}/entities/{named(service, group, 'Tom')['id']}"
    before = service.get(path).json()
    assert before["entity"]["protected"] is False

    answer = service.http.put(f"{path}/protected", json={"protected": True})
    assert (answer.status_code, answer.json()) == (
        200,
        {"warnings": [], "id": before["entity"]["id"], "protected": True},
    )
    after = service.get(path).json()
    assert after["entity"]["protected"] is True
    assert service.get(path, known_at=before["known_at"]).json()["entity"]["protected"] is False

    assert service.http.put(f"{path}/protected", json={"protected": False}).status_code == 200
    assert service.get(path).json()["entity"]["protected"] is False
    assert service.get(path, known_at=after["known_at"]).json()["entity"]["protected"] is True


def test_what_cannot_be_protected_says_why(service: Service, group: str) -> None:
    known = f"{group}/entities/{named(service, group, 'Tom')['id']}/protected"
    for path, body, status in (
        (f"{group}/entities/{'0' * 32}/protected", {"protected": True}, 404),
        (known.replace(group, f"{group}-other"), {"protected": True}, 404),
        (known, {"protected": "perhaps"}, 422),
        (known, {}, 422),
    ):
        answer = service.http.put(path, json=body)
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"] == "application/problem+json"


def test_what_cannot_be_merged_says_why(service: Service, group: str) -> None:
    tom = named(service, group, "Tom")["id"]
    for entities, status in (([tom, tom], 422), ([tom, "0" * 32], 404), ([tom], 422), ([tom, "x"], 422)):
        answer = service.post(f"{group}/merges", {"entities": entities, "reason": "?"})
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
    assert service.get(f"{group}/merges/{'0' * 32}").status_code == 404
    assert service.get(f"{group}/merges").json()["merges"] == []


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """No claim moves while somebody waits."""
    monkeypatch.setattr("graphmem.identity.merging.MOST_AT_ONCE", 0)


async def carry_out(service: Service, database: Database, group: str, answer: httpx.Response) -> dict[str, Any]:
    """What a worker does with the job of an answer; how the job looks then."""
    assert answer.status_code == 202, answer.text
    asked = answer.json()
    job, tenant = asked["job"], group.rpartition("/")[2]
    assert (asked["queued"], job["kind"], job["status"]) == (True, "merge", "pending")
    assert job in service.get(f"{group}/jobs", user="bo").json()["jobs"]
    memory = memory_on(database)
    taken = await memory.works.lease_work(tenant, job["id"], "lease", 60)
    assert taken
    await Stepper(Merger(memory.decisions), memory.works, JobSettings()).do(taken)
    return service.get(f"{group}/jobs/{job['id']}").json()


@pytest.mark.usefixtures("large")
async def test_a_large_merge_is_a_job_and_so_is_its_revert(service: Service, database: Database, group: str) -> None:
    ids = [named(service, group, name)["id"] for name in ("Tom Okafor", "Tom")]
    decision = {"entities": ids, "reason": "He says so."}

    done = await carry_out(service, database, group, service.post(f"{group}/merges", decision))

    (made,) = service.get(f"{group}/merges").json()["merges"]
    assert done["arguments"] == {"pair": sorted(ids), "verdict": "same", "user": None, "reason": "He says so."}
    assert (done["status"], done["result"]["opened"], done["result"]["moved_claims"]) == ("done", [made["id"]], 1)
    back = service.post(f"{group}/merges/{made['id']}/revert", {"reason": "Two people."})
    done = await carry_out(service, database, group, back)
    assert (done["status"], done["result"]["closed"]) == ("done", [made["id"]])
    assert service.get(f"{group}/merges").json()["merges"] == []


@pytest.mark.usefixtures("large")
def test_a_large_merge_that_cannot_be_is_refused_at_once(service: Service, group: str) -> None:
    tom = named(service, group, "Tom")["id"]
    for entities, status in (([tom, tom], 422), ([tom, "0" * 32], 404)):
        assert service.post(f"{group}/merges", {"entities": entities, "reason": "?"}).status_code == status
    assert service.get(f"{group}/jobs").json()["jobs"] == []
    assert service.post(f"{group}/jobs/merge", {}).status_code == 422
