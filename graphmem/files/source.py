"""A file, its beginning, and what is in it: text, lines, values of JSON, each as it is needed and never all of it."""

import codecs
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from io import TextIOBase
from itertools import takewhile
from pathlib import Path
from typing import IO, Any, Self, cast

import ijson

from graphmem.errors import ConfigurationError, InvalidInput
from graphmem.files.turns import FileTurn, Notes, ReadingOptions

DOCS = "docs/files.md"
_HEAD = 256 * 1024
_DEEPEST = 5
_LINES = 20
_LONGEST_READ_AGAIN = 64 * 1024 * 1024
_BOMS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""The longer ones first: that of UTF-32 begins with one of UTF-16."""
_SCALARS = {"string", "number", "boolean", "null"}
Object = dict[str, Any]
TurnsOf = Callable[[int, Any], Iterator[FileTurn]]


def library(name: str) -> Any:
    """A library that comes with the extra ``files``."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"Files of this kind are read with {name}, which is not installed: pip install 'graphmem[files]'."
        ) from error


@dataclass
class Source:
    """A file or folder to read turns from, and where a reader says what it leaves out."""

    path: Path
    options: ReadingOptions
    notes: Notes = field(default_factory=Notes)

    @property
    def name(self) -> str:
        """What a conversation is named by that has no id: the file, without the number of a second download."""
        return re.sub(r"\s*\(\d+\)$", "", self.path.stem)

    @cached_property
    def head(self) -> bytes:
        try:
            with self.path.open("rb") as file:
                return file.read(_HEAD)
        except OSError as error:
            raise InvalidInput(f"{self.path} cannot be read: {error.strerror}.") from error

    @cached_property
    def encoding(self) -> str:
        bom = next((name for mark, name in _BOMS.items() if self.head.startswith(mark)), None)
        if bom or not self.head:
            return bom or "utf-8"
        if b"\0" in self.head[:64]:
            return "utf-16-le" if self.head[1:2] == b"\0" else "utf-16-be"
        sample = self._not_utf8()
        return "utf-8" if sample is None else self._guessed(sample)

    def _not_utf8(self) -> bytes | None:
        """The first part of the file that is not UTF-8."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        with self.path.open("rb") as file:
            while part := file.read(_HEAD):
                try:
                    decoder.decode(part)
                except UnicodeDecodeError:
                    return part
        return None

    def _guessed(self, sample: bytes) -> str:
        found = library("charset_normalizer").from_bytes(sample).best()
        alike = [found.encoding, *found.could_be_from_charset] if found else ["cp1252"]
        name = "cp1252" if "cp1252" in alike or "latin_1" in alike else alike[0]
        self.notes.guessed[self.path] = name
        return name

    @cached_property
    def start(self) -> str:
        """The beginning, as text."""
        decoder = codecs.getincrementaldecoder(self.encoding)("replace")
        return decoder.decode(self.head).lstrip("\ufeff")

    @cached_property
    def keys(self) -> frozenset[str]:
        """Paths of the keys of objects in the beginning: ``item.mapping`` is one of an object in a list."""
        return frozenset(
            f"{prefix}.{value}" if prefix else str(value)
            for prefix, event, value in self._events()
            if event == "map_key" and prefix.count(".") < _DEEPEST
        )

    @cached_property
    def first(self) -> frozenset[str]:
        """The keys of the first object in the beginning, or in the list that it begins with."""
        within = ((event, str(value)) for prefix, event, value in self._events() if prefix == self._each)
        object_ = takewhile(lambda part: part[0] != "end_map", within)
        return frozenset(value for event, value in object_ if event == "map_key")

    def _events(self) -> Iterator[tuple[str, str, Any]]:
        """What the beginning has as JSON, up to where it ends in the midst of a value, or is none.

        Lines that are no JSON are left out where each should be.
        """
        text = "\n".join(filter(_object, self.start.split("\n"))) if self.is_lines else self.start
        try:
            yield from ijson.parse(text.encode("utf-8", "replace"), multiple_values=True)
        except (ijson.JSONError, ValueError):  # ValueError: an escape that is no character
            return

    @cached_property
    def is_list(self) -> bool:
        """Whether it is a list in JSON."""
        return self.start.lstrip().startswith("[")

    @property
    def _each(self) -> str:
        """The path of each value of a list; of the value itself where it is none."""
        return "item" if self.is_list else ""

    @cached_property
    def is_lines(self) -> bool:
        """Whether it has a JSON object a line, which half of the first ones are."""
        first = [line for line in self.start.split("\n")[:_LINES] if line.strip()]
        return 2 * sum(_object(line) is not None for line in first) >= max(len(first), 1)

    def text(self) -> TextIOBase:
        return cast("TextIOBase", self.path.open(encoding=self.encoding, errors="replace", newline=""))

    def lines(self) -> Iterator[tuple[int, str]]:
        """Lines with their numbers; U+2028 and the like end none."""
        with self.path.open(encoding=self.encoding, errors="replace", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                yield number, line.rstrip("\r\n").lstrip("\ufeff" if number == 1 else "")

    def objects(self) -> Iterator[tuple[int, Object]]:
        """A JSON object a line. Others are noted, and blank ones passed over."""
        for number, line in self.lines():
            if not line.strip():
                continue
            if (value := _object(line)) is None:
                self.bad(number, f"a JSON object was expected, and not {line[:40]!r}")
            else:
                yield number, value

    def values(self) -> Iterator[tuple[int, Any]]:
        """The values of a list in JSON, or the one that it is, numbered from 1."""
        return enumerate(self.items(self._each), start=1)

    def items(self, path: str) -> Iterator[Any]:
        """Values at a path of a JSON document, one after the other."""
        with self._json() as file:
            yield from self._parsed(ijson.items(file, path, use_float=True, multiple_values=True))

    def members(self, owner: str, name: str) -> Iterator[tuple[Mapping[str, Any], Object]]:
        """The objects of a list of each ``owner``, with what stands before the list there, by its path in the owner."""
        item, begin = f"{owner}.{name}.item".lstrip("."), f"{owner}." if owner else ""
        before: Object = {}
        building: Any = None
        with self._json() as file:
            for prefix, event, value in self._parsed(ijson.parse(file, use_float=True)):
                if prefix == item and event in ("start_map", "end_map"):
                    if building is None:
                        building = ijson.ObjectBuilder()
                    building.event(event, value)
                    if event == "end_map":
                        yield dict(before), building.value
                        building = None
                elif building is not None:
                    building.event(event, value)
                elif prefix == owner and event == "start_map":
                    before = {}
                elif event in _SCALARS and prefix.startswith(begin):
                    before[prefix.removeprefix(begin)] = value

    def _json(self) -> IO[bytes]:
        return cast("IO[bytes]", _Utf8(self.path, self.encoding))

    def _parsed(self, values: Iterator[Any]) -> Iterator[Any]:
        try:
            yield from values
        except (ijson.JSONError, ValueError) as error:
            raise InvalidInput(self._where(error)) from error

    def _where(self, error: Exception) -> str:
        """What is wrong with a JSON document, with its line unless it is long."""
        if self.path.stat().st_size <= _LONGEST_READ_AGAIN:
            try:
                json.loads(self.path.read_text(self.encoding, errors="replace"))
            except json.JSONDecodeError as wrong:
                return f"{self.path}:{wrong.lineno}: not JSON: {wrong.msg}. See {DOCS}."
        return f"{self.path}: not JSON: {' '.join(str(error).split())}. See {DOCS}."

    def turns(self, turns_of: TurnsOf, values: Iterator[tuple[int, Any]], what: str = "") -> Iterator[FileTurn]:
        """The turns of each value. One that is not as it should be is noted, and the others are read.

        ``what`` a value is that is numbered; "" for a line.
        """
        for number, value in values:
            try:
                yield from turns_of(number, value)
            except (AttributeError, KeyError, OverflowError, TypeError, ValueError, InvalidInput) as error:
                wrong = f"`{error.args[0]}` was expected" if isinstance(error, KeyError) else str(error)
                self.bad(number, wrong, what)

    def bad(self, number: int, expected: str, what: str = "") -> None:
        self.notes.bad_place(f"{self.path}: {what} {number}" if what else f"{self.path}:{number}", expected)

    def leave_out(self, what: str, number: int = 1) -> None:
        self.notes.left_out[what] += number


class _Utf8:
    """A file as a stream of UTF-8, whatever it is written in."""

    def __init__(self, path: Path, encoding: str) -> None:
        self._file = path.open(encoding=encoding, errors="replace", newline="")

    def read(self, size: int = -1) -> bytes:
        return self._file.read(size).encode("utf-8", "replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _object(line: str) -> Object | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("Object", value) if isinstance(value, dict) else None
