"""Where beliefs compete, and how a claim stands there: between identities, from an instant on."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from graphmem.model.claim import Claim
from graphmem.model.projection.identity import EACH_ITSELF, Identities


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """(user, subject identity, predicate); with the target's identity too if the predicate holds many.

    ``day`` says on which days an event happened: events of other days never compete. It is "" for what lasts. Of
    ``open`` claims all hold: they compete neither with each other nor with curated ones. Those of one
    predicate and object are ``told_by`` their verb and detail.
    """

    user: str
    subject_id: str
    predicate: str
    target: str | None
    day: str = ""
    open: bool = False
    told_by: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Placed:
    """A claim in its slot. ``start`` is its ``valid_from``, or (``inferred``) follows from the slot's other claims."""

    claim: Claim
    subject_id: str
    object_id: str | None
    target: str
    start: datetime
    inferred: bool = False

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def said_at(self) -> datetime:
        return self.claim.said_at

    @cached_property
    def asserts(self) -> bool:
        """Whether it says that something holds; else it says that something ends."""
        return self.claim.kind.asserts

    @cached_property
    def order(self) -> tuple[datetime, bool, datetime, float, str]:
        """The order of claims in a slot: (start, inferred, said_at, confidence, id)."""
        return (self.start, self.inferred, self.claim.said_at, self.claim.confidence, self.claim.id)


def place(claim: Claim, identities: Identities = EACH_ITSELF) -> Placed:
    """The claim with the identities of its ends, as the session and the user that it comes from know them."""
    subject = identities.of(claim.subject_id, session=claim.session, user=claim.user)
    thing = claim.object_id and identities.of(claim.object_id, session=claim.session, user=claim.user)
    return Placed(
        claim=claim, subject_id=subject, object_id=thing, target=thing or claim.target, start=claim.valid_from
    )
