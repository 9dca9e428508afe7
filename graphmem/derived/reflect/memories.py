"""The memories of a week: beliefs that claims of the week brought or ended, as they were known when it ended."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from graphmem.model.belief import BeliefRow, Support
from graphmem.model.claim import ClaimKind
from graphmem.model.recall import KnownEntity
from graphmem.model.reflection import Ends, Week, WeeklyClaim
from graphmem.model.summary import QuotedSpan


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    """What was withdrawn by now: the ids of claims, and where their quotes stand."""

    claims: Collection[str] = ()
    spans: Collection[QuotedSpan] = ()

    def has(self, claim: str) -> bool:
        return claim in self.claims

    def touches(self, evidence: Support) -> bool:
        """Whether a claim was withdrawn, or its quote overlaps that of one that was."""
        span = QuotedSpan(evidence.episode_id, evidence.quote_start, evidence.quote_end)
        return self.has(evidence.claim_id) or any(span.overlaps(gone) for gone in self.spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeeklyMaterial:
    """What was read for a reflection on a ``week``: all as known when it ended, but what was withdrawn since.

    ``beliefs`` are the versions that ``claims`` name. ``ends`` are what the ends of claims, by id, stand for now, and
    ``entities`` these and those at the ends of beliefs, by id, as their reader knows them.
    """

    week: Week
    beliefs: Iterable[BeliefRow] = ()
    claims: Iterable[WeeklyClaim] = ()
    ends: Mapping[str, Ends] = field(default_factory=dict[str, Ends])
    entities: Mapping[str, KnownEntity] = field(default_factory=dict[str, KnownEntity])
    withdrawn: Withdrawn = Withdrawn()


@dataclass(frozen=True, slots=True, kw_only=True)
class WeeklyMemory:
    """A belief that something of the week was said about.

    ``cites`` are the ids of the claims that it rests on, and ``weekly`` those of them that are of the week; so are
    those ``ending`` it, and those ``against`` it where it is contested. ``new``: all that it rests on is of the week.
    ``over``: it had ended when the week did, which was learnt in the week.
    """

    belief: BeliefRow
    cites: tuple[str, ...]
    weekly: tuple[str, ...]
    ending: tuple[str, ...]
    against: tuple[WeeklyClaim, ...]
    new: bool
    over: bool

    @property
    def order(self) -> tuple[float, float, str]:
        """Sorts the most important memories first, of these what began last."""
        return (-self.belief.importance, -self.belief.valid_from.timestamp(), self.belief.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeeklyMemories:
    """The memories that stand, in order of importance; and of how many there were when the week ended.

    ``new`` of those were new, and ``own`` new ones are of the user alone that the reflection is for.
    """

    standing: tuple[WeeklyMemory, ...]
    total: int
    new: int
    own: int


def memories_of(material: WeeklyMaterial, user: str, most: int) -> WeeklyMemories:
    """The newest ``most`` memories of a week. Neither the order of beliefs nor that of claims makes a difference.

    Withdrawn ones are counted, so that a reflection that was made late looks at the same ones, but do not stand.
    """
    by_row = _claims_by_row(material.claims)
    known = {belief.id: _by_who_is_who(belief, material) for belief in material.beliefs}
    every = [
        (belief, _memory(belief, _about(belief, by_row.get(belief.id, ()), material), material.week))
        for belief in known.values()
    ]
    memories = [memory for _, memory in every if memory is not None]
    memories.sort(key=lambda memory: (_last(memory, material.week), memory.belief.id), reverse=True)
    looked_at = memories[:most]
    standing = (_standing(memory, material.withdrawn) for memory in looked_at)
    return WeeklyMemories(
        standing=tuple(sorted((memory for memory in standing if memory is not None), key=lambda memory: memory.order)),
        total=len(looked_at),
        new=sum(memory.new for memory in looked_at),
        own=sum(memory.new and memory.belief.user == user for memory in looked_at),
    )


def _by_who_is_who(belief: BeliefRow, material: WeeklyMaterial) -> BeliefRow:
    """A belief with the evidence that was there when the week ended, at what its first claim is about by now.

    Where entities turned out to be several, the claims about another one are no evidence of it.
    """
    evidence = [support for support in belief.evidence if support.recorded_at <= material.week.until]
    evidence.sort(key=lambda support: (support.said_at, support.claim_id))
    ends = next((material.ends[support.claim_id] for support in evidence if support.claim_id in material.ends), None)
    if ends is None:
        return replace(belief, evidence=tuple(evidence))
    return replace(
        belief,
        subject_id=ends.subject_id,
        object_id=ends.object_id,
        target=ends.object_id or belief.target,
        evidence=tuple(support for support in evidence if material.ends.get(support.claim_id, ends) == ends),
    )


def _about(belief: BeliefRow, claims: Iterable[WeeklyClaim], material: WeeklyMaterial) -> list[WeeklyClaim]:
    """Those of the claims that are about the subject of a belief by now."""
    return [
        claim
        for claim in claims
        if claim.id not in material.ends or material.ends[claim.id].subject_id == belief.subject_id
    ]


def _memory(belief: BeliefRow, claims: Collection[WeeklyClaim], week: Week) -> WeeklyMemory | None:
    """The memory that a belief is; None where no claim of the week has to do with it."""
    evidence = belief.evidence
    asserting = {claim.id for claim in claims if ClaimKind(claim.kind).asserts}
    over = belief.valid_to <= week.until and week.has(belief.recorded_at)
    cites = tuple(sorted(support.claim_id for support in evidence))
    weekly = tuple(id_ for id_ in cites if id_ in asserting)
    if not evidence or not (weekly or over):
        return None
    others = [claim for claim in claims if claim.id not in cites]
    return WeeklyMemory(
        belief=belief,
        cites=cites,
        weekly=weekly,
        ending=tuple(claim.id for claim in others if claim.kind == ClaimKind.ENDS and claim.is_of(belief.target)),
        against=tuple(claim for claim in others if belief.contested and _is_against(claim, belief)),
        new=all(week.has(support.recorded_at) for support in evidence),
        over=over,
    )


def _is_against(claim: WeeklyClaim, belief: BeliefRow) -> bool:
    return ClaimKind(claim.kind).asserts and not claim.is_of(belief.target)


def _standing(memory: WeeklyMemory, withdrawn: Withdrawn) -> WeeklyMemory | None:
    """A memory without what was withdrawn of the other side; None where what it rests on was.

    Its statement may be in the words of any of its claims, so that one of them is enough.
    """
    if any(withdrawn.touches(support) for support in memory.belief.evidence):
        return None
    return replace(
        memory,
        ending=tuple(id_ for id_ in memory.ending if not withdrawn.has(id_)),
        against=tuple(claim for claim in memory.against if not withdrawn.has(claim.id)),
    )


def _claims_by_row(claims: Iterable[WeeklyClaim]) -> Mapping[str, tuple[WeeklyClaim, ...]]:
    by_row = dict[str, dict[str, WeeklyClaim]]()
    for claim in claims:
        for row in claim.rows:
            by_row.setdefault(row, {})[claim.id] = claim
    return {row: tuple(some[id_] for id_ in sorted(some)) for row, some in by_row.items()}


def _last(memory: WeeklyMemory, week: Week) -> float:
    """When something was last learnt of a memory in the week, in seconds since 1970."""
    learnt = [support.recorded_at for support in memory.belief.evidence if support.claim_id in memory.weekly]
    learnt += [memory.belief.recorded_at] if week.has(memory.belief.recorded_at) else []
    return max(learnt).timestamp()
