"""Reads over HTTP at a point in time, each beside Cypher on a bare driver: as graphmem sends it, and the least."""

import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Any

import httpx
from neo4j import Driver

from bench.common import milliseconds
from bench.scale.made import BIG, DAYS, big_blocks, day, entity_ids, people, queries
from bench.scale.recorded import RecordedDatabase, Statement, answer, replay
from graphmem.memory import Memory
from graphmem.model.scope import Scope
from graphmem.model.search import RELATIONSHIP
from graphmem.recall.reader import GraphQuery
from graphmem.store.queries import read_queries

WARM = 10
_LEAST = {query.name: query for query in read_queries(Path(__file__).with_name("least.cypher"))}
_FOUND = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One read: over HTTP, as graphmem answers it in this process, and as the least Cypher, if that is written."""

    method: str
    path: str
    params: dict[str, Any] = field(default_factory=dict[str, Any])
    body: dict[str, Any] | None = None
    ask: Callable[[], Awaitable[object]]
    least: Statement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What is measured: a graph of so many blocks, reached over HTTP, in this process, and over a bare driver.

    ``memory`` embeds questions with the service's model; ``writer`` reads and embeds by script.
    """

    blocks: int
    known_at: datetime
    client: httpx.Client
    memory: Memory
    writer: Memory
    database: RecordedDatabase
    driver: Driver


Questions = Callable[[Ground, random.Random], Question]


async def measure(ground: Ground, questions: Questions, count: int) -> dict[str, object]:
    """Milliseconds of many questions: over HTTP, as the statements that are sent for it, and as the least of Cypher.

    Each question is asked in each way before the next one. The least of Cypher must find the same beliefs.
    """
    rng = random.Random(ground.blocks)  # noqa: S311 - reproducible on purpose
    http, cypher, least = list[float](), list[float](), list[float]()
    for _ in range(WARM + count):
        question = questions(ground, rng)
        ground.database.take()
        await question.ask()
        statements = ground.database.take()
        seconds, answered = _timed(ground.client, question)
        http.append(seconds)
        cypher.append(replay(ground.driver, statements))
        if question.least is not None:
            least.append(_least(ground.driver, question.least, answered))
    figures = beside({"http_ms": http[WARM:], "cypher_ms": cypher[WARM:]})
    return figures | _beside_least(http[WARM:], least[WARM:]) if least else figures


def beside(seconds: dict[str, list[float]]) -> dict[str, object]:
    """Percentiles of a measurement and its floor, in this order, and the ratio of their medians."""
    figures = {name: milliseconds(values) for name, values in seconds.items()}
    measured, floor = figures.values()
    return {**figures, "ratio_p50": round(measured["p50"] / floor["p50"], 2)}


def _beside_least(http: list[float], least: list[float]) -> dict[str, object]:
    figures = beside({"http_ms": http, "least_ms": least})
    return {"least_ms": figures["least_ms"], "http_to_least": figures["ratio_p50"]}


def _least(driver: Driver, statement: Statement, answered: dict[str, Any]) -> float:
    began = perf_counter()
    records = answer(driver, statement)
    seconds = perf_counter() - began
    if {record["belief"]["id"] for record in records} != {belief["id"] for belief in answered["beliefs"]}:
        raise SystemExit(f"The least of Cypher finds other beliefs than graphmem: {statement.params}")
    return seconds


def _timed(client: httpx.Client, question: Question) -> tuple[float, dict[str, Any]]:
    began = perf_counter()
    answered = client.request(question.method, question.path, params=question.params, json=question.body)
    seconds = perf_counter() - began
    if not answered.is_success:
        raise SystemExit(f"{question.method} {question.path} answered {answered.status_code}: {answered.text}")
    return seconds, answered.json()


def entity_as_of(ground: Ground, rng: random.Random) -> Question:
    entity, when = _entity(ground, rng), _when(ground, rng)
    return Question(
        method="GET",
        path=f"/v1/groups/{BIG}/entities/{entity}",
        params=_times(when),
        ask=lambda: ground.memory.reader.entity(when, entity),
        least=_least_around(when, entity),
    )


def graph_depth_1(ground: Ground, rng: random.Random) -> Question:
    return _graph(ground, rng, 1)


def graph_depth_2(ground: Ground, rng: random.Random) -> Question:
    return _graph(ground, rng, 2)


def _graph(ground: Ground, rng: random.Random, depth: int) -> Question:
    entity, when = _entity(ground, rng), _when(ground, rng)
    return Question(
        method="GET",
        path=f"/v1/groups/{BIG}/graph",
        params={"entity": entity, "depth": depth, **_times(when)},
        ask=lambda: ground.memory.reader.graph(when, GraphQuery(entity_id=entity, depth=depth)),
        least=_least_around(when, entity) if depth == 1 else None,
    )


def _least_around(when: Scope, entity: str) -> Statement:
    params = {"group": when.group, "id": entity, "valid_at": when.valid_at, "known_at": when.known_at}
    return Statement(_LEAST["least_around"].text, params)


def search(ground: Ground, rng: random.Random) -> Question:
    person, when = rng.choice(people(_block(ground, rng))), _when(ground, rng)
    text = f"Whom did {person.name} visit?"
    return Question(
        method="POST",
        path=f"/v1/groups/{BIG}/search",
        body={"query": text, "limit": _FOUND, **_times(when)},
        ask=lambda: ground.memory.searcher.search(when, text, limit=_FOUND),
    )


async def vector_search(ground: Ground, count: int) -> dict[str, object]:
    """The vector query for relationships alone, through graphmem's store and on a bare driver."""
    rng = random.Random(ground.blocks)  # noqa: S311 - reproducible on purpose
    stored, cypher = list[float](), list[float]()
    for vector in _vectors(WARM + count):
        when = _when(ground, rng)
        ground.database.take()
        began = perf_counter()
        await ground.memory.store.by_vector(when, vector, [RELATIONSHIP], 50)
        stored.append(perf_counter() - began)
        cypher.append(replay(ground.driver, ground.database.take()))
    return beside({"store_ms": stored[WARM:], "cypher_ms": cypher[WARM:]})


def _vectors(count: int) -> Iterator[list[float]]:
    for row in queries(count):
        yield row.tolist()


def _block(ground: Ground, rng: random.Random) -> int:
    return rng.choice(big_blocks(ground.blocks))


def _entity(ground: Ground, rng: random.Random) -> str:
    return rng.choice(entity_ids(_block(ground, rng)))


def _when(ground: Ground, rng: random.Random) -> Scope:
    return Scope(BIG, day(rng.randrange(DAYS // 2, DAYS)), ground.known_at)


def _times(when: Scope) -> dict[str, str]:
    return {"valid_at": when.valid_at.isoformat(), "known_at": when.known_at.isoformat()}
