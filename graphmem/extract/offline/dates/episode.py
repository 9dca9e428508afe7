"""What the words for days of an episode depend on: how its group writes them, and when its speaker was born."""

import re
from collections.abc import Iterator
from datetime import datetime

from graphmem.extract.offline.dates.calendar import Unit
from graphmem.extract.offline.dates.finder import DateContext, find_dates, ground_dates
from graphmem.extract.offline.dates.meanings import Birthday
from graphmem.model.dates import DateConventions
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context

_BORN = re.compile(
    r"\b(?:my birthday(?:\s+is|['’]s|\s+falls|:)|(?:i\s+was|i['’]m|i\s+am)\s+born|my\s+date\s+of\s+birth(?:\s+is|:))"
    r"(?:\s+on)?\s+",
    re.IGNORECASE,
)
_IS_MINE = re.compile(r"\s+(?:is|was)\s+my\s+birthday\b", re.IGNORECASE)
_FAR = 40
"""Characters in which a date is written."""
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")


def dates_of_episode(episode: Episode, context: Context) -> DateContext:
    """The context of the words for days that the speaker of an episode says."""
    mine = (turn for turn in reversed(context.turns) if turn.role is episode.role and turn.speaker == episode.speaker)
    texts = ((episode.content, episode.local_time), *((turn.content, turn.occurred_at) for turn in mine))
    born = (each for text, said_at in texts for each in _birthdays(text, said_at, context.dates))
    return DateContext(conventions=context.dates, born=next(born, None))


def _birthdays(text: str, said_at: datetime, conventions: DateConventions) -> Iterator[Birthday]:
    """The birthdays that the speaker of a text says to have."""
    if "birth" not in text and "born" not in text:
        return
    context = DateContext(conventions=conventions)
    for match in _BORN.finditer(text):
        written = text[match.end() : match.end() + _FAR]
        for dated in find_dates(written, said_at, context=context)[:1]:
            if dated.start == 0 and dated.unit is Unit.DAY:
                yield _birthday(dated.days.start.astimezone(said_at.tzinfo), written[: dated.end])
    for dated in ground_dates(text, said_at, context=context) if _IS_MINE.search(text) else ():
        if dated.unit is Unit.DAY and _IS_MINE.match(text, dated.end):
            yield _birthday(dated.days.start.astimezone(said_at.tzinfo), text[dated.start : dated.end])


def _birthday(day: datetime, written: str) -> Birthday:
    return Birthday(day.month, day.day, day.year if _YEAR.search(written) else None)
