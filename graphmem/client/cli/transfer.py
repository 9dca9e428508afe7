"""Commands that write a group to a file, and fill one from a file."""

import gzip
import json
import os
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmem.client.cli.options import ServiceOptions
from graphmem.client.cli.printing import progress_bar, say
from graphmem.errors import Conflict, Importing, InvalidInput, UnavailableError

if TYPE_CHECKING:
    from graphmem.answers.groups import ImportOut

_PIECE = 256 * 1024
_GZIP = 16 + zlib.MAX_WBITS
_PAUSES = (2, 4, 8, 16, 32, 32)
"""Seconds before an import is sent again: together more than a server keeps a group for a run that was killed."""
_POSITION = b'{"type":"position"'
GroupArgument = Annotated[str, typer.Argument(help="The group (tenant).")]


def export(
    asked: ServiceOptions,
    group: GroupArgument,
    file: Annotated[Path, typer.Argument(help="Where to; packed, if its name ends in .gz.")],
    *,
    user: Annotated[str | None, typer.Option(help="Only what this user may see.")] = None,
    known_at: Annotated[str | None, typer.Option(help="As known then: a day or RFC 3339; default: now.")] = None,
    vectors: Annotated[bool, typer.Option("--vectors", help="With vectors: larger, and sooner imported.")] = False,
) -> None:
    """Write everything that a group has to a file, one thing a line.

    A file that is there is never overwritten. What broke off stands in FILE.part: run again, it goes on from there.

    Example: graphmem export team-1 team-1.ndjson.gz
    """
    if file.exists():
        raise Conflict(f"{file} is there already. Name another one, or take it away.")
    part = file.with_name(f"{file.name}.part")
    lines = _begun(part, group, user)
    with asked.client() as client, part.open("ab") as out, progress_bar("Exporting") as progress:
        task = progress.add_task("Exporting", total=None)
        for piece in client.export(group, user=user, known_at=known_at, vectors=vectors, after=lines.after):
            out.write(piece)
            lines.add(piece)
            progress.update(task, total=lines.total, completed=lines.counted)
    if not lines.ended:
        raise InvalidInput(f"The export broke off. Run it again: it goes on after what stands in {part}.")
    if file.suffix == ".gz":
        _pack(part)
    part.rename(file)
    say(f"Group {group} is in {file}: {lines.things} things, as known at {lines.known_at}.")


def _pack(part: Path) -> None:
    packing = part.with_name(f"{part.name}.gz")
    with part.open("rb") as plain, gzip.open(packing, "wb") as packed:
        shutil.copyfileobj(plain, packed)
    packing.replace(part)


def _begun(part: Path, group: str, user: str | None) -> "_Lines":
    """What stands in a part of a file, up to the last position; nothing where there is none.

    Raises:
        Conflict: it is a part of another file.
    """
    lines, whole = _Lines(), _Lines()
    if not part.exists():
        return whole
    size = kept = 0
    with part.open("rb") as content:
        for line in content:
            size += len(line)
            lines.add(line)
            if line.startswith(_POSITION) and line.endswith(b"\n"):
                kept, whole = size, copy(lines)
    if kept and (whole.group, whole.user) != (group, user):
        raise Conflict(f"{part} is a part of another file. Take it away.")
    os.truncate(part, kept)
    return whole


def restore(
    asked: ServiceOptions,
    file: Annotated[Path, typer.Argument(help="An exported file; packed, if its name ends in .gz.", exists=True)],
    group: Annotated[str | None, typer.Argument(help="The group (tenant); default: that of the file.")] = None,
) -> None:
    """Fill a group that is new or empty from an exported file.

    If the connection breaks, the file is sent again by itself; so it may be by hand. What is in of it is passed over.

    Example: graphmem import team-1.ndjson.gz
    """
    packed = file.suffix == ".gz"
    with asked.client() as client, progress_bar("Importing") as progress:
        task = progress.add_task("Importing (bytes)", total=file.stat().st_size)

        def pieces() -> Iterator[bytes]:
            for piece in _pieces(file):
                progress.advance(task, len(piece))
                yield piece

        name = group or _group_of(file, packed=packed)

        def send() -> "ImportOut":
            progress.reset(task)
            return client.restore(name, pieces(), packed=packed)

        report = _sent(send)
    _tell(report)


def _sent(send: "Callable[[], ImportOut]") -> "ImportOut":
    """What comes of an import, sent again while the service is away or has not let go of it."""
    for pause in _PAUSES:
        try:
            return send()
        except (UnavailableError, Importing) as error:
            say(f"{error} The file is sent again in {pause} s; what is in of it is passed over.", err=True)
            sleep(pause)
    return send()


def _tell(report: "ImportOut") -> None:
    say(f"Group {report.group} is as it was known at {report.known_at.isoformat()}: {_counted(report.counts)}.")
    if report.differences_total:
        say(f"{report.differences_total} beliefs are not what the claims of the file amount to here:", err=True)
        for one in report.differences:
            say(f"  only in the {one.only_in}: {one.belief_id} ({one.predicate} of {one.subject_id})", err=True)
    if report.forgotten_total:
        say(
            f"{report.forgotten_total} episodes stayed out, with all that rests on them: they were forgotten here, or "
            "their user opted out.",
            err=True,
        )


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in counts.items()) or "nothing"


def _pieces(file: Path) -> Iterator[bytes]:
    with file.open("rb") as content:
        while piece := content.read(_PIECE):
            yield piece


def _group_of(file: Path, *, packed: bool) -> str:
    """The group of which a file is.

    Raises:
        InvalidInput: its first line does not say.
    """
    header = b""
    for piece in _unpacked(_pieces(file), packed=packed):
        header += piece
        if b"\n" in header:
            break
    try:
        return str(json.loads(header.partition(b"\n")[0])["name"])
    except (ValueError, KeyError, TypeError):
        raise InvalidInput(f"{file} is no exported group: its first line does not name one.") from None


def _unpacked(pieces: Iterable[bytes], *, packed: bool) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(wbits=_GZIP)
    for piece in pieces:
        yield unpacker.decompress(piece) if packed else piece


class _Lines:
    """Looks at lines as they come: how many things there are, where it could go on, and whether the end is there."""

    def __init__(self) -> None:
        self._rest = b""
        self.things = self.counted = 0
        self.total: int | None = None
        self.group = self.known_at = ""
        self.user: str | None = None
        self.after: str | None = None
        self.ended = False

    def add(self, piece: bytes) -> None:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            self._look_at(line)

    def _look_at(self, line: bytes) -> None:
        if line.startswith(b'{"type":"header"'):
            header: dict[str, Any] = json.loads(line)
            self.group, self.user, self.known_at = header["name"], header["user"], header["known_at"]
            self.total = sum(header["counts"].values())
        elif line.startswith(_POSITION):
            self.after = json.loads(line)["after"]
        elif line.startswith(b'{"type":"end"'):
            self.ended = True
        else:
            self.things += 1
            self.counted += line.startswith((b'{"type":"episode"', b'{"type":"claim"'))
