"""Claims that several of these tests hand in: where Maya lives, and since when."""

from typing import Any

from tests.api.conftest import Service

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
