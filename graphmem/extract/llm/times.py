"""When something is so that a model claims: by the words of its episode, read where they stand.

“from 2010” alone says less than “from 2010 to 2015”. What a model calculated is never believed.
"""

from datetime import datetime

from graphmem.errors import InvalidInput
from graphmem.extract.llm.grounding import find_quote
from graphmem.extract.offline.dates.finder import Bearing, ground_dates
from graphmem.model.episode import Episode
from graphmem.model.interval import as_instant


def instant(words: str | None, episode: Episode, *, end: bool = False) -> datetime | None:
    """What the words of the episode come to; None for words that do not stand there, or say no time."""
    span = find_quote(episode.content, words or "")
    if words is None or span is None:
        return None
    exact = _iso(words.strip(), episode)
    if exact is not None:
        return exact
    for dated in ground_dates(episode.content, episode.local_time):
        if dated.start < span[1] and span[0] < dated.end:
            return dated.days.end if end or dated.bearing is Bearing.UNTIL else dated.days.start
    return None


def _iso(words: str, episode: Episode) -> datetime | None:
    """An ISO 8601 date or time; without an offset it is one of the episode's zone."""
    try:
        moment = datetime.fromisoformat(words)
        return as_instant(moment if moment.tzinfo else moment.replace(tzinfo=episode.local_time.tzinfo))
    except (ValueError, InvalidInput):
        return None
