"""Who is who: the entity that stands for another one, depending on where and by whom it was named.

Slots, belief ids, locks and projections ask only here. Until something decides that two entities are the same, every
entity stands for itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Identities:
    """The decisions in force: ``representatives`` maps the id of an entity to that of the one that stands for it."""

    representatives: Mapping[str, str] = field(default_factory=dict[str, str])

    def of(self, entity_id: str, *, session: str, user: str) -> str:  # noqa: ARG002 - decisions may depend on both
        """The identity of an entity that was named in a session, by or for a user."""
        return self.representatives.get(entity_id, entity_id)

    def members(self, identity: str) -> Sequence[str]:
        """The ids of all entities that an identity may stand for, in order."""
        others = (entity_id for entity_id, other in self.representatives.items() if other == identity)
        return sorted({identity, *others})


EACH_ITSELF = Identities()
