"""Claims about where Maya lives. Days of 2025 are integers."""

from datetime import UTC, datetime, timedelta

from graphmem.model.claim import Claim, ClaimKind
from graphmem.model.interval import END


def day(number: int) -> datetime:
    return datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=number)


def claim(
    value: str | None,
    start: int,
    *,
    kind: ClaimKind = ClaimKind.STARTS,
    until: int | None = None,
    said: int | None = None,
    confidence: float = 0.5,
) -> Claim:
    """``said`` None: dated by when it was said; otherwise the start was stated on that day."""
    return Claim(
        group_id="g",
        episode_id=f"{value}{start}{kind}{until}{said}{confidence}",
        kind=kind,
        subject_id="maya",
        predicate="lives_in",
        object_id=value,
        statement=f"Maya lives in {value}.",
        quote="",
        quote_start=0,
        quote_end=0,
        valid_from=day(start),
        valid_to=END if until is None else day(until),
        from_stated=said is not None,
        to_stated=until is not None,
        said_at=day(start if said is None else said),
        confidence=confidence,
        extractor="test",
        extractor_version="1",
    )
