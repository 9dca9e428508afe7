"""Which facts about somebody a context has beside those that must be known."""

from collections.abc import Iterable, Mapping

from graphmem.model.composed import ProfileCandidate

_NEARNESS, _USE = 0.6, 0.1
"""What a belief that says what the query says, and one that is much used, have over others of the same importance."""
_MANY_DAYS = 10


def chosen(candidates: Iterable[ProfileCandidate], cosines: Mapping[str, float], limit: int) -> list[str]:
    """The ids of the best so many, by importance, by the cosine of the query and each, and by use.

    “Order me something for lunch” prefers the taste for Thai food to a colour. Of two as good the first is taken.
    """

    def worth(candidate: ProfileCandidate) -> float:
        used = min(candidate.days_used, _MANY_DAYS) / _MANY_DAYS
        return candidate.importance + _NEARNESS * max(0.0, cosines.get(candidate.id, 0.0)) + _USE * used

    return [candidate.id for candidate in sorted(candidates, key=worth, reverse=True)[:limit]]
