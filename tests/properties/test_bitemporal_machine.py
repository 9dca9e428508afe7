"""The store against the oracle, on a real Neo4j: any order of assertions, ends, retractions, corrections and acts.

After every change: what is believed is what the oracle paints; what was believed after any earlier change still is,
row by row; and what was answered once is answered again, whole answers with their evidence. So it is after the group
was exported, taken away and imported.
"""

import uuid
from collections.abc import Generator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    invariant,
    precondition,
    rule,
)

from graphmem.errors import Conflict
from graphmem.memory import Memory
from graphmem.model.acts import Correction
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import Claim, ClaimKind
from graphmem.model.entity import Entity, normalise_name
from graphmem.model.evidence import ChangeOutcome, StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id
from graphmem.model.interval import BEGIN, END
from graphmem.model.recall import FIRST_VERSION, Graph
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from graphmem.write.facts import ActedOn
from tests.properties.machines import MemoryMachine, opened, run
from tests.properties.oracle import DAYS, OPEN, Belief, Told, believed
from tests.servers import Servers
from tests.transfer import Transfer

SINGLE, SUCCESSIVE = frozenset({"lives_at"}), frozenset({"works_at"})
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
MAYA = ThingName("Maya", "person")
STEPS = 30
AFTER_ALL = 1_000
"""Acts are said now, years after all else; each after those before it."""


def day(number: int) -> datetime:
    return EPOCH + timedelta(days=number)


@st.composite
def claims(draw: st.DrawFn) -> StructuredClaim:
    """About one subject: three homes, of which one holds at a time, three friends, and three jobs of which one follows
    the other.
    """
    predicate = draw(st.sampled_from(["lives_at", "knows", "works_at"]))
    starting = ClaimKind.HOLDS if predicate in SUCCESSIVE else ClaimKind.STARTS
    kind = draw(st.sampled_from([ClaimKind.STARTS, ClaimKind.STARTS, starting, ClaimKind.ENDS]))
    start, said = draw(st.integers(0, DAYS - 2)), draw(st.integers(0, DAYS - 2))
    stated = draw(st.booleans())
    start = start if stated else said
    until = None if kind is ClaimKind.ENDS else draw(st.none() | st.integers(start + 1, DAYS - 1))
    unnamed = kind is ClaimKind.ENDS and predicate != "knows" and draw(st.booleans())
    return StructuredClaim(
        kind=kind,
        subject=MAYA,
        predicate=predicate,
        object=None if unnamed else ThingName(draw(st.sampled_from("ABC")), "place"),
        valid_from=day(start),
        from_stated=stated,
        valid_to=None if until is None else day(until),
        occurred_at=day(said),
        beside=kind.asserts and predicate in SUCCESSIVE and draw(st.integers(0, 3)) == 0,
    )


def told(claim: StructuredClaim, claim_id: str, change: int, place: int = 0) -> Told:
    """What a claim says that came at this place of a list."""
    assert claim.valid_from
    return Told(
        id=claim_id,
        predicate=claim.predicate,
        ends=claim.kind is ClaimKind.ENDS,
        holds=claim.kind is ClaimKind.HOLDS,
        beside=bool(claim.beside),
        value=claim.object.name if claim.object else "",
        day=(claim.valid_from - EPOCH).days,
        until=(claim.valid_to - EPOCH).days if claim.valid_to else None,
        stated=claim.from_stated,
        said=(claim.occurred_at - EPOCH).days,
        turn=(-1, place),
        structured=True,
        recorded=change,
    )


def shown(row: BeliefRow) -> Belief:
    end = OPEN if row.valid_to == END else (row.valid_to - EPOCH).days
    return (row.predicate, value_of(row), (row.valid_from - EPOCH).days, end)


def value_of(row: BeliefRow) -> str:
    return row.statement.removesuffix(".").rpartition(" ")[2]


def acted(row: BeliefRow) -> Told:
    """What somebody says of a belief: by itself, that it is as it is."""
    return Told(
        id="",
        predicate=row.predicate,
        ends=False,
        value=value_of(row),
        day=(row.valid_from - EPOCH).days,
        until=(row.valid_to - EPOCH).days if row.to_stated else None,
        stated=row.from_stated,
        said=AFTER_ALL,
        confidence=row.confidence,
        structured=True,
        recorded=0,
    )


def meanwhile(row: BeliefRow, other: BeliefRow) -> bool:
    """Whether a belief overlaps what takes the place of another one."""
    return row.valid_to > other.valid_from and (not other.to_stated or row.valid_from < other.valid_to)


class Machine(MemoryMachine):
    """One group, in which everything happens."""

    def __init__(self) -> None:
        super().__init__()
        self.group = f"machine-{uuid.uuid4().hex}"
        self.told: dict[str, Told] = {}
        self.stamps: list[datetime] = []
        self.answers: dict[Scope, Graph] = {}

    @initialize(claim=claims())
    def begin(self, claim: StructuredClaim) -> None:
        self.assert_claims([claim])

    @rule(given=st.lists(claims(), min_size=1, max_size=3))
    def assert_claims(self, given: list[StructuredClaim]) -> None:
        receipts, outcome = self.runner.run(self.memory.intake.assert_claims(self.group, given))
        change = self.stamped(outcome)
        for place, (claim, receipt) in enumerate(zip(given, receipts, strict=True)):
            self.told.setdefault(receipt.claim_id, told(claim, receipt.claim_id, change, place))

    @rule(claim=claims(), times=st.integers(2, 3))
    def say_again(self, claim: StructuredClaim, times: int) -> None:
        for _ in range(times):
            self.assert_claims([claim])

    @precondition(lambda self: bool(self.told))
    @rule(choice=st.integers(0, 50))
    def retract(self, choice: int) -> None:
        claim_id = self.one_of_them(choice)
        retraction, outcome = self.runner.run(self.memory.intake.retract(self.group, claim_id))
        assert retraction.new == (self.told[claim_id].retracted is None)
        change = self.stamped(outcome)
        if retraction.new:
            self.told[claim_id] = replace(self.told[claim_id], retracted=change)

    @precondition(lambda self: bool(self.told))
    @rule(choice=st.integers(0, 50), claim=claims())
    def correct(self, choice: int, claim: StructuredClaim) -> None:
        claim_id = self.one_of_them(choice)
        before = self.present()
        try:
            retraction, receipt, outcome = self.runner.run(self.memory.intake.correct(self.group, claim_id, claim))
        except Conflict:
            assert self.present() == before
            return
        change = self.stamped(outcome)
        self.told.setdefault(receipt.claim_id, told(claim, receipt.claim_id, change))
        if retraction.new:
            self.told[claim_id] = replace(self.told[claim_id], retracted=change)

    @precondition(lambda self: bool(self.rows()))
    @rule(choice=st.integers(0, 50))
    def reject(self, choice: int) -> None:
        row = self.one_believed(choice)
        done = self.runner.run(self.memory.facts.reject(self.group, row.id))
        self.tell(done, [replace(acted(row), rejects=True)])

    @precondition(lambda self: bool(self.rows()))
    @rule(choice=st.integers(0, 50))
    def confirm(self, choice: int) -> None:
        row = self.one_believed(choice)
        before = self.present()
        try:
            done = self.runner.run(self.memory.facts.confirm(self.group, row.id))
        except Conflict:
            assert row.valid_to < END
            assert self.present() == before
            return
        self.tell(done, [replace(acted(row), confidence=1.0, protecting=True)])

    @precondition(lambda self: bool(self.rows()))
    @rule(choice=st.integers(0, 50), value=st.sampled_from("ABC"))
    def say_what_is_so_instead(self, choice: int, value: str) -> None:
        row = self.one_believed(choice)
        slot = [one for one in self.rows() if one.predicate == row.predicate]
        if row.predicate not in SINGLE:
            slot = [one for one in slot if value_of(one) == value_of(row)]
        rejected = {value_of(one) for one in slot if meanwhile(one, row)}
        kept = [one for one in slot if value_of(one) in rejected and not meanwhile(one, row)]
        place = Entity(group_id=self.group, type="place", name=value, first_seen=day(0))
        to = Correction(object=place, statement=f"Now it is {value}.")

        done = self.runner.run(self.memory.facts.correct(self.group, row.id, lambda _: to))

        instead = replace(acted(row), value=value, confidence=1.0)
        rejects = [replace(acted(row), value=one, rejects=True) for one in rejected]
        self.tell(done, [instead, *rejects, *map(acted, kept)])

    @precondition(lambda self: bool(self.rows()))
    @rule(choice=st.integers(0, 50), claim=st.integers(0, 50))
    def choose(self, choice: int, claim: int) -> None:
        row, claim_id = self.one_believed(choice), self.one_of_them(claim)
        before = self.present()
        try:
            done = self.runner.run(self.memory.facts.choose(self.group, row.id, claim_id))
        except Conflict:
            assert self.present() == before
            return
        chosen = replace(acted(row), value=self.told[claim_id].value, confidence=1.0, protecting=True)
        others = {self.name_of(one) for one in done.claims if one.kind is ClaimKind.LOWERS}
        assert chosen.value not in others
        self.tell(done, [chosen, *(replace(acted(row), value=one, lowers=0.3) for one in others)])

    @precondition(lambda self: bool(self.stamps))
    @rule(number=st.integers(0, DAYS), choice=st.integers(0, 50))
    def ask_about_the_past(self, number: int, choice: int) -> None:
        when = Scope(self.group, day(number), self.stamps[choice % len(self.stamps)])
        self.answers.setdefault(when, self.answer(when))

    @invariant()
    def what_is_believed_is_what_the_oracle_paints(self) -> None:
        if self.stamps:
            assert self.present() == believed(self.told.values(), SINGLE, len(self.stamps), successive=SUCCESSIVE)

    @invariant()
    def what_ends_by_inference_names_what_says_nothing_of_its_value(self) -> None:
        for row in self.rows():
            assert row.to_inferred == (row.ended_by is not None)
            if row.ended_by is not None:
                cutting = self.told[row.ended_by.claim_id]
                assert (cutting.predicate, day(int(cutting.day))) == (row.predicate, row.valid_to)
                assert cutting.value != value_of(row)

    @invariant()
    def no_row_ends_before_it_begins(self) -> None:
        assert all(row.recorded_at < row.superseded_at for row in self.versions())

    def teardown(self) -> None:
        versions = self.versions()
        for change, stamp in enumerate(self.stamps, start=1):
            rows = [row for row in versions if row.recorded_at <= stamp < row.superseded_at]
            assert {shown(row) for row in rows} == believed(self.told.values(), SINGLE, change, successive=SUCCESSIVE)
        assert {when: self.answer(when) for when in self.answers} == self.answers
        if self.stamps:
            self.comes_back_the_same(versions)

    def comes_back_the_same(self, versions: list[BeliefRow]) -> None:
        """Exported, taken away and imported, the group answers as before."""
        answers = {when: self.answer(when) for when in self.answers}
        report = self.runner.run(Transfer(self.memory).elsewhere(self.group))
        assert (report.differences_total, self.versions()) == (0, versions)
        assert {when: self.answer(when) for when in self.answers} == answers

    def stamped(self, outcome: ChangeOutcome) -> int:
        assert not self.stamps or outcome.recorded_at > self.stamps[-1]
        self.stamps.append(outcome.recorded_at)
        return len(self.stamps)

    def tell(self, done: ActedOn, said: list[Told]) -> None:
        """What an act said, each under the id of the claim that says it, and beside others if that does."""
        change = self.stamped(done.outcome)
        claims = {(self.name_of(one), one.kind, one.valid_from): one for one in done.claims}
        assert len(claims) == len(said)
        for one in said:
            kind = ClaimKind.REJECTS if one.rejects else ClaimKind.STARTS if one.lowers is None else ClaimKind.LOWERS
            claim = claims[one.value, kind, BEGIN if kind.is_act else day(int(one.day))]
            more = {"id": claim.id, "beside": claim.beside, "recorded": change}
            self.told[claim.id] = replace(one, said=AFTER_ALL + change, **more)

    def name_of(self, claim: Claim) -> str:
        ids = {entity_id(self.group, normalise_name(name)): name for name in "ABC"}
        return ids[claim.object_id or ""]

    def one_believed(self, choice: int) -> BeliefRow:
        rows = sorted(self.rows(), key=shown)
        return rows[choice % len(rows)]

    def rows(self) -> list[BeliefRow]:
        return [row for row in self.versions() if row.superseded_at == END]

    def one_of_them(self, choice: int) -> str:
        """By the order in which they were told, for their ids differ from run to run."""
        return list(self.told)[choice % len(self.told)]

    def answer(self, when: Scope) -> Graph:
        return self.runner.run(self.memory.reader.graph(when, GraphQuery()))

    def present(self) -> set[Belief]:
        return {shown(row) for row in self.rows()}

    def versions(self) -> list[BeliefRow]:
        return self.runner.run(versions(self.memory, self.group))


async def versions(memory: Memory, group: str) -> list[BeliefRow]:
    """Every row about Maya that there ever was."""
    maya = entity_id(group, normalise_name(MAYA.name))
    found = await memory.store.history_of_entity(
        Scope(group, END, END), maya, valid_at=None, predicates=None, after=FIRST_VERSION, limit=9_999
    )
    return list(found.beliefs)


@pytest.fixture
def machine(servers: Servers, database: Database) -> Generator[type[Machine]]:
    del database  # migrated, its policies in place
    with opened(Machine, servers) as found:
        yield found


@pytest.mark.timeout(1200)
def test_any_course_of_events_agrees_with_the_oracle(machine: type[Machine]) -> None:
    run(machine, STEPS)
