"""Drugs apart from how much of them somebody takes: “50 mg of sertraline” is a drug, and a dose that may change."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.reader.claims import OF_SPEAKER, TurnClaim, Whose
from graphmem.extract.reader.layout import Span as Place

_NUMBER = r"(?:\d[\d.,/]*|half an?|an?|one|two|three|four)"
_UNIT = r"(?:mg|mcg|µg|ug|g|ml|iu|units?|milligrams?|micrograms?|tablets?|pills?|capsules?|puffs?|drops?|sprays?)\b"
_UNITS = re.compile(_UNIT, re.IGNORECASE)
_AMOUNT = rf"{_NUMBER}(?:\s?{_UNIT})?"
_SURE_AMOUNT = rf"(?:\d[\d.,/]*|half an?|one|two|three|four)\s?{_UNIT}"
_ONLY_AMOUNT = re.compile(rf"(?:{_AMOUNT}|once|twice)(?:\s+(?:a day|daily|at night))?", re.IGNORECASE)
_OF_IT = r"\s+of(?:\s+(?:the|my))?"
_BEFORE = re.compile(rf"(?:{_SURE_AMOUNT}(?:{_OF_IT})?|{_NUMBER}{_OF_IT})\s+(?=\S)", re.IGNORECASE)
_BEHIND = re.compile(rf"(?<=\w)[\s,(:]+(?:at\s+)?{_SURE_AMOUNT}\)?$", re.IGNORECASE)
_OF = re.compile(rf"(?P<dose>{_AMOUNT}){_OF_IT}\s+$", re.IGNORECASE)
_AFTER = re.compile(rf"[\s,(:]+(?:at\s+)?(?P<dose>{_SURE_AMOUNT})", re.IGNORECASE)
_CHANGED_TO = re.compile(
    rf"\b(?:(?:to|now(?: at| on)?)\s+(?P<dose>{_SURE_AMOUNT})|(?:up|down)\s+to\s+(?P<number>{_AMOUNT}))", re.IGNORECASE
)
_OTHER_DOSE = re.compile(
    r"\b(?:halv|doubl|lower|rais|increas|reduc|upp)(?:ed?|es|ing)\b|\b(?:up|down) (?:from|to)\b"
    r"|\binstead of (?:\d|one\b|two\b|three\b)",
    re.IGNORECASE,
)
"""Words of another dose of what is still taken."""
_DOSE = re.compile(r"\b(?:dose|dosage)\b", re.IGNORECASE)
_THE = re.compile(r"(?:the|my)\s+", re.IGNORECASE)
_STOPPED = re.compile(
    r"\b(?:last|final|stopp\w+|quit|come off|came off|off (?:the|my)|no longer|any ?more|switch\w+|replac\w+)\b",
    re.IGNORECASE,
)


def drugs_alone(turn: ReadTurn, claims: Sequence[TurnClaim]) -> list[TurnClaim]:
    """The claims, those of drugs without amounts; an amount is no drug, and another dose does not end one."""
    return [each for claim in claims for each in (_alone(turn, claim) if claim.predicate == "medication" else (claim,))]


def _alone(turn: ReadTurn, claim: TurnClaim) -> Iterator[TurnClaim]:
    words = turn.text[slice(*claim.value)]
    if _ONLY_AMOUNT.fullmatch(words.strip()):
        if drug := _drug_of(turn, claim):
            yield replace(claim, effect="holds", value=drug, subject=OF_SPEAKER, time=None)
        return
    if (amount := _BEFORE.match(words)) and amount.end() < len(words):
        claim = replace(claim, value=(claim.value[0] + amount.end(), claim.value[1]))
    elif amount := _BEHIND.search(words):
        claim = replace(claim, value=(claim.value[0], claim.value[0] + amount.start()))
    sentence = turn.sentence(claim.value)
    of_dose = _OTHER_DOSE.search(sentence) or (claim.effect in ("ends", "denies") and _DOSE.search(sentence))
    if of_dose and not _STOPPED.search(sentence):
        claim = replace(claim, effect="holds", time=None)
    yield claim


def _drug_of(turn: ReadTurn, claim: TurnClaim) -> Place | None:
    """Where the drug stands of which an amount is told: “the bisoprolol has gone up to” 3.75."""
    if claim.subject.whose is not Whose.NAMED or claim.effect in ("ends", "denies"):
        return None
    start, end = claim.subject.words
    named = _THE.match(turn.text, start, end)
    return (named.end(), end) if named and turn.text[named.end() : end].isalpha() else None


def amounts(claims: Iterable[TurnClaim], turn: ReadTurn) -> Iterator[TurnClaim]:
    """The claims of drugs that only say how much of one is taken: “it's 75 mg now”."""
    for claim in claims:
        words = turn.words(claim.value)
        if claim.predicate == "medication" and _ONLY_AMOUNT.fullmatch(words) and _UNITS.search(words):
            yield claim


def dose(turn: ReadTurn, drug: Place) -> Place | None:
    """Where it stands how much of a drug is taken at a time; None where nobody says that."""
    start, end = turn.around(drug)
    if before := _OF.search(turn.text, max(start, drug[0] - 40), drug[0]):
        return before.span("dose")
    if after := _AFTER.match(turn.text, drug[1], end):
        return after.span("dose")
    changed = _CHANGED_TO.search(turn.text, drug[1], end)
    return changed.span("dose" if changed["dose"] else "number") if changed else None
