"""Where beliefs compete, how a claim stands there, between identities from an instant on, and what acts leave of it.

Acts (``rejects`` and ``lowers``) name one value of a slot. They act on its ``starts`` and ``holds`` that were said
earlier (``Telling``), ahead of all else. What is rejected counts as never said. What is lowered has at most the
confidence of the cap, and at a cap of 0 counts as never said; a protecting start is not lowered. What ends a value
stays, whenever it was said.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import accumulate
from typing import Protocol

from graphmem.model.claim import NEVER, AssertedBy, Claim, ClaimKind, Telling
from graphmem.model.projection.identity import EACH_ITSELF, Identities


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """(user, subject identity, predicate); with the target's identity too if the predicate holds many.

    ``day`` says on which days an event happened: events of other days never compete. It is "" for what lasts. Of
    ``open`` claims all hold: they compete neither with each other nor with curated ones. Those of one
    predicate and object are ``distinguished_by`` their verb and detail.
    """

    user: str
    subject_id: str
    predicate: str
    target: str | None
    day: str = ""
    open: bool = False
    distinguished_by: tuple[str, ...] = ()


class Valued(Protocol):
    """What tells which value of which slot it is: a belief of any form."""

    @property
    def user(self) -> str: ...
    @property
    def subject_id(self) -> str: ...
    @property
    def predicate(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def day(self) -> str: ...
    @property
    def open(self) -> bool: ...
    @property
    def distinguished_by(self) -> tuple[str, ...]: ...


def slot_of_value(valued: Valued | Claim) -> Slot:
    """The slot of the value of a belief or a claim, as if its predicate held many values."""
    return Slot(
        user=valued.user,
        subject_id=valued.subject_id,
        predicate=valued.predicate,
        target=valued.target,
        day=valued.day,
        open=valued.open,
        distinguished_by=valued.distinguished_by,
    )


@dataclass(frozen=True, kw_only=True)
class PlacedClaim:
    """A claim in its slot. ``start`` is its ``valid_from``, or (``inferred``) follows from the slot's other claims.

    ``corrected_by`` is the id of another claim of its value that says since when it is so (``corrections``), "" for
    none.

    ``cap`` is the most confidence that it has since something said later lowered it; None if nothing did. What was said
    of its value before ``rejected_before`` counts as never said, and before ``dropped_before`` unless it protects.
    """

    claim: Claim
    subject_id: str
    object_id: str | None
    target: str
    start: datetime
    inferred: bool = False
    corrected_by: str = ""
    cap: float | None = None
    rejected_before: Telling = NEVER
    dropped_before: Telling = NEVER

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def said_at(self) -> datetime:
        return self.claim.said_at

    @property
    def telling(self) -> Telling:
        """When and where it was said."""
        return self.claim.telling

    @cached_property
    def asserts(self) -> bool:
        """Whether it says that something holds."""
        return self.claim.kind.asserts

    @property
    def ends(self) -> bool:
        """Whether it says that something ends."""
        return self.claim.kind is ClaimKind.ENDS

    @property
    def confidence(self) -> float:
        """The confidence of the claim, at most the cap to which an act lowered it."""
        return self.claim.confidence if self.cap is None else min(self.claim.confidence, self.cap)

    @property
    def rank(self) -> int:
        """By who asserted it. What was lowered gives way: it ranks with what a model inferred."""
        return (self.claim.asserted_by if self.cap is None else AssertedBy.MODEL).rank

    @cached_property
    def order(self) -> tuple[datetime, bool, Telling, float, str]:
        """The order of claims in a slot: (start, inferred, telling, confidence before it was lowered, id).

        A start that was corrected follows from other claims, too.
        """
        follows = self.inferred or self.corrected_by != ""
        return (self.start, follows, self.telling, self.claim.confidence, self.claim.id)


def place(claim: Claim, identities: Identities = EACH_ITSELF) -> PlacedClaim:
    """The claim with the identities of its ends, as the session and the user that it comes from know them."""
    subject = identities.of(claim.subject_id, session=claim.session, user=claim.user)
    thing = claim.object_id and identities.of(claim.object_id, session=claim.session, user=claim.user)
    return PlacedClaim(
        claim=claim, subject_id=subject, object_id=thing, target=thing or claim.target, start=claim.valid_from
    )


_ACTS = frozenset(kind for kind in ClaimKind if kind.is_act)


@dataclass(frozen=True, slots=True)
class _Acts:
    """The acts on one value. ``caps[i]`` is the least cap of all that were said at ``lowered_at[i]`` or later."""

    rejected_before: Telling
    dropped_before: Telling
    lowered_at: tuple[Telling, ...]
    caps: tuple[float, ...]

    def on(self, placed: PlacedClaim) -> Iterator[PlacedClaim]:
        """The claim as these acts leave it; nothing where it counts as never said."""
        dropped = placed.telling < self.dropped_before and not placed.claim.protecting
        if placed.telling >= self.rejected_before and not dropped:
            yield replace(
                placed,
                cap=None if placed.claim.protecting else self._cap(placed.telling),
                rejected_before=self.rejected_before,
                dropped_before=self.dropped_before,
            )

    def _cap(self, telling: Telling) -> float | None:
        later = bisect_right(self.lowered_at, telling)
        return self.caps[later] if later < len(self.caps) else None


def after_acts(placed: Iterable[PlacedClaim]) -> list[PlacedClaim]:
    """The claims of a slot that say something of the world, as acts on their values leave them."""
    claims = list(placed)
    by_target: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.claim.kind in _ACTS:
            by_target[claim.target].append(claim.claim)
    if not by_target:
        return claims
    acts = {target: _acts(acting) for target, acting in by_target.items()}
    left: list[PlacedClaim] = []
    for claim in claims:
        if claim.asserts and claim.target in acts:
            left += acts[claim.target].on(claim)
        elif claim.claim.kind not in _ACTS:
            left.append(claim)
    return left


def _acts(claims: Iterable[Claim]) -> _Acts:
    known = list(claims)
    lowering = sorted((claim.telling, claim.cap) for claim in known if claim.cap is not None)
    least = [*accumulate((cap for _, cap in reversed(lowering)), min)]
    return _Acts(
        rejected_before=max((claim.telling for claim in known if claim.kind is ClaimKind.REJECTS), default=NEVER),
        dropped_before=max((telling for telling, cap in lowering if cap <= 0), default=NEVER),
        lowered_at=tuple(telling for telling, _ in lowering),
        caps=tuple(reversed(least)),
    )
