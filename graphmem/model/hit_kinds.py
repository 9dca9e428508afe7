"""The kinds of hits of a search, and what is known of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

OF_EPISODES = frozenset({"session", "exclude_session", "roles", "speakers", "sources", "tags"})
"""Filters by what an episode has; of a belief, one of the episodes that it rests on."""
OF_ENTITIES = frozenset({"entity", "types", "least_confidence"})
"""Filters that an entity passes too: the last is of beliefs, and leaves out only those."""
_OF_TIME = frozenset({"since", "until"})
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
EPISODE, ENTITY, SUMMARY, REFLECTION = "episode", "entity", "summary", "reflection"
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
        SUMMARY: KindOfHit(name="Summary", text_fields=("content",)),
        REFLECTION: KindOfHit(name="Reflection", text_fields=("content",)),
    }
)
BELIEFS = frozenset(name for name, kind in HIT_KINDS.items() if kind.is_belief)
SEARCHED = frozenset(name for name, kind in HIT_KINDS.items() if kind.by_default)
"""What is searched unless a caller says otherwise."""
