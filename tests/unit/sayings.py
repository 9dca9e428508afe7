"""What Maya says on 16 July 2025, and what is claimed of it."""

from datetime import UTC, datetime

from graphmem.model.claim import Scalar
from graphmem.model.episode import ContentType, Episode
from graphmem.model.fragment import Fragment

SAID = datetime(2025, 7, 16, 15, 0, tzinfo=UTC)


def said(content: str, speaker: str | None = "Maya") -> Episode:
    return Episode(group_id="g", session="s", content=content, occurred_at=SAID, speaker=speaker)


def document(content: str) -> Episode:
    return Episode(group_id="g", session="s", content=content, occurred_at=SAID, content_type=ContentType.DOCUMENT)


def on(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def told(fragment: Fragment) -> list[tuple[str, str, Scalar]]:
    """Subject, predicate and object or value of each claim."""
    return [
        (claim.subject.name, claim.predicate, claim.object.name if claim.object else claim.value)
        for claim in fragment.claims
    ]
