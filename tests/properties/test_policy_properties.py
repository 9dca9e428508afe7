"""Policies of predicates change to any others, and only where they differ."""

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.predicate import Cardinality, Policy, WinningRule, policy_changes

POLICY = st.builds(
    Policy,
    st.sampled_from(Cardinality),
    st.sampled_from(WinningRule),
    st.none() | st.sampled_from(Bounding),
    st.none() | st.booleans(),
)
POLICIES = st.dictionaries(st.sampled_from("abcd"), POLICY)


@given(POLICIES, POLICIES)
def test_changes_make_what_is_held_what_is_wanted(held: dict[str, Policy], wanted: dict[str, Policy]) -> None:
    changes = policy_changes(held, wanted)
    kept = {name: policy for name, policy in held.items() if name not in changes.names}
    assert {**kept, **changes.new} == wanted
    assert changes.new.keys() <= changes.names
    assert not any(held.get(name) == wanted.get(name) for name in changes.names)
