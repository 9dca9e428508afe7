"""Claims that several of these tests hand in: where Maya lives, and since when; and who may be who, as the job says."""

from typing import Any

from graphmem.store.driver import Database
from tests.api.conftest import Service
from tests.models import memory_on

JANUARY, MARCH, MAY, JULY = (f"2025-{month:02}-01T00:00:00Z" for month in (1, 3, 5, 7))
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


def moves(service: Service, group: str) -> str:
    """Maya lives in Porto from January, as known from January; in Lisbon from May, as known from July only."""
    service.post("/v1/groups", {"id": group, "importing": True})
    post(service, group, lives("Porto", JANUARY, recorded_at=JANUARY))
    post(service, group, lives("Lisbon", MAY, recorded_at=JULY))
    return group


async def compare(database: Database, group: str) -> None:
    """What the dedup job does, to its end."""
    matching = memory_on(database).matching
    while await matching.index_some(group, 100):
        pass
    while await matching.compare_some(group, 100) or await matching.compare_views(group, 100):
        pass
