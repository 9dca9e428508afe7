"""What the words of a turn say against what was read in it: of whom it is, and whether it holds.

The reader points at words; here these are held against each other, where a few words leave no doubt.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from graphmem.extract.offline.claims.beside import is_taken_back, relation, whose, with_death
from graphmem.extract.offline.claims.doses import without_amounts
from graphmem.extract.offline.claims.effects import as_said, ends_for_now, is_imagined
from graphmem.extract.offline.claims.not_so import is_not_so
from graphmem.extract.offline.claims.once import was_once
from graphmem.extract.offline.claims.others import among_others
from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.offline.claims.several import without_bystanders
from graphmem.extract.offline.claims.subjects import PERSON, is_role, plain
from graphmem.extract.offline.claims.timing import timed
from graphmem.extract.offline.tables.meanings import MEANINGS
from graphmem.extract.offline.tables.words import words
from graphmem.extract.overlaps import overlap
from graphmem.extract.owners.people import FIRST
from graphmem.extract.reader.claims import OF_SPEAKER, ClaimSubject, TurnClaim, Whose
from graphmem.extract.reader.labels import Predicate
from graphmem.extract.reader.layout import Span as Place
from graphmem.model.entity import normalise_name

_WORDS = re.compile(r"[\w'’-]+")
_NO_HOME = re.compile(
    r"(?:(?:the|my|our) )?(?:(?:same|old|usual|whole) )*(?:place|house|flat|apartment|room|spot)|"
    r"hope|fear|denial|sin|style|peace|harmony|poverty|dread|terror|comfort|luxury|exile|the (?:past|present|moment)"
)
_NO_JOB = re.compile(
    r"(?:(?:(?:the|an?|our|this) )?(?:\w+ )?(?:call|meeting|chat|quiz|game|conversation|queue|thread)|"
    r"(?:(?:the|my|our|this) )?(?:office|work))(?: late| early)?"
)
_NO_CLUB = re.compile(
    r"(?:(?:the|an?|our|this) )?(?:group|call|meeting|chat|thread|conversation|stream|(?:\w+ )?(?:quiz|game))"
    r"(?: late| early)?"
)
_NO_SCHOOL = re.compile(r"(?:the |my |his |her )?(?:dialysis|chemo\w*|physio\w*|rehab|therapy|treatment|gym|surgery)")
_NEVER_VALUES: Mapping[Predicate, re.Pattern[str]] = {
    "lives_in": _NO_HOME,
    "works_at": _NO_JOB,
    "works_as": _NO_JOB,
    "member_of": _NO_CLUB,
    "studies_at": _NO_SCHOOL,
}
"""Values, in small letters, that a predicate never has: “I live in hope”, “she joined the call late”, “I left work”."""
_IN_PLACE_OF = re.compile(
    r"\b(?:replac(?:es|ed|ing)|tak(?:es|ing) over from|took over from|succeed(?:s|ed|ing)?|instead of)\s+$",
    re.IGNORECASE,
)
"""“Priya replaced” Tom: what is read of him is so no more."""
_POSTS = frozenset[Predicate]({"works_as", "boss", "project"})
_HANDED_TO = re.compile(
    r"\b(?:hand(?:s|ed|ing)?|pass(?:es|ed|ing)?|giv(?:es|en|ing)|give|gave)\b[^.;]{0,60}\bto\s+$", re.IGNORECASE
)
"""“I handed the project over to” Kim, who has it from then on."""
_PART_ENDS = re.compile(r"[,;:()–—]")
_HE, _SHE = frozenset({"he", "him", "his", "hes"}), frozenset({"she", "her", "shes"})
_THIRD = _HE | _SHE
"""Pronouns of one person, also as they are typed: “shes 62”."""
_MEN = words(
    """
    brother stepbrother bro father dad daddy papa stepfather son stepson uncle nephew grandfather grandpa grandson
    husband boyfriend fiancé fiance godfather landlord father-in-law brother-in-law son-in-law
    """
)
_WOMEN = words(
    """
    sister stepsister sis mother mom mum mommy mama stepmother daughter stepdaughter aunt auntie niece grandmother
    grandma granddaughter wife girlfriend fiancée fiancee godmother landlady mother-in-law sister-in-law daughter-in-law
    """
)
_OF_SPEAKERS = frozenset[Predicate]({"phone", "email"})
_LINE = re.compile(
    r"(?:(?:the|my|our) )?(?:\w+ ){0,2}(?:number|line|phone|mobile|cell|landline|e-?mail|address)", re.IGNORECASE
)
"""“business number is”: what it is called is nobody who has it."""
_UNTOLD = frozenset[Predicate]({"event", "plan", "appointment", "deadline", "instruction", "goal"})
"""Predicates that say more than that something is so of the subject of the sentence."""


def mended(turn: ReadTurn, claims: Sequence[TurnClaim]) -> list[TurnClaim]:
    """The claims as the words around them have it."""
    lasting = [
        claim
        for claim in without_amounts(turn, among_others(turn, without_bystanders(turn, claims)))
        if not (
            is_taken_back(turn, claim)
            or _is_no_value(turn, claim)
            or ends_for_now(turn, claim)
            or is_imagined(turn, claim)
            or is_not_so(turn, claim)
            or was_once(turn, claim)
        )
    ]
    timed_claims = timed(turn, [each for claim in lasting for each in with_death(turn, claim)])
    related = [replace(claim, predicate=relation(turn, claim)) for claim in timed_claims]
    return [_of_whom(turn, as_said(turn, claim), related) for claim in related]


def _is_no_value(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether its predicate never has such a value. A home without a name may end: “we moved out of the flat”."""
    never = _NEVER_VALUES.get(claim.predicate)
    at_home = claim.predicate == "lives_in" and claim.effect in ("ends", "denies")
    return never is not None and not at_home and never.fullmatch(turn.words(claim.value)) is not None


def _of_whom(turn: ReadTurn, claim: TurnClaim, claims: Sequence[TurnClaim]) -> TurnClaim:
    """The claim of whom its sentence is about, where that is not the speaker; with who is meant by “she”."""
    subject = _of_dated(turn, claim, claims) or claim.subject
    if subject == OF_SPEAKER and (opening := _opening_person(turn, claim)):
        return replace(claim, subject=ClaimSubject(Whose.NAMED, opening))
    if other := whose(turn, claim):
        subject = ClaimSubject(Whose.NAMED, other)
    if subject.whose is not Whose.NAMED:
        return claim
    if claim.predicate in _OF_SPEAKERS and _LINE.fullmatch(turn.words(subject.words)):
        return replace(claim, subject=OF_SPEAKER)
    claim = _of_turn_about(claim, turn.lead(subject.words))
    subject = replace(subject, words=turn.noun(subject.words))
    if not subject.meant and turn.words(subject.words).casefold() in _THIRD:
        subject = replace(subject, meant=_meant(turn, subject.words, claims))
    return replace(claim, subject=subject)


def _of_dated(turn: ReadTurn, claim: TurnClaim, claims: Sequence[TurnClaim]) -> ClaimSubject | None:
    """What “it” is that has another day: what the turn says a day of; None where nothing tells."""
    if not MEANINGS[claim.predicate].dated or claim.subject.meant or turn.words(claim.subject.words).casefold() != "it":
        return None
    sentence = turn.around(claim.value)
    same = (each for each in claims if each.predicate == claim.predicate and turn.around(each.value) == sentence)
    others = (each for each in same if each.value < claim.value)
    named = [each.subject for each in others if each.subject.whose is Whose.NAMED]
    return named[-1] if named else None


def _of_turn_about(claim: TurnClaim, before: str) -> TurnClaim:
    """The claim of who is replaced, or is handed what somebody else had, by the words before that name."""
    if claim.predicate in _POSTS and claim.effect in ("holds", "starts") and _IN_PLACE_OF.search(before):
        return replace(claim, effect="ends")
    if claim.effect == "ends" and _HANDED_TO.search(before):
        return replace(claim, effect="starts")
    return claim


def _opening_person(turn: ReadTurn, claim: TurnClaim) -> Place | None:
    """The person with whose name the sentence begins that says nothing of the speaker: “Inés only kept Lola”."""
    if claim.predicate in _UNTOLD:
        return None
    start, end = turn.around(claim.value)
    if FIRST.search(turn.text, start, end):
        return None
    for name in _known_persons(turn):
        match = _as_word(name).match(turn.text, start, end)
        if match is None or match.end() > claim.value[0]:
            continue
        between = turn.text[match.end() : claim.value[0]]
        if between[:2].strip().islower() and not _PART_ENDS.search(between):
            return match.span()
    return None


def _meant(turn: ReadTurn, pronoun: Place, claims: Sequence[TurnClaim]) -> str:
    """The name of the only other person of the sentence up to the pronoun, else of the turn, else of what was before.

    "" where there is none, or several.
    """
    named = [*_persons(turn, claims, pronoun)]
    start, _ = turn.around(pronoun)
    before = [(0, name) for name in _known_persons(turn) if _as_word(name).search(turn.before)]
    others = _WOMEN if turn.words(pronoun).casefold() in _HE else _MEN
    for near, text in (
        ([each for each in named if each[0] >= start], turn.text[start : pronoun[0]]),
        (named, turn.text[: pronoun[0]]),
        (before, turn.before),
    ):
        who = {normalise_name(name): name for _, name in near}
        if who:
            (name, *more) = who.values()
            return "" if more or _is_another(name, text, others) else name
    return ""


def _is_another(name: str, text: str, others: AbstractSet[str]) -> bool:
    """Whether a text speaks of somebody by a role, or by a role of the other sex of who has this name."""
    roles = [word.casefold() for word in _WORDS.findall(text.replace(name, " ")) if is_role(word)]
    beside = re.search(rf"(\S+) {re.escape(name)}", text)
    own = beside[1].casefold() if beside else ""
    return own in others or any(role != own for role in roles)


def _persons(turn: ReadTurn, claims: Sequence[TurnClaim], pronoun: Place) -> Iterator[tuple[int, str]]:
    """Where persons are named before a pronoun, and as whom."""
    places = [claim.value for claim in claims if MEANINGS[claim.predicate].range == PERSON]
    places += [
        claim.subject.words
        for claim in claims
        if claim.subject.whose is Whose.NAMED and MEANINGS[claim.predicate].subject == PERSON
    ]
    for place in places:
        named = turn.words(place)
        if place[1] <= pronoun[0] and not overlap(place, pronoun) and plain(named).casefold() not in _THIRD:
            yield place[0], named
    for name in _known_persons(turn):
        if match := _as_word(name).search(turn.text, 0, pronoun[0]):
            yield match.start(), name


def _known_persons(turn: ReadTurn) -> Iterator[str]:
    """The persons whom the session knows, without the speaker."""
    speaker = turn.speakers.speaker
    for known in turn.speakers.known:
        if known.type == PERSON and (speaker is None or normalise_name(known.name) != normalise_name(speaker.name)):
            yield known.name


def _as_word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
