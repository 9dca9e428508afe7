"""What beliefs say of the beginning and the end of entities."""

from pydantic import StrictBool

from graphmem.model.claim import Scalar
from graphmem.model.projection.existence import Bound, BoundingBelief
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class BoundingRow(Row):
    id: str
    bound: Bound
    subject_id: str
    user: str
    predicate: str
    value: Scalar
    from_stated: StrictBool
    valid_from: Instant
    valid_to: Instant

    def to_domain(self) -> BoundingBelief:
        return BoundingBelief(**self.model_dump(exclude={"id"}))
