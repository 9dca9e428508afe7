"""``project``: the beliefs of one slot as a pure function of the claims standing in it.

The order of the claims, and how often each is given, make no difference. It takes n log n steps for n claims: a slot
of thousands, as the status of a busy ticket is, costs no more than reading it.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from heapq import heappop, heappush
from itertools import pairwise
from operator import attrgetter

from graphmem.model.belief import Belief
from graphmem.model.claim import Claim
from graphmem.model.interval import BEGIN, Interval
from graphmem.model.projection.cancellations import cancellations
from graphmem.model.projection.corrections import corrections
from graphmem.model.projection.cuts import cuts_others, cutting_claims
from graphmem.model.projection.existence import Bound, Bounding, bound_of
from graphmem.model.projection.identity import EACH_ITSELF, Identities
from graphmem.model.projection.pieces import (
    Extents,
    KnownEnds,
    Piece,
    Stay,
    Stays,
    Stretches,
    coalesced,
    compatible,
    extents_of,
    insists,
    latest,
    versions,
    with_starts,
)
from graphmem.model.projection.predicate import CONFIDENT, ONE, SUCCESSIVE, Cardinality, Policy
from graphmem.model.projection.slot import PlacedClaim, after_acts, place
from graphmem.model.projection.unread import has_unread_start, with_unread_starts

Cuts = Mapping[str, PlacedClaim]
"""What cuts claims, by their ids."""


def project(claims: Iterable[Claim], policy: Policy, identities: Identities = EACH_ITSELF) -> tuple[Belief, ...]:
    """The beliefs that the standing claims of one slot amount to, in order of valid time."""
    rule = policy.competition
    placed = {claim.id: place(claim, identities) for claim in claims}
    standing = sorted(after_acts(placed.values()), key=attrgetter("order"))
    ends = [claim for claim in standing if claim.ends]
    asserted, extents = _asserted(standing, ends, rule)
    cuts = cutting_claims(asserted, ends, extents) if rule == SUCCESSIVE else {}
    extents = _until_cut(extents, cuts)
    begun = _begun(asserted, extents, rule)
    pieces = coalesced(_stays(begun, extents, cuts, rule))
    parts = [version for piece in pieces for version in versions(piece, extents)]
    disputing = _disputing(asserted, rule)
    insisted = {claim.id: insists(claim, extents[claim.id], policy) for claim in disputing if claim.id in extents}
    return tuple(_beliefs(parts, asserted, disputing, insisted, policy.bound))


def _asserted(
    standing: Sequence[PlacedClaim], ends: Sequence[PlacedClaim], rule: Policy
) -> tuple[list[PlacedClaim], Extents]:
    """The claims that assert something and count, in their order, from their starts on; and how long each holds."""
    known_ends = KnownEnds(end for end in ends if end.target or rule != SUCCESSIVE)
    extents = extents_of(standing, known_ends)
    cancelled = cancellations(standing, rule)
    counting = [claim for claim in standing if claim.id not in cancelled]
    if moved := corrections(counting, extents, _parting(counting, rule)):
        standing = _corrected(standing, moved)
        extents = extents_of(standing, known_ends)
        cancelled = cancellations(standing, rule)
    asserted = [claim for claim in standing if claim.asserts and claim.id not in cancelled]
    dated = [claim for claim in asserted if not has_unread_start(claim)]
    single = rule.cardinality is Cardinality.ONE
    if single:
        dated = with_starts(dated, extents)
    unread = (claim for claim in asserted if has_unread_start(claim))
    return with_unread_starts(unread, dated, ends, known_ends, extents, single=single), extents


def _parting(counting: Sequence[PlacedClaim], rule: Policy) -> Sequence[PlacedClaim]:
    """The claims that show of two starts of one value that it held twice: what ends it, or begins in its place."""
    return [claim for claim in counting if claim.ends or cuts_others(claim)] if rule == SUCCESSIVE else counting


def _corrected(standing: Iterable[PlacedClaim], by: Mapping[str, PlacedClaim]) -> list[PlacedClaim]:
    """The claims in their order, a corrected one from the start of the one that corrects it.

    ``by`` has that one, by the id of the corrected one.
    """
    placed = (
        replace(claim, start=by[claim.id].start, corrected_by=by[claim.id].id) if claim.id in by else claim
        for claim in standing
    )
    return sorted(placed, key=attrgetter("order"))


def _until_cut(extents: Extents, cuts: Cuts) -> Extents:
    return {id_: Interval(extent.start, cuts[id_].start) if id_ in cuts else extent for id_, extent in extents.items()}


def _begun(asserted: Sequence[PlacedClaim], extents: Extents, rule: Policy) -> list[PlacedClaim]:
    """The starts, and the holds that begin a belief because nothing covers them. At one instant, starts come first.

    Where several values may hold, only what is believed of its own value covers a hold.
    """
    begun: list[PlacedClaim] = []
    covered: dict[str, datetime] = defaultdict(lambda: BEGIN)
    for claim in sorted(asserted, key=lambda claim: (claim.start, not claim.claim.kind.begins, claim.order)):
        value = "" if rule.cardinality is Cardinality.ONE else claim.target
        if not claim.claim.kind.begins and claim.start < covered[value]:
            continue
        cut = rule == ONE and begun and begun[-1].target != claim.target
        end = extents[claim.id].end if claim.id in extents else claim.start
        covered[value] = end if cut else max(covered[value], end)
        begun.append(claim)
    return begun


def _stays(begun: Sequence[PlacedClaim], extents: Extents, cuts: Cuts, rule: Policy) -> Stays:
    if rule == ONE:
        return latest(begun, extents)
    if rule == CONFIDENT:
        return _most_confident(begun, extents)
    return _each(begun, extents, cuts)


def _each(begun: Sequence[PlacedClaim], extents: Extents, cuts: Cuts) -> Stays:
    cut_by = {id_: cutting.id for id_, cutting in cuts.items()}
    return (Stay(extents[claim.id], claim, cut_by.get(claim.id, "")) for claim in begun if claim.id in extents)


def _most_confident(begun: Sequence[PlacedClaim], extents: Extents) -> Stays:
    """Between each two neighbouring instants of change, the covering claim that ranks highest.

    By who asserted it, by confidence, and then the newest. One that is corrected goes with the claim that corrects it.
    """
    by_id = {claim.id: claim for claim in begun}
    ranked = sorted(
        (claim for claim in begun if claim.id in extents),
        key=lambda claim: (claim.rank, claim.confidence, claim.start, claim.telling, claim.id),
        reverse=True,
    )
    opening: dict[datetime, list[int]] = defaultdict(list)
    for rank, claim in enumerate(ranked):
        opening[claim.start].append(rank)
    covering: list[int] = []
    for begin, end in pairwise(sorted({*opening, *(extents[claim.id].end for claim in ranked)})):
        for rank in opening.get(begin, ()):
            heappush(covering, rank)
        while covering and extents[ranked[covering[0]].id].end <= begin:
            heappop(covering)
        if covering:
            highest = ranked[covering[0]]
            yield Stay(Interval(begin, end), highest)
            by = by_id.get(highest.corrected_by)
            if by is not None and extents[by.id].end >= end:
                yield Stay(Interval(begin, end), by)


def _disputing(asserted: Sequence[PlacedClaim], rule: Policy) -> Sequence[PlacedClaim]:
    """The claims that other values cannot be true with. Where confidence decides, what was lowered gave way."""
    if rule == CONFIDENT:
        return [claim for claim in asserted if claim.cap is None]
    return asserted if rule == ONE else ()


def _beliefs(
    pieces: Sequence[Piece],
    asserted: Sequence[PlacedClaim],
    disputing: Sequence[PlacedClaim],
    insisted: Extents,
    bounding: Bounding | None,
) -> list[Belief]:
    """Dress each piece with what its claims, and the holds it covers, say; in order of valid time.

    Contested is what one of the claims ``disputing``, said after all of them and of another value, cannot be true with:
    what it insists on overlaps the piece.
    """
    of_target: dict[str, list[PlacedClaim]] = defaultdict(list)
    for claim in asserted:
        of_target[claim.target].append(claim)
    supported = [(piece, _support(piece, of_target[piece.target])) for piece in pieces]
    unheard = sorted(disputing, key=attrgetter("telling"))
    disputed = Stretches()
    beliefs: list[Belief] = []
    for newest, piece, support in sorted(
        ((max(claim.telling for claim in support), piece, support) for piece, support in supported),
        key=lambda dressed: dressed[0],
        reverse=True,
    ):
        while unheard and unheard[-1].telling > newest:
            claim = unheard.pop()
            if claim.id in insisted:
                disputed.add(claim.target, insisted[claim.id])
        contested = disputed.of_another(piece.target, piece.interval)
        beliefs.append(_belief(piece, support, bounding, contested=contested))
    return sorted(beliefs, key=lambda belief: (belief.interval, belief.target))


def _support(piece: Piece, of_target: Sequence[PlacedClaim]) -> list[PlacedClaim]:
    """The claims that make the piece, and those of its value that begin within it and say nothing else of it."""
    within = (bisect_left(of_target, instant, key=attrgetter("start")) for instant in _ends(piece.interval))
    beside = (claim for claim in of_target[slice(*within)] if compatible(claim.claim.attributes, piece.attributes))
    return [*{claim.id: claim for claim in (*piece.claims, *beside)}.values()]


def _ends(interval: Interval) -> tuple[datetime, datetime]:
    return interval.start, interval.end


def _belief(piece: Piece, support: Sequence[PlacedClaim], bounding: Bounding | None, *, contested: bool) -> Belief:
    first = piece.first
    unsaid = {key: value for key, value in first.claim.attributes.items() if value is None}
    claims = [placed.claim for placed in support]
    to_stated = any(claim.to_stated and claim.valid_to == piece.interval.end for claim in claims)
    return Belief(
        first=first.claim,
        subject_id=first.subject_id,
        object_id=first.object_id,
        target=first.target,
        attributes={**unsaid, **piece.attributes},
        category=_category(claims),
        interval=piece.interval,
        from_stated=any(claim.from_stated and claim.valid_from == piece.interval.start for claim in claims),
        to_stated=to_stated,
        confidence=max(placed.confidence for placed in support),
        importance=max(claim.importance for claim in claims),
        contested=contested,
        cut_by="" if to_stated else piece.cut_by,
        bound=_bound(first, bounding),
        protected=any(claim.protecting for claim in claims),
        rejected_before=first.rejected_before,
        dropped_before=first.dropped_before,
        supported_by=frozenset(claim.id for claim in claims),
    )


def _bound(first: PlacedClaim, bounding: Bounding | None) -> Bound | None:
    """Which end of its subject a belief tells of; an open one of none: “my boss died of boredom”."""
    if first.claim.open:
        return None
    return bound_of(first.claim.predicate, bounding, of_object=first.object_id is not None)


def _category(claims: Iterable[Claim]) -> str:
    """The newest one wins."""
    labelled = [claim for claim in claims if claim.category]
    return max(labelled, key=attrgetter("telling", "confidence", "id")).category if labelled else ""
