"""When something was, by what a text says: “since 2019”, “in March”, “two weeks ago”, “the week before last”.

Everything is resolved against the moment something was said, in the zone of that datetime. A date is an interval of
whole days of the zone (“in June” is 1 to 30 June) and, for claims, the start of it, in UTC. A month or weekday without
a year is the latest one before the saying; with ``ahead``, “until March” is the next one. What is not understood gives
nothing.

Days are counted in `calendar`; what words mean is in `meanings`; the table of words is in `rules`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from enum import StrEnum
from itertools import zip_longest

from graphmem.extract.offline.dates.calendar import Days, Unit
from graphmem.extract.offline.dates.meanings import MONTHS, WEEKDAYS, ReferenceDay
from graphmem.extract.offline.dates.rules import ANY, LEADS, LENGTH, compiled, folded, read
from graphmem.model.interval import EARLIEST, LATEST, Interval

DATE_WORDS = frozenset((*MONTHS, *WEEKDAYS, "today", "yesterday", "tomorrow", "tonight", "now", "weekend"))


class Bearing(StrEnum):
    """What a date says: happened ``at``, holds ``since``, held ``until``, held over a ``span``."""

    AT = "at"
    SINCE = "since"
    UNTIL = "until"
    SPAN = "span"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A date at ``[start, end)`` of the text. ``valid_from``/``valid_to`` are None where it says nothing of them.

    ``days`` are those the words speak of: when it happened, began (``since``) or ended (``until``), or all from begin
    to end (``span``). ``vague`` ones (“a few days ago”, “by June”) are a guess at what is meant.
    """

    start: int
    end: int
    bearing: Bearing
    unit: Unit
    days: Interval
    vague: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None

    def shifted(self, by: int) -> "Dated":
        return replace(self, start=self.start + by, end=self.end + by)


_BEGINS = frozenset({"from", "between"})
_ENDS = frozenset({"to", "until", "till", "and", "through"})
_UNTIL = frozenset({"until", "till"})
_ANYTHING = frozenset({"since", *_BEGINS, *_UNTIL})
"""What follows these is a date, whatever rule knows it."""
_GUESSED = frozenset({"by", "before", "after", "around", "about", "towards", "for", "from", "between", "to"})
"""What follows these is when something was not, or only nearly."""

_LEAD = "|".join(sorted(LEADS | _ANYTHING | _ENDS))
_DATES = compiled(
    rf"(?<!\d[.,/-])\b(?:for (?:(?:the )?(?:last|past) )?(?P<length>{LENGTH})"
    rf"|(?:(?P<lead>{_LEAD}) )?(?P<words>{ANY}))(?!\w)(?!-\w)"
)
_BEFORE = 12
"""Characters before a date that tell what is meant by it."""
_NO_DATE = compiled(r"\b(?:every|each|any|another|per|most|many) $")
_NEARLY = compiled(r"\b(?:of|than|almost|nearly|early|mid|late|next|coming|over|to)(?: |-)$")
_AHEAD = re.compile(
    r"\b(?:will|won['’]t|shall|gonna|(?:am|are|is|be|i['’]m|\w+['’](?:re|s)) (?:\w+ )?going to|about to"
    r"|plan(?:s|ned|ning)?|can['’]t wait|looking forward|hope to"
    r"|hoping to|want to|let['’]s|see you|should|upcoming|coming up|soon|schedul(?:ed|ing)"
    r"|(?:am|are|i['’]m|we['’]re|they['’]re) \w+ing)\b|['’]ll\b"
)
_YEAR = re.compile(r"\b(?:1[89]|20|21)\d\d\b")
_POSSESSIVE = re.compile(r"['’]s\b")
_SENTENCE_ENDS = ".!?\n"
_FAR = 200


def find_dates(text: str, said_at: datetime, *, ahead: bool = False) -> tuple[Dated, ...]:
    """The dates plain enough for a claim, in their order: none that is vague, none that begins after ``said_at``.

    ``ahead``: what is still going on ends later than it is said.
    """
    reference = ReferenceDay(said_at.date(), said_at.tzinfo)
    found = _dated(text, reference, lambda match: ahead and match["lead"] in _UNTIL)
    return tuple(each for each in found if not each.vague and (each.valid_from is None or each.valid_from <= said_at))


def ground_dates(text: str, said_at: datetime, *, ahead: bool = False, over: bool = False) -> tuple[Dated, ...]:
    """All dates in their order, vague ones and those to come too.

    ``ahead``: the talk is of what is to come, also in sentences that do not show it; ``over``: of what was, also in
    sentences that look ahead.
    """
    reference = ReferenceDay(said_at.date(), said_at.tzinfo)

    def is_ahead(match: re.Match[str]) -> bool:
        return not over and ((ahead and match["lead"] != "since") or looks_ahead(_sentence(match)))

    return tuple(_dated(text, reference, is_ahead))


def sentence_around(text: str, start: int, end: int) -> str:
    """What stands between the full stops, question and exclamation marks and line ends around ``[start, end)``.

    At most 200 characters on either side.
    """
    before, after = text[max(0, start - _FAR) : start], text[end : end + _FAR]
    first = max(before.rfind(mark) for mark in _SENTENCE_ENDS) + 1
    last = min((found for mark in _SENTENCE_ENDS if (found := after.find(mark)) >= 0), default=len(after))
    return before[first:] + text[start:end] + after[: last + 1]


def looks_ahead(sentence: str) -> bool:
    """Whether a sentence speaks of what is to come: “we will”, “I'm planning”, “can't wait”."""
    return _AHEAD.search(sentence.lower()) is not None


def _sentence(match: re.Match[str]) -> str:
    return sentence_around(match.string, match.start(), match.end())


def _dated(text: str, reference: ReferenceDay, ahead: Callable[[re.Match[str]], bool]) -> Iterator[Dated]:
    matches = list(_DATES.finditer(folded(text)))
    joined = False
    for match, following in zip_longest(matches, matches[1:]):
        if joined:
            joined = False
            continue
        spoken = replace(reference, ahead=ahead(match))
        span = _span(match, following, spoken) if following and _connected(match, following) else None
        joined = span is not None
        if dated := span or _single(match, spoken):
            yield dated


def _connected(match: re.Match[str], following: re.Match[str]) -> bool:
    apart = match.string[match.end() : following.start()]
    return _lead(match) in _BEGINS and _lead(following) in _ENDS and not apart.strip()


def _lead(match: re.Match[str]) -> str:
    return match["lead"] or ""


def _single(match: re.Match[str], reference: ReferenceDay) -> Dated | None:
    days, bearing = _days(match, reference)
    interval = _interval(days.first, days.after, reference) if days else None
    before = match.string[max(0, match.start() - _BEFORE) : match.start()]
    if days is None or interval is None or _NO_DATE.search(before):
        return None
    until, vague = bearing is Bearing.UNTIL, days.vague or _guessed(match, before)
    return Dated(
        start=match.start(), end=match.end(), bearing=bearing, unit=days.unit, days=interval, vague=vague,
        valid_from=None if until else interval.start, valid_to=interval.start if until else None,
    )  # fmt: skip


def _guessed(match: re.Match[str], before: str) -> bool:
    """“by March”, “than last year”, “last week's concert”."""
    nearly = _lead(match) in _GUESSED or (not _lead(match) and _NEARLY.search(before) is not None)
    return nearly or _POSSESSIVE.match(match.string, match.end()) is not None


def _days(match: re.Match[str], reference: ReferenceDay) -> tuple[Days | None, Bearing]:
    if match["length"]:
        return read(f"{match['length']} ago", reference), Bearing.SINCE
    lead = _lead(match)
    bearing = Bearing.SINCE if lead == "since" else Bearing.UNTIL if lead in _UNTIL else Bearing.AT
    return read(match["words"], reference, None if lead in _ANYTHING else lead), bearing


def _span(match: re.Match[str], following: re.Match[str], reference: ReferenceDay) -> Dated | None:
    """“from March to June”: what has no year of its own takes the one that makes the span run forwards."""
    named = _YEAR.search(following["words"]) and read(following["words"], reference)
    begin = read(match["words"], replace(reference, after=named.first) if named else reference)
    end = named or (begin and read(following["words"], replace(reference, after=begin.first, ahead=True)))
    if begin is None or end is None or begin.first >= end.first:
        return None
    whole = _interval(begin.first, end.after, reference)
    if whole is None or whole.start >= _instant(end.first, reference):
        return None
    return Dated(
        start=match.start(), end=following.end(), bearing=Bearing.SPAN, unit=begin.unit, days=whole,
        vague=begin.vague or end.vague, valid_from=whole.start, valid_to=_instant(end.first, reference),
    )  # fmt: skip


def _interval(first: date, after: date, reference: ReferenceDay) -> Interval | None:
    """The instants from the beginning of one day to that of another; None outside the calendar.

    None also of a day that the zone left out, as Samoa did 30 December 2011: it has no instants.
    """
    try:
        start, end = _instant(first, reference), _instant(after, reference)
    except OverflowError:
        return None
    return Interval(start, end) if EARLIEST <= start < end <= LATEST else None


def _instant(day: date, reference: ReferenceDay) -> datetime:
    """When the day begins in the zone, in UTC. Where clocks go forward at midnight, that is the instant they do."""
    return datetime.combine(day, time(), reference.zone).astimezone(UTC)
