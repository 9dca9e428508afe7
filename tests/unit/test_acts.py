"""What people say of beliefs whose values are successive, and what is believed then. Days of 2025 are integers."""

from dataclasses import replace

import pytest

from graphmem.errors import Conflict, InvalidInput
from graphmem.model.acts import ActEvidence, Correction, Ground
from graphmem.model.belief import Belief
from graphmem.model.claim import Claim, ClaimKind
from graphmem.model.entity import Entity
from graphmem.model.interval import END
from graphmem.model.projection.predicate import SUCCESSIVE
from graphmem.model.projection.slot import place
from graphmem.model.projection.timeline import project
from graphmem.resolve.acts import choose, confirm, correct, reject
from tests.claims import claim, day

NOW = day(30)
ACME, OTTO = claim("Acme", 1, said=1), claim("Otto", 5, said=5)
STILL = claim("Acme", 7, kind=ClaimKind.HOLDS)
SAP = Correction(object=Entity(group_id="g", type="organization", name="SAP", first_seen=NOW), statement="It is SAP.")


def ground(value: str, *claims: Claim) -> Ground:
    """What an act on the belief of a value stands on."""
    beliefs = project(claims, SUCCESSIVE)
    (belief,) = (one for one in beliefs if one.first.object_id == value)
    return Ground(belief=belief, policy=SUCCESSIVE, beliefs=beliefs, claims=tuple(map(place, claims)))


def shown(beliefs: tuple[Belief, ...]) -> list[tuple[str | None, int, int | None]]:
    assert SAP.object
    names = {SAP.object.id: "SAP"}
    return [
        (
            names.get(belief.target, belief.first.object_id),
            (belief.interval.start - day(0)).days,
            None if belief.interval.end == END else (belief.interval.end - day(0)).days,
        )
        for belief in beliefs
    ]


def after(act: ActEvidence, *claims: Claim) -> list[tuple[str | None, int, int | None]]:
    return shown(project([*claims, *act.claims], SUCCESSIVE))


def test_what_is_corrected_cuts_what_the_wrong_value_cut() -> None:
    act = correct(ground("Otto", ACME, OTTO), NOW, SAP)

    assert after(act, ACME, OTTO) == [("Acme", 1, 5), ("SAP", 5, None)]
    assert not act.claims[0].beside


def test_a_corrected_start_cuts_where_it_is_now() -> None:
    earlier = Correction(statement="Otto, since the 3rd.", valid_from=day(3))

    act = correct(ground("Otto", ACME, OTTO), NOW, earlier)

    assert after(act, ACME, OTTO) == [("Acme", 1, 3), ("Otto", 3, None)]


def test_a_correction_of_what_is_over_leaves_what_followed_though_nobody_dated_that() -> None:
    otto = claim("Otto", 5)  # dated by when it was said
    since = replace(SAP, valid_from=day(1))

    assert after(correct(ground("Acme", ACME, otto), NOW, since), ACME, otto) == [("SAP", 1, 5), ("Otto", 5, None)]


def test_what_changed_was_right_until_then() -> None:
    moved = replace(SAP, changed_at=day(8))

    act = correct(ground("Otto", ACME, OTTO), NOW, moved)

    assert after(act, ACME, OTTO) == [("Acme", 1, 5), ("Otto", 5, 8), ("SAP", 8, None)]
    for wrong in (day(5), day(3)):
        with pytest.raises(InvalidInput, match="changed_at is no instant at which that held"):
            correct(ground("Otto", ACME, OTTO), NOW, replace(SAP, changed_at=wrong))


def test_a_correction_leaves_alone_what_the_wrong_value_stood_beside() -> None:
    told = (ACME, OTTO, STILL)

    act = correct(ground("Otto", *told), NOW, SAP)

    assert after(act, *told) == [("Acme", 1, None), ("SAP", 5, None)]
    assert act.claims[0].beside


@pytest.mark.parametrize("told", [(ACME, OTTO), (ACME, OTTO, STILL)])
def test_confirming_one_value_changes_no_other(told: tuple[Claim, ...]) -> None:
    before = shown(project(told, SUCCESSIVE))

    assert after(confirm(ground("Otto", *told), NOW), *told) == before


def test_what_a_rejected_value_had_cut_runs_on() -> None:
    assert after(reject(ground("Otto", ACME, OTTO), NOW), ACME, OTTO) == [("Acme", 1, None)]


def test_values_that_may_both_hold_are_no_choice() -> None:
    told = (ACME, OTTO, STILL)

    act = choose(ground("Otto", *told), NOW, OTTO.id)

    assert [one.kind for one in act.claims] == [ClaimKind.STARTS]
    with pytest.raises(Conflict):
        choose(ground("Otto", *told), NOW, ACME.id)
