"""Episodes over HTTP: durable, once each, digested, listed."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from graphmem.answers.outcomes import MOST_KEPT, NOT_READ
from tests.api.conftest import Service

MAYA = {"content": "Maya lives_in Lisbon.", "occurred_at": "2025-05-03T10:00:00Z", "session": "chat", "speaker": "Maya"}


def test_an_episode_is_accepted_digested_and_shown(service: Service, group: str) -> None:
    answer = service.post(f"/v1/groups/{group}/episodes", MAYA | {"tags": ["a"], "metadata": {"n": 1}, "user": "ann"})

    accepted = answer.json()
    (posted,) = accepted["episodes"]
    shown = service.get(f"/v1/groups/{group}/episodes/{posted['id']}").json()
    assert (answer.status_code, posted["new"], accepted["queued"]) == (202, True, True)
    assert (shown["content"], shown["occurred_at"], shown["status"]) == (
        MAYA["content"],
        MAYA["occurred_at"],
        "digested",
    )
    assert (shown["tags"], shown["metadata"], shown["user"], shown["speaker"]) == (["a"], {"n": 1}, "ann", "Maya")


def test_waiting_answers_with_what_the_digest_did(service: Service, group: str) -> None:
    answer = service.post(f"/v1/groups/{group}/episodes", [MAYA, MAYA | {"content": "nothing"}], wait=30)

    first, second = answer.json()["episodes"]
    assert answer.status_code == 200
    assert (first["status"], first["outcome"]["claims"], first["outcome"]["recorded"]) == ("digested", 1, 1)
    assert set(first["outcome"]["milliseconds"]) >= {"extraction", "embedding", "transaction"}
    assert (second["status"], second["outcome"]["claims"]) == ("digested", 0)
    (belief,) = service.get(f"/v1/groups/{group}/graph").json()["beliefs"]
    kept = {"kind": "starts", "statement": "Maya lives_in Lisbon.", "predicate": "lives_in", "user": None}
    claim = {"claim_id": belief["evidence"][0]["claim_id"], "belief_id": belief["belief_id"]}
    assert (first["kept"], first["kept_beyond"], first["not_kept"]) == ([kept | claim], 0, [])
    assert (second["kept"], second["not_kept"]) == ([], [NOT_READ])


def test_an_episode_shows_what_stands_of_it_now_and_how_much_beyond_that(service: Service, group: str) -> None:
    path, count = f"/v1/groups/{group}", MOST_KEPT + 3
    many = MAYA | {"content": "\n".join(f"Person{number:02} knows Bo" for number in range(count)), "user": "ann"}
    (posted,) = service.post(f"{path}/episodes", many, wait=30).json()["episodes"]
    assert [claim["statement"] for claim in posted["kept"]] == [
        f"Person{number:02} knows Bo" for number in range(MOST_KEPT)
    ]
    assert ({claim["user"] for claim in posted["kept"]}, posted["kept_beyond"]) == ({"ann"}, 3 + 1)
    service.post(f"{path}/claims/{posted['kept'][0]['claim_id']}/retract", {}).raise_for_status()
    shown = service.get(f"{path}/episodes/{posted['id']}", user="ann").json()
    assert shown["kept"][0]["statement"] == "Person01 knows Bo"
    assert (shown["kept_beyond"], shown["not_kept"]) == (3, ["1 claim was withdrawn since."])


def test_waiting_ends_when_the_time_is_up(service: Service, group: str) -> None:
    service.queue.busy = True
    try:
        answer = service.post(f"/v1/groups/{group}/episodes", MAYA, wait=0.1)
    finally:
        service.queue.busy = False
    assert (answer.status_code, answer.json()["episodes"][0]["status"]) == (202, "pending")


def test_a_queue_that_is_away_loses_nothing(service: Service, group: str) -> None:
    service.queue.away = True
    try:
        answer = service.post(f"/v1/groups/{group}/episodes", MAYA)
    finally:
        service.queue.away = False
    accepted = answer.json()
    stored = service.get(f"/v1/groups/{group}/episodes/{accepted['episodes'][0]['id']}").json()
    assert (answer.status_code, accepted["queued"], stored["status"]) == (202, False, "pending")


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (MAYA, {"Idempotency-Key": "once"}),
        ({"content": "no time"}, {"Idempotency-Key": "once"}),
        ({"content": "no time", "external_id": "crm-1"}, {}),
        (MAYA, {}),
    ],
    ids=["key", "key without time", "external id without time", "content"],
)
def test_twenty_identical_posts_at_once_make_one_episode(
    service: Service, group: str, body: dict[str, Any], headers: dict[str, str]
) -> None:
    def post(_: int) -> dict[str, Any]:
        answer = service.http.post(f"/v1/groups/{group}/episodes", json=body, headers=headers)
        assert answer.status_code == 202, answer.text
        return answer.json()["episodes"][0]

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(post, range(20)))
    listed = service.get(f"/v1/groups/{group}/episodes").json()["episodes"]
    assert len({answer["id"] for answer in answers}) == len(listed) == 1
    assert sum(answer["new"] for answer in answers) == 1


def test_the_same_key_with_other_content_is_a_conflict(service: Service, group: str) -> None:
    path, headers = f"/v1/groups/{group}/episodes", {"Idempotency-Key": "k"}
    service.http.post(path, json=MAYA, headers=headers)
    answer = service.http.post(path, json=MAYA | {"content": "other"}, headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:graphmem:problem:conflict")


def test_items_of_a_list_have_keys_of_their_own(service: Service, group: str) -> None:
    path, headers = f"/v1/groups/{group}/episodes", {"Idempotency-Key": "batch"}
    body = [MAYA, MAYA | {"content": "second"}]
    first = service.http.post(path, json=body, headers=headers).json()["episodes"]
    again = service.http.post(path, json=body, headers=headers).json()["episodes"]
    assert [item["id"] for item in first] == [item["id"] for item in again]
    assert ([item["new"] for item in first], [item["new"] for item in again]) == ([True, True], [False, False])


def test_ndjson_is_one_episode_a_line(service: Service, group: str) -> None:
    lines = "\n".join(json.dumps(MAYA | {"content": f"line {number}"}) for number in range(3)) + "\n\n"
    headers = {"content-type": "application/x-ndjson"}
    answer = service.http.post(f"/v1/groups/{group}/episodes", content=lines, headers=headers)
    assert (answer.status_code, len(answer.json()["episodes"])) == (202, 3)


def test_a_list_keeps_its_order_also_in_parts_and_equal_messages_are_two(service: Service, group: str) -> None:
    path, words = f"/v1/groups/{group}/episodes", ["yes", "no", "yes"]
    bodies = [MAYA | {"content": word} for word in words]
    first = service.post(path, bodies).json()["episodes"]
    again = service.post(path, bodies).json()["episodes"]
    rest = [MAYA | {"content": "so", "position": 3}, MAYA | {"content": "yes", "position": 4, "occurrence": 2}]
    service.post(path, rest[::-1])

    shown = [one for page in pages(service, path) for one in page]
    assert ([one["new"] for one in first], [one["new"] for one in again]) == ([True] * 3, [False] * 3)
    assert [(one["content"], one["position"]) for one in shown] == [*zip([*words, "so", "yes"], range(5), strict=True)]
    wrong = service.post(path, MAYA | {"position": -1})
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/position")


def pages(service: Service, path: str) -> Iterator[list[dict[str, Any]]]:
    """All episodes, two a page."""
    cursor: str | None = ""
    while cursor is not None:
        page = service.get(path, limit=2, **({"cursor": cursor} if cursor else {})).json()
        yield page["episodes"]
        cursor = page["next_cursor"]


def test_a_wrong_line_is_named_and_nothing_is_stored(service: Service, group: str) -> None:
    headers = {"content-type": "application/x-ndjson"}
    content = json.dumps(MAYA) + '\n{"content": 7}\n'
    answer = service.http.post(f"/v1/groups/{group}/episodes", content=content, headers=headers)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/1/content")
    assert service.get(f"/v1/groups/{group}").status_code == 404


def test_a_failed_episode_says_why_and_can_be_retried(service: Service, group: str) -> None:
    path = f"/v1/groups/{group}/episodes"
    failed = service.post(path, MAYA | {"content": "Broken"}, wait=10).json()["episodes"][0]
    retried = service.http.post(f"{path}/{failed['id']}/retry")
    digested = service.post(path, MAYA).json()["episodes"][0]
    refused = service.http.post(f"{path}/{digested['id']}/retry")
    assert (failed["status"], failed["error"]) == ("failed", "The script is broken.")
    assert (retried.status_code, retried.json()["episode"]["status"]) == (202, "pending")
    assert refused.status_code == 409


def test_episodes_are_paged_in_order_of_time(service: Service, group: str) -> None:
    path = f"/v1/groups/{group}/episodes"
    body = [MAYA | {"content": str(day), "occurred_at": f"2025-05-{day:02}T00:00:00Z"} for day in (3, 1, 5, 2, 4)]
    service.post(path, body)
    seen: list[str] = []
    cursor: dict[str, str] = {}
    for _ in range(3):
        page = service.get(path, limit=2, valid_at="2025-05-05T00:00:00Z", **cursor).json()
        seen += [item["content"] for item in page["episodes"]]
        cursor = {"cursor": page["next_cursor"]}
    assert (seen, cursor) == (["1", "2", "3", "4", "5"], {"cursor": None})


def test_episodes_are_listed_by_session_status_and_time(service: Service, group: str) -> None:
    path = f"/v1/groups/{group}/episodes"
    service.post(path, [MAYA, MAYA | {"session": "other", "content": "Broken"}, MAYA | {"session": None}])
    by_session = service.get(path, session="other").json()["episodes"]
    failed = service.get(path, status="failed").json()["episodes"]
    before = service.get(path, valid_at="2025-05-01T00:00:00+02:00").json()
    assert [item["content"] for item in by_session] == [item["content"] for item in failed] == ["Broken"]
    assert (before["episodes"], before["valid_at"]) == ([], "2025-04-30T22:00:00Z")


def test_groups_count_their_work(service: Service, group: str) -> None:
    made = service.post("/v1/groups", {"id": group})
    again = service.post("/v1/groups", {"id": group})
    service.post(f"/v1/groups/{group}/episodes", [MAYA, MAYA | {"content": "Broken"}], wait=10)
    shown = service.get(f"/v1/groups/{group}", counts="true").json()
    assert (made.status_code, again.status_code) == (201, 200)
    work = {"pending": 0, "refining": 0, "digested": 1, "failed": 1, "redacted": 0, "replaced": 0, "vectors_pending": 0}
    assert shown["work"] == work


def test_groups_are_paged(service: Service, group: str) -> None:
    names = [f"{group}{number}" for number in range(3)]
    for name in names:
        service.post("/v1/groups", {"id": name})
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while not seen or cursor["cursor"]:
        page = service.get("/v1/groups", limit=500, **cursor).json()
        seen += [item["id"] for item in page["groups"]]
        cursor = {"cursor": page["next_cursor"]}
    assert set(names) <= set(seen)
    assert seen == sorted(seen)


def test_an_episode_is_digested_anew(service: Service, group: str) -> None:
    path = f"/v1/groups/{group}/episodes"
    service.queue.busy = True
    try:
        pending = service.post(path, MAYA).json()["episodes"][0]
        too_early = service.http.post(f"{path}/{pending['id']}/reprocess")
    finally:
        service.queue.busy = False
    done = service.post(path, MAYA | {"content": "Bruno lives_in Faro."}).json()["episodes"][0]
    answer = service.http.post(f"{path}/{done['id']}/reprocess", json={"strategy": "accurate"})
    shown = service.get(f"{path}/{done['id']}").json()

    assert (too_early.status_code, too_early.json()["title"]) == (409, "The request contradicts what is stored")
    assert (answer.status_code, answer.json()["queued"]) == (202, True)
    assert (answer.json()["episode"]["status"], answer.json()["episode"]["revision"]) == ("refining", 1)
    assert (shown["status"], shown["revision"], shown["error"]) == ("digested", 1, None)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"strategy": "best"}, "strategy"),
        ({"strategy": "fast", "model": "anthropic/claude-haiku-4-5"}, "asks no language model"),
        ({"model": "anthropic/of-somebody-else"}, "do not name the model"),
        ({"prompt": "read-0"}, "There is no prompt"),
        ({"strategy": "llm"}, "There is no key"),
        ({"temperature": 1}, "temperature"),
    ],
)
def test_what_nobody_can_read_by_is_refused(service: Service, group: str, body: dict[str, Any], says: str) -> None:
    path = f"/v1/groups/{group}/episodes"
    done = service.post(path, MAYA).json()["episodes"][0]

    answer = service.http.post(f"{path}/{done['id']}/reprocess", json=body)

    assert answer.status_code == 422
    assert says in str(answer.json())
    assert service.get(f"{path}/{done['id']}").json()["status"] == "digested"


@pytest.mark.parametrize(
    ("times", "time_zone"),
    [
        ({"occurred_at": "2025-05-03T19:00:00+09:00"}, "+09:00"),
        ({"occurred_at": "2025-05-03T10:00:00Z", "time_zone": "America/New_York"}, "America/New_York"),
        ({"occurred_at": "2025-05-03T10:00:00Z", "time_zone": "+00:00"}, "UTC"),
        ({"time_zone": "Asia/Tokyo"}, "Asia/Tokyo"),
        ({}, "UTC"),
    ],
)
def test_the_zone_of_an_episode_is_kept(service: Service, group: str, times: dict[str, str], time_zone: str) -> None:
    body = {"content": "Maya lives_in Lisbon.", **times}
    line = json.dumps(body | {"content": "Maya lives_in Porto."}).encode()

    alone = service.post(f"/v1/groups/{group}/episodes", body).json()["episodes"]
    headers = {"content-type": "application/x-ndjson"}
    lines = service.http.post(f"/v1/groups/{group}/episodes", content=line, headers=headers).json()["episodes"]

    for posted in (*alone, *lines):
        shown = service.get(f"/v1/groups/{group}/episodes/{posted['id']}").json()
        assert shown["time_zone"] == time_zone
        assert "occurred_at" not in times or shown["occurred_at"] == "2025-05-03T10:00:00Z"


def test_the_same_instant_with_another_offset_is_the_same_episode(service: Service, group: str) -> None:
    (first,) = service.post(f"/v1/groups/{group}/episodes", MAYA).json()["episodes"]
    again = MAYA | {"occurred_at": "2025-05-03T19:00:00+09:00", "time_zone": "Asia/Tokyo"}
    (second,) = service.post(f"/v1/groups/{group}/episodes", again).json()["episodes"]

    assert (second["id"], second["new"]) == (first["id"], False)
    assert service.get(f"/v1/groups/{group}/episodes/{first['id']}").json()["time_zone"] == "UTC"


def test_an_unknown_zone_is_refused(service: Service, group: str) -> None:
    answer = service.post(f"/v1/groups/{group}/episodes", MAYA | {"time_zone": "Mars/Olympus"})
    assert answer.status_code == 422
    assert "Europe/Lisbon" in answer.text
