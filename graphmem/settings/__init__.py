"""All settings, read once: the only module that looks at the environment.

Precedence, highest first: arguments, environment, files (``graphmem.settings.files``: the one that ``--config`` or
``GRAPHMEM_CONFIG`` names, or else one of the working directory that is trusted, then the user's own), defaults.
``NEO4J_URI`` and ``REDIS_URL`` keep the names other tools use; everything else is ``GRAPHMEM_<TABLE>_<KEY>`` in the
environment and ``key`` under ``[table]`` in a file. A relative path in a file is one from the file's folder.
"""

import os
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import replace
from datetime import timedelta
from functools import reduce
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast, get_args

from platformdirs import user_data_path
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from graphmem.errors import ConfigurationError, as_value_errors
from graphmem.model.composed import MOST_TOKENS, ContextQuery
from graphmem.model.consolidation import LIKENESS
from graphmem.model.entity_summary import PACKAGED_ENTITY_SUMMARIES, EntitySummaryPolicy
from graphmem.model.episode import EpisodeRole
from graphmem.model.fading import LEAST_STRENGTH, RATES, Fading
from graphmem.model.fragment import AS_PACKAGED, Admission
from graphmem.model.matching import MatchingSettings, Stage, StageSettings, TypeSettings, packaged_types
from graphmem.model.ontology import TYPE, Ontology
from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.predicate import Cardinality, Policy, WinningRule, policy_of, predicate_name
from graphmem.model.reflection import DAYS, PACKAGED_REFLECTIONS, ReflectionPolicy
from graphmem.model.session import SILENCE, SessionPolicy
from graphmem.model.summary import MetaPolicy, SummaryPolicy, WindowPolicy
from graphmem.ontology import WrittenOntology
from graphmem.settings.files import settings_files
from graphmem.settings.strategies import RESERVED, STRATEGIES, Composition, Provider, ProviderSwitch, with_packaged

Written = Mapping[str, Any]
"""What files of settings say, by table and key."""


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


AbsolutePath = Annotated[Path, AfterValidator(_absolute)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Neo4jSettings(_Table):
    """Where Neo4j is. Without ``uri`` the managed local server of ``graphmem up`` is used."""

    uri: str | None = None
    user: str = "neo4j"
    password: SecretStr | None = None
    database: str = "neo4j"
    transaction_timeout: float = Field(
        default=30.0, gt=0, description="seconds a transaction may take before it is ended"
    )
    connection_timeout: float = Field(default=10.0, gt=0, description="seconds to wait for a connection")
    startup_timeout: float = Field(
        default=30.0, ge=0, description="seconds a starting process waits for Neo4j to answer at all"
    )
    heap: str = Field(default="1g", description="heap of the managed server")
    page_cache: str = Field(default="512m", description="page cache of the managed server")
    replan_interval: float = Field(
        default=10.0,
        ge=0,
        description="seconds for which the managed server keeps to how it answers a query, however the graph grows",
    )


class RedisSettings(_Table):
    """Where the queue is. Without ``url`` the managed local Valkey of ``graphmem up`` is used."""

    url: SecretStr | None = None


class ApiSettings(_Table):
    """The HTTP service."""

    host: str = "127.0.0.1"
    port: int = Field(default=8464, ge=0, le=65535)
    key: SecretStr | None = Field(default=None, description="the key, with every right; needed unless host is loopback")
    require_user: bool = Field(
        default=False, description="whether calls that say for no user are refused; else they are about everybody's"
    )
    browser_origin: str | None = Field(
        default=None, description="origin of the Neo4j Browser that may read guides, such as http://127.0.0.1:7474"
    )
    max_body_bytes: int = Field(default=8 * 1024 * 1024, gt=0)
    max_content_chars: int = Field(
        default=1_000_000,
        gt=0,
        description="characters that one episode, and the value and the statement of one claim, may have",
    )
    header_seconds: float = Field(
        default=10.0, gt=0, description="a connection is closed on which the headers of a request take longer"
    )
    unread_seconds: float = Field(
        default=60.0, gt=0, description="a connection is closed whose client reads nothing of an answer for so long"
    )
    body_pause: float = Field(default=10.0, gt=0, description="seconds that the body of a request may pause")
    body_seconds: float = Field(
        default=30.0, gt=0, description="seconds that a body may take, and one more for each body_rate bytes of it"
    )
    body_rate: int = Field(default=16_384, gt=0, description="bytes a second at which a body may take as long as it is")


_EMPTY_IS_NONE = BeforeValidator(lambda value: value or None)
"""Of variables that compose files hand on, whether or not they are set."""


class EmbeddingSettings(_Table):
    """The embedding model. A group that was made with another one keeps that until it is embedded again."""

    provider: Literal["local", "openai"] = Field(
        default="local", description="in this process, or on a server that speaks OpenAI's format"
    )
    model: str = "all-MiniLM-L6-v2"
    dimensions: int | None = Field(
        default=None, gt=0, le=4096, description="of vectors, where the model can cut them (Matryoshka); else its own"
    )
    base_url: Annotated[str | None, _EMPTY_IS_NONE] = Field(
        default=None, description="of the server of provider openai; else openai.base_url, else OpenAI's own"
    )
    api_key: Annotated[SecretStr | None, _EMPTY_IS_NONE] = Field(
        default=None, description="for that server; else openai.api_key"
    )
    query_prefix: str = Field(default="", description="put before a question; default: what a packaged model wants")
    text_prefix: str = Field(default="", description="put before other texts; default: as there")
    path: AbsolutePath | None = Field(
        default=None, description="folder of a sentence-transformers model, which is an extra; default: a packaged one"
    )
    batch_size: int = Field(default=8, gt=0)
    query_timeout_ms: int = Field(
        default=500, gt=0, description="a search waits so long for the vector of its question, then it goes without"
    )
    query_threads: int = Field(default=1, gt=0)
    batch_threads: int = Field(default=2, gt=0)
    request_texts: int = Field(default=256, gt=0, le=2048, description="the most texts in one call of a server")
    timeout: float = Field(default=10.0, gt=0, description="seconds to wait for an answer of a server")
    attempts: int = Field(default=3, gt=0, description="how often a server is asked that is away or busy")


class SearchSettings(_Table):
    """How searches rank what they find."""

    weights: Annotated[AbsolutePath | None, _EMPTY_IS_NONE] = Field(
        default=None, description="a TOML file of weights in place of the packaged ones, all or some of them"
    )


_CONTEXT = ContextQuery(query="")


class ContextSettings(_Table):
    """What a context has where a request does not say. Limits are at most so many."""

    tokenizer: AbsolutePath | None = Field(
        default=None, description="a tokenizer.json to count tokens by; default: that of the embedding model"
    )
    max_tokens: int = Field(default=_CONTEXT.max_tokens, ge=1, le=MOST_TOKENS)
    facts: int = Field(default=_CONTEXT.facts, ge=0, le=100, description="beliefs in one profile")
    least_importance: float = Field(default=_CONTEXT.least_importance, ge=0, le=1, description="of beliefs in profiles")
    beliefs: int = Field(default=_CONTEXT.beliefs, ge=0, le=100, description="beliefs that a search brings")
    passages: int = Field(default=_CONTEXT.passages, ge=0, le=100, description="turns that a search brings")
    least_score: float = Field(
        default=_CONTEXT.least_score, ge=0, le=1, description="of these turns: (1 + cosine) / 2, as Neo4j scores"
    )
    summaries: int = Field(
        default=_CONTEXT.summaries, ge=0, le=100, description="summaries of a session, the newest that none covers"
    )
    weekly_insight: bool = Field(default=_CONTEXT.weekly_insight, description="whether the newest reflection is in it")
    window: int = Field(default=_CONTEXT.window, ge=0, le=200, description="last turns of a session, verbatim")
    earlier: int = Field(default=_CONTEXT.earlier, ge=0, le=200, description="turns before these, if there is room")


class JobSettings(_Table):
    """Background work (design: three attempts, then ``failed`` with the reason on the episode)."""

    max_attempts: int = Field(default=3, gt=0)
    concurrency: int = Field(default=16, gt=0, description="episodes one worker digests at a time")
    digest_timeout: float = Field(default=120.0, gt=0)
    lease_seconds: float = Field(default=15.0, gt=0, description="a digest not heard of for so long is taken over")
    sweep_seconds: float = Field(
        default=5.0, gt=0, description="how often silent sessions are closed, and damaged slots tried"
    )
    retry_seconds: float = Field(default=1.0, ge=0, description="pause before the second attempt; doubles after that")
    night_hour: int = Field(
        default=2,
        ge=-1,
        le=23,
        description="hour (UTC) at which episodes are enriched, and then facts consolidated; -1: never",
    )
    reprocess_hour: int = Field(
        default=3,
        ge=-1,
        le=23,
        description="hour (UTC) at which episodes of older readings are read again; -1: never",
    )
    reprocess_limit: int = Field(default=50, ge=0, description="episodes read again in a night")
    dedup_seconds: int = Field(
        default=10, ge=0, le=60, description="how often entities are compared of which something was said; 0: never"
    )
    embed_seconds: int = Field(
        default=10, ge=0, le=60, description="how often texts are looked for that wait for their vectors; 0: never"
    )
    summarise_seconds: int = Field(
        default=10, ge=0, le=60, description="how often is looked for what is to be summarised; 0: never"
    )
    reflect_seconds: int = Field(
        default=10, ge=0, le=60, description="how often reflections are looked for that are to be made again; 0: never"
    )
    consolidate_seconds: int = Field(
        default=10, ge=0, le=60, description="how often closed sessions are looked for, to be consolidated; 0: never"
    )
    count_seconds: float = Field(
        default=300.0, ge=0, description="how often is counted what is stale, faded and contested; 0: never"
    )
    metrics_host: str = Field(default="127.0.0.1", description="where a worker shows its numbers to Prometheus")
    metrics_port: int = Field(
        default=0, ge=0, le=65535, description="0: nowhere, for the workers of a machine cannot share a port"
    )


class PredicateSettings(_Table):
    """How many values a predicate holds at a time, of one which is believed, of what, and what it tells of existence.

    A table each in the file.
    """

    cardinality: Cardinality
    rule: WinningRule | None = None
    bound: Bounding | None = None
    irreflexive: bool | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        with as_value_errors():
            self.policy()
        return self

    def policy(self) -> Policy:
        return policy_of(self.cardinality, self.rule, self.bound, irreflexive=self.irreflexive)


def _predicate_name(name: str) -> str:
    with as_value_errors():
        return predicate_name(name)


PredicateName = Annotated[str, AfterValidator(_predicate_name)]


def _type_name(name: str) -> str:
    if not TYPE.fullmatch(name):
        raise ValueError("The name of a type is one word. Write it as claims and the ontology do.")
    return name


class StageTable(_Table):
    """A stage that proposes pairs. What is left out is as it is for all types, or by default."""

    enabled: bool | None = None
    threshold: float | None = Field(default=None, ge=0, le=1)
    limit: int | None = Field(default=None, gt=0)

    def over(self, inherited: StageSettings) -> StageSettings:
        return replace(inherited, **self.model_dump(exclude_none=True))


def _limits_fit(stages: dict[Stage, StageTable]) -> dict[Stage, StageTable]:
    for stage, table in stages.items():
        if table.limit is not None and stage is not Stage.EMBEDDING:
            raise ValueError(f"Only the stage embedding has a limit. For {stage}, set matching.most_holders.")
    return stages


StageTables = Annotated[dict[Stage, StageTable], AfterValidator(_limits_fit)]


class TypeTable(_Table):
    """How pairs of one type are proposed and decided. What is left out is as it is for all types."""

    same_from: float | None = Field(default=None, allow_inf_nan=False)
    review_from: float | None = Field(default=None, allow_inf_nan=False)
    stages: StageTables = Field(default_factory=dict)

    def over(self, inherited: TypeSettings) -> TypeSettings:
        stages = {stage: table.over(inherited.stage(stage)) for stage, table in self.stages.items()}
        scores = self.model_dump(include={"same_from", "review_from"}, exclude_none=True)
        return replace(inherited, stages={**inherited.stages, **stages}, **scores)


_MATCHING = MatchingSettings()


class MatchingTable(_Table):
    """Who is who: what proposes that two entities are the same, and from which score on they are."""

    enabled: bool = Field(default=True, description="whether entities are compared by schedule")
    keys: frozenset[PredicateName] = Field(
        default=_MATCHING.keys, description="predicates; two entities of a type that share a value are the same"
    )
    exclusive: frozenset[PredicateName] = Field(
        default=_MATCHING.exclusive, description="keys of which a thing has one, so that two values say different"
    )
    same_from: float = Field(default=_MATCHING.default.same_from, allow_inf_nan=False)
    review_from: float = Field(default=_MATCHING.default.review_from, allow_inf_nan=False)
    most_holders: int = Field(default=_MATCHING.most_holders, gt=0)
    model_reviews: bool = Field(
        default=False, description="whether a language model decides what is left open; it is shown what is said"
    )
    pairs_per_call: int = Field(default=_MATCHING.pairs_per_call, gt=0, le=100)
    refine: bool = Field(
        default=_MATCHING.refine, description="whether weights of attributes are learnt from the group's own pairs"
    )
    stages: StageTables = Field(default_factory=dict)
    types: dict[Annotated[str, AfterValidator(_type_name)], TypeTable] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        with as_value_errors():
            self.settings()
        return self

    def settings(self) -> MatchingSettings:
        """The settings of each type, complete."""
        for_all = TypeTable(same_from=self.same_from, review_from=self.review_from, stages=self.stages)
        default = for_all.over(_MATCHING.default)
        packaged = packaged_types(default)
        return MatchingSettings(
            default=default,
            types={**packaged, **{name: one.over(packaged.get(name, default)) for name, one in self.types.items()}},
            keys=self.keys,
            exclusive=self.exclusive,
            most_holders=self.most_holders,
            pairs_per_call=self.pairs_per_call,
            refine=self.refine,
        )


class SessionSettings(_Table):
    """When sessions close, and how much of them is shown verbatim."""

    silence_minutes: float = Field(
        default=SILENCE.total_seconds() / 60, gt=0, description="after which a session closes by itself"
    )
    window: int = Field(default=20, ge=0, le=200, description="last turns of a session that are shown with it")

    @property
    def silence(self) -> timedelta:
        """After so much a session closes by itself."""
        return timedelta(minutes=self.silence_minutes)


_WINDOWS, _METAS, _OF_ENTITIES = WindowPolicy(), MetaPolicy(), PACKAGED_ENTITY_SUMMARIES


class SummarySettings(_Table):
    """How sessions are summarised, and by whom; and entities."""

    enabled: bool = Field(default=True, description="whether that is done by schedule")
    writer: Literal["auto", "offline"] = Field(
        default="auto", description="auto: the language model, where one reads episodes; offline: none"
    )
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


class AgentSettings(_Table):
    """What is otherwise with one of the callers' agents. What is left out is as for all."""

    batch: int | None = Field(default=None, ge=2, le=200, description="as in summaries")
    keep: int | None = Field(default=None, ge=0, le=200, description="as in summaries")
    window: int | None = Field(default=None, ge=0, le=200, description="as in context and sessions, where of the agent")

    def windows(self, for_all: WindowPolicy) -> WindowPolicy:
        return replace(for_all, **self.model_dump(include={"batch", "keep"}, exclude_none=True))


_WEEKLY = PACKAGED_REFLECTIONS


class ReflectionSettings(_Table):
    """When the week is reflected on, at an hour in UTC, from what on, and by whom."""

    enabled: bool = Field(default=True, description="whether that is done by schedule")
    writer: Literal["auto", "offline"] = Field(
        default="auto", description="auto: the language model, where one reads episodes; offline: none"
    )
    weekday: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] = "sunday"
    hour: int = Field(default=_WEEKLY.hour, ge=0, le=23)
    days: int = Field(default=_WEEKLY.days, ge=1, le=366, description="that a reflection is about")
    apart_days: int = Field(default=_WEEKLY.apart, ge=1, description="between two of one user, at least")
    least_new: int = Field(default=_WEEKLY.least, ge=1, description="new facts or relationships that one needs")
    most: int = Field(default=_WEEKLY.most, ge=1, le=1000, description="memories that one looks at, the newest")
    missed_weeks: int = Field(
        default=_WEEKLY.missed,
        ge=0,
        le=52,
        description="before the last that are made up for, where no worker ran when they ended",
    )

    def policy(self) -> ReflectionPolicy:
        return ReflectionPolicy(
            weekday=DAYS.index(self.weekday),
            hour=self.hour,
            days=self.days,
            apart=self.apart_days,
            least=self.least_new,
            most=self.most,
            missed=self.missed_weeks,
        )


class FactSettings(_Table):
    """From when on what is read of somebody becomes a fact."""

    least_confidence: float = Field(default=AS_PACKAGED.least_confidence, ge=0, le=1)
    least_importance: float = Field(default=AS_PACKAGED.least_importance, ge=0, le=1)

    def admission(self) -> Admission:
        return Admission(least_confidence=self.least_confidence, least_importance=self.least_importance)


class FadingSettings(_Table):
    """How soon facts that nobody uses come up no more."""

    enabled: bool = True
    least_strength: float = Field(default=LEAST_STRENGTH, gt=0, lt=1, description="below it a fact comes up no more")
    flush_seconds: float = Field(default=60.0, gt=0, description="how often uses are written")
    rates: dict[str, Annotated[float, Field(ge=0)]] = Field(
        default_factory=dict, description="by category, a day; 0 is never; what is not named here is as packaged"
    )

    def fading(self) -> Fading:
        return Fading(rates={**RATES, **self.rates}, least_strength=self.least_strength, enabled=self.enabled)


class EnrichmentSettings(_Table):
    """What is read again by night because little was found in it."""

    enabled: bool = True
    entities: int = Field(default=2, ge=0, description="episodes with at most so many entities")
    limit: int = Field(default=50, ge=1, le=1_000, description="episodes of a group in one pass")


class ConsolidationSettings(_Table):
    """How facts that say the same, and conflicts, are settled."""

    enabled: bool = True
    chunk: int = Field(default=30, ge=1, le=500, description="facts, or episodes, looked at in one transaction")
    likeness: float = Field(
        default=LIKENESS, gt=0, le=1, description="share of words from which two facts say the same"
    )
    model_episodes: int = Field(
        default=300, ge=0, description="episodes read offline that a language model reads again, of a group in a night"
    )


class ProviderSettings(_Table):
    """Where a provider of language models is, and the key for it. Without ``base_url`` it is the provider's own."""

    api_key: Annotated[SecretStr | None, _EMPTY_IS_NONE] = None
    base_url: Annotated[str | None, _EMPTY_IS_NONE] = None


class OpenAISettings(ProviderSettings):
    """OpenAI, or with ``base_url`` a server that speaks its format; not each of them can be made to call a tool."""

    mode: Literal["tools", "json_schema"] = Field(
        default="tools", description="how the form is asked for; json_schema for llama.cpp's server and the like"
    )


class PriceSettings(_Table):
    """US dollars for a million tokens of a model: read, read from the provider's cache, and written."""

    input: float = Field(ge=0)
    cached: float = Field(ge=0)
    output: float = Field(ge=0)


class StepSettings(_Table):
    """One step of the pipeline that may ask language models."""

    strategy: str = Field(
        default="auto",
        description="auto: the language model if there is a key for it, else accurate; off; or one of the strategies",
    )
    models: tuple[str, ...] = Field(
        default=("anthropic/claude-haiku-4-5",),
        min_length=1,
        description="asked one after the other until one answers; instructor's names: openai/…, ollama/…",
    )
    prompt: str | None = Field(default=None, description="version of the prompt; the newest, if none is given")
    temperature: float | None = Field(default=None, ge=0, le=2, description="the provider's own, if none is given")
    max_tokens: int = Field(default=4096, gt=0, description="tokens an answer may have")
    timeout: float = Field(default=30.0, gt=0, description="seconds to wait for an answer")
    attempts: int = Field(default=3, gt=0, description="how often a model is asked that is away or busy")
    backoff_seconds: float = Field(default=1.0, ge=0, description="pause before the second attempt; doubles, by chance")
    reasks: int = Field(default=2, ge=0, le=2, description="how often a model is asked to mend an answer")
    concurrency: int = Field(default=16, gt=0, description="calls at once to one provider")
    requests_per_minute: int = Field(default=0, ge=0, description="calls a minute to one provider; 0: no limit")
    fallback: Literal["offline", "fail"] = Field(default="offline", description="where no model gives an answer")
    claims_from: tuple[EpisodeRole, ...] = Field(
        default=(EpisodeRole.USER,),
        description="whose turns make claims; others give mentions, so that no model quotes itself",
    )
    least_confidence: Literal["high", "medium", "low"] = Field(
        default="medium", description="what a model is less sure of is dropped"
    )
    turns_per_call: int = Field(
        default=1, ge=1, le=50, description="turns of a session that came alone and wait, read in one call"
    )
    bulk_turns_per_call: int = Field(
        default=10, ge=1, le=50, description="turns of a session that came in one request, read in one call"
    )
    latency_budget_ms: int = Field(
        default=0, ge=0, description="after so long what is read offline stands until the model answers; 0: never"
    )
    context_turns: int = Field(default=6, ge=0, description="earlier turns of the session that a model is shown")
    context_chars: int = Field(default=6_000, ge=0, description="characters of earlier turns that a model is shown")
    context_turn_chars: int = Field(default=2_000, ge=0, description="of each of those turns the last so many")
    piece_chars: int = Field(
        default=20_000, ge=1_000, le=50_000, description="characters read in one call; longer texts are read in pieces"
    )


class PipelineSettings(_Table):
    """The steps, a table each: ``[pipeline.entity_extraction]``; strategies, and switches of their providers."""

    entity_extraction: StepSettings = StepSettings()
    strategies: Annotated[dict[str, Composition], AfterValidator(with_packaged)] = Field(
        default_factory=lambda: dict(STRATEGIES), description="beside the packaged ones, or instead"
    )
    providers: dict[Provider, ProviderSwitch] = Field(
        default_factory=dict[Provider, ProviderSwitch], description="each on or off in all strategies, with its seconds"
    )

    @model_validator(mode="after")
    def _knows_the_strategy(self) -> Self:
        known = {*self.strategies, *RESERVED}
        if self.entity_extraction.strategy not in known:
            raise ValueError(
                f"There is no strategy {self.entity_extraction.strategy!r}. There is: {', '.join(sorted(known))}."
            )
        return self


class OntologySettings(WrittenOntology):
    """What is looked for where a group has no ontology of its own."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        with as_value_errors():
            self.to_domain()
        return self

    def ontology(self) -> Ontology:
        """The default types where none are given."""
        return self.to_domain()


_PRICES = {"anthropic/claude-haiku-4-5": PriceSettings(input=1.0, cached=0.1, output=5.0)}


McpToolset = Literal["graphmem", "common", "memory-server"]
"""Which tools there are: graphmem's own, the names that other systems use, or the official memory server's nine."""


class McpSettings(_Table):
    """``graphmem mcp``: what its tools hand out, and where it listens. No tool takes a group or a user."""

    url: Annotated[str | None, _EMPTY_IS_NONE] = Field(
        default=None, description="a service elsewhere, called with api.key; default: the one that runs here"
    )
    group: str = "default"
    user: Annotated[str | None, _EMPTY_IS_NONE] = Field(
        default=None, description="whose memory it is; without one, tools read and write for the whole group"
    )
    agent: Annotated[str | None, _EMPTY_IS_NONE] = Field(default=None, description="which of your agents this is")
    session: Annotated[str | None, _EMPTY_IS_NONE] = Field(
        default=None, description="of what is remembered, where a call names none"
    )
    speaker: Annotated[str | None, _EMPTY_IS_NONE] = Field(
        default=None, description="who says what is remembered, where a call names nobody"
    )
    toolset: McpToolset = "graphmem"
    max_tokens: int = Field(default=4_000, ge=2_000, le=100_000, description="tokens of one answer, by an estimate")
    wait_seconds: float = Field(
        default=10.0, ge=0, le=60, description="that remembering waits until it can say what was understood"
    )
    host: str = "127.0.0.1"
    port: int = Field(default=8465, ge=0, le=65535)
    hosts: tuple[str, ...] = Field(
        default=(), description="names by which HTTP is called, where host is not this machine alone"
    )


class DiskSettings(_Table):
    """The free space of the disk that Neo4j writes to. Below the limit nothing is written but what takes away."""

    path: AbsolutePath | None = Field(
        default=None, description="a folder of that disk; `graphmem up` names its own where it runs Neo4j"
    )
    least_free_mb: int = Field(default=512, ge=0, description="megabytes that stay free; 0: whatever is free is used")
    watch_seconds: float = Field(default=2.0, gt=0, description="how often free space is looked at")


class SupervisorSettings(_Table):
    """How ``graphmem up`` watches what it runs."""

    check_seconds: float = Field(default=5.0, gt=0, description="pause between two checks of a process")
    check_timeout: float = Field(default=10.0, gt=0, description="seconds in which a check must be answered")
    check_failures: int = Field(
        default=4, ge=1, description="checks in a row without an answer after which a process is killed and restarted"
    )
    longest_pause: float = Field(
        default=60.0,
        gt=0,
        description="seconds before a process is started again, at most; each quick end doubles them",
    )


class LogSettings(_Table):
    """Logging: ``console`` for a terminal, ``json`` for services; ``auto`` looks at standard error."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "console", "json"] = "auto"


class _ForeignNames(EnvSettingsSource):
    """``NEO4J_*``, ``REDIS_URL``, ``ANTHROPIC_API_KEY`` …, whose names carry no prefix of ours.

    Other tools' variables are none of ours.
    """

    def __call__(self) -> dict[str, Any]:
        found = super().__call__()
        tables = {
            "neo4j": Neo4jSettings,
            "redis": RedisSettings,
            "anthropic": ProviderSettings,
            "openai": OpenAISettings,
        }
        return {
            name: {key: value for key, value in found[name].items() if key in table.model_fields}
            for name, table in tables.items()
            if isinstance(found.get(name), dict)
        }


_WRITTEN: ContextVar[Written] = ContextVar("written")
"""What the files say, while ``load_settings`` reads."""


class Settings(BaseSettings):
    """Everything that can be configured, frozen once read."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix="GRAPHMEM_",
        env_nested_delimiter="_",
        env_nested_max_split=1,
        nested_model_default_partial_update=True,
    )

    data_dir: AbsolutePath = Field(default_factory=lambda: user_data_path("graphmem"), validate_default=True)
    neo4j: Neo4jSettings = Neo4jSettings()
    redis: RedisSettings = RedisSettings()
    api: ApiSettings = ApiSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    search: SearchSettings = SearchSettings()
    context: ContextSettings = ContextSettings()
    jobs: JobSettings = JobSettings()
    predicates: dict[PredicateName, PredicateSettings] = Field(
        default_factory=dict, description="policies beside those that are built in, or in their place"
    )
    matching: MatchingTable = MatchingTable()
    facts: FactSettings = FactSettings()
    fading: FadingSettings = FadingSettings()
    enrichment: EnrichmentSettings = EnrichmentSettings()
    consolidation: ConsolidationSettings = ConsolidationSettings()
    sessions: SessionSettings = SessionSettings()
    summaries: SummarySettings = SummarySettings()
    agents: dict[str, AgentSettings] = Field(
        default_factory=dict, description="a table each, by the name that its sessions have"
    )
    reflection: ReflectionSettings = ReflectionSettings()
    pipeline: PipelineSettings = PipelineSettings()
    ontology: OntologySettings = OntologySettings()
    prices: dict[str, PriceSettings] = Field(
        default_factory=lambda: dict(_PRICES), description="of models, by instructor's names"
    )
    anthropic: ProviderSettings = ProviderSettings()
    openai: OpenAISettings = OpenAISettings()
    mcp: McpSettings = McpSettings()
    disk: DiskSettings = DiskSettings()
    supervisor: SupervisorSettings = SupervisorSettings()
    log: LogSettings = LogSettings()

    def session_policy(self) -> SessionPolicy:
        """When sessions close, and are to be summarised."""
        policy = self.summary_policy()
        return SessionPolicy(
            silence=self.sessions.silence,
            enough=policy.windows.enough,
            enough_with={agent: windows.enough for agent, windows in policy.windows_with.items()},
        )

    def summary_policy(self) -> SummaryPolicy:
        """How sessions are summarised, each by its agent."""
        windows = self.summaries.windows
        return SummaryPolicy(
            windows=windows,
            metas=self.summaries.metas,
            windows_with={agent: own.windows(windows) for agent, own in self.agents.items()},
        )

    @property
    def windows_with(self) -> dict[str, int]:
        """How many last turns of a session are shown verbatim with some agents."""
        return {agent: own.window for agent, own in self.agents.items() if own.window is not None}

    def context_of(self, agent: str | None) -> ContextSettings:
        """What a context for an agent has where a request does not say."""
        window = None if agent is None else self.windows_with.get(agent)
        return self.context if window is None else self.context.model_copy(update={"window": window})

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        del dotenv_settings, file_secret_settings
        return (
            init_settings,
            env_settings,
            _ForeignNames(settings_cls, env_prefix="", env_nested_delimiter="_", env_nested_max_split=1),
            InitSettingsSource(settings_cls, init_kwargs=dict(_WRITTEN.get({}))),
        )


def written_settings(config: Path | None = None) -> Written:
    """What the files of settings say: the one that ``config`` or ``GRAPHMEM_CONFIG`` names, or else the usual ones.

    Raises:
        ConfigurationError: a file cannot be read.
    """
    name = os.environ.get("GRAPHMEM_CONFIG")
    files = settings_files(config or (Path(name) if name else None))
    return reduce(_merged, (_anchored(file.values(), file.path.parent) for file in files), dict[str, Any]())


def load_settings(*, data_dir: Path | str | None = None, written: Written | None = None, **overrides: Any) -> Settings:
    """Read the settings; what is given here wins over the environment and the files. Without ``data_dir`` they say it.

    ``written``: what the files say, where they are read already.

    Raises:
        ConfigurationError: a setting is unknown or has a value that does not fit; names each of them.
    """
    if data_dir is not None:
        overrides["data_dir"] = data_dir
    token = _WRITTEN.set(written_settings() if written is None else written)
    try:
        return Settings(**overrides)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in error.errors(include_input=False)
        )
        raise ConfigurationError(f"Settings do not fit: {problems}.") from error
    except SettingsError as error:
        raise ConfigurationError(f"The environment has a setting that cannot be understood: {error}.") from error
    finally:
        _WRITTEN.reset(token)


def _merged(below: dict[str, Any], above: Written) -> dict[str, Any]:
    """Tables of both, key by key; what ``above`` says wins."""
    tables = {
        key: _merged(cast("dict[str, Any]", below[key]), cast("Written", value))
        for key, value in above.items()
        if isinstance(value, Mapping) and isinstance(below.get(key), dict)
    }
    return {**below, **above, **tables}


def _anchored(values: dict[str, Any], folder: Path) -> dict[str, Any]:
    """What a file says, with its relative paths as absolute ones from ``folder``."""
    for table, key in _path_settings():
        holder = values.get(table) if table else values
        if isinstance(holder, dict) and isinstance(path := cast("dict[str, Any]", holder).get(key), str) and path:
            holder[key] = str(folder / Path(path).expanduser())
    return values


def _path_settings() -> Iterator[tuple[str | None, str]]:
    """The settings that are paths: table, or None for one of no table, and key."""
    for name, field in Settings.model_fields.items():
        kind = field.annotation
        if kind is Path:
            yield None, name
        elif isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from ((name, key) for key, inner in kind.model_fields.items() if _is_path(inner.annotation))


def _is_path(kind: object) -> bool:
    return kind is Path or any(map(_is_path, get_args(kind)))
