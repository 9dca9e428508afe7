"""How precise the starts are that claims state: how many days the words speak of that say since when it is so.

“Since 2024” speaks of 366 days and “since March 2024” of 31, though both start at an instant.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from graphmem.extract.offline.dates.finder import DateContext, Dated
from graphmem.extract.offline.dates.spoken import SpokenDates, spoken_dates
from graphmem.model.episode import Episode
from graphmem.model.fragment import ProposedClaim
from graphmem.model.interval import BEGIN

_DAY = timedelta(days=1)


def with_precision(
    claims: Iterable[ProposedClaim], episode: Episode, context: DateContext
) -> tuple[ProposedClaim, ...]:
    """The claims of an episode, each with the precision of the start that it states."""
    proposed = tuple(claims)
    if all(claim.valid_from in (None, BEGIN) for claim in proposed):
        return proposed
    spoken = spoken_dates(episode.content, episode.local_time, context)
    return tuple(replace(claim, from_precision=_precision(claim, spoken)) for claim in proposed)


def _precision(claim: ProposedClaim, spoken: SpokenDates) -> int:
    """The precision of the date nearest to the quote that begins as the claim does; 0, an instant, where none does."""
    dates = (*spoken.ground(claim.quote_start, claim.quote_end), *spoken.all)
    stated = [dated for dated in dates if claim.valid_from and claim.valid_from in (dated.valid_from, dated.days.start)]
    nearest = min(stated, key=lambda dated: (_apart(claim, dated), dated.start), default=None)
    return 0 if nearest is None else _days(nearest, claim)


def _apart(claim: ProposedClaim, dated: Dated) -> int:
    return max(0, dated.start - claim.quote_end, claim.quote_start - dated.end)


def _days(dated: Dated, claim: ProposedClaim) -> int:
    """How many days a date speaks of; of a span, how many its beginning does."""
    days = dated.opening if dated.opening and claim.event is None else dated.days
    return round((days.end - days.start) / _DAY)
