"""A reflection keeps its limit, cites what it says, and has no word of what was withdrawn or came later."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from graphmem.derived.reflect.composing import composed, material_key, sources_of
from graphmem.derived.reflect.memories import WeeklyMaterial, Withdrawn, memories_of
from graphmem.model.belief import BeliefRow, Support
from graphmem.model.interval import END
from graphmem.model.reflection import ReflectionSentence, ReflectionText, WeeklyClaim
from tests.reflections import BEFORE, MONDAY, UNTIL, WEEK, belief, entity, evidence, weekly

CANARY = "xylophone"
TIMES = st.sampled_from([BEFORE, WEEK.since, MONDAY, MONDAY + timedelta(days=2), UNTIL, UNTIL + timedelta(days=1)])
ENDS = st.sampled_from([END, MONDAY, MONDAY + timedelta(days=2), UNTIL + timedelta(days=1)])
SUBJECTS = ("maya", "ivo", "ana")
TARGETS = ("porto", "oslo", "rome")


@dataclass(frozen=True, slots=True)
class Case:
    """What was read; ``late`` are the ids of claims that came after the week."""

    material: WeeklyMaterial
    late: frozenset[str]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Beliefs, claims that support, end or contradict them, and withdrawn claims, whose beliefs have a canary."""
    beliefs, claims, late, gone = list[BeliefRow](), list[WeeklyClaim](), set[str](), set[str]()
    for number in range(draw(st.integers(0, 8))):
        recorded = draw(st.lists(TIMES, min_size=1, max_size=3))
        cited = [evidence(f"{number} {at}", recorded_at=when) for at, when in enumerate(recorded)]
        late |= {one.claim_id for one in cited if one.recorded_at > UNTIL}
        known = [one for one in cited if one.recorded_at <= UNTIL]
        withdrawn = draw(st.lists(st.sampled_from(known), max_size=1)) if known else []
        gone |= {one.claim_id for one in withdrawn}
        found = _belief(draw, number, cited, CANARY if withdrawn else "Maya")
        beliefs.append(found)
        claims += [weekly(one.claim_id, found) for one in cited if WEEK.has(one.recorded_at)]
        claims += _others(draw, number, found, gone)
    entities = {id_: entity(id_, recorded_at=draw(TIMES)) for id_ in (*SUBJECTS, *TARGETS)}
    withdrawn = Withdrawn(claims=frozenset(gone))
    material = WeeklyMaterial(week=WEEK, beliefs=beliefs, claims=claims, entities=entities, withdrawn=withdrawn)
    return Case(material, frozenset(late))


def _belief(draw: st.DrawFn, number: int, cited: Sequence[Support], word: str) -> BeliefRow:
    until: datetime = draw(ENDS)
    return belief(
        f"{word} {number}.",
        *cited,
        subject=draw(st.sampled_from(SUBJECTS)),
        predicate=draw(st.sampled_from(("lives_in", "visits"))),
        thing=draw(st.sampled_from(TARGETS)),
        since=draw(st.sampled_from([BEFORE, MONDAY])),
        until=until if until > MONDAY else MONDAY + timedelta(hours=1),
        stated=draw(st.booleans()),
        importance=draw(st.sampled_from((0.2, 0.5))),
        contested=draw(st.booleans()),
        recorded_at=draw(st.sampled_from([BEFORE, MONDAY])),
    )


def _others(draw: st.DrawFn, number: int, found: BeliefRow, gone: set[str]) -> list[WeeklyClaim]:
    """Claims that end a belief or say otherwise; what a withdrawn one says has a canary."""
    claims = list[WeeklyClaim]()
    for at, kind in enumerate(draw(st.lists(st.sampled_from(("ends", "starts")), max_size=2))):
        claim = weekly(f"{number} other {at}", found, kind=kind, targets=() if kind == "ends" else ("elsewhere",))
        if draw(st.booleans()):
            gone.add(claim.id)
            claim = replace(claim, statement=CANARY)
        claims.append(claim)
    return claims


def reflected(material: WeeklyMaterial, limit: int = 256) -> ReflectionText | None:
    return composed(material, memories_of(material, "", 200).standing, _words, limit)


def shown(material: WeeklyMaterial, limit: int = 256) -> tuple[ReflectionSentence, ...]:
    """What a language model would be shown."""
    return sources_of(material, memories_of(material, "", 200).standing, _words, limit)


def _words(text: str) -> int:
    return len(text.split())


@given(cases())
def test_every_sentence_cites_claims_that_are_known_and_stand(case: Case) -> None:
    text, sources = reflected(case.material), shown(case.material)
    cited = {one.claim_id for row in case.material.beliefs for one in row.evidence}
    cited |= {claim.id for claim in case.material.claims}
    for sentence in (*(text.sentences if text else ()), *sources):
        assert sentence.claims
        assert set(sentence.claims) <= cited
        assert case.late.isdisjoint(sentence.claims)
        assert set(case.material.withdrawn.claims).isdisjoint(sentence.claims)


@given(cases())
def test_nothing_withdrawn_is_said(case: Case) -> None:
    text = reflected(case.material)
    assert text is None or CANARY not in text.content
    assert not any(CANARY in sentence.text for sentence in shown(case.material))


@given(cases(), st.randoms(use_true_random=False))
def test_any_order_gives_the_same(case: Case, random: Random) -> None:
    beliefs, claims = list(case.material.beliefs), list(case.material.claims)
    rows = [replace(row, evidence=tuple(random.sample(row.evidence, len(row.evidence)))) for row in beliefs]
    entities = random.sample(sorted(case.material.entities), len(case.material.entities))
    other = replace(
        case.material,
        beliefs=random.sample(rows, len(rows)),
        claims=random.sample(claims, len(claims)) + claims[:1],
        entities={id_: case.material.entities[id_] for id_ in entities},
    )
    assert reflected(other) == reflected(case.material)
    assert material_key(shown(other)) == material_key(shown(case.material))


@given(cases(), st.integers(1, 60))
def test_it_keeps_its_limit_and_its_lines_are_its_sentences(case: Case, limit: int) -> None:
    text = reflected(case.material, limit)
    if text is not None:
        assert text.tokens == _words(text.content) <= limit
        assert text.content.split("\n")[1:] == [sentence.text for sentence in text.sentences]


@given(cases(), st.integers(1, 60))
def test_a_model_is_shown_all_that_is_said_without_one(case: Case, limit: int) -> None:
    text, sources = reflected(case.material, limit), shown(case.material, limit)
    assert set(text.sentences if text else ()) <= set(sources)
    assert len(sources) <= 60
    assert (text is None) == (not sources)


@given(cases())
def test_what_was_withdrawn_changes_no_count(case: Case) -> None:
    """So one that is made late is on the same memories as one that was made in time."""
    with_all = memories_of(replace(case.material, withdrawn=Withdrawn()), "", 200)
    without = memories_of(case.material, "", 200)
    assert (with_all.total, with_all.new, with_all.own) == (without.total, without.new, without.own)


@given(cases())
def test_no_belief_is_told_twice_as_new_changed_or_ended(case: Case) -> None:
    text = reflected(case.material, 10_000)
    told = [
        id_
        for sentence in (text.sentences if text else ())
        if sentence.text.startswith(("New", "Changed", "No longer"))
        for id_ in sentence.beliefs
    ]
    assert len(told) == len(set(told))
