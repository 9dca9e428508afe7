"""A change of evidence: what a digest, a set of structured claims or a correction asks the store to write."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphmem.model.claim import Claim
from graphmem.model.embedding import Vector
from graphmem.model.entity import Entity, Mention
from graphmem.model.episode import Episode


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What one or more episodes name and claim, resolved to identities."""

    entities: tuple[Entity, ...]
    mentions: tuple[Mention, ...]
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Digested:
    """An episode whose evidence this is, with its vector."""

    episode_id: str
    embedding: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Everything one transaction writes.

    ``lease`` names the episode's digest under way; ``episodes`` are new ones to store in the same transaction
    (structured claims bring their own). ``vectors`` holds the vector of each claim's statement by claim id.
    """

    group_id: str
    evidence: Evidence
    digested: tuple[Digested, ...]
    embedding_model: str
    vectors: Mapping[str, Vector] = field(default_factory=dict[str, Vector])
    episodes: tuple[Episode, ...] = ()
    lease: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a change did: counts, and whether it found its work done already."""

    done_before: bool = False
    entities: int = 0
    new_entities: int = 0
    mentions: int = 0
    claims: int = 0
    new_claims: int = 0
    recorded: int = 0
    superseded: int = 0
    new_episodes: frozenset[str] = frozenset()
