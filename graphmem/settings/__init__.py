"""All settings, read once: the only module that looks at the environment.

Precedence, highest first: arguments, environment, files (``graphmem.settings.files``: the one that ``--config`` or
``GRAPHMEM_CONFIG`` names, or else one of the working directory that is trusted, then the user's own), defaults.
``NEO4J_URI`` and ``REDIS_URL`` keep the names other tools use; everything else is ``GRAPHMEM_<TABLE>_<KEY>`` in the
environment and ``key`` under ``[table]`` in a file. A relative path in a file is one from the file's folder.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import is_dataclass, replace
from functools import reduce
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, cast, get_args, get_type_hints

from platformdirs import user_data_path
from pydantic import AfterValidator, BaseModel, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from graphmem.errors import ConfigurationError, as_value_errors
from graphmem.model.composed import ContextLimits
from graphmem.model.fragment import AS_PACKAGED, Admission
from graphmem.model.session import SessionPolicy
from graphmem.model.summary import SummaryPolicy
from graphmem.ontology import WrittenOntology
from graphmem.settings.extraction import (
    PACKAGED_PRICES,
    OpenAISettings,
    PipelineSettings,
    PriceSettings,
    ProviderSettings,
)
from graphmem.settings.files import settings_files
from graphmem.settings.jobs import (
    AgentSettings,
    ConsolidationSettings,
    EnrichmentSettings,
    FadingSettings,
    JobSettings,
    ReflectionSettings,
    SessionSettings,
    SummarySettings,
)
from graphmem.settings.limits import LimitSettings
from graphmem.settings.matching import MatchingTable, PredicateName, PredicateSettings
from graphmem.settings.recall import ContextSettings, EmbeddingSettings, SearchSettings
from graphmem.settings.servers import (
    AuditSettings,
    KeySettings,
    LogSettings,
    McpSettings,
    Neo4jSettings,
    RedisSettings,
    ServerSettings,
)
from graphmem.settings.tables import AbsolutePath

WrittenSettings = Mapping[str, Any]
"""What files of settings say, by table and key."""


def _checked(ontology: WrittenOntology) -> WrittenOntology:
    with as_value_errors():
        ontology.to_domain()
    return ontology


class _Environment(EnvSettingsSource):
    """Variables; one that ends with ``_FILE`` names a file with a secret, as Docker and Kubernetes hand them out."""

    def __call__(self) -> dict[str, Any]:
        values = super().__call__()
        for name, kind in get_type_hints(self.settings_cls).items():
            for table in _tables(kind):
                if isinstance(said := values.get(name), dict):
                    values[name] = _with_secrets(table, f"{self.env_prefix}{name}", cast("dict[str, Any]", said))
        return values


class _ForeignNames(_Environment):
    """``NEO4J_*``, ``REDIS_URL``, ``ANTHROPIC_API_KEY`` …, whose names carry no prefix of ours.

    Other tools' variables are none of ours.
    """

    def __call__(self) -> dict[str, Any]:
        variables = super().__call__()
        tables = {
            "neo4j": Neo4jSettings,
            "redis": RedisSettings,
            "anthropic": ProviderSettings,
            "openai": OpenAISettings,
        }
        return {
            name: {key: value for key, value in variables[name].items() if key in table.model_fields}
            for name, table in tables.items()
            if isinstance(variables.get(name), dict)
        }


_WRITTEN: ContextVar[WrittenSettings] = ContextVar("written")
"""What the files say, while ``load_settings`` reads."""


class Settings(ServerSettings, BaseSettings):
    """Everything that can be configured, frozen once read. Of an ``ontology`` a group may have its own."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix="GRAPHMEM_",
        env_nested_delimiter="_",
        env_nested_max_split=1,
        nested_model_default_partial_update=True,
    )

    data_dir: AbsolutePath = Field(default_factory=lambda: user_data_path("graphmem"), validate_default=True)
    embedding: EmbeddingSettings = EmbeddingSettings()
    search: SearchSettings = SearchSettings()
    context: ContextSettings = ContextSettings()
    jobs: JobSettings = JobSettings()
    predicates: dict[PredicateName, PredicateSettings] = Field(default_factory=dict)
    """Policies beside those that are built in, or in their place."""
    matching: MatchingTable = MatchingTable()
    facts: Admission = AS_PACKAGED
    fading: FadingSettings = FadingSettings()
    enrichment: EnrichmentSettings = EnrichmentSettings()
    consolidation: ConsolidationSettings = ConsolidationSettings()
    sessions: SessionSettings = SessionSettings()
    summaries: SummarySettings = SummarySettings()
    agents: dict[str, AgentSettings] = Field(default_factory=dict)
    """A table each, by the name that its sessions have."""
    reflection: ReflectionSettings = ReflectionSettings()
    pipeline: PipelineSettings = PipelineSettings()
    ontology: Annotated[WrittenOntology, AfterValidator(_checked)] = WrittenOntology()
    prices: dict[str, PriceSettings] = Field(default_factory=lambda: dict(PACKAGED_PRICES))
    """Of models, by instructor's names."""
    anthropic: ProviderSettings = ProviderSettings()
    openai: OpenAISettings = OpenAISettings()
    keys: KeySettings = KeySettings()
    limits: LimitSettings = LimitSettings()
    audit: AuditSettings = AuditSettings()
    mcp: McpSettings = McpSettings()
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

    def context_of(self, agent: str | None) -> ContextLimits:
        """What a context for an agent has where a request does not say."""
        window = None if agent is None else self.windows_with.get(agent)
        return self.context if window is None else replace(self.context, window=window)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        del env_settings, dotenv_settings, file_secret_settings
        return (
            init_settings,
            _Environment(settings_cls),
            _ForeignNames(settings_cls, env_prefix="", env_nested_delimiter="_", env_nested_max_split=1),
            InitSettingsSource(settings_cls, init_kwargs=dict(_WRITTEN.get({}))),
        )


def written_settings(config: Path | None = None) -> WrittenSettings:
    """What the files of settings say: the one that ``config`` or ``GRAPHMEM_CONFIG`` names, or else the usual ones.

    Raises:
        ConfigurationError: a file cannot be read.
    """
    name = os.environ.get("GRAPHMEM_CONFIG")
    files = settings_files(config or (Path(name) if name else None))
    return reduce(_merged, (_anchored(file.values(), file.path.parent) for file in files), dict[str, Any]())


def load_settings(
    *, data_dir: Path | str | None = None, written: WrittenSettings | None = None, **overrides: Any
) -> Settings:
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


def _merged(below: dict[str, Any], above: WrittenSettings) -> dict[str, Any]:
    """Tables of both, key by key; what ``above`` says wins."""
    tables = {
        key: _merged(cast("dict[str, Any]", below[key]), cast("WrittenSettings", value))
        for key, value in above.items()
        if isinstance(value, Mapping) and isinstance(below.get(key), dict)
    }
    return {**below, **above, **tables}


def _anchored(values: dict[str, Any], folder: Path) -> dict[str, Any]:
    """What a file says, with its relative paths as absolute ones from ``folder``."""
    for table, key in _path_settings(Settings):
        holder = _table_of(values, table)
        if isinstance(path := holder.get(key), str) and path:
            holder[key] = str(folder / Path(path).expanduser())
    return values


def _with_secrets(table: type, name: str, said: dict[str, Any]) -> dict[str, Any]:
    """What variables say of a table, with secrets read from the files that some name.

    Raises:
        ConfigurationError: such a file cannot be read, or the secret is said otherwise, too.
    """
    secrets = [key for key, kind in get_type_hints(table, include_extras=True).items() if _holds_secret(kind)]
    files = {key: path for key in secrets if (path := said.get(f"{key}_file"))}
    for key, path in files.items():
        variable = f"{name}_{key}".upper()
        if said.get(key):
            raise ConfigurationError(f"Set {variable} or {variable}_FILE, not both.")
        try:
            said[key] = Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeError) as error:
            raise ConfigurationError(f"{variable}_FILE names {path}, which cannot be read: {error}.") from error
        if not said[key]:
            raise ConfigurationError(f"{variable}_FILE names {path}, which is empty.")
    return {key: value for key, value in said.items() if key.removesuffix("_file") not in secrets or key in secrets}


def _holds_secret(kind: object) -> bool:
    return kind is SecretStr or any(map(_holds_secret, get_args(kind)))


def _path_settings(table: type, *names: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The settings that are paths: the names of the table and of those around it, and the key."""
    for name, kind in get_type_hints(table).items():
        if _is_path(kind):
            yield names, name
        for inner in _tables(kind):
            yield from _path_settings(inner, *names, name)


def _tables(kind: object) -> list[type]:
    """The tables that a setting may be."""
    parts: tuple[object, ...] = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    classes: list[type[object]] = [part for part in parts if isinstance(part, type)]
    return [part for part in classes if issubclass(part, BaseModel) or is_dataclass(part)]


def _table_of(values: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The table that a file has under the names; an empty one if it has none."""
    for name in names:
        inner = values.get(name)
        values = cast("dict[str, Any]", inner) if isinstance(inner, dict) else {}
    return values


def _is_path(kind: object) -> bool:
    return kind is Path or any(map(_is_path, get_args(kind)))
