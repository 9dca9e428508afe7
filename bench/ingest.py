"""What an episode costs: `POST episodes` answered, and from there to digested, step by step.

    python -m bench.ingest --json

One client, one episode at a time: while the worker has nothing to do (`post_ms`), and while it digests what came
before (`post_while_digesting_ms`); then many in flight. The steps are those that the worker measures: `queue` from
stored to taken up, `extraction`, `embedding`, `transaction` (without its commit); `rest` is what remains of the whole:
HTTP, commit, and the polling of the answer.
"""

import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any
from uuid import uuid4

import httpx

from bench.common import milliseconds, parser, say, service, summary, tell

NAMES = ("Maya", "Bruno", "Ines", "Clara", "Tomas", "Greta", "Yusuf", "Lena")
CITIES = ("Lisbon", "Porto", "Madrid", "Oslo", "Rome", "Vienna", "Ghent", "Tallinn")
LINES = ("I moved to {city} last month.", "I work at Initech in {city}.", "I like {city} in winter.", "What a day!")
STEPS = ("queue", "extraction", "embedding", "transaction")


def episodes(seed: int) -> Iterator[dict[str, Any]]:
    rng = random.Random(seed)  # noqa: S311 - reproducible on purpose
    for number in range(1_000_000):
        yield {
            "content": rng.choice(LINES).format(city=rng.choice(CITIES)),
            "speaker": rng.choice(NAMES),
            "session": f"bench-{number // 20}",
            "external_id": f"{seed}-{number}",
            "occurred_at": (datetime(2025, 1, 1, tzinfo=UTC) + timedelta(hours=number)).isoformat(),
        }


def post(client: httpx.Client, group: str, body: dict[str, Any], wait: int) -> tuple[float, dict[str, Any]]:
    began = perf_counter()
    answer = client.post(f"/v1/groups/{group}/episodes", params={"wait": wait} if wait else None, json=body)
    seconds = perf_counter() - began
    if answer.status_code not in {200, 202}:
        raise SystemExit(f"POST episodes answered {answer.status_code}: {answer.text}")
    return seconds, answer.json()


def accepted(client: httpx.Client, group: str, count: int, *, idle: bool) -> list[float]:
    """Seconds until POST is answered, back to back or each after the one before is digested."""
    bodies, seconds = episodes(1), list[float]()
    for _ in range(count):
        seconds.append(post(client, group, next(bodies), 0)[0])
        if idle:
            wait_until_digested(client, group)
    return seconds


def wait_until_digested(client: httpx.Client, group: str) -> None:
    while client.get(f"/v1/groups/{group}").raise_for_status().json()["work"]["pending"]:
        time.sleep(0.02)


def digested(client: httpx.Client, group: str, count: int) -> tuple[list[float], list[dict[str, float]]]:
    """Seconds from POST to digested, and the milliseconds of each step."""
    bodies, whole, steps = episodes(2), list[float](), list[dict[str, float]]()
    for _ in range(count):
        seconds, answer = post(client, group, next(bodies), 60)
        episode = answer["episodes"][0]
        if episode["status"] != "digested":
            raise SystemExit(f"An episode is {episode['status']} after 60 s: {json.dumps(answer)}")
        measured = episode["outcome"]["milliseconds"]
        whole.append(seconds)
        steps.append({**measured, "rest": 1000 * seconds - sum(measured[step] for step in STEPS)})
    return whole, steps


def per_second(client: httpx.Client, group: str, count: int, in_flight: int) -> float:
    """Episodes digested per second, with so many requests in flight."""
    bodies = episodes(3 + in_flight)
    work = [next(bodies) for _ in range(count)]
    began = perf_counter()
    with ThreadPoolExecutor(in_flight) as threads:
        for answer in [threads.submit(post, client, group, body, 0) for body in work]:
            answer.result()
    wait_until_digested(client, group)
    return count / (perf_counter() - began)


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--episodes", type=int, default=100, help="episodes for each figure")
    options = arguments.parse_args()
    group, count = f"bench-{uuid4().hex[:8]}", options.episodes
    with service(options) as running, running.client() as client:
        say("warming up")
        digested(client, f"{group}-warm", 20)
        say(f"{count} episodes one after the other, waiting for the digest")
        whole, steps = digested(client, f"{group}-digest", count)
        say(f"{count} episodes one after the other, not waiting")
        busy = accepted(client, f"{group}-busy", count, idle=False)
        wait_until_digested(client, f"{group}-busy")
        say(f"{count} episodes, each after the one before is digested")
        idle = accepted(client, f"{group}-idle", count, idle=True)
        rates = {}
        for in_flight in (1, 4, 16):
            say(f"{2 * count} episodes, {in_flight} in flight")
            rates[str(in_flight)] = round(per_second(client, f"{group}-{in_flight}", 2 * count, in_flight), 1)
    tell(
        {
            "post_ms": milliseconds(idle),
            "post_while_digesting_ms": milliseconds(busy),
            "post_to_digested_ms": milliseconds(whole),
            "steps_ms": {step: summary([of[step] for of in steps]) for step in (*STEPS, "rest")},
            "episodes_per_s_in_flight": rates,
        },
        as_json=options.json,
    )


if __name__ == "__main__":
    main()
