"""Sharing: what a user was told is shown to everybody in the group, by a dated act of that user.

Shared is a value under the names in which claims have it: what is said of it under another name is not shared with
it, whatever is merged. So neither a merge nor another value ever widens what was shared.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from graphmem.model.belief import Belief
from graphmem.model.claim import Claim
from graphmem.model.ids import digest
from graphmem.model.projection.identity import Identities
from graphmem.model.scope import EVERYBODY


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedValue:
    """A value of a user's that may be shared: subject, predicate and target as claims have them."""

    group_id: str
    user: str
    subject_id: str
    predicate: str
    target: str
    object_id: str | None = None
    day: str = ""
    open: bool = False
    distinguished_by: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        ends = (self.subject_id, self.predicate, self.target)
        return digest("shared", self.group_id, self.user, *ends, self.day, self.open, *self.distinguished_by)


def value_of(claim: Claim) -> SharedValue:
    """What is shared if the value of a claim is."""
    return SharedValue(
        group_id=claim.group_id,
        user=claim.user,
        subject_id=claim.subject_id,
        predicate=claim.predicate,
        target=claim.target,
        object_id=claim.object_id,
        day=claim.day,
        open=claim.open,
        distinguished_by=claim.distinguished_by,
    )


def values_of(belief: Belief, claims: Mapping[str, Claim]) -> frozenset[SharedValue]:
    """The values, under each of their names, of the claims that support a belief."""
    return frozenset(value_of(claims[id_]) for id_ in belief.supported_by)


def is_shared(belief: Belief, claims: Mapping[str, Claim], shared: AbstractSet[str], identities: Identities) -> bool:
    """Whether everybody may see a belief: the values of all claims that support it are shared, by their ids.

    And everybody takes the names in these claims for the entities that its user does, so that no private merge shows.
    """
    support = [claims[id_] for id_ in belief.supported_by]
    if not shared or not support or any(value_of(claim).id not in shared for claim in support):
        return False
    return all(_ends(claim, identities) == (belief.subject_id, belief.target) for claim in support)


def was_shared(ends: tuple[str, str], values: Iterable[SharedValue], shared: AbstractSet[str]) -> bool:
    """Whether everybody may see a version that is believed no more, by subject and target.

    ``values`` are all that it may have rested on, whoever was who at the time. Its ends must be among their names.
    """
    rested_on = list(values)
    return all(one.id in shared for one in rested_on) and ends in {(one.subject_id, one.target) for one in rested_on}


def _ends(claim: Claim, identities: Identities) -> tuple[str, str]:
    """Subject and target of a claim as everybody takes them."""
    subject = identities.of(claim.subject_id, session=claim.session, user=EVERYBODY)
    if claim.object_id is None:
        return subject, claim.target
    return subject, identities.of(claim.object_id, session=claim.session, user=EVERYBODY)
