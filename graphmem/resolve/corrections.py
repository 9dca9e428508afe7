"""What a structured claim leaves out follows from its predicate, and of a correction from the claim that it corrects.

A correction by the same predicate is as open as the claim before, has the same verb and detail, and happened on the
same days, unless it says otherwise. One by another predicate is a claim of its own.
"""

from dataclasses import replace

from graphmem.errors import InvalidInput
from graphmem.model.claim import DETAIL, DID, STATED, VERB, Claim, ClaimStatus
from graphmem.model.dates import EVENTS, from_instant, instants_of, zone
from graphmem.model.evidence import StructuredClaim

_STATED = frozenset(STATED.values())
_SAYING = _STATED | {DID}
"""Predicates that stand for any verb: which of them it is, is part of how something was said."""


def complete(claim: StructuredClaim, former: Claim | None = None) -> StructuredClaim:
    """The claim with all that it leaves out; ``former`` is the claim that it corrects.

    Raises:
        InvalidInput: what it says of its status, its verb, ``open`` and its days contradicts itself.
    """
    kept = former if former is not None and _alike(claim.predicate, former.predicate) else None
    claim = _with_verb(_with_words(claim, kept))
    claim = replace(claim, open=_is_open(claim, kept))
    _check(claim)
    return _with_days(claim, kept)


def _alike(predicate: str, former: str) -> bool:
    return predicate == former or {predicate, former} <= _SAYING


def _with_words(claim: StructuredClaim, kept: Claim | None) -> StructuredClaim:
    """With the verb and the detail of an open claim before, unless it says them; null says that there are none."""
    if kept is None or not kept.open or kept.predicate != claim.predicate:
        return claim
    keys = (DETAIL,) if claim.verb is not None else (DETAIL, VERB)
    words = {key: kept.attributes[key] for key in keys if key in kept.attributes}
    return replace(claim, attributes={**words, **claim.attributes})


def _with_verb(claim: StructuredClaim) -> StructuredClaim:
    if claim.predicate != DID:
        if claim.verb is not None:
            raise InvalidInput(f"A verb goes with the predicate {DID!r} only: leave verb out, or name {DID!r}.")
        return claim
    given = claim.attributes.get(VERB)
    if claim.verb is not None and given not in (None, claim.verb):
        raise InvalidInput(f"A claim has one verb: give it as verb, and leave the attribute {VERB!r} out.")
    verb = claim.verb or str(given or "")
    if not verb:
        raise InvalidInput(f"{DID!r} does not say which verb. Add it, such as verb: 'varnish'.")
    return replace(claim, verb=verb, attributes={**claim.attributes, VERB: verb})


def _is_open(claim: StructuredClaim, kept: Claim | None) -> bool:
    """As it says; what its status or verb says is open; else as before. A predicate alone is taken verbatim."""
    if claim.open is not None:
        return claim.open
    if claim.status is ClaimStatus.ASSERTED and claim.predicate in _STATED:
        return False
    return claim.predicate == DID or claim.status in STATED or (kept is not None and kept.open)


def _check(claim: StructuredClaim) -> None:
    """Raise ``InvalidInput`` where kind, status, predicate, target and ``open`` do not go together."""
    if claim.kind.is_act:
        raise InvalidInput(f"No claim {claim.kind} as such: delete a fact, correct it, or settle a conflict.")
    status, predicate = claim.status, claim.predicate
    wanted = STATED.get(status) if status else None
    if wanted not in (None, predicate):
        raise InvalidInput(f"What is {status} has the predicate {wanted!r}, and as value what, such as 'go to Rome'.")
    if not claim.open and (wanted or predicate == DID):
        raise InvalidInput(f"What has a status or a verb is open: leave open out with the predicate {predicate!r}.")
    if not claim.open or predicate not in _STATED:
        return
    if status is ClaimStatus.ASSERTED:
        raise InvalidInput(f"An open {predicate!r} is not asserted: leave the status out, or name what is so.")
    if claim.object is not None:
        raise InvalidInput(f"An open {predicate!r} says what in words: give it as a value, and no object.")


def _with_days(claim: StructuredClaim, kept: Claim | None) -> StructuredClaim:
    """Of an event, with its days: as it says, else those of the claim before, else the day of its ``valid_from``."""
    if claim.event_to is not None:
        return claim
    if not _happens(claim):
        if claim.day:
            raise InvalidInput("Only what happened is an event: leave event out.")
        return claim
    if claim.day:
        return _on_its_days(claim)
    if kept is not None and kept.day and _says_no_other_time(claim, kept):
        when = {"valid_from": kept.valid_from, "from_stated": kept.from_stated}
        return replace(claim, **when, day=kept.day, event_to=kept.event_to)
    happens = claim.predicate in EVENTS or (kept is not None and kept.day != "")
    if not happens or not claim.from_stated or claim.valid_from is None:
        return claim
    day, event_to = from_instant(claim.valid_from, claim.valid_to, zone(claim.time_zone))
    return replace(claim, day=day, event_to=event_to)


def _on_its_days(claim: StructuredClaim) -> StructuredClaim:
    if claim.from_stated or claim.valid_to is not None:
        raise InvalidInput("An event says on which days it happened: leave valid_from and valid_to out, or event.")
    begin, end = instants_of(claim.day, zone(claim.time_zone))
    day, event_to = from_instant(begin, end, zone(claim.time_zone))
    return replace(claim, valid_from=begin, from_stated=True, day=day, event_to=event_to)


def _says_no_other_time(claim: StructuredClaim, kept: Claim) -> bool:
    return claim.valid_to is None and (not claim.from_stated or claim.valid_from == kept.valid_from)


def _happens(claim: StructuredClaim) -> bool:
    """Whether it says that something was so, or happened."""
    return claim.kind.asserts and not (claim.open and claim.predicate in _STATED)
