"""Backups of a data directory whose Neo4j graphmem runs: made and brought back while nothing runs.

A backup is a folder with Neo4j's own dump, the secrets that the memory needs, the ports, the settings of files, and a
manifest with the SHA-256 of each. The queue is not in it: the work to do is in Neo4j, and found again.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from graphmem import __version__
from graphmem.clock import utc_now
from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.local.layout import DataDir, private_folder, storage_errors
from graphmem.local.neo4j.admin import DATABASE
from graphmem.local.neo4j.server import pinned_version
from graphmem.local.state import AlreadyRunning, LocalState, hold
from graphmem.private_files import read_secret, write_private
from graphmem.process.fetch import checksum

MANIFEST = "manifest.json"
SETTINGS = "settings.json"
_DUMP = f"{DATABASE}.dump"
_SECRETS = "secrets"
_PASSWORD = f"{_SECRETS}/neo4j-password"
_INSTALLATION = f"{_SECRETS}/installation"
_PORTS = "ports.json"
_KEPT = (_PASSWORD, _INSTALLATION, f"{_SECRETS}/api-token", f"{_SECRETS}/guide-key", _PORTS)
"""What is kept of a data directory as it is, under the same names."""
_REQUIRED = frozenset({_DUMP, _PASSWORD, SETTINGS})


def _only_known(files: "dict[str, BackedUpFile]") -> "dict[str, BackedUpFile]":
    if not _REQUIRED <= files.keys() <= _REQUIRED | {*_KEPT}:
        raise ValueError("it names other files than a backup has")
    return files


class BackedUpFile(BaseModel):
    """One file of a backup: its bytes, and their SHA-256."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    size: int = Field(ge=0)
    sha256: str

    @classmethod
    def of(cls, path: Path) -> "BackedUpFile":
        return cls(size=path.stat().st_size, sha256=checksum(path))


class BackupManifest(BaseModel):
    """What a backup has, by name, and who made it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    form: Literal[1] = 1
    graphmem_version: str
    neo4j_version: str = Field(pattern=r"^\d+(\.\d+)*$")
    made_at: datetime
    files: Annotated[dict[str, BackedUpFile], AfterValidator(_only_known)]


class Dumps(Protocol):
    """Dumps the database of a Neo4j that does not run into a folder, and loads it from there."""

    def dump(self, home: Path, folder: Path) -> None: ...

    def load(self, home: Path, folder: Path) -> None: ...


def back_up(
    data: DataDir, folder: Path, dumps: Dumps, *, written: Mapping[str, Any], secret: str | None
) -> BackupManifest:
    """Make a backup in a folder that is not there or empty: all of it, or nothing.

    ``written`` is what files of settings say, ``secret`` the ``keys.secret`` of the settings, if they have one.

    Raises:
        Conflict: something runs, or something is in the folder.
        NotFound: nothing was ever stored in the data directory.
        LocalServerError: the database cannot be dumped, or the disk does not take it.
    """
    _check_empty(folder)
    if not (data.neo4j / "data" / "databases" / DATABASE).is_dir():
        raise NotFound(f"Nothing is stored in {data.root} yet: there is nothing to back up.")
    with storage_errors(folder), _held(data), _drafted(folder, "part") as draft:
        _check_stopped(data)
        dumps.dump(data.neo4j, draft)
        _copy(data.root, draft, _KEPT)
        _write(draft / SETTINGS, json.dumps(written, indent=2))
        if secret:
            _write(draft / _INSTALLATION, secret)
        files = {name: draft / name for name in (_DUMP, SETTINGS, *_KEPT)}
        manifest = BackupManifest(
            graphmem_version=__version__,
            neo4j_version=pinned_version(),
            made_at=utc_now(),
            files={name: BackedUpFile.of(path) for name, path in files.items() if path.exists()},
        )
        _write(draft / MANIFEST, manifest.model_dump_json(indent=2))
    return manifest


def restore(data: DataDir, folder: Path, dumps: Dumps, *, secret: str | None) -> BackupManifest:
    """Make a data directory that is not there or empty of a backup: all of it, or nothing.

    ``secret`` is the ``keys.secret`` of the settings, if they have one.

    Raises:
        Conflict: the data directory has something in it, or the backup has another secret.
        InvalidInput: it is no backup, is damaged, or was made by a newer Neo4j.
        LocalServerError: the database cannot be loaded, or the disk does not take it.
    """
    _check_empty(data.root)
    manifest = read_manifest(folder)
    kept = read_secret(folder / _INSTALLATION)
    if secret and kept and secret != kept:
        raise Conflict(
            "keys.secret of the settings is not that of the backup: no key would open anything any more, and what was "
            f"forgotten could come in again. Unset it, or set it to what stands in {folder / _INSTALLATION}."
        )
    with storage_errors(data.root), _drafted(data.root, "restoring") as draft:
        restored = DataDir(draft)
        restored.create()
        _copy(folder, draft, (name for name in _KEPT if name in manifest.files))
        dumps.load(restored.neo4j, folder)
    return manifest


def read_manifest(folder: Path) -> BackupManifest:
    """The manifest of a backup, once every file is what it says.

    Raises:
        InvalidInput: it is no backup, is damaged, or was made by a newer Neo4j.
    """
    try:
        manifest = BackupManifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (OSError, ValidationError) as error:
        raise InvalidInput(f"{folder} is no backup: {MANIFEST} is missing, or cannot be understood.") from error
    if _numbers(manifest.neo4j_version) > _numbers(pinned_version()):
        raise InvalidInput(
            f"{folder} was made by Neo4j {manifest.neo4j_version}, which {pinned_version()} cannot read. Restore it "
            f"with graphmem {manifest.graphmem_version} or newer."
        )
    for name, file in manifest.files.items():
        path = folder / name
        if path.is_symlink() or not path.is_file() or BackedUpFile.of(path) != file:
            raise InvalidInput(f"{folder} is damaged: {name} is not what was backed up. Take another backup.")
    return manifest


def _check_empty(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Conflict(f"{folder} is there already, and not empty. Name another folder, or move it away.")


def _check_stopped(data: DataDir) -> None:
    state = LocalState.read(data.root)
    if state is not None and any(service.process.is_alive() for service in state.services):
        raise _running(data)


def _running(data: DataDir) -> Conflict:
    return Conflict(f"{data.root} is in use. Stop what runs with `graphmem down`, and try again.")


@contextmanager
def _held(data: DataDir) -> Generator[None]:
    try:
        with hold(data):
            yield
    except AlreadyRunning as error:
        raise _running(data) from error


@contextmanager
def _drafted(folder: Path, suffix: str) -> Generator[Path]:
    """A private, empty folder beside ``folder``, whose place it takes once the block ends well.

    Raises:
        Conflict: another process writes there.
    """
    draft = folder.with_name(f".{folder.name}.{suffix}")
    private_folder(draft)
    held = os.open(draft, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _clear(draft)  # of what a run that was killed left
        try:
            yield draft
            os.sync()  # a name must not be on the disk before what it names
            draft.replace(folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except BlockingIOError as error:
        raise Conflict(f"Another process writes {draft}. Wait until it has ended.") from error
    finally:
        os.close(held)


def _clear(folder: Path) -> None:
    for left in folder.iterdir():
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left)
        else:
            left.unlink()


def _copy(source: Path, target: Path, names: Iterable[str]) -> None:
    for name in names:
        with suppress(FileNotFoundError):
            _write(target / name, (source / name).read_text("utf-8"))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_private(path, text)


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
