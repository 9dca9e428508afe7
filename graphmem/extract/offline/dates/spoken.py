"""The dates of a part of a text, as what stands before it tells: under which heading, and after which date."""

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import lru_cache

from graphmem.extract.offline.dates.finder import NO_CONTEXT, DateContext, Dated, days_of, ground_dates
from graphmem.extract.offline.dates.headings import Section, section_of


@dataclass(frozen=True, slots=True)
class SpokenDates:
    """The dates of a text, to be asked for those at ``[start, end)`` of it."""

    text: str
    said_at: datetime
    context: DateContext
    all: tuple[Dated, ...]

    def section(self, position: int) -> Section:
        """What was said together with what stands there, and when that was."""
        return section_of(self.text, self.said_at, position, self.context.conventions)

    def ground(self, start: int, end: int, *, ahead: bool = False, over: bool = False) -> tuple[Dated, ...]:
        """The dates in ``[start, end)``, placed in the whole text; ``ahead`` and ``over`` as in ``ground_dates``."""
        dates = ground_dates(
            self.text[start:end], self._time_at(start), ahead=ahead, over=over, context=self._after(start)
        )
        return tuple(each.shifted(start) for each in dates)

    def _time_at(self, start: int) -> datetime:
        return self.section(start).said_at

    def _after(self, start: int) -> DateContext:
        section = self.section(start)
        before = [each for each in self.all if section.start <= each.start and each.end <= start]
        if not before:
            return replace(self.context, that=section.day or self.context.that)
        return replace(self.context, that=days_of(before[-1], section.said_at.tzinfo))


def spoken_dates(text: str, said_at: datetime, context: DateContext = NO_CONTEXT) -> SpokenDates:
    """The dates of a text, looked for once, however many parts are asked for."""
    return _spoken(text, said_at, said_at.tzinfo, context)


@lru_cache(maxsize=64)
def _spoken(text: str, said_at: datetime, _zone: tzinfo | None, context: DateContext) -> SpokenDates:
    """``_zone`` is that of ``said_at``: equal instants of two zones are one key."""
    return SpokenDates(text, said_at, context, ground_dates(text, said_at, context=context))
