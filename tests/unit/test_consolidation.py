"""What gives way to what, rule by rule: duplicates, and conflicts."""

from dataclasses import replace
from typing import Any

import pytest

from graphmem.model.acts import CurrentFact, Lowering, SlotState, WhyGivesWay
from graphmem.model.claim import AssertedBy, Claim, ClaimKind
from graphmem.model.interval import END
from graphmem.model.projection.predicate import BUILT_IN_PREDICATES
from graphmem.model.projection.slot import Slot, place
from graphmem.resolve.acts import give_way
from graphmem.resolve.consolidation import candidates, conflicts, duplicates
from tests.unit.test_timeline import day

LIKES, ANSWERS, COLOUR, HOME = "likes", "instruction.answers", "preference.colour", "lives_at"
SHORT, VERY_SHORT = "answers that are short and plain", "answers that are very short and plain"


def said(value: str, start: int = 1, predicate: str = ANSWERS, **changes: Any) -> Claim:
    """Somebody says something of Maya, on the day from which on it holds."""
    plain = Claim(
        group_id="g",
        episode_id=f"{predicate}{value}{start}{sorted(changes.items())}",
        kind=ClaimKind.STARTS,
        subject_id="maya",
        predicate=predicate,
        value=value,
        statement=f"Maya wants {value}.",
        quote="",
        quote_start=0,
        quote_end=0,
        valid_from=day(start),
        from_stated=False,
        said_at=day(start),
        confidence=0.8,
        category="preference",
        extractor="test",
        extractor_version="1",
    )
    return replace(plain, **changes)


def states(*claims: Claim) -> list[SlotState]:
    """The slots that claims make, under the policies that are built in."""
    by_slot: dict[Slot, list[Claim]] = {}
    for claim in claims:
        slot = BUILT_IN_PREDICATES.slot(place(claim))
        assert slot is not None
        by_slot.setdefault(slot, []).append(claim)
    return [SlotState.of(slot, BUILT_IN_PREDICATES.policy_of(slot), some) for slot, some in by_slot.items()]


def shown(lowerings: list[Lowering]) -> list[tuple[object, object]]:
    """The value that gives way, and the one that it gives way to."""
    return [(one.claims[0].claim.value, one.to.value) for one in lowerings]


def test_of_two_facts_that_say_the_same_the_better_one_stays() -> None:
    sure, unsure = said(SHORT, 3, confidence=0.9), said(VERY_SHORT, 1, confidence=0.6)

    (lowering,) = duplicates(states(sure, unsure))

    assert shown([lowering]) == [(VERY_SHORT, SHORT)]
    assert (lowering.why, lowering.cap, lowering.because) == (
        WhyGivesWay.DUPLICATE,
        0.0,
        "89% of the words are the same",
    )


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"asserted_by": AssertedBy.PERSON, "confidence": 0.4}, {"confidence": 0.9}),
        ({}, {"asserted_by": AssertedBy.MODEL, "confidence": 0.9}),
        ({"confidence": 0.9}, {}),
        ({"importance": 0.9}, {}),
        ({"valid_from": day(0), "said_at": day(0)}, {}),
        ({"protecting": True, "confidence": 0.4}, {"asserted_by": AssertedBy.PERSON, "confidence": 1.0}),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_who_says_so_goes_first_then_confidence_importance_and_since_when(
    better: dict[str, Any],
    worse: dict[str, Any],
    turned: bool,  # noqa: FBT001 - one of two ways
) -> None:
    words = (VERY_SHORT, SHORT) if turned else (SHORT, VERY_SHORT)
    kept, dropped = said(words[0], **better), said(words[1], **worse)

    assert (
        shown(duplicates(states(dropped, kept))) == shown(duplicates(states(kept, dropped))) == [(words[1], words[0])]
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"user": "ben"}),
        ({}, {"subject_id": "bruno"}),
        ({}, {"category": "constraint"}),
        ({"category": ""}, {"category": ""}),
        ({"protecting": True}, {"protecting": True}),
        ({"predicate": LIKES}, {"predicate": "dislikes"}),
        ({}, {"open": True, "attributes": {"verb": "want"}}),
        ({"day": "2025-01-02"}, {"day": "2025-01-03"}),
        ({"value": None, "object_id": "acme"}, {"value": None, "object_id": "initech"}),
        ({"valid_to": day(9), "to_stated": True}, {}),
        ({}, {"value": "something else"}),
        ({}, {"statement": f"Maya never wants {VERY_SHORT}."}),
        ({}, {"statement": "Maya wants long answers."}),
    ],
)
def test_what_differs_in_more_than_words_stays(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert duplicates(states(replace(said(SHORT), **one), replace(said(VERY_SHORT), **other))) == []


def test_a_start_that_was_stated_is_lost_for_no_duplicate() -> None:
    late = said(SHORT, 9, confidence=0.9)
    heard = said(VERY_SHORT, 3, confidence=0.6)
    stated = replace(heard, from_stated=True)

    assert shown(duplicates(states(late, heard))) == [(VERY_SHORT, SHORT)]
    assert duplicates(states(late, stated)) == []
    assert duplicates(states(late, replace(stated, valid_from=day(9)))) != []


def test_a_value_is_not_dropped_where_another_one_would_come_to_be_believed() -> None:
    drink = said(VERY_SHORT, predicate="preference.style", confidence=0.7)
    other = said("long", 0, predicate="preference.style", confidence=0.4)

    assert shown(duplicates(states(said(SHORT), drink))) == [(VERY_SHORT, SHORT)]
    assert duplicates(states(said(SHORT), drink, other)) == []


def test_of_three_that_say_the_same_one_stays_and_the_others_give_way_to_it() -> None:
    words = (SHORT, VERY_SHORT, f"{SHORT} too")

    found = duplicates(states(*(said(one, confidence=0.9 - place / 10) for place, one in enumerate(words))))

    assert sorted(map(str, shown(found))) == sorted(str((one, SHORT)) for one in words[1:])


def test_what_gave_way_before_is_not_lowered_again_where_it_is_said_in_another_session() -> None:
    """Else a value that is said in each of a thousand sessions is lowered half a million times."""
    everything = [said(SHORT, confidence=0.9)]
    for number in range(2, 6):
        everything.append(said(VERY_SHORT, number, session=f"session {number}"))
        (lowering,) = duplicates(states(*everything))
        lowers = give_way(lowering, day(number)).claims
        assert [one.session for one in lowers] == [f"session {number}"]
        everything += lowers
        assert duplicates(states(*everything)) == []


def test_candidates_are_those_of_one_user_subject_and_category_that_share_words() -> None:
    def fact(id_: str, statement: str, **changes: Any) -> CurrentFact:
        plain = CurrentFact(
            id=id_,
            user="",
            subject_id="maya",
            predicate=LIKES,
            target=id_,
            category="hobby",
            statement=statement,
            contested=False,
        )
        return replace(plain, **changes)

    same = [fact(id_, "Maya likes long walks") for id_ in "abc"]
    others = [
        fact("d", "Maya likes long walks", user="ben"),
        fact("e", "Maya likes long walks", category="habit"),
        fact("f", "Maya likes chess"),
    ]

    assert candidates([*others, *reversed(same)]) == [same]


def test_what_contradicts_a_belief_that_ranks_above_it_gives_way() -> None:
    sure, newer = said("red", 1, COLOUR, confidence=0.9), said("blue", 3, COLOUR, confidence=0.5)

    (lowering,) = conflicts(states(sure, newer))

    assert (lowering.why, lowering.cap, lowering.kept.first, lowering.to) == (WhyGivesWay.CONFLICT, 0.3, sure, sure)
    assert (shown([lowering]), lowering.because) == ([("blue", "red")], "confidence 0.90 goes before 0.50")


@pytest.mark.parametrize(
    ("believed", "disputing", "because"),
    [
        ({"asserted_by": AssertedBy.PERSON, "confidence": 0.5}, {"confidence": 0.9}, "person goes before passing"),
        ({"confidence": 0.5}, {"confidence": 0.9, "asserted_by": AssertedBy.MODEL}, "passing goes before model"),
        ({"valid_from": day(5)}, {"valid_from": day(3)}, "the newer one goes first"),
    ],
)
def test_it_ranks_by_who_says_so_then_by_confidence_then_the_newer(
    believed: dict[str, Any], disputing: dict[str, Any], because: str
) -> None:
    claims = said("red", 1, COLOUR, **believed), said("blue", 3, COLOUR, **disputing)

    (lowering,) = conflicts(states(*claims))

    assert (shown([lowering]), lowering.because) == ([("blue", "red")], because)


def test_what_somebody_confirmed_gives_way_to_nothing() -> None:
    sure = said("red", 1, COLOUR, confidence=1.0, asserted_by=AssertedBy.PERSON)
    confirmed = said("blue", 3, COLOUR, confidence=0.9, protecting=True, asserted_by=AssertedBy.PERSON)

    assert states(sure, confirmed)[0].beliefs[0].contested
    assert conflicts(states(sure, confirmed)) == []


def test_where_time_decides_only_who_says_so_settles_a_conflict() -> None:
    rome = said("Rome", 10, HOME, confidence=0.9, from_stated=True)
    told = {"from_stated": True, "valid_to": day(12), "to_stated": True, "said_at": day(15)}
    history = said("Oslo", 3, HOME, confidence=0.5, **told)
    person = replace(rome, asserted_by=AssertedBy.PERSON)

    assert conflicts(states(rome, history)) == []
    assert shown(conflicts(states(person, history))) == [("Oslo", "Rome")]
    assert conflicts(states(rome, replace(history, asserted_by=AssertedBy.PERSON))) == []


def test_what_would_change_what_is_believed_at_another_time_is_left_to_a_person() -> None:
    person = said("red", 5, COLOUR, confidence=0.9, asserted_by=AssertedBy.PERSON)
    before = said("red", 1, COLOUR, confidence=0.4)
    blue = said("blue", 2, COLOUR, confidence=0.6, said_at=day(9))

    (state,) = states(person, before, blue)
    assert [(one.first.value, one.contested) for one in state.beliefs] == [
        ("red", False),
        ("blue", False),
        ("red", True),
    ]
    assert conflicts([state]) == []


def test_where_many_hold_nothing_contradicts() -> None:
    assert conflicts(states(said("tea", 1, LIKES), said("coffee", 2, LIKES, confidence=0.4))) == []


def test_a_value_that_ended_before_is_no_conflict() -> None:
    ended = said("blue", 1, COLOUR, confidence=0.5, valid_to=day(2), to_stated=True, said_at=day(9))

    assert ended.valid_to != END
    assert conflicts(states(said("red", 3, COLOUR, confidence=0.9), ended)) == []
