"""Answers to writes count what the user for whom they are made may know, and nothing that only others do."""

from typing import Any

from tests.api.claiming import JULY, MAY, MAYA
from tests.api.conftest import Service

COUNTS = ("entities", "new_entities", "new_claims", "recorded", "superseded")


def told_of(service: Service, group: str, name: str, user: str | None, at: str = MAY) -> list[dict[str, Any]]:
    """What every kind of write answers that names somebody, in counts."""
    root = f"/v1/groups/{group}"
    said = {"occurred_at": at, "user": user}
    somebody = {"name": name, "type": "person"}

    def posted(path: str, body: Any, **params: Any) -> dict[str, Any]:
        answer = service.post(f"{root}/{path}", body, **params)
        assert answer.is_success, answer.text
        return answer.json()

    (episode,) = posted("episodes", {"content": f"{name} knows Bruno.", **said}, wait=30)["episodes"]
    claim = posted(
        "claims", {"subject": MAYA, "predicate": "knows", "object": {**somebody, "id": "7"}, "source": "crm"} | said
    )
    fact = posted(
        "facts",
        {"subject": {**somebody, "id": "8"}, "category": "hobby", "key": "plays", "value": "go", "source": "crm"}
        | said,
    )
    shown = service.get(f"{root}/episodes/{episode['id']}", **({"user": user} if user else {})).json()
    outcomes = [episode["outcome"], shown["outcome"]]
    return [{name: one.get(name) for name in COUNTS} for one in (*outcomes, claim, fact)]


def test_no_count_tells_that_only_others_know_a_name(service: Service, group: str) -> None:
    told_of(service, group, "Zinnia", "alice")
    told_of(service, group, "Maya", None)

    known_to_alice = told_of(service, group, "Zinnia", "bob")
    unknown = told_of(service, group, "Quentin", "carol")

    assert known_to_alice == unknown
    assert [one["new_entities"] for one in known_to_alice] == [1, 1, 1, 1]
    assert [one["new_entities"] for one in told_of(service, group, "Zinnia", "alice", JULY)] == [0, 0, 0, 0]
    assert [one["new_entities"] for one in told_of(service, group, "Maya", "bob")] == [0, 0, 0, 0]
