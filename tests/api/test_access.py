"""What one user may not see is answered like what does not exist, by every call that there is, and stays as it is.

Alice has one of everything in private. Bob and Carol ask for it by its id, and for the same of an id that nothing has.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from pydantic import BaseModel

from graphmem.api import openapi
from graphmem.model.scope import Scope
from graphmem.store.driver import Database, Transaction
from graphmem.store.queries import read_queries
from tests.api.claiming import MAY, MAYA, compare, post
from tests.api.conftest import OpenService, Service
from tests.api.probes import ADDRESSES_NOTHING, PROBES, SETTINGS, Probe, nothing
from tests.jobs.summarising import SAID, Bench
from tests.servers import Servers

ALICE, STRANGERS = "alice", ("bob", "carol")
ZINNIA = "Zinnia"
QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "access.cypher")}
OF_A_REQUEST = {"instance", "request_id", "valid_at", "known_at", "valid_until", "confirm"}
JUNE = "2025-06-01T00:00:00Z"
OTHER_PLACE = {"name": "Porto", "type": "place"}


class NodeRow(BaseModel):
    labels: list[str]
    properties: dict[str, Any]


class RelationshipRow(BaseModel):
    type: str
    start: str | None
    end: str | None
    properties: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """A group in which Alice has one of everything: the ids, by what they are of."""

    service: Service
    group: str
    ids: dict[str, str]

    def ask(self, method: str, path: str, probe: Probe, id_: str, user: str | None) -> httpx.Response:
        return probe.send(self.service, method, path, self.group, id_, self.ids, user)


@dataclass(frozen=True, slots=True)
class Setup:
    service: Service
    runner: asyncio.Runner
    database: Database


@pytest.fixture(scope="module")
def setup(open_service: OpenService, servers: Servers) -> Iterator[Setup]:
    with asyncio.Runner() as runner, open_service() as service:
        database = runner.run(_opened(servers))
        try:
            yield Setup(service, runner, database)
        finally:
            runner.run(database.aclose())


@pytest.fixture(scope="module")
def told(setup: Setup) -> Told:
    return setup.runner.run(tell(setup.service, setup.database, f"access-{uuid4().hex}"))


def test_every_call_is_asked_or_addresses_nothing_of_a_user(service: Service) -> None:
    document = service.get("/openapi.json").json()
    every = {(method, path) for method, path, _ in openapi.operations(document)}
    assert every - ADDRESSES_NOTHING.keys() == PROBES.keys()
    assert ADDRESSES_NOTHING.keys() <= every


@pytest.mark.timeout(900)
def test_what_one_user_has_is_to_others_as_if_it_did_not_exist(setup: Setup, told: Told) -> None:
    before = setup.runner.run(everything(setup.database, told.group))
    wrong = [
        problem
        for (method, path), probes in PROBES.items()
        for probe in probes
        for user in STRANGERS
        for problem in problems(told, method, path, probe, user)
    ]
    assert not wrong, "\n".join(wrong)
    assert setup.runner.run(everything(setup.database, told.group)) == before


@pytest.mark.timeout(900)
def test_its_user_and_who_acts_for_everybody_reach_it(told: Told) -> None:
    """Else the test above would ask for nothing."""
    lost = [
        f"{method} {path} as {user}: {answer.status_code} {answer.text}"
        for (method, path), probes in PROBES.items()
        for probe in probes
        for user in (ALICE, None)
        for answer in [told.ask(method, path, probe, told.ids[probe.thing], user)]
        if answer.status_code >= 500 or (answer.status_code == 404 and not (probe.of_all and user is None))
    ]
    assert not lost, "\n".join(lost)


def test_calls_about_a_whole_group_are_made_for_no_user(setup: Setup, told: Told) -> None:
    answers = {
        (method, path): setup.service.http.request(method, path.replace("{group}", told.group), params={"user": "bob"})
        for (method, path), why in ADDRESSES_NOTHING.items()
        if why == SETTINGS
    }
    assert {answer.status_code for answer in answers.values()} == {422}
    assert all("/user" in answer.text for answer in answers.values())


def problems(told: Told, method: str, path: str, probe: Probe, user: str) -> Iterator[str]:
    absent = nothing(probe.thing)
    hidden = told.ask(method, path, probe, told.ids[probe.thing], user)
    missing = told.ask(method, path, probe, absent, user)
    where = f"{method} {path} {probe} as {user}"
    if hidden.status_code != (200 if probe.narrows else 404):
        yield f"{where}: {hidden.status_code} {hidden.text}"
    one, other = shown(hidden, told.ids[probe.thing]), shown(missing, absent)
    if (hidden.status_code, one) != (missing.status_code, other):
        yield f"{where} tells that there is something: {one} and not {missing.status_code} {other}"
    if ZINNIA in hidden.text:
        yield f"{where} tells a secret: {hidden.text}"


def shown(answer: httpx.Response, asked: str) -> Any:
    """An answer without what a request brings: its own times, and the id that was asked for."""
    return _shown(httpx.Response(200, text=answer.text.replace(asked, "ASKED")).json())


def _shown(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in answer.items() if name not in OF_A_REQUEST}


async def _opened(servers: Servers) -> Database:
    return servers.open()


async def everything(database: Database, group: str) -> list[str]:
    """All that is stored of a group: nodes and relationships, with all their properties."""

    async def work(transaction: Transaction) -> list[str]:
        nodes = await transaction.run(QUERIES["nodes_of_group"], NodeRow, group=group)
        between = await transaction.run(QUERIES["relationships_of_group"], RelationshipRow, group=group)
        return sorted(repr(sorted(row.model_dump().items())) for row in (*nodes, *between))

    return await database.read(work)


async def tell(service: Service, database: Database, group: str) -> Told:
    """Alice's own, and what everybody knows."""
    hat = {"subject": MAYA, "predicate": "preference.hat"}
    sure = {**hat, "value": "fez", "confidence": 0.9, "occurred_at": MAY}
    post(service, group, sure, {**hat, "value": "beret", "confidence": 0.5, "occurred_at": JUNE})
    ids = {"known": _entity(service, group, "Maya"), "open conflict": _conflict(service, group, "preference.hat")}
    ids |= await _summarised(database, group)
    ids |= _claimed(service, group)
    await compare(database, group)
    ids |= _merged(service, group)
    ids |= _said(service, group)
    return Told(service, group, ids)


async def _summarised(database: Database, group: str) -> dict[str, str]:
    """A session, closed, and its summary."""
    bench = Bench(database)
    await bench.say(group, [f"{ZINNIA} likes Acme_{number}. {ZINNIA} said so." for number in range(4)], user=ALICE)
    await bench.close(group)
    await bench.work(group)
    (summary,) = await bench.summaries.summaries(
        Scope(group, SAID + timedelta(days=1), user=ALICE), session_id=None, after=(SAID, ""), limit=1
    )
    return {"summary": summary.summary_id, "version": summary.id, "session": summary.session_id}


def _claimed(service: Service, group: str) -> dict[str, str]:
    """Claims of Alice: a retracted one, a fact, one that is believed no more, a conflict; and names that look alike."""
    zinnia = {"name": ZINNIA, "type": "person"}
    colour = {"subject": zinnia, "predicate": "preference.favourite_colour", "occurred_at": MAY, "user": ALICE}
    song = {**colour, "predicate": "preference.favourite_song"}
    retracted, _, kept, _, claim, *_ = post(
        service,
        group,
        {**colour, "predicate": "likes", "value": "tea"},
        {**colour, "value": "green"},
        {**song, "value": "Waltz", "confidence": 0.9},
        {**song, "value": "Tango", "confidence": 0.5, "occurred_at": JUNE},
        {**colour, "predicate": "lives_in", "value": None, "object": OTHER_PLACE},
        *(
            {**colour, "subject": {"name": name, "type": "person"}, "predicate": predicate, "value": value}
            for name, predicate, value in (("Thomas Okafor", "born", "1970-01-02"), ("Tom Okafor", "likes", "tea"))
        ),
        {**colour, "predicate": "shoe_size", "value": 41},
    )
    root = f"/v1/groups/{group}"
    shoes = _fact(service, group, "shoe_size")
    assert service.delete(f"{root}/facts/{shoes}", user=ALICE).is_success
    assert service.post(f"{root}/claims/{retracted}/retract", {}).is_success
    return {
        "song": kept,
        "retracted": retracted,
        "claim": claim,
        "fact": _fact(service, group, "preference.favourite_colour"),
        "belief": _fact(service, group, "lives_in"),
        "gone": shoes,
        "conflict": _conflict(service, group, "preference.favourite_song"),
        "entity": _entity(service, group, ZINNIA),
    }


def _merged(service: Service, group: str) -> dict[str, str]:
    """What Alice thinks of who is who: a merge, and a pair of which she is asked."""
    root = f"/v1/groups/{group}"
    (review,) = service.get(f"{root}/reviews", user=ALICE).json()["reviews"]
    pair = [_entity(service, group, name) for name in (ZINNIA, "Thomas Okafor")]
    merged = service.post(f"{root}/merges", {"entities": pair, "reason": f"{ZINNIA} says so.", "user": ALICE})
    assert merged.is_success, merged.text
    return {"review": review["id"], "merge": merged.json()["merge"]["id"]}


def _said(service: Service, group: str) -> dict[str, str]:
    """Episodes of Alice: one that is read, one that cannot be, and one that waits for workers that are busy."""
    service.queue.busy = False
    found = [_episode(service, group, f"{word} knows {ZINNIA}.") for word in (ZINNIA, "Broken")]
    service.queue.busy = True
    found.append(_episode(service, group, f"{ZINNIA} waits for nobody."))
    return dict(zip(("episode", "failed", "pending"), found, strict=True))


def _episode(service: Service, group: str, content: str) -> str:
    body = {"content": content, "occurred_at": MAY, "user": ALICE, "session": "later"}
    answer = service.post(f"/v1/groups/{group}/episodes", body)
    assert answer.is_success, answer.text
    return answer.json()["episodes"][0]["id"]


def _fact(service: Service, group: str, predicate: str) -> str:
    found: Sequence[dict[str, Any]] = service.get(f"/v1/groups/{group}/graph", user=ALICE).json()["beliefs"]
    (id_,) = {one["id"] for one in found if one["predicate"] == predicate and one["user"] == ALICE}
    return id_


def _conflict(service: Service, group: str, predicate: str) -> str:
    found: Sequence[dict[str, Any]] = service.get(f"/v1/groups/{group}/conflicts").json()["conflicts"]
    (id_,) = [one["belief"]["id"] for one in found if one["belief"]["predicate"] == predicate]
    return id_


def _entity(service: Service, group: str, name: str) -> str:
    (entity,) = service.get(f"/v1/groups/{group}/entities", name=name).json()["entities"]
    return entity["id"]
