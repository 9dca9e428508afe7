"""What changed between two points in time."""

from collections.abc import Iterable
from dataclasses import fields

from graphmem.model.belief import BeliefRow
from graphmem.model.recall import ChangedBelief, Difference

_OF_THE_ROW = frozenset({"id", "belief_id", "recorded_at", "superseded_at", "evidence"})
_COMPARED = tuple(field.name for field in fields(BeliefRow) if field.name not in _OF_THE_ROW)

Key = tuple[str, str, str, str, str, bool, tuple[str, ...]]


def difference(before: Iterable[BeliefRow], after: Iterable[BeliefRow]) -> Difference:
    """What began, ended and changed from ``before`` to ``after``: beliefs that held at one instant each.

    Beliefs are the same where user, subject, predicate, object or value, the day of an event, whether they are open,
    and verb and detail of open ones are. Nothing is guessed: a new value of a slot that holds one at a time is one
    belief that ended and one that began.
    """
    old, new = _by_key(before), _by_key(after)
    changed = [_changed(old[key], new[key]) for key in old.keys() & new.keys()]
    return Difference(
        began=_sorted(new[key] for key in new.keys() - old.keys()),
        ended=_sorted(old[key] for key in old.keys() - new.keys()),
        changed=tuple(sorted((item for item in changed if item.fields), key=lambda item: item.after.order)),
    )


def _by_key(beliefs: Iterable[BeliefRow]) -> dict[Key, BeliefRow]:
    return {
        (row.user, row.subject_id, row.predicate, row.target, row.day, row.open, row.distinguished_by): row
        for row in beliefs
    }


def _changed(before: BeliefRow, after: BeliefRow) -> ChangedBelief:
    differ = tuple(name for name in _COMPARED if getattr(before, name) != getattr(after, name))
    return ChangedBelief(before=before, after=after, fields=differ)


def _sorted(beliefs: Iterable[BeliefRow]) -> tuple[BeliefRow, ...]:
    return tuple(sorted(beliefs, key=lambda row: row.order))
