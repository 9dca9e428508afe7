"""What acts do to what was said before them, ahead of all else: ``rejects`` and ``lowers`` name one value of a slot.

They act on its ``starts`` and ``holds`` that were said earlier. What is rejected counts as never said. What is lowered
has at most the confidence of the cap, and at a cap of 0 counts as never said; a protecting start is not lowered. What
ends a value stays, whenever it was said.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate

from graphmem.model.claim import Claim, ClaimKind
from graphmem.model.interval import BEGIN
from graphmem.model.projection.slot import PlacedClaim

_ACTS = frozenset(kind for kind in ClaimKind if kind.is_act)


@dataclass(frozen=True, slots=True)
class _Acts:
    """The acts on one value. ``caps[i]`` is the least cap of all that were said at ``lowered_at[i]`` or later."""

    rejected_before: datetime
    dropped_before: datetime
    lowered_at: tuple[datetime, ...]
    caps: tuple[float, ...]

    def on(self, placed: PlacedClaim) -> Iterator[PlacedClaim]:
        """The claim as these acts leave it; nothing where it counts as never said."""
        dropped = placed.said_at < self.dropped_before and not placed.claim.protecting
        if placed.said_at >= self.rejected_before and not dropped:
            yield replace(
                placed,
                cap=None if placed.claim.protecting else self._cap(placed.said_at),
                rejected_before=self.rejected_before,
                dropped_before=self.dropped_before,
            )

    def _cap(self, said_at: datetime) -> float | None:
        later = bisect_right(self.lowered_at, said_at)
        return self.caps[later] if later < len(self.caps) else None


def after_acts(placed: Iterable[PlacedClaim]) -> list[PlacedClaim]:
    """The claims of a slot that say something of the world, as acts on their values leave them."""
    claims = list(placed)
    by_target: dict[str, list[Claim]] = defaultdict(list)
    for one in claims:
        if one.claim.kind in _ACTS:
            by_target[one.target].append(one.claim)
    if not by_target:
        return claims
    acts = {target: _acts(some) for target, some in by_target.items()}
    left: list[PlacedClaim] = []
    for one in claims:
        if one.asserts and one.target in acts:
            left += acts[one.target].on(one)
        elif one.claim.kind not in _ACTS:
            left.append(one)
    return left


def _acts(claims: Iterable[Claim]) -> _Acts:
    some = list(claims)
    lowering = sorted((one.said_at, one.cap) for one in some if one.cap is not None)
    least = [*accumulate((cap for _, cap in reversed(lowering)), min)]
    return _Acts(
        rejected_before=max((one.said_at for one in some if one.kind is ClaimKind.REJECTS), default=BEGIN),
        dropped_before=max((said_at for said_at, cap in lowering if cap <= 0), default=BEGIN),
        lowered_at=tuple(said_at for said_at, _ in lowering),
        caps=tuple(reversed(least)),
    )
