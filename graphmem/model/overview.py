"""What is worth showing first of a group: names, numbers and days."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from graphmem.model.interval import BEGIN, END, MICROSECOND

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEntity:
    id: str
    name: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A version of a belief, under the names of its ends."""

    subject: str
    predicate: str
    object: str
    valid_from: datetime
    valid_to: datetime
    superseded_at: datetime

    @property
    def when_true(self) -> datetime:
        """A time at which it was true: a day before it ended, or when it began if that is later or it has no end."""
        if self.valid_to < END:
            return max(self.valid_from, self.valid_to - _DAY)
        return self.last_believed if self.valid_from == BEGIN else self.valid_from

    @property
    def last_believed(self) -> datetime:
        """The last instant at which this version was believed."""
        return self.superseded_at - MICROSECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """A group in names and numbers: the entities of which most is believed, and types, those first that have most."""

    group: str
    entities: int
    relationships: int
    facts: int
    episodes: int
    merges: int
    known: tuple[NamedEntity, ...]
    types: tuple[str, ...]
    first_at: datetime | None
    last_at: datetime | None
    ended: Example | None
    superseded: Example | None
