"""What the words of a clause say of a change: whether what was read begins, ends, goes on, or is only imagined."""

import re
from dataclasses import replace

from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.reader.claims import TurnClaim
from graphmem.extract.reader.labels import Predicate
from graphmem.extract.reader.layout import Span as Place

_HAS_BEEN = re.compile(
    r"\b(?:have|has|['’]ve|['’]s)(?: (?!hardly|barely|rarely|scarcely)\w+ly)? (?:been )?"
    r"(?:lived|living|worked|working|studied|studying|owned|had(?! no\b)|"
    r"driven|driving|known|taken|taking|spoken|played|playing|installed|based|settled)\b",
    re.IGNORECASE,
)
"""The present perfect of what goes on, with how long it does: “I have lived in Rome for ages”."""
_NEW = re.compile(r"\b(?:new|now|changed?|switch\w*|got|from)\b", re.IGNORECASE)
"""Words by which an address of e-mail begins to be somebody's."""
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
_TO_ME = re.compile(
    r"\s+(?:was|were|got|(?:has|have) been)\s+(?:\w+ly\s+)?(?:sold|given|passed on|handed down) to (?:me|us)\b",
    re.IGNORECASE,
)
"""“the bike was sold to me”."""
_STEPPED_DOWN = re.compile(
    r"\b(?:step(?:s|ped|ping)? down|resign(?:s|ed|ing)?|retir(?:es|ed|ing)|quit(?:s|ting)?) (?:as|from being) "
    r"(?:(?:the|an?|our) )?$",
    re.IGNORECASE,
)
"""“Maria stepped down as” CEO."""
_UNREAL = re.compile(r"\b(?:wish(?:es|ed)?|if|should)\b", re.IGNORECASE)
_FOR_NOW = re.compile(
    r"\bfor (?:today|tonight|the (?:day|night|evening))(?=\s*(?:[.,;:!?]|$|and\b|but\b))", re.IGNORECASE
)
"""“Acme let me go for today”: no job ends."""
_MISSED = re.compile(
    r"\b(?:skip(?:s|ped|ping)?|miss(?:ed|ing)?|forgot(?:ten)?|r[au]n(?:ning)? out of|out of)\b", re.IGNORECASE
)
"""“I skipped metformin today”: it is taken all the same."""
_SAYS_IF = frozenset[Predicate]({"instruction", "habit", "likes", "dislikes", "prefers", "diet", "goal"})
"""Predicates whose values may name a condition: “if I am in a hurry, keep it short”."""
_OF_WORK = frozenset[Predicate]({"works_at", "works_as", "member_of", "studies_at"})
_STILL = re.compile(r"\bstill\b|\bkept (?:my|our|the) (?:job|place|post|position|flat|house)\b", re.IGNORECASE)
_HOME = r"(?:home|house|flat|apartment|place|cottage|cabin)"
_SECOND_HOME = re.compile(
    rf"\b(?:second|another|other|holiday|weekend|summer|winter)\s+{_HOME}\b"
    rf"|\balso\s+(?:live|have|own|rent|keep)s?\b"
    rf"|\b(?:have|has|own|owns|rent|rents|keep|keeps)\s+(?:an?|the|my|our)\s+(?:\w+\s+)?{_HOME}\b.*\b(?:as well|too)\b",
    re.IGNORECASE,
)
"""Words of a home beside another one: “we keep a flat in Porto as well”."""
_NOT = re.compile(r"\b(?:not|never|no|hardly|barely)\b|n['’]t\b", re.IGNORECASE)
_OFF = re.compile(
    r"(?:\b(?:not|never)|n['’]t)\s+(?:\w+\s+){0,3}?"
    r"(?:join|start|begin|mov|go|tak|accept|becom|get|buy|adopt|marry|study|enrol)\w*"
    r"|\b(?:falls?|fell|fallen) through\b|\b(?:is|are|was|were|['’]s) (?:off|scrapped|shelved)\b"
    r"|\bcall(?:ed|ing)? (?:\w+ )?off\b|\bturn(?:ed|ing)? (?:\w+ )?down\b|\b(?:backed|pulled) out\b"
    r"|\bdecided against\b|\bcancel\w+|\bwithdr\w+|\bcame to nothing\b",
    re.IGNORECASE,
)
"""Words by which what is planned does not come: “I won't be starting at Otto after all”."""
_LATER = re.compile(r"\b(?:longer|for (?:long|ever)|forever|past|beyond|next|until|till)\b", re.IGNORECASE)
_POSTPONED = re.compile(
    r"\b(?:pushed|moved|put|brought)(?: \w+){0,2} (?:to|until|till)\b|\b(?:postponed|delayed|rescheduled)\b",
    re.IGNORECASE,
)
_IF = r"\b(?:if|unless|assuming|suppos(?:e|ing)|provided|providing|considering|pondering|in case|whether)\b"
_IF_BEFORE = re.compile(_IF, re.IGNORECASE)
_IF_AFTER = re.compile(rf"[^,;:()]*{_IF}", re.IGNORECASE)
"""Words by which what they are said of may never be."""


def is_imagined(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether what is to begin hangs on something else: “if they offer it, I start at Otto in May”."""
    if claim.status not in ("planned", "wished") and not (claim.effect == "starts" and claim.time is not None):
        return False
    if claim.effect not in ("holds", "starts") or claim.predicate in _SAYS_IF:
        return False
    start, end = turn.around(claim.value)
    before = _IF_BEFORE.search(turn.text, start, claim.value[0])
    return before is not None or _IF_AFTER.match(turn.text, claim.value[1], end) is not None


def is_unreal(turn: ReadTurn, place: Place) -> bool:
    """Whether the sentence there denies, asks or imagines what it says."""
    start, end = turn.around(place)
    words = turn.text[start : place[0]]
    return bool(turn.text[end - 1] == "?" or _NOT.search(words) or _UNREAL.search(words) or _IF_BEFORE.search(words))


def as_said(turn: ReadTurn, claim: TurnClaim) -> TurnClaim:
    """The claim with the effect that its clause has."""
    if claim.status == "planned" and claim.effect in ("ends", "denies"):
        return _of_plan(turn, claim)
    claim = _turned(turn, claim)
    if claim.effect in ("ends", "denies", "starts"):
        claim = _going_on(turn, claim)
    if claim.predicate == "lives_in" and claim.effect in ("holds", "starts") and not claim.beside:
        return replace(claim, beside=_SECOND_HOME.search(turn.clause(claim.value)) is not None)
    if claim.predicate == "email" and claim.effect == "starts" and claim.time is None:
        return claim if _NEW.search(turn.clause(claim.value)) else replace(claim, effect="holds")
    if claim.predicate == "partner" and claim.effect in ("holds", "starts"):
        parted = _PARTED.match(turn.text, claim.value[1])
        denied = _IS_NOT_MINE.match(turn.text, claim.value[1])
        return replace(claim, effect="denies" if denied else "ends" if parted else claim.effect)
    return claim


def _turned(turn: ReadTurn, claim: TurnClaim) -> TurnClaim:
    """The claim with another effect, where the words beside its value have that; no word corrects, nothing does."""
    if claim.effect == "corrects" and not turn.corrects:
        return replace(claim, effect="starts")
    if claim.effect == "ends" and _TO_ME.match(turn.text, claim.value[1]):
        return replace(claim, effect="starts")
    of_post = claim.predicate == "works_as" and claim.effect in ("holds", "starts")
    left = of_post and _STEPPED_DOWN.search(turn.lead(claim.value)) is not None
    return replace(claim, effect="ends") if left else claim


def _going_on(turn: ReadTurn, claim: TurnClaim) -> TurnClaim:
    """A change as what goes on all the same, where its clause says that."""
    if claim.status == "asserted" and _is_still(turn, claim):
        return replace(claim, effect="holds", time=None)
    if claim.effect == "starts":
        return claim
    if _is_kept(turn, claim):
        since = claim.time is not None and turn.words(claim.time).casefold().startswith("since ")
        return replace(claim, effect="holds", time=claim.time if since else None)
    return replace(claim, effect="starts") if claim.effect == "ends" and _goes_on(turn, claim) else claim


def _of_plan(turn: ReadTurn, claim: TurnClaim) -> TurnClaim:
    """What becomes of a plan: it is put off, or comes to nothing; else something is planned to end."""
    sentence = turn.sentence(claim.value)
    if claim.time is not None:
        return replace(claim, effect="starts") if _POSTPONED.search(sentence) else claim
    off = _OFF.search(sentence) is not None and _LATER.search(sentence) is None
    return replace(claim, effect="ends", status="asserted") if off else claim


def is_as_before(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether its words say that it goes on: “I still live in Rome”, “I never left Porto”."""
    return _is_still(turn, claim) or _is_kept(turn, claim)


def _is_still(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether the clause says that it is as it was: “Ana is still my boss”, “I kept my job at Acme”."""
    clause = turn.clause(claim.value)
    return _STILL.search(clause) is not None and _NOT.search(clause) is None


def ends_for_now(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether work is over for a day only, or a drug was not taken once."""
    if claim.effect != "ends":
        return False
    if claim.predicate == "medication":
        return _MISSED.search(turn.lead(claim.value)) is not None
    return claim.predicate in _OF_WORK and _FOR_NOW.search(turn.clause(claim.value)) is not None


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
