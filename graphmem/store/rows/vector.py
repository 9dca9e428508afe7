"""Vectors that are still to come."""

from pydantic import StrictBool

from graphmem.model.vectors import GroupVectors, UnembeddedEpisode
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class GroupVectorsRow(Row):
    model: str
    dimensions: int
    forgetting: StrictBool
    pending: StrictBool

    def to_domain(self) -> GroupVectors:
        return GroupVectors(**self.model_dump())


class ReembeddingRow(Row):
    since: Instant


class TimeOfDatabaseRow(Row):
    now: Instant


class ForgottenRow(Row):
    """How many lost their vectors, and the id of the last; None where there were none."""

    last: str | None
    count: int


class ForgottenEpisodesRow(Row):
    last_time: Instant | None
    last_id: str | None
    count: int


class UnembeddedClaimRecord(Row):
    id: str
    text: str


class UnembeddedEpisodeRow(Row):
    id: str
    due: Instant
    content: str | None
    claims: tuple[UnembeddedClaimRecord, ...]

    def to_domain(self) -> UnembeddedEpisode:
        claims = {claim.id: claim.text for claim in self.claims}
        return UnembeddedEpisode(id=self.id, due=self.due, content=self.content, claims=claims)
