"""Words that are left in the files of the managed servers, as bytes; what these pack or cut into blocks is not seen."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from graphmem.local.layout import DataDir

_CHUNK = 1 << 20


def traces(root: Path, words: Sequence[str]) -> Mapping[str, list[int]]:
    """Which of some words stand in files of a data directory, by their numbers; by the paths of these files.

    A word is found in UTF-8 and UTF-16, its ASCII letters capital or small. What cannot be read is left out.
    """
    folder = DataDir(root)
    kinds = [[word.lower().encode(encoding) for encoding in ("utf-8", "utf-16-le")] for word in words]
    found = dict[str, list[int]]()
    for part in (folder.neo4j, folder.valkey, folder.logs):
        for path in sorted(path for path in part.rglob("*") if path.is_file() and not path.is_symlink()):
            if numbers := _found(path, kinds):
                found[str(path.relative_to(root))] = numbers
    return found


def _found(path: Path, kinds: Sequence[Sequence[bytes]]) -> list[int]:
    longest = max((len(way) for ways in kinds for way in ways), default=1)
    numbers = set[int]()
    for chunk in _chunks(path, longest - 1):
        lower = chunk.lower()
        numbers |= {number for number, ways in enumerate(kinds) if any(way in lower for way in ways)}
    return sorted(numbers)


def _chunks(path: Path, overlap: int) -> Iterator[bytes]:
    """The content in parts, each with the end of the one before."""
    try:
        with path.open("rb") as file:
            before = b""
            while chunk := file.read(_CHUNK):
                yield before + chunk
                before = (before + chunk)[-overlap:] if overlap else b""
    except OSError:
        return
