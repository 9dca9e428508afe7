"""Whatever spans are seen, those that stand never overlap, and nothing gave way to less."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.identifiers import identifiers
from graphmem.extract.overlaps import Span, without_overlaps
from graphmem.model.fragment import ThingName


@st.composite
def spans(draw: st.DrawFn) -> Span:
    start = draw(st.integers(0, 30))
    name = ThingName(draw(st.sampled_from("abc")), draw(st.sampled_from(("person", "url"))))
    return Span(name, start, start + draw(st.integers(1, 12)), draw(st.sampled_from((0.5, 0.7, 0.9))))


SEEN = st.lists(spans(), max_size=25)


def overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


@given(SEEN)
def test_spans_that_stand_are_among_those_seen_and_never_overlap(seen: list[Span]) -> None:
    settled = without_overlaps(seen)
    assert set(settled) <= set(seen)
    assert all(before.end <= after.start for before, after in pairwise(settled))


@given(SEEN)
def test_what_gave_way_met_one_as_sure_and_if_no_surer_as_long(seen: list[Span]) -> None:
    settled = without_overlaps(seen)
    for dropped in set(seen) - set(settled):
        strength = (dropped.confidence, dropped.end - dropped.start)
        assert any(overlap(dropped, kept) and strength <= (kept.confidence, kept.end - kept.start) for kept in settled)


@given(SEEN.flatmap(lambda seen: st.tuples(st.just(seen), st.permutations(seen))))
def test_the_order_in_which_spans_are_seen_makes_no_difference(both: tuple[list[Span], list[Span]]) -> None:
    assert without_overlaps(both[0]) == without_overlaps(both[1])


@given(st.text(alphabet="ab1 .,@#-+()/:$€\nhtps", max_size=200))
def test_identifiers_lie_in_the_text_as_they_are_named(text: str) -> None:
    for span in identifiers(text):
        assert 0 <= span.start < span.end <= len(text)
        assert span.name.name == " ".join(text[span.start : span.end].split())
