"""What extraction proposes from one episode: names and claims at character spans, not yet resolved."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Protocol, runtime_checkable

from pydantic import Field

from graphmem.errors import GraphmemError
from graphmem.model.claim import AssertedBy, ClaimKind, ClaimStatus, Scalar, status_of
from graphmem.model.dates import USUAL_DATES, DateConventions
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.ontology import Ontology
from graphmem.model.owners import OwnedSpan

OFFLINE = "offline"
"""Of fragments that no language model has read: their extractor."""
REMEMBERED = "remembered"
"""The predicate of what somebody asked to be remembered, in its own words, where no other one says it."""
BESIDE_SUMMARY = "summary"
"""Of facts that a language model stated beside the summary of their turns."""


@dataclass(frozen=True, slots=True)
class ThingName:
    """A thing by name and type, as proposed; ``qualifier`` tells it apart from others of that name (``Entity``)."""

    name: str
    type: str
    qualifier: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedMention:
    """``name`` stands at ``[start, end)`` of the content, in code points."""

    entity: ThingName
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedClaim:
    """A claim with its quote at ``[quote_start, quote_end)`` of the content.

    ``valid_from``/``valid_to`` are what the text states; None where it states nothing. For ``ends``, ``valid_from`` is
    the instant of ending. A start of ``BEGIN`` is unknown: ``time_unread`` are the words that say when it was, where
    nobody could read them. ``event`` is the interval ``[from, to)`` in which it happened, in the speaker's time zone,
    of what happened once and is over; its start is ``valid_from`` too. ``open``: neither the trained reader nor an
    ontology knows the predicate of such a claim; it ends and contradicts nothing that one does. ``from_precision`` is
    how many days the words of ``valid_from`` speak of, 0 of an instant (``Claim``). ``beside``: it stands beside other
    values of its predicate, and cuts none.
    """

    kind: ClaimKind
    subject: ThingName
    predicate: str
    object: ThingName | None = None
    value: Scalar = None
    statement: str
    quote_start: int
    quote_end: int
    valid_from: datetime | None = None
    from_precision: int = 0
    valid_to: datetime | None = None
    confidence: float
    importance: float = 0.5
    attributes: tuple[tuple[str, Scalar], ...] = ()
    category: str = ""
    event: tuple[datetime, datetime] | None = None
    time_unread: str = ""
    open: bool = False
    beside: bool = False
    asserted_by: AssertedBy = AssertedBy.PASSING

    @property
    def status(self) -> ClaimStatus:
        """How it is said."""
        return status_of(self.predicate, is_open=self.open)


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """From which confidence and importance on, both from 0 to 1, a proposed claim of a category becomes one.

    Claims without a category are none of a profile, and all become one.
    """

    least_confidence: Annotated[float, Field(ge=0, le=1)] = 0.4
    least_importance: Annotated[float, Field(ge=0, le=1)] = 0.2

    def admits(self, claim: ProposedClaim) -> bool:
        sure = claim.confidence >= self.least_confidence and claim.importance >= self.least_importance
        return sure or not claim.category


AS_PACKAGED = Admission()


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


def usage_of(usages: Sequence[Usage]) -> Usage | None:
    """What several calls took together; None of none. ``model`` and ``fallback`` are the last that there are.

    The cost is known if that of each is.
    """
    if not usages:
        return None
    costs = [usage.cost for usage in usages if usage.cost is not None]
    return Usage(
        model=next((usage.model for usage in reversed(usages) if usage.model), ""),
        prompt=usages[-1].prompt,
        calls=sum(usage.calls for usage in usages),
        input_tokens=sum(usage.input_tokens for usage in usages),
        cached_tokens=sum(usage.cached_tokens for usage in usages),
        output_tokens=sum(usage.output_tokens for usage in usages),
        cost=round(sum(costs), 6) if len(costs) == len(usages) else None,
        milliseconds=round(sum(usage.milliseconds for usage in usages), 1),
        dropped=sum(usage.dropped for usage in usages),
        fallback=next((usage.fallback for usage in reversed(usages) if usage.fallback), ""),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadTime:
    """Words at ``[start, end)`` of a content that say when something was, and why they are not read."""

    start: int
    end: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """``usage`` is None where no language model was asked. ``owned`` says whose which words are.

    ``unread_times`` are those of all claims, in order. ``unread`` counts the code points from which no claims were read
    because of their language, by its English name.
    ``quick``: no parse was read, by choice; who reads closer is asked only where little was found.
    """

    mentions: tuple[ProposedMention, ...]
    claims: tuple[ProposedClaim, ...]
    extractor: str
    version: str
    usage: Usage | None = None
    quick: bool = False
    owned: tuple[OwnedSpan, ...] = ()
    unread_times: tuple[UnreadTime, ...] = ()
    unread: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def offline(self) -> bool:
        """Whether no language model has said it."""
        return self.extractor == OFFLINE

    def shifted(self, by: int) -> "Fragment":
        """The fragment with all spans moved by so many code points: from a piece of a text to the whole."""
        if not by:
            return self
        mentions = (replace(mention, start=mention.start + by, end=mention.end + by) for mention in self.mentions)
        claims = (
            replace(claim, quote_start=claim.quote_start + by, quote_end=claim.quote_end + by) for claim in self.claims
        )
        owned = (replace(span, start=span.start + by, end=span.end + by) for span in self.owned)
        unread = (replace(time, start=time.start + by, end=time.end + by) for time in self.unread_times)
        return replace(
            self, mentions=tuple(mentions), claims=tuple(claims), owned=tuple(owned), unread_times=tuple(unread)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A sentence at ``[start, end)`` of a content, as it is read: what no segment covers is cut before."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadClause:
    """A clause at ``[start, end)`` of a content.

    ``status`` is how it is said, None where that is no claim. ``dropped`` says why it makes none, "" where it does.
    """

    start: int
    end: int
    status: ClaimStatus | None
    dropped: str
    statement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What is read of a content, and why not more; no clauses where no open claims are read."""

    fragment: Fragment
    segments: tuple[Segment, ...] = ()
    clauses: tuple[ReadClause, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextTurn:
    """An earlier turn of a session, as far as it helps to understand the next one."""

    role: EpisodeRole
    speaker: str | None
    content: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What was said before in the session, oldest first, and the names known from it, with the ``aliases`` of some.

    ``ids`` are those of the turns, newest first. ``ontology`` is the group's own; None where it has none, and the
    service's is in force. ``owned``: whose the parts of the content are, where it is a piece of a longer text, which
    tells; else the content tells. ``dates`` are the group's conventions of writing days.
    """

    turns: tuple[ContextTurn, ...] = ()
    ids: tuple[str, ...] = ()
    known: tuple[ThingName, ...] = ()
    aliases: Mapping[ThingName, tuple[str, ...]] = field(default_factory=dict[ThingName, tuple[str, ...]])
    ontology: Ontology | None = None
    owned: tuple[OwnedSpan, ...] = ()
    dates: DateConventions = USUAL_DATES


ALONE = Context()
ContextOf = Callable[[Episode], Awaitable[Context]]
"""Gives the context of an episode itself, where it was to be read together with others."""


class Extractor(Protocol):
    """Reads one episode, and says the same of it whenever it is asked again, as far as its model does.

    It understands more if it knows the last ``context_turns`` turns of the session, of each the last ``context_chars``
    code points, and with ``uses_ontology`` the types that the group wants. It reads at most ``piece_chars`` code points
    at once: longer texts come in pieces.
    """

    @property
    def piece_chars(self) -> int: ...

    @property
    def context_turns(self) -> int: ...

    @property
    def context_chars(self) -> int: ...

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
        self, episodes: Sequence[Episode], context: Context, context_of: ContextOf
    ) -> list[Fragment | GraphmemError]:
        """A fragment for each, in their order, or what went wrong with it.

        ``context`` is that of the first. A turn that is read by itself after all is read in the context that
        ``context_of`` gives of it.
        """
        ...


@runtime_checkable
class BatchExtractor(Extractor, Protocol):
    """An extractor to which many episodes at once are less work than one after the other."""

    async def extract_each(self, sources: Sequence[tuple[Episode, Context]]) -> list[Fragment]:
        """A fragment for each, in their order: what ``extract`` says of it."""
        ...


@runtime_checkable
class LatencyBudgeted(Extractor, Protocol):
    """An extractor with a time limit: ``provisional`` supplies a result if ``extract`` takes longer.

    ``latency_budget`` is in seconds; None: no limit. What ``extract`` returns later replaces the provisional result.
    """

    @property
    def latency_budget(self) -> float | None: ...

    async def provisional(self, episode: Episode, context: Context) -> Fragment: ...
