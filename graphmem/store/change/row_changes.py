"""What a change of claims makes of beliefs: rows to supersede, beliefs to record. Equal rows stay."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime

from graphmem.errors import Unreadable
from graphmem.model.acts import Ground, SlotState, is_shared
from graphmem.model.belief import Belief
from graphmem.model.claim import NEVER, Claim, ClaimKind, Telling
from graphmem.model.damage import Damage
from graphmem.model.export import BeliefDifference
from graphmem.model.fact import Fading, Use
from graphmem.model.interval import END
from graphmem.model.persons import SHOWN_NAMES
from graphmem.model.projection.identity import Identities
from graphmem.model.projection.predicate import Predicates
from graphmem.model.projection.slot import Slot, place
from graphmem.model.projection.timeline import project
from graphmem.model.scope import EVERYBODY
from graphmem.store.change.statements import Statements
from graphmem.store.rows.digest import HeldRow, SlotRow

_Value = tuple[str, str, str]
"""User, predicate and target."""


@dataclass(frozen=True, slots=True)
class RowChanges:
    """What a projection changes: rows to supersede, by id, and beliefs to record.

    ``uses`` has the use of each belief to record, by its id, and ``extend`` that of rows that stay, by theirs: they
    were supported anew. ``shared``: the ids of beliefs to record that everybody may see; ``audiences`` has who may see
    rows that stay, by theirs, where that changes. ``bounded``: the entities of which everybody believes another
    beginning or end thereby, ``renamed`` those of which another name is believed. ``kept`` are slots that stay as they
    are, each with what cannot be read of it.
    """

    relationships: tuple[str, ...]
    facts: tuple[str, ...]
    record: tuple[Belief, ...]
    uses: Mapping[str, Use]
    extend: Mapping[str, Use]
    shared: AbstractSet[str] = frozenset()
    audiences: Mapping[str, str] = field(default_factory=dict[str, str])
    bounded: frozenset[str] = frozenset()
    renamed: frozenset[str] = frozenset()
    kept: Mapping[Slot, Damage] = field(default_factory=dict[Slot, Damage])

    @property
    def superseded(self) -> int:
        return len(self.relationships) + len(self.facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """The slots that a change touches, as they were before it: claims that stand, and rows that are believed.

    Policies and identities decide what is believed there. ``rows`` has one for each of the ``slots``. Of those that are
    ``kept`` something cannot be read, so that it is not known what is believed there.
    """

    policies: Predicates
    identities: Identities
    slots: Sequence[Slot]
    rows: Sequence[SlotRow]
    kept: Mapping[Slot, Damage] = field(default_factory=dict[Slot, Damage])

    def after(
        self, now: datetime, fading: Fading, new: Iterable[Claim] = (), retracted: Collection[str] = ()
    ) -> RowChanges:
        """What changes at an instant when claims come and go.

        A claim that comes again is not new, and may stand no more.
        """
        known = [(recorded.claim, recorded.recorded_at) for row in self.rows for recorded in row.claims]
        standing = {claim.id: claim for claim in (*(claim for claim, _ in known), *new) if claim.id not in retracted}
        projected = self._projected(standing.values())
        recorded_at = {claim.id: at for claim, at in known}
        before, held = self._held_by_value(), [held_row for row in self.rows for held_row in row.held]
        lasting = {row.fingerprint for row in held if row.fades_at == END}  # they stay, and fade no later
        fresh = (belief for belief in projected if belief.fingerprint not in lasting)
        uses = {belief.id: self._use(belief, before, recorded_at, now, fading) for belief in fresh}
        difference = _compare(projected, held, uses, self._audiences(projected, standing), now)
        return replace(difference, bounded=self._bounded(difference), renamed=self._renamed(difference), kept=self.kept)

    @property
    def claims(self) -> list[Claim]:
        """Those that stand in the slots, as they are stored."""
        return [recorded.claim for row in self.rows for recorded in row.claims]

    def held(self, version: str) -> str | None:
        """The version, if it is believed."""
        return version if any(held.id == version for row in self.rows for held in row.held) else None

    def slot(self, claim: Claim) -> Slot | None:
        return self.policies.slot(place(claim, self.identities))

    def differences(self) -> Iterator[BeliefDifference]:
        """Where the rows of these slots are not what their claims amount to."""
        projected = {
            belief.fingerprint: belief for belief in self._projected({one.id: one for one in self.claims}.values())
        }
        held = {row.fingerprint for rows in self.rows for row in rows.held}
        for slot, rows in zip(self.slots, self.rows, strict=True):
            for row in rows.held:
                if row.fingerprint not in projected:
                    yield BeliefDifference(
                        only_in="file", belief_id=row.id, subject_id=slot.subject_id, predicate=slot.predicate
                    )
        for fingerprint in projected.keys() - held:
            belief = projected[fingerprint]
            yield BeliefDifference(
                only_in="projection",
                belief_id=belief.id,
                subject_id=belief.subject_id,
                predicate=belief.first.predicate,
            )

    def counts(self, difference: RowChanges) -> tuple[Counter[Slot | None], Counter[Slot | None]]:
        """How many beliefs are recorded, and how many rows superseded, by slot."""
        gone = {*difference.relationships, *difference.facts}
        recorded = Counter(self.slot(belief.first) for belief in difference.record)
        superseded: Counter[Slot | None] = Counter()
        for slot, row in zip(self.slots, self.rows, strict=True):
            superseded[slot] += sum(held.id in gone for held in row.held)
        return recorded, superseded

    def ground(self, slot: Slot, belief_id: str, instead: Slot | None) -> Ground | None:
        """What an act on a belief stands on; None if no such belief follows from what stands in its slot.

        ``instead`` is the slot of the one value by which it is to be corrected.

        Raises:
            Unreadable: something of these slots cannot be read.
        """
        whole = instead and self.policies.whole(instead)
        for damage in (self.kept[needed] for needed in (slot, whole) if needed is not None and needed in self.kept):
            raise Unreadable(str(damage))
        claims = {claim.id: claim for claim in self.claims}
        allowed = [claim for claim in claims.values() if self.policies.allows(claim)]
        placed = [(place(claim, self.identities), self.slot(claim)) for claim in allowed]
        within = tuple(placed_claim for placed_claim, of in placed if of == slot)
        others = tuple(
            placed_claim
            for placed_claim, of in placed
            if instead and of == whole and placed_claim.target == instead.target
        )
        policy = self.policies.policy_of(slot)
        beliefs = project((placed_claim.claim for placed_claim in within), policy, self.identities)
        belief = next((belief for belief in beliefs if belief.id == belief_id), None)
        return belief and Ground(belief=belief, policy=policy, beliefs=beliefs, claims=within, instead=others)

    def rejected(self, claims: Iterable[Claim]) -> set[str]:
        """The ids of those of these claims whose value is rejected by a claim that was said after them."""
        rejected: dict[tuple[Slot | None, str], Telling] = {}
        for act in (claim for claim in self.claims if claim.kind is ClaimKind.REJECTS):
            value = self._value(act)
            rejected[value] = max(act.telling, rejected.get(value, NEVER))
        if not rejected:
            return set()
        asserted = ((claim, rejected.get(self._value(claim), NEVER)) for claim in claims if claim.kind.asserts)
        return {claim.id for claim, act in asserted if claim.telling < act}

    def states(self) -> list[SlotState]:
        """The slots as their claims have them."""
        claims = {claim.id: claim for claim in self.claims}
        return [
            SlotState.of(slot, self.policies.policy_of(slot), some, self.identities)
            for slot, some in self._by_slot(claims.values()).items()
        ]

    def _value(self, claim: Claim) -> tuple[Slot | None, str]:
        placed = place(claim, self.identities)
        return self.policies.slot(placed), placed.target

    def _held_by_value(self) -> Mapping[_Value, Sequence[HeldRow]]:
        by_value = defaultdict[_Value, list[HeldRow]](list)
        for slot, row in zip(self.slots, self.rows, strict=True):
            for held in row.held:
                by_value[slot.user, slot.predicate, held.target].append(held)
        return by_value

    def _use(
        self,
        belief: Belief,
        before: Mapping[_Value, Sequence[HeldRow]],
        recorded_at: Mapping[str, datetime],
        now: datetime,
        fading: Fading,
    ) -> Use:
        """The use of a belief: of the rows of its value ``before``, and of the claims that support it."""
        user, predicate = belief.first.user, belief.first.predicate
        targets = {belief.target, *self.identities.members(belief.target, user=user)}
        rows = [held for target in targets for held in before.get((user, predicate, target), ())]
        supported = [recorded_at.get(id_, now) for id_ in belief.supported_by]
        anchored_at = max((*supported, *(held.anchored_at for held in rows)), default=now)
        return Use(
            anchored_at=anchored_at,
            fades_at=fading.fades_at(belief.category, belief.confidence, anchored_at, protected=belief.protected),
            access_count=max((held.access_count for held in rows), default=0),
            last_accessed=max((held.last_accessed for held in rows if held.last_accessed), default=None),
        )

    def _audiences(self, projected: Iterable[Belief], claims: Mapping[str, Claim]) -> Mapping[str, str]:
        """Who may see beliefs, by the id of each."""
        shared = {value.id for row in self.rows for value in row.shared}
        return {
            belief.id: EVERYBODY if is_shared(belief, claims, shared, self.identities) else belief.first.user
            for belief in projected
        }

    def _bounded(self, difference: RowChanges) -> frozenset[str]:
        gone = {*difference.relationships, *difference.facts}
        recorded = {
            belief.subject_id for belief in difference.record if belief.bound and belief.first.user == EVERYBODY
        }
        return frozenset(recorded).union(
            slot.subject_id
            for slot, row in zip(self.slots, self.rows, strict=True)
            if slot.user == EVERYBODY and any(held.bound and held.id in gone for held in row.held)
        )

    def _renamed(self, difference: RowChanges) -> frozenset[str]:
        """The subjects of whose names another one is believed, or one no more."""
        gone = {*difference.facts}
        recorded = {belief.subject_id for belief in difference.record if belief.first.predicate in SHOWN_NAMES}
        return frozenset(recorded).union(
            slot.subject_id
            for slot, row in zip(self.slots, self.rows, strict=True)
            if slot.predicate in SHOWN_NAMES and any(held.id in gone for held in row.held)
        )

    def _projected(self, standing: Iterable[Claim]) -> list[Belief]:
        return [
            belief
            for slot, claims in self._by_slot(standing).items()
            for belief in project(claims, self.policies.policy_of(slot), self.identities)
        ]

    def _by_slot(self, claims: Iterable[Claim]) -> Mapping[Slot, Sequence[Claim]]:
        """The claims of these slots; what a short name says elsewhere is in another one."""
        by_slot: dict[Slot, list[Claim]] = {slot: [] for slot in self.slots}
        for claim in claims:
            if (slot := self.slot(claim)) is not None and slot in by_slot and self.policies.allows(claim):
                by_slot[slot].append(claim)
        return by_slot


async def touched(do: Statements, policies: Predicates, identities: Identities, slots: Iterable[Slot]) -> Touched:
    """Slots as they are, also where others share them: who is who there is read with them."""
    wanted = tuple(dict.fromkeys(slots))
    rows, kept = await do.slots(wanted, identities)
    others = (decision for row in rows.values() for decision in row.same_as)
    return Touched(
        policies=policies,
        identities=identities.knowing(others),
        slots=tuple(rows),
        rows=tuple(rows.values()),
        kept=kept,
    )


def _compare(
    projected: Sequence[Belief],
    held: Sequence[HeldRow],
    uses: Mapping[str, Use],
    audiences: Mapping[str, str],
    now: datetime,
) -> RowChanges:
    """Equal rows stay. One that is supported anew fades later; if it had faded, it is recorded anew.

    ``uses`` has no use of a belief whose row stays and never fades.
    """
    wanted = {belief.fingerprint: uses.get(belief.id) for belief in projected}
    seen_by = {belief.fingerprint: audiences[belief.id] for belief in projected}
    supported = ((row, use) for row in held if (use := wanted.get(row.fingerprint)))
    later = {row.id: use for row, use in supported if use.fades_at > row.fades_at}
    awake = {row.id for row in held if row.id in later and row.fades_at > now}
    kept = [row for row in held if row.fingerprint in wanted and (row.id not in later or row.id in awake)]
    known, stay = {row.fingerprint for row in kept}, {row.id for row in kept}
    gone = {row.id: row for row in held if row.id not in stay}.values()  # slots may overlap after a policy changed
    record = tuple(belief for belief in projected if belief.fingerprint not in known)
    return RowChanges(
        relationships=tuple(row.id for row in gone if row.kind == "relationship"),
        facts=tuple(row.id for row in gone if row.kind == "fact"),
        record=record,
        uses={belief.id: uses[belief.id] for belief in record},
        extend={id_: use for id_, use in later.items() if id_ in awake},
        shared={belief.id for belief in record if audiences[belief.id] != belief.first.user},
        audiences={row.id: seen_by[row.fingerprint] for row in kept if seen_by[row.fingerprint] != row.audience},
    )
