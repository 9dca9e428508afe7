"""Examples that are recorded: what differs between two recordings of one story is the same in both."""

from datetime import datetime, timedelta
from typing import Any

from scripts.examples import RECORDED, settled

BEGAN = datetime.fromisoformat("2026-11-27T23:00:00Z")


def recorded(row: str, seconds: int, milliseconds: float) -> dict[str, Any]:
    at = (BEGAN + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")
    return {"id": row, "since": "2025-05-01T00:00:00Z", "at": at, "score": 0.12345, "milliseconds": {"a": milliseconds}}


def test_two_recordings_settle_to_the_same_examples() -> None:
    first, second = (settled(recorded(row * 32, after, after), BEGAN) for row, after in (("a", 1), ("b", 7)))

    assert first == second
    assert (first["since"], first["score"]) == ("2025-05-01T00:00:00Z", 0.123)
    assert datetime.fromisoformat(first["at"]) == RECORDED
