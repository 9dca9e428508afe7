"""What holds of an entity by a predicate, since when it is known, and what it replaced."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from graphmem.model.belief import BeliefRow
from graphmem.model.dates import written_day
from graphmem.model.interval import END, MICROSECOND
from graphmem.model.recall import HeldValue


def values_at(versions: Sequence[BeliefRow], valid_at: datetime, own: str) -> tuple[HeldValue, ...]:
    """Those of the versions of an entity's beliefs that hold, with what ended as each began.

    ``versions`` are all that were recorded by then, superseded ones too. What the entity, ``own``, is the subject of
    comes first.
    """
    held = (one for one in versions if one.holds_at(valid_at))
    values = (
        HeldValue(
            belief=one,
            known_since=_known_since(one, versions, valid_at),
            replaced=tuple(_replaced(one, versions)),
            as_object=one.subject_id != own,
        )
        for one in held
    )
    return tuple(sorted(values, key=lambda value: (value.as_object, value.belief.order)))


def last_before(versions: Iterable[BeliefRow], valid_at: datetime) -> tuple[BeliefRow, ...]:
    """What was the last to hold before an instant."""
    over = [one for one in versions if one.superseded_at == END and one.valid_to <= valid_at]
    last = max((one.valid_to for one in over), default=None)
    return tuple(sorted((one for one in over if one.valid_to == last), key=lambda one: one.order))


def why_unknown(name: str, predicate: str, before: Sequence[BeliefRow], others: Sequence[str]) -> str:
    """Why there is no answer, in a sentence."""
    if before:
        until = written_day((before[0].valid_to - MICROSECOND).date())
        return f"Nothing was known of “{predicate}” of {name} then; until {until}: {before[0].statement}"
    known = f" What is known of {name}: {', '.join(others)}." if others else ""
    return f"Nothing was ever known of “{predicate}” of {name}.{known}"


def _known_since(belief: BeliefRow, versions: Iterable[BeliefRow], valid_at: datetime) -> datetime:
    """Since when its value was believed of an instant without a break, whichever versions said so."""
    since = belief.recorded_at
    same = [one for one in versions if (one.subject_id, one.target) == (belief.subject_id, belief.target)]
    same = [one for one in same if one.valid_from <= valid_at < one.valid_to]
    for one in sorted(same, key=lambda one: one.recorded_at, reverse=True):
        if one.recorded_at < since <= one.superseded_at:
            since = one.recorded_at
    return since


def _replaced(belief: BeliefRow, versions: Iterable[BeliefRow]) -> Iterator[BeliefRow]:
    for one in versions:
        other = one.subject_id == belief.subject_id and one.target != belief.target
        if other and one.superseded_at == END and one.valid_to == belief.valid_from:
            yield one
