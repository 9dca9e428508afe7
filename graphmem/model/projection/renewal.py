"""What a digest leaves of the one before it: beliefs follow the last reading of an episode, and the past stays put."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from graphmem.model.claim import AssertedBy, Claim
from graphmem.model.fragment import BESIDE_SUMMARY


@dataclass(frozen=True, slots=True)
class FormerClaim:
    """A claim of an earlier digest. ``replaced``: a later digest withdrew it, rather than a request."""

    claim: Claim
    retracted: bool
    replaced: bool


@dataclass(frozen=True, slots=True)
class Renewal:
    """The claims to write, and those to withdraw, by id."""

    write: tuple[Claim, ...]
    withdraw: tuple[str, ...]


def renew(former: Iterable[FormerClaim], proposed: Iterable[Claim], revision: int) -> Renewal:
    """What makes the claims of an episode those that this digest, number ``revision``, proposes.

    What is said as before stays as it is. What was withdrawn by request, or corrected, is not said again. What a
    language model said beside a summary is withdrawn only where the digest says the same words otherwise.
    """
    known = list(former)
    standing = {content_of(one.claim): one.claim for one in known if not one.retracted}
    refused = {one.claim.words for one in known if one.retracted and not one.replaced}
    wanted = {content_of(claim): claim for claim in proposed if claim.words not in refused}
    read = {claim.words for claim in wanted.values()}
    return Renewal(
        write=tuple(replace(claim, revision=revision) for key, claim in wanted.items() if key not in standing),
        withdraw=tuple(
            claim.id
            for key, claim in standing.items()
            if key not in wanted and (claim.extractor != BESIDE_SUMMARY or claim.words in read)
        ),
    )


def content_of(claim: Claim) -> tuple[object, ...]:
    """All that a claim says, whoever read it."""
    return (
        claim.words,
        claim.statement,
        claim.confidence,
        claim.importance,
        claim.category,
        *sorted(claim.attributes.items()),
        *(() if claim.asserted_by is AssertedBy.PASSING else (claim.asserted_by,)),
    )
