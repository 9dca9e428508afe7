"""What the words of a turn say against what was read in it: of whom it is, and whether it holds.

The reader points at words; here these are held against each other, where a few words leave no doubt.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from graphmem.extract.offline.claims.beside import is_not_so, is_taken_back, relation, whose
from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.offline.claims.subjects import PERSON, is_role, plain
from graphmem.extract.offline.claims.timing import timed
from graphmem.extract.offline.tables.meanings import MEANINGS
from graphmem.extract.offline.tables.words import words
from graphmem.extract.overlaps import overlap
from graphmem.extract.owners.people import FIRST
from graphmem.extract.reader.claims import OF_SPEAKER, ClaimSubject, TurnClaim, Whose
from graphmem.extract.reader.labels import Predicate
from graphmem.extract.reader.layout import Span as Place
from graphmem.model.dates import MONTHS, WEEKDAYS
from graphmem.model.entity import normalise_name

_HAS_BEEN = re.compile(
    r"\b(?:have|has|['’]ve|['’]s)(?: (?!hardly|barely|rarely|scarcely)\w+ly)? (?:been )?"
    r"(?:lived|living|worked|working|studied|studying|owned|had(?! no\b)|"
    r"driven|driving|known|taken|taking|spoken|played|playing|installed|based|settled)\b",
    re.IGNORECASE,
)
"""The present perfect of what goes on, with how long it does: “I have lived in Rome for ages”."""
_NEW = re.compile(r"\b(?:new|now|changed?|switch\w*|got|from)\b", re.IGNORECASE)
"""Words by which an address of e-mail begins to be somebody's."""
_WORDS = re.compile(r"[\w'’-]+")
_UP_TO_NOW = ("for ", "since ")
_PARTED = re.compile(
    r"\s+and (?:I|me) (?:are|were|got|have|['’]re|['’]ve)(?: now| just| finally)? "
    r"(?:unmarried|divorced|separated(?! by)|broken up|split up|no longer together)\b",
    re.IGNORECASE,
)
"""“Tom and I are divorced”: what follows the name."""
_IS_NOT_MINE = re.compile(
    r"\s+(?:is|was)(?:n['’]?t| not) my (?:\w+ )?(?:boyfriend|girlfriend|partner|husband|wife|fiancée?|bf|gf)\b"
    r"(?! (?:yet|any ?more))",
    re.IGNORECASE,
)
"""“Tom is not my boyfriend”."""
_KEPT = re.compile(
    r"\b(?:never|not|cannot|(?:have|has|had|did|do|does|wo|would|could|ca|is|are|was|were|ai|need)n['’]?t)\s+"
    r"(?:(?:yet|even|really|ever|actually|quite|once|going to|about to|planning to|be)\s+){0,2}"
    r"(?:left|leave|leaving|quit|quitting|stop|stopped|stopping|resign|resigned|resigning|drop|dropped|dropping|"
    r"(?:give|gave|given|giving) up|(?:move|moved|moving) (?:out|away)|(?:break|broke|broken|split) up|"
    r"sell|sold|selling|cancel|cancell?ed|(?:get|got|getting) rid of|divorced?|part(?:ed)? with)"
    r"(?:,?\s+(?:my|our|the|his|her|their|job|work|working|living|taking|using|having|position|post|place|flat|at|of|on|with|"
    r"in|from|for|as|to))*,?\s*$",
    re.IGNORECASE,
)
"""Words right before a value by which it has not ended: “I haven't quit my job at” Acme."""
_ALL_THE_SAME = re.compile(
    r"\b(?:until|till)\b|"
    r"[,;–—]\s*(?:but )?(?:I|they|she|he|we|it)\s*(?:was|were|['’]s|got|laid|let|fired|retired|died)\b",
    re.IGNORECASE,
)
"""Words after such a value by which it ended all the same: “I didn't quit Acme, I was fired”, “… until May”."""
_UNREAL = re.compile(r"\b(?:wish(?:es|ed)?|if|should)\b", re.IGNORECASE)
_FOR_NOW = re.compile(
    r"\bfor (?:today|tonight|the (?:day|night|evening))(?=\s*(?:[.,;:!?]|$|and\b|but\b))", re.IGNORECASE
)
"""“Acme let me go for today”: no job ends."""
_OF_WORK = frozenset[Predicate]({"works_at", "works_as", "member_of", "studies_at"})
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
_NEVER_VALUES: Mapping[Predicate, re.Pattern[str]] = {
    "lives_in": _NO_HOME,
    "works_at": _NO_JOB,
    "works_as": _NO_JOB,
    "member_of": _NO_CLUB,
}
"""Values, in small letters, that a predicate never has: “I live in hope”, “she joined the call late”, “I left work”."""
_CORRECTED = (
    r"\s*(?:,|–|—|-|…|\.\.\.)\s*(?:(?:er|uh|um|wait|oops|sorry|no),? )*"
    r"(?P<mark>I mean|I meant|make that|rather|no,|sorry,),? "
)
_INSTEAD = re.compile(
    _CORRECTED + r"(?:(?:in|at|to|with|for) )?(?P<new>(?!I\b)[A-Z][\w&'’.-]*\w(?: [A-Z][\w&'’.-]*\w)*)(?!['’\w])"
)
"""“Porto, I mean in Nantes”: what follows the value that is withdrawn."""
_THEN_INSTEAD = re.compile(
    _CORRECTED
    + rf"(?P<new>(?:(?:in|on) )?(?:(?:the )?\d[\w/.:]*\s?)?(?:{'|'.join([*MONTHS, *WEEKDAYS])})?)(?=[.,;!?]|$)",
    re.IGNORECASE,
)
"""“in March, no, April”."""
_PART_ENDS = re.compile(r"[,;:()–—]")
_HE, _SHE = frozenset({"he", "him", "his"}), frozenset({"she", "her"})
_THIRD = _HE | _SHE
"""Pronouns of one person."""
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
_UNTOLD = frozenset[Predicate]({"event", "plan", "appointment", "deadline", "instruction", "goal"})
"""Predicates that say more than that something is so of the subject of the sentence."""


def mended(turn: ReadTurn, claims: Sequence[TurnClaim]) -> list[TurnClaim]:
    """The claims as the words around them have it."""
    lasting = [
        claim
        for claim in _without_withdrawn(turn, claims)
        if not _is_no_value(turn, claim) and not _ends_for_now(turn, claim) and not is_not_so(turn, claim)
    ]
    timed_claims = timed(turn, [_with_last_time(turn, claim) for claim in lasting])
    related = [replace(claim, predicate=relation(turn, claim)) for claim in timed_claims]
    return [_of_whom(turn, _as_said(turn, claim), related) for claim in related]


def _without_withdrawn(turn: ReadTurn, claims: Sequence[TurnClaim]) -> list[TurnClaim]:
    """The claims with the values that take the place of those withdrawn in the same breath: “Porto, I mean Nantes”."""
    kept = list[TurnClaim]()
    for claim in claims:
        instead = _INSTEAD.match(turn.text, claim.value[1])
        if instead is None:
            kept += [] if is_taken_back(turn, claim) else [claim]
        elif not any(
            other.predicate == claim.predicate and overlap(other.value, instead.span("new")) for other in claims
        ):
            surely = instead["mark"] != "sorry,"  # that may be said to whom is named: “Porto, sorry, Ana”
            kept.append(replace(claim, value=instead.span("new")) if surely else claim)
    return kept


def _with_last_time(turn: ReadTurn, claim: TurnClaim) -> TurnClaim:
    """The claim with the phrase of time that takes the place of the one before it: “in March, no, April”."""
    if claim.time is None:
        return claim
    instead = _THEN_INSTEAD.search(turn.text, claim.time[0])
    beside = instead is not None and instead.start() <= claim.time[1] and instead["new"].strip() != ""
    return replace(claim, time=instead.span("new")) if instead and beside else claim


def _as_said(turn: ReadTurn, claim: TurnClaim) -> TurnClaim:
    """The claim with the effect that its clause has."""
    if claim.effect in ("ends", "denies") and _is_kept(turn, claim):
        since = claim.time is not None and turn.words(claim.time).casefold().startswith("since ")
        return replace(claim, effect="holds", time=claim.time if since else None)
    if claim.effect == "ends" and _goes_on(turn, claim):
        return replace(claim, effect="starts")
    if claim.predicate == "email" and claim.effect == "starts" and claim.time is None:
        return claim if _NEW.search(turn.clause(claim.value)) else replace(claim, effect="holds")
    if claim.predicate == "partner" and claim.effect in ("holds", "starts"):
        if _IS_NOT_MINE.match(turn.text, claim.value[1]):
            return replace(claim, effect="denies")
        if _PARTED.match(turn.text, claim.value[1]):
            return replace(claim, effect="ends")
    return claim


def _is_no_value(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether its predicate never has such a value. A home without a name may end: “we moved out of the flat”."""
    never = _NEVER_VALUES.get(claim.predicate)
    at_home = claim.predicate == "lives_in" and claim.effect in ("ends", "denies")
    return never is not None and not at_home and never.fullmatch(turn.words(claim.value)) is not None


def _ends_for_now(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether work is over for a day only."""
    over = claim.effect == "ends" and claim.predicate in _OF_WORK
    return over and _FOR_NOW.search(turn.clause(claim.value)) is not None


def _is_kept(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether the words around the value say that it did not end: “I never left Porto”."""
    start, end = turn.around(claim.value)
    kept = _KEPT.search(turn.text, start, claim.value[0])
    if kept is None or _UNREAL.search(turn.text, start, kept.start()):
        return False
    return _ALL_THE_SAME.search(turn.text, claim.value[1], end) is None


def _goes_on(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether the clause of a claim says for how long it has been so, up to now."""
    lasts = claim.time is not None and turn.words(claim.time).casefold().startswith(_UP_TO_NOW)
    return lasts and _HAS_BEEN.search(turn.clause(claim.value)) is not None


def _of_whom(turn: ReadTurn, claim: TurnClaim, claims: Sequence[TurnClaim]) -> TurnClaim:
    """The claim of whom its sentence is about, where that is not the speaker; with who is meant by “she”."""
    subject = claim.subject
    if subject == OF_SPEAKER and (opening := _opening_person(turn, claim)):
        return replace(claim, subject=ClaimSubject(Whose.NAMED, opening))
    if other := whose(turn, claim):
        subject = ClaimSubject(Whose.NAMED, other)
    if subject.whose is not Whose.NAMED:
        return claim
    subject = replace(subject, words=turn.line(subject.words))
    if not subject.meant and turn.words(subject.words).casefold() in _THIRD:
        subject = replace(subject, meant=_meant(turn, subject.words, claims))
    return replace(claim, subject=subject)


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
