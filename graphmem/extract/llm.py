"""Extraction by a language model: one call an episode, in a form of its own, grounded or dropped."""

import asyncio
import json
from dataclasses import replace

import structlog

from graphmem.errors import ModelUnavailable, UnusableAnswer
from graphmem.extract.models import Chain
from graphmem.extract.offline import speaker_of
from graphmem.extract.prompts import VERSION, system_prompt
from graphmem.extract.proposing import Said, propose
from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE, Context, Extractor, Fragment, Usage
from graphmem.model.lifetime import Warmable
from graphmem.model.ontology import Ontology
from graphmem.settings import StepSettings

log = structlog.get_logger(__name__)

CONTEXT_CHARS = 6_000
"""How much of what was said before a model is given."""


class LanguageModelExtractor:
    """An ``Extractor`` that asks a chain of models; where none gives an answer, it is read offline, or fails.

    ``seconds`` is the time they have together, with every pause, so that there is time left to read it offline.
    """

    name = "llm"
    uses_ontology = True

    def __init__(
        self, chain: Chain, offline: Extractor, step: StepSettings, ontology: Ontology, *, seconds: float = 90.0
    ) -> None:
        self._seconds = seconds
        self._chain = chain
        self._offline = offline
        self._step = step
        self._ontology = ontology

    @property
    def context_turns(self) -> int:
        return self._step.context_turns

    def warm(self) -> None:
        """Load what reads where no model answers."""
        if isinstance(self._offline, Warmable):
            self._offline.warm()

    async def aclose(self) -> None:
        await self._chain.aclose()

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        """What the episode says.

        Raises:
            UnusableAnswer: no model gives an answer of use, and nothing shall stand in.
            ConfigurationError: a model refuses the request as such.
        """
        if episode.role not in self._step.claims_from:
            read = await self._offline.extract(episode, context)
            return replace(read, claims=())
        turn, ontology = Said(episode, speaker_of(episode)), context.ontology or self._ontology
        try:
            async with asyncio.timeout(self._seconds):
                reading, usage = await self._chain.read(system_prompt(ontology), _document(turn, context), VERSION)
        except (ModelUnavailable, UnusableAnswer, TimeoutError) as error:
            reason = str(error) or f"No model gave an answer within {self._seconds:g} seconds."
            if self._step.fallback == "fail":
                raise UnusableAnswer(reason) from error  # it counts as an attempt: what is away is not waited for
            log.warning("extract.offline_instead", reason=reason)
            return await self._instead(episode, context, reason)
        (proposal,) = propose(reading, [turn], context, ontology)
        return Fragment(
            mentions=tuple(proposal.mentions),
            claims=tuple(proposal.claims),
            extractor=self.name,
            version=f"{VERSION} {usage.model}",
            usage=replace(usage, dropped=proposal.dropped),
        )

    async def _instead(self, episode: Episode, context: Context, reason: str) -> Fragment:
        read = await self._offline.extract(episode, context)
        return replace(read, usage=Usage(model="", prompt=VERSION, fallback=reason))


def _document(turn: Said, context: Context) -> str:
    """The user message: JSON, in which no text can end its own string."""
    episode = turn.episode
    return json.dumps(
        {
            "now": episode.occurred_at.isoformat(),
            "known": [{"name": name.name, "type": name.type} for name in context.known],
            "earlier": _earlier(context),
            "turns": [
                {
                    "turn": 0,
                    "speaker": turn.speaker.name if turn.speaker else None,
                    "kind": episode.content_type,
                    "text": episode.content,
                }
            ],
        },
        ensure_ascii=False,
    )


def _earlier(context: Context) -> list[dict[str, str | None]]:
    """The last turns that have room, oldest first."""
    room, turns = CONTEXT_CHARS, list[dict[str, str | None]]()
    for turn in reversed(context.turns):
        room -= len(turn.content)
        if room < 0:
            break
        turns.append({"speaker": turn.speaker or turn.role.value, "text": turn.content})
    return turns[::-1]
