"""What extraction proposes from one episode: names and claims at character spans, not yet resolved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, runtime_checkable

from graphmem.errors import GraphmemError
from graphmem.model.claim import Kind, Scalar
from graphmem.model.episode import Episode, Role
from graphmem.model.ontology import Ontology

OFFLINE = "offline"
"""Of fragments that no language model has read: their extractor."""
STRUCTURED = "structured"
"""Of claims that were handed in as such."""


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
    attributes: tuple[tuple[str, Scalar], ...] = ()
    category: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a fragment took: of a language model, and what of its answer was thrown away.

    Calls that led to nothing count as well; ``model`` is "" where nothing came of any. ``input_tokens`` are those that
    were not read from the provider's cache; ``cost`` is in US dollars, None where the price is not known. ``fallback``
    says why another strategy than the configured one has read the episode, "" if not.
    """

    model: str
    prompt: str
    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    milliseconds: float = 0.0
    dropped: int = 0
    fallback: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """``usage`` is None where no language model was asked."""

    mentions: tuple[ProposedMention, ...]
    claims: tuple[ProposedClaim, ...]
    extractor: str
    version: str
    usage: Usage | None = None

    @property
    def offline(self) -> bool:
        """Whether no language model has said it."""
        return self.extractor == OFFLINE


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """An earlier turn of a session, as far as it helps to understand the next one."""

    role: Role
    speaker: str | None
    content: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What was said before in the session, oldest first, and the names known from it, with the ``aliases`` of some.

    ``ids`` are those of the turns, newest first. ``ontology`` is the group's own; None where it has none, and the
    service's is in force.
    """

    turns: tuple[Turn, ...] = ()
    ids: tuple[str, ...] = ()
    known: tuple[Name, ...] = ()
    aliases: Mapping[Name, tuple[str, ...]] = field(default_factory=dict[Name, tuple[str, ...]])
    ontology: Ontology | None = None


ALONE = Context()


class Extractor(Protocol):
    """Reads one episode, and says the same of it whenever it is asked again, as far as its model does.

    It understands more if it knows the last ``context_turns`` turns of the session, and with ``uses_ontology`` the
    types that the group wants.
    """

    @property
    def context_turns(self) -> int: ...

    @property
    def uses_ontology(self) -> bool: ...

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment: ...


@runtime_checkable
class TurnsExtractor(Extractor, Protocol):
    """An extractor that reads consecutive turns of a session together, in fewer calls.

    The most turns read in one call: ``turns_per_call`` of those posted one at a time, ``bulk_turns_per_call`` of those
    posted in one request.
    """

    @property
    def turns_per_call(self) -> int: ...

    @property
    def bulk_turns_per_call(self) -> int: ...

    async def extract_turns(
        self, episodes: Sequence[Episode], context: Context = ALONE
    ) -> list[Fragment | GraphmemError]:
        """A fragment for each, in their order, or what went wrong with it."""
        ...


@runtime_checkable
class LatencyBudgeted(Extractor, Protocol):
    """An extractor with a time limit: ``provisional`` supplies a result if ``extract`` takes longer.

    ``latency_budget`` is in seconds; None: no limit. What ``extract`` returns later replaces the provisional result.
    """

    @property
    def latency_budget(self) -> float | None: ...

    async def provisional(self, episode: Episode, context: Context) -> Fragment: ...
