"""Times of a text that are said and not read, and the day of what stands under a dated heading."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, time

from graphmem.extract.offline.dates.finder import impossible_days
from graphmem.extract.offline.dates.headings import section_of
from graphmem.model.dates import DateConventions
from graphmem.model.episode import Episode
from graphmem.model.fragment import ProposedClaim, UnreadTime
from graphmem.model.interval import as_instant


def under_headings(
    claims: Iterable[ProposedClaim], episode: Episode, conventions: DateConventions
) -> Iterator[ProposedClaim]:
    """The claims; those without a time of their own under a dated heading are so since its day."""
    for claim in claims:
        section = section_of(episode.content, episode.local_time, claim.quote_start, conventions)
        if section.dated and claim.valid_from is None and not claim.time_unread:
            begin = datetime.combine(section.said_at.date(), time(), section.said_at.tzinfo)
            yield replace(claim, valid_from=as_instant(begin), from_precision=1)
        else:
            yield claim


def unread_times(claims: Iterable[ProposedClaim], episode: Episode) -> tuple[UnreadTime, ...]:
    """The words for a time that no claim could take, and the days that there are not, in the order of the text."""
    impossible = list(impossible_days(episode.content, episode.local_time))
    unread = [_unread(claim, episode.content, impossible) for claim in claims if claim.time_unread]
    unread += [day for day in impossible if not any(each.start <= day.start and day.end <= each.end for each in unread)]
    by_span = {(each.start, each.end): each for each in unread}
    return tuple(by_span[span] for span in sorted(by_span))


def _unread(claim: ProposedClaim, content: str, impossible: Iterable[UnreadTime]) -> UnreadTime:
    start = content.find(claim.time_unread, claim.quote_start)
    end = start + len(claim.time_unread)
    if start < 0:
        start, end = claim.quote_start, claim.quote_end
    why = next((day.why for day in impossible if start <= day.start < end), None)
    return UnreadTime(start=start, end=end, why=why or f"“{claim.time_unread}” is no time that is understood")
