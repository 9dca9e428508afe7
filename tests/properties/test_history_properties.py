"""History as a pure function: it is what a writer leaves who follows every change, and without some claims as if they
had never been there.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.belief import Belief
from graphmem.model.claim import Claim, ClaimKind
from graphmem.model.fact import NEVER, Fading, Use
from graphmem.model.interval import END
from graphmem.model.projection.history import (
    Course,
    DatedClaim,
    DatedPolicy,
    DatedSameAs,
    Past,
    held_before,
    history,
    projected_at,
    renewals,
    rewriting,
)
from graphmem.model.projection.identity import Identities, SameAs
from graphmem.model.projection.predicate import CONFIDENT, MANY, ONE, SUCCESSIVE, Policy
from graphmem.model.projection.slot import Slot, place
from graphmem.store.change.row_changes import Touched
from graphmem.store.change.writer import slots_of
from graphmem.store.rows.digest import HeldRow, RecordedClaim, SlotRow
from tests.claims import claim as claim_of
from tests.properties.test_timeline_properties import claims

POLICIES = [MANY, ONE, CONFIDENT, SUCCESSIVE]
BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = ("s", "t")


def stamp(number: int) -> datetime:
    return BEGUN + timedelta(days=number)


@dataclass(frozen=True)
class Event:
    """What happens at an instant: claims come and go, and it is decided who is who or what a policy is."""

    at: datetime
    claims: tuple[Claim, ...] = ()
    retract: tuple[int, ...] = ()
    merge: tuple[SameAs, Literal["open", "close"]] | None = None
    policy: Policy | None = None


@dataclass
class Row:
    belief: Belief
    recorded_at: datetime
    use: Use
    superseded_at: datetime = END

    @property
    def id(self) -> str:
        return f"{self.belief.id} {self.recorded_at}"

    @property
    def fingerprint(self) -> str:
        return self.belief.fingerprint

    @property
    def held(self) -> HeldRow:
        first = self.belief.first
        return HeldRow(
            kind="relationship",
            id=self.id,
            fingerprint=self.fingerprint,
            bound=None,
            target=self.belief.target,
            audience="",
            user=first.user,
            open=first.open,
            day=first.day,
            anchored_at=self.use.anchored_at,
            fades_at=self.use.fades_at,
            access_count=0,
            last_accessed=None,
        )


@dataclass
class World:
    """A store in memory: writes as the one in Neo4j does, change by change, by the same pure decisions."""

    fading: Fading = NEVER
    claims: dict[str, DatedClaim] = field(default_factory=dict[str, DatedClaim])
    rows: list[Row] = field(default_factory=list[Row])
    decisions: list[DatedSameAs] = field(default_factory=list[DatedSameAs])
    policies: list[DatedPolicy] = field(default_factory=list[DatedPolicy])

    @property
    def past(self) -> Past:
        return Past(policies=self.policies, decisions=self.decisions)

    @property
    def reprojected_at(self) -> set[datetime]:
        return {policy.recorded_at for policy in self.policies}

    def live(self, events: Iterable[Event], but: Collection[str] = ()) -> "World":
        """All that happens, but that some claims never came."""
        told = list(dict.fromkeys(claim.id for event in events for claim in event.claims))
        for event in events:
            new = [claim for claim in event.claims if claim.id not in but and claim.id not in self.claims]
            gone = {told[number % len(told)] for number in event.retract if told}
            self._happen(event, new, {id_ for id_ in gone if id_ in self.claims and self._stands(id_)})
        return self

    def _stands(self, id_: str) -> bool:
        return self.claims[id_].retracted_at == END

    def _happen(self, event: Event, new: Sequence[Claim], gone: Collection[str]) -> None:
        at, before = event.at, self._identities()
        self._decide(event)
        if event.policy is not None:
            self.policies = [
                replace(policy, superseded_at=at) if policy.superseded_at == END else policy for policy in self.policies
            ] + [DatedPolicy(group_id="g", name="p", policy=event.policy, recorded_at=at)]
        after, policies = self._identities(), self.past.policies_at(at)
        standing = {id_: dated.claim for id_, dated in self.claims.items() if self._stands(id_)}
        everything = {**standing, **{claim.id: claim for claim in new}}
        touching = [everything[id_] for id_ in {*gone, *(claim.id for claim in new)}]
        if event.merge is not None:
            touching += [claim for claim in standing.values() if place(claim, before) != place(claim, after)]
        if event.policy is not None:
            touching = list(everything.values())
        slots = dict.fromkeys([*slots_of(touching, policies, before), *slots_of(touching, policies, after)])
        open_rows = [row for row in self.rows if row.superseded_at == END]
        whole = [policies.whole(slot) for slot in slots]
        rows = [
            SlotRow(
                claims=tuple(RecordedClaim(claim, self.claims[id_].recorded_at) for id_, claim in standing.items()),
                same_as=(),
                held=tuple(
                    row.held
                    for row in open_rows
                    if row.belief.subject_id == slot.subject_id and slot.target in (None, row.belief.target)
                ),
                shared=(),
            )
            for slot in whole
        ]
        held = {row.id: row for row in open_rows}
        changed = Touched(policies=policies, identities=after, slots=whole, rows=rows).after(at, self.fading, new, gone)
        for id_ in (*changed.relationships, *changed.facts):
            held[id_].superseded_at = at
        for id_, use in changed.extend.items():
            held[id_].use = use
        self.rows = [row for row in self.rows if row.recorded_at < row.superseded_at]
        self.rows += [Row(belief, at, changed.uses[belief.id]) for belief in changed.record]
        for claim in new:
            self.claims[claim.id] = DatedClaim(claim=claim, recorded_at=at)
        for id_ in gone:
            self.claims[id_] = replace(self.claims[id_], retracted_at=at)

    def _identities(self) -> Identities:
        return Identities(frozenset(dated.same_as for dated in self.decisions if dated.superseded_at == END))

    def _decide(self, event: Event) -> None:
        if event.merge is None:
            return
        same_as, what = event.merge
        standing = {dated.same_as for dated in self.decisions if dated.superseded_at == END}
        if what == "open" and same_as not in standing:
            self.decisions.append(DatedSameAs(same_as=same_as, recorded_at=event.at))
        if what == "close":
            self.decisions = [
                replace(dated, superseded_at=event.at)
                if dated.same_as == same_as and dated.superseded_at == END
                else dated
                for dated in self.decisions
            ]

    def erase(self, erased: Collection[str]) -> None:
        """Rewrite the slots of claims as if these had never been there."""
        past, dated = self.past, [self.claims[id_] for id_ in erased if id_ in self.claims]
        everything = [*self.claims.values()]
        since_of: dict[Slot, datetime] = {}
        for one in dated:
            for slot in past.slots_of(one):
                since_of[slot] = min(one.recorded_at, since_of.get(slot, END))
        for slot, since in since_of.items():
            rows = [
                row
                for row in self.rows
                if row.belief.subject_id == slot.subject_id and slot.target in (None, row.belief.target)
            ]
            course = Course(
                slot=slot,
                claims=everything,
                past=past,
                projected_at=projected_at(rows, everything, past) | self.reprojected_at,
                renewed=renewals(rows, {row.id: row.belief.id for row in rows}),
            )
            versions = history(course.without(erased), since, held_before(rows, since))
            change = rewriting(rows, versions, since)
            gone = {id(row) for row in change.drop}
            for row, until in change.end:
                row.superseded_at = until
            self.rows = [row for row in self.rows if id(row) not in gone]
            self.rows += [
                Row(version.belief, version.recorded_at, Use(anchored_at=at, fades_at=END), version.superseded_at)
                for version in change.write
                for at in [version.recorded_at]
            ]
        for id_ in erased:
            self.claims.pop(id_, None)

    def shown(self) -> list[tuple[str, datetime, datetime]]:
        return sorted((row.fingerprint, row.recorded_at, row.superseded_at) for row in self.rows)


MERGES = [SameAs(member="t", other="s"), SameAs(member="B", other="A"), SameAs(member="t", other="s", session="one")]


@st.composite
def courses(draw: st.DrawFn, *, merges: bool = True, policies: bool = True) -> list[Event]:
    """What happens, one thing after the other: to two subjects that are merged or not, by a policy that may change."""
    events = [Event(stamp(0), policy=draw(st.sampled_from(POLICIES)))]
    for number in range(1, draw(st.integers(2, 8))):
        event = Event(stamp(number))
        what = draw(st.sampled_from(["claims", "claims", "claims", "retract", "merge", "policy"]))
        if what == "retract":
            event = replace(
                event, retract=(draw(st.integers(0, 20)),), claims=_some(draw) if draw(st.booleans()) else ()
            )
        elif what == "merge" and merges:
            event = replace(event, merge=(draw(st.sampled_from(MERGES)), draw(st.sampled_from(["open", "close"]))))
        elif what == "policy" and policies:
            event = replace(event, policy=draw(st.sampled_from(POLICIES)))
        else:
            event = replace(event, claims=_some(draw))
        events.append(event)
    return events


def _some(draw: st.DrawFn) -> tuple[Claim, ...]:
    said = draw(st.lists(claims(unnamed=True), min_size=1, max_size=3))
    return tuple(
        replace(claim, subject_id=draw(st.sampled_from(NAMES)), session=draw(st.sampled_from(["", "one"])))
        for claim in said
    )


def _told(events: Iterable[Event]) -> list[str]:
    return sorted({claim.id for event in events for claim in event.claims})


def some_of(events: Sequence[Event]) -> st.SearchStrategy[set[str]]:
    told = _told(events)
    return st.sets(st.sampled_from(told)) if told else st.just(set())


@given(st.data())
def test_what_is_erased_leaves_a_history_as_if_it_had_never_been_said(data: st.DataObject) -> None:
    events = data.draw(courses())
    erased = data.draw(some_of(events))
    world, without = World().live(events), World().live(events, but=erased)
    world.erase(erased)
    assert world.shown() == without.shown()


@given(st.data())
def test_to_erase_one_after_the_other_is_to_erase_all(data: st.DataObject) -> None:
    events = data.draw(courses())
    erased = data.draw(some_of(events))
    whole, piecemeal = World().live(events), World().live(events)
    whole.erase(erased)
    for id_ in sorted(erased):
        piecemeal.erase({id_})
    assert whole.shown() == piecemeal.shown()


def test_what_only_a_later_policy_gave_a_say_is_erased_with_all_it_did() -> None:
    """“I no longer live there”: of one of many homes it says nothing, and ends the only one."""
    lives = replace(claim_of("A", 0, said=0), predicate="p", subject_id="s", session="")
    ends = replace(lives, kind=ClaimKind.ENDS, object_id=None, episode_id="2")
    events = [
        Event(stamp(0), policy=MANY),
        Event(stamp(1), claims=(lives, ends)),
        Event(stamp(2), policy=ONE),
    ]
    world, without = World().live(events), World().live(events, but={ends.id})
    assert world.shown() != without.shown()
    world.erase({ends.id})
    assert world.shown() == without.shown()


def test_a_policy_takes_effect_as_the_slot_is_next_projected() -> None:
    one = replace(claim_of("A", 0, said=0), valid_from=stamp(0), said_at=stamp(0))
    other = replace(claim_of("B", 0, said=0), valid_from=stamp(1), said_at=stamp(0))
    dated = [DatedClaim(claim=one, recorded_at=stamp(0)), DatedClaim(claim=other, recorded_at=stamp(1))]
    past = Past(policies=[DatedPolicy(group_id="g", name="lives_in", policy=ONE, recorded_at=stamp(3))])
    course = Course(
        slot=past.widest(slots_of([one], past.policies_at(stamp(0)), Identities())[0]), claims=dated, past=past
    )

    def cut_at(course: Course) -> datetime:
        return next(one.recorded_at for one in history(course) if one.belief.interval.end == stamp(1))

    assert cut_at(course) == stamp(3)
    assert cut_at(replace(course, projected_at=[stamp(5)])) == stamp(5)


@given(st.data())
def test_what_was_renewed_because_it_had_faded_stays_so(data: st.DataObject) -> None:
    """Rows that others support stay as they were recorded, where nothing is erased of their slot from the beginning."""
    events = data.draw(courses(merges=False, policies=False))
    events = [replace(event, claims=tuple(replace(one, category="other") for one in event.claims)) for event in events]
    world = World(Fading(rates={"other": 2.0})).live(events)
    before = world.shown()
    for slot in {slot for dated in world.claims.values() for slot in world.past.slots_of(dated)}:
        rows = [row for row in world.rows if slot.subject_id == row.belief.subject_id]
        rows = [row for row in rows if slot.target in (None, row.belief.target)]
        course = Course(
            slot=slot,
            claims=[*world.claims.values()],
            past=world.past,
            projected_at=projected_at(rows, world.claims.values(), world.past),
            renewed=renewals(rows, {row.id: row.belief.id for row in rows}),
        )
        change = rewriting(rows, history(course), datetime.min.replace(tzinfo=UTC))
        assert [*change.drop, *change.end, *change.write] == []
    assert before == world.shown()
