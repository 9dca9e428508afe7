"""What a search asks of its hits beside the question: who said it where, about what, and how sure it is.

An episode is looked at itself. A belief is looked at itself, and by the episodes that it rests on: it passes if one of
these has all that is asked of episodes. An entity has nothing of what is asked of the two, a summary or a reflection
nothing at all.
"""

from dataclasses import dataclass, fields, replace
from datetime import datetime

from graphmem.errors import InvalidInput
from graphmem.model.hit_kinds import HIT_KINDS, OF_EPISODES
from graphmem.model.interval import BEGIN, END


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What all hits are to have; what is not given lets everything pass, lists take any of theirs.

    ``session`` and ``exclude_session`` are of what was said there, and of what was said anywhere else. ``entity`` is
    the id of one: beliefs at it, or at what is the same, and episodes that mention it. ``types`` are of such entities.
    From ``since`` to before ``until`` an episode occurred, an event happened, or something else held for a while.
    ``least_score`` is of the scores in the answer.
    """

    session: str | None = None
    exclude_session: str | None = None
    entity: str | None = None
    types: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: datetime = BEGIN
    until: datetime = END
    least_confidence: float = 0.0
    least_score: float | None = None

    def __post_init__(self) -> None:
        if self.since >= self.until:
            raise InvalidInput("since must be before until; the range has since, and ends before until.")
        if self.session is not None and self.session == self.exclude_session:
            raise InvalidInput("session and exclude_session are the same, so nothing could be found; give one of them.")

    @property
    def given(self) -> tuple[str, ...]:
        """The names of those that are given, but for the least score, which only a ranking knows."""
        return tuple(
            each.name
            for each in fields(self)
            if each.name != "least_score" and getattr(self, each.name) != each.default
        )

    @property
    def of_episodes(self) -> bool:
        """Whether something is asked that episodes have, and beliefs by what they rest on."""
        return not OF_EPISODES.isdisjoint(self.given)

    def of(self, kinds: frozenset[str]) -> frozenset[str]:
        """Those kinds of hits that can have all that is given."""
        return frozenset(kind for kind in kinds if HIT_KINDS[kind].filters.issuperset(self.given))

    def only(self, name: str) -> "Filters":
        """One of them alone."""
        return replace(Filters(), **{name: getattr(self, name)})

    def is_enough(self, score: float) -> bool:
        return self.least_score is None or score >= self.least_score


NO_FILTERS = Filters()
