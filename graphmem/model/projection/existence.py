"""From when to when an entity existed, by the beliefs that tell of its beginning and of its end (decision 0033)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from enum import StrEnum

from graphmem.model.claim import Scalar
from graphmem.model.dates import days_of
from graphmem.model.interval import BEGIN, EARLIEST, END, LATEST


class Bound(StrEnum):
    """What a belief says of its subject: its existence ``begins`` with it, or ``ends``."""

    BEGINS = "begins"
    ENDS = "ends"


class Bounding(StrEnum):
    """What a policy says of the beliefs of a predicate: they have this bound, or none."""

    BEGINS = "begins"
    ENDS = "ends"
    NONE = "none"


_HAPPENED = "born born_in died died_in deceased founded_in established_in opened_in closed_in dissolved_in"
_BEGINS = """birth_date birth_year birthdate born born_in born_on date_of_birth dob year_of_birth
    date_founded established established_in established_on foundation_date founded founded_in founded_on founding_date
    year_founded incorporated incorporated_on
    built built_on launch_date launched launched_on opened opened_in opened_on opening_date"""
_ENDS = """date_of_death death_date death_year deceased deceased_on died died_in died_on year_of_death
    dissolution_date dissolved dissolved_in dissolved_on
    closed closed_in closed_on closing_date shut_down shut_down_on
    demolished demolished_on discontinued discontinued_on"""

BOUNDS: Mapping[str, Bound] = {
    name: bound for bound, names in ((Bound.BEGINS, _BEGINS), (Bound.ENDS, _ENDS)) for name in names.split()
}
"""The packaged list: predicates that tell of a beginning or an end of their subject, where no policy says otherwise."""
HAPPENED = frozenset(_HAPPENED.split())
"""Those that hold from the event on, whatever their object or value.

Others are dates, or what somebody does: “Ana founded Acme in 1984” is no beginning of Ana.
"""


def bound_of(predicate: str, declared: Bounding | None = None, *, of_object: bool) -> Bound | None:
    """What beliefs with a predicate say of their subject's existence, if they have an object or (not so) a value.

    ``declared`` by a policy, if it says so; what somebody does to an object stays no bound of who does it.
    """
    if declared is Bounding.NONE or (of_object and predicate in BOUNDS and predicate not in HAPPENED):
        return None
    return BOUNDS.get(predicate) if declared is None else Bound(declared)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundingBelief:
    """A belief that has a bound; ``value`` is None where it has an object."""

    id: str
    bound: Bound
    subject_id: str
    user: str
    predicate: str
    value: Scalar
    from_stated: bool
    valid_from: datetime
    valid_to: datetime

    @property
    def instant(self) -> datetime | None:
        """When existence begins or ends: by the date that is its value, else since when it is said to hold, if at all.

        Of a month or a year that is the first instant for a beginning, and for an end the first one after it. A value
        that is no date tells nothing, unless the predicate is of what happened.
        """
        written = isinstance(self.value, str | int) and not isinstance(self.value, bool)
        days = days_of(str(self.value)) if written else None
        if days is not None:
            return _within(days.first if self.bound is Bound.BEGINS else days.after)
        happened = self.predicate in HAPPENED or self.value is None or self.value is True
        return self.valid_from if happened and self.from_stated and self.valid_from > BEGIN else None


class Existed(StrEnum):
    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Existence:
    """``[valid_from, valid_to)``; ``BEGIN`` is an unknown beginning, ``END`` an unknown end or none."""

    valid_from: datetime = BEGIN
    valid_to: datetime = END

    def at(self, instant: datetime) -> Existed:
        """Whether it existed then. Before the end of what nobody knows the beginning of, it may not have begun."""
        if not self.valid_from <= instant < self.valid_to:
            return Existed.FALSE
        return Existed.UNKNOWN if self.valid_from == BEGIN else Existed.TRUE


def existence(beliefs: Iterable[BoundingBelief]) -> Existence:
    """What beliefs about one entity, or about several that are the same, say of its existence.

    Of each user, subject and predicate those count that hold last; of several beginnings the earliest, and of several
    ends the latest. Where a beginning lies at or after that end, nothing is known: they contradict each other, or tell
    of one existence after another.
    """
    last = _lasting(beliefs)
    begins = [belief.instant for belief in last if belief.bound is Bound.BEGINS]
    ends = [belief.instant for belief in last if belief.bound is Bound.ENDS]
    begun = [instant for instant in begins if instant is not None]
    end = max((instant for instant in ends if instant is not None), default=END)
    return Existence() if begun and max(begun) >= end else Existence(min(begun, default=BEGIN), end)


def _lasting(beliefs: Iterable[BoundingBelief]) -> Sequence[BoundingBelief]:
    by_slot: dict[tuple[str, str, str], list[BoundingBelief]] = {}
    for belief in beliefs:
        by_slot.setdefault((belief.user, belief.subject_id, belief.predicate), []).append(belief)
    return [
        belief
        for slot in by_slot.values()
        for belief in slot
        if belief.valid_to == max(other.valid_to for other in slot)
    ]


def _within(day: date) -> datetime | None:
    instant = datetime.combine(day, time(), UTC)
    return instant if EARLIEST <= instant <= LATEST else None
