"""What was believed when: every row of a slot on both axes, as a pure function of dated evidence.

``project`` says what is believed of the claims that stand. At each instant at which some came or went, at which it was
decided anew who is who, or at which a slot was projected for another reason, what differs was superseded and recorded.
Whoever knows all of these instants can say what the rows were, and what they would be if some claims had never been
there. That is how evidence is erased: history without it, and nothing else.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from graphmem.model.belief import Belief
from graphmem.model.claim import Claim
from graphmem.model.interval import BEGIN, END
from graphmem.model.projection.identity import Identities, SameAs
from graphmem.model.projection.predicate import Cardinality, Policy, Predicates, default_policy
from graphmem.model.projection.slot import Slot, place
from graphmem.model.projection.timeline import project


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedClaim:
    """A claim, and when it stood."""

    claim: Claim
    recorded_at: datetime
    retracted_at: datetime = END

    def stands_at(self, instant: datetime) -> bool:
        return self.recorded_at <= instant < self.retracted_at


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedSameAs:
    """A decision on who is who, and when it was in force."""

    same_as: SameAs
    recorded_at: datetime
    superseded_at: datetime = END


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedPolicy:
    """The policy of a predicate of a group, or ("") of the service, and when it was in force."""

    group_id: str
    name: str
    policy: Policy
    recorded_at: datetime
    superseded_at: datetime = END


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """Which policies and which decisions on who is who were in force when.

    Nothing was projected before ``began_at``: what an import recorded for earlier goes by the policies of then.
    """

    policies: Sequence[DatedPolicy] = ()
    decisions: Sequence[DatedSameAs] = ()
    began_at: datetime = BEGIN

    def policies_at(self, instant: datetime) -> Predicates:
        """A group's own policy goes before the service's."""
        at = max(instant, self.began_at)
        held = [policy for policy in self.policies if policy.recorded_at <= at < policy.superseded_at]
        return Predicates({policy.name: policy.policy for policy in sorted(held, key=lambda policy: policy.group_id)})

    def identities_at(self, instant: datetime) -> Identities:
        return Identities(
            frozenset(dated.same_as for dated in self.decisions if dated.recorded_at <= instant < dated.superseded_at)
        )

    def decided_at(self) -> set[datetime]:
        """The instants at which it changed who is who."""
        began = {dated.recorded_at for dated in self.decisions}
        return began | {dated.superseded_at for dated in self.decisions if dated.superseded_at != END}

    def ruled_at(self, predicate: str) -> set[datetime]:
        """The instants at which the policy of a predicate changed."""
        held = [policy for policy in self.policies if policy.name == predicate]
        return {at for policy in held for at in (policy.recorded_at, policy.superseded_at) if at != END}

    def slots_of(self, dated: DatedClaim) -> set[Slot]:
        """The slots in which a claim ever stood, as wide as ``history`` takes them."""
        changed = self.decided_at() | self.ruled_at(dated.claim.predicate)
        instants = {at for at in changed if dated.stands_at(at)} | {dated.recorded_at}
        slots = (slot_at(dated.claim, self.policies_at(at), self.identities_at(at)) for at in instants)
        return {self.widest(slot) for slot in slots if slot is not None}

    def widest(self, slot: Slot) -> Slot:
        """A slot of one value; or with all values, where it ever was that these compete."""
        if slot.open:
            return slot
        policies = [dated.policy for dated in self.policies if dated.name == slot.predicate]
        many = all(policy.cardinality is Cardinality.MANY for policy in (*policies, default_policy(slot.predicate)))
        return slot if many else replace(slot, target=None)


def slot_at(claim: Claim, policies: Predicates, identities: Identities) -> Slot | None:
    """The slot of a claim with its value; None where it makes no belief."""
    slot = policies.slot(placed := place(claim, identities))
    return slot and replace(slot, target=placed.target)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedVersion:
    """A belief as it was recorded at an instant, until it was superseded.

    ``claims`` stood beside it, by their ids, when its slot was projected last.
    """

    belief: Belief
    recorded_at: datetime
    superseded_at: datetime = END
    claims: Mapping[str, Claim] = field(default_factory=dict[str, Claim], compare=False)

    @property
    def key(self) -> tuple[str, datetime]:
        """What tells it apart from all others: its fingerprint, and when it was recorded."""
        return self.belief.fingerprint, self.recorded_at


Held = Mapping[str, datetime]
"""By the fingerprints of rows, when each was recorded that was still believed just before an instant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """All that is known of how a slot came to be what it is.

    ``claims`` are those that ever stood there, or may have. ``projected_at``: when it was projected for another
    reason than that claims came or went, or that it was decided who is who. ``renewed`` are beliefs by their ids, each
    with an instant at which it was recorded anew as it was, for it had faded.
    """

    slot: Slot
    claims: Sequence[DatedClaim]
    past: Past = field(default_factory=Past)
    projected_at: Collection[datetime] = ()
    renewed: AbstractSet[tuple[str, datetime]] = frozenset()

    def without(self, claims: Collection[str]) -> "Course":
        """The same without some claims, by their ids."""
        return replace(self, claims=[dated for dated in self.claims if dated.claim.id not in claims])


def history(course: Course, since: datetime = BEGIN, held: Held | None = None) -> list[RecordedVersion]:
    """Every version that was believed at ``since`` or later, in the order in which they were recorded.

    ``held`` are the versions of the slot that were believed just before. Rows that are equal stay; what is recorded and
    superseded at one instant was never believed.
    """
    evidence = _instants_of(course.claims)
    instants = _projections(course, evidence, since)
    recorded: dict[str, RecordedVersion] = {}
    closed: list[RecordedVersion] = []
    for at in instants:
        standing = {dated.claim.id: dated.claim for dated in course.claims if dated.stands_at(at)}
        believed = {belief.fingerprint: belief for belief in _believed(course.slot, standing.values(), course.past, at)}
        for fingerprint, version in [*recorded.items()]:
            belief = believed.get(fingerprint)
            renewed = belief is not None and at in evidence and (belief.id, at) in course.renewed
            if belief is None or renewed:
                closed += [replace(version, superseded_at=at)] if version.recorded_at < at else []
                del recorded[fingerprint]
        for fingerprint, belief in believed.items():
            before = (held or {}).get(fingerprint, at) if at == instants[0] else at
            began = recorded[fingerprint].recorded_at if fingerprint in recorded else before
            recorded[fingerprint] = RecordedVersion(belief=belief, recorded_at=began, claims=standing)
    return sorted([*closed, *recorded.values()], key=lambda version: (version.recorded_at, version.belief.id))


def _instants_of(claims: Iterable[DatedClaim]) -> set[datetime]:
    """When claims came and went."""
    known = list(claims)
    return {dated.recorded_at for dated in known} | {dated.retracted_at for dated in known if dated.retracted_at != END}


def _projections(course: Course, evidence: AbstractSet[datetime], since: datetime) -> list[datetime]:
    """The instants at which a slot was projected, in order, from one on.

    A policy takes effect as the slot is next projected; if it never is, then at once.
    """
    moved = {at for at in course.past.decided_at() if _moves(course, at)}
    known = {at for at in (*evidence, *moved, *course.projected_at, since) if since <= at < END}
    changed = {at for at in course.past.ruled_at(course.slot.predicate) if since < at < END}
    return sorted(known | {at for at in changed if not any(other >= at for other in known)})


def _moves(course: Course, at: datetime) -> bool:
    """Whether it is decided at an instant that claims of a slot speak of others, or others of it."""
    policies = course.past.policies_at(at)
    after = course.past.identities_at(at)
    before = Identities(
        frozenset(dated.same_as for dated in course.past.decisions if dated.recorded_at < at <= dated.superseded_at)
    )
    return any(
        slot_at(dated.claim, policies, before) != slot_at(dated.claim, policies, after)
        for dated in course.claims
        if dated.stands_at(at)
    )


def _believed(slot: Slot, standing: Iterable[Claim], past: Past, at: datetime) -> Iterable[Belief]:
    """What follows at an instant from the claims that stand then in the slots that a wide one is made of."""
    policies, identities = past.policies_at(at), past.identities_at(at)
    by_slot: dict[Slot, list[Claim]] = defaultdict(list)
    for claim in standing:
        own = policies.slot(place(claim, identities))
        if own is not None and policies.allows(claim) and _is_within(own, slot):
            by_slot[own].append(claim)
    for own, claims in by_slot.items():
        yield from project(claims, policies.policy_of(own), identities)


def _is_within(own: Slot, slot: Slot) -> bool:
    return own == slot or (slot.target is None and replace(own, target=None) == slot)


class PastRow(Protocol):
    """A row as it is stored."""

    @property
    def id(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def recorded_at(self) -> datetime: ...
    @property
    def superseded_at(self) -> datetime: ...


Row = TypeVar("Row", bound=PastRow)


@dataclass(frozen=True, slots=True)
class Rewriting(Generic[Row]):
    """What gives a slot another history: rows that go, rows that end at another time, and versions to write."""

    drop: Sequence[Row]
    end: Sequence[tuple[Row, datetime]]
    write: Sequence[RecordedVersion]


def held_before(rows: Iterable[PastRow], since: datetime) -> Held:
    """The rows that were believed just before an instant."""
    return {row.fingerprint: row.recorded_at for row in rows if row.recorded_at < since <= row.superseded_at}


def rewriting(rows: Iterable[Row], versions: Iterable[RecordedVersion], since: datetime) -> Rewriting[Row]:
    """What gives a slot these versions, which were believed at ``since`` or later; rows that ended before stay."""
    wanted = {version.key: version for version in versions}
    drop, end, kept = list[Row](), list[tuple[Row, datetime]](), set[tuple[str, datetime]]()
    for row in rows:
        if row.superseded_at < since:
            continue
        version = wanted.get((row.fingerprint, row.recorded_at))
        until = version.superseded_at if version else since
        if version is None and row.recorded_at >= since:
            drop.append(row)
            continue
        if version is not None:
            kept.add(version.key)
        if until != row.superseded_at:
            end.append((row, until))
    return Rewriting(drop, end, [version for key, version in wanted.items() if key not in kept])


def renewals(rows: Iterable[PastRow], belief_ids: Mapping[str, str]) -> frozenset[tuple[str, datetime]]:
    """Beliefs that were recorded anew as they were, each with the instant; ``belief_ids`` are by the ids of rows."""
    known = list(rows)
    ended = {(row.fingerprint, row.superseded_at) for row in known}
    return frozenset(
        (belief_ids[row.id], row.recorded_at) for row in known if (row.fingerprint, row.recorded_at) in ended
    )


def projected_at(rows: Iterable[PastRow], claims: Iterable[DatedClaim], past: Past) -> frozenset[datetime]:
    """When rows changed for another reason than that claims came or went, or that it was decided who is who."""
    changed = {at for row in rows for at in (row.recorded_at, row.superseded_at) if at != END}
    return frozenset(changed - _instants_of(claims) - past.decided_at())
