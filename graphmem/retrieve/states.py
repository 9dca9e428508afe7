"""What holds of an entity by a predicate, since when it is known, and what it replaced."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from graphmem.model.belief import BeliefRow
from graphmem.model.dates import written_day
from graphmem.model.interval import END, MICROSECOND
from graphmem.model.recall import HeldValue

_Content = tuple[str, bool, str]
_Slot = tuple[str, str, datetime]
_MOST_NAMED = 20


def values_at(versions: Sequence[BeliefRow], valid_at: datetime, own: str) -> tuple[HeldValue, ...]:
    """Those of the versions of an entity's beliefs that hold, with what ended as each began.

    ``versions`` are all that were recorded by then, superseded ones too. What the entity, ``own``, is the subject of
    comes first.
    """
    same, ended = defaultdict[_Content, list[BeliefRow]](list), defaultdict[_Slot, list[BeliefRow]](list)
    for version in versions:
        same[_content_of(version, own)].append(version)
        if version.superseded_at == END:
            ended[version.user, version.subject_id, version.valid_to].append(version)
    values = (
        HeldValue(
            belief=version,
            known_since=_known_since(version, same[_content_of(version, own)], valid_at),
            replaced=tuple(_others(version, ended[version.user, version.subject_id, version.valid_from])),
            as_object=version.subject_id != own,
        )
        for version in versions
        if version.holds_at(valid_at)
    )
    return tuple(sorted(values, key=lambda value: (value.as_object, value.belief.order)))


def last_before(versions: Iterable[BeliefRow], valid_at: datetime) -> tuple[BeliefRow, ...]:
    """What was the last to hold before an instant."""
    over = [version for version in versions if version.superseded_at == END and version.valid_to <= valid_at]
    last = max((version.valid_to for version in over), default=None)
    return tuple(sorted((version for version in over if version.valid_to == last), key=lambda version: version.order))


def why_unknown(
    name: str, predicate: str, versions: Sequence[BeliefRow], before: Sequence[BeliefRow], others: Sequence[str]
) -> str:
    """Why there is no answer, in a sentence."""
    then = f"Nothing was known of “{predicate}” of {name} then"
    if before:
        return f"{then}; until {written_day((before[0].valid_to - MICROSECOND).date())}: {before[0].statement}"
    believed = sorted(
        (version for version in versions if version.superseded_at == END),
        key=lambda version: (version.valid_from, version.id),
    )
    if believed:
        return f"{then}; from {written_day(believed[0].valid_from.date())} on: {believed[0].statement}"
    if versions:
        return f"{then}; what was believed of it is believed no more."
    listed = others if len(others) <= _MOST_NAMED else [*others[:_MOST_NAMED], "…"]
    known = f" What is known of {name}: {', '.join(listed)}." if others else ""
    return f"Nothing was ever known of “{predicate}” of {name}.{known}"


def _others(belief: BeliefRow, ended: Iterable[BeliefRow]) -> Iterator[BeliefRow]:
    return (version for version in ended if version.target != belief.target)


def _content_of(belief: BeliefRow, own: str) -> _Content:
    """What a version says, whichever of the entities that are the same stands for its ends."""
    own_is_object = belief.object_id == own
    return belief.user, own_is_object, belief.subject_id if own_is_object else belief.target


def _known_since(belief: BeliefRow, same: Iterable[BeliefRow], valid_at: datetime) -> datetime:
    """Since when its value was believed of an instant without a break, whichever versions said so."""
    since = belief.recorded_at
    held = [version for version in same if version.valid_from <= valid_at < version.valid_to]
    for version in sorted(held, key=lambda version: version.recorded_at, reverse=True):
        if version.recorded_at < since <= version.superseded_at:
            since = version.recorded_at
    return since
