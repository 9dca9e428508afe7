"""What the words right beside a value say against what was read: whose it is, which relation, or none at all."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

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
_BY_OTHERS = re.compile(
    rf"(?:\b(?:[Hh]e|[Ss]he|[Tt]hey)|\b(?!We\b|I\b){NAME})\s+(?:still\s+|now\s+)?"
    r"(?:insists?\s+on|insisted\s+on|demands?|demanded|proposes?|proposed|suggests?|suggested|votes?\s+for|voted\s+for)\s+$"
)
"""“Aunt May insists on” 140 guests."""
_PASSING = re.compile(
    r"\b(?:just\s+landed(?:\s+in)?|landing\s+in|(?:flew|flying|fly)\s+(?:in)?to|visiting|visited|passing\s+through|"
    r"(?:on\s+(?:a\s+|our\s+|my\s+)?(?:holidays?|vacation|trip|business)|layover|stopover)\s+(?:in|to|at))\s+$",
    re.IGNORECASE,
)
"""“just landed” Abuja."""
_GREETED = re.compile(
    r"\b(?:hello|hi|hey|hiya|dear|good (?:morning|afternoon|evening|night)|bye|goodbye|thanks|thank you)[\s,!]+$",
    re.IGNORECASE,
)
"""“Hello,” Ana: who is talked to."""
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
_NAME_OF_OTHERS = re.compile(
    r"\b(?:my|our|his|her|their)\s+(?![\w ]*name\b)[\w'’ -]{2,40}?(?:\s+(?:is|was|are)|['’]s)"
    r"(?:\s+(?:called|named|now))*\s+$",
    re.IGNORECASE,
)
"""“my GP is” Dr Chen: not what the speaker is named."""
_OPENING_ROLE = re.compile(
    r"(?P<who>(?:my|our)\s+(?:[\w-]+\s+)?(?P<role>[\w-]+))(?:['’]s|\s+(?:is|was|has|works?|lives?|studies|moved|started|joined))\b",
    re.IGNORECASE,
)
"""“my dentist is Ana Ruiz at” Elm Practice."""
_OF_FIRST = re.compile(r"\b(?:i|me|we|us)\b", re.IGNORECASE)
_USES = re.compile(r"\b(?:use|uses|using)\s+(?:[\w.+#-]+(?:,| and)\s+){0,3}$", re.IGNORECASE)
_PLAN = re.compile(r"\b(?:plan|tier|membership|subscription|account|premium|pro|plus|basic)\b", re.IGNORECASE)
DIED = re.compile(r"(?:died|passed away|was put (?:down|to sleep))\b", re.IGNORECASE)
_NO_BOSS = re.compile(r"^\W*the (?!boss|manager|supervisor)[\w -]{2,30} (?:is|was)(?: now)?\s+$", re.IGNORECASE)
"""“The CEO is” Maria: nobody says that the speaker reports to her."""
_MY_BOSS = re.compile(r"\bmy (?:boss|manager|supervisor)\b|\breport to\b|\bmanages me\b", re.IGNORECASE)
_OF_BUSINESS = re.compile(
    r"\b(?:my|our|the|his|her|their) (?:\w+ )?"
    r"(?:office|shop|store|school|practice|clinic|company|firm|restaurant|gym|bakery)(?:['’]s|\s+(?:is|are|was|has|moved|sits))\b[^,;.]*$",
    re.IGNORECASE,
)
"""“Our office is at” 9 Dock Road: nobody lives there."""
_NOT_REALLY = re.compile(r"\s+(?:of (?:embarrassment|boredom|shame|laughter)|laughing)\b", re.IGNORECASE)
_DIED_BEHIND = re.compile(rf"\s*(?P<died>{DIED.pattern})", re.IGNORECASE)
_TIED = frozenset[Predicate]({"partner", "friend", "child", "sibling", "parent", "boss", "pet"})
_CALLED_BY_ROLE = re.compile(r"\b(?:my|our|his|her|their)\s+(?:[\w-]+\s+)?(?P<role>[\w-]+)\s+$", re.IGNORECASE)
_SURE = frozenset(RELATIONS.values()) - {"friend"}
"""Relations, one of which is read for another; a friend has a role besides: “my boss and friend”."""
_PLACED = frozenset[Predicate]({"lives_in", "address", "works_at", "studies_at"})
_TOLD_OF = frozenset[Predicate]({"works_as", "age"})


_FINE = re.compile(
    r"\s+(?:(?:is|are|was|were|['’]s)\s+)?(?:ok|okay|fine|all ?right|alright|no problem|allowed)\b", re.IGNORECASE
)
"""“mushrooms” are fine."""
_BY_THIRD = re.compile(
    r"\b(?:they|he|she|it|someone|somebody)(?:['’](?:ve|s|d|re|ll))?\s+(?:(?:have|has|had|just|finally|also)\s+)*$",
    re.IGNORECASE,
)
"""“They've” approved my citizenship: others did it."""
TITLE = re.compile(r"(?:dr|prof|professor|mr|mrs|ms|miss)\b", re.IGNORECASE)
_SPOUSE = re.compile(
    r"\b(?:husband|wife|married|partner|boyfriend|girlfriend|engaged|spouse|fianc\w+)\b", re.IGNORECASE
)
_SOLD = re.compile(r"\b(?:sold|sell(?:s|ing)?|went (?:\w+ ){0,8}for)\b(?!.*\b(?:bought|got)\b)", re.IGNORECASE)
"""What was sold for a price has none."""
_HANDED_IN = re.compile(r"\b(?:submitted|filed|handed in|sent(?: in| off)?|paid)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_WAS = re.compile(r"\bwas(?: only| just| about| already)?\s+$", re.IGNORECASE)
"""“he was” seventeen: then."""
_FIRM = re.compile(
    r"\b(?:firm|company|business|office|agency|shop|store|factory|movers|team|bank|school|hospital)s?\b", re.IGNORECASE
)
_TONGUE = re.compile(
    r"\b(?:sp[eo]a?k\w*|spoke\w*|fluent\w*|native|tongue|languages?|bilingual|trilingual|conversational|rusty|talk\w*"
    r"|underst\w+|level|raised|grew up|[ABC][12]"
    r"|chat\w*|interpret\w*|translat\w*|know(?:s|n)? (?:some|a (?:bit|little)))\b",
    re.IGNORECASE,
)
"""Words beside a language that somebody speaks: “a long Russian novel” is none."""
_TEACHES = re.compile(
    r"\b(?:principal|head ?(?:teacher|master|mistress)?|teach\w*|tutor|lecturer?|professor|caretaker|staff)\b",
    re.IGNORECASE,
)
_CALLED_IT = re.compile(r"\bcall(?:s|ed|ing)? (?:it|them|him|her|this|that)\s+$", re.IGNORECASE)
"""“I'd call it” Buchholz & Sons."""
_HOURLY = re.compile(r".*\d\s?(?:/|an?|per)\s?h(?:ou)?r\b", re.IGNORECASE)
_CHARGES = re.compile(
    r"\b(?:charg\w+|rates?|fees?|costs?|price\w*|lessons?|tutor\w*|cleaner|parking|hire|rent\w*|plumber|lawyer|tuition)\b",
    re.IGNORECASE,
)
"""Words beside what an hour of something costs: elsewhere it is a wage."""
_PREFERRED = re.compile(r"\bprefer\w*\s[^.;,]{1,40}\b(?:to|over|rather than)\s+$", re.IGNORECASE)
"""“I prefer tabs to” spaces."""
_PROGRAM = re.compile(r"\S*[a-z][A-Z]")
"""“PostgreSQL”, of which nobody takes a dose."""
_HERE = re.compile(r"\bhere\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _NotSo:
    """Words of a ``subject`` or ``value``, ``before`` or ``behind`` that, by which predicates do not hold.

    Not where the sentence has other words (``unless``); only where neither the turn nor what was said before has others
    (``without``).
    """

    predicates: AbstractSet[Predicate]
    of_speaker: bool = False
    subject: re.Pattern[str] | None = None
    before: re.Pattern[str] | None = None
    value: re.Pattern[str] | None = None
    behind: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    without: re.Pattern[str] | None = None

    def fits(self, turn: ReadTurn, claim: TurnClaim) -> bool:
        if claim.predicate not in self.predicates or (self.of_speaker and claim.subject != OF_SPEAKER):
            return False
        return (
            (self.subject is None or self.subject.search(turn.words(claim.subject.words)) is not None)
            and (self.before is None or self.before.search(turn.lead(claim.value)) is not None)
            and (self.value is None or self.value.match(turn.words(claim.value)) is not None)
            and (self.behind is None or self.behind.match(turn.text, claim.value[1]) is not None)
            and (self.unless is None or self.unless.search(turn.sentence(claim.value)) is None)
            and (self.without is None or self.without.search(f"{turn.before} {turn.text}") is None)
        )


_NOT_SO = (
    _NotSo(predicates={"named"}, before=_NAME_OF_OTHERS, of_speaker=True),
    _NotSo(predicates={"named"}, before=_GREETED, unless=_HERE),
    _NotSo(predicates={"named"}, before=_CALLED_IT, of_speaker=True),
    _NotSo(predicates={"boss"}, before=_NO_BOSS, of_speaker=True, unless=_MY_BOSS),
    _NotSo(predicates={"partner"}, value=TITLE, unless=_SPOUSE),
    _NotSo(predicates={"lives_in", "address"}, before=_OF_BUSINESS, of_speaker=True),
    _NotSo(predicates={"lives_in", "address"}, before=_PASSING),
    _NotSo(predicates={"allergic_to", "dislikes", "diet"}, behind=_FINE),
    _NotSo(predicates={"event", "habit"}, before=_BY_THIRD, of_speaker=True),
    _NotSo(predicates={"quantity"}, before=_BY_OTHERS),
    _NotSo(predicates={"age"}, before=_WAS),
    _NotSo(predicates={"prefers", "likes"}, before=_PREFERRED),
    _NotSo(predicates={"medication"}, value=_PROGRAM),
    _NotSo(predicates={"lives_in"}, subject=_FIRM),
    _NotSo(predicates={"speaks"}, without=_TONGUE),
    _NotSo(predicates={"price"}, before=_SOLD),
    _NotSo(predicates={"price"}, value=_HOURLY, unless=_CHARGES),
    _NotSo(predicates={"deadline"}, before=_HANDED_IN),
)


def is_taken_back(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether the speaker withdraws a value in the same breath: “Zuzanna… no, rubbish”."""
    return claim.effect not in ("ends", "denies") and _UNSAID.match(turn.text, claim.value[1]) is not None


def is_not_so(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether the words around a value say that it is nothing of the kind, or not of the subject."""
    if claim.effect not in ("holds", "starts"):
        return False
    return any(each.fits(turn, claim) for each in _NOT_SO)


def relation(turn: ReadTurn, claim: TurnClaim) -> Predicate:
    """The predicate of a claim by the words before its value: “my daughter” Keti, “I don't like” tea any more."""
    if claim.predicate == "dislikes" and claim.effect in ("ends", "denies"):
        return "likes" if _LIKES_NOT.search(turn.lead(claim.value)) else claim.predicate
    if claim.predicate == "subscription" and claim.effect in ("holds", "starts"):
        used = _USES.search(turn.lead(claim.value)) and not _PLAN.search(turn.words(claim.value))
        return "prefers" if used else claim.predicate
    if claim.predicate == "studies_at" and claim.subject.whose is Whose.NAMED:
        return "works_at" if _TEACHES.search(turn.clause(claim.value, claim.subject.words)) else claim.predicate
    if claim.predicate not in _SURE or claim.subject != OF_SPEAKER:
        return claim.predicate
    if claim.predicate == "boss" and _MY_BOSS.search(turn.sentence(claim.value)):
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
