"""Extraction by a language model: one call an episode, in a form of its own, grounded or dropped."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from time import perf_counter
from typing import Protocol

import structlog

from graphmem.errors import GraphmemError, ModelUnavailable, NotFound, ReadingTimedOut, UnusableAnswer
from graphmem.extract.findings import Findings, naming, settled
from graphmem.extract.llm.prompts import VERSION, system_prompt
from graphmem.extract.llm.proposing import Proposal, SourceTurn, propose, source_turn
from graphmem.extract.llm.schema import Extraction, Sureness
from graphmem.extract.llm.usage import FormModels, UsageTotal
from graphmem.extract.offline.dates.precision import with_precision
from graphmem.extract.offline.dates.unread import under_headings, unread_times
from graphmem.extract.overlaps import Span
from graphmem.extract.pieces import last_part
from graphmem.extract.relation_types import by_relation_types
from graphmem.model.embedding import Warmable
from graphmem.model.episode import Episode
from graphmem.model.fragment import (
    ALONE,
    Context,
    ContextOf,
    ContextTurn,
    Extractor,
    Fragment,
    ProposedMention,
    ThingName,
    Usage,
)
from graphmem.model.ontology import Ontology
from graphmem.model.owners import SPEAKER, OwnedSpan, Voice
from graphmem.settings.extraction import StepSettings

READ = 0.96
"""Confidence in a span that a language model names: less than in an e-mail or a URL, more than in other identifiers."""

log = structlog.get_logger(__name__)


def spans_of(mentions: Iterable[ProposedMention]) -> tuple[Span, ...]:
    return tuple(Span(mention.entity, mention.start, mention.end, READ) for mention in mentions)


def document(turns: Sequence[SourceTurn], context: Context, most: int, most_of_turn: int) -> str:
    """The user message: JSON, in which no text can end its own string.

    Of the turns before it shows ``most`` code points, and of each ``most_of_turn``.
    """
    return json.dumps(
        {
            "now": turns[0].episode.local_time.isoformat(),
            "known": [_known(name, context) for name in context.known],
            "earlier": earlier(context.turns, most, most_of_turn),
            "turns": [_turn_to_read(number, turn) for number, turn in enumerate(turns)],
        },
        ensure_ascii=False,
    )


def _known(name: ThingName, context: Context) -> dict[str, object]:
    known: dict[str, object] = {"name": name.name, "type": name.type}
    others = [other for other in context.aliases.get(name, ()) if other != name.name]
    return {**known, "aliases": others} if others else known


def _turn_to_read(number: int, turn: SourceTurn) -> dict[str, object]:
    episode = turn.episode
    written: dict[str, object] = {
        "turn": number,
        "speaker": turn.speaker.name if turn.speaker else None,
        "kind": episode.content_type,
        "text": episode.content,
    }
    if number:
        written["now"] = episode.local_time.isoformat()
    if turn.owned:
        written["owners"] = [*_owners(turn)]
    return written if turn.claims else {**written, "context": True}


def _owners(turn: SourceTurn) -> Iterator[dict[str, str]]:
    """Whose the parts of a turn are that its speaker does not say; of a long part the beginning."""
    for span in turn.owned:
        words = turn.episode.content[span.start : span.end].strip()
        if words and span.owner.voice is not Voice.SPEAKER:
            yield {"owner": span.owner.name or "nobody", "form": span.form, "words": words[:_SHOWN]}


_SHOWN = 160
"""Code points of a part whose owner is told."""


def earlier(turns: Sequence[ContextTurn], most: int, most_of_turn: int) -> list[dict[str, str | None]]:
    """The last turns that have room in ``most`` code points, oldest first; of a long one the end."""
    shown = list[dict[str, str | None]]()
    for turn in reversed(turns):
        text = last_part(turn.content, min(most, most_of_turn))
        if not text:
            break
        most -= len(text)
        shown.append({"speaker": turn.speaker or turn.role.value, "text": text})
    return shown[::-1]


class Beside(Protocol):
    """What reads a text beside a language model: providers that need none."""

    async def findings(self, episode: Episode, context: Context) -> list[Findings]: ...


class LanguageModelExtractor:
    """An ``Extractor`` that asks a chain of models; where none gives an answer, it is read offline, or fails.

    ``seconds`` is the time that they have together for a call, with every pause, so that there is time left to read it
    offline. What else reads has its own.
    """

    name = "llm"
    uses_ontology = True

    def __init__(
        self,
        models: FormModels,
        offline: Extractor,
        step: StepSettings,
        ontology: Ontology,
        *,
        seconds: float = 90.0,
        beside: Beside | None = None,
        claims: bool = True,
    ) -> None:
        """``offline`` reads where no model answers, ``beside`` together with one that does, which then ``claims``."""
        self._beside = beside
        self._model_claims = claims
        self._seconds = seconds
        self._models = models
        self._offline = offline
        self._step = step
        self._ontology = ontology
        self._prompt = step.prompt or VERSION
        system_prompt(ontology, self._prompt)  # there is such a prompt
        self.context_turns = step.context_turns
        # One more of a turn than is shown: by that it is seen to be cut.
        self.context_chars = min(step.context_chars, step.context_turn_chars) + 1
        self.piece_chars = step.piece_chars
        self.turns_per_call = step.turns_per_call
        self.bulk_turns_per_call = step.bulk_turns_per_call
        self.latency_budget = step.latency_budget_ms / 1000 if step.latency_budget_ms else None

    def warm(self) -> None:
        """Load the models' libraries, and what reads where none answers.

        Raises:
            ConfigurationError: a model cannot be used.
        """
        for part in (self._models, self._offline):
            if isinstance(part, Warmable):
                part.warm()

    async def aclose(self) -> None:
        await self._models.aclose()

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        """What the episode says.

        Raises:
            UnusableAnswer: no model gives an answer of use, and nothing shall stand in.
            ConfigurationError: a model refuses the request as such.
        """

        async def same(_episode: Episode) -> Context:
            return context

        (read,) = await self.extract_turns([episode], context, same)
        if isinstance(read, GraphmemError):
            raise read
        return read

    async def extract_turns(
        self, episodes: Sequence[Episode], context: Context, context_of: ContextOf
    ) -> list[Fragment | GraphmemError]:
        """What consecutive turns of a session say, in one call; what that took is told with the first that was read.

        Turns that no model can make an answer of use of together are read in halves. Where none answers, each is read
        offline, in its own context.

        Raises:
            ConfigurationError: a model refuses the request as such.
        """
        total, left = UsageTotal(self._prompt), _TimeLeft(self._seconds)
        try:
            return await self._read(episodes, context, total, context_of, left)
        except ModelUnavailable as error:
            return [await self._instead(episode, str(error), total, context_of) for episode in episodes]

    async def provisional(self, episode: Episode, context: Context) -> Fragment:
        """What can be read offline: of a turn that makes no claims, its names."""
        turns = context.turns[-self._offline.context_turns :] if self._offline.context_turns else ()
        read = await self._offline.extract(episode, replace(context, turns=turns))
        if self._claims(episode):
            return read
        return replace(read, claims=(), unread={}, extractor=self.name, version=f"{self._prompt} {read.version}")

    async def _read(
        self,
        episodes: Sequence[Episode],
        context: Context,
        total: UsageTotal,
        context_of: ContextOf,
        left: "_TimeLeft",
    ) -> list[Fragment | GraphmemError]:
        if not any(map(self._claims, episodes)):
            return [await _in_time(self.provisional(episode, context)) for episode in episodes]
        try:
            return await self._ask(episodes, context, total, left)
        except UnusableAnswer as error:
            if len(episodes) == 1:
                return [await self._instead(episodes[0], str(error), total, context_of)]
            log.warning("extract.in_halves", turns=len(episodes), reason=str(error))
            half = len(episodes) // 2
            first, second = episodes[:half], episodes[half:]
            after = replace(context, turns=(*context.turns, *map(_turn, first)))
            return [
                *await self._read(first, context, total, context_of, left),
                *await self._read(second, after, total, context_of, left),
            ]

    async def _ask(
        self, episodes: Sequence[Episode], context: Context, total: UsageTotal, left: "_TimeLeft"
    ) -> list[Fragment | GraphmemError]:
        ontology = context.ontology or self._ontology
        turns = [source_turn(episode, context, claims=self._claims(episode)) for episode in episodes]
        async with left.spent():
            extraction = await self._models.fill(
                Extraction,
                system_prompt(ontology, self._prompt),
                document(turns, context, self._step.context_chars, self._step.context_turn_chars),
                total,
            )
        usage = total.take()
        proposals = propose(extraction, turns, context, ontology, Sureness(self._step.least_confidence))
        read: list[Fragment | GraphmemError] = []
        for turn, proposal in zip(turns, proposals, strict=True):
            took = replace(usage, dropped=proposal.dropped)
            read.append(await _in_time(self._fragment(turn, context, proposal, took)))
            if isinstance(read[-1], Fragment):  # the call is told of once
                usage = Usage(model=usage.model, prompt=usage.prompt, cost=None if usage.cost is None else 0.0)
        return read

    async def _fragment(self, turn: SourceTurn, context: Context, proposal: Proposal, usage: Usage) -> Fragment:
        """What a model read, with what is read beside it."""
        episode = turn.episode
        claims = tuple(proposal.claims) if self._model_claims else ()
        read = [Findings(spans_of(proposal.mentions), claims)]
        if self._beside is not None:
            read += map(naming, await self._beside.findings(episode, replace(context, turns=())))
        ontology = context.ontology or self._ontology
        mentions, defined = by_relation_types(*settled(read), ontology, episode.occurred_at)
        precise = with_precision(defined, episode, turn.dates) if self._claims(episode) else ()
        dated = tuple(under_headings(precise, episode, turn.dates.conventions))
        return Fragment(
            mentions=mentions,
            claims=dated,
            unread_times=unread_times(dated, episode),
            extractor=self.name,
            version=f"{self._prompt} {usage.model}",
            usage=usage,
            owned=turn.owned or _all_of(episode),
        )

    def _claims(self, episode: Episode) -> bool:
        """Whether a turn of this role makes claims."""
        return episode.role in self._step.claims_from

    async def _instead(
        self, episode: Episode, reason: str, total: UsageTotal, context_of: ContextOf
    ) -> Fragment | GraphmemError:
        """What stands in for an answer. To fail counts as an attempt: what is away is not waited for."""
        if self._step.fallback == "fail" and self._claims(episode):
            return UnusableAnswer(reason)
        try:
            context = await context_of(episode)
        except NotFound as error:
            return error
        claims = self._claims(episode)
        if claims:
            log.warning("extract.offline_instead", reason=reason)
        read = await _in_time(self.provisional(episode, context))
        return replace(read, usage=total.take(reason)) if claims and isinstance(read, Fragment) else read


class _TimeLeft:
    """The seconds that models have left for what was to be read in one call."""

    def __init__(self, seconds: float) -> None:
        self._given = self._left = seconds

    @asynccontextmanager
    async def spent(self) -> AsyncGenerator[None]:
        """Take the time of the block from what is left.

        Raises:
            ModelUnavailable: nothing is left.
        """
        began = perf_counter()
        try:
            async with asyncio.timeout(self._left):
                yield
        except TimeoutError as error:
            raise ModelUnavailable(f"No model gave an answer within {self._given:g} seconds.") from error
        finally:
            self._left = max(0.0, self._left - (perf_counter() - began))


async def _in_time(reading: Awaitable[Fragment]) -> Fragment | ReadingTimedOut:
    """What is read of a turn, or that it took too long: the others of its call are read all the same."""
    try:
        return await reading
    except ReadingTimedOut as error:
        return error


def _all_of(episode: Episode) -> tuple[OwnedSpan, ...]:
    return (OwnedSpan(0, len(episode.content), SPEAKER),) if episode.content else ()


def _turn(episode: Episode) -> ContextTurn:
    return ContextTurn(
        role=episode.role, speaker=episode.speaker, content=episode.content, occurred_at=episode.occurred_at
    )
