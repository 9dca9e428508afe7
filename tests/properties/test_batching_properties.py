"""On a real Neo4j: any permutation, repetition and batching of the same claims gives the same present beliefs."""

import uuid
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.evidence import StructuredClaim
from graphmem.model.ids import belief_id
from graphmem.model.interval import END
from tests.properties.machines import ON_A_DATABASE
from tests.properties.test_bitemporal_machine import Machine, claims, machine, shown, versions

__all__ = ["machine"]  # the fixture

Batches = list[list[StructuredClaim]]


def _order(claim: StructuredClaim) -> tuple[object, ...]:
    return claim.predicate, claim.occurred_at


@st.composite
def two_courses(draw: st.DrawFn) -> tuple[Batches, Batches]:
    """The same claims told at once, and told in another order, some again, in batches.

    No two are said of one predicate at one instant: those stand in the order of the list in which they come first.
    """
    told = draw(st.lists(claims(), min_size=2, max_size=6, unique_by=_order))
    again = draw(st.lists(st.sampled_from(told), max_size=3))
    mixed = draw(st.permutations([*told, *again]))
    cut = sorted(draw(st.sets(st.integers(1, len(mixed) - 1), max_size=3)))
    return [told], [mixed[start:end] for start, end in zip([0, *cut], [*cut, len(mixed)], strict=True)]


async def course(memory: Memory, group: str, batches: Sequence[Sequence[StructuredClaim]]) -> None:
    for batch in batches:
        await memory.intake.assert_claims(group, batch)


def identity(row: BeliefRow, group: str) -> str:
    return belief_id(group, row.user, row.subject_id, row.predicate, row.target, row.valid_from)


@pytest.mark.timeout(600)
@settings(max_examples=ON_A_DATABASE, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(courses=two_courses())
def test_however_it_is_told_the_present_is_the_same(machine: type[Machine], courses: tuple[Batches, Batches]) -> None:
    presents: list[set[tuple[object, ...]]] = []
    for batches in courses:
        group = f"batches-{uuid.uuid4().hex}"
        machine.runner.run(course(machine.memory, group, batches))
        rows = [row for row in machine.runner.run(versions(machine.memory, group)) if row.superseded_at == END]
        assert all(row.belief_id == identity(row, group) for row in rows)
        presents.append({(*shown(row), row.from_stated, row.to_stated, row.confidence, row.contested) for row in rows})
    assert presents[0] == presents[1]
