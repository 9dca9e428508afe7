"""What becomes of proposed claims: when they start, and why one is none."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graphmem.errors import InvalidInput
from graphmem.model.claim import ClaimKind, Scalar
from graphmem.model.episode import Episode
from graphmem.model.evidence import ResolvedEvidence, StructuredClaim
from graphmem.model.fragment import Fragment, ProposedClaim, ThingName
from graphmem.model.interval import BEGIN, END
from graphmem.resolve.plan import resolve
from graphmem.resolve.structured import complete, resolve_structured
from tests.episodes import stored

SAID = datetime(2025, 7, 16, tzinfo=UTC)
THEN = datetime(2015, 1, 1, tzinfo=UTC)
LATER = datetime(2026, 1, 1, tzinfo=UTC)
MAYA, ROME = ThingName("Maya", "person"), ThingName("Rome", "place")


EPISODE = Episode(group_id="g", session="s", content="…", occurred_at=SAID)
LIVED = ProposedClaim(
    kind=ClaimKind.STARTS,
    subject=MAYA,
    predicate="lives_in",
    object=ROME,
    statement="Maya lived in Rome.",
    quote_start=0,
    quote_end=1,
    confidence=0.9,
)


def resolved(
    valid_from: datetime | None,
    valid_to: datetime | None,
    *,
    kind: ClaimKind = ClaimKind.STARTS,
    thing: ThingName = ROME,
    attributes: Sequence[Mapping[str, Scalar]] = ({},),
) -> ResolvedEvidence:
    proposed = replace(LIVED, kind=kind, object=thing, valid_from=valid_from, valid_to=valid_to)
    claims = tuple(replace(proposed, attributes=each) for each in attributes)
    return resolve(stored(EPISODE), Fragment(mentions=(), claims=claims, extractor="test", version="1"))


@pytest.mark.parametrize(
    ("valid_from", "valid_to", "start", "end"),
    [
        (None, None, SAID, END),
        (THEN, None, THEN, END),
        (None, THEN, BEGIN, THEN),
        (None, SAID, BEGIN, SAID),
        (None, LATER, SAID, LATER),
        (THEN, LATER, THEN, LATER),
    ],
)
def test_what_is_not_stated_starts_when_it_is_said_or_is_unknown_if_it_was_over_by_then(
    valid_from: datetime | None, valid_to: datetime | None, start: datetime, end: datetime
) -> None:
    evidence = resolved(valid_from, valid_to)

    (claim,) = evidence.claims
    assert (claim.valid_from, claim.valid_to) == (start, end)
    assert (claim.from_stated, claim.to_stated) == (valid_from is not None, valid_to is not None)
    assert evidence.dropped == {}


def test_what_ends_ends_when_that_is_said_or_stated() -> None:
    (claim,) = resolved(THEN, None, kind=ClaimKind.ENDS).claims
    assert (claim.valid_from, claim.valid_to) == (THEN, END)


def test_what_stands_beside_others_does_so_as_a_claim_and_what_ends_does_not() -> None:
    for kind, beside in ((ClaimKind.STARTS, True), (ClaimKind.HOLDS, True), (ClaimKind.ENDS, False)):
        proposed = replace(LIVED, kind=kind, beside=True)
        fragment = Fragment(mentions=(), claims=(proposed,), extractor="test", version="1")
        (claim,) = resolve(stored(EPISODE), fragment).claims
        assert claim.beside is beside


def test_a_structured_claim_stands_beside_others_as_it_says_or_as_the_one_that_it_corrects() -> None:
    told = StructuredClaim(subject=MAYA, predicate="works_at", object=ROME, valid_from=THEN, occurred_at=SAID)
    second = complete(replace(told, beside=True))
    _, (former,), _ = resolve_structured("g", [second])

    assert (former.beside, complete(told).beside) == (True, False)
    assert complete(told, former).beside
    assert not complete(replace(told, beside=False), former).beside
    assert not complete(replace(told, kind=ClaimKind.ENDS), former).beside
    with pytest.raises(InvalidInput):
        complete(replace(told, kind=ClaimKind.ENDS, beside=True))


def test_of_two_that_differ_in_attributes_alone_one_is_counted() -> None:
    roles = [{"role": "dev"}, {"role": "dev"}, {"role": "lead"}]
    evidence = resolved(None, None, attributes=roles)
    assert [claim.attributes for claim in evidence.claims] == [{"role": "lead"}]
    assert evidence.dropped == {"same_words": 1}


@pytest.mark.parametrize(
    ("confidence", "importance", "category", "admitted"),
    [
        (0.4, 0.2, "hobby", True),
        (0.39, 1.0, "hobby", False),
        (1.0, 0.19, "hobby", False),
        (0.1, 0.1, "", True),
    ],
)
def test_a_fact_that_is_unsure_or_matters_little_is_counted_and_no_claim(
    confidence: float, importance: float, category: str, *, admitted: bool
) -> None:
    fact = replace(LIVED, confidence=confidence, importance=importance, category=category)

    evidence = resolve(stored(EPISODE), Fragment(mentions=(), claims=(fact,), extractor="test", version="1"))

    assert (len(evidence.claims), evidence.dropped.get("not_admitted", 0)) == (admitted, not admitted)


def test_what_is_no_claim_is_counted_by_its_reason() -> None:
    assert resolved(LATER, THEN).dropped == {"contradicting_times": 1}
    assert resolved(None, None, thing=ThingName("MAYA", "person")).dropped == {"about_itself": 1}
    assert resolved(LATER, THEN).claims == ()
