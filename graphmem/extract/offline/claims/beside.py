"""What the words right beside a value say against what was read: whose it is, which relation, or none at all."""

import re
from collections.abc import Iterator
from dataclasses import replace

from graphmem.extract.offline.claims.not_so import MY_BOSS
from graphmem.extract.offline.claims.others import NAME, RELATIONS
from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.offline.claims.subjects import is_pet, is_role
from graphmem.extract.offline.tables.meanings import MEANINGS
from graphmem.extract.reader.claims import OF_SPEAKER, ClaimSubject, TurnClaim, Whose
from graphmem.extract.reader.labels import Predicate
from graphmem.extract.reader.layout import Span as Place
from graphmem.model.dates import MONTHS, WEEKDAYS

_IS = re.compile(
    r"\b(?P<who>he|she)(?:['’]s|\s+(?:is|was))\s+(?:(?:now|still|really|actually|called|named|an?|the)\s+)*$",
    re.IGNORECASE,
)
"""“on paper she's” Priya."""
_ASKED = re.compile(
    r"\b(?i:ask|tell|call|ring|phone|e-?mail|text|message|know|asked|told|called|rang|phoned|e-?mailed|texted|messaged|knew)"
    rf"\s+(?P<who>{NAME})\s+(?:in|at)\s+$"
)
"""“I'll ask Georges in” apartment 9."""
_TELLS_OF = re.compile(
    r"\b(?:I|[Ww]e)(?:['’](?:ve|d|ll))?\s+(?:\w+ly\s+)?"
    r"(?:met|know|knew|hired|married|interviewed|made|play|played|created|invented|"
    r"(?:live|lived|work|worked|share|shared|travel|travelled)(?:\s+[a-z]+){0,3}?\s+with)"
    rf"\s+(?!(?:{'|'.join([*MONTHS, *WEEKDAYS])})\b)(?P<who>{NAME}),"
    r"\s+(?:(?:an?|the|our|my)\s+)?(?:[\w -]{2,30},\s+)?$"
)
"""“I met Lena,” a painter; “I live with Tom, a nurse,” forty."""
_UNSAID = re.compile(
    r"\s*(?:…|\.\.\.|,|–|—|-)\s*(?:(?:no|nope|wait|hang on),\s+|(?:no|nope)\s+(?=wait|sorry|scratch|that))"
    r"(?:(?:no|rubbish|nonsense|sorry|wait|scratch that|that['’]s (?:not (?:right|true)|wrong|rubbish|nonsense))"
    r"(?=[.,;!?…]|$)|"
    r"not (?:him|her|that|there)\b)",
    re.IGNORECASE,
)
"""“my boss is Zuzanna… no, rubbish”: what follows a value that is withdrawn, and nothing takes its place."""
_ROLE = re.compile(
    r"(?:\b(?:my|our)\s+(?:(?!ex\b)\w+\s+)?(?P<mine>[^\W\d]+)(?::|,|\s+is(?:\s+called)?|\s+named)?"
    r"|(?:^|\n)[-*• ]*(?P<role>[^\W\d]+):)\s+$",
    re.IGNORECASE,
)
"""“my daughter” Keti; “- daughter:” Keti."""
_LIKES_NOT = re.compile(
    r"\b(?:(?:do|does|did)(?:n['’]?t| not)|never|no longer)\s+(?:really\s+|even\s+)?(?:like|love|enjoy|fancy)s?\s+"
    r"(?:\w+\s+)?$",
    re.IGNORECASE,
)
"""“I don't like” coffee any more: to like it ends, not to dislike it."""
_OPENING_ROLE = re.compile(
    r"(?P<who>(?:my|our)\s+(?:[\w-]+\s+)?(?P<role>[\w-]+))(?:['’]s|\s+(?:is|was|has|works?|lives?|studies|moved|started|joined))\b",
    re.IGNORECASE,
)
"""“my dentist is Ana Ruiz at” Elm Practice."""
_OF_FIRST = re.compile(r"\b(?:i|me|we|us)\b", re.IGNORECASE)
_USES = re.compile(r"\b(?:use|uses|using)\s+(?:[\w.+#-]+(?:,| and)\s+){0,3}$", re.IGNORECASE)
_PLAN = re.compile(r"\b(?:plan|tier|membership|subscription|account|premium|pro|plus|basic)\b", re.IGNORECASE)
DIED = re.compile(r"(?:died|passed away|was put (?:down|to sleep))\b", re.IGNORECASE)
_NOT_REALLY = re.compile(r"\s+(?:of (?:embarrassment|boredom|shame|laughter)|laughing)\b", re.IGNORECASE)
_DIED_BEHIND = re.compile(rf"\s*(?P<died>{DIED.pattern})", re.IGNORECASE)
_TIED = frozenset[Predicate]({"partner", "friend", "child", "sibling", "parent", "boss", "pet"})
_CALLED_BY_ROLE = re.compile(r"\b(?:my|our|his|her|their)\s+(?:[\w-]+\s+)?(?P<role>[\w-]+)\s+$", re.IGNORECASE)
_SURE = frozenset(RELATIONS.values()) - {"friend"}
"""Relations, one of which is read for another; a friend has a role besides: “my boss and friend”."""
_PLACED = frozenset[Predicate]({"lives_in", "address", "works_at", "studies_at"})
_TOLD_OF = frozenset[Predicate]({"works_as", "age"})


_HEADS = re.compile(
    r"\b(?:principal|head ?(?:teacher|master|mistress)|caretaker|janitor)\s+(?:is|was|at|of)\b", re.IGNORECASE
)
"""“The principal is” Mr Lane at Elm School."""
_PUPIL = re.compile(r"\b(?:pupil|student|stud(?:y|ies|ying)|become|to be|his|her|their)\b", re.IGNORECASE)


def is_taken_back(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether the speaker withdraws a value in the same breath: “Zuzanna… no, rubbish”."""
    return claim.effect not in ("ends", "denies") and _UNSAID.match(turn.text, claim.value[1]) is not None


def relation(turn: ReadTurn, claim: TurnClaim) -> Predicate:
    """The predicate of a claim by the words before its value: “my daughter” Keti, “I don't like” tea any more."""
    if claim.predicate == "dislikes" and claim.effect in ("ends", "denies"):
        return "likes" if _LIKES_NOT.search(turn.lead(claim.value)) else claim.predicate
    if claim.predicate == "subscription" and claim.effect in ("holds", "starts"):
        used = _USES.search(turn.lead(claim.value)) and not _PLAN.search(turn.words(claim.value))
        return "prefers" if used else claim.predicate
    if claim.predicate == "studies_at" and claim.subject.whose is Whose.NAMED:
        clause = turn.clause(claim.value, claim.subject.words)
        return "works_at" if _HEADS.search(clause) and not _PUPIL.search(clause) else claim.predicate
    if claim.predicate not in _SURE or claim.subject != OF_SPEAKER:
        return claim.predicate
    if claim.predicate == "boss" and MY_BOSS.search(turn.sentence(claim.value)):
        return claim.predicate
    role = _ROLE.search(turn.lead(claim.value))
    return RELATIONS.get((role["mine"] or role["role"]).casefold(), claim.predicate) if role else claim.predicate


def whose(turn: ReadTurn, claim: TurnClaim) -> Place | None:
    """Where the other person stands whose the value is, that was taken for the speaker's; None where there is none."""
    if claim.subject != OF_SPEAKER:
        return None
    before, meaning = turn.lead(claim.value), MEANINGS[claim.predicate]
    own = meaning.range not in ("person", "animal") or claim.predicate == "named"
    of_other = (
        (_IS.search(before) if own else None)
        or (_ASKED.search(before) if claim.predicate in _PLACED else None)
        or (_TELLS_OF.search(before) if claim.predicate in _TOLD_OF else None)
        or (_by_role(before) if claim.predicate in _PLACED | _TOLD_OF else None)
    )
    start = claim.value[0] - len(before)
    return None if of_other is None else (start + of_other.start("who"), start + of_other.end("who"))


def _by_role(before: str) -> re.Match[str] | None:
    """Whom a sentence is about that begins with a word for who that is, and has nothing of the speaker."""
    opening = _OPENING_ROLE.match(before)
    about_other = opening is not None and is_role(opening["role"]) and not _OF_FIRST.search(before, opening.end())
    return opening if about_other else None


def called_by_role(turn: ReadTurn, place: Place) -> bool:
    """Whether a name stands behind a word for who that person is: “my uncle” Bert."""
    called = _CALLED_BY_ROLE.search(turn.lead(place))
    return called is not None and is_role(called["role"]) and not is_pet(called["role"])


def with_death(turn: ReadTurn, claim: TurnClaim) -> Iterator[TurnClaim]:
    """The claim; or that a person died of whom a bond was read (“my uncle Bert passed away”), and its end."""
    died = _died(turn, claim.value) if claim.predicate in _TIED and called_by_role(turn, claim.value) else None
    if died is None or claim.effect not in ("ends", "holds", "starts"):
        yield claim
        return
    if claim.predicate in ("partner", "boss"):
        yield replace(claim, effect="ends")
    elif claim.effect != "ends":
        yield claim
    yield replace(claim, predicate="event", effect="holds", subject=ClaimSubject(Whose.NAMED, claim.value), value=died)


def _died(turn: ReadTurn, who: Place) -> Place | None:
    """Where it stands, right behind a name, that somebody died."""
    match = _DIED_BEHIND.match(turn.text, who[1])
    return None if match is None or _NOT_REALLY.match(turn.text, match.end()) else match.span("died")
