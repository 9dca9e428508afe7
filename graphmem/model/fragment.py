"""What extraction proposes from one episode: names and claims at character spans, not yet resolved."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from graphmem.model.claim import Kind, Scalar
from graphmem.model.episode import Episode


@dataclass(frozen=True, slots=True)
class Name:
    """A thing by name and type, as proposed."""

    name: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedMention:
    """``name`` stands at ``[start, end)`` of the content, in code points."""

    entity: Name
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedClaim:
    """A claim with its quote at ``[quote_start, quote_end)`` of the content.

    ``valid_from``/``valid_to`` are what the text states; None where it states nothing. For ``ends``, ``valid_from``
    is the instant of ending.
    """

    kind: Kind
    subject: Name
    predicate: str
    object: Name | None = None
    value: Scalar = None
    statement: str
    quote_start: int
    quote_end: int
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    confidence: float
    importance: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    mentions: tuple[ProposedMention, ...]
    claims: tuple[ProposedClaim, ...]
    extractor: str
    version: str


class Extractor(Protocol):
    """Reads one episode. Deterministic for a given version, so that a retried digest proposes the same."""

    async def extract(self, episode: Episode) -> Fragment: ...
