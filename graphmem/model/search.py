"""What a search is asked beside its question: kinds of hits, filters that they pass, and what it prefers.

An episode is looked at itself. A belief is looked at itself, and by the episodes that it rests on: it passes if one of
these has all that is asked of episodes. An entity has nothing of what is asked of the two, a summary only the session
whose turns it covers, a reflection nothing at all.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from types import MappingProxyType

from graphmem.errors import InvalidInput
from graphmem.model.embedding import Vector
from graphmem.model.interval import BEGIN, END

OF_EPISODES = frozenset({"session", "exclude_session", "roles", "speakers", "sources", "tags"})
"""Filters by what an episode has; of a belief, one of the episodes that it rests on."""
OF_ENTITIES = frozenset({"entity", "types", "least_confidence"})
"""Filters that an entity passes too: the last is of beliefs, and leaves out only those."""
_OF_SESSIONS = frozenset({"session", "exclude_session"})
_OF_TIME = frozenset({"since", "until"})
_OF_RANKING = frozenset({"least_score", "least_relevance"})
_OF_BELIEFS = frozenset({"predicates", "categories"})


@dataclass(frozen=True, slots=True, kw_only=True)
class KindOfHit:
    """What is known of hits of a kind.

    ``name`` is what people call one. ``text_fields`` are those that full text looks in; none, if it has no such index.
    ``filters`` are the names of those that such a hit can pass. ``by_default``: it is looked for unless a caller says
    which kinds are.
    """

    name: str
    text_fields: tuple[str, ...] = ()
    filters: frozenset[str] = frozenset()
    is_belief: bool = False
    by_default: bool = False


_BELIEF = KindOfHit(
    name="Belief",
    text_fields=("statement",),
    filters=OF_EPISODES | OF_ENTITIES | _OF_TIME | _OF_BELIEFS,
    is_belief=True,
    by_default=True,
)
RELATIONSHIP, FACT = "relationship", "fact"
EPISODE, ENTITY, SUMMARY, REFLECTION, PATH = "episode", "entity", "summary", "reflection", "path"
HIT_KINDS: Mapping[str, KindOfHit] = MappingProxyType(
    {
        RELATIONSHIP: _BELIEF,
        FACT: _BELIEF,
        EPISODE: KindOfHit(
            name="Episode",
            text_fields=("content", "speaker"),
            filters=OF_EPISODES | OF_ENTITIES | _OF_TIME,
            by_default=True,
        ),
        ENTITY: KindOfHit(name="Entity", filters=OF_ENTITIES),
        SUMMARY: KindOfHit(name="Summary", text_fields=("content",), filters=_OF_SESSIONS, by_default=True),
        REFLECTION: KindOfHit(name="Reflection", text_fields=("content",)),
        PATH: KindOfHit(name="Path", by_default=True),
    }
)
BELIEFS = frozenset(name for name, kind in HIT_KINDS.items() if kind.is_belief)
SEARCHED = frozenset(name for name, kind in HIT_KINDS.items() if kind.by_default)
"""What is searched unless a caller says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What all hits are to have; what is not given lets everything pass, lists take any of theirs.

    ``session`` and ``exclude_session`` are of what was said there, and of what was said anywhere else. ``entity`` is
    the id of one: beliefs at it, or at what is the same, and episodes that mention it. ``types`` are of such entities.
    From ``since`` to before ``until`` an episode occurred, an event happened, or something else held for a while.
    ``least_score`` and ``least_relevance`` are of those in the answer.
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
    least_relevance: float = 0.0

    def __post_init__(self) -> None:
        if self.since >= self.until:
            raise InvalidInput("since must be before until; the range has since, and ends before until.")
        if self.session is not None and self.session == self.exclude_session:
            raise InvalidInput("session and exclude_session are the same, so nothing could be found; give one of them.")

    @property
    def given(self) -> tuple[str, ...]:
        """The names of those that are given, but for what only a ranking knows."""
        return tuple(name for name in self._given if name not in _OF_RANKING)

    @property
    def of_ranking(self) -> tuple[str, ...]:
        """The names of those that are given and that only a ranking knows."""
        return tuple(name for name in self._given if name in _OF_RANKING)

    @property
    def _given(self) -> tuple[str, ...]:
        return tuple(each.name for each in fields(self) if getattr(self, each.name) != each.default)

    @property
    def of_episodes(self) -> bool:
        """Whether something is asked that episodes have, and beliefs by what they rest on."""
        return not OF_EPISODES.isdisjoint(self.given)

    @property
    def of_beliefs(self) -> bool:
        """Whether something is asked that beliefs have themselves."""
        return not OF_EPISODES.issuperset(self.given)

    def of(self, kinds: frozenset[str]) -> frozenset[str]:
        """Those ``kinds`` of hits that can have all that the filters ask for."""
        return frozenset(kind for kind in kinds if HIT_KINDS[kind].filters.issuperset(self.given))

    def only(self, name: str) -> "Filters":
        """The filters with this one alone."""
        return replace(Filters(), **{name: getattr(self, name)})

    def is_enough(self, score: float, relevance: float) -> bool:
        return relevance >= self.least_relevance and (self.least_score is None or score >= self.least_score)


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """Shares from 0 to 1, so that they mean the same however scores are made.

    ``diversity``: how much being unlike what stands above counts in place of the score (maximal marginal relevance with
    λ = 1 - diversity). ``recency``: what is new gets this share of the best score, what is ``half_life_days`` old half
    as much. ``confidence``: what is less sure loses this share of the best score, in proportion.
    """

    diversity: float = 0.0
    recency: float = 0.0
    half_life_days: float = 30.0
    confidence: float = 0.0

    @property
    def of_each(self) -> bool:
        """Whether something is preferred that a hit has by itself, whatever stands beside it."""
        return bool(self.recency or self.confidence)


NO_PREFERENCES = Preferences()


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What preferences look at in a hit; None: it has no such thing, or it is not known.

    ``since`` is when an episode occurred, and since when a belief has held. ``vector`` is not looked up unless needed.
    """

    id: str
    since: datetime | None
    confidence: float | None
    vector: Vector | None
