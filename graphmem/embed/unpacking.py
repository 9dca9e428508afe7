"""Files of a model out of an archive, once, into a cache of the user: from there they are mapped, not read."""

import fcntl
import hashlib
import shutil
import zipfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from platformdirs import user_cache_path

from graphmem.errors import ModelUnavailable

_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Member:
    """A file in the archive, the name it gets, and its SHA-256."""

    name: str
    file: str
    sha256: str


def models_folder() -> Path:
    return user_cache_path("graphmem") / "models"


def unpack(archive: Path | IO[bytes], members: Sequence[Member], folder: Path) -> Path:
    """The folder, with every member in it. It appears when all of them are there and have their checksums.

    Raises:
        ModelUnavailable: a member is missing or has another checksum, or the cache cannot be written.
    """
    if folder.is_dir():
        return folder
    try:
        with _exclusive(folder), zipfile.ZipFile(archive) as opened:
            if not folder.is_dir():
                draft = folder.with_name(f".{folder.name}")
                shutil.rmtree(draft, ignore_errors=True)
                draft.mkdir()
                for member in members:
                    _extract(opened, member, draft / member.file)
                draft.rename(folder)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise ModelUnavailable(f"The embedding model cannot be unpacked into {folder}: {error}") from error
    return folder


@contextmanager
def _exclusive(folder: Path) -> Generator[None]:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _extract(archive: zipfile.ZipFile, member: Member, to: Path) -> None:
    digest = hashlib.sha256()
    with archive.open(member.name) as source, to.open("wb") as target:
        while piece := source.read(_CHUNK):
            digest.update(piece)
            target.write(piece)
    if digest.hexdigest() != member.sha256:
        raise ModelUnavailable(f"{member.name} of the embedding model does not have the pinned checksum.")
