from pathlib import Path

import pytest

from graphmem.errors import ConfigurationError
from graphmem.model.projection.predicate import MANY, Cardinality, Policy, Rule
from graphmem.settings import load_settings


def test_the_names_other_tools_use_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "neo4j://db")
    monkeypatch.setenv("REDIS_URL", "redis://queue")

    settings = load_settings()

    assert settings.neo4j.uri == "neo4j://db"
    assert settings.redis.url is not None
    assert settings.redis.url.get_secret_value() == "redis://queue"


def test_a_key_that_is_empty_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "")

    settings = load_settings()

    assert (settings.anthropic.api_key, settings.anthropic.base_url) == (None, None)
    assert (settings.openai.api_key, settings.openai.base_url) == (None, None)


def test_variables_of_other_tools_are_none_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NEO4J_HOME", "NEO4J_AUTH", "REDIS_HOST", "API_KEY", "LOG_LEVEL"):
        monkeypatch.setenv(name, "x")

    assert load_settings() == load_settings()


def test_the_environment_wins_over_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("config") / "mine.toml"
    path.write_text('[neo4j]\nuser = "file"\ndatabase = "file"\n')
    monkeypatch.setenv("GRAPHMEM_CONFIG", str(path))
    monkeypatch.setenv("NEO4J_USER", "environment")

    neo4j = load_settings().neo4j

    assert (neo4j.user, neo4j.database) == ("environment", "file")


def test_all_that_does_not_fit_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_API_PORT", "many")
    monkeypatch.setenv("GRAPHMEM_JOBS_MAX_ATTEMPTS", "0")

    with pytest.raises(ConfigurationError, match=r"api\.port.*jobs\.max_attempts"):
        load_settings()


def test_a_configuration_file_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_CONFIG", "nowhere.toml")

    with pytest.raises(ConfigurationError, match=r"nowhere\.toml"):
        load_settings()


def test_policies_of_predicates_are_read_from_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("config") / "predicates.toml"
    path.write_text(
        '[predicates.stage]\ncardinality = "one"\nrule = "confident"\n[predicates."lives in"]\ncardinality = "many"\n'
    )
    monkeypatch.setenv("GRAPHMEM_CONFIG", str(path))

    found = {name: one.policy() for name, one in load_settings().predicates.items()}

    assert found == {"stage": Policy(Cardinality.ONE, Rule.CONFIDENT), "lives in": MANY}


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ('[predicates.stage]\ncardinality = "two"', r"predicates\.stage\.cardinality"),
        ("[predicates.stage]", r"predicates\.stage\.cardinality"),
        ('[predicates.stage]\ncardinality = "one"\nrule = "best"', r"predicates\.stage\.rule"),
        ('[predicates.stage]\ncardinality = "one"\nrules = 1', r"predicates\.stage\.rules"),
        ('[predicates.stage]\ncardinality = "many"\nrule = "latest"', "leave it out for many"),
        ('[predicates." stage"]\ncardinality = "one"', "neither blank nor padded"),
        (f'[predicates.{"p" * 513}]\ncardinality = "one"', "up to 512 characters"),
    ],
)
def test_a_policy_that_does_not_fit_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, table: str, named: str
) -> None:
    path = tmp_path / "predicates.toml"
    path.write_text(f"{table}\n")
    monkeypatch.setenv("GRAPHMEM_CONFIG", str(path))

    with pytest.raises(ConfigurationError, match=named):
        load_settings()
