"""Sessions and what is made of them: summaries, reflections; and how facts fade."""

from dataclasses import replace
from datetime import timedelta
from typing import Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from graphmem.model.entity_summary import PACKAGED_ENTITY_SUMMARIES, EntitySummaryPolicy
from graphmem.model.fact import Fading
from graphmem.model.reflection import ReflectionPolicy
from graphmem.model.session import SESSIONS
from graphmem.model.summary import PACKAGED, MetaPolicy, WindowPolicy
from graphmem.settings.tables import Table

Writer = Literal["auto", "offline"]
"""Who writes a text: the language model, where one reads episodes; or none."""


class SessionSettings(Table):
    """When sessions close, and how much of them is shown verbatim."""

    silence_minutes: float = Field(
        default=SESSIONS.silence.total_seconds() / 60, gt=0, description="after which a session closes by itself"
    )
    window: int = Field(default=20, ge=0, le=200, description="last turns of a session that are shown with it")

    @property
    def silence(self) -> timedelta:
        """After so much a session closes by itself."""
        return timedelta(minutes=self.silence_minutes)


_WINDOWS, _METAS, _OF_ENTITIES = PACKAGED.windows, PACKAGED.metas, PACKAGED_ENTITY_SUMMARIES


class SummarySettings(Table):
    """How sessions are summarised, and by whom; and entities."""

    enabled: bool = Field(default=True, description="whether that is done by schedule")
    writer: Writer = "auto"
    temperature: float = Field(default=0.5, ge=0, le=2, description="of that model, when it writes them or reflections")
    batch: int = Field(default=_WINDOWS.batch, ge=2, le=200, description="turns that a summary covers")
    keep: int = Field(default=_WINDOWS.keep, ge=0, le=200, description="last turns of an open session that none covers")
    least: int = Field(default=_WINDOWS.least, ge=1, description="turns at the end of a session that get their own")
    meta_batch: int = Field(default=_METAS.batch, ge=2, description="summaries that a summary of summaries covers")
    meta_tokens: int = Field(default=_METAS.tokens, ge=1, description="or as many as have so many tokens")
    meta_least_turns: int = Field(default=_METAS.least_turns, ge=0, description="shorter sessions have none of these")
    entity_least: int = Field(default=_OF_ENTITIES.least, ge=1, description="beliefs from which on an entity has one")
    entity_tokens: int = Field(default=_OF_ENTITIES.tokens, ge=1, description="that a summary of an entity has at most")

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

    batch: int | None = Field(default=None, ge=2, le=200, description="as in summaries")
    keep: int | None = Field(default=None, ge=0, le=200, description="as in summaries")
    window: int | None = Field(default=None, ge=0, le=200, description="as in context and sessions, where of the agent")

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
