"""``project``: the beliefs of one slot as a pure function of the claims standing in it (design §5).

The order of the claims, and how often each is given, make no difference.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from graphmem.model.belief import Belief
from graphmem.model.claim import Claim, Kind
from graphmem.model.interval import END, Interval
from graphmem.model.predicate import Cardinality, Policy, Rule


def project(claims: Iterable[Claim], policy: Policy) -> tuple[Belief, ...]:
    """The beliefs that the standing claims of one slot amount to, in order of valid time."""
    standing = sorted({claim.id: claim for claim in claims}.values(), key=lambda claim: claim.order)
    ends = [claim for claim in standing if claim.kind is Kind.ENDS]
    asserted = [claim for claim in standing if claim.kind is not Kind.ENDS and not _cancelled(claim, standing, policy)]
    starts = [claim for claim in asserted if claim.kind is Kind.STARTS]
    holds = [claim for claim in asserted if claim.kind is Kind.HOLDS]
    pieces = _pieces(starts, ends, policy)
    for claim in holds:
        if not any(piece.interval.contains(claim.valid_from) for piece in pieces):
            starts = sorted([*starts, claim], key=lambda start: start.order)
            pieces = _pieces(starts, ends, policy)
    return tuple(_belief(piece, asserted, ends) for piece in pieces)


@dataclass(frozen=True, slots=True)
class _Piece:
    """An interval over which one value is believed, with the claims that make it, in their order."""

    interval: Interval
    claims: tuple[Claim, ...]

    @property
    def target(self) -> str:
        return self.claims[0].target


def _ends_it(end: Claim, start: Claim) -> bool:
    return end.target in ("", start.target)


def _extent(start: Claim, ends: Sequence[Claim]) -> Interval | None:
    """How long a start says it holds: to its stated end, else to the first ``ends`` at or after it."""
    if start.to_stated:
        return Interval(start.valid_from, start.valid_to)
    closing = [end.valid_from for end in ends if _ends_it(end, start) and end.valid_from >= start.valid_from]
    return _interval(start.valid_from, min(closing, default=END))


def _interval(start: datetime, end: datetime) -> Interval | None:
    return Interval(start, end) if start < end else None


def _cancelled(claim: Claim, standing: Sequence[Claim], policy: Policy) -> bool:
    """Whether something said later shows that a start, dated only by when it was said, never was.

    “I work at Acme”, ten days on “I left in March”: no job. “I live in Rome”, then “I moved to Oslo in April”: Oslo.
    """
    if claim.from_stated:
        return False
    later = [other for other in standing if other.said_at > claim.said_at and other.valid_from <= claim.valid_from]
    if any(other.kind is Kind.ENDS and _ends_it(other, claim) for other in later):
        return True
    if policy.cardinality is Cardinality.MANY or policy.rule is Rule.CONFIDENT:
        return False
    ends = [other for other in standing if other.kind is Kind.ENDS]
    return any(
        other.kind is Kind.STARTS
        and other.from_stated
        and other.target != claim.target
        and (extent := _extent(other, ends)) is not None
        and extent.contains(claim.valid_from)
        for other in later
    )


def _pieces(starts: Sequence[Claim], ends: Sequence[Claim], policy: Policy) -> list[_Piece]:
    if policy.cardinality is Cardinality.ONE and policy.rule is Rule.CONFIDENT:
        return _coalesced(_most_confident(starts, ends))
    if policy.cardinality is Cardinality.ONE:
        return _coalesced(_latest(starts, ends))
    return _coalesced(_Piece(extent, (start,)) for start in starts if (extent := _extent(start, ends)) is not None)


def _latest(starts: Sequence[Claim], ends: Sequence[Claim]) -> Iterable[_Piece]:
    """Each start until the next start of another value; what was cut never resumes."""
    for position, start in enumerate(starts):
        extent = _extent(start, ends)
        cut = next((later.valid_from for later in starts[position + 1 :] if later.target != start.target), END)
        if extent is not None and (interval := _interval(start.valid_from, min(extent.end, cut))) is not None:
            yield _Piece(interval, (start,))


def _most_confident(starts: Sequence[Claim], ends: Sequence[Claim]) -> Iterable[_Piece]:
    """Between each two neighbouring instants of change, the covering claim highest in confidence."""
    extents = [(start, extent) for start in starts if (extent := _extent(start, ends)) is not None]
    instants = sorted({instant for _, extent in extents for instant in (extent.start, extent.end)})
    for begin, end in pairwise(instants):
        covering = [start for start, extent in extents if extent.contains(begin)]
        if covering:
            best = max(covering, key=lambda claim: (claim.confidence, claim.valid_from, claim.said_at, claim.id))
            yield _Piece(Interval(begin, end), (best,))


def _coalesced(pieces: Iterable[_Piece]) -> list[_Piece]:
    """Join neighbouring pieces of one value that overlap or touch."""
    joined: list[_Piece] = []
    for piece in sorted(pieces, key=lambda piece: (piece.interval, piece.claims[0].order)):
        last = joined[-1] if joined else None
        if last is not None and last.target == piece.target and last.interval.meets(piece.interval):
            claims = last.claims if piece.claims[0] in last.claims else (*last.claims, *piece.claims)
            joined[-1] = replace(last, interval=last.interval.union(piece.interval), claims=claims)
        else:
            joined.append(piece)
    return joined


def _belief(piece: _Piece, asserted: Sequence[Claim], ends: Sequence[Claim]) -> Belief:
    """Dress a piece with what its claims, and the holds it covers, say."""
    held = (claim for claim in asserted if claim.target == piece.target and piece.interval.contains(claim.valid_from))
    support = sorted({claim.id: claim for claim in (*piece.claims, *held)}.values(), key=lambda claim: claim.order)
    first = min(piece.claims, key=lambda claim: claim.order)
    newest = max(claim.said_at for claim in support)
    contested = any(
        claim.target != piece.target
        and claim.said_at > newest
        and (extent := _extent(claim, ends)) is not None
        and extent.overlaps(piece.interval)
        for claim in asserted
    )
    return Belief(
        first=first,
        interval=piece.interval,
        from_stated=any(claim.from_stated and claim.valid_from == piece.interval.start for claim in support),
        to_stated=any(claim.to_stated and claim.valid_to == piece.interval.end for claim in support),
        confidence=max(claim.confidence for claim in support),
        importance=max(claim.importance for claim in support),
        contested=contested,
    )
