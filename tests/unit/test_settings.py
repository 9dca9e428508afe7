from pathlib import Path

import pytest

from graphmem.errors import ConfigurationError
from graphmem.model.matching import MatchingSettings, Stage, StageSettings
from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.predicate import MANY, Cardinality, Policy, WinningRule
from graphmem.model.summary import WindowPolicy
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
        '[predicates.enrolled_on]\ncardinality = "many"\nbound = "begins"\n'
    )
    monkeypatch.setenv("GRAPHMEM_CONFIG", str(path))

    found = {name: one.policy() for name, one in load_settings().predicates.items()}

    assert found == {
        "stage": Policy(Cardinality.ONE, WinningRule.CONFIDENT),
        "lives in": MANY,
        "enrolled_on": Policy(Cardinality.MANY, bound=Bounding.BEGINS),
    }


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ('[predicates.stage]\ncardinality = "two"', r"predicates\.stage\.cardinality"),
        ("[predicates.stage]", r"predicates\.stage\.cardinality"),
        ('[predicates.stage]\ncardinality = "one"\nrule = "best"', r"predicates\.stage\.rule"),
        ('[predicates.stage]\ncardinality = "one"\nrules = 1', r"predicates\.stage\.rules"),
        ('[predicates.stage]\ncardinality = "many"\nrule = "latest"', "leave it out for many"),
        ('[predicates.stage]\ncardinality = "one"\nbound = "starts"', r"predicates\.stage\.bound"),
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


def test_an_agent_has_windows_of_its_own_and_else_those_of_all(file: Path) -> None:
    file.write_text("[summaries]\nkeep = 8\n[agents.phone]\nbatch = 5\nwindow = 3\n[agents.desk]\nkeep = 2\n")

    settings = load_settings()

    policy, sessions = settings.summary_policy(), settings.session_policy()
    assert policy.windows_of("phone") == WindowPolicy(batch=5, keep=8)
    assert policy.windows_of("desk") == WindowPolicy(batch=20, keep=2)
    assert policy.windows_of("other") == policy.windows_of(None) == WindowPolicy(keep=8)
    assert (sessions.enough, sessions.enough_with) == (28, {"phone": 13, "desk": 22})
    assert [settings.context_of(agent).window for agent in ("phone", "desk", None)] == [3, 20, 20]
    assert settings.windows_with == {"phone": 3}


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    path = tmp_path / "graphmem.toml"
    monkeypatch.setenv("GRAPHMEM_CONFIG", str(path))
    return path


def test_without_a_section_matching_is_as_packaged(file: Path) -> None:
    file.write_text("[api]\nport = 1\n")

    assert load_settings().matching.settings() == MatchingSettings()


def test_persons_are_not_proposed_by_vectors_unless_the_file_says_so(file: Path) -> None:
    file.write_text("[matching.stages.embedding]\nthreshold = 0.9\n")
    assert load_settings().matching.settings().of(["person"]).stage(Stage.EMBEDDING) == StageSettings(
        enabled=False, threshold=0.9, limit=10
    )
    file.write_text("[matching.types.person.stages.embedding]\nenabled = true\n")
    assert load_settings().matching.settings().of(["person"]).stage(Stage.EMBEDDING).enabled


def test_a_type_has_what_it_says_then_what_all_have_then_what_is_packaged(file: Path) -> None:
    file.write_text(
        "[matching.stages.embedding]\nthreshold = 0.9\nlimit = 3\n"
        "[matching.types.person.stages.embedding]\nenabled = false\nthreshold = 0.95\n"
        "[matching.types.room]\nsame_from = 9\n"
    )

    settings = load_settings().matching.settings()

    assert settings.of(["ship"]).stage(Stage.EMBEDDING) == StageSettings(threshold=0.9, limit=3)
    of_person = settings.of(["person"]).stage(Stage.EMBEDDING)
    assert of_person == StageSettings(enabled=False, threshold=0.95, limit=3)
    assert settings.of(["room"]).same_from == 9.0
    assert settings.of(["room"]).stage(Stage.EMBEDDING) == StageSettings(threshold=0.9, limit=3)
    assert settings.of(["person"]).stage(Stage.FUZZY).threshold == 0.85


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("[matching.stages.fuzy]\nthreshold = 0.9", "matching.stages.*'exact', 'fuzzy', 'embedding' or 'rules'"),
        ("[matching.stages.fuzzy]\nthreshold = 1.2", r"matching\.stages\.fuzzy\.threshold.*less than or equal to 1"),
        ("[matching.stages.fuzzy]\nthreshold = nan", r"matching\.stages\.fuzzy\.threshold"),
        (
            "[matching.types.person.stages.fuzzy]\nthreshold = -0.1",
            r"matching\.types\.person\.stages\.fuzzy\.threshold.*greater than or equal to 0",
        ),
        ("[matching.stages.fuzzy]\nlimit = 5", r"matching\.stages: .*set matching\.most_holders"),
        ("[matching.stages.embedding]\nlimit = 0", r"matching\.stages\.embedding\.limit.*greater than 0"),
        ("[matching.stages.embedding]\nthreshhold = 0.8", r"matching\.stages\.embedding\.threshhold"),
        ("[matching]\nsame_from = -9", r"same_from \(-9\.0\) is below review_from \(-8\.0\)\. Raise it"),
        ("[matching.types.person]\nreview_from = 6", r"same_from \(4\.5\) is below review_from \(6\.0\)"),
        ("[matching.types.person]\nkeys = ['badge']", r"matching\.types\.person\.keys"),
        ("[matching.types.'two words']\nsame_from = 6", "The name of a type is one word"),
        ("[matching]\nkeys = [' badge']", "neither blank nor padded"),
        ("[matching]\nmost_holders = 0", r"matching\.most_holders.*greater than 0"),
    ],
)
def test_matching_that_does_not_fit_is_said(file: Path, table: str, said: str) -> None:
    file.write_text(f"{table}\n")

    with pytest.raises(ConfigurationError, match=said):
        load_settings()


@pytest.mark.parametrize(
    ("variable", "table", "key"),
    [
        ("GRAPHMEM_API_KEY", "api", "key"),
        ("GRAPHMEM_KEYS_SECRET", "keys", "secret"),
        ("NEO4J_PASSWORD", "neo4j", "password"),
        ("REDIS_URL", "redis", "url"),
        ("ANTHROPIC_API_KEY", "anthropic", "api_key"),
        ("GRAPHMEM_EMBEDDING_API_KEY", "embedding", "api_key"),
    ],
)
def test_a_secret_may_come_in_a_file(
    variable: str, table: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "secret"
    path.write_text("redis://of-a-file\n", encoding="utf-8")
    monkeypatch.setenv(f"{variable}_FILE", str(path))
    monkeypatch.setenv(variable, "")
    secret = getattr(getattr(load_settings(), table), key)
    assert secret.get_secret_value() == "redis://of-a-file"

    monkeypatch.setenv(variable, "otherwise")
    with pytest.raises(ConfigurationError, match=f"{variable} or {variable}_FILE, not both"):
        load_settings()
    monkeypatch.setenv(variable, "")
    monkeypatch.setenv(f"{variable}_FILE", str(tmp_path / "nowhere"))
    with pytest.raises(ConfigurationError, match=f"{variable}_FILE names .*nowhere, which cannot be read"):
        load_settings()
    (empty := tmp_path / "empty").write_text("\n", encoding="utf-8")
    monkeypatch.setenv(f"{variable}_FILE", str(empty))
    with pytest.raises(ConfigurationError, match="which is empty"):
        load_settings()


def test_what_is_no_secret_comes_in_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_API_HOST_FILE", "/etc/hostname")
    with pytest.raises(ConfigurationError, match="host_file"):
        load_settings()
