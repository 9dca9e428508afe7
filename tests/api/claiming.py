"""Claims that several of these tests hand in: where Maya lives, and since when; and who may be who, as the job says."""

from typing import Any

from graphmem.store.driver import Database
from tests.api.conftest import Service
from tests.fakes import HashEmbedder, ScriptedExtractor
from tests.models import memory_on

MAYA = {"name": "Maya", "type": "person"}
ABSENT = "f" * 32
"""An id that nothing has."""


def lives(city: str, since: str, **more: Any) -> dict[str, Any]:
    place = {"name": city, "type": "place"}
    return {"subject": MAYA, "predicate": "lives_in", "object": place, "valid_from": since, "occurred_at": since} | more


def post(service: Service, group: str, *claims: dict[str, Any]) -> list[str]:
    """Ids of the claims, in their order."""
    answer = service.post(f"/v1/groups/{group}/claims", list(claims))
    assert answer.status_code == 201, answer.text
    return [item["claim_id"] for item in answer.json()["claims"]]


async def compare(database: Database, group: str) -> None:
    """What the dedup job does, to its end."""
    matching = memory_on(database, extracts=ScriptedExtractor(), embeds=HashEmbedder()).matching
    while await matching.index_some(group, 100):
        pass
    while await matching.compare_some(group, 100) or await matching.compare_views(group, 100):
        pass
