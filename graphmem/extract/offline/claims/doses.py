"""Drugs apart from how much of them somebody takes: “50 mg of sertraline” is a drug, and a dose that may change."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from graphmem.extract.offline.claims.frame import ClaimFrame
from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.offline.claims.subjects import CONCEPT
from graphmem.extract.offline.tables.meanings import MEANINGS
from graphmem.extract.reader.claims import OF_SPEAKER, TurnClaim, Whose
from graphmem.extract.reader.labels import Effect
from graphmem.extract.reader.layout import Span as Place
from graphmem.model.fragment import ThingName

_NUMBER = r"(?:\d[\d.,/]*|half an?|an?|one|two|three|four)"
_UNIT = r"(?:mg|mcg|µg|ug|g|ml|iu|units?|milligrams?|micrograms?|tablets?|pills?|capsules?|puffs?|drops?|sprays?)\b"
_UNITS = re.compile(_UNIT, re.IGNORECASE)
_AMOUNT = rf"{_NUMBER}(?:\s?{_UNIT})?"
_SURE_AMOUNT = rf"(?:\d[\d.,/]*|half an?|one|two|three|four)\s?{_UNIT}"
_ONLY_AMOUNT = re.compile(rf"(?:{_AMOUNT}|once|twice)(?:\s+(?:a day|daily|at night))?", re.IGNORECASE)
_OF_IT = r"\s+of(?:\s+(?:the|my))?"
_BEFORE = re.compile(rf"(?:{_SURE_AMOUNT}(?:{_OF_IT})?|{_NUMBER}{_OF_IT})\s+(?=\S)", re.IGNORECASE)
_BEHIND = re.compile(
    rf"^(?=[^\W\d]).{{2,80}}?\w(?P<dose>[\s,(:]+(?:at\s+)?(?:{_SURE_AMOUNT}|\d{{2,4}})\)?)$", re.IGNORECASE
)
_OF = re.compile(rf"(?P<dose>{_AMOUNT}){_OF_IT}\s+$", re.IGNORECASE)
_AFTER = re.compile(
    rf"(?:[\s,(:]+(?:at\s+)?|\s+(?:is|was)(?:\s+now)?\s+)(?P<dose>{_SURE_AMOUNT})"
    r"|\s+(?P<number>(?!(?:19|20)\d\d\b)\d{2,4})\b(?!\s*(?:over|[/%]|years?|people))",
    re.IGNORECASE,
)
_CHANGED_TO = re.compile(
    rf"\b(?:(?:to|now(?: at| on)?)\s+(?P<dose>{_SURE_AMOUNT})|"
    rf"(?:(?:up|down)|from\s+{_AMOUNT})\s+to\s+(?P<number>{_AMOUNT}))",
    re.IGNORECASE,
)
_OTHER = r"(?:halv|doubl|lower|rais|increas|reduc|upp)(?:ed?|es|ing)|taper\w* off|cut(?:ting)? down"
_MORE_OR_LESS = re.compile(
    rf"\b(?:(?:{_OTHER})\s+(?:(?:my|the|his|her|our)\s+)?(?:(?:dose|dosage)\s+of\s+(?:(?:my|the)\s+)?)?)$",
    re.IGNORECASE,
)
_DOSE_OF = re.compile(r"\b(?:dose|dosage)\s+of\s+(?:(?:the|my|his|her)\s+)?$", re.IGNORECASE)
_CHANGES = re.compile(
    rf"\s+(?:(?:dose|dosage)\s+)?(?:(?:has|have|was|were|is|got|went|goes|been|gone)\s+){{0,2}}(?:up|down|{_OTHER})\b"
    r"|[^.;]{0,40}?\b(?:(?:up|down) (?:from|to)|instead of (?:\d|(?:one|two|three)\b))",
    re.IGNORECASE,
)
"""Words of another dose of what is still taken, before the drug (“they halved my”) and behind it (“went up to”)."""
_NOT = re.compile(r"\b(?:no longer|not|never)\b|n['’]t\b", re.IGNORECASE)
_THE = re.compile(r"(?:the|my)\s+", re.IGNORECASE)
_STOPPED = re.compile(
    r"\b(?:(?:last|final) (?:dose|tablet|pill|one)|stopp\w+|quit|finish\w+|come off|came off|off (?:the|my)|no longer"
    r"|any ?more|any longer|gave up|switch\w+|swapp\w+|replac\w+|discontinu\w+)\b",
    re.IGNORECASE,
)


def without_amounts(turn: ReadTurn, claims: Sequence[TurnClaim]) -> list[TurnClaim]:
    """The claims, those of drugs without amounts; an amount is no drug, and another dose does not end one."""
    other = bool(amounts(turn, claims))
    return [
        each
        for claim in claims
        for each in (_drug(turn, claim, another_dose=other) if claim.predicate == "medication" else (claim,))
    ]


def _drug(turn: ReadTurn, claim: TurnClaim, *, another_dose: bool) -> Iterator[TurnClaim]:
    words = turn.text[slice(*claim.value)]
    if _ONLY_AMOUNT.fullmatch(words.strip()):
        if drug := _drug_of(turn, claim):
            yield replace(claim, effect="holds", value=drug, subject=OF_SPEAKER, time=None)
        return
    ends = claim.effect in ("ends", "denies")
    had_amount = True
    if (amount := _BEFORE.match(words)) and amount.end() < len(words):
        claim = replace(claim, value=(claim.value[0] + amount.end(), claim.value[1]))
    elif amount := _BEHIND.search(words):
        claim = replace(claim, value=(claim.value[0], claim.value[0] + amount.start("dose")))
    else:
        had_amount = False
    if _is_other_dose(turn, claim, ends=ends) or (ends and had_amount and another_dose):
        claim = replace(claim, effect="holds", time=None)
    yield claim


def _is_other_dose(turn: ReadTurn, claim: TurnClaim, *, ends: bool) -> bool:
    """Whether the words around a drug say that more or less of it is taken than before."""
    lead, (_, end) = turn.lead(claim.value), turn.around(claim.value)
    changes = _MORE_OR_LESS.search(lead) or _CHANGES.match(turn.text, claim.value[1], end)
    return bool(changes or (ends and _DOSE_OF.search(lead))) and not _STOPPED.search(turn.clause(claim.value))


def _drug_of(turn: ReadTurn, claim: TurnClaim) -> Place | None:
    """Where the drug stands of which an amount is told: “the bisoprolol has gone up to” 3.75."""
    if claim.subject.whose is not Whose.NAMED or claim.effect in ("ends", "denies"):
        return None
    start, end = claim.subject.words
    named = _THE.match(turn.text, start, end)
    return (named.end(), end) if named and turn.text[named.end() : end].isalpha() else None


def amounts(turn: ReadTurn, claims: Iterable[TurnClaim]) -> list[TurnClaim]:
    """The claims of drugs that only say how much of one is taken now."""
    return [
        claim
        for claim in claims
        if claim.predicate == "medication"
        and claim.effect not in ("ends", "denies")
        and _ONLY_AMOUNT.fullmatch(turn.words(claim.value))
    ]


def dose(turn: ReadTurn, drug: Place) -> Place | None:
    """Where it stands how much of a drug is taken at a time; None where nobody says that, or says it is not so much."""
    start, end = turn.around(drug)
    if before := _OF.search(turn.text, max(start, drug[0] - 40), drug[0]):
        return None if _NOT.search(turn.lead(before.span())) else before.span("dose")
    if after := _AFTER.match(turn.text, drug[1], end):
        return after.span("dose" if after["dose"] else "number")
    changed = _CHANGED_TO.search(turn.text, drug[1], end)
    return changed.span("dose" if changed["dose"] else "number") if changed else None


def doses(turn: ReadTurn, claims: Iterable[TurnClaim], read: Iterable[ClaimFrame]) -> Iterator[ClaimFrame]:
    """How much is taken of the drugs that are read, as a number of its own that may change.

    ``claims`` are as the reader gave them, with the amounts and times that ``read`` no longer has.
    """
    times = {turn.around(claim.value): claim.time for claim in claims if claim.predicate == "medication" and claim.time}
    others = [claim.value for claim in amounts(turn, claims)]
    for drug in read:
        if drug.read.predicate == "medication" and drug.read.effect == "ends" and isinstance(drug.value, str):
            yield _dose_of(drug, drug.read, turn, effect="ends")
        if drug.read.predicate != "medication" or not drug.asserts:
            continue
        place = dose(turn, drug.place) or next((value for value in others if value > drug.place), None)
        if place is not None:
            yield _dose_of(drug, replace(drug.read, value=place, time=times.get(turn.around(drug.place))), turn)


def doses_of_before(
    turn: ReadTurn,
    claims: Sequence[TurnClaim],
    read: Iterable[ClaimFrame],
    said_before: Callable[[], Sequence[ClaimFrame]],
) -> Iterator[ClaimFrame]:
    """How much is taken of the drug that was named last before, where the turn names none: “it's 75 mg now”."""
    alone = [claim for claim in amounts(turn, claims) if _UNITS.search(turn.words(claim.value))]
    if not alone or any(frame.read.predicate == "medication" for frame in read):
        return
    drugs = [said for said in said_before() if said.read.predicate == "medication" and said.asserts]
    if drugs:
        yield _dose_of(drugs[-1], alone[-1], turn)


def _dose_of(drug: ClaimFrame, claim: TurnClaim, turn: ReadTurn, *, effect: Effect = "starts") -> ClaimFrame:
    """How much is taken of a drug, by the value of a claim; that nothing is any more, where it ends."""
    taken = ThingName(f"{drug.subject.name}'s {drug.value} dose", CONCEPT)
    claim = replace(claim, predicate="quantity", effect=effect, subject=OF_SPEAKER)
    return replace(drug, turn=turn, read=claim, meaning=MEANINGS["quantity"], subject=taken)
