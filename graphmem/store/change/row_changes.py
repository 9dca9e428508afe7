"""What a change of claims makes of beliefs: rows to supersede, beliefs to record. Equal rows stay."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from graphmem.model.belief import Belief
from graphmem.model.claim import Claim
from graphmem.model.projection.identity import EACH_ITSELF, Identities
from graphmem.model.projection.predicate import Predicates
from graphmem.model.projection.slot import Slot, place
from graphmem.model.projection.timeline import project
from graphmem.store.rows.digest import HeldRow, SlotRow


@dataclass(frozen=True, slots=True)
class RowChanges:
    """What a projection changes: rows to supersede, by id, and beliefs to record."""

    relationships: tuple[str, ...]
    facts: tuple[str, ...]
    record: tuple[Belief, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """The slots that a change touches, as they were before it: claims that stand, and rows that are believed.

    Policies and identities decide what is believed there. ``slots``: of which slot each row is, where that is asked.
    """

    policies: Predicates
    rows: Sequence[SlotRow]
    slots: Sequence[Slot] = ()
    identities: Identities = EACH_ITSELF

    def after(self, new: Iterable[Claim], retracted: Collection[str]) -> RowChanges:
        """What changes when claims come and go. A claim that comes again is not new, and may stand no more."""
        known = (claim.to_domain() for row in self.rows for claim in row.claims)
        standing = [claim for claim in (*known, *new) if claim.id not in retracted]
        return _compare(
            _project(standing, self.policies, self.identities), [held for row in self.rows for held in row.held]
        )

    def slot(self, claim: Claim) -> Slot | None:
        return self.policies.slot(place(claim, self.identities))

    def counts(self, difference: RowChanges) -> tuple[Counter[Slot | None], Counter[Slot | None]]:
        """How many beliefs are recorded, and how many rows superseded, by slot."""
        gone = {*difference.relationships, *difference.facts}
        recorded = Counter(self.slot(belief.first) for belief in difference.record)
        superseded: Counter[Slot | None] = Counter()
        for slot, row in zip(self.slots, self.rows, strict=True):
            superseded[slot] += sum(held.id in gone for held in row.held)
        return recorded, superseded


def _project(standing: Iterable[Claim], policies: Predicates, identities: Identities) -> list[Belief]:
    by_slot: dict[Slot, list[Claim]] = {}
    for claim in standing:
        if (slot := policies.slot(place(claim, identities))) is not None:
            by_slot.setdefault(slot, []).append(claim)
    return [
        belief
        for slot, claims in by_slot.items()
        for belief in project(claims, policies.policy(slot.predicate), identities)
    ]


def _compare(projected: Sequence[Belief], held: Sequence[HeldRow]) -> RowChanges:
    wanted = {belief.fingerprint for belief in projected}
    known = {row.fingerprint for row in held}
    gone = [row for row in held if row.fingerprint not in wanted]
    return RowChanges(
        relationships=tuple(row.id for row in gone if row.kind == "relationship"),
        facts=tuple(row.id for row in gone if row.kind == "fact"),
        record=tuple(belief for belief in projected if belief.fingerprint not in known),
    )
