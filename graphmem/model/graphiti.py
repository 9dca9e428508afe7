"""What Graphiti keeps: episodes, and edges between entities with the times of what they say and of what was known."""

from dataclasses import dataclass
from datetime import datetime

EDGE_FIELDS = (
    *("uuid", "group_id", "name", "fact", "fact_embedding", "episodes", "source_node_uuid", "target_node_uuid"),
    *("source_uuid", "target_uuid", "created_at", "expired_at", "valid_at", "invalid_at", "reference_time"),
)
"""Properties that every edge has. What it has beside is what its type says of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiCounts:
    """How much a group has. ``ended`` are edges of which the end was learnt later; ``summaries`` those of entities."""

    episodes: int
    entities: int
    summaries: int
    edges: int
    ended: int
    communities: int
    sagas: int


@dataclass(frozen=True, slots=True)
class GraphitiGroup:
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiEpisode:
    """``valid_at`` is when it was said. The content is "" where Graphiti was told to keep none."""

    uuid: str
    content: str
    source: str
    source_description: str
    valid_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiEdge:
    """A fact: true from ``valid_at`` until ``invalid_at``; that end was learnt at ``expired_at``.

    ``said_at`` is the time of the episode that it comes from.
    """

    uuid: str
    name: str
    fact: str
    source: str
    source_labels: tuple[str, ...]
    target: str
    target_labels: tuple[str, ...]
    created_at: datetime
    expired_at: datetime | None
    valid_at: datetime | None
    invalid_at: datetime | None
    said_at: datetime
    attributes: tuple[tuple[str, object], ...]

    @property
    def ends_later(self) -> bool:
        """Whether its end was learnt after it was made: until then it was known without."""
        return self.expired_at is not None and self.expired_at > self.created_at

    @property
    def is_empty(self) -> bool:
        """Whether it holds at no time."""
        return self.valid_at is not None and self.invalid_at is not None and self.invalid_at <= self.valid_at
