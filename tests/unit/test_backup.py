"""Backups: what they have, what is refused, and that each comes about whole or not at all. Neo4j's part is a fake."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graphmem.client.cli import app
from graphmem.errors import Conflict, GraphmemError, InvalidInput, LocalServerError, NotFound
from graphmem.local.backup import MANIFEST, SETTINGS, back_up, read_manifest, restore
from graphmem.local.layout import DataDir
from graphmem.local.state import hold

SECRETS = {"neo4j-password": "p\n", "api-token": "t\n", "installation": "0123456789abcdef\n"}
STORE = Path("data", "databases", "neo4j")
Change = Callable[[Path], object]


@dataclass
class Dumps:
    """Copies a store of one file; ``fails`` once it has written."""

    fails: bool = False

    def dump(self, home: Path, folder: Path) -> None:
        (folder / "neo4j.dump").write_bytes((home / STORE / "store").read_bytes())
        self._end()

    def load(self, home: Path, folder: Path) -> None:
        (home / STORE).mkdir(parents=True)
        (home / STORE / "store").write_bytes((folder / "neo4j.dump").read_bytes())
        self._end()

    def _end(self) -> None:
        if self.fails:
            raise LocalServerError("It failed.")


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    data = DataDir(tmp_path / "data")
    data.create()
    (data.neo4j / STORE).mkdir(parents=True)
    (data.neo4j / STORE / "store").write_bytes(b"what was said")
    for name, secret in SECRETS.items():
        (data.secrets / name).write_text(secret)
    data.ports.write_text('{"api": 1, "bolt": 2, "http": 3}')
    return data


@pytest.fixture
def backup(data: DataDir, tmp_path: Path) -> Path:
    folder = tmp_path / "backups" / "monday"
    back_up(data, folder, Dumps(), written={"api": {"port": 8000}}, secret=None)
    return folder


@pytest.fixture
def elsewhere(tmp_path: Path) -> DataDir:
    return DataDir(tmp_path / "elsewhere")


def files(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_a_backup_has_the_dump_the_secrets_and_the_settings_for_its_owner_alone(backup: Path) -> None:
    kept = {"neo4j.dump", "ports.json", SETTINGS, MANIFEST, *(f"secrets/{name}" for name in SECRETS)}
    assert files(backup).keys() == kept
    assert json.loads((backup / SETTINGS).read_text()) == {"api": {"port": 8000}}
    assert {path.stat().st_mode & 0o077 for path in (backup, *backup.rglob("*")) if path.name != "neo4j.dump"} == {0}
    assert [path.name for path in backup.parent.iterdir()] == ["monday"]


def test_what_is_restored_is_what_was_backed_up(backup: Path, data: DataDir, elsewhere: DataDir) -> None:
    (backup / "secrets" / "guide-key").write_text("somebody put it there")
    restore(elsewhere, backup, Dumps(), secret=None)
    restored = files(elsewhere.root)
    assert {name: text for name, text in files(data.root).items() if "lock" not in name} == restored
    assert {path.stat().st_mode & 0o077 for path in (elsewhere.root, *elsewhere.root.iterdir())} == {0}


def test_a_secret_of_the_settings_is_in_the_backup_too(data: DataDir, tmp_path: Path) -> None:
    folder, secret = tmp_path / "b", "another-secret-of-keys"
    back_up(data, folder, Dumps(), written={}, secret=secret)
    assert (folder / "secrets" / "installation").read_text() == secret
    with pytest.raises(Conflict, match=r"keys\.secret"):
        restore(DataDir(tmp_path / "other"), folder, Dumps(), secret="a-third-secret-of-keys")
    restore(DataDir(tmp_path / "same"), folder, Dumps(), secret=secret)


def test_where_something_runs_or_is_or_nothing_was_stored_no_backup_is_made(data: DataDir, tmp_path: Path) -> None:
    target = tmp_path / "b"
    with hold(data), pytest.raises(Conflict, match="graphmem down"):
        back_up(data, target, Dumps(), written={}, secret=None)
    with pytest.raises(NotFound):
        back_up(DataDir(tmp_path / "unused"), target, Dumps(), written={}, secret=None)
    with pytest.raises(Conflict, match="not empty"):
        back_up(data, data.root, Dumps(), written={}, secret=None)
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


def test_a_neo4j_of_ones_own_is_not_backed_up(data: DataDir, tmp_path: Path) -> None:
    for command in ("backup", "restore"):
        arguments = (command, str(tmp_path), "--data-dir", str(data.root))
        refused = CliRunner().invoke(app, arguments, env={"NEO4J_URI": "bolt://127.0.0.1:1"})
        assert isinstance(refused.exception, Conflict)


def damage(name: str, text: str) -> Change:
    return lambda backup: (backup / name).write_text(text)


def manifest(**changed: object) -> Change:
    return lambda backup: (backup / MANIFEST).write_text(
        json.dumps({**json.loads((backup / MANIFEST).read_text()), **changed})
    )


NO_BACKUPS: dict[str, tuple[Change, str]] = {
    "no manifest": (lambda backup: (backup / MANIFEST).unlink(), "is no backup"),
    "a manifest that is cut off": (damage(MANIFEST, '{"form": 1'), "is no backup"),
    "another form": (manifest(form=2), "is no backup"),
    "a file from outside": (manifest(files={"../x": {"size": 0, "sha256": ""}}), "is no backup"),
    "no dump": (lambda backup: (backup / "neo4j.dump").unlink(), "damaged: neo4j.dump"),
    "another dump": (damage("neo4j.dump", "what was sold"), "damaged: neo4j.dump"),
    "another secret": (damage("secrets/installation", "f" * 17), "damaged: secrets/installation"),
    "a newer Neo4j": (manifest(neo4j_version="2999.01.0"), "Neo4j 2999.01.0"),
}


@pytest.mark.parametrize("kind", NO_BACKUPS)
def test_what_is_no_whole_backup_is_refused_before_anything_is_written(
    backup: Path, elsewhere: DataDir, kind: str
) -> None:
    change, why = NO_BACKUPS[kind]
    change(backup)
    with pytest.raises(InvalidInput, match=why):
        restore(elsewhere, backup, Dumps(), secret=None)
    assert not elsewhere.root.exists()


def test_a_link_is_no_file_of_a_backup(backup: Path, tmp_path: Path) -> None:
    (backup / "neo4j.dump").rename(tmp_path / "dump")
    (backup / "neo4j.dump").symlink_to(tmp_path / "dump")
    with pytest.raises(InvalidInput, match="damaged"):
        read_manifest(backup)


def test_nothing_is_restored_over_anything(backup: Path, data: DataDir) -> None:
    before = files(data.root)
    with pytest.raises(Conflict, match="not empty"):
        restore(data, backup, Dumps(), secret=None)
    assert files(data.root) == before


def test_what_fails_leaves_nothing_and_what_was_killed_is_in_nobodys_way(
    backup: Path, data: DataDir, elsewhere: DataDir, tmp_path: Path
) -> None:
    with pytest.raises(GraphmemError, match="It failed"):
        restore(elsewhere, backup, Dumps(fails=True), secret=None)
    with pytest.raises(GraphmemError, match="It failed"):
        back_up(data, tmp_path / "b", Dumps(fails=True), written={}, secret=None)
    assert {path.name for path in tmp_path.iterdir()} == {"data", "backups"}

    killed = DataDir(tmp_path / ".elsewhere.restoring")
    killed.create()
    (killed.neo4j / "half").write_text("half")
    elsewhere.root.mkdir()
    restore(elsewhere, backup, Dumps(), secret=None)
    assert "neo4j/half" not in files(elsewhere.root)
