"""The store against the oracle, on a real Neo4j: any order of assertions, ends, retractions and corrections.

After every change: what is believed is what the oracle paints; what was believed after any earlier change still is,
row by row; and what was answered once is answered again, whole answers with their evidence.
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
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import Kind
from graphmem.model.entity import normalise_name
from graphmem.model.evidence import Outcome, StructuredClaim
from graphmem.model.fragment import Name
from graphmem.model.ids import entity_id
from graphmem.model.interval import END
from graphmem.model.recall import FIRST_VERSION, Graph
from graphmem.model.scope import Scope
from graphmem.reading import GraphQuery
from graphmem.store.driver import Database
from tests.properties.machines import MemoryMachine, opened, run
from tests.properties.oracle import DAYS, OPEN, Belief, Told, believed
from tests.servers import Servers

SINGLE = frozenset({"lives_in"})
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
MAYA = Name("Maya", "person")
EXAMPLES, STEPS = 20, 30


def day(number: int) -> datetime:
    return EPOCH + timedelta(days=number)


@st.composite
def claims(draw: st.DrawFn) -> StructuredClaim:
    """About one subject: three homes, of which one holds at a time, and three friends."""
    predicate = draw(st.sampled_from(["lives_in", "knows"]))
    kind = draw(st.sampled_from([Kind.STARTS, Kind.STARTS, Kind.STARTS, Kind.ENDS]))
    start, said = draw(st.integers(0, DAYS - 2)), draw(st.integers(0, DAYS - 2))
    stated = draw(st.booleans())
    start = start if stated else said
    until = None if kind is Kind.ENDS else draw(st.none() | st.integers(start + 1, DAYS - 1))
    unnamed = kind is Kind.ENDS and predicate == "lives_in" and draw(st.booleans())
    return StructuredClaim(
        kind=kind,
        subject=MAYA,
        predicate=predicate,
        object=None if unnamed else Name(draw(st.sampled_from("ABC")), "place"),
        valid_from=day(start),
        from_stated=stated,
        valid_to=None if until is None else day(until),
        occurred_at=day(said),
    )


def told(claim: StructuredClaim, claim_id: str, change: int) -> Told:
    assert claim.valid_from
    return Told(
        id=claim_id,
        predicate=claim.predicate,
        ends=claim.kind is Kind.ENDS,
        value=claim.object.name if claim.object else "",
        day=(claim.valid_from - EPOCH).days,
        until=(claim.valid_to - EPOCH).days if claim.valid_to else None,
        stated=claim.from_stated,
        said=(claim.occurred_at - EPOCH).days,
        recorded=change,
    )


def shown(row: BeliefRow) -> Belief:
    end = OPEN if row.valid_to == END else (row.valid_to - EPOCH).days
    value = row.statement.removesuffix(".").rpartition(" ")[2]
    return (row.predicate, value, (row.valid_from - EPOCH).days, end)


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
        for claim, receipt in zip(given, receipts, strict=True):
            self.told.setdefault(receipt.claim_id, told(claim, receipt.claim_id, change))

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

    @precondition(lambda self: bool(self.stamps))
    @rule(number=st.integers(0, DAYS), choice=st.integers(0, 50))
    def ask_about_the_past(self, number: int, choice: int) -> None:
        when = Scope(self.group, day(number), self.stamps[choice % len(self.stamps)])
        self.answers.setdefault(when, self.answer(when))

    @invariant()
    def what_is_believed_is_what_the_oracle_paints(self) -> None:
        if self.stamps:
            assert self.present() == believed(self.told.values(), SINGLE, len(self.stamps))

    @invariant()
    def no_row_ends_before_it_begins(self) -> None:
        assert all(row.recorded_at < row.superseded_at for row in self.versions())

    def teardown(self) -> None:
        versions = self.versions()
        for change, stamp in enumerate(self.stamps, start=1):
            rows = [row for row in versions if row.recorded_at <= stamp < row.superseded_at]
            assert {shown(row) for row in rows} == believed(self.told.values(), SINGLE, change)
        assert {when: self.answer(when) for when in self.answers} == self.answers

    def stamped(self, outcome: Outcome) -> int:
        assert not self.stamps or outcome.recorded_at > self.stamps[-1]
        self.stamps.append(outcome.recorded_at)
        return len(self.stamps)

    def one_of_them(self, choice: int) -> str:
        """By the order in which they were told, for their ids differ from run to run."""
        return list(self.told)[choice % len(self.told)]

    def answer(self, when: Scope) -> Graph:
        return self.runner.run(self.memory.reader.graph(when, GraphQuery()))

    def present(self) -> set[Belief]:
        return {shown(row) for row in self.versions() if row.superseded_at == END}

    def versions(self) -> list[BeliefRow]:
        return self.runner.run(versions(self.memory, self.group))


async def versions(memory: Memory, group: str) -> list[BeliefRow]:
    """Every row about Maya that there ever was."""
    maya = entity_id(group, MAYA.type, normalise_name(MAYA.name))
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
    run(machine, EXAMPLES, STEPS)
