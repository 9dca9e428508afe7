"""Background work, and what it is about: sessions, summaries, reflections, facts that fade."""

from dataclasses import replace
from datetime import timedelta
from typing import Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from graphmem.model.acts import LIKENESS
from graphmem.model.entity_summary import PACKAGED_ENTITY_SUMMARIES, EntitySummaryPolicy
from graphmem.model.fact import Fading
from graphmem.model.reflection import ReflectionPolicy
from graphmem.model.session import SESSIONS
from graphmem.model.summary import PACKAGED, MetaPolicy, WindowPolicy
from graphmem.settings.tables import Table


class JobSettings(Table):
    """Background work (design: three attempts, then ``failed`` with the reason on the episode)."""

    max_attempts: int = Field(default=3, gt=0)
    concurrency: int = Field(default=16, gt=0)
    """Episodes one worker digests at a time."""
    digest_timeout: float = Field(default=120.0, gt=0)
    lease_seconds: float = Field(default=15.0, gt=0)
    """A digest not heard of for so long is taken over."""
    sweep_seconds: float = Field(default=5.0, gt=0)
    """How often silent sessions are closed, and damaged slots tried."""
    retry_seconds: float = Field(default=1.0, ge=0)
    """Pause before the second attempt; doubles after that."""
    night_hour: int = Field(default=2, ge=-1, le=23)
    """Hour (UTC) at which episodes are enriched, and then facts consolidated; -1: never."""
    reprocess_hour: int = Field(default=3, ge=-1, le=23)
    """Hour (UTC) at which episodes of older readings are read again; -1: never."""
    reprocess_limit: int = Field(default=50, ge=0)
    """Episodes read again in a night."""
    redact_hour: int = Field(default=4, ge=-1, le=23)
    """Hour (UTC) at which what groups keep no longer is redacted; -1: never."""
    dedup_seconds: int = Field(default=10, ge=0, le=60)
    """How often entities are compared of which something was said; 0: never."""
    embed_seconds: int = Field(default=10, ge=0, le=60)
    """How often texts are looked for that wait for their vectors; 0: never."""
    summarise_seconds: int = Field(default=10, ge=0, le=60)
    """How often is looked for what is to be summarised; 0: never."""
    reflect_seconds: int = Field(default=10, ge=0, le=60)
    """How often reflections are looked for that are to be made again; 0: never."""
    consolidate_seconds: int = Field(default=10, ge=0, le=60)
    """How often closed sessions are looked for, to be consolidated; 0: never."""
    count_seconds: float = Field(default=300.0, ge=0)
    """How often is counted what is stale, faded and contested; 0: never."""
    metrics_host: str = "127.0.0.1"
    """Where a worker shows its numbers to Prometheus."""
    metrics_port: int = Field(default=0, ge=0, le=65535)
    """0: nowhere, for the workers of a machine cannot share a port."""


class EnrichmentSettings(Table):
    """What is read again by night because little was found in it."""

    enabled: bool = True
    entities: int = Field(default=2, ge=0)
    """Episodes with at most so many entities."""
    limit: int = Field(default=50, ge=1, le=1_000)
    """Episodes of a group in one pass."""


class ConsolidationSettings(Table):
    """How facts that say the same, and conflicts, are settled."""

    enabled: bool = True
    chunk: int = Field(default=30, ge=1, le=500)
    """Facts, or episodes, looked at in one transaction."""
    likeness: float = Field(default=LIKENESS, gt=0, le=1)
    """Share of words from which two facts say the same."""
    model_episodes: int = Field(default=300, ge=0)
    """Episodes read offline that a language model reads again, of a group in a night."""


Writer = Literal["auto", "offline"]
"""Who writes a text: the language model, where one reads episodes; or none."""


class SessionSettings(Table):
    """When sessions close, and how much of them is shown verbatim."""

    silence_minutes: float = Field(default=SESSIONS.silence.total_seconds() / 60, gt=0)
    """After which a session closes by itself."""
    window: int = Field(default=20, ge=0, le=200)
    """Last turns of a session that are shown with it."""

    @property
    def silence(self) -> timedelta:
        """After so much a session closes by itself."""
        return timedelta(minutes=self.silence_minutes)


_WINDOWS, _METAS, _OF_ENTITIES = PACKAGED.windows, PACKAGED.metas, PACKAGED_ENTITY_SUMMARIES


class SummarySettings(Table):
    """How sessions are summarised, and by whom; and entities."""

    enabled: bool = True
    """Whether that is done by schedule."""
    writer: Writer = "auto"
    temperature: float = Field(default=0.5, ge=0, le=2)
    """Of that model, when it writes them or reflections."""
    batch: int = Field(default=_WINDOWS.batch, ge=2, le=200)
    """Turns that a summary covers."""
    keep: int = Field(default=_WINDOWS.keep, ge=0, le=200)
    """Last turns of an open session that none covers."""
    least: int = Field(default=_WINDOWS.least, ge=1)
    """Turns at the end of a session that get their own."""
    meta_batch: int = Field(default=_METAS.batch, ge=2)
    """Summaries that a summary of summaries covers."""
    meta_tokens: int = Field(default=_METAS.tokens, ge=1)
    """Or as many as have so many tokens."""
    meta_least_turns: int = Field(default=_METAS.least_turns, ge=0)
    """Shorter sessions have none of these."""
    entity_least: int = Field(default=_OF_ENTITIES.least, ge=1)
    """Beliefs from which on an entity has one."""
    entity_tokens: int = Field(default=_OF_ENTITIES.tokens, ge=1)
    """That a summary of an entity has at most."""

    @property
    def windows(self) -> WindowPolicy:
        return WindowPolicy(batch=self.batch, keep=self.keep, least=self.least)

    @property
    def metas(self) -> MetaPolicy:
        return MetaPolicy(batch=self.meta_batch, tokens=self.meta_tokens, least_turns=self.meta_least_turns)

    @property
    def of_entities(self) -> EntitySummaryPolicy:
        return EntitySummaryPolicy(least=self.entity_least, tokens=self.entity_tokens)


class AgentSettings(Table):
    """What is otherwise with one of the callers' agents. What is left out is as for all."""

    batch: int | None = Field(default=None, ge=2, le=200)
    """As in summaries."""
    keep: int | None = Field(default=None, ge=0, le=200)
    """As in summaries."""
    window: int | None = Field(default=None, ge=0, le=200)
    """As in context and sessions, where of the agent."""

    def windows(self, for_all: WindowPolicy) -> WindowPolicy:
        return replace(for_all, **self.model_dump(include={"batch", "keep"}, exclude_none=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectionSettings(ReflectionPolicy):
    """When the week is reflected on, at an hour in UTC, from what on, and by whom; ``enabled``: by schedule."""

    enabled: bool = True
    writer: Writer = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class FadingSettings(Fading):
    """How soon facts that nobody uses come up no more, and how often uses are written."""

    flush_seconds: float = Field(default=60.0, gt=0)
