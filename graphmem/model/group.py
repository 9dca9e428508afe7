"""A tenant's isolated graph."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group, and how it came by its transaction times.

    ``importing``: claims, retractions and corrections bring their own ``recorded_at``, up to ``settled_until`` so far.
    ``imported``: some did; what was recorded before ``settled_until`` was believed elsewhere, not here.
    """

    id: str
    embedding_model: str
    dimensions: int
    recorded_at: datetime
    importing: bool
    imported: bool
    settled_until: datetime
