"""When something was, by what a text says: “since 2019”, “in March”, “two weeks ago”, “the week before last”.

Everything is resolved against the moment something was said, in the zone of that datetime. A date is an interval of
whole days of the zone (“in June” is 1 to 30 June) and, for claims, the start of it, in UTC. A month or weekday without
a year is the latest one before the saying; with ``ahead``, “until March” is the next one. What is not understood gives
nothing. Under a dated heading (`headings`) everything is resolved against its day.

A range that is closed has its last day, month or year in it: “2019 to 2021” ends with 2021. “Until 2021” ends before.

Days are counted in `calendar`; what words mean is in `meanings`; the table of words is in `rules`, that of ranges
written in short in `ranges`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum

from graphmem.extract.offline.dates.calendar import Days, Unit, moved
from graphmem.extract.offline.dates.headings import sections
from graphmem.extract.offline.dates.meanings import Birthday, ReferenceDay
from graphmem.extract.offline.dates.ranges import CLOSING, DASH, ShortRange, short_ranges, with_long_dashes
from graphmem.extract.offline.dates.rules import ANY, LEADS, LENGTH, WEEKDAY, compiled, folded, is_impossible, read
from graphmem.model.dates import MONTHS, USUAL_DATES, WEEKDAYS, DateConventions
from graphmem.model.fragment import UnreadTime
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
    to end (``span``); a span begins in its ``opening``. ``vague`` ones (“a few days ago”, “by June”) are a guess at
    what is meant; of these, those that are ``rough`` (“a few days ago”) say when it was, though not to the day, others
    (“by June”) when it was not.
    """

    start: int
    end: int
    bearing: Bearing
    unit: Unit
    days: Interval
    opening: Interval | None = None
    vague: bool = False
    rough: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None

    def shifted(self, by: int) -> "Dated":
        return replace(self, start=self.start + by, end=self.end + by)


@dataclass(frozen=True, slots=True, kw_only=True)
class DateContext:
    """What else the words for days depend on: how the group writes days, and, where known, the speaker's birthday.

    ``that`` are the days that were spoken of last before the text, from which “a month later” counts.
    """

    conventions: DateConventions = USUAL_DATES
    born: Birthday | None = None
    that: Days | None = None


NO_CONTEXT = DateContext()

_BEGINS = frozenset({"from", "between"})
_ENDS = frozenset({"to", "until", "till", "and", "through", "thru"})
_UNTIL = frozenset({"until", "till"})
_MONTH = timedelta(days=31)
_SINCE = frozenset(
    {"since", "ever since", "since about", "since around", "since roughly", "as of", "as from"}
    | {
        f"{word}{lead}"
        for word in ("starting", "beginning", "effective")
        for lead in ("", " in", " on", " from", " with")
    }
)
_BEGAN = frozenset({"since", "ever since"})
"""What follows these is over, also in sentences that look ahead."""
_ANYTHING = frozenset({*_SINCE, *_BEGINS, *_UNTIL})
"""What follows these is a date, whatever rule knows it."""
_GUESSED = frozenset({"by", "before", "after", "for", "from", "between", "to"})
"""What follows these is when something was not, or is that of a thing."""
_NEAR = frozenset({"around", "about", "towards"})
"""What follows these is only nearly when something was."""

_LEAD = "|".join(sorted(LEADS | _ANYTHING | _ENDS, key=len, reverse=True))
_DATES = compiled(
    rf"(?<!\d[.,/-])\b(?:for (?:(?:the )?(?:last|past) )?(?P<length>{LENGTH})|(?P<lasted>{LENGTH}) now\b"
    rf"|(?:(?P<lead>{_LEAD}) )?(?P<words>{ANY}))(?!\w)(?!-\w)"
)
_BEFORE = 12
"""Characters before a date that tell what is meant by it."""
_NO_DATE = compiled(
    r"\b(?:(?:every|each|any|another|per|most|many|version|release|build|section|chapter|figure)|v\.) $"
)
_RECENTLY = compiled("recently")
_NEARLY = compiled(r"\b(?:of|than|almost|nearly|early|mid|late|next|coming|over|to)(?: |-)$")
_ONWARDS = compiled(r" (?:on|onwards?|forwards?)\b(?! the\b)")
_TO_ITS_END = compiled(r"(?:the )?(?:very )?end of ")
_AHEAD = re.compile(
    r"\b(?:will(?! \w*[^\We]ed\b)|won['’]t|shall|gonna|(?:am|are|is|be|i['’]m|\w+['’](?:re|s)) (?:\w+ )?going to"
    r"|about to|plan(?:s|ned|ning)?|can['’]t wait|looking forward|hope to"
    r"|hoping to|want to|let['’]s|see you|should|upcoming|coming up|soon|schedul(?:ed|ing)"
    r"|(?:am|are|i['’]m|we['’]re|they['’]re) \w+ing)\b|['’]ll\b"
)
_WEEKDAY = compiled(WEEKDAY)
_YEAR = re.compile(r"\b(?:1[89]|20|21)\d\d\b")
_POSSESSIVE = re.compile(r"['’]s\b")
_SENTENCE_ENDS = ".!?\n"
_FAR = 200


def find_dates(
    text: str, said_at: datetime, *, ahead: bool = False, context: DateContext = NO_CONTEXT
) -> tuple[Dated, ...]:
    """The dates plain enough for a claim, in their order: none that begins after ``said_at``, and no mere guess.

    ``ahead``: what is still going on ends later than it is said.
    """
    dates = _dated(text, said_at, lambda match: ahead and match["lead"] in _UNTIL, context)
    return tuple(
        each
        for each in dates
        if (not each.vague or each.rough) and (each.valid_from is None or each.valid_from <= said_at)
    )


def ground_dates(
    text: str, said_at: datetime, *, ahead: bool = False, over: bool = False, context: DateContext = NO_CONTEXT
) -> tuple[Dated, ...]:
    """All dates in their order, vague ones and those to come too.

    ``ahead``: the talk is of what is to come, also in sentences that do not show it; ``over``: of what was, also in
    sentences that look ahead.
    """

    def is_ahead(match: re.Match[str]) -> bool:
        lead = _lead(match)
        return not over and lead not in _BEGAN and (ahead or looks_ahead(_sentence(match)))

    return tuple(_dated(text, said_at, is_ahead, context))


def impossible_days(text: str, said_at: datetime) -> Iterator[UnreadTime]:
    """The days in a text that no calendar has: “on 29 February 2023”."""
    reference = ReferenceDay(said_at.date(), said_at.tzinfo)
    for match in _DATES.finditer(folded(text)):
        if match["words"] and is_impossible(match["words"], reference):
            written = text[match.start("words") : match.end("words")]
            yield UnreadTime(start=match.start(), end=match.end(), why=f"{written} does not exist")


def sentence_around(text: str, start: int, end: int) -> str:
    """What stands between the full stops, question and exclamation marks and line ends around ``[start, end)``.

    At most 200 characters on either side.
    """
    before, after = text[max(0, start - _FAR) : start], text[end : end + _FAR]
    first = max(before.rfind(mark) for mark in _SENTENCE_ENDS) + 1
    last = min((position for mark in _SENTENCE_ENDS if (position := after.find(mark)) >= 0), default=len(after))
    return before[first:] + text[start:end] + after[: last + 1]


def looks_ahead(sentence: str) -> bool:
    """Whether a sentence speaks of what is to come: “we will”, “I'm planning”, “can't wait”."""
    return _AHEAD.search(sentence.lower()) is not None


def _sentence(match: re.Match[str]) -> str:
    return sentence_around(match.string, match.start(), match.end())


_Ahead = Callable[[re.Match[str]], bool]


def _dated(text: str, said_at: datetime, ahead: _Ahead, context: DateContext) -> Iterator[Dated]:
    for section in sections(text, said_at, context.conventions):
        section_time = section.said_at
        that = section.day or context.that
        reference = ReferenceDay(
            section_time.date(), section_time.tzinfo, that=that, born=context.born, conventions=context.conventions
        )
        start = max(section.start, section.body)
        for dated in _in_section(text[start : section.end], reference, ahead):
            yield dated.shifted(start)


def _in_section(text: str, reference: ReferenceDay, ahead: _Ahead) -> Iterator[Dated]:
    """The dates of a text that is said on one day, each in view of the one before."""
    words = with_long_dashes(folded(text))
    ranges = {each.start: each for each in short_ranges(words) if _short(each, reference)}
    for match in _DATES.finditer(words) if ranges else ():
        ranges = {start: each for start, each in ranges.items() if not match.start() < start < match.end()}
    for each in ranges.values():
        words = f"{words[: each.start]}{'_' * (each.end - each.start)}{words[each.end :]}"
    matches = sorted([*_DATES.finditer(words), *ranges.values()], key=_start, reverse=True)
    while matches:
        match = matches.pop()
        spoken = replace(reference, ahead=ahead(match.match if isinstance(match, ShortRange) else match))
        if isinstance(match, ShortRange):
            dated = _short(match, spoken)
        elif matches and (span := _span(match, matches[-1], spoken)):
            dated = span
            matches.pop()
        else:
            dated = _single(match, spoken)
        if dated is not None:
            reference = replace(reference, that=days_of(dated, reference.zone))
            yield dated


def _start(match: re.Match[str] | ShortRange) -> int:
    return match.start if isinstance(match, ShortRange) else match.start()


def days_of(dated: Dated, zone: tzinfo | None) -> Days:
    """The days of a date, by the calendar of a zone."""
    first, after = (each.astimezone(zone).date() for each in (dated.days.start, dated.days.end))
    return Days(first, after, dated.unit)


def _connected(match: re.Match[str], following: re.Match[str]) -> bool:
    """“from May to June”, “May to June”, “3 May – 7 June”; “between” goes with “and”, which alone joins two dates."""
    apart = match.string[match.end() : following.start()].strip()
    lead, closing = _lead(match), _lead(following)
    if lead in _BEGINS:
        return (closing in _ENDS and not apart) or (not closing and apart in DASH)
    return lead not in _UNTIL and ((closing in CLOSING and not apart) or (not closing and apart in DASH))


def _lead(match: re.Match[str]) -> str:
    return " ".join((match["lead"] or "").split())


def _single(match: re.Match[str], reference: ReferenceDay) -> Dated | None:
    days, bearing = _days(match, reference)
    interval = _interval(days.first, days.after, reference) if days else None
    before = match.string[max(0, match.start() - _BEFORE) : match.start()]
    if days is None or interval is None or _NO_DATE.search(before):
        return None
    if _lead(match) == "throughout":
        return _ranging(match.start(), match.end(), days, days, days.after, reference)
    until, guessed = bearing is Bearing.UNTIL, _guessed(match, before, bearing)
    begin = _instant(days.likely, reference) if days.likely else interval.start
    end = interval.end if until and _TO_ITS_END.match(match["words"]) else interval.start
    return Dated(
        start=match.start(), end=match.end(), bearing=bearing, unit=days.unit, days=interval,
        vague=days.vague or guessed or _lead(match) in _NEAR, rough=not guessed,
        valid_from=None if until else begin, valid_to=end if until else None,
    )  # fmt: skip


def _guessed(match: re.Match[str], before: str, bearing: Bearing) -> bool:
    """“by March”, “than last year”, “last week's concert”."""
    lead = _lead(match)
    nearly = (lead in _GUESSED and bearing is Bearing.AT) or (not lead and _NEARLY.search(before) is not None)
    nearly = nearly or _RECENTLY.fullmatch(match["words"] or "") is not None
    return nearly or _POSSESSIVE.match(match.string, match.end()) is not None


def _days(match: re.Match[str], reference: ReferenceDay) -> tuple[Days | None, Bearing]:
    if length := match["length"] or match["lasted"]:
        return read(f"{length} ago", reference), Bearing.SINCE
    lead = _lead(match)
    onwards = lead == "from" and _ONWARDS.match(match.string, match.end())
    bearing = Bearing.SINCE if lead in _SINCE or onwards else Bearing.UNTIL if lead in _UNTIL else Bearing.AT
    led = None if lead in _ANYTHING else lead
    if reference.ahead and lead == "in":  # “I'll go in May”, in May
        begun = read(match["words"], replace(reference, ahead=False), led)
        if begun is not None and begun.first <= reference.pivot < begun.after <= begun.first + _MONTH:
            return begun, bearing
    return read(match["words"], reference, led), bearing


def _short(match: ShortRange, reference: ReferenceDay) -> Dated | None:
    """“3–5 May”, “2019–2021”: of days without a year those of one year."""
    first, last = (read(words, reference) for words in (match.first, match.last))
    if first is None or last is None or first.first >= last.first:
        return None
    return _ranging(match.start, match.end, first, last, last.after, reference)


def _span(match: re.Match[str], following: re.Match[str] | ShortRange, reference: ReferenceDay) -> Dated | None:
    """“from March to June”: what has no year of its own takes the one that makes the span run forwards."""
    if isinstance(following, ShortRange) or not _connected(match, following):
        return None
    if match["words"] is None or following["words"] is None:
        return None  # “yesterday – for three years”
    named = _YEAR.search(following["words"]) and read(following["words"], reference)
    begin = read(match["words"], replace(reference, after=named.first) if named else reference)
    end = named or (begin and read(following["words"], replace(reference, after=begin.first, ahead=True)))
    if begin is None or end is None or begin.first >= end.first:
        return None
    if not reference.ahead and _are_weekdays(match, following) and end.first > reference.today:
        begin, end = (moved(days, -1, Unit.WEEK) for days in (begin, end))
    after = end.first if _lead(following) in _UNTIL else end.after
    return _ranging(match.start(), following.end(), begin, end, after, reference)


def _are_weekdays(*matches: re.Match[str]) -> bool:
    return all(_WEEKDAY.fullmatch(match["words"]) for match in matches)


def _ranging(start: int, stop: int, begin: Days, end: Days, after: date, reference: ReferenceDay) -> Dated | None:
    opening, days, held = (_interval(begin.first, day, reference) for day in (begin.after, end.after, after))
    if opening is None or days is None or held is None:
        return None
    return Dated(
        start=start, end=stop, bearing=Bearing.SPAN, unit=begin.unit, days=days, opening=opening,
        vague=begin.vague or end.vague, rough=True, valid_from=held.start, valid_to=held.end,
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
