"""Of whom a value is that was read of several at once, and which of two words for one thing says what it is.

“Lena's brother Moritz, peanuts” says nothing of Lena; in “she works at the infirmary, healthcare assistant” nobody is
an employer but the infirmary.
"""

import re
from collections.abc import Mapping, Sequence

from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.owners.people import FIRST
from graphmem.extract.reader.claims import OF_SPEAKER, TurnClaim, Whose
from graphmem.extract.reader.labels import Predicate

_OWNER = re.compile(r"['’]s?\s+(?!(?:an?|the|in|at|on|not|so|very|\w+ing)\b)", re.IGNORECASE)
"""Behind whom another one belongs to: “Lena's”."""
_BESIDE = re.compile(r"\s+(?:in|of|at|on|for|near)\s+", re.IGNORECASE)
"""“the heating in” my room."""
_BY = re.compile(r"\b(?:by|via|through|thanks to)\s+(?:(?:my|our|his|her|their)\s+(?:\S+\s+)?)?$", re.IGNORECASE)
"""“recommended by my” sister-in-law Joanne."""
_AND = re.compile(r"\s+and\b", re.IGNORECASE)
_COUNTED = frozenset[Predicate]({"price", "quantity"})
"""What is said of things in the same sentence: “My feet are cold. Budget 180.”"""
_NAMES: Mapping[Predicate, re.Pattern[str]] = {
    "named": re.compile(r"\b(?:name[ds]?|call(?:s|ed)?|known as)\b", re.IGNORECASE),
    "works_at": re.compile(r"\b(?:at|for|in|with|by)\s+(?:an?\s+|the\s+)?$", re.IGNORECASE),
}
"""Words before what is a name, or an employer."""


def without_bystanders(turn: ReadTurn, claims: Sequence[TurnClaim]) -> list[TurnClaim]:
    """The claims without those of whom the words name only to say whose, or where, another one is."""
    return [
        claim
        for claim in claims
        if not (_stands_by(turn, claim, _beside(claim, claims)) or _is_a_post(turn, claim, claims))
    ]


def _beside(claim: TurnClaim, claims: Sequence[TurnClaim]) -> list[TurnClaim]:
    """The same claims of others."""
    same = (claim.predicate, claim.effect, claim.value)
    return [
        each
        for each in claims
        if (each.predicate, each.effect, each.value) == same and each.subject != claim.subject and each is not claim
    ]


def _is_a_post(turn: ReadTurn, claim: TurnClaim, claims: Sequence[TurnClaim]) -> bool:
    """Whether what was read as a name or an employer is read as a post, too, and no word says that it is none."""
    names = _NAMES.get(claim.predicate)
    post = ("works_as", claim.value, claim.subject)
    if names is None or not any((each.predicate, each.value, each.subject) == post for each in claims):
        return False
    return names.search(turn.lead(claim.value)) is None


def _stands_by(turn: ReadTurn, claim: TurnClaim, beside: Sequence[TurnClaim]) -> bool:
    others = [each.subject.words for each in beside if each.subject.whose is Whose.NAMED]
    if claim.subject == OF_SPEAKER:
        start, _ = turn.around(claim.value)
        opens = any(other[0] == start for other in others)
        return opens and not FIRST.search(turn.sentence(claim.value))
    if claim.subject.whose is not Whose.NAMED:
        return False
    start, end = claim.subject.words
    first, last = turn.around(claim.value)
    counted = claim.predicate in _COUNTED and not first <= start < last
    if counted and any(first <= other[0] < last for other in others):
        return True
    _, last = turn.around(claim.subject.words)
    if _OWNER.match(turn.text, end) and any(end < other[0] < last for other in others):
        return True
    if others and _BY.search(turn.lead(claim.subject.words)) and not _AND.match(turn.text, end):
        return True
    return any(other[1] <= start and _BESIDE.fullmatch(turn.text, other[1], start) for other in others)
