"""How precise the starts are that claims state: how many days the words speak of that say since when it is so.

“Since 2024” speaks of 366 days and “since March 2024” of 31, though both start at an instant.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta, tzinfo

from graphmem.extract.offline.dates.calendar import whole
from graphmem.extract.offline.dates.finder import Bearing, Dated, ground_dates
from graphmem.model.episode import Episode
from graphmem.model.fragment import ProposedClaim

_DAY = timedelta(days=1)


def with_precision(claims: Iterable[ProposedClaim], episode: Episode) -> tuple[ProposedClaim, ...]:
    """The claims of an episode, each with the precision of the start that it states."""
    proposed = tuple(claims)
    if all(claim.valid_from is None for claim in proposed):
        return proposed
    said_at = episode.local_time
    dates = ground_dates(episode.content, said_at)
    return tuple(replace(claim, from_precision=_precision(claim, dates, said_at.tzinfo)) for claim in proposed)


def _precision(claim: ProposedClaim, dates: Sequence[Dated], zone: tzinfo | None) -> int:
    """That of the date nearest to the quote which begins as the claim says; 0 where none does: it is an instant."""
    stated = [dated for dated in dates if dated.days.start == claim.valid_from]
    nearest = min(stated, key=lambda dated: (_apart(claim, dated), dated.start), default=None)
    return 0 if nearest is None else _days(nearest, claim, zone)


def _apart(claim: ProposedClaim, dated: Dated) -> int:
    return max(0, dated.start - claim.quote_end, claim.quote_start - dated.end)


def _days(dated: Dated, claim: ProposedClaim, zone: tzinfo | None) -> int:
    """Those of the date; of a span those of its beginning."""
    if dated.bearing is Bearing.SPAN and claim.event is None:
        begin = whole(dated.days.start.astimezone(zone).date(), dated.unit)
        return (begin.after - begin.first).days
    return round((dated.days.end - dated.days.start) / _DAY)
