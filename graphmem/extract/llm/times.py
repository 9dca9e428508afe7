"""When something is so that a model claims: by the words of its episode, read where they stand.

“from 2010” alone says less than “from 2010 to 2015”. What a model calculated is never believed.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache

from graphmem.errors import InvalidInput
from graphmem.extract.llm.grounding import find_quote
from graphmem.extract.offline.dates.finder import NO_CONTEXT, Bearing, DateContext, Dated, ground_dates
from graphmem.model.claim import OVERDUE
from graphmem.model.episode import Episode
from graphmem.model.interval import as_instant

Span = tuple[int, int]


def instant(
    words: str | None, episode: Episode, context: DateContext = NO_CONTEXT, *, end: bool = False
) -> datetime | None:
    """What the words of the episode come to; None for words that do not stand there, or say no time."""
    span = find_quote(episode.content, words or "")
    if words is None or span is None:
        return None
    exact = _iso(words.strip(), episode)
    if exact is not None:
        return exact
    for dated in _dates(episode, context):
        if _overlap(dated, span):
            return dated.days.end if end or dated.bearing is Bearing.UNTIL else dated.days.start
    return None


def unread_of(words: str | None, episode: Episode) -> str:
    """The words by which a model says since when something is so, as they stand in the episode; "" if they do not."""
    span = find_quote(episode.content, words or "")
    return episode.content[span[0] : span[1]] if words and span else ""


def event_of(
    words: str | None, episode: Episode, context: DateContext = NO_CONTEXT
) -> tuple[datetime, datetime] | None:
    """The days ``[from, to)`` in the speaker's zone on which the words say that something happened.

    None of days that are only guessed at, that are still to come, or of which it lasted.
    """
    span = find_quote(episode.content, words or "")
    dates = _dates(episode, context) if span else ()
    dated = next((each for each in dates if span and _overlap(each, span) and not each.vague), None)
    if dated is None or dated.bearing is not Bearing.AT or dated.days.start > episode.occurred_at:
        return None
    zone = episode.local_time.tzinfo
    return dated.days.start.astimezone(zone), dated.days.end.astimezone(zone)


def due(
    quote: Span, words: Iterable[str | None], episode: Episode, context: DateContext = NO_CONTEXT
) -> datetime | None:
    """Until when a plan stands: so long after the day to come that its quote or the other words name.

    None for one without such a day.
    """
    spans = [quote, *(span for each in words if each and (span := find_quote(episode.content, each)))]
    for dated in _dates(episode, context, ahead=True):
        ahead = dated.bearing is Bearing.AT and not dated.vague and dated.days.end > episode.occurred_at
        if ahead and any(_overlap(dated, span) for span in spans):
            return dated.days.end + OVERDUE
    return None


def days_said(episode: Episode, context: DateContext = NO_CONTEXT, *, ahead: bool = False) -> str:
    """The words in which the days may be written that the episode speaks of: “8 8th May 2023”, “Monday”.

    ``ahead``: it speaks of days to come.
    """
    zone = episode.local_time.tzinfo
    return " ".join(
        _written(day.astimezone(zone))
        for dated in _dates(episode, context, ahead=ahead)
        if not dated.vague
        for day in (dated.days.start, dated.days.end - timedelta(days=1))
    )


def _dates(episode: Episode, context: DateContext, *, ahead: bool = False) -> tuple[Dated, ...]:
    """The dates of an episode, looked for once, whatever is claimed by it."""
    return _dates_at(episode.content, episode.local_time, episode.local_time.tzinfo, ahead, context)


@lru_cache(maxsize=64)
def _dates_at(
    text: str,
    said_at: datetime,
    _zone: tzinfo | None,
    ahead: bool,  # noqa: FBT001 - a key
    context: DateContext,
) -> tuple[Dated, ...]:
    """``_zone`` is that of ``said_at``: equal instants of two zones are one key."""
    return ground_dates(text, said_at, ahead=ahead, context=context)


def without_days(text: str, said_at: datetime) -> str:
    """A text less the dates in it."""
    for dated in reversed(ground_dates(text, said_at)):
        text = f"{text[: dated.start].rstrip()} {text[dated.end :].lstrip()}"
    return text.strip()


def _written(day: datetime) -> str:
    return f"{day:%Y %m %d %A %a %B %b} {day.day} {day.day}st {day.day}nd {day.day}rd {day.day}th"


def _overlap(dated: Dated, span: Span) -> bool:
    return dated.start < span[1] and span[0] < dated.end


def _iso(words: str, episode: Episode) -> datetime | None:
    """An ISO 8601 date or time; without an offset it is one of the episode's zone."""
    try:
        moment = datetime.fromisoformat(words)
        return as_instant(moment if moment.tzinfo else moment.replace(tzinfo=episode.local_time.tzinfo))
    except (ValueError, InvalidInput):
        return None
