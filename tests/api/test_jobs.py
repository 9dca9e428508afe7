"""Jobs over HTTP: asked for, listed, and looked at, each by its own group only."""

from typing import Any

import pytest

from graphmem.model.work import SERVICE, WorkKind, WorkRequest, work_id
from graphmem.store.driver import Database
from graphmem.store.work import WorkStore
from tests.api.conftest import Service
from tests.models import shipped_queries


@pytest.fixture
def jobs(service: Service, group: str) -> str:
    """The path of a group's jobs."""
    service.post("/v1/groups", {"id": group})
    return f"/v1/groups/{group}/jobs"


def shown(job: dict[str, Any]) -> tuple[object, ...]:
    return job["kind"], job["target"], job["status"], job["dry_run"], job["attempts"], job["error"]


def test_a_job_is_asked_for_and_shown(service: Service, jobs: str, group: str) -> None:
    answer = service.post(f"{jobs}/reproject", {"target": "stage"})
    job = answer.json()["job"]

    assert (answer.status_code, answer.json()["queued"]) == (202, True)
    assert shown(job) == ("reproject", "stage", "pending", False, 0, None)
    assert service.queue.told[-1] == group
    assert service.get(f"{jobs}/{job['id']}").json() == job | {"warnings": []}
    assert service.get(jobs).json() == {"warnings": [], "jobs": [job], "next_cursor": None}


def test_a_change_of_a_policy_is_a_job_and_to_ask_again_begins_it_anew(service: Service, jobs: str, group: str) -> None:
    service.http.put(f"/v1/groups/{group}/predicates/stage", json={"cardinality": "one"})
    (first,) = service.get(jobs).json()["jobs"]

    again = service.post(f"{jobs}/reproject", {"target": "stage"}).json()["job"]

    assert again["id"] == first["id"]
    assert again["requested_at"] > first["requested_at"]


def test_episodes_are_asked_to_be_reprocessed_or_counted(service: Service, jobs: str) -> None:
    asked = service.http.post(f"{jobs}/reprocess").json()["job"]
    tried = service.post(f"{jobs}/reprocess", {"dry_run": True}).json()["job"]

    assert (shown(asked), shown(tried)) == (
        ("reprocess", None, "pending", False, 0, None),
        ("reprocess", None, "pending", True, 0, None),
    )
    assert service.get(f"{jobs}/{asked['id']}").json()["dry_run"] is False, "it is still to be done"


def test_a_group_is_asked_to_be_embedded_again_with_the_model_of_the_service(service: Service, jobs: str) -> None:
    job = service.http.post(f"{jobs}/reembed").json()["job"]

    assert shown(job) == ("reembed", None, "pending", False, 0, None)
    assert job["arguments"] == {"model": "hash", "dimensions": 384}
    assert service.post(f"{jobs}/reembed", {"dry_run": True}).status_code == 422


def test_texts_without_vectors_are_asked_to_be_embedded(service: Service, jobs: str) -> None:
    assert shown(service.http.post(f"{jobs}/embed").json()["job"]) == ("embed", None, "pending", False, 0, None)
    assert service.post(f"{jobs}/embed", {"dry_run": True}).status_code == 422


def test_jobs_are_paged_and_told_apart_by_kind(service: Service, jobs: str) -> None:
    targets = {"a", "b", "c"}
    for target in targets:
        service.post(f"{jobs}/reproject", {"target": target})
    service.post(f"{jobs}/reprocess", {})
    found: list[dict[str, Any]] = []
    page = service.get(jobs, kind="reproject", limit=2).json()
    while True:
        found += page["jobs"]
        if page["next_cursor"] is None:
            break
        page = service.get(jobs, kind="reproject", limit=2, cursor=page["next_cursor"]).json()

    assert {job["target"] for job in found} == targets
    assert len(service.get(jobs).json()["jobs"]) == len(targets) + 1


def test_a_digest_is_a_job_while_it_is_undone_listed_only_on_request(service: Service, jobs: str, group: str) -> None:
    service.queue.busy = True
    try:
        episode = {"content": "Maya lives_in Lisbon.", "occurred_at": "2025-01-01T00:00:00Z"}
        id_ = service.post(f"/v1/groups/{group}/episodes", episode).json()["episodes"][0]["id"]
        (digest,) = service.get(jobs, kind="digest").json()["jobs"]
        unasked = service.get(jobs).json()["jobs"]
    finally:
        service.queue.busy = False
    service.post(f"/v1/groups/{group}/episodes", episode)

    assert (digest["id"], shown(digest)) == (id_, ("digest", None, "pending", False, 0, None))
    assert unasked == []
    assert service.get(jobs, kind="digest").json()["jobs"] == []


def test_a_user_sees_the_digests_of_what_this_user_may_see_and_no_job_about_all_users(
    service: Service, jobs: str, group: str
) -> None:
    at = "2025-01-01T00:00:00Z"
    turns = [{"content": f"{user} likes Lisbon.", "occurred_at": at, "user": user} for user in ("ann", "bo", None)]
    service.queue.busy = True
    try:
        episodes = service.post(f"/v1/groups/{group}/episodes", turns).json()["episodes"]
        ids = dict(zip(("ann", "bo", ""), (one["id"] for one in episodes), strict=True))
        about_all = service.post(f"{jobs}/reprocess", {"dry_run": True}).json()["job"]["id"]
        listed = {user: service.get(jobs, kind="digest", user=user).json()["jobs"] for user in ("ann", "bo")}
        one_by_one = {id_: service.get(f"{jobs}/{id_}", user="bo").status_code for id_ in (*ids.values(), about_all)}
    finally:
        service.queue.busy = False
        service.post(f"/v1/groups/{group}/episodes", turns)

    assert {user: {job["id"] for job in found} for user, found in listed.items()} == {
        user: {ids[user], ids[""]} for user in ("ann", "bo")
    }
    assert one_by_one == {ids["ann"]: 404, ids["bo"]: 200, ids[""]: 200, about_all: 404}
    assert service.get(jobs, user="bo").json()["jobs"] == []


def test_another_group_s_job_is_not_found(service: Service, jobs: str, group: str) -> None:
    service.post("/v1/groups", {"id": f"{group}-other"})
    id_ = service.post(f"{jobs}/reprocess", {}).json()["job"]["id"]

    assert service.get(f"/v1/groups/{group}-other/jobs/{id_}").status_code == 404
    assert service.get(f"/v1/groups/{group}-other/jobs").json()["jobs"] == []
    assert service.get(f"/v1/groups/{group}-unknown/jobs").status_code == 404


@pytest.mark.parametrize(
    ("kind", "body", "pointer"),
    [
        ("reproject", {}, "/target"),
        ("reproject", {"target": "stage", "dry_run": True}, "/dry_run"),
        ("reprocess", {"target": "stage"}, "/target"),
    ],
)
def test_what_does_not_fit_a_kind_is_refused(
    service: Service, jobs: str, kind: str, body: dict[str, Any], pointer: str
) -> None:
    answer = service.post(f"{jobs}/{kind}", body)

    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, pointer)
    assert service.get(jobs).json()["jobs"] == []


@pytest.mark.parametrize("kind", ["digest", "nonsense"])
def test_other_kinds_cannot_be_asked_for(service: Service, jobs: str, kind: str) -> None:
    assert service.post(f"{jobs}/{kind}", {}).status_code == 422


async def test_jobs_about_all_groups_stand_by_themselves(service: Service, database: Database, jobs: str) -> None:
    works = WorkStore(database, shipped_queries())
    night = WorkRequest(id=work_id(WorkKind.REPROCESS, SERVICE, period="2025-01-01"), period="2025-01-01")
    (work,) = await works.request_work(SERVICE, WorkKind.REPROCESS, [night])

    listed = service.get("/v1/jobs").json()["jobs"]
    (mine,) = [job for job in listed if job["id"] == work.id]
    assert (shown(mine), mine["period"]) == (("reprocess", None, "pending", False, 0, None), "2025-01-01")
    assert service.get(f"/v1/jobs/{work.id}").json() == mine | {"warnings": []}
    of_group = service.post(f"{jobs}/reprocess", {}).json()["job"]["id"]
    assert service.get(f"/v1/jobs/{of_group}").status_code == 404
    assert service.get(f"{jobs}/{work.id}").status_code == 404


def test_consolidation_is_asked_for_of_a_group_or_of_one_session_of_it(service: Service, jobs: str, group: str) -> None:
    turn = {"content": "Hello.", "session": "s", "occurred_at": "2025-01-01T00:00:00Z"}
    service.post(f"/v1/groups/{group}/episodes", turn)
    (session,) = service.get(f"/v1/groups/{group}/sessions").json()["sessions"]

    whole = service.http.post(f"{jobs}/consolidate").json()["job"]
    one = service.post(f"{jobs}/consolidate", {"target": session["id"]}).json()["job"]
    unknown = service.post(f"{jobs}/consolidate", {"target": "nowhere"})

    assert shown(whole) == ("consolidate", None, "pending", False, 0, None)
    assert shown(one) == ("consolidate", session["id"], "pending", False, 0, None)
    assert (whole["id"] != one["id"], unknown.status_code) == (True, 404)


@pytest.mark.parametrize("kind", ["consolidate", "enrich", "dedup"])
def test_a_dry_run_is_asked_for_in_the_query_too_and_takes_the_place_of_nothing(
    service: Service, jobs: str, kind: str
) -> None:
    asked = service.http.post(f"{jobs}/{kind}").json()["job"]
    tried = service.http.post(f"{jobs}/{kind}", params={"dry_run": True}).json()["job"]

    assert (shown(asked), shown(tried)) == (
        (kind, None, "pending", False, 0, None),
        (kind, None, "pending", True, 0, None),
    )
    assert service.get(f"{jobs}/{asked['id']}").json()["dry_run"] is False
