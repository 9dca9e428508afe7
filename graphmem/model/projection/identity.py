"""Who is who: the entity that stands for another one, depending on where and by whom it was named.

Slots, belief ids, locks and projections ask only here. What nobody decided on stands for itself.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True, kw_only=True)
class SameAs:
    """A decision in force: what is said of ``member`` is said of ``other``, which stands for both.

    It holds for everybody (user "") or in one user's memory. With a ``session`` the member is a short name, and only
    what was said there moves. Of one member there is one decision for each user and session; the other one is
    never itself a member for everybody, and a member for one user is no other's for that user.
    """

    member: str
    other: str
    user: str = ""
    session: str | None = None


@dataclass(frozen=True)
class Identities:
    """The decisions in force on some entities, and on all that stand for the same as they do."""

    decisions: frozenset[SameAs] = frozenset()

    def of(self, entity_id: str, *, session: str, user: str) -> str:
        """The identity of an entity that was named in a session, by or for a user."""
        if not self.decisions:
            return entity_id
        named = self._step(entity_id, session, user)
        shared = self._others.get((named, "", None), named)
        return self._others.get((shared, user, None), shared)

    def members(self, identity: str, *, user: str) -> Sequence[str]:
        """The ids of all entities that an identity may stand for in what was said for a user, in order."""
        members, ahead = {identity}, [identity]
        while ahead:
            fresh = set(self._members(ahead.pop(), user)) - members
            members |= fresh
            ahead += fresh
        return sorted(members)

    def knowing(self, others: Iterable[SameAs]) -> "Identities":
        """The identities by these decisions and ``others``."""
        return Identities(self.decisions.union(others))

    def _step(self, entity_id: str, session: str, user: str) -> str:
        """What a short name means in a session."""
        everybody = self._others.get((entity_id, "", session), entity_id)
        return self._others.get((entity_id, user, session), everybody)

    def _members(self, other: str, user: str) -> Iterator[str]:
        for decision in self._of_other.get(other, ()):
            if decision.user in ("", user):
                yield decision.member

    @cached_property
    def _others(self) -> Mapping[tuple[str, str, str | None], str]:
        return {(decision.member, decision.user, decision.session): decision.other for decision in self.decisions}

    @cached_property
    def _of_other(self) -> Mapping[str, Sequence[SameAs]]:
        decisions_on: dict[str, list[SameAs]] = defaultdict(list)
        for decision in self.decisions:
            decisions_on[decision.other].append(decision)
        return decisions_on


EACH_ITSELF = Identities()


def identities(decisions: Iterable[SameAs]) -> Identities:
    return Identities(frozenset(decisions))
