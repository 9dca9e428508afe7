"""What the words of a sentence say was so once, or for a few days: neither begins to be so when it is said."""

import re
from collections.abc import Mapping

from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.offline.claims.subjects import FIRM
from graphmem.extract.reader.claims import TurnClaim
from graphmem.extract.reader.labels import Predicate

_LIVED, _WORKED = "lived|grew up|(?:was|were) (?:raised|brought up)", "worked"
_VERBS: Mapping[Predicate, str] = {
    "lives_in": _LIVED,
    "address": _LIVED,
    "works_at": _WORKED,
    "works_as": _WORKED,
    "studies_at": "studied",
    "drives": "drove",
}
_NEXT = "before|until|till|then|after|moved|came|went"
"""Words behind which something else is told: “I lived in Cork before I moved to” Lisbon."""
_WAS: Mapping[Predicate, re.Pattern[str]] = {
    predicate: re.compile(
        r"(?P<before>(?:.*\b)?(?:I|we|he|she|they|who|(?-i:[A-Z])[\w-]+|(?:my|our|his|her|their) \w+))\s+"
        r"(?:(?:also|once|only|originally|first|briefly|previously|then|both)\s+)?"
        rf"(?:{verbs})\b(?:(?!\b(?:and|but|so|or|because|while|who|which|am|is|are|{_NEXT})\b|['’](?:m|re)\b)[^,.;:!?])*",
        re.IGNORECASE,
    )
    for predicate, verbs in _VERBS.items()
}
"""The simple past of what lasts, up to its value: “I lived in” Cork."""
_LASTS = re.compile(r"\bsince\b|\bstill\b|\bnow\b|\bto this day\b", re.IGNORECASE)
_FROM_TO = re.compile(r"\b(?:until|till|from|between|to)\b", re.IGNORECASE)
"""Words of a time that say when it ended, or from when to when it was so."""
_REPORTED = re.compile(
    r"\b(?:sa(?:id|ys)|told|tells|mention(?:ed|s)|thought|kn[eo]w|heard|learn(?:ed|t)|f[io]und out|reali[sz]ed|wrote"
    r"|asked|claim(?:ed|s)|announced|wish(?:ed)?|if)\b",
    re.IGNORECASE,
)
"""Words after which the past is told of what is so: “she said she worked at” Otto."""
_YOUNG = re.compile(
    r"\b(?:when|while)\s+(?:I|we|he|she|they)\s+(?:was|were)\s+(?:\w+\s+)?"
    r"(?:little|small|young|younger|kids?|child|children|boy|girl|teenagers?|students?|at (?:school|college|uni\w*)|"
    r"growing up|in (?:school|college|my \w+))\b"
    r"|\bas (?:an? )?(?:child|kid|boy|girl|teenager|student)(?=\s*(?:[,.;!?]|$|(?:and|but|I|we)\b))"
    r"|\b(?:in|during) my (?:childhood|youth|twenties|teens|student days)\b",
    re.IGNORECASE,
)
"""“when I was little”, “as a child”."""
_OF_YOUTH = frozenset[Predicate](
    {
        "lives_in",
        "address",
        "works_at",
        "works_as",
        "studies_at",
        "member_of",
        "drives",
        "owns",
        "pet",
        "hobby",
        "habit",
    }
)
_PAST = re.compile(r"\b(?:was|were|had|did|got|grew|went|kept|\w{2,}ed)\b", re.IGNORECASE)
_A_DAY = re.compile(
    r"\b(?:today|yesterday|tonight|all (?:day|night|morning|afternoon|evening|weekend)|last night|overtime|"
    r"this (?:morning|afternoon|evening)|late|a double shift|the \w+ shift)\b",
    re.IGNORECASE,
)
_DONE = re.compile(r"\bworked\b(?! out\b| on\b)", re.IGNORECASE)
_LAST = re.compile(
    r"\b(?:last|final) (?:day|shift|week)\b|\b(?:until|till|quit|fired|sacked|let go|laid off|redundant)\b"
    r"|\b(?:left|retired|notice)\b|\bresign\w*|\bwalked out\b|\bfor the last time\b",
    re.IGNORECASE,
)
_AWAY = re.compile(
    r"\b(?:this|next|all) (?:week|weekend)\b|\bfor the (?:day|night|week|weekend)\b"
    r"|(?<!as of )(?<!from )(?<!since )\b(?:today|tonight|tomorrow)\b"
    r"|\bfor (?:an?|one|two|three|four|five|six|ten|\d{1,2}|a few|a couple of|some|several) "
    r"(?:nights?|days?|weeks?|hours?)\b"
    r"|\b(?:on|for) (?:an? |the |my |our )?(?:\w+ )?"
    r"(?:business|holidays?|vacation|trip|conference|wedding|meetings?|funeral|fair)\b",
    re.IGNORECASE,
)
"""“I'm in Berlin this week”."""
_AT_HOME = re.compile(
    r"\b(?:liv(?:e|es|ed|ing)|mov(?:e|es|ed|ing)|home|flat|house|apartment|place|settled|rent\w*|based|resid\w+|address|"
    r"been|start\w*|arriv\w+|contract|for good)\b",
    re.IGNORECASE,
)
_FIRST_BEFORE = re.compile(
    r"\W*(?:(?:well|so|and),?\s+)?before\s+(?:(?:I|we|she|he|they)\s+(?:moved|came|went)\s+to\s+)?", re.IGNORECASE
)
"""“Before I moved to” Lisbon."""
_SO_THEN = re.compile(r"\b(?:lived|worked|studied|was|were)\b", re.IGNORECASE)
_WORK_IN = re.compile(
    r"\b(?:work|works|working|worked|study|studies|studying|studied|commut\w+)\s+(?:in|from|to)\s+$", re.IGNORECASE
)
"""Words before a place in which nobody is said to live, nor to be employed: “I work in” Copenhagen."""
_READING = re.compile(r"\b(?:re-?)?reading\s+$", re.IGNORECASE)
"""“I'm reading” Middlemarch."""


def was_once(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether what was read was so once, or is so for some days only, and since when is no question.

    “I lived in Cork as a child”, “I worked at Otto all day yesterday”, “I'm in Berlin this week”: it neither begins nor
    ends when it is said. Nor does what only stands beside such words: “I work in Malmö”, “I'm reading Middlemarch”.
    """
    if not turn.talk or claim.status != "asserted":
        return False
    if claim.effect == "ends":
        return _is_of_a_day(turn, claim) or _came_after(turn, claim)
    if claim.effect not in ("holds", "starts"):
        return False
    return _is_past(turn, claim) or _is_of_youth(turn, claim) or _is_elsewhere(turn, claim)


def _is_past(turn: ReadTurn, claim: TurnClaim) -> bool:
    was = _WAS.get(claim.predicate)
    match = was.fullmatch(turn.lead(claim.value)) if was else None
    if match is None or _LASTS.search(turn.sentence(claim.value)) or _REPORTED.search(match["before"]):
        return False
    return claim.time is None or not _FROM_TO.search(turn.words(claim.time))


def _is_of_youth(turn: ReadTurn, claim: TurnClaim) -> bool:
    clause = turn.clause(claim.value)
    if claim.predicate not in _OF_YOUTH or not _YOUNG.search(clause):
        return False
    rest = f"{turn.lead(claim.value)} {_YOUNG.sub('', clause)}"
    return _PAST.search(rest) is not None and _LASTS.search(clause) is None


def _is_of_a_day(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether work is told that was done on a day: “I worked at Otto yesterday”."""
    sentence = turn.sentence(claim.value)
    if claim.predicate not in ("works_at", "works_as") or _LAST.search(sentence):
        return False
    return _DONE.search(turn.lead(claim.value)) is not None and _A_DAY.search(sentence) is not None


def _came_after(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether something else was so before what the value names: “before Lisbon I lived in Madrid”."""
    if claim.predicate not in _VERBS or _FIRST_BEFORE.fullmatch(turn.lead(claim.value)) is None:
        return False
    _, end = turn.around(claim.value)
    return _SO_THEN.search(turn.text, claim.value[1], end) is not None


def _is_elsewhere(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether somebody works in the place, or is there for a while; or reads the book that the value names."""
    before = turn.lead(claim.value)
    if claim.predicate == "lives_in":
        clause = turn.clause(claim.value)
        away = _AWAY.search(clause) is not None and _AT_HOME.search(turn.sentence(claim.value)) is None
        return away or _WORK_IN.search(before) is not None
    if claim.predicate == "works_at":
        named = turn.words(claim.value)
        place = named[:1].isupper() and not named.endswith(("'s", "’s")) and not turn.speakers.knows(named, FIRM)
        return place and _WORK_IN.search(before) is not None
    return claim.predicate == "studies_at" and _READING.search(before) is not None
