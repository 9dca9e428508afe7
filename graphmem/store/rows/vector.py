"""Vectors that are still to come."""

from graphmem.model.vectors import GroupVectors, UnembeddedEpisode
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class GroupVectorsRow(Row):
    model: str
    dimensions: int
    pending: bool

    def to_domain(self) -> GroupVectors:
        return GroupVectors(model=self.model, dimensions=self.dimensions, pending=self.pending)


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
