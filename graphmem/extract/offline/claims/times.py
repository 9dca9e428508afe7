"""When a claim says that it is so: its phrase of time, read by the rules for dates."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from graphmem.extract.offline.dates.calendar import Unit, day_in_words
from graphmem.extract.offline.dates.finder import Bearing, Dated, find_dates, ground_dates
from graphmem.extract.offline.dates.rules import LENGTH
from graphmem.extract.offline.dates.spoken import SpokenDates
from graphmem.extract.offline.dates.words import DAYS_OF_MONTH, spelled_out
from graphmem.extract.offline.tables.words import words
from graphmem.extract.offline.times import HAPPENED, SINCE_OR_FOR, TIMES, UNTIL

_NOW = words(
    """
    now currently nowadays these days at the moment right for presently already this is still just recently
    lately so far as of rn
    """
)
"""Words of phrases that say no more than that it is so when it is said."""


_OPEN = ("until further notice", "for good", "for life", "for the time being")
"""Phrases that say that nobody knows when it ends."""
_CLOCK = r"(?:(?:[01]?\d|2[0-3]):[0-5]\d|\d{1,2}(?:[:.]\d\d)? ?[ap]m|noon|midnight|dawn|breakfast|lunch|supper)"
_AT_THE_CLOCK = re.compile(rf"(?:(?:at|around|about) )?{_CLOCK}", re.IGNORECASE)
_SINCE_THE_CLOCK = re.compile(rf"(?:since|as of|from) {_CLOCK}", re.IGNORECASE)
_AGAIN_AND_AGAIN = re.compile(
    r"^(?!.*\b(?:ago|since|from|until|till?|last|past|over)\b).*\b(?:every|each|daily|weekly|monthly|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun|week)days|weekends|mornings|evenings|nights|"
    r"(?:once|twice|times|hours?|x|days?|evenings?|mornings?) an? (?:day|week|month|year))\b",
    re.IGNORECASE,
)
"""“on Mondays”, “twice a week”."""
_FROM_WHAT_HAPPENED = re.compile(
    r"\b(?:days?|weeks?|months?|years?|while|summer|winter|spring|autumn|fall)\s+(?:before|after)\s+(?:the|my|our|his|her|"
    r"their|I|we|he|she|they)\b(?!\s+(?:last|next|\d))",
    re.IGNORECASE,
)
"""“a few weeks before the war”: so long before what nobody knows."""
_LENGTH = re.compile(r"\b(?:days|weeks|months|years|yrs)\b(?! ago)", re.IGNORECASE)
_PLACES = words("in at on within around about towards past by")
"""Words that lead to a place as well as to a time."""
_LEADS = words("since until till in on from by last after before")
_FROM = re.compile(
    r"(?:with effect |starting |effective |beginning )?from|starting|beginning|effective|come", re.IGNORECASE
)
_LED = re.compile(rf"(?:(since|as of|{_FROM.pattern}|in|on|at|during|until)\s+)?(?:the\s+)?(.+)", re.IGNORECASE)
_NTH = re.compile(rf"\bthe ({'|'.join(sorted(DAYS_OF_MONTH, key=len, reverse=True))})$", re.IGNORECASE)
"""“on the fifteenth”."""
_ALL_OF = re.compile(r"^(?:all|the whole)(?: of)? (?=(?!saints|souls)\S+$)", re.IGNORECASE)
"""“all of April”."""


@dataclass(frozen=True, slots=True)
class When:
    """From when to when it is so, as far as that is said. ``unread`` are words for a time that nobody could read.

    ``days`` are the first day and the one after the last, of what happened on days that are said. ``lasted``: they say
    how long it was so.
    """

    valid_from: datetime | None = None
    valid_to: datetime | None = None
    days: tuple[datetime, datetime] | None = None
    unread: str = ""
    lasted: bool = False

    @property
    def written(self) -> str:
        """The days as a sentence says them; "" where none are said."""
        if self.days is None:
            return ""
        first, last = self.days[0], self.days[1] - timedelta(days=1)
        return day_in_words(first) if last <= first else f"{day_in_words(first)} to {day_in_words(last)}"


UNSAID = When()


_SO_LONG = re.compile(
    rf"(?P<for>\bfor )?\b(?:a |an |the )?(?P<length>{LENGTH})(?: (?:now|today))?(?: \w+)?,?\s+(?:counting )?"
    r"(?:(?P<from>(?:starting |beginning |effective )?(?:from|as of|starting|beginning|effective)\b.+)"
    r"|(?P<now>this (?:week|month|year|spring|summer|autumn|fall|winter)|today))$",
    re.IGNORECASE,
)
"""“for ten days counting from today”, “it's three years this month”."""
_LEAP_DAY = 2, 29
_HYPHEN = re.compile(r"-(?=(?:day|week|month|year)\b)")
"""“a three-month trial”."""


def when(dates: SpokenDates, phrase: tuple[int, int], around: tuple[int, int], *, ahead: bool) -> When:
    """What a phrase at ``[start, end)`` of the text says, in the sentences ``around`` it.

    ``ahead``: it speaks of what is to come; else of what was or is, whatever else the sentences speak of.
    """
    phrase_words = dates.text[slice(*phrase)].split()
    line = " ".join(phrase_words)
    if {word.casefold() for word in phrase_words} <= _NOW or line.casefold() in _OPEN:
        return UNSAID
    if _AT_THE_CLOCK.fullmatch(line) or _AGAIN_AND_AGAIN.search(line):
        return UNSAID
    if _FROM_WHAT_HAPPENED.search(line):
        return When(unread=line)
    spelled = spelled_out(line)
    near = (
        each
        for each in dates.ground(*around, ahead=ahead, over=not ahead)
        if each.start < phrase[1] and phrase[0] < each.end
    )
    clear_dates = [each for each in near if not each.vague or (each.rough and spelled == line)]
    clear_dates = clear_dates or _alone(dates, spelled, dates.section(phrase[0]).said_at, ahead=ahead)
    if not clear_dates:
        return When(unread=line) if _says_when(phrase_words) else UNSAID
    read = replace(_of(clear_dates), lasted=_is_length(phrase_words))
    return _so_long(dates, (around[0], phrase[1]), ahead=ahead) or read


def _so_long(dates: SpokenDates, place: tuple[int, int], *, ahead: bool) -> When | None:
    """From and to when it is so, where a length stands before a day: “for ten days from today”."""
    match = _SO_LONG.search(_HYPHEN.sub(" ", " ".join(dates.text[slice(*place)].split())))
    if match is None or (match["now"] and match["for"]):
        return None  # “for ten days this month” are ten of its days
    counted_from = _alone(dates, match["from"] or match["now"], dates.section(place[1]).said_at, ahead=ahead)
    days = _of(counted_from).days if counted_from else None
    lasts = ground_dates(f"{'in' if match['from'] else 'for'} {match['length']}", days[0], ahead=True) if days else ()
    if days is None or not lasts:
        return None
    if match["from"]:
        return When(days[0], lasts[0].days.start, days)
    began, leap = lasts[0].days.start, (days[0].month, days[0].day) == _LEAP_DAY
    since = days[0].replace(year=began.year) if lasts[0].unit is Unit.YEAR and not leap else began
    return When(since, None, lasted=True)


def _says_when(phrase_words: Sequence[str]) -> bool:
    """Whether words that no rule reads say when: “since the flood”, not “first” or “on Grant”."""
    first, *_ = plain = [word.casefold().strip(".,!?") for word in phrase_words]
    return first in SINCE_OR_FOR | UNTIL | HAPPENED - _PLACES or any(
        word in TIMES or word.removesuffix("s") in TIMES or any(map(str.isdigit, word)) for word in plain
    )


def _is_length(phrase_words: Sequence[str]) -> bool:
    """“for three years”, “three weeks”."""
    first = phrase_words[0].casefold()
    return first == "for" or (_LENGTH.search(" ".join(phrase_words)) is not None and first not in _LEADS)


def _alone(dates: SpokenDates, line: str, said_at: datetime, *, ahead: bool) -> Sequence[Dated]:
    """The dates of a phrase by itself: what begins “from” a day does so since then, and “three weeks” are so long."""
    if _SINCE_THE_CLOCK.fullmatch(line):
        line = "since today"
    line = _NTH.sub(lambda nth: f"the {DAYS_OF_MONTH[nth[1].casefold()]}th", line)
    line = _ALL_OF.sub("throughout ", line)
    led = _LED.fullmatch(line)
    lead, rest = led.groups("") if led else ("", line)
    begins = _FROM.fullmatch(lead) is not None
    for written in (line, *_ways("" if begins else lead, rest)):
        read = ground_dates(written, said_at, ahead=ahead, context=dates.context)
        if clear_dates := [each for each in read if each.rough or not each.vague]:
            at = (
                replace(clear_dates[0], bearing=Bearing.SINCE)
                if begins and clear_dates[0].bearing is Bearing.AT
                else clear_dates[0]
            )
            return [at, *clear_dates[1:]]
    length = rest if lead.casefold() == "since" else line  # “since six years”
    return () if begins else find_dates(f"for {length}", said_at, context=dates.context)


def _ways(lead: str, rest: str) -> Sequence[str]:
    """How a phrase is written in full: “april” is “in april”, and “since 12th” “since the 12th”."""
    leads = (lead,) if lead else ("in", "on")
    return rest, *(f"{each} {article}{rest}" for each in leads for article in ("", "the "))


def _of(dates: Sequence[Dated]) -> When:
    dated = next((each for each in dates if each.bearing is Bearing.SPAN), dates[0])
    days = dated.days.start, dated.days.end
    if dated.bearing is Bearing.SPAN:
        return When(dated.valid_from, dated.valid_to, days)
    until = next((each.valid_to or each.days.start for each in dates if each.bearing is Bearing.UNTIL), None)
    since = next((each for each in dates if each.bearing is not Bearing.UNTIL), None)
    if since is None:
        return When(None, until, days)
    return When(since.valid_from or since.days.start, until, (since.days.start, since.days.end))
