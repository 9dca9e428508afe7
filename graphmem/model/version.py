"""A version of a belief, and what it may have replaced."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A row of a belief: ``slot`` is where it competes. What is still believed has END as ``superseded_at``.

    Of one slot what is believed stands above what is not any more, of that what was given up last, and of what was
    believed together what began to hold last: nothing in a slot replaced anything that stands above it.
    """

    id: str
    belief_id: str
    slot: tuple[object, ...]
    valid_from: datetime
    recorded_at: datetime
    superseded_at: datetime

    @property
    def order(self) -> tuple[datetime, datetime, datetime, str]:
        """What is greater may have replaced what is smaller, and never the other way round."""
        return (self.superseded_at, self.valid_from, self.recorded_at, self.id)
