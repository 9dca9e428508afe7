"""Reads over HTTP at a point in time, each beside the Cypher that graphmem sends for it, on a bare driver."""

import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from time import perf_counter
from typing import Any

import httpx
from neo4j import Driver

from bench.common import milliseconds
from bench.scale.made import BIG, DAYS, big_blocks, day, entity_ids, people, queries
from bench.scale.recorded import RecordedDatabase, replay
from graphmem.memory import Memory
from graphmem.model.scope import Scope
from graphmem.reading import GraphQuery

WARM = 10
_DEPTH = 2
_FOUND = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One read: over HTTP, and as graphmem answers it in this process."""

    method: str
    path: str
    params: dict[str, Any] = field(default_factory=dict[str, Any])
    body: dict[str, Any] | None = None
    ask: Callable[[], Awaitable[object]]


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
    """Milliseconds of many questions; each is asked in this process, over HTTP, and as bare Cypher, in this order."""
    rng = random.Random(ground.blocks)  # noqa: S311 - reproducible on purpose
    http, cypher = list[float](), list[float]()
    for _ in range(WARM + count):
        question = questions(ground, rng)
        ground.database.take()
        await question.ask()
        statements = ground.database.take()
        http.append(_timed(ground.client, question))
        cypher.append(replay(ground.driver, statements))
    return beside({"http_ms": http[WARM:], "cypher_ms": cypher[WARM:]})


def beside(seconds: dict[str, list[float]]) -> dict[str, object]:
    """Percentiles of a measurement and its floor, in this order, and the ratio of their medians."""
    figures = {name: milliseconds(values) for name, values in seconds.items()}
    measured, floor = figures.values()
    return {**figures, "ratio_p50": round(measured["p50"] / floor["p50"], 2)}


def _timed(client: httpx.Client, question: Question) -> float:
    began = perf_counter()
    answer = client.request(question.method, question.path, params=question.params, json=question.body)
    seconds = perf_counter() - began
    if not answer.is_success:
        raise SystemExit(f"{question.method} {question.path} answered {answer.status_code}: {answer.text}")
    return seconds


def entity_as_of(ground: Ground, rng: random.Random) -> Question:
    entity, when = _entity(ground, rng), _when(ground, rng)
    return Question(
        method="GET",
        path=f"/v1/groups/{BIG}/entities/{entity}",
        params=_times(when),
        ask=lambda: ground.memory.reader.entity(when, entity),
    )


def graph_depth_2(ground: Ground, rng: random.Random) -> Question:
    entity, when = _entity(ground, rng), _when(ground, rng)
    return Question(
        method="GET",
        path=f"/v1/groups/{BIG}/graph",
        params={"entity": entity, "depth": _DEPTH, **_times(when)},
        ask=lambda: ground.memory.reader.graph(when, GraphQuery(entity_id=entity, depth=_DEPTH)),
    )


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
        await ground.memory.store.relationships_by_vector(when, vector, 50)
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
