"""Who is who against a small model, on a real Neo4j: claims, merges and reverts in any order.

The model knows pairs that were said to be the same or different, joins them, and asks the oracle of beliefs what each
of the joined believes. After every change that is what is believed; what was believed after any earlier one still is.
"""

import uuid
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from graphmem.errors import Conflict
from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimKind
from graphmem.model.entity import normalise_name
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id
from graphmem.model.interval import END
from graphmem.model.merge import Merge
from graphmem.model.principal import Actor
from graphmem.model.recall import FIRST_VERSION
from graphmem.model.scope import Scope
from graphmem.store.driver import Database
from tests.properties.machines import MemoryMachine, opened, run
from tests.properties.oracle import DAYS, OPEN, Told, believed
from tests.servers import Servers

SINGLE = frozenset({"lives_at"})
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
PEOPLE, PLACES, USERS = ("Tom", "Tommy", "Thomas", "Ann"), ("Rome", "Rom", "Oslo"), ("", "", "ann")
STEPS = 25
AFTER_ALL = 1_000
"""Rejections are said now, years after all else; each after those before it."""
Pair = frozenset[str]
Shown = tuple[str, str, Pair, Pair, int, int]
"""User, predicate, subject and object with all that they are the same as, first day, first day after."""


def day(number: int) -> datetime:
    return EPOCH + timedelta(days=number)


@dataclass
class People:
    """What people said of pairs, by user, and who is the same by that."""

    said: dict[tuple[str, Pair], bool] = field(default_factory=dict[tuple[str, Pair], bool])

    def saying(self, user: str, pair: Pair, *, same: bool) -> "People":
        return People({**self.said, (user, pair): same})

    @property
    def contradictory(self) -> bool:
        """Whether two are tied that were said to be different; what everybody ties is tied for each user."""
        return any(
            self.together(user, pair) and (of == "" or not self.together("", pair))
            for user in USERS
            for (of, pair), same in self.said.items()
            if not same and (of == user or (of == "" and not self.said.get((user, pair))))
        )

    def together(self, user: str, pair: Pair) -> bool:
        a, b = pair
        return b in self.cluster(user, a)

    def cluster(self, user: str, name: str) -> Pair:
        tied = [pair for (of, pair), same in self.said.items() if same and of in ("", user)]
        found: frozenset[str] = frozenset({name})
        while more := {name for pair in tied if pair & found for name in pair} - found:
            found |= more
        return found


def model(told: Iterable[tuple[str, str, Told]], people: People, change: int) -> set[Shown]:
    """What is believed of each subject for each user; ``told`` has user and subject of each claim."""
    claims = list(told)
    found: set[Shown] = set()
    for user in set(USERS):
        of_user = [(subject, one) for of, subject, one in claims if of == user]
        for cluster in {people.cluster(user, subject) for subject, _ in of_user}:
            about = [
                replace(one, value="|".join(sorted(people.cluster(user, one.value))))
                for subject, one in of_user
                if subject in cluster and is_told_of(one.value, subject, cluster)
            ]
            for predicate, value, first, after in believed(about, SINGLE, change):
                found.add((user, predicate, cluster, frozenset(value.split("|")), first, after))
    return found


def is_told_of(value: str, subject: str, cluster: Pair) -> bool:
    """Whether a claim tells anything once people are one: “Tom knows Thomas” does not where Thomas is Tom."""
    return value == subject or value not in cluster


@st.composite
def claims(draw: st.DrawFn) -> StructuredClaim:
    predicate = draw(st.sampled_from(["lives_at", "knows"]))
    subject = draw(st.sampled_from(PEOPLE))
    target = draw(st.sampled_from(PLACES if predicate == "lives_at" else PEOPLE))
    said = draw(st.integers(0, DAYS - 2))
    stated = draw(st.booleans())
    return StructuredClaim(
        kind=draw(st.sampled_from([ClaimKind.STARTS, ClaimKind.STARTS, ClaimKind.STARTS, ClaimKind.ENDS])),
        subject=ThingName(subject, "person"),
        predicate=predicate,
        object=ThingName(target, "place" if predicate == "lives_at" else "person"),
        valid_from=day(draw(st.integers(0, DAYS - 2)) if stated else said),
        from_stated=stated,
        occurred_at=day(said),
        user=draw(st.sampled_from(USERS)),
    )


class Machine(MemoryMachine):
    """One group in which claims come in, and people decide who is who."""

    def __init__(self) -> None:
        super().__init__()
        self.group = f"who-{uuid.uuid4().hex}"
        self.told: dict[str, tuple[str, str, Told]] = {}
        self.people = People()
        self.expected: list[tuple[datetime, set[Shown]]] = []

    @initialize()
    def begin(self) -> None:
        """Everybody is known to everybody and to Ann."""
        known = [
            StructuredClaim(
                subject=ThingName(subject, "person"),
                predicate="came_to",
                object=ThingName(place, "place"),
                valid_from=day(1),
                occurred_at=day(1),
                user=user,
            )
            for user in sorted(set(USERS))
            for subject in PEOPLE
            for place in PLACES
        ]
        self.runner.run(self.memory.intake.assert_claims(self.group, known))

    @rule(given=st.lists(claims(), min_size=1, max_size=3))
    def assert_claims(self, given: list[StructuredClaim]) -> None:
        receipts, outcome = self.runner.run(self.memory.intake.assert_claims(self.group, given))
        for place, (claim, receipt) in enumerate(zip(given, receipts, strict=True)):
            assert claim.valid_from
            assert claim.object
            told = Told(
                id=receipt.claim_id,
                predicate=claim.predicate,
                ends=claim.kind is ClaimKind.ENDS,
                value=claim.object.name,
                day=(claim.valid_from - EPOCH).days,
                until=None,
                stated=claim.from_stated,
                said=(claim.occurred_at - EPOCH).days,
                turn=(-1, place),
                structured=True,
                recorded=0,
            )
            self.told.setdefault(receipt.claim_id, (claim.user, claim.subject.name, told))
        self.stamp(outcome.recorded_at)

    @precondition(lambda self: bool(self.told))
    @rule(choice=st.integers(0, 50))
    def retract(self, choice: int) -> None:
        claim_id = list(self.told)[choice % len(self.told)]
        retraction, outcome = self.runner.run(self.memory.intake.retract(self.group, claim_id))
        user, subject, told = self.told[claim_id]
        if retraction.new:
            self.told[claim_id] = user, subject, replace(told, retracted=0)
        self.stamp(outcome.recorded_at)

    @rule(choice=st.integers(0, 50))
    def reject(self, choice: int) -> None:
        """Whatever the ends of a belief are called: the rejection holds for each name, and goes where that goes."""
        rows = sorted((row for row in self.versions() if row.superseded_at == END), key=self.place_of)
        if not rows:
            return
        row = rows[choice % len(rows)]
        done = self.runner.run(self.memory.facts.reject(self.group, row.id, Actor(row.user or None)))
        assert row.object_id
        subjects, targets = (self.people.cluster(row.user, self.name(id_)) for id_ in (row.subject_id, row.object_id))
        named = {
            (subject, one.value): one
            for user, subject, one in self.told.values()
            if (user, one.predicate, one.retracted) == (row.user, row.predicate, None)
            and subject in subjects
            and one.value in targets
            and is_told_of(one.value, subject, subjects)
            and not (one.ends or one.rejects)
        }
        ids = {(self.name(one.subject_id), self.name(one.object_id or "")): one.id for one in done.claims}
        assert ids.keys() == named.keys()
        said = AFTER_ALL + len(self.expected)
        for (subject, value), id_ in ids.items():
            told = replace(named[subject, value], id=id_, rejects=True, stated=False, said=said)
            self.told[id_] = row.user, subject, told
        self.stamp(done.outcome.recorded_at)

    @rule(names=st.sampled_from([PEOPLE, PLACES]), data=st.data(), user=st.sampled_from(USERS))
    def merge(self, names: tuple[str, ...], data: st.DataObject, user: str) -> None:
        one, other = data.draw(st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True))
        after = self.people.saying(user, frozenset({one, other}), same=True)
        merging = self.memory.merging.merge(self.group, self.id(one), self.id(other), reason="said", user=user)
        try:
            _, done = self.runner.run(merging)
        except Conflict:
            assert after.contradictory
            return
        assert not after.contradictory
        self.people = after
        if done.recorded_at is not None:  # else somebody said so before
            self.stamp(done.recorded_at)

    @rule(choice=st.integers(0, 50))
    def revert(self, choice: int) -> None:
        merges = self.merges()
        if not merges:
            return
        merge = merges[choice % len(merges)]
        after = self.people.saying(merge.user, self.pair(merge), same=False)
        try:
            done = self.runner.run(self.memory.merging.revert(self.group, merge.id, reason="said"))
        except Conflict:
            assert after.contradictory
            return
        assert not after.contradictory
        self.people = after
        assert done.recorded_at
        self.stamp(done.recorded_at)

    @invariant()
    def what_is_believed_is_what_the_model_says(self) -> None:
        if self.expected:
            assert {self.shown(row, self.people) for row in self.versions() if row.superseded_at == END} == self.model()

    @invariant()
    def each_has_evidence_of_its_own_members(self) -> None:
        for row in self.versions():
            assert row.evidence
            subjects = {self.told[one.claim_id][1] for one in row.evidence if row.superseded_at == END}
            assert subjects <= self.people.cluster(row.user, self.name(row.subject_id))

    def teardown(self) -> None:
        versions = self.versions()
        for stamp, expected in self.expected:
            rows = [row for row in versions if row.recorded_at <= stamp < row.superseded_at]
            assert len(rows) == len(expected)
            assert {row[4:] + row[:2] for row in expected} == {
                (*self.days(row), row.user, row.predicate) for row in rows
            }

    def stamp(self, recorded_at: datetime) -> None:
        assert not self.expected or recorded_at > self.expected[-1][0]
        self.expected.append((recorded_at, self.model()))

    def model(self) -> set[Shown]:
        standing = [one for one in self.told.values() if one[2].retracted is None]
        return model(standing, self.people, 1)

    def shown(self, row: BeliefRow, people: People) -> Shown:
        assert row.object_id
        subject, target = (people.cluster(row.user, self.name(id_)) for id_ in (row.subject_id, row.object_id))
        return (row.user, row.predicate, subject, target, *self.days(row))

    def place_of(self, row: BeliefRow) -> tuple[str, str, str, str, int, int]:
        """What orders rows alike in every run, for their ids differ."""
        return (row.user, row.predicate, self.name(row.subject_id), self.name(row.object_id or ""), *self.days(row))

    @staticmethod
    def days(row: BeliefRow) -> tuple[int, int]:
        return (row.valid_from - EPOCH).days, OPEN if row.valid_to == END else (row.valid_to - EPOCH).days

    def id(self, name: str) -> str:
        return entity_id(self.group, normalise_name(name))

    def name(self, id_: str) -> str:
        return next(name for name in (*PEOPLE, *PLACES) if self.id(name) == id_)

    def pair(self, merge: Merge) -> Pair:
        return frozenset(map(self.name, merge.pair))

    def merges(self) -> list[Merge]:
        return list(self.runner.run(self.memory.merging.merges(Scope(self.group, END))))

    def versions(self) -> list[BeliefRow]:
        """Every row there ever was, but those of the beginning."""
        return self.runner.run(versions(self.memory, self.group, map(self.id, PEOPLE)))


async def versions(memory: Memory, group: str, ids: Iterable[str]) -> list[BeliefRow]:
    found: dict[str, BeliefRow] = {}
    for id_ in ids:
        rows = await memory.store.history_of_entity(
            Scope(group, END, END), id_, valid_at=None, predicates=["lives_at", "knows"], after=FIRST_VERSION, limit=999
        )
        found |= {row.id: row for row in rows.beliefs}
    return list(found.values())


@pytest.fixture
def machine(servers: Servers, database: Database) -> Generator[type[Machine]]:
    del database  # migrated, its policies in place
    with opened(Machine, servers) as found:
        yield found


@pytest.mark.timeout(1200)
def test_any_course_of_decisions_agrees_with_the_model(machine: type[Machine]) -> None:
    run(machine, STEPS, HealthCheck.data_too_large)
