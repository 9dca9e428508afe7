"""Summaries of entities over HTTP: made when asked for, shown with the entity, and found by searches."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from graphmem.derived.entity_summaries import EntitySummaries
from graphmem.embed.tokens import FileTokenizer
from graphmem.jobs.steps import Stepper
from graphmem.jobs.summariser import Summariser
from graphmem.settings.jobs import JobSettings
from graphmem.settings.recall import EmbeddingSettings
from graphmem.store.driver import Database
from tests.api.claiming import post
from tests.api.conftest import Service
from tests.models import memory_on

MONDAY = datetime(2025, 4, 28, 12, tzinfo=UTC)
THINGS = ("chess", "opera", "rugby", "jazz", "poker", "judo", "tennis", "baking")


def claim(target: str, hours: int, **more: Any) -> dict[str, Any]:
    at = (MONDAY + timedelta(hours=hours)).isoformat()
    return {
        "subject": {"name": "Maya", "type": "person"},
        "predicate": "likes",
        "object": {"name": target, "type": "topic"},
        "valid_from": at,
        "occurred_at": at,
        **more,
    }


async def work(database: Database, group: str, job: dict[str, Any]) -> None:
    memory = memory_on(database)
    tokens = FileTokenizer(None, EmbeddingSettings())
    made = EntitySummaries(memory.store, memory.late_vectors, tokens)
    taken = await memory.works.lease_work(group, job["id"], uuid4().hex, 60)
    assert taken is not None
    await Stepper(Summariser(made.summarise_one), memory.works, JobSettings()).do(taken)


async def test_it_is_asked_for_made_shown_and_found(service: Service, group: str, database: Database) -> None:
    path = f"/v1/groups/{group}"
    claims = post(service, group, *(claim(one, at) for at, one in enumerate(THINGS)))
    post(service, group, claim("sailing", 9, user="ann"))
    (maya,) = service.get(f"{path}/entities", name="Maya").json()["entities"]
    profile = f"{path}/entities/{maya['id']}/profile"
    assert service.get(profile).json()["summary"] is None

    job = service.post(f"{path}/jobs/summarise", {}).json()["job"]
    await work(database, group, job)
    assert service.get(f"{path}/jobs/{job['id']}").json()["progress"]["entity_summaries"] == 2

    found = service.get(profile).json()["summary"]
    own = service.get(profile, user="ann").json()["summary"]
    assert (found["user"], found["model"], found["stale_at"], found["beliefs"]) == (None, None, None, 8)
    assert (own["user"], own["beliefs"], "sailing" in own["content"]) == ("ann", 9, True)
    assert {id_ for one in found["sentences"] for id_ in one["claim_ids"]} == set(claims)
    assert service.get(profile, user="bob").json()["summary"] == found
    assert service.get(profile, valid_at=MONDAY.isoformat()).json()["summary"] is None

    asked = {"query": "chess", "kinds": ["summary"], "user": "bob"}
    (hit,) = service.post(f"{path}/search", asked).json()["hits"]
    assert (hit["kind"], hit["thing"]) == ("summary", found)
    assert service.get(f"{path}/summaries").json()["summaries"] == []

    assert service.post(f"{path}/claims/{claims[0]}/retract", {}).is_success
    stale = service.get(profile).json()["summary"]
    assert (stale["id"], stale["stale_at"] is not None, "chess" in stale["content"]) == (found["id"], True, False)
