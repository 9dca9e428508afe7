"""What the words around a value say that it is nothing of the kind: a table, predicate by predicate."""

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from graphmem.extract.offline.claims.others import NAME
from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.reader.claims import OF_SPEAKER, TurnClaim
from graphmem.extract.reader.labels import Predicate

TITLE = re.compile(r"(?:dr|prof|professor|mr|mrs|ms|miss)\b", re.IGNORECASE)
MY_BOSS = re.compile(r"\bmy (?:boss|manager|supervisor)\b|\breport to\b|\bmanages me\b", re.IGNORECASE)
_NAME_OF_OTHERS = re.compile(
    r"\b(?:my|our|his|her|their)\s+(?![\w ]*name\b)[\w'’ -]{2,40}?(?:\s+(?:is|was|are)|['’]s)"
    r"(?:\s+(?:called|named|now))*\s+$",
    re.IGNORECASE,
)
"""“my GP is” Dr Chen: not what the speaker is named."""
_GREETED = re.compile(
    r"\b(?:hello|hi|hey|hiya|dear|good (?:morning|afternoon|evening|night)|bye|goodbye|thanks|thank you)[\s,!]+$",
    re.IGNORECASE,
)
"""“Hello,” Ana: who is talked to."""
_HERE = re.compile(r"\bhere\b", re.IGNORECASE)
_CALLED_IT = re.compile(r"\bcall(?:s|ed|ing)? (?:it|them|him|her|this|that)\s+$", re.IGNORECASE)
"""“I'd call it” Buchholz & Sons."""
_NO_BOSS = re.compile(r"^\W*the (?!boss|manager|supervisor)[\w -]{2,30} (?:is|was)(?: now)?\s+$", re.IGNORECASE)
"""“The CEO is” Maria: nobody says that the speaker reports to her."""
_SPOUSE = re.compile(
    r"\b(?:husband|wife|married|partner|boyfriend|girlfriend|engaged|spouse|fianc\w+|dat(?:e|es|ed|ing)|together|couple|lover"
    r"|other half|in love|back with)\b|\bseeing (?:dr|prof|mr|ms)",
    re.IGNORECASE,
)
_OF_BUSINESS = re.compile(
    r"\b(?:my|our|the|his|her|their) (?:\w+ )?"
    r"(?:office|shop|store|school|practice|clinic|company|firm|restaurant|gym|bakery)(?:['’]s|\s+(?:is|are|was|has|moved|sits))\b[^,;.]*$",
    re.IGNORECASE,
)
"""“Our office is at” 9 Dock Road: nobody lives there."""
_PASSING = re.compile(
    r"\b(?:just\s+landed(?:\s+in)?|landing\s+in|(?:flew|flying|fly)\s+(?:in)?to|visiting|visited|passing\s+through|"
    r"(?:on\s+(?:a\s+|our\s+|my\s+)?(?:holidays?|vacation|trip|business)|layover|stopover)\s+(?:in|to|at))\s+$",
    re.IGNORECASE,
)
"""“just landed” Abuja."""
_FINE = re.compile(
    r"\s+(?:(?:is|are|was|were|['’]s)\s+)?(?:ok|okay|fine|all ?right|alright|no problem|allowed)\b", re.IGNORECASE
)
"""“mushrooms” are fine, or ok."""
_IS_FINE = re.compile(r"\s+(?:is|are)\s+(?:ok|okay|fine|all ?right|alright|allowed)\b", re.IGNORECASE)
_BY_THIRD = re.compile(
    r"\b(?:they|he|she|it|someone|somebody)(?:['’](?:ve|s|d|re|ll))?\s+(?:(?:have|has|had|just|finally|also)\s+)*$",
    re.IGNORECASE,
)
"""“They've” approved my citizenship: others did it."""
_BY_OTHERS = re.compile(
    rf"(?:\b(?:[Hh]e|[Ss]he|[Tt]hey)|\b(?!We\b|I\b){NAME})\s+(?:still\s+|now\s+)?"
    r"(?:insists?\s+on|insisted\s+on|demands?|demanded|proposes?|proposed|suggests?|suggested|votes?\s+for|voted\s+for)\s+$"
)
"""“Aunt May insists on” 140 guests."""
_WAS = re.compile(r"\bwas(?: only| just| about| already)?\s+$", re.IGNORECASE)
"""“he was” seventeen: then."""
_PREFERRED = re.compile(r"\bprefer\w*\s[^.;,]{1,40}\b(?:to|over|rather than)\s+$", re.IGNORECASE)
"""“I prefer tabs to” spaces."""
_PROGRAM = re.compile(r"\S*(?:SQL|DB|Script|Hub|Lab|OS|JS|MQ|API)\b")
"""“PostgreSQL”, of which nobody takes a dose."""
_FIRM = re.compile(r"\b(?:firm|company|business|office|agency|shop|store|factory|bank|school|hospital)s?$")
_TONGUE_OF = re.compile(
    r"\s+(?:novels?|books?|films?|movies?|food|restaurants?|wines?|music|songs?|literature|poetry|poets?|history)\b",
    re.IGNORECASE,
)
_SOMETHING = re.compile(r"\b(?:something|anything)\b[^.;]{0,20}$", re.IGNORECASE)
"""“something long and” Russian."""
_SOLD = re.compile(
    r"(?<!is )(?<!are )(?<!was )\bsold\b(?! out\b| me\b| at\b)(?!.*\b(?:bought|got|costs?|are|is|it['’]s|because)\b)"
    r"|(?<!we )(?<!I )\bwent (?:\w+ ){0,8}for\s+$",
    re.IGNORECASE,
)
"""What was sold for a price has none."""
_HOURLY = re.compile(r".*\d\s?(?:/|an?|per)\s?h(?:ou)?r\b", re.IGNORECASE)
_CHARGES = re.compile(
    r"\b(?:charg\w+|rates?|fees?|costs?|price\w*|lessons?|tutor\w*|cleaner|parking|hire|rent\w*|plumber|lawyer|tuition)\b",
    re.IGNORECASE,
)
"""Words beside what an hour of something costs: elsewhere it is a wage."""
_HANDED_IN = re.compile(
    r"(?<!\bbe )(?<!being )(?<!get )\b(?:submitted|filed|handed in|sent(?: in| off)?|paid)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _NotSo:
    """Words of a ``subject`` or ``value``, ``before`` or ``behind`` that, by which predicates do not hold.

    Not where the sentence has other words (``unless``), or where a phrase of time was read (``untimed``).
    """

    predicates: AbstractSet[Predicate]
    of_speaker: bool = False
    subject: re.Pattern[str] | None = None
    before: re.Pattern[str] | None = None
    value: re.Pattern[str] | None = None
    behind: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    untimed: bool = False

    def fits(self, turn: ReadTurn, claim: TurnClaim) -> bool:
        if claim.predicate not in self.predicates or (self.of_speaker and claim.subject != OF_SPEAKER):
            return False
        if self.untimed and claim.time is not None:
            return False
        return (
            (self.subject is None or self.subject.search(turn.words(claim.subject.words)) is not None)
            and (self.before is None or self.before.search(turn.lead(claim.value)) is not None)
            and (self.value is None or self.value.match(turn.words(claim.value)) is not None)
            and (self.behind is None or self.behind.match(turn.text, claim.value[1]) is not None)
            and (self.unless is None or self.unless.search(turn.sentence(claim.value)) is None)
        )


_NOT_SO = (
    _NotSo(predicates={"named"}, before=_NAME_OF_OTHERS, of_speaker=True),
    _NotSo(predicates={"named"}, before=_GREETED, unless=_HERE),
    _NotSo(predicates={"named"}, before=_CALLED_IT, of_speaker=True),
    _NotSo(predicates={"boss"}, before=_NO_BOSS, of_speaker=True, unless=MY_BOSS),
    _NotSo(predicates={"partner"}, value=TITLE, unless=_SPOUSE),
    _NotSo(predicates={"lives_in", "address"}, before=_OF_BUSINESS, of_speaker=True),
    _NotSo(predicates={"lives_in", "address"}, before=_PASSING),
    _NotSo(predicates={"allergic_to"}, behind=_FINE),
    _NotSo(predicates={"dislikes", "diet"}, behind=_IS_FINE),
    _NotSo(predicates={"event", "habit"}, before=_BY_THIRD, of_speaker=True),
    _NotSo(predicates={"quantity"}, before=_BY_OTHERS),
    _NotSo(predicates={"age"}, before=_WAS, untimed=True),
    _NotSo(predicates={"prefers", "likes"}, before=_PREFERRED),
    _NotSo(predicates={"medication"}, value=_PROGRAM),
    _NotSo(predicates={"lives_in"}, subject=_FIRM),
    _NotSo(predicates={"speaks"}, behind=_TONGUE_OF),
    _NotSo(predicates={"speaks"}, before=_SOMETHING),
    _NotSo(predicates={"price"}, before=_SOLD),
    _NotSo(predicates={"price"}, value=_HOURLY, unless=_CHARGES),
    _NotSo(predicates={"deadline"}, before=_HANDED_IN),
)


def is_not_so(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether the words around a value say that it is nothing of the kind, or not of the subject."""
    if claim.effect not in ("holds", "starts"):
        return False
    return any(each.fits(turn, claim) for each in _NOT_SO)
