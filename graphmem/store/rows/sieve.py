"""What of the hits of a search remains, and what replaced what of it."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated

from pydantic import StrictBool

from graphmem.model.interval import BEGIN, END
from graphmem.model.lost import Addressed
from graphmem.model.version import Version
from graphmem.store.instants import Instant
from graphmem.store.rows import Row, otherwise


class IdRow(Row):
    id: str


class SuccessorRow(Row):
    """What may have replaced a row: the id of its own row, its kind, and whether it is an open belief."""

    kind: str
    id: str
    open: Annotated[bool, otherwise(value=False)]


class VersionRow(Row):
    """A row of a belief, and what it competes in; ``target`` is "" where a predicate holds one value at a time."""

    id: str
    belief_id: str
    user: Annotated[str, otherwise("")]
    subject: Annotated[str, otherwise("")]
    predicate: Annotated[str, otherwise("")]
    target: Annotated[str, otherwise("")]
    open: Annotated[bool, otherwise(value=False)]
    day: Annotated[str, otherwise("")]
    distinguished_by: tuple[str, ...]
    valid_from: Annotated[Instant, otherwise(BEGIN)]
    recorded_at: Instant
    superseded_at: Instant

    def to_domain(self, known_at: datetime) -> Version:
        """As it was known then: what superseded it later was not."""
        version = Version(
            id=self.id,
            belief_id=self.belief_id,
            slot=(self.user, self.subject, self.predicate, self.target, self.open, self.day, self.distinguished_by),
            valid_from=self.valid_from,
            recorded_at=self.recorded_at,
            superseded_at=self.superseded_at,
        )
        return version if version.superseded_at <= known_at else replace(version, superseded_at=END)


class AddressedRow(Row):
    """What an id means; an episode never ends, and is never superseded."""

    asked: str
    id: str
    belief_id: str
    kind: str
    open: StrictBool
    valid_from: Instant
    valid_to: Instant | None
    recorded_at: Instant
    superseded_at: Instant | None
    fades_at: Instant | None

    def to_domain(self) -> Addressed:
        return Addressed(
            asked=self.asked,
            id=self.id,
            belief_id=self.belief_id,
            kind=self.kind,
            open=self.open,
            valid_from=self.valid_from,
            valid_to=self.valid_to or END,
            recorded_at=self.recorded_at,
            superseded_at=self.superseded_at or END,
            fades_at=self.fades_at or END,
        )
