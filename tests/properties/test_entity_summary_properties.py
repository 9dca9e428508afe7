"""Whatever is believed of an entity: its summary fits, cites, and says nothing that was withdrawn."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from graphmem.derived.entity_summaries import CHANGED, composed, is_due
from graphmem.model.belief import BeliefRow
from graphmem.model.entity_summary import EntitySummaryPolicy, StoredEntitySummary, entity_summary_id
from graphmem.model.interval import END
from graphmem.model.summary import QuotedSpan
from tests.reflections import MONDAY, UNTIL, belief, evidence

_NUMBERS = st.integers(0, 30)


def words(text: str) -> int:
    return len(text.split())


@st.composite
def beliefs(draw: st.DrawFn) -> BeliefRow:
    said = " ".join(draw(st.lists(st.sampled_from(["Maya", "likes", "chess", "and", "opera"]), min_size=1, max_size=9)))
    claims = [evidence(f"c{at}", start=0, end=10) for at in draw(st.sets(_NUMBERS, max_size=3))]
    found = belief(said + draw(st.sampled_from(["", ".", "!"])), *claims, stated=draw(st.booleans()))
    number = draw(_NUMBERS)
    found = replace(found, id=f"row {number}", belief_id=f"belief {number}", evidence=tuple(claims))
    return replace(found, superseded_at=draw(st.sampled_from([END, END, UNTIL])))


@given(st.lists(beliefs(), max_size=12), st.sets(_NUMBERS, max_size=5), st.integers(0, 40))
def test_it_fits_cites_and_says_nothing_that_was_withdrawn(
    held: list[BeliefRow], gone: set[int], max_tokens: int
) -> None:
    withdrawn = {QuotedSpan(f"episode of c{at}", 3, 4) for at in gone}
    said = composed(held, withdrawn, max_tokens, words)
    assert said.tokens == words(said.content) <= max_tokens
    assert said.content == " ".join(one.text for one in said.sentences)
    assert len({one.text for one in said.sentences}) == len(said.sentences)
    assert all(one.claims for one in said.sentences)
    assert said.claims.isdisjoint(f"c{at}" for at in gone)
    assert {one.belief_id for one in said.sentences} <= {one.belief_id for one in held if one.superseded_at == END}
    assert composed(held, withdrawn, max_tokens, words) == said


@given(st.lists(beliefs(), max_size=12), st.integers(1, 40))
def test_what_may_be_said_and_fits_is_said(held: list[BeliefRow], max_tokens: int) -> None:
    said = composed(held, (), max_tokens, words)
    room = max_tokens - said.tokens
    standing = [one for one in held if one.evidence and one.superseded_at == END]
    told = composed(standing, (), 1_000, words).sentences
    missing = [one for one in told if one.text not in {sentence.text for sentence in said.sentences}]
    assert all(words(one.text) > room for one in missing)


@given(st.sets(_NUMBERS, min_size=1), st.sets(_NUMBERS), st.booleans(), st.integers(1, 12))
def test_it_is_due_again_from_a_third_on_and_where_it_is_stale(
    then: set[int],
    now: set[int],
    stale: bool,  # noqa: FBT001
    least: int,
) -> None:
    policy = EntitySummaryPolicy(least=least)
    held = {str(at) for at in now}
    before = StoredEntitySummary(
        id="v",
        summary_id=entity_summary_id("maya", ""),
        group_id="g",
        entity_id="maya",
        user="",
        content="Maya likes chess.",
        sentences=(),
        tokens=3,
        beliefs=tuple(str(at) for at in then),
        as_of=MONDAY,
        stale_at=UNTIL if stale else None,
        recorded_at=MONDAY,
        superseded_at=END,
    )
    changed = len(now - then) + len(then - now)
    assert is_due(before, held, policy) == (stale or (changed > 0 and CHANGED * changed >= len(then)))
    assert is_due(None, held, policy) == is_due(replace(before, content=""), held, policy) == (len(held) >= least)
