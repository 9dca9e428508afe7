"""What the words right beside a value say against what was read: whose it is, which relation, or none at all."""

import re
from collections.abc import Mapping

from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.offline.tables.meanings import MEANINGS
from graphmem.extract.offline.tables.words import words
from graphmem.extract.reader.claims import OF_SPEAKER, TurnClaim
from graphmem.extract.reader.labels import Predicate
from graphmem.extract.reader.layout import Span as Place

_NAME = r"[A-Z][\w'’-]*\w(?: [A-Z][\w'’-]*\w)*"
_IS = re.compile(
    r"\b(?P<who>he|she)(?:['’]s|\s+(?:is|was))\s+(?:(?:now|still|really|actually|called|named|an?|the)\s+)*$",
    re.IGNORECASE,
)
"""“on paper she's” Priya."""
_ASKED = re.compile(
    r"\b(?i:ask|tell|call|ring|phone|e-?mail|text|message|know|asked|told|called|rang|phoned|e-?mailed|texted|messaged|knew)"
    rf"\s+(?P<who>{_NAME})\s+(?:in|at|from)\s+$"
)
"""“I'll ask Georges in” apartment 9."""
_TELLS_OF = re.compile(
    rf"\b(?:I|[Ww]e)(?:['’](?:ve|d|ll))?\s+(?!am\b|was\b|were\b)(?:[a-z]+\s+){{1,4}}(?P<who>{_NAME}),"
    r"\s+(?:(?:an?|the|our|my)\s+)?(?:[\w -]{2,30},\s+)?$"
)
"""“I met Lena,” a painter; “I live with Tom, a nurse,” forty."""
_PREPOSITIONS = words("in at from to near of on for as by")
_BY_OTHERS = re.compile(
    rf"(?:\b(?:[Hh]e|[Ss]he|[Tt]hey)|{_NAME})\s+(?:still\s+|now\s+)?"
    r"(?:insists?\s+on|insisted\s+on|demands?|demanded|proposes?|proposed|suggests?|suggested|votes?\s+for|voted\s+for)\s+$"
)
"""“Aunt May insists on” 140 guests."""
_PASSING = re.compile(
    r"\b(?:landed(?:\s+in)?|landing\s+in|(?:flew|flying|fly)\s+(?:in)?to|visiting|visited|passing\s+through|"
    r"(?:on\s+(?:a\s+|our\s+|my\s+)?(?:holidays?|vacation|trip|business)|layover|stopover)\s+(?:in|to|at))\s+$",
    re.IGNORECASE,
)
"""“just landed” Abuja."""
_UNSAID = re.compile(
    r"\s*(?:…|\.\.\.|,|–|—|-)\s*(?:no|nope|wait|hang on),?\s+"
    r"(?:no\b|rubbish|nonsense|sorry|wait|scratch that|not (?:him|her|that|there)|"
    r"that['’]s (?:not|wrong|rubbish|nonsense|last|the))\b",
    re.IGNORECASE,
)
"""“my boss is Zuzanna… no, rubbish”: what follows a value that is withdrawn, and nothing takes its place."""
_ROLE = re.compile(
    r"(?:\b(?:my|our)\s+(?:(?!ex\b)\w+\s+)?|(?:^|\n)[-*•\s]*(?:my\s+)?)(?P<role>[^\W\d]+)(?::|,|\s+is(?:\s+called)?|\s+named)?\s+$",
    re.IGNORECASE,
)
"""“my daughter” Keti; “- daughter:” Keti."""
_RELATIONS: Mapping[str, Predicate] = {
    **dict.fromkeys(words("sister brother sibling twin stepsister stepbrother sis bro"), "sibling"),
    **dict.fromkeys(words("mother father mom mum dad mommy daddy mama papa stepmother stepfather"), "parent"),
    **dict.fromkeys(words("son daughter child stepson stepdaughter"), "child"),
    **dict.fromkeys(words("wife husband spouse boyfriend girlfriend fiancé fiancée fiance fiancee"), "partner"),
    **dict.fromkeys(words("boss manager supervisor"), "boss"),
}
_OF_OTHERS_WISH = frozenset[Predicate]({"quantity", "deadline"})
_IN_PASSING = frozenset[Predicate]({"lives_in", "address"})
_PLACED = frozenset[Predicate]({"lives_in", "address", "works_at", "studies_at"})
_TOLD_OF = frozenset[Predicate]({"works_as", "age"})


def is_taken_back(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether the speaker withdraws a value in the same breath: “Zuzanna… no, rubbish”."""
    return _UNSAID.match(turn.text, claim.value[1]) is not None


def is_none(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether it is what others wish for, or a place where somebody is for a while."""
    before = _before(turn, claim)
    wished = claim.predicate in _OF_OTHERS_WISH and _BY_OTHERS.search(before) is not None
    return wished or (claim.predicate in _IN_PASSING and _PASSING.search(before) is not None)


def relation(turn: ReadTurn, claim: TurnClaim) -> Predicate:
    """The predicate of a claim about a person, who stands behind a word for who that is: “my daughter Keti”."""
    if claim.predicate not in _RELATIONS.values() or claim.subject != OF_SPEAKER:
        return claim.predicate
    role = _ROLE.search(_before(turn, claim))
    return _RELATIONS.get(role["role"].casefold(), claim.predicate) if role else claim.predicate


def whose(turn: ReadTurn, claim: TurnClaim) -> Place | None:
    """Where the other person stands whose the value is, that was taken for the speaker's; None where there is none."""
    if claim.subject != OF_SPEAKER:
        return None
    start, _ = turn.around(claim.value)
    before, own = _before(turn, claim), MEANINGS[claim.predicate].range != "person" or claim.predicate == "named"
    told = _TELLS_OF.search(before) if claim.predicate in _TOLD_OF else None
    if told is not None and before[: told.start("who")].split()[-1].casefold() in _PREPOSITIONS:
        told = None
    of_other = (
        (_IS.search(before) if own else None) or (_ASKED.search(before) if claim.predicate in _PLACED else None) or told
    )
    return None if of_other is None else (start + of_other.start("who"), start + of_other.end("who"))


def _before(turn: ReadTurn, claim: TurnClaim) -> str:
    """The words of the sentence before the value."""
    start, _ = turn.around(claim.value)
    return turn.text[start : claim.value[0]]
