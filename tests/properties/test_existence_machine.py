"""When entities existed against a small oracle, on a real Neo4j: beginnings and ends in any order, taken back, merged.

Meanwhile the group declares which predicates tell of beginnings and ends, and beliefs follow.

After every change nodes say what the oracle says of what everybody believes; and any reader, as of any time and known
after any change, reads what the oracle says of what that reader believed.
"""

import uuid
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from graphmem.model.claim import ClaimKind
from graphmem.model.entity import normalise_name
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id
from graphmem.model.interval import BEGIN, END, LATEST
from graphmem.model.projection.existence import Bounding, Existence
from graphmem.model.projection.predicate import MANY
from graphmem.model.scope import Scope
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Database
from graphmem.store.predicates import PredicateStore
from graphmem.store.queries import cypher_root, load_queries
from tests.existences import on_nodes, read
from tests.properties.machines import MemoryMachine, opened, run
from tests.properties.oracle import DAYS, Told, believed
from tests.servers import Servers

EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
SINGLE = frozenset({"born_on", "born_in", "died_on"})
PLACES = ("born_in", "deployed_in")
LISTED = {
    **dict.fromkeys(("born_on", "born_in", "founded_on"), "begins"),
    **dict.fromkeys(("died_on", "closed_on"), "ends"),
    **dict.fromkeys(("deployed_in", "enrolled_on"), "none"),
}
"""What predicates tell of their subject where nothing is declared."""
DECLARED = ("founded_on", "closed_on", "deployed_in", "enrolled_on")
NAMES, USERS = ("Ana", "Bo"), ("", "", "cy")
READERS: Mapping[str | None, tuple[str, ...]] = {None: ("", "cy"), "cy": ("", "cy"), "dee": ("",)}
"""Whose beliefs each reader sees."""
YEARS = {
    "1990": (datetime(1990, 1, 1, tzinfo=UTC), datetime(1991, 1, 1, tzinfo=UTC)),
    "1990-12": (datetime(1990, 12, 1, tzinfo=UTC), datetime(1991, 1, 1, tzinfo=UTC)),
    "1991-02-28": (datetime(1991, 2, 28, tzinfo=UTC), datetime(1991, 3, 1, tzinfo=UTC)),
    "2030": (datetime(2030, 1, 1, tzinfo=UTC), datetime(2031, 1, 1, tzinfo=UTC)),
    "long ago": None,
}
INSTANTS = [datetime(year, 1, 1, tzinfo=UTC) for year in (1980, 1990, 1991, 1992, 2025, 2030, 2040)]
STEPS = 20
QUERIES = load_queries(cypher_root())


@dataclass(frozen=True, slots=True)
class Said:
    subject: str
    user: str
    told: Told


@dataclass(frozen=True, slots=True)
class Change:
    """When it was recorded, and how things were from then on."""

    stamp: datetime
    bounds: Mapping[str, str]
    merged: bool


def day(number: int) -> datetime:
    return EPOCH + timedelta(days=number)


def oracle(
    said: Iterable[Said], names: Iterable[str], users: Iterable[str], change: int, bounds: Mapping[str, str]
) -> tuple[datetime, datetime]:
    """From when to when those of these names, who are one, existed, by what these users were told until a change."""
    found: dict[str, list[datetime]] = {"begins": [], "ends": [], "none": []}
    about = [one for one in said if one.subject in names]
    for user in users:
        told = [one.told for one in about if one.user == user and one.told.stands(change)]
        beliefs = believed(told, SINGLE, change)
        for predicate, value, first, after in beliefs:
            if any(other > after for name, _, _, other in beliefs if name == predicate):
                continue
            bound = bounds[predicate]
            if predicate in PLACES:
                claims = (one for one in told if one.predicate == predicate and one.value == value and not one.ends)
                found[bound] += [day(first)] if any(one.stated and one.day == first for one in claims) else []
            elif (days := YEARS[value]) is not None:
                found[bound].append(days[bound == "ends"])
    begins, ends = found["begins"], found["ends"]
    if begins and ends and max(begins) >= max(ends):
        return BEGIN, END
    return min(begins, default=BEGIN), max(ends, default=END)


def existed(begin: datetime, end: datetime, at: datetime) -> str:
    if at < begin or (end != END and at >= end):
        return "false"
    return "true" if begin != BEGIN else "unknown"


def likes(name: str, value: str) -> StructuredClaim:
    return StructuredClaim(
        subject=ThingName(name, "person"), predicate="likes", value=value, valid_from=day(0), occurred_at=day(0)
    )


@st.composite
def claims(draw: st.DrawFn) -> StructuredClaim:
    predicate = draw(st.sampled_from(sorted(LISTED)))
    place = predicate in PLACES
    start, said = draw(st.integers(0, DAYS - 2)), draw(st.integers(0, DAYS - 2))
    stated = draw(st.booleans())
    return StructuredClaim(
        kind=draw(st.sampled_from([ClaimKind.STARTS, ClaimKind.STARTS, ClaimKind.STARTS, ClaimKind.ENDS])),
        subject=ThingName(draw(st.sampled_from(NAMES)), "person"),
        predicate=predicate,
        object=ThingName(draw(st.sampled_from(["Rome", "Oslo"])), "place") if place else None,
        value=None if place else draw(st.sampled_from(sorted(YEARS))),
        valid_from=day(start if stated else said),
        from_stated=stated,
        occurred_at=day(said),
        user=draw(st.sampled_from(USERS)),
    )


class Machine(MemoryMachine):
    """One group with two people, who may be one."""

    def __init__(self) -> None:
        super().__init__()
        self.group = f"existence-{uuid.uuid4().hex}"
        self.said: dict[str, Said] = {}
        self.bounds: Mapping[str, str] = LISTED
        self.changes: list[Change] = []
        self.merge_id: str | None = None

    @initialize()
    def begin(self) -> None:
        """Both are known to everybody."""
        known = [likes(name, "tea") for name in NAMES]
        _, outcome = self.runner.run(self.memory.intake.assert_claims(self.group, known))
        self.follow(outcome.recorded_at)

    @rule(given=st.lists(claims(), min_size=1, max_size=4))
    def assert_claims(self, given: list[StructuredClaim]) -> None:
        receipts, outcome = self.runner.run(self.memory.intake.assert_claims(self.group, given))
        self.follow(outcome.recorded_at)
        for place, (claim, receipt) in enumerate(zip(given, receipts, strict=True)):
            assert claim.valid_from
            told = Told(
                id=receipt.claim_id,
                predicate=claim.predicate,
                ends=claim.kind is ClaimKind.ENDS,
                value=claim.object.name if claim.object else str(claim.value),
                day=(claim.valid_from - EPOCH).days,
                until=None,
                stated=claim.from_stated,
                said=(claim.occurred_at - EPOCH).days,
                turn=(-1, place),
                structured=True,
                recorded=len(self.changes),
            )
            self.said.setdefault(receipt.claim_id, Said(claim.subject.name, claim.user, told))

    @precondition(lambda self: bool(self.said))
    @rule(choice=st.integers(0, 50))
    def retract(self, choice: int) -> None:
        claim_id = list(self.said)[choice % len(self.said)]
        retraction, outcome = self.runner.run(self.memory.intake.retract(self.group, claim_id))
        self.follow(outcome.recorded_at)
        if retraction.new:
            one = self.said[claim_id]
            self.said[claim_id] = replace(one, told=replace(one.told, retracted=len(self.changes)))

    @rule()
    def merge_or_revert(self) -> None:
        """Somebody says that they are one, or takes it back."""
        if self.merge_id is None:
            one, other = map(self.id, NAMES)
            made, done = self.runner.run(self.memory.merging.merge(self.group, one, other, reason="said"))
            self.merge_id = made.id
        else:
            done = self.runner.run(self.memory.merging.revert(self.group, self.merge_id, reason="said"))
            self.merge_id = None
        self.follow(done.recorded_at)

    @rule(predicate=st.sampled_from(DECLARED), bound=st.sampled_from([*Bounding, None]))
    def declare(self, predicate: str, bound: Bounding | None) -> None:
        """What is believed follows; something else that is said then tells when that was."""
        database, ids = self.memory.store.database, [self.id(name) for name in NAMES]
        self.runner.run(PredicateStore(database, QUERIES).change(self.group, predicate, replace(MANY, bound=bound)))
        self.runner.run(EvidenceStore(database, QUERIES).reproject(self.group, ids, predicate))
        self.bounds = {**self.bounds, predicate: bound or LISTED[predicate]}
        told = likes("Zoe", f"tea {len(self.changes)}")
        _, outcome = self.runner.run(self.memory.intake.assert_claims(self.group, [told]))
        self.follow(outcome.recorded_at)

    def follow(self, recorded_at: datetime | None) -> None:
        """Take down how things are after a change."""
        assert recorded_at
        self.changes.append(Change(recorded_at, self.bounds, merged=self.merge_id is not None))

    @invariant()
    def nodes_say_what_everybody_believes(self) -> None:
        if not self.changes:
            return
        nodes = self.runner.run(on_nodes(self.memory.store.database, self.group))
        for names in self.clusters(merged=self.merge_id is not None):
            told = [nodes[self.id(name)] for name in names if self.id(name) in nodes]
            expected = Existence(*oracle(self.said.values(), names, [""], len(self.changes), self.bounds))
            assert told == [expected] or (expected == Existence() and not told)

    @precondition(lambda self: bool(self.changes))
    @rule(data=st.data())
    def read(self, data: st.DataObject) -> None:
        number = data.draw(st.integers(1, len(self.changes)))
        change = self.changes[number - 1]
        instants = [change.stamp, *([LATEST] if number == len(self.changes) else [])]
        known_at = data.draw(st.sampled_from(instants))
        user, at = data.draw(st.sampled_from(list(READERS))), data.draw(st.sampled_from(INSTANTS))
        for names in self.clusters(merged=change.merged):
            expected = oracle(self.said.values(), names, READERS[user], number, change.bounds)
            for name in names:
                found = self.runner.run(read(self.memory, self.id(name), Scope(self.group, at, known_at, user)))
                assert (found.valid_from, found.valid_to) == expected
                assert found.at(at) == existed(*expected, at)

    @staticmethod
    def clusters(*, merged: bool) -> list[tuple[str, ...]]:
        return [NAMES] if merged else [(name,) for name in NAMES]

    def id(self, name: str) -> str:
        return entity_id(self.group, normalise_name(name))


@pytest.fixture
def machine(servers: Servers, database: Database) -> Generator[type[Machine]]:
    del database  # migrated, its policies in place
    with opened(Machine, servers) as found:
        yield found


@pytest.mark.timeout(1200)
def test_any_course_of_events_agrees_with_the_oracle(machine: type[Machine]) -> None:
    run(machine, STEPS)
