"""ZIP archives: which files are some, and what is in one, unpacked within bounds."""

import zlib
from collections.abc import Generator
from contextlib import contextmanager
from io import FileIO
from itertools import takewhile
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from graphmem.errors import InvalidInput, TooLarge

MOST_ENTRIES = 50_000
MOST_FOLDERS = 10_000
MOST_UNPACKED = 4 * 1024**3
"""Bytes of all that is in an archive."""
_LONGEST_LIST = 8 * 1024 * 1024
"""Bytes of the list of what is in an archive, which is read as a whole."""
_DEEPEST = 32
_PIECE = 1024 * 1024
_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
"""How an archive begins, and an empty one."""
_OF_MACOS = "__MACOSX/"
_PACKINGS = {ZIP_STORED, ZIP_DEFLATED}
"""Ways of packing that ``zipfile`` unpacks a piece at a time."""
BROKEN = (BadZipFile, EOFError, OSError, RuntimeError, ValueError, zlib.error)
"""What is raised for an archive that is damaged or encrypted."""
_INSTEAD = "Unpack it, and hand in what is in it."


class _Bounded(FileIO):
    """An archive that is not read where the list of what is in it is too long: it is read before it is counted."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > _LONGEST_LIST:
            raise TooLarge(f"{Path(str(self.name)).name} has more than {MOST_ENTRIES} files. {_INSTEAD}")
        return super().read(size) or b""


@contextmanager
def opened_archive(path: Path) -> Generator[ZipFile]:
    """An archive whose list of what is in it is read.

    Raises:
        InvalidInput: it is broken, or packed in an unusual way.
        TooLarge: it has more than ``MOST_ENTRIES``.
    """
    with _Bounded(path) as file:
        try:
            archive = ZipFile(file)
        except BROKEN as error:
            raise InvalidInput(f"{path.name} cannot be read as ZIP: {error}.") from error
        with archive:
            if len(archive.infolist()) > MOST_ENTRIES:
                raise TooLarge(f"{path.name} has more than {MOST_ENTRIES} files. {_INSTEAD}")
            if not {entry.compress_type for entry in archive.infolist()} <= _PACKINGS:
                raise InvalidInput(f"{path.name} is packed in a way that is not read here. {_INSTEAD}")
            yield archive


def is_docx(path: Path) -> bool:
    """Whether an archive is a Word document."""
    try:
        with opened_archive(path) as archive:
            return "word/document.xml" in archive.namelist()
    except (InvalidInput, TooLarge):
        return False


def is_archive(path: Path) -> bool:
    """Whether a path is a ZIP of files, which a Word document is not."""
    try:
        with path.open("rb") as file:
            return file.read(4) in _MAGIC and not is_docx(path)
    except OSError:  # of a folder, or of what cannot be read, whose reader says so
        return False


def require_size(archive: ZipFile, name: str, most_bytes: int) -> None:
    """Raises ``TooLarge`` where an archive says that there is more in it; no more than it says is ever unpacked."""
    if sum(entry.file_size for entry in archive.infolist()) > most_bytes:
        raise TooLarge(f"{name} has more than {most_bytes} bytes once it is unpacked. {_INSTEAD}")


def unpack(path: Path, folder: Path, most_bytes: int = MOST_UNPACKED) -> Path:
    """Write what is in an archive into a new folder. Returns that, or the folder that is all there is in it.

    Raises:
        InvalidInput: it is broken or encrypted, or names a place outside of itself.
        TooLarge: it has more than ``MOST_ENTRIES``, ``MOST_FOLDERS`` or ``most_bytes``.
    """
    folder.mkdir()
    folders = set[PurePosixPath]()
    with opened_archive(path) as archive:
        require_size(archive, path.name, most_bytes)
        for entry in archive.infolist():
            if entry.is_dir() or entry.filename.startswith(_OF_MACOS):
                continue
            try:
                place = _place(entry)
                _note_folders(place, folders, path.name)
                _write(archive, entry, folder / place)
            except BROKEN as error:
                why = error.strerror if isinstance(error, OSError) else error
                raise InvalidInput(f"{path.name}: {entry.filename[:200]!r} cannot be unpacked: {why}.") from error
    while len(inside := list(folder.iterdir())) == 1 and inside[0].is_dir():
        (folder,) = inside
    return folder


def _place(entry: ZipInfo) -> PurePosixPath:
    """Raises ``ValueError`` where an entry names a place outside of the folder."""
    place = PurePosixPath(entry.filename.replace("\\", "/"))
    if place.is_absolute() or ".." in place.parts or len(place.parts) > _DEEPEST:
        raise ValueError(f"a path within it, of at most {_DEEPEST} steps, was expected")
    return place


def _note_folders(place: PurePosixPath, folders: set[PurePosixPath], name: str) -> None:
    """Note the folders of a place. Raises ``TooLarge`` where an archive has too many: a path of it may make 31."""
    folders.update(takewhile(lambda folder: folder not in folders, place.parents))
    if len(folders) > MOST_FOLDERS:
        raise TooLarge(f"{name} has more than {MOST_FOLDERS} folders. {_INSTEAD}")


def _write(archive: ZipFile, entry: ZipInfo, target: Path) -> None:
    """Write an entry. No link is made, nothing replaced."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(entry) as packed, target.open("xb") as file:
        while piece := packed.read(_PIECE):
            file.write(piece)
