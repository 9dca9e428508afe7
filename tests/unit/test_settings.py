import pytest

from graphmem.errors import ConfigurationError
from graphmem.settings import load_settings


def test_the_names_other_tools_use_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "neo4j://db")
    monkeypatch.setenv("REDIS_URL", "redis://queue")

    settings = load_settings()

    assert settings.neo4j.uri == "neo4j://db"
    assert settings.redis.url is not None
    assert settings.redis.url.get_secret_value() == "redis://queue"


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
