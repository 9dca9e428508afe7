"""Which phrase of time is whose, where the words around it leave no doubt."""

import re
from collections.abc import Sequence
from dataclasses import replace

from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.offline.dates.finder import Bearing
from graphmem.extract.offline.tables.meanings import MEANINGS
from graphmem.extract.overlaps import overlap
from graphmem.extract.reader.claims import OF_SPEAKER, TurnClaim
from graphmem.extract.reader.layout import Span as Place

_ALL_ALONG = re.compile(
    r"(?:right |ever )?(?:since|from) (?:day one|the (?:very )?(?:start|beginning|outset|first day))|all along",
    re.IGNORECASE,
)
"""Words that say that it has been so all along, and nothing of since when."""
_PLACED = frozenset({"lives_in", "works_at", "studies_at", "member_of", "located_at", "address"})
_GAP = 2
"""Before a sentence, where the one before it ends."""
_HAVE_HAD_IT = re.compile(
    r"\b(?P<who>I|we|he|she|they)(?:['’]ve| have|['’]s| has) (?:had|been|lived|worked|kept|done)"
    r" (?P<what>it|this|that|them|there|here|one)(?: all)?,? (?:ever )?(?P<time>(?:since|for) [^.;,!?]+)",
    re.IGNORECASE,
)
"""“I've been there since March 2021”: it speaks of what was said just before."""


def timed(turn: ReadTurn, claims: Sequence[TurnClaim]) -> list[TurnClaim]:
    """The claims, each with the phrase of time that is its own."""
    own = [_since_it_is_so(turn, _without_borrowed(turn, claim, claims)) for claim in claims]
    return [_on_its_only_day(turn, claim) for claim in _told_after(turn, own)]


def _since_it_is_so(turn: ReadTurn, claim: TurnClaim) -> TurnClaim:
    """The claim without “from the start”: what has always been so begins nothing."""
    if claim.time is None or not _ALL_ALONG.fullmatch(turn.words(claim.time)):
        return claim
    return replace(claim, time=None, effect="holds" if claim.effect == "starts" else claim.effect)


def _without_borrowed(turn: ReadTurn, claim: TurnClaim, claims: Sequence[TurnClaim]) -> TurnClaim:
    """The claim without a phrase of time in another sentence that belongs to a claim there."""
    time = claim.time
    if time is None or overlap(time, turn.around(claim.value)):
        return claim
    there = turn.around(time)
    claims_there = (
        other
        for other in claims
        if other.time is not None and overlap(other.time, time) and overlap(other.value, there)
    )
    return replace(claim, time=None) if any(claims_there) else claim


def _told_after(turn: ReadTurn, claims: Sequence[TurnClaim]) -> list[TurnClaim]:
    """The claims with the times that are told of what was said just before: “I've been there since May”."""
    times = dict[Place, Place]()
    for match in _HAVE_HAD_IT.finditer(turn.text):
        near = _this_and_the_one_before(turn, match.span())
        before = [claim for claim in claims if claim.value[1] <= match.start() and turn.around(claim.value) in near]
        before = [claim for claim in before if _is_meant(claim, match)]
        last = max(before, key=lambda claim: claim.value, default=None)
        if last and _may_be_dated(last) and not any(overlap(match.span(), claim.value) for claim in claims):
            times[last.value] = match.span("time")
    return [
        replace(claim, time=times[claim.value]) if claim.value in times and _may_be_dated(claim) else claim
        for claim in claims
    ]


def _this_and_the_one_before(turn: ReadTurn, place: Place) -> set[Place]:
    """The sentence around a place, and the one before it."""
    start, end = turn.around(place)
    before = max(0, start - _GAP)
    return {(start, end), turn.around((before, before + 1))}


def _is_meant(claim: TurnClaim, match: re.Match[str]) -> bool:
    """Whether a claim is of the person whom the pronoun means, and of a place where it says “there”."""
    own = claim.subject == OF_SPEAKER
    of_person = own if match["who"] in ("I", "we", "We") else not own
    return of_person and (claim.predicate in _PLACED or match["what"] not in ("there", "here"))


def _may_be_dated(claim: TurnClaim) -> bool:
    """Whether a claim says that something is so, and nobody said since when."""
    meaning = MEANINGS[claim.predicate]
    so = claim.time is None and claim.effect in ("starts", "holds") and claim.status == "asserted"
    return so and meaning.time == "start" and not meaning.once


def _on_its_only_day(turn: ReadTurn, claim: TurnClaim) -> TurnClaim:
    """A plan without a time, on the only day to come of its sentence: “on the 22nd, when I turn 35”."""
    meaning = MEANINGS[claim.predicate]
    if claim.status != "planned" or claim.effect != "starts" or claim.time is not None or meaning.time != "start":
        return claim
    if meaning.once or claim.predicate in ("plan", "goal"):
        return claim
    dates = turn.dates.ground(*turn.quote(claim.value), ahead=True)
    ahead = [each for each in dates if not each.vague and each.bearing in (Bearing.AT, Bearing.SINCE)]
    if len(dates) != 1 or len(ahead) != 1 or ahead[0].days.start <= turn.dates.said_at:
        return claim
    return replace(claim, time=(ahead[0].start - turn.start, ahead[0].end - turn.start))
