"""What an episode costs: `POST episodes` answered, and from there to digested, step by step.

    python -m bench.ingest --json

One client, one episode at a time: while the worker has nothing to do (`post_ms`), and while it digests what came
before (`post_while_digesting_ms`); then many in flight. The steps are those that the worker measures: `queue` from
stored to taken up, `extraction`, `embedding` (what is left of it after the extraction, beside which it goes on),
`transaction` (up to its last statement); `rest` is what remains of the whole: HTTP, that statement, commit, and telling
who waits.

Then the same with a language model: a server in this process that speaks the wire format of Anthropic's Messages and
answers from a table, at once and after 300 ms (`language_model`, by milliseconds of latency). `over_latency_ms` is
what the median from POST to digested takes beside the model's own time. `two_phases`: ten episodes at once, with a
model that takes 2 s and a `latency_budget_ms` of 50. With `--url`, that service is measured as it is configured, and
this second part is left out.

`in_bulk` are requests of 50 turns, back to back, of which ten share a call of a model; `live_in_bulk` are turns that
come alone into the same group meanwhile, and are waited for.
"""

import json
import random
from argparse import Namespace
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any
from uuid import uuid4

import httpx

from bench.common import milliseconds, parser, running, say, service, started, summary, tell, wait_until_digested
from tests.fake_anthropic import KEY, Answer, FakeProvider, fake_anthropic

NAMES = ("Maya", "Bruno", "Ines", "Clara", "Tomas", "Greta", "Yusuf", "Lena")
CITIES = ("Lisbon", "Porto", "Madrid", "Oslo", "Rome", "Vienna", "Ghent", "Tallinn")
LINES = ("I moved to {city} last month.", "I work at Initech in {city}.", "I like {city} in winter.", "What a day!")
STEPS = ("queue", "extraction", "embedding", "transaction")
IN_FLIGHT = (1, 4, 16)
BULK, BULKS = 50, 10
"""Turns of a request in bulk, and how many times as many turns as of others come in bulk."""
LATENCIES = (0, 300)
"""Milliseconds after which the language model answers."""

"""Seconds between looks at what is still to be digested: each counts the group, on the cores that digest."""

TOGETHER, SLOW, BUDGET, BURSTS = 10, 2.0, 50, 5
"""Episodes in flight while a model takes so many seconds, and is waited for so many ms; of bursts the last."""

Usage = dict[str, Any]


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


def digested(client: httpx.Client, group: str, count: int) -> tuple[list[float], list[dict[str, float]], list[Usage]]:
    """Seconds from POST to digested, the milliseconds of each step, and what language models took."""
    bodies, whole, steps, usages = episodes(2), list[float](), list[dict[str, float]](), list[Usage]()
    for _ in range(count):
        seconds, answer = post(client, group, next(bodies), 60)
        episode = answer["episodes"][0]
        if episode["status"] != "digested":
            raise SystemExit(f"An episode is {episode['status']} after 60 s: {json.dumps(answer)}")
        took = episode["outcome"]["milliseconds"]
        whole.append(seconds)
        steps.append({**took, "rest": 1000 * seconds - sum(took[step] for step in STEPS)})
        usages += [usage] if (usage := episode["outcome"]["usage"]) else []
    return whole, steps, usages


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


def rates(client: httpx.Client, group: str, count: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for in_flight in IN_FLIGHT:
        say(f"{2 * count} episodes, {in_flight} in flight")
        found[str(in_flight)] = round(per_second(client, f"{group}-{in_flight}", 2 * count, in_flight), 1)
    return found


def figures_of(client: httpx.Client, count: int, warm: int) -> dict[str, object]:
    """What an episode costs as the service is configured."""
    group = f"bench-{uuid4().hex[:8]}"
    say("warming up")
    digested(client, f"{group}-warm", warm)
    say(f"{count} episodes one after the other, waiting for the digest")
    whole, steps, _ = digested(client, f"{group}-digest", count)
    say(f"{count} episodes one after the other, not waiting")
    busy = accepted(client, f"{group}-busy", count, idle=False)
    wait_until_digested(client, f"{group}-busy")
    say(f"{count} episodes, each after the one before is digested")
    idle = accepted(client, f"{group}-idle", count, idle=True)
    return {
        "post_ms": milliseconds(idle),
        "post_while_digesting_ms": milliseconds(busy),
        "post_to_digested_ms": milliseconds(whole),
        "steps_ms": {step: summary([of[step] for of in steps]) for step in (*STEPS, "rest")},
        "episodes_per_s_in_flight": rates(client, group, count),
        "in_bulk": in_bulk(client, f"{group}-bulk", BULKS * count),
        "live_in_bulk_ms": live_in_bulk(client, f"{group}-both", count // 2, BULKS * count),
    }


def with_a_model(
    client: httpx.Client, provider: FakeProvider, count: int, latency: int, warm: int
) -> dict[str, object]:
    """What an episode costs that a language model reads, which answers after so many milliseconds."""
    group, provider.latency = f"bench-{uuid4().hex[:8]}", latency / 1000
    say(f"a language model that takes {latency} ms: warming up")
    digested(client, f"{group}-warm", warm)
    say(f"{count} episodes one after the other, waiting for the digest")
    whole, steps, usages = digested(client, f"{group}-digest", count)
    if any(usage["fallback"] for usage in usages):
        raise SystemExit(f"Episodes were read offline instead: {usages[0]}")
    taken = milliseconds(whole)
    return {
        "post_to_digested_ms": taken,
        "over_latency_ms": round(taken["p50"] - latency, 1),
        "steps_ms": {step: summary([of[step] for of in steps]) for step in (*STEPS, "rest")},
        "calls_per_episode": _mean(usages, "calls"),
        "input_tokens_per_episode": _mean(usages, "input_tokens"),
        "cached_tokens_per_episode": _mean(usages, "cached_tokens"),
        "output_tokens_per_episode": _mean(usages, "output_tokens"),
        "episodes_per_s_in_flight": rates(client, group, count),
        "in_bulk": in_bulk(client, f"{group}-bulk", BULKS * count),
    }


def in_bulk(client: httpx.Client, group: str, count: int) -> dict[str, float]:
    """The same with turns that come in requests of many."""
    say(f"{count} episodes, {BULK} a request")
    began = perf_counter()
    _load(client, group, count)
    wait_until_digested(client, group)
    seconds = perf_counter() - began
    usages = [usage for episode in _all(client, group) if (usage := episode["outcome"]["usage"])]
    tokens = ("calls", "input_tokens", "output_tokens") if usages else ()
    return {"episodes_per_s": round(count / seconds, 1), **{f"{key}_per_episode": _mean(usages, key) for key in tokens}}


def live_in_bulk(client: httpx.Client, group: str, count: int, in_bulk: int) -> dict[str, object]:
    """From POST to digested, one at a time, while so many that came in bulk are digested in the same group."""
    say(f"{count} episodes one after the other, while {in_bulk} are digested in bulk")
    _load(client, group, in_bulk)
    whole, _, _ = digested(client, group, count)
    left = client.get(f"/v1/groups/{group}").raise_for_status().json()["work"]["pending"]
    wait_until_digested(client, group)
    return {**milliseconds(whole), "left_in_bulk": left}


def _load(client: httpx.Client, group: str, count: int) -> None:
    bodies = episodes(4)
    for _ in range(0, count, BULK):
        client.post(f"/v1/groups/{group}/episodes", json=[next(bodies) for _ in range(BULK)]).raise_for_status()


def _all(client: httpx.Client, group: str) -> Iterator[dict[str, Any]]:
    cursor: str | None = None
    while True:
        params = {"limit": 500} | ({"cursor": cursor} if cursor else {})
        page = client.get(f"/v1/groups/{group}/episodes", params=params).raise_for_status().json()
        yield from page["episodes"]
        if (cursor := page["next_cursor"]) is None:
            return


def _mean(usages: list[Usage], key: str) -> float:
    return round(sum(usage[key] for usage in usages) / len(usages), 2)


def answers() -> dict[str, Answer]:
    """What a model would fill in for each of the lines."""
    table: dict[str, Answer] = {}
    for line, predicate in zip(LINES[:3], ("lives_in", "works_in", "likes"), strict=True):
        for city in CITIES:
            quote = line.format(city=city)
            claim = {"turn": 0, "subject": "I", "predicate": predicate, "object": city, "confidence": 0.9}
            table[quote] = {
                "entities": [{"name": city, "type": "place", "confidence": "high"}],
                "claims": [{**claim, "statement": f"Somebody {predicate} {city}.", "quote": quote}],
                "facts": [],
            }
    return table


def in_two_phases(client: httpx.Client, provider: FakeProvider) -> dict[str, float]:
    """Seconds until many episodes in flight stand, read offline, and until a slow model has read them all."""
    group, provider.latency = f"bench-{uuid4().hex[:8]}", SLOW
    say(f"a language model that takes {SLOW:g} s and is not waited for: {TOGETHER} episodes in flight")
    stand, refined = [_two_phases(client, f"{group}-{number}", 5 + number) for number in range(BURSTS)][-1]
    return {
        "model_s": SLOW,
        "episodes": TOGETHER,
        "all_stand_s": round(stand, 2),
        "all_refined_s": round(refined, 2),
    }


def _two_phases(client: httpx.Client, group: str, seed: int) -> tuple[float, float]:
    bodies, began = episodes(seed), perf_counter()
    with ThreadPoolExecutor(TOGETHER) as threads:
        for answer in [threads.submit(post, client, group, next(bodies), 0) for _ in range(TOGETHER)]:
            answer.result()
    wait_until_digested(client, group)
    stand = perf_counter() - began
    wait_until_digested(client, group, "refining")
    return stand, perf_counter() - began


@contextmanager
def model(**settings: object) -> Generator[tuple[FakeProvider, httpx.Client]]:
    """A service that asks a language model, and that model."""
    with fake_anthropic() as provider:
        provider.answers = answers()
        extraction = {"GRAPHMEM_PIPELINE_ENTITY_EXTRACTION": json.dumps(settings)}
        with (
            started({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": provider.url, **extraction}) as data_dir,
            running(data_dir).client() as client,
        ):
            yield provider, client


def measured(options: Namespace) -> dict[str, object]:
    with service(options) as asked, asked.client() as client:
        figures = figures_of(client, options.episodes, options.warm)
    if options.url:
        return figures
    with model() as (provider, client):
        by_latency = {
            str(latency): with_a_model(client, provider, options.episodes, latency, options.warm)
            for latency in LATENCIES
        }
    with model(latency_budget_ms=BUDGET) as (provider, client):
        phases = in_two_phases(client, provider)
    return {**figures, "language_model": by_latency, "two_phases": {"budget_ms": BUDGET, **phases}}


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--episodes", type=int, default=100, help="episodes for each figure")
    arguments.add_argument("--warm", type=int, default=300, help="episodes before, while Neo4j compiles what is hot")
    options = arguments.parse_args()
    tell(measured(options), as_json=options.json)


if __name__ == "__main__":
    main()
