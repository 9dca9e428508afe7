"""Limits and quotas over HTTP: counted in Valkey for all processes, and in nobody's way where it is away."""

import socket
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest

from graphmem.errors import QuotaUsed
from graphmem.model.limits import Allowance, Charge, HandedText, LimitReached
from graphmem.model.principal import Principal
from graphmem.queue.counters import Counters
from graphmem.queue.redis import open_queue
from graphmem.settings.limits import UNLIMITED, LimitSettings
from graphmem.settings.servers import RedisSettings
from graphmem.trust.limits import CallerLimits
from tests.api.conftest import OpenService, Service
from tests.servers import Servers

PER_KEY, PER_GROUP, PER_ADDRESS, A_DAY, STORED = 6, 4, 3, 3, 6
EPISODE = {"content": "Maya lives_in Porto", "occurred_at": "2025-05-03T00:00:00Z"}
CLAIM: Mapping[str, Any] = {"subject": {"name": "Maya", "type": "person"}, "predicate": "likes", "value": "tea"}


@pytest.fixture(scope="module")
def limited(open_service: OpenService) -> Iterator[Service]:
    """Behind a proxy on this machine, so that each test has addresses of its own."""
    limits = LimitSettings(
        key_requests_per_minute=PER_KEY,
        address_requests_per_minute=PER_ADDRESS,
        key_episodes_per_day=A_DAY,
        key_characters_per_day=200,
        user_episodes_per_day=2,
        group_episodes=STORED,
    )
    with open_service(limits=limits, trusted_proxies=["127.0.0.1"]) as opened:
        yield opened


def bearing(service: Service, group: str, **wanted: Any) -> dict[str, str]:
    """The headers of a new key for a group."""
    body = {"label": "of a test", "groups": [group], "rights": ["read", "write"], **wanted}
    secret = service.post("/v1/keys", body).raise_for_status().json()["secret"]
    return {"Authorization": f"Bearer {secret}"}


def slug(answer: httpx.Response) -> str:
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    return answer.json()["type"].rpartition(":")[2]


def stored(service: Service, group: str) -> int:
    return len(service.get(f"/v1/groups/{group}/episodes").raise_for_status().json()["episodes"])


def test_a_key_is_answered_so_many_times_a_minute_and_hears_when_again(limited: Service, group: str) -> None:
    key, other = bearing(limited, group), bearing(limited, group)

    answers = [limited.http.get("/v1/keys/own", headers=key) for _ in range(PER_KEY)]
    refused = limited.http.get("/v1/keys/own", headers=key)

    assert {answer.status_code for answer in answers} == {200}
    left = [int(answer.headers["ratelimit-remaining"]) for answer in answers]
    assert left[0] == PER_KEY - 1
    assert left == sorted(left, reverse=True)
    assert (refused.status_code, slug(refused)) == (429, "rate-limited")
    assert 1 <= int(refused.headers["retry-after"]) <= 60 / PER_KEY
    assert limited.http.get("/v1/keys/own", headers=other).status_code == 200
    assert "ratelimit-limit" not in limited.get("/v1/keys/own").headers
    assert 'graphmem_limits_reached_total{limit="key_requests_per_minute"}' in limited.get("/metrics").text


def test_a_file_counts_its_turns_and_a_dry_run_none(limited: Service, group: str) -> None:
    key = {**bearing(limited, group), "Content-Type": "application/octet-stream"}

    def hand_in(turns: int, **asked: Any) -> httpx.Response:
        said = "".join(f'{{"content": "Hi {number}.", "time": "2025-05-03T00:00:00Z"}}\n' for number in range(turns))
        asked = {"name": "talk.jsonl", **asked}
        return limited.http.post(f"/v1/groups/{group}/files", content=said, params=asked, headers=key)

    assert hand_in(A_DAY + 1, dry_run=True).status_code == 200
    refused = hand_in(A_DAY + 1)
    assert (refused.status_code, slug(refused), stored(limited, group)) == (429, "quota-used", 0)
    assert hand_in(A_DAY).json()["new"] == A_DAY


def test_requests_of_a_key_under_way_are_bounded_whatever_they_wait_for(open_service: OpenService, group: str) -> None:
    limits = UNLIMITED.model_copy(update={"key_requests_at_once": 1})
    with open_service(limits=limits) as service:
        key, url = bearing(service, group), urlsplit(service.url)

        def ask_until(status: int) -> httpx.Response:
            while (answer := service.http.get("/v1/keys/own", headers=key)).status_code != status:
                pass
            return answer

        head = f"POST /v1/groups/{group}/episodes HTTP/1.1\r\nHost: {url.netloc}\r\nContent-Type: application/json"
        with socket.create_connection((url.hostname or "", url.port or 0)) as connection:
            connection.sendall(f"{head}\r\nAuthorization: {key['Authorization']}\r\nContent-Length: 9\r\n\r\n".encode())
            refused = ask_until(429)
            assert (slug(refused), refused.headers["retry-after"]) == ("rate-limited", "1")
            assert service.get("/v1/keys/own").status_code == 200
            connection.sendall(b"{}       ")
            assert connection.recv(65_536).startswith(b"HTTP/1.1 422 ")
        ask_until(200)


def test_processes_count_the_requests_of_a_group_together(open_service: OpenService, group: str) -> None:
    limits = UNLIMITED.model_copy(update={"group_requests_per_minute": PER_GROUP})
    with open_service(limits=limits) as one, open_service(limits=limits) as two:
        strangers = bearing(two, "another-group")
        for _ in range(2 * PER_GROUP):
            assert two.http.get(f"/v1/groups/{group}", headers=strangers).status_code == 403
        for service in (one, two) * (PER_GROUP // 2):
            assert service.get(f"/v1/groups/{group}").status_code == 404

        assert [service.get(f"/v1/groups/{group}").status_code for service in (one, two)] == [429, 429]
        assert one.get(f"/v1/groups/{group}-2").status_code == 404
        assert one.get("/v1/groups").status_code == 200


class AskedCounters(Counters):
    """Knows how often it was asked."""

    asked = 0

    async def take(self, charges: Sequence[Charge]) -> list[Allowance] | LimitReached:
        self.asked += 1
        return await super().take(charges)


async def test_what_processes_count_ahead_lets_no_more_through_and_what_is_refused_spends_none(
    servers: Servers, group: str
) -> None:
    limits = UNLIMITED.model_copy(update={"key_episodes_per_day": 1_000, "user_characters_per_day": 1})
    key = Principal(key=uuid4().hex)

    async def handed_in(process: CallerLimits, most: int, user: str | None = None) -> int:
        for taken in range(most):
            try:
                await process.hand_in(key, group, [HandedText(user, 2)])
            except QuotaUsed:
                return taken
        return most

    async with open_queue(RedisSettings.model_validate({"url": servers.redis_url})) as queue:
        counters = AskedCounters(queue.redis)
        one, two = CallerLimits(limits, counters), CallerLimits(limits, counters)
        total = 0
        for process in (one, two) * 10:
            total += await handed_in(process, 9) + await handed_in(process, 1, "ann")
        for process in (one, two):
            total += await handed_in(process, 1_000)
    assert (total, counters.asked < 900) == (1_000, True)


def test_an_address_tries_few_keys_a_minute_and_health_and_right_keys_are_answered(limited: Service) -> None:
    address = f"2001:db8:{uuid4().hex[:4]}:1::"

    def ask(path: str, last: str, key: str = "wrong") -> int:
        headers = {"X-Forwarded-For": f"{address}{last}", "Authorization": f"Bearer {key}"}
        return limited.http.get(path, headers=headers).status_code

    assert [ask("/v1/groups", last) for last in "abcd"] == [*[401] * PER_ADDRESS, 429]
    assert ask("/docs", "e") == 429
    assert ask("/health/ready", "f") == 200
    assert ask("/v1/groups", "a", limited.token) == 200


def test_a_day_takes_so_many_episodes_of_a_key_and_of_a_batch_all_or_none(limited: Service, group: str) -> None:
    key = bearing(limited, group)

    def post(path: str, body: Any) -> httpx.Response:
        return limited.http.post(f"/v1/groups/{group}/{path}", json=body, headers=key)

    assert post("episodes", [EPISODE | {"content": text} for text in ("a", "b")]).status_code == 202
    refused = post("claims", [CLAIM, {**CLAIM, "value": "cake"}])
    assert (refused.status_code, slug(refused)) == (429, "quota-used")
    assert 0 < int(refused.headers["retry-after"]) <= 86_400
    assert stored(limited, group) == 2
    assert post("claims", CLAIM).status_code == 201
    fact = {"subject": CLAIM["subject"], "category": "preference", "key": "colour", "value": "green"}
    assert slug(post("facts", fact)) == "quota-used"
    assert limited.post(f"/v1/groups/{group}/facts", fact).status_code == 201


def test_a_day_takes_so_many_characters_of_a_key(limited: Service, group: str) -> None:
    key = bearing(limited, group)
    answers = [
        limited.http.post(f"/v1/groups/{group}/episodes", json=EPISODE | {"content": text}, headers=key)
        for text in ("x" * 201, "x" * 200, "y")
    ]
    assert [answer.status_code for answer in answers] == [429, 202, 429]


def test_a_batch_is_refused_where_one_of_its_users_has_had_his_day(limited: Service, group: str) -> None:
    batch = [EPISODE | {"content": str(number), "user": user} for number, user in enumerate(["ann", "bo", "bo", "bo"])]
    refused = limited.post(f"/v1/groups/{group}/episodes", batch)
    assert (refused.status_code, slug(refused)) == (429, "quota-used")
    assert limited.get(f"/v1/groups/{group}").status_code == 404
    assert limited.post(f"/v1/groups/{group}/episodes", batch[:3]).status_code == 202
    assert limited.post(f"/v1/groups/{group}/episodes", batch[3]).status_code == 429


def test_a_group_holds_so_many_episodes(limited: Service, group: str) -> None:
    texts = [EPISODE | {"content": str(number)} for number in range(STORED + 1)]
    assert limited.post(f"/v1/groups/{group}/episodes", texts[:-2]).status_code == 202
    refused = limited.post(f"/v1/groups/{group}/episodes", texts[-2:])
    assert (refused.status_code, slug(refused)) == (507, "group-full")
    assert "retry-after" not in refused.headers
    assert limited.post(f"/v1/groups/{group}/episodes", texts[-2]).status_code == 202
    assert limited.post(f"/v1/groups/{group}/episodes", texts[-1]).status_code == 507
    assert stored(limited, group) == STORED


def test_where_valkey_is_away_requests_are_answered_and_a_number_says_so(open_service: OpenService, group: str) -> None:
    limits = UNLIMITED.model_copy(update={"group_requests_per_minute": 1, "group_episodes_per_day": 1})
    with open_service(limits=limits, redis_url="redis://127.0.0.1:1") as service:
        for number in range(3):
            body = EPISODE | {"content": str(number)}
            assert service.post(f"/v1/groups/{group}/episodes", body).status_code == 202

        text = service.get("/metrics").text
        assert 'graphmem_limits_uncounted_total{limit="group_requests_per_minute"} 3.0' in text
        assert 'graphmem_limits_uncounted_total{limit="group_episodes_per_day"} 3.0' in text
