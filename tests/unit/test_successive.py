"""Successive predicates: what cuts what, and what undoes a cut; plans that are cancelled. Days of 2025 are integers."""

from dataclasses import replace
from itertools import permutations

import pytest

from graphmem.errors import InvalidInput
from graphmem.model.belief import Belief
from graphmem.model.claim import STRUCTURED, Claim, ClaimKind
from graphmem.model.interval import BEGIN, END
from graphmem.model.projection.predicate import (
    BUILT_IN_PREDICATES,
    CONFIDENT,
    MANY,
    ONE,
    SUCCESSIVE,
    Cardinality,
    Policy,
    Predicates,
    WinningRule,
    policy_of,
)
from graphmem.model.projection.slot import place
from graphmem.model.projection.timeline import project
from tests.claims import claim, day

Span = tuple[str | None, int | None, int | None]


def starts(value: str, at: int, *, said: int | None = None, until: int | None = None) -> Claim:
    return claim(value, at, said=at if said is None else said, until=until)


def works(value: str, at: int) -> Claim:
    """Dated by when it was said: “I work at Acme”."""
    return claim(value, at)


def until(value: str, end: int) -> Claim:
    """“I worked at Acme until the fifth.”"""
    return replace(claim(value, 1, until=end), valid_from=BEGIN)


def beside(one: Claim) -> Claim:
    return replace(one, beside=True)


def still(value: str, at: int) -> Claim:
    return claim(value, at, kind=ClaimKind.HOLDS)


def ends(value: str | None, at: int, *, said: int | None = None) -> Claim:
    return claim(value, at, kind=ClaimKind.ENDS, said=at if said is None else said)


def left(value: str | None, said: int) -> Claim:
    """Dated by when it was said: “I have left Acme”."""
    return claim(value, said, kind=ClaimKind.ENDS)


def unread(value: str, said: int) -> Claim:
    return replace(claim(value, said), valid_from=BEGIN, time_unread="back in the Henderson days")


def rejects(value: str, said: int) -> Claim:
    return replace(ends(value, said), kind=ClaimKind.REJECTS, valid_from=BEGIN, from_stated=False)


def confirmed(value: str, at: int, *, said: int) -> Claim:
    return replace(starts(value, at, said=said), protecting=True)


def shown(beliefs: tuple[Belief, ...]) -> list[Span]:
    return [
        (
            belief.first.object_id,
            None if belief.interval.start == BEGIN else (belief.interval.start - day(0)).days,
            None if belief.interval.end == END else (belief.interval.end - day(0)).days,
        )
        for belief in beliefs
    ]


JOBS: dict[str, tuple[list[Claim], list[Span]]] = {
    "a start of another value cuts": ([works("Acme", 1), starts("Otto", 5)], [("Acme", 1, 5), ("Otto", 5, None)]),
    "also one that is dated by when it was said": (
        [works("Acme", 1), works("Otto", 5)],
        [("Acme", 1, 5), ("Otto", 5, None)],
    ),
    "one job after the other": (
        [starts("Acme", 1), starts("Otto", 5), starts("SAP", 8)],
        [("Acme", 1, 5), ("Otto", 5, 8), ("SAP", 8, None)],
    ),
    "told out of order": (
        [starts("SAP", 8), starts("Acme", 1, said=20), starts("Otto", 5, said=15)],
        [("Acme", 1, 5), ("Otto", 5, 8), ("SAP", 8, None)],
    ),
    "two that start at one instant cut neither": (
        [starts("Acme", 1), starts("Otto", 1)],
        [("Acme", 1, None), ("Otto", 1, None)],
    ),
    "of two that are told by one sentence neither": (
        [works("Acme", 1), works("Otto", 1)],
        [("Acme", 1, None), ("Otto", 1, None)],
    ),
    "but of those told one after the other the last one stands": (
        [works("Acme", 1), replace(works("Otto", 1), quote_start=9, quote_end=9)],
        [("Otto", 1, None)],
    ),
    "of those that are so since nobody knows when all stand": (
        [until("Acme", 5), replace(until("Otto", 5), quote_start=9, quote_end=9)],
        [("Acme", None, 5), ("Otto", None, 5)],
    ),
    "of what was said to be so before one that began earlier nothing is left": (
        [works("Acme", 5), starts("Otto", 3, said=8)],
        [("Otto", 3, None)],
    ),
    "what began on a day that was said is left": (
        [starts("Acme", 5), starts("Otto", 3, said=8)],
        [("Otto", 3, 5), ("Acme", 5, None)],
    ),
    "it is left where it stands beside others": (
        [beside(works("Acme", 5)), starts("Otto", 3, said=8)],
        [("Otto", 3, None), ("Acme", 5, None)],
    ),
    "or where the other one does": (
        [works("Acme", 5), beside(starts("Otto", 3, said=8))],
        [("Otto", 3, None), ("Acme", 5, None)],
    ),
    "or where it was over": (
        [works("Acme", 5), starts("Otto", 3, said=8, until=4)],
        [("Otto", 3, 4), ("Acme", 5, None)],
    ),
    "a second job stands beside the first": (
        [works("Acme", 1), beside(works("bakery", 3))],
        [("Acme", 1, None), ("bakery", 3, None)],
    ),
    "and when the main job changes, it stays": (
        [works("Acme", 1), beside(works("bakery", 3)), starts("Otto", 5)],
        [("Acme", 1, 5), ("bakery", 3, None), ("Otto", 5, None)],
    ),
    "also if it is said once more, and nothing of the other": (
        [beside(works("bakery", 3)), works("bakery", 4), starts("Otto", 5)],
        [("bakery", 3, None), ("Otto", 5, None)],
    ),
    "“I quit my job” ends all that holds": (
        [works("Acme", 1), beside(works("bakery", 3)), left(None, 5), starts("Otto", 8)],
        [("Acme", 1, 5), ("bakery", 3, 5), ("Otto", 8, None)],
    ),
    "though not what somebody says later to hold still": (
        [works("Acme", 1), beside(works("bakery", 3)), left(None, 5), still("bakery", 7)],
        [("Acme", 1, 5), ("bakery", 3, None)],
    ),
    "nor what starts afterwards": ([left(None, 5), starts("Otto", 6)], [("Otto", 6, None)]),
    "“I quit my job and work at Otto”": (
        [starts("Acme", 1), works("Otto", 5), replace(left(None, 5), quote_start=9, quote_end=9)],
        [("Acme", 1, 5), ("Otto", 5, None)],
    ),
    "who comes back begins anew, and cuts what was in between": (
        [starts("Acme", 1), starts("Otto", 5), starts("Acme", 8)],
        [("Acme", 1, 5), ("Otto", 5, 8), ("Acme", 8, None)],
    ),
    "however often it was said before": (
        [works("Acme", 1), works("Acme", 2), starts("Otto", 5), works("Acme", 8)],
        [("Acme", 1, 5), ("Otto", 5, 8), ("Acme", 8, None)],
    ),
    "said later that it still holds, the cut is undone": (
        [works("Acme", 1), starts("Otto", 5), still("Acme", 7)],
        [("Acme", 1, None), ("Otto", 5, None)],
    ),
    "not by what was said before": (
        [works("Acme", 1), still("Acme", 6), starts("Otto", 5, said=7)],
        [("Acme", 1, 5), ("Otto", 5, None), ("Acme", 6, None)],
    ),
    "nor by what held before": (
        [works("Acme", 1), starts("Otto", 5), claim("Acme", 4, kind=ClaimKind.HOLDS, said=7)],
        [("Acme", 1, 5), ("Otto", 5, None)],
    ),
    "and the next start cuts it": (
        [works("Acme", 1), starts("Otto", 5), still("Acme", 7), starts("SAP", 9)],
        [("Acme", 1, 9), ("Otto", 5, 9), ("SAP", 9, None)],
    ),
    "an end that is stated goes before a cut": (
        [starts("Acme", 1), starts("Otto", 5), ends("Acme", 9, said=12)],
        [("Acme", 1, 9), ("Otto", 5, None)],
    ),
    "also one that was stated with the start": (
        [starts("Acme", 1, until=9), starts("Otto", 5)],
        [("Acme", 1, 9), ("Otto", 5, None)],
    ),
    "and before “I quit my job”": (
        [starts("Acme", 1), ends(None, 5), ends("Acme", 9, said=12)],
        [("Acme", 1, 9)],
    ),
    "not one that is dated by when it was said": (
        [starts("Acme", 1), starts("Otto", 5), left("Acme", 9)],
        [("Acme", 1, 5), ("Otto", 5, None)],
    ),
    "nor one of a job that began anew": (
        [starts("Acme", 1), starts("Otto", 5), starts("Acme", 7), ends("Acme", 9, said=12)],
        [("Acme", 1, 5), ("Otto", 5, 7), ("Acme", 7, 9)],
    ),
    "an end that comes first leaves nothing to cut": (
        [starts("Acme", 1), ends("Acme", 3), starts("Otto", 5)],
        [("Acme", 1, 3), ("Otto", 5, None)],
    ),
    "a hold cuts nothing, and begins where its value does not hold": (
        [starts("Acme", 1), still("Otto", 5)],
        [("Acme", 1, None), ("Otto", 5, None)],
    ),
    "and is cut": ([still("Acme", 1), starts("Otto", 5)], [("Acme", 1, 5), ("Otto", 5, None)]),
    "a confirmation cuts nothing": (
        [starts("Acme", 1), starts("Otto", 5), still("Acme", 7), confirmed("Otto", 5, said=9)],
        [("Acme", 1, None), ("Otto", 5, None)],
    ),
    "what is rejected cuts nothing": (
        [starts("Acme", 1), starts("Otto", 5), rejects("Otto", 8)],
        [("Acme", 1, None)],
    ),
    "nor does a start that nobody could read; but it held when it was said": (
        [starts("Acme", 1), starts("Otto", 3), unread("SAP", 5), starts("Ikea", 8)],
        [("SAP", None, 8), ("Acme", 1, 3), ("Otto", 3, 8), ("Ikea", 8, None)],
    ),
    "also where it follows from an end": (
        [starts("Acme", 1), ends("SAP", 3), unread("SAP", 5)],
        [("Acme", 1, None), ("SAP", 3, None)],
    ),
    "a start that is corrected cuts where it is now": (
        [starts("Acme", 1), starts("Otto", 5, said=10), starts("Otto", 7, said=11)],
        [("Acme", 1, 7), ("Otto", 7, None)],
    ),
    "a job beside does not part two starts of one": (
        [starts("Acme", 1, said=10), beside(starts("bakery", 3, said=10)), starts("Acme", 5, said=11)],
        [("bakery", 3, None), ("Acme", 5, None)],
    ),
    "another job does": (
        [starts("Acme", 1, said=10), starts("Otto", 3, said=10), starts("Acme", 5, said=11)],
        [("Acme", 1, 3), ("Otto", 3, 5), ("Acme", 5, None)],
    ),
}


@pytest.mark.parametrize(("claims", "expected"), JOBS.values(), ids=JOBS.keys())
def test_each_sentence_holds_in_any_order_and_any_number_of_times(claims: list[Claim], expected: list[Span]) -> None:
    for order in permutations(claims):
        assert shown(project([*order, *order], SUCCESSIVE)) == expected


PLANNED = starts("Otto", 30, said=10)
PLANS: dict[str, tuple[list[Claim], list[Span]]] = {
    "a plan is believed from its day on": ([PLANNED], [("Otto", 30, None)]),
    "an end before its day cancels it": ([PLANNED, left("Otto", 20)], []),
    "said once more after that, it stands again": (
        [PLANNED, left("Otto", 20), starts("Otto", 30, said=25)],
        [("Otto", 30, None)],
    ),
    "on another day": ([PLANNED, left("Otto", 20), starts("Otto", 40, said=25)], [("Otto", 40, None)]),
    "an earlier day that was cancelled makes no later plan finer": (
        [
            starts("Otto", 45, said=10),
            left("Otto", 20),
            replace(starts("Otto", 40, said=25), from_precision=31),
        ],
        [("Otto", 40, None)],
    ),
    "an end that was over when the plan was made is another one": (
        [PLANNED, ends("Otto", 5, said=20)],
        [("Otto", 30, None)],
    ),
    "an end said before the plan cancels nothing": ([left("Otto", 9), PLANNED], [("Otto", 30, None)]),
    "an end after its day ends it": (
        [PLANNED, ends("Otto", 35, said=20)],
        [("Otto", 30, 35)],
    ),
    "what is planned on the day it is said is no plan": (
        [starts("Otto", 10), ends("Otto", 3, said=20)],
        [("Otto", 10, None)],
    ),
}


@pytest.mark.parametrize("policy", [MANY, ONE, CONFIDENT, SUCCESSIVE])
@pytest.mark.parametrize(("claims", "expected"), PLANS.values(), ids=PLANS.keys())
def test_plans_may_be_cancelled_whatever_the_policy(policy: Policy, claims: list[Claim], expected: list[Span]) -> None:
    for order in permutations(claims):
        assert shown(project([*order, *order], policy)) == expected


@pytest.mark.parametrize("policy", [ONE, SUCCESSIVE])
def test_an_end_of_nothing_in_particular_is_of_plans_where_nothing_holds(policy: Policy) -> None:
    acme, quitting = starts("Acme", 1), left(None, 20)

    assert shown(project([acme, PLANNED, quitting], policy)) == [("Acme", 1, 20), ("Otto", 30, None)]
    assert shown(project([PLANNED, quitting], policy)) == []
    assert shown(project([acme, ends("Acme", 15), PLANNED, quitting], policy)) == [("Acme", 1, 15)]


@pytest.mark.parametrize("policy", [ONE, SUCCESSIVE])
def test_a_cancelled_plan_cuts_nothing(policy: Policy) -> None:
    beliefs = project([starts("Acme", 1), PLANNED, left("Otto", 20)], policy)

    assert shown(beliefs) == [("Acme", 1, None)]
    assert beliefs[0].cut_by == ""


@pytest.mark.parametrize("policy", [ONE, SUCCESSIVE])
def test_a_belief_says_what_cut_it(policy: Policy) -> None:
    otto = starts("Otto", 5)

    acme, after = project([starts("Acme", 1), otto], policy)
    (uncut,) = project([starts("Acme", 1, until=5)], policy)

    assert (acme.cut_by, after.cut_by, uncut.cut_by) == (otto.id, "", "")
    assert acme.id == uncut.id
    assert not acme.to_stated
    assert acme.fingerprint != replace(acme, cut_by="").fingerprint


@pytest.mark.parametrize("policy", [ONE, SUCCESSIVE])
def test_where_its_own_end_falls_on_the_cut_it_is_not_cut(policy: Policy) -> None:
    for own in (ends("Acme", 5), starts("Acme", 2, until=5)):
        acme, _ = project([starts("Acme", 1), starts("Otto", 5), own], policy)
        assert (acme.interval.end, acme.cut_by) == (day(5), "")


def test_an_end_of_nothing_in_particular_cuts_too_and_of_two_at_once_a_start_does() -> None:
    quitting, otto = left(None, 5), starts("Otto", 5)

    (acme,) = project([starts("Acme", 1), quitting], SUCCESSIVE)
    both, _ = project([starts("Acme", 1), quitting, otto], SUCCESSIVE)

    assert (acme.cut_by, both.cut_by) == (quitting.id, otto.id)


def test_what_overlaps_in_a_successive_slot_is_not_contested() -> None:
    beliefs = project([starts("Acme", 1), starts("Otto", 5), still("Acme", 7), still("Otto", 8)], SUCCESSIVE)

    assert [belief.contested for belief in beliefs] == [False, False]


def test_versions_end_with_what_is_cut() -> None:
    acme = replace(starts("Acme", 1), attributes={"role": "dev"})
    lead = replace(starts("Acme", 3, said=3), attributes={"role": "lead"})
    otto = starts("Otto", 5)

    beliefs = project([acme, lead, otto], SUCCESSIVE)

    assert shown(beliefs) == [("Acme", 1, 3), ("Acme", 3, 5), ("Otto", 5, None)]
    assert [belief.cut_by for belief in beliefs] == ["", otto.id, ""]


def test_slots_of_successive_predicates_have_no_target_and_take_ends_of_nothing_in_particular() -> None:
    policies = Predicates({"lives_in": SUCCESSIVE, "likes": MANY})
    slots = {policies.slot(place(one)) for one in (starts("Acme", 1), starts("Otto", 5), left(None, 9))}

    (slot,) = slots
    assert slot is not None
    assert slot.target is None
    assert policies.slot(place(replace(left(None, 9), predicate="likes"))) is None


@pytest.mark.parametrize("predicate", ["lives_in", "works_at", "boss", "partner_of", "drives", "phone", "studies_at"])
def test_what_follows_one_another_is_built_in(predicate: str) -> None:
    assert BUILT_IN_PREDICATES.policy(predicate).competition == SUCCESSIVE
    assert BUILT_IN_PREDICATES.policy("lives_at").competition == ONE


def test_successive_values_have_no_rule() -> None:
    assert policy_of(Cardinality.SUCCESSIVE, None).competition == SUCCESSIVE
    with pytest.raises(InvalidInput, match="leave it out for successive"):
        policy_of(Cardinality.SUCCESSIVE, WinningRule.LATEST)


def test_only_what_asserts_stands_beside_others_and_it_says_so_in_its_words() -> None:
    plain = starts("Acme", 1)

    assert beside(plain).words != plain.words
    assert beside(still("Acme", 1)).beside
    for wrong in (ends("Acme", 1), rejects("Acme", 1)):
        with pytest.raises(InvalidInput):
            replace(wrong, beside=True)


def test_structured_starts_leave_those_that_were_said_before_and_are_dated_by_that() -> None:
    acme, otto = works("Acme", 5), starts("Otto", 3, said=8)

    for claims in ([acme, replace(otto, extractor=STRUCTURED)], [replace(acme, extractor=STRUCTURED), otto]):
        assert shown(project(claims, SUCCESSIVE)) == [("Otto", 3, 5), ("Acme", 5, None)]


def test_structured_starts_cut_as_others_do() -> None:
    claims = [replace(one, extractor=STRUCTURED) for one in (starts("Acme", 1), starts("Otto", 5))]

    assert shown(project(claims, SUCCESSIVE)) == [("Acme", 1, 5), ("Otto", 5, None)]
