"""Which files settings are read from: one that is named, the user's own, and one of a folder, once it is trusted."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from graphmem.client.cli import app
from graphmem.errors import ConfigurationError
from graphmem.local.layout import DataDir
from graphmem.local.ports import Ports
from graphmem.local.process import Service
from graphmem.local.state import Event
from graphmem.local.supervise import Supervisor
from graphmem.settings import files as settings_files
from graphmem.settings import load_settings, written_settings


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own file."""
    monkeypatch.delenv("GRAPHMEM_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(settings_files, "_noticed", set[str]())
    path = tmp_path / "config" / "graphmem" / "graphmem.toml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def found(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in the working directory."""
    del own
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    path = tmp_path / "work" / "graphmem.toml"
    path.write_text('[mcp]\ngroup = "found"\n')
    return path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_the_users_own_file_is_read(own: Path) -> None:
    own.write_text('[mcp]\ngroup = "mine"\n')
    assert load_settings().mcp.group == "mine"


def test_a_trusted_file_wins_over_ones_own_key_by_key_and_a_named_one_is_read_alone(
    own: Path, found: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own.write_text('[mcp]\ngroup = "mine"\nuser = "maya"\n[prices."a/b"]\ninput = 1\ncached = 1\noutput = 1\n')
    settings_files.trust(found)
    settings = load_settings()
    assert (settings.mcp.group, settings.mcp.user, [*settings.prices]) == ("found", "maya", ["a/b"])
    monkeypatch.setenv("GRAPHMEM_MCP_GROUP", "environment")
    assert load_settings().mcp.group == "environment"
    monkeypatch.delenv("GRAPHMEM_MCP_GROUP")

    monkeypatch.setenv("GRAPHMEM_CONFIG", str(found))
    assert (load_settings().mcp.group, load_settings().mcp.user) == ("found", None)


def test_trust_is_in_a_file_as_it_was(found: Path, own: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert load_settings().mcp.group == "default"
    assert "is not read. It may be somebody else's." in capfd.readouterr().err
    assert "  mcp.group" in run("admin", "trust").output
    assert load_settings().mcp.group == "found"
    assert (own.parent / "trusted.json").stat().st_mode & 0o777 == 0o600

    found.write_text(found.read_text() + 'url = "http://127.0.0.1:1"\n')
    settings_files._noticed.clear()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - as in another process
    assert load_settings().mcp.url is None
    assert "It has changed since you trusted it." in capfd.readouterr().err
    run("admin", "trust")
    assert load_settings().mcp.url == "http://127.0.0.1:1"
    assert "is trusted no longer" in run("admin", "trust", "--off").output
    assert load_settings().mcp.group == "default"
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("text", ["[", '[mcp]\ngrupe = "x"\n', "\x00", "data_dir = 3"])
def test_what_is_no_settings_breaks_no_command_and_is_not_trusted(found: Path, text: str) -> None:
    found.write_text(text)
    assert load_settings().mcp.group == "default"
    assert isinstance(run("admin", "trust").exception, ConfigurationError)
    assert load_settings().mcp.group == "default"


def test_damaged_trust_trusts_nothing_and_is_said(found: Path, own: Path, capfd: pytest.CaptureFixture[str]) -> None:
    del found
    (own.parent / "trusted.json").write_text("{")
    assert load_settings().mcp.group == "default"
    assert "trusted.json' is damaged. Remove it" in capfd.readouterr().err


def test_neither_a_folder_of_that_name_nor_ones_own_folder_is_worth_a_word(
    own: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    own.write_text('[mcp]\ngroup = "mine"\n')
    monkeypatch.chdir(own.parent)
    assert load_settings().mcp.group == "mine"
    (own.parent / "elsewhere" / "graphmem.toml").mkdir(parents=True)
    monkeypatch.chdir(own.parent / "elsewhere")
    assert load_settings().mcp.group == "mine"
    assert capfd.readouterr().err == ""


def test_relative_paths_in_a_file_lead_from_its_folder(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own.write_text(
        'data_dir = "data"\n[search]\nweights = "w.toml"\n[context]\ntokenizer = "t.json"\n[embedding]\npath = "m"\n'
        '[embedding.fallback]\nprovider = "local"\npath = "f"\n'
    )
    monkeypatch.chdir(tmp_path)
    settings = load_settings()
    fallback = settings.embedding.fallback
    paths = (settings.data_dir, settings.search.weights, settings.context.tokenizer, settings.embedding.path)
    assert (*paths, fallback and fallback.path) == tuple(
        own.parent / name for name in ("data", "w.toml", "t.json", "m", "f")
    )


@pytest.mark.parametrize("named", ["option", "variable"])
def test_a_named_file_is_what_a_command_and_its_children_read(
    found: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, named: str
) -> None:
    found.write_text(f'data_dir = "{tmp_path}/named"\n')
    if named == "variable":
        monkeypatch.setenv("GRAPHMEM_CONFIG", "graphmem.toml")
    done = run("status", *(["--config", "graphmem.toml"] if named == "option" else []))
    assert done.output == f"Nothing runs for {tmp_path}/named. Start it with `graphmem up`.\n"


def test_programs_of_the_supervisor_read_what_it_read(
    found: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check_server(*_arguments: object) -> str:
        return "2026.09.0"

    monkeypatch.setattr("graphmem.store.driver.check_server", check_server)
    settings_files.trust(found)
    written, events, seen = written_settings(), list[Event](), list[tuple[str, int]]()
    found.write_text("[")  # nobody reads it again

    def programs(_data: DataDir, _ports: Ports, environ: Mapping[str, str]) -> tuple[Service, ...]:
        path = Path(environ["GRAPHMEM_CONFIG"])
        seen.append((load_settings(written=written_settings(path)).mcp.group, path.stat().st_mode & 0o777))
        return ()

    settings = load_settings(
        written=written, data_dir=tmp_path / "data", neo4j={"uri": "bolt://127.0.0.1:1"}, redis={"url": "redis://"}
    )
    data = DataDir(settings.data_dir)
    done = lambda: any(event.kind == "ready" for event in events)  # noqa: E731 - a question in passing
    Supervisor(data, settings, {}, events.append, done, programs, written=written).run()

    assert seen == [("found", 0o600)]
    assert not data.settings.exists()


def test_a_file_that_is_named_and_not_there_is_said(found: Path) -> None:
    del found
    done = run("status", "--config", "nowhere.toml")
    assert (done.exit_code, "nowhere.toml" in str(done.exception)) == (1, True)


def test_who_has_no_home_has_no_file_of_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GRAPHMEM_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", "config")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config" / "graphmem").mkdir(parents=True)
    (tmp_path / "config" / "graphmem" / "graphmem.toml").write_text('[mcp]\ngroup = "found"\n')
    assert load_settings().mcp.group == "default"
