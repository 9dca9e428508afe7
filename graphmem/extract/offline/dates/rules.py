"""The table of patterns for dates, and the days they speak of.

Texts are read ``folded``, and in a pattern a space is any white space. Named groups are what the meaning reads; the
group ``other`` is a date itself. Earlier rules are tried first.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from graphmem.extract.offline.dates import meanings
from graphmem.extract.offline.dates.calendar import Days
from graphmem.extract.offline.dates.meanings import (
    FIXED,
    ORDINALS,
    UNITS,
    Groups,
    Meaning,
    ReferenceDay,
    roughly,
)
from graphmem.extract.offline.dates.words import DAYS_OF_MONTH, DECADES, HOLIDAYS, NUMBERS, ONES, TENS
from graphmem.model.dates import MONTHS, WEEKDAYS


@dataclass(frozen=True, slots=True)
class Rule:
    """What the words of ``pattern`` mean; with ``lead``, only after one of these words."""

    pattern: str
    meaning: Meaning
    lead: str = ""


def _one_of(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})"


def _spelled(name: str) -> str:
    """The name of a holiday as a pattern: apostrophes and dots may be left out; “May Day” keeps its capital."""
    return re.sub(r"['.]", lambda mark: "['’]?" if mark[0] == "'" else r"\\.?", name).replace("may ", "May ")


def plain(pattern: str) -> str:
    """A rule's pattern as a part of a longer one: without names of groups."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


_MONTH_CAPITALS = "March|May|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
_WEEKDAY_CAPITALS = "Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun"
_MONTH = rf"(?:{'|'.join(name for name in MONTHS if name not in ('march', 'may'))}|(?:{_MONTH_CAPITALS})\b)"
_WEEKDAY = rf"(?:{_one_of(WEEKDAYS)}|(?:{_WEEKDAY_CAPITALS})\b)"
_YEAR = r"(?:1[89]|20|21)\d\d\b"
_SHORT_YEAR = r"['’]\d\d\b(?!['’]?s)"
_DOT = r"(?:(?:(?<=\b[A-Z][a-z]{2})|(?<=\b[A-Z][a-z]{3}))\.)?"
"""Of “Sept.” and “Fri.”, not of the sentence."""
_DAY = r"\d{1,2}(?:st|nd|rd|th)?\b"
_SEASON = "(?:spring|summer|autumn|fall|winter)"
_HOLIDAY = "(?:" + "|".join(_spelled(name) for name in sorted(HOLIDAYS, key=len, reverse=True)) + ")"
_UNIT = _one_of(UNITS)
_COUNT = rf"(?:(?P<count>\d{{1,3}}|{_one_of(TENS)}(?:-| ){_one_of(ONES)}|{_one_of(NUMBERS)}) )"
_MANY = rf"(?:{_COUNT}|(?P<some>(?:a |the )?few|several|some) )"
_PART_OF = "(?:very )?(?:beginning|start|middle|end) of"
_DECADE = rf"(?:(?:(?:1[89]|20)|['’])?\d0['’]?s|{_one_of(DECADES)})"
_ROUGH = (
    "(?:(?P<rough>about|around|roughly|approximately|almost|nearly|over|under|more than|less than|at least|like"
    "|(?:just|a little|a bit|well|slightly) (?:over|under)|close to|going on) )?"
)
_WHICH = "(?P<which>last|previous|this past|this last|past|next|this coming|coming|upcoming|this)"
_IN_YEAR = rf"(?:(?: of|,| ,)?{_DOT} (?P<year>{_YEAR}|{_SHORT_YEAR})| (?:of )?(?P<years>last|this|next) year)"
_DATE = (
    rf"(?:{_WEEKDAY}{_DOT},? )?(?:(?:the )?(?P<day>{_DAY}) (?:of )?(?P<month>{_MONTH}){_IN_YEAR}?)",
    rf"(?:{_WEEKDAY}{_DOT},? )?(?:(?P<month>{_MONTH}){_DOT} (?:the )?(?P<day>{_DAY}){_IN_YEAR}?)",
)
_SPELLED_DATE = (
    rf"(?:the )?(?P<day>{_one_of(DAYS_OF_MONTH)}) of (?P<month>{_MONTH}){_IN_YEAR}?",
    rf"(?P<month>{_MONTH}) the (?P<day>{_one_of(DAYS_OF_MONTH)}){_IN_YEAR}?",
)
_NTH_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{_one_of(DAYS_OF_MONTH)})"
_ANY_DATE = plain(f"(?:{'|'.join(_DATE)}|{_HOLIDAY}{_IN_YEAR}?)")
_FISCAL = r"(?:fy|fiscal(?: year)?|financial year)(?: |-)?(?:(?:\d{4}|\d\d)[/–-])?(?P<fiscal>['’]?(?:\d{4}|\d\d))(?!\d)"
_QUARTER = r"(?:(?P<share>q|h)(?P<nth>[1-4]))"
_PERIOD_YEAR = (
    rf"(?:(?: of|,|/)?(?: |-|/)?(?P<year>{_YEAR}|{_SHORT_YEAR})|(?: of)? (?P<years>last|this|next) year"
    rf"| (?:of )?{_FISCAL})"
)
_SHARE = f"(?P<nth>{_one_of(ORDINALS)}) (?P<share>half|third|quarter)"
_WHOLE = plain(
    rf"(?:{_MONTH}{_IN_YEAR}?|(?:last|this|next|the) (?:week|month|year|quarter|{_SEASON})|{_SEASON}{_IN_YEAR}"
    rf"|{_QUARTER}{_PERIOD_YEAR}?|(?:the )?{_DECADE}|{_YEAR})"
)
_END = r"(?=\s*(?:[.,;:!?)\n–—]|$))"
_ONE = rf"(?P<what>{_UNIT}|weekend|{_WEEKDAY}|{_SEASON}|{_MONTH})"
_WHAT = f"{_ONE}s?"
_NAMED = rf"(?:(?P<month>{_MONTH})|(?P<season>{_SEASON})|(?P<holiday>{_HOLIDAY}))"
_TIME_OF_DAY = "(?: (?:morning|afternoon|evening|night))?"
_NO_NUMBERED_THING = (
    r"(?! (?:floor|street|avenue|day|week|time|try|grade|place|anniversary|birthday|row|page|round|one|century)\b)"
)
_NO_PERIOD = (
    r"(?! (?:results?|numbers|reports?|earnings|figures|targets?|goals?|reviews?|plans?|planning|hours?|street|road))"
)
_NOT_COUNTED = r"(?! (?:people|years|days|times|steps|words|dollars|euros|miles|of)\b)(?!\s?%)"

_IN = "in|during|throughout|by|before|after|around|about|towards|for"
_ON = "on|by|before|after|around|about|for|to"
_OVER = "over|on|at|in|during|throughout|by|before|after|around|about|for"
_IN_PERIOD = f"{_IN}|of|at|over|on"
_WITHIN = "early"
"""Only after what says which part of it."""

RULES = (
    Rule(f"(?:the )?{_WHAT} (?P<which>before last|after next)", meanings.before_last),
    Rule(f"(?:the |{_COUNT})?{_WHAT} (?P<which>before|after) (?P<other>{_ANY_DATE})", meanings.beside),
    Rule(f"(?:the )?(?P<what>week|weekend) of (?P<other>{_ANY_DATE})", meanings.around),
    Rule(
        f"(?:the )?(?P<nth>{_one_of(ORDINALS)}) (?P<what>{_UNIT}|weekend|{_WEEKDAY}) (?:of|in) (?P<other>{_WHOLE})",
        meanings.nth,
    ),
    Rule(rf"(?:the )?(?P<part>early|mid|late|{_PART_OF})(?: |-)(?:in )?(?P<other>{_WHOLE})", meanings.part),
    # Periods of a year.
    Rule(rf"{_QUARTER}{_PERIOD_YEAR}{_NO_PERIOD}", meanings.share),
    Rule(rf"{_QUARTER}\b{_NO_PERIOD}", meanings.share, lead=_IN_PERIOD),
    Rule(rf"(?:the )?{_SHARE} of (?P<other>{_WHOLE})", meanings.share),
    Rule(rf"(?:the )?{_SHARE}{_PERIOD_YEAR}", meanings.share),
    Rule(rf"the {_SHARE}(?<=quarter){_NO_PERIOD}(?! of)", meanings.share, lead=_IN_PERIOD),
    Rule(f"(?:the )?(?P<which>last|this|next|previous) quarter{_NO_PERIOD}", meanings.that_quarter),
    Rule(_FISCAL, meanings.fiscal_year),
    Rule("(?P<which>last|this|next) (?:fiscal|financial) year", meanings.fiscal_year),
    Rule(
        rf"(?:the )?(?:(?:calendar )?week|cw|kw|w)\s?(?P<number>\d{{1,2}})(?:,| of| in|/)?\s?(?P<year>{_YEAR})",
        meanings.week,
    ),
    Rule(rf"(?P<year>{_YEAR})-w(?P<number>\d\d)", meanings.week),
    Rule(
        rf"(?:(?:calendar )?week |cw|kw|w)(?P<number>\d{{1,2}})\b(?! (?:of|in)\b){_NO_PERIOD}",
        meanings.week,
        lead=_IN_PERIOD,
    ),
    # Counted from today.
    Rule(f"(?:(?:earlier|later) )?(?P<fixed>{_one_of(FIXED)}){_TIME_OF_DAY}", meanings.fixed),
    Rule(f"(?:(?:the|these) )?(?P<which>last|past|next|coming) {_MANY}(?P<what>{_UNIT})s?", meanings.stretch),
    Rule(r"(?:the|these) (?P<which>last|past|coming) (?P<what>week|month|year)(?P<many>s)?(?! of\b)", meanings.stretch),
    Rule(f"{_ROUGH}{_COUNT}(?P<what>year|month)s? and a half (?:ago|back)", meanings.half_ago),
    Rule(f"{_ROUGH}{_COUNT}and a half (?P<what>year|month)s (?:ago|back)", meanings.half_ago),
    Rule("half a year (?:ago|back)", meanings.half_ago),
    Rule(f"{_COUNT}(?P<what>{_UNIT})s? ago (?P<fixed>today|yesterday)", meanings.day_ago),
    Rule(f"{_COUNT}(?P<what>week|fortnight)s? ago (?:on )?(?P<last>last )?(?P<weekday>{_WEEKDAY})", meanings.day_ago),
    Rule(f"{_COUNT}(?P<what>week|fortnight) (?P<last>last) (?P<weekday>{_WEEKDAY})", meanings.day_ago),
    Rule(f"{_COUNT}years? ago (?:in )?(?P<month>{_MONTH})", meanings.month_ago),
    Rule(f"{_ROUGH}{_MANY}{_WHAT} (?:ago|back)", meanings.ago),
    Rule(f"(?:it has|it is|it['’]s) (?:been )?(?:now )?{_ROUGH}{_MANY}{_WHAT} (?:now )?since", meanings.ago),
    Rule("(?P<some>(?P<what>day|week|month))s ago", meanings.ago),
    Rule(f"{_ROUGH}{_MANY}(?P<hours>hour|hr|minute|min)s? ago", meanings.hours_ago),
    # From the date before.
    Rule(f"{_ROUGH}{_MANY}{_WHAT} (?:later|(?P<marked>from (?:now|today)))", meanings.later),
    Rule(f"{_ROUGH}{_MANY}{_WHAT} (?P<which>afterwards?|beforehand|earlier)", meanings.later),
    *(
        Rule(f"{what} (?P<which>before|after)(?: (?:that|then)|{_END})", meaning)
        for what, meaning in ((f"{_ROUGH}{_MANY}{_WHAT}", meanings.later), (f"the {_ONE}", meanings.next_one))
    ),
    *(
        Rule(f"{lead} {_ONE}", meanings.next_one)
        for lead in (
            "the (?P<which>next|following|previous|preceding|same)(?: very)?",
            "(?P<which>that)(?: same| very)?",
        )
    ),
    Rule(f"in {_ROUGH}{_MANY}(?P<what>{_UNIT})(?:['’]?s['’]?)?(?: (?P<marked>time))?", meanings.hence),
    Rule("(?P<recent>recently|the other (?:day|night|evening|week|month))", meanings.recently),
    # This, the last, the next one.
    Rule(f"(?P<weekday>{_WEEKDAY}) (?:of )?(?P<which>last|this|next) (?P<week>week)", meanings.that_weekday),
    Rule(f"(?P<which>last|this|next) (?P<week>week) (?:on )?(?P<weekday>{_WEEKDAY})", meanings.that_weekday),
    Rule(f"(?:(?P<when>earlier|later) )?{_WHICH} (?P<what>week|month|year)", meanings.that_unit),
    Rule(f"{_WHICH} weekend", meanings.that_weekend),
    Rule("the weekend", meanings.that_weekend, lead=_OVER),
    Rule(f"{_WHICH} (?P<weekday>{_WEEKDAY}){_TIME_OF_DAY}", meanings.that_weekday),
    Rule(f"{_WHICH} {_NAMED}", meanings.named),
    # Days and years.
    Rule(f"(?P<holiday>{_HOLIDAY}){_IN_YEAR}", meanings.named),
    Rule(f"(?P<holiday>{_HOLIDAY})", meanings.named, lead=_OVER),
    *(Rule(pattern, meanings.day) for pattern in (*_DATE, *_SPELLED_DATE)),
    *(
        Rule(pattern, meaning)
        for mark in ("/", r"\.", "-")
        for pattern, meaning in (
            (rf"(?P<year>\d{{4}}){mark}(?P<one>\d{{1,2}}){mark}(?P<two>\d{{1,2}})", meanings.year_first),
            (rf"(?P<one>\d{{1,2}}){mark}(?P<two>\d{{1,2}}){mark}(?P<year>\d{{4}})", meanings.figures),
        )
    ),
    Rule(r"(?P<one>\d{1,2})/(?P<two>\d{1,2})/(?P<year>\d{2})", meanings.figures),
    Rule(rf"(?!24/7|9/11|50/50)(?P<one>\d{{1,2}})/(?P<two>\d{{1,2}}){_END}", meanings.day_in_figures, lead="on"),
    Rule(rf"(?P<one>\d{{1,2}})\.(?P<two>\d{{1,2}})\.?{_END}", meanings.day_in_figures, lead="since"),
    Rule(r"the (?P<day>\d{1,2}(?:st|nd|rd|th)) (?P<which>last|this|next) month", meanings.day_of_month),
    Rule(f"the (?P<day>{_NTH_DAY}) of (?:(?P<which>last|this|next)|the) month", meanings.day_of_month),
    Rule(rf"the (?P<day>\d{{1,2}}(?:st|nd|rd|th)){_NO_NUMBERED_THING}", meanings.day_of_month, lead=_ON),
    Rule(
        rf"(?P<weekday>{_WEEKDAY}){_DOT},? (?:the )?(?P<day>\d{{1,2}}(?:st|nd|rd|th)){_NO_NUMBERED_THING}",
        meanings.day_of_month,
    ),
    Rule(f"(?P<month>{_MONTH}){_IN_YEAR}", meanings.named, lead=_IN),
    Rule(f"(?P<month>{_MONTH}){_IN_YEAR}", roughly(meanings.named)),
    Rule(f"(?P<month>{_MONTH})", meanings.named, lead=_IN),
    Rule(f"(?:the )?(?P<season>{_SEASON}){_IN_YEAR}", meanings.named),
    Rule(f"the (?P<season>{_SEASON})", meanings.named, lead=_OVER),
    Rule(r"(?P<year>\d{4})-(?P<one>0[1-9]|1[0-2])", meanings.month_in_figures, lead=_IN),
    Rule(rf"(?P<one>0?[1-9]|1[0-2])/(?P<year>{_YEAR})", meanings.month_in_figures, lead=_IN),
    Rule(f"(?P<year>{_YEAR}|{_SHORT_YEAR}){_NOT_COUNTED}", meanings.year, lead=_IN),
    Rule(r"(?:the )?(?P<decade>(?:1[89]|20)\d0)['’]?s", meanings.decade),
    Rule(f"the (?P<decade>{_DECADE})", meanings.decade),
    Rule(f"(?P<decade>{_DECADE})", meanings.decade, lead=_WITHIN),
    Rule(r"my (?:(?P<age>\d{1,3})(?:st|nd|rd|th) )?birthday", meanings.birthday, lead=_OVER),
    Rule(f"(?P<weekday>{_WEEKDAY}){_TIME_OF_DAY}", meanings.that_weekday, lead=_ON),
    Rule(f"(?P<weekday>{_one_of(WEEKDAYS)}){_TIME_OF_DAY}", roughly(meanings.that_weekday)),
)


def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"\s+"))


_CASED = re.compile(rf"\b(?:{_MONTH_CAPITALS}|{_WEEKDAY_CAPITALS}|MARCH|MAY)\b|[A-Z]")


def folded(text: str) -> str:
    """The text in small letters, but for names that are words too (“may”, “march”, “sat”): they keep their capital."""
    return _CASED.sub(lambda match: match[0].lower() if len(match[0]) == 1 else match[0].title(), text)


ANY = f"(?:{'|'.join(plain(rule.pattern) for rule in RULES)})"
"""The words of any date."""
LENGTH = plain(f"(?:{_COUNT}years? and a half|{_COUNT}and a half years|{_ROUGH}{_MANY}{_UNIT}s?)")
"""“three years”."""
LEADS = frozenset(f"{_IN}|{_ON}|{_OVER}".split("|"))
YEAR, DAY, MONTH, WEEKDAY, YEAR_OF = _YEAR, _DAY, plain(_MONTH), plain(_WEEKDAY), plain(_IN_YEAR)
"""What spans are put together from."""
_COMPILED = tuple((compiled(rule.pattern), rule) for rule in RULES)


def read(text: str, reference: ReferenceDay, lead: str | None = None) -> Days | None:
    """The days that the folded words of a date speak of; None where no rule knows them, or there are none.

    ``lead`` is the word before, "" if there is none that matters; None takes what is only a date after some words.
    """
    for pattern, rule in _COMPILED:
        if lead is None or not rule.lead or lead in rule.lead.split("|"):
            match = pattern.fullmatch(text)
            if match is not None:
                return _meant(rule, _groups(match), reference)
    return None


_DAYS = (meanings.day, meanings.figures, meanings.year_first)


def is_impossible(text: str, reference: ReferenceDay) -> bool:
    """Whether the folded words name a day of the calendar that there is not: “29 February 2023”."""
    for pattern, rule in _COMPILED:
        if match := pattern.fullmatch(text):
            return rule.meaning in _DAYS and _read_by(rule, _groups(match), reference) is None
    return False


def _meant(rule: Rule, groups: Groups, reference: ReferenceDay) -> Days | None:
    if "other" not in groups:
        return _read_by(rule, groups, reference)
    other = re.sub("^the (?=week|month|year)", "this ", groups["other"])
    if reference.ahead:  # “the last day of August”, in August, is a day of this one
        begun = read(other, replace(reference, ahead=False))
        days = _read_by(rule, groups, replace(reference, other=begun))
        if days is not None and days.first > reference.pivot:
            return days
    return _read_by(rule, groups, replace(reference, other=read(other, reference)))


def _read_by(rule: Rule, groups: Groups, reference: ReferenceDay) -> Days | None:
    try:
        meant = rule.meaning(groups, reference)
    except (ValueError, OverflowError):
        return None
    return meant.roughly() if reference.other and reference.other.vague else meant


def _groups(match: re.Match[str]) -> Groups:
    groups = {name: " ".join(text.split()) for name, text in match.groupdict().items() if text is not None}
    return {name: text if name == "other" else text.lower() for name, text in groups.items()}
