"""One small table for every rule of ``project``. Days of 2025 are integers; a claim is read left to right."""

from dataclasses import replace
from itertools import permutations

import pytest

from graphmem.errors import InvalidInput
from graphmem.model.belief import Belief
from graphmem.model.claim import AssertedBy, Claim, ClaimKind
from graphmem.model.interval import BEGIN, END
from graphmem.model.projection.predicate import MANY, ONE, Cardinality, Policy, WinningRule
from graphmem.model.projection.timeline import project
from tests.claims import claim, day

CONFIDENT = Policy(Cardinality.ONE, WinningRule.CONFIDENT)


def until(value: str, end: int, *, said: int = 20) -> Claim:
    """Only the end was stated."""
    return replace(claim(value, 0, until=end, said=said), valid_from=BEGIN, from_stated=False)


def ends(value: str | None, at: int, *, said: int | None = None) -> Claim:
    return claim(value, at, kind=ClaimKind.ENDS, said=at if said is None else said)


def rejects(value: str, said: int) -> Claim:
    return replace(ends(value, said), kind=ClaimKind.REJECTS, valid_from=BEGIN, from_stated=False)


def lowers(value: str, cap: float, said: int) -> Claim:
    return replace(rejects(value, said), kind=ClaimKind.LOWERS, cap=cap)


def confirmed(value: str, start: int, *, said: int) -> Claim:
    return replace(claim(value, start, said=said, confidence=1.0), protecting=True, asserted_by=AssertedBy.PERSON)


def by(who: AssertedBy, one: Claim) -> Claim:
    return replace(one, asserted_by=who, episode_id=f"{one.episode_id}{who}")


def shown(beliefs: tuple[Belief, ...]) -> list[tuple[str | None, int | None, int | None]]:
    return [
        (
            belief.first.object_id,
            None if belief.interval.start == BEGIN else (belief.interval.start - day(0)).days,
            None if belief.interval.end == END else (belief.interval.end - day(0)).days,
        )
        for belief in beliefs
    ]


CASES: dict[str, tuple[Policy, list[Claim], list[tuple[str | None, int | None, int | None]]]] = {
    "many: a start runs on": (MANY, [claim("A", 1)], [("A", 1, None)]),
    "many: to its stated end": (MANY, [claim("A", 1, until=5)], [("A", 1, 5)]),
    "many: to the first ends at or after it": (MANY, [claim("A", 1), ends("A", 7), ends("A", 4)], [("A", 1, 4)]),
    "many: a stated end is not moved by an ends": (MANY, [claim("A", 1, until=9), ends("A", 4)], [("A", 1, 9)]),
    "many: overlapping pieces coalesce": (MANY, [claim("A", 1, until=5), claim("A", 3, until=8)], [("A", 1, 8)]),
    "many: touching pieces coalesce": (MANY, [claim("A", 1, until=5), claim("A", 5, until=8)], [("A", 1, 8)]),
    "many: disjoint stays stay apart": (
        MANY,
        [claim("A", 1, until=3), claim("A", 6, until=8)],
        [("A", 1, 3), ("A", 6, 8)],
    ),
    "many: an ends without an earlier start makes nothing": (MANY, [ends("A", 4)], []),
    "many: an ends at the very start leaves nothing": (MANY, [claim("A", 4, said=1), ends("A", 4)], []),
    "one: the next start of another value cuts": (
        ONE,
        [claim("A", 1), claim("B", 5)],
        [("A", 1, 5), ("B", 5, None)],
    ),
    "one: A, A, B is two beliefs": (
        ONE,
        [claim("A", 1), claim("A", 3), claim("B", 5)],
        [("A", 1, 5), ("B", 5, None)],
    ),
    "one: A, B, A is three beliefs": (
        ONE,
        [claim("A", 1), claim("B", 3), claim("A", 5)],
        [("A", 1, 3), ("B", 3, 5), ("A", 5, None)],
    ),
    "one: what was cut never resumes": (
        ONE,
        [claim("A", 1, until=9), claim("B", 3, until=5)],
        [("A", 1, 3), ("B", 3, 5)],
    ),
    "one: an ends without an object ends what there is": (ONE, [claim("A", 1), ends(None, 4)], [("A", 1, 4)]),
    "one: an ends of another object ends nothing": (ONE, [claim("A", 1), ends("B", 4)], [("A", 1, None)]),
    "one: of two starts at one instant the later said wins": (
        ONE,
        [claim("A", 3, said=3), claim("B", 3, said=5)],
        [("B", 3, None)],
    ),
    "ends said later, dated before a defaulted start, cancels it": (MANY, [claim("A", 10), ends("A", 3, said=20)], []),
    "but not a stated start": (MANY, [claim("A", 10, said=10), ends("A", 3, said=20)], [("A", 10, None)]),
    "nor one said after it": (MANY, [ends("A", 3, said=5), claim("A", 10)], [("A", 10, None)]),
    "one: a stated start of another value, said later, cancels a defaulted one": (
        ONE,
        [claim("Rome", 10), claim("Oslo", 3, said=15)],
        [("Oslo", 3, None)],
    ),
    "one: unless it was over before the defaulted start": (
        ONE,
        [claim("Rome", 10), claim("Oslo", 3, until=5, said=15)],
        [("Oslo", 3, 5), ("Rome", 10, None)],
    ),
    "many: of what only has an end the start is unknown": (MANY, [until("A", 5)], [("A", None, 5)]),
    "one: likewise, where nothing else held before": (
        ONE,
        [until("A", 5), claim("B", 7)],
        [("A", None, 5), ("B", 7, None)],
    ),
    "one: what only has an end holds from the latest other start before its end": (
        ONE,
        [claim("B", 1, said=1), claim("C", 3, said=3), until("A", 5), claim("D", 7)],
        [("B", 1, 3), ("A", 3, 5), ("D", 7, None)],
    ),
    "one: or from the end of that, if it is known": (
        ONE,
        [claim("B", 1, until=3, said=1), until("A", 5)],
        [("B", 1, 3), ("A", 3, 5)],
    ),
    "one: of two that only have an end, one follows the other": (
        ONE,
        [until("A", 5), until("B", 2)],
        [("B", None, 2), ("A", 2, 5)],
    ),
    "one: what only has an end shows nothing of a defaulted start": (
        ONE,
        [until("A", 5), claim("B", 6)],
        [("A", None, 5), ("B", 6, None)],
    ),
    "many: another value cancels nothing": (
        MANY,
        [claim("Rome", 10)],
        [("Rome", 10, None)],
    ),
    "holds starts where nothing covers it": (MANY, [claim("A", 4, kind=ClaimKind.HOLDS)], [("A", 4, None)]),
    "holds extends nothing": (
        ONE,
        [claim("A", 1, until=5), claim("A", 3, kind=ClaimKind.HOLDS, until=9)],
        [("A", 1, 5)],
    ),
    "one: a start that ends as it begins does not stand in the way of a holds": (
        ONE,
        [claim("A", 4, said=9), ends("A", 4), claim("B", 4, kind=ClaimKind.HOLDS)],
        [("B", 4, None)],
    ),
    "one: holds of another value than the one believed is no start": (
        ONE,
        [claim("A", 1), claim("B", 3, kind=ClaimKind.HOLDS)],
        [("A", 1, None)],
    ),
    "confident: the most confident claim is believed, and the other resumes": (
        CONFIDENT,
        [claim("A", 1, confidence=0.5), claim("B", 3, until=6, confidence=0.9)],
        [("A", 1, 3), ("B", 3, 6), ("A", 6, None)],
    ),
    "confident: of equal confidence the later start is believed": (
        CONFIDENT,
        [claim("A", 1), claim("B", 3)],
        [("A", 1, 3), ("B", 3, None)],
    ),
    "confident: what a person asserted goes before what is surer, and that before what a model inferred": (
        CONFIDENT,
        [
            by(AssertedBy.PERSON, claim("A", 1, until=9)),
            claim("B", 3, confidence=0.6),
            by(AssertedBy.MODEL, claim("C", 4, confidence=0.9)),
        ],
        [("A", 1, 9), ("B", 9, None)],
    ),
    "many: what is rejected is as never said, and what is said after that is said": (
        MANY,
        [claim("A", 1), rejects("A", 5), claim("A", 5), rejects("B", 9)],
        [("A", 5, None)],
    ),
    "one: what a rejected value had cut runs on": (
        ONE,
        [claim("A", 1), claim("B", 5), rejects("B", 8)],
        [("A", 1, None)],
    ),
    "one: an ends stays, whenever it was said": (
        ONE,
        [claim("A", 1), ends("A", 4), rejects("A", 8), claim("A", 2, said=9)],
        [("A", 2, 4)],
    ),
    "one: what is lowered changes nothing else, and what is lowered to nothing is as never said": (
        ONE,
        [claim("A", 1), claim("B", 5), claim("C", 7), lowers("B", 0.3, 8), lowers("C", 0, 8)],
        [("A", 1, 5), ("B", 5, None)],
    ),
    "confident: what is lowered gives way, even of what a person asserted": (
        CONFIDENT,
        [by(AssertedBy.PERSON, claim("A", 1)), claim("B", 3, confidence=0.4), lowers("A", 0.3, 5)],
        [("A", 1, 3), ("B", 3, None)],
    ),
    "confident: what is confirmed is not lowered": (
        CONFIDENT,
        [confirmed("A", 1, said=4), claim("B", 3, confidence=0.9), lowers("A", 0, 5)],
        [("A", 1, None)],
    ),
    "confident: what is confirmed gives way to a newer equal, is ended and rejected": (
        CONFIDENT,
        [
            confirmed("A", 1, said=4),
            by(AssertedBy.PERSON, claim("B", 3, until=5, confidence=1.0)),
            ends("A", 7),
            confirmed("C", 9, said=9),
            rejects("C", 10),
        ],
        [("A", 1, 3), ("B", 3, 5), ("A", 5, 7)],
    ),
}


@pytest.mark.parametrize(("policy", "claims", "expected"), CASES.values(), ids=CASES.keys())
def test_each_sentence_holds_in_any_order_and_any_number_of_times(
    policy: Policy, claims: list[Claim], expected: list[tuple[str | None, int | None, int | None]]
) -> None:
    for order in permutations(claims):
        assert shown(project([*order, *order], policy)) == expected


def test_statement_is_of_the_first_claim_and_confidence_the_highest() -> None:
    first, second = claim("A", 1, confidence=0.4), claim("A", 3, confidence=0.8)

    (belief,) = project([second, first], MANY)

    assert (belief.first, belief.confidence) == (first, 0.8)


def test_a_holds_lends_its_confidence_to_the_belief_it_supports() -> None:
    (belief,) = project([claim("A", 1, confidence=0.4), claim("A", 3, kind=ClaimKind.HOLDS, confidence=0.9)], MANY)

    assert belief.confidence == 0.9


def test_a_belief_is_contested_where_the_newest_sentence_loses() -> None:
    rome, oslo = claim("Rome", 10, said=10), claim("Oslo", 3, until=12, said=15)
    still = claim("Oslo", 15, kind=ClaimKind.HOLDS)

    for newest in (oslo, still):
        beliefs = project([rome, claim("Oslo", 3, said=4), newest], ONE)
        assert shown(beliefs) == [("Oslo", 3, 10), ("Rome", 10, None)]
        assert [belief.contested for belief in beliefs] == [False, True]


@pytest.mark.parametrize(
    ("policy", "claims"),
    [
        (ONE, [claim("A", 1), claim("B", 5)]),  # an ordinary succession
        (ONE, [claim("B", 5, said=5), claim("A", 1, said=15)]),  # what was before, told later
        (ONE, [claim("B", 5, said=5), claim("A", 1, until=5, said=15)]),
        (ONE, [claim("A", 1, said=5), claim("A", 3, said=6)]),  # a corrected start
        (MANY, [claim("A", 1, said=5, confidence=0.9), claim("A", 3, said=6)]),
        (CONFIDENT, [claim("A", 1, confidence=0.5), claim("B", 5, confidence=0.9)]),
    ],
)
def test_what_may_both_be_so_is_not_contested(policy: Policy, claims: list[Claim]) -> None:
    assert not any(belief.contested for belief in project(claims, policy))


def test_what_was_lowered_contests_no_more_where_confidence_decides() -> None:
    sure, newer = claim("A", 1, confidence=0.9), claim("B", 3, said=8, confidence=0.5)

    (before,) = project([sure, newer], CONFIDENT)
    (after,) = project([sure, newer, lowers("B", 0.3, 9)], CONFIDENT)

    assert (before.contested, after.contested, after.id) == (True, False, before.id)


def test_a_belief_says_that_it_was_confirmed_and_what_is_no_evidence_of_it() -> None:
    old, new = claim("A", 1, confidence=0.9), claim("A", 6, confidence=0.8)

    (plain,) = project([new], MANY)
    (belief,) = project([old, new, rejects("A", 5), lowers("A", 0.3, 9)], MANY)
    (sure,) = project([old, new, rejects("A", 5), confirmed("A", 6, said=7), lowers("A", 0, 9)], MANY)

    assert (belief.first, belief.confidence, belief.rejected_before.at, belief.protected) == (new, 0.3, day(5), False)
    assert (sure.confidence, sure.rejected_before.at, sure.dropped_before.at, sure.protected) == (
        1.0,
        day(5),
        day(9),
        True,
    )
    assert plain.id == belief.id == sure.id
    assert len({plain.fingerprint, belief.fingerprint, sure.fingerprint}) == 3


def test_acts_of_no_value_and_caps_of_others_are_refused() -> None:
    act = lowers("A", 0.3, 1)

    for wrong in (
        {"object_id": None},
        {"cap": None},
        {"kind": ClaimKind.REJECTS},
        {"kind": ClaimKind.ENDS},
        {"protecting": True},
    ):
        with pytest.raises(InvalidInput):
            replace(act, **wrong)


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(ValueError, match="denies"):
        ClaimKind("denies")


def test_users_and_values_make_different_beliefs() -> None:
    mine = claim("A", 1)

    ids = {belief.id for c in (mine, replace(mine, user="bo"), claim("B", 1)) for belief in project([c], MANY)}

    assert len(ids) == 3


def at_work(start: int, **attributes: str) -> Claim:
    return replace(claim("Acme", start, said=start), attributes=attributes)


def versions(*claims: Claim, policy: Policy = MANY) -> list[tuple[int, int | None, dict[str, object]]]:
    return [
        (start or 0, end, dict(belief.attributes))
        for belief, (_, start, end) in zip(project(claims, policy), shown(project(claims, policy)), strict=True)
    ]


def test_another_value_of_an_attribute_starts_a_version() -> None:
    dev, lead = at_work(1, role="dev"), at_work(6, role="lead")

    assert versions(dev, lead) == versions(lead, dev) == [(1, 6, {"role": "dev"}), (6, None, {"role": "lead"})]


def test_who_is_silent_on_an_attribute_supports_any_value_of_it() -> None:
    assert versions(at_work(1, role="dev"), at_work(3), at_work(8)) == [(1, None, {"role": "dev"})]
    assert versions(at_work(1), at_work(3, role="dev")) == [(1, None, {"role": "dev"})]
    assert versions(at_work(1, role="dev"), at_work(3, team="web")) == [(1, None, {"role": "dev", "team": "web"})]


def test_a_version_rests_on_claims_that_do_not_say_otherwise() -> None:
    sure = replace(at_work(7, role="lead"), confidence=0.9)
    before, after = project([at_work(1, role="dev"), at_work(6, role="lead"), sure], MANY)

    assert (before.confidence, after.confidence) == (0.5, 0.9)
    assert (before.first.attributes, after.first.attributes) == ({"role": "dev"}, {"role": "lead"})


def test_versions_are_made_where_one_value_holds_too() -> None:
    moved = replace(claim("Beta", 9, said=9), attributes={"role": "chief"})

    assert versions(at_work(1, role="dev"), at_work(6, role="lead"), moved, policy=ONE) == [
        (1, 6, {"role": "dev"}),
        (6, 9, {"role": "lead"}),
        (9, None, {"role": "chief"}),
    ]


def labelled(start: int, category: str, said: int) -> Claim:
    return replace(claim("A", start, said=said), category=category, from_stated=False)


def test_the_newest_category_wins_and_is_no_part_of_what_is_believed() -> None:
    (old,) = project([labelled(1, "hobby", 1)], MANY)
    (new,) = project([labelled(1, "hobby", 1), labelled(3, "habit", 3), labelled(2, "", 5)], MANY)

    assert (old.category, new.category, new.id) == ("hobby", "habit", old.id)
    assert new.fingerprint != old.fingerprint
