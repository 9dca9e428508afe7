"""What goes with erased evidence: acts that rest on it, who stood for others, names that only it gave."""

import json
from dataclasses import replace

from graphmem.model.claim import STRUCTURED, AssertedBy, Claim, ClaimKind
from graphmem.model.entity import TypedBy
from graphmem.model.erasure import (
    EverClaimed,
    EverDecided,
    NamedThen,
    Naming,
    ReplacedText,
    as_if_unsaid,
    renamed,
    resting_on,
    standing_for,
)
from graphmem.model.interval import BEGIN
from graphmem.model.projection.history import DatedClaim, DatedSameAs
from graphmem.model.projection.identity import SameAs
from tests.claims import claim, day

SAID = claim("rome", 0, said=0)
ACTED = replace(SAID, extractor=STRUCTURED, asserted_by=AssertedBy.PERSON, said_at=day(1), valid_from=BEGIN)


def ever(claim: Claim, act: str = "") -> EverClaimed:
    payload = json.dumps({"act": act}) if act else None
    return EverClaimed(dated=DatedClaim(claim=claim, recorded_at=day(1)), payload=payload)


CONFIRMED = replace(ACTED, episode_id="confirmed", protecting=True)
REJECTED = replace(ACTED, episode_id="rejected", kind=ClaimKind.REJECTS, statement="That is not so.", from_stated=False)
CORRECTED = replace(ACTED, episode_id="corrected", object_id="oslo", statement="Maya lives in Oslo.")
LOWERED = replace(
    ACTED, episode_id="chosen", kind=ClaimKind.LOWERS, object_id="oslo", cap=0.3, gave_way_to=CONFIRMED.id
)


def test_acts_rest_on_the_words_on_the_value_and_on_what_others_gave_way_to() -> None:
    acts = [ever(CONFIRMED, "confirm"), ever(REJECTED, "reject"), ever(CORRECTED, "correct"), ever(LOWERED, "choose")]
    assert resting_on([SAID], acts) == {CONFIRMED.id, REJECTED.id, LOWERED.id}


def test_a_value_that_somebody_else_asserts_stays_rejected_and_what_is_no_act_stays() -> None:
    again = replace(SAID, episode_id="another", statement="She lives in Rome.")
    assert resting_on([SAID], [ever(REJECTED, "reject"), ever(again)]) == frozenset()


def decided(member: str, other: str, began: int, ended: int | None = None, user: str = "") -> EverDecided:
    dated = DatedSameAs(same_as=SameAs(member=member, other=other, user=user), recorded_at=day(began))
    return EverDecided(
        id=f"{member} {other}", dated=dated if ended is None else replace(dated, superseded_at=day(ended))
    )


def test_the_first_seen_of_the_others_stands_for_them_while_all_were_the_same() -> None:
    seen = {"a": day(1), "b": day(2), "c": day(3)}
    left = standing_for([decided("a", "gone", 1, 9), decided("b", "gone", 3), decided("c", "gone", 9)], {"gone"}, seen)
    assert [(one.dated.same_as.member, one.dated.same_as.other) for one in left] == [("b", "a")]
    assert (left[0].dated.recorded_at, left[0].dated.superseded_at) == (day(3), day(9))
    assert standing_for([decided("gone", "a", 1)], {"gone"}, seen) == []
    kept = decided("b", "a", 1)
    assert standing_for([kept], {"gone"}, seen) == [kept]


def test_a_text_in_whose_place_an_erased_one_came_stands_until_the_next_one_that_is_left() -> None:
    rome, oslo, porto = (
        ReplacedText(id=id_, replaced_at=day(at), by=by, followed_at=day(at + 1) if then else None, followed_by=then)
        for at, (id_, by, then) in enumerate(
            [("rome", "oslo", "porto"), ("oslo", "porto", "faro"), ("porto", "faro", None)]
        )
    )

    assert as_if_unsaid([rome], {"oslo"}) == [rome]
    assert as_if_unsaid([rome, oslo], {"oslo", "porto"}) == [
        replace(rome, followed_at=oslo.followed_at, followed_by="faro")
    ]
    assert as_if_unsaid([oslo, rome, porto], {"oslo", "porto", "faro"}) == [
        replace(rome, followed_at=None, followed_by=None)
    ]
    assert as_if_unsaid([porto], {"faro"}) == [porto]


NAMING = Naming(
    names=("MAYA", "Maya"),
    names_at=(day(10), day(11)),
    said_at=(day(5), day(0)),
    types=("person", "oncology-patient"),
    types_by=(TypedBy.WORDS, TypedBy.CALLER),
    types_said_at=(day(5), day(0)),
    types_at=(day(10), day(11)),
)


def test_names_and_types_are_those_of_what_is_left() -> None:
    later = NamedThen(said_at=day(5), at=day(10), text="MAYA")
    left = renamed(NAMING, "maya", [later], ["person"])
    assert (left.names, left.said_at, left.types) == (("MAYA",), (day(5),), ("person",))


def test_a_spelling_that_nobody_else_has_is_the_key_and_a_type_of_nobody_else_goes_unless_it_is_listed() -> None:
    claimed = NamedThen(said_at=day(7), at=day(12), text=None)
    left = renamed(NAMING, "maya", [claimed], ["person"])
    assert (left.names, left.names_at, left.types) == (("maya",), (day(12),), ())
    listed = renamed(replace(NAMING, types=("thing", "person")), "maya", [claimed], ["person"])
    assert (listed.types, listed.types_said_at) == (("person",), (day(7),))
    assert renamed(NAMING, "maya", [], ["person"]) == Naming()
