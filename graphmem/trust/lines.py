"""The lines of an exported file, as rows that are written; and whether the file is whole."""

import base64
import hashlib
import re
from array import array
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from graphmem.errors import InvalidInput, TooLarge
from graphmem.model.episode import Episode
from graphmem.model.export import (
    DAMAGED,
    HEADER,
    HELD,
    INSTANTS,
    KINDS,
    SCHEMA,
    TEXTS,
    Properties,
    instant_of,
    text_of,
)
from graphmem.model.ids import audience_token, own_session_id, session_id, session_token
from graphmem.model.interval import END

CUT_OFF = "The file ends before its last line: it is a part of one. Nothing of it is kept."
LONGEST = 64 * 1024 * 1024
"""Bytes of a line."""
_NAME = re.compile(r"[a-z][a-z_]{0,63}", re.ASCII)
_END = text_of(END)
_OPEN_OR_CLOSED: Mapping[str, tuple[str, str]] = {
    "predicate": ("Predicate", "SupersededPredicate"),
    "merge": ("SAME_AS", "WAS_SAME_AS"),
    "relationship": ("RELATES_TO", "SUPERSEDED"),
    "fact": ("Fact", "SupersededFact"),
    "summary": ("Summary", "SupersededSummary"),
    "entity_summary": ("Summary", "SupersededSummary"),
    "reflection": ("Reflection", "SupersededReflection"),
}
"""Labels and types of what stands, and of what did."""
_BESIDE: Mapping[str, tuple[str, ...]] = {
    "mention": ("episode_id", "entity_id"),
    "merge": ("member", "other"),
    "covers": ("id", "summaries"),
    **dict.fromkeys(TEXTS, ("episodes", "claims")),
}
"""What of a line is no property, but what the thing is tied to."""
_ACTS = frozenset({"rejects", "lowers"})
"""Kinds of claims that lend their words to no belief."""
_UNDONE = frozenset({"pending", "refining"})

Row = dict[str, Any]


class FileHeader(BaseModel):
    """What is read of the first line."""

    type: Literal["header"]
    schema_: Literal[1]
    group: str
    user: str | None
    known_at: datetime
    embedding_model: str
    dimensions: int
    settings: dict[str, Any]


class _FileEnd(BaseModel):
    type: Literal["end"]
    counts: dict[str, int]
    sha256: str


class FileLines:
    """The lines of a file, which comes in chunks. After the last one, ``counts`` says of how many lines it is.

    ``things_read`` are so far; ``hash_so_far`` is of the header and all of these, whatever positions stand between.

    Reading raises InvalidInput where the file is not whole: a line is none, or its end is missing or does not fit.
    """

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self._lines = self._split(chunks)
        self._hash, self._all = hashlib.sha256(), hashlib.sha256()
        self._seal, self._unsealed = "", False
        self._number = 0
        self.things_read = 0
        self.counts: Mapping[str, int] = {}

    @property
    def hash_so_far(self) -> str:
        return self._all.hexdigest()

    async def header(self) -> FileHeader:
        """What the first line says."""
        first = await anext(self._lines, b"")
        self._hash.update(first)
        self._all.update(first)
        try:
            line = self._parsed(first)
            return FileHeader.model_validate({**line, "schema_": line.get("schema")})
        except ValidationError:
            raise InvalidInput(
                f"The file does not begin as an export of a group in form {SCHEMA} does. Export the group again, with "
                "this version of graphmem."
            ) from None

    async def things(self) -> AsyncGenerator[Properties]:
        """What the lines between the header and the end say."""
        counts = Counter[str]()
        async for text in self._lines:
            line = self._parsed(text)
            match line.get("type"):
                case "end":
                    await self._check_end(line, counts)
                    return
                case "position":
                    self._check_position(line)
                case kind if kind in KINDS or kind == DAMAGED:
                    self._hash.update(text)
                    self._all.update(text)
                    self.things_read += 1
                    self._unsealed = True
                    counts[kind] += 1
                    yield line
                case _:
                    raise self._wrong("is of no kind that is known")
        raise InvalidInput(CUT_OFF)

    async def _split(self, chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
        """Lines with what ends them."""
        rest = b""
        async for chunk in chunks:
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                self._number += 1
                yield line + b"\n"
            if len(rest) > LONGEST:
                raise TooLarge(f"Line {self._number + 1} has more than {LONGEST} bytes.")
        if rest.strip():
            self._number += 1
            yield rest

    async def _check_end(self, line: Properties, counts: Counter[str]) -> None:
        try:
            end = _FileEnd.model_validate(line)
        except ValidationError:
            raise self._wrong("is not what an export ends with") from None
        if end.sha256 != self._seal or self._unsealed or end.counts != dict(counts):
            raise self._wrong("does not fit what stands before it")
        if await anext(self._lines, None) is not None:
            raise self._wrong("comes after the end")
        self.counts = end.counts

    def _check_position(self, line: Properties) -> None:
        self._seal, self._unsealed = self._hash.hexdigest(), False
        if line.get("sha256") != self._seal:
            raise self._wrong("does not fit what stands before it")
        self._hash = hashlib.sha256(self._seal.encode())

    def _parsed(self, text: bytes) -> Properties:
        try:
            line = from_json(text, allow_inf_nan=False)
        except ValueError:
            raise self._wrong("is no JSON") from None
        if not isinstance(line, dict):
            raise self._wrong("is no object")
        return cast("Properties", line)

    def _wrong(self, what: str) -> InvalidInput:
        return InvalidInput(f"Line {self._number} of the file {what}. Nothing of the file is kept.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Makes rows of the lines of a file. ``takes_vectors``: those of the file are of the model of the service."""

    group: str
    known_at: datetime
    takes_vectors: bool

    def row_of(self, line: Properties) -> Row:
        """A thing as it is written: its ``properties``, its ``instants``, and what it is tied to.

        It has a ``text`` to embed, or an ``embedding``, where a thing of its kind has a vector.

        Raises:
            InvalidInput: something of the line is not what it should be.
        """
        kind = str(line["type"])
        try:
            return self._row(kind, line)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InvalidInput(
                f"A line of the kind {kind!r} cannot be read ({type(error).__name__}: {_named(line)}). Nothing of the "
                "file is kept."
            ) from None

    def _row(self, kind: str, line: Properties) -> Row:
        properties = {name: value for name, value in line.items() if name not in ("type", "embedding")}
        row: Row = {name: properties.pop(name) for name in _BESIDE.get(kind, ())}
        _check(properties)
        if kind == "belief":
            kind = properties.pop("kind")
        if kind in _OPEN_OR_CLOSED:
            row["label"] = _OPEN_OR_CLOSED[kind][properties["superseded_at"] != _END]
        if kind in _MADE:
            _MADE[kind](self, row, properties)
        if "audience" in properties:
            properties["audience_token"] = audience_token(self.group, properties["audience"])
        row |= _with_instants(kind, properties)
        if self.takes_vectors and "embedding" in line:
            row["embedding"] = list(array("f", base64.b64decode(line["embedding"])))
            row.pop("text", None)
        return row


def _entity(of: Rows, _: Row, properties: Properties) -> None:
    properties["type"] = properties.pop("entity_type", "")
    properties["index_due"] = text_of(of.known_at)


def _episode(of: Rows, row: Row, properties: Properties) -> None:
    session, user = properties.get("session"), properties["user"]
    properties |= {"kind": "digest", "lane": 2, "leases": 0, "request": ""}
    properties["session_token"] = session_token(of.group, session or "")
    if session:
        properties["session_id"] = session_id(of.group, session)
        properties["own_session_id"] = own_session_id(of.group, session, user)
    row["undone"] = properties["status"] in _UNDONE
    whole = not {"payload", "passages", "not_embeddable"} & properties.keys()
    if whole and "digested_at" in properties:
        row["text"] = properties["content"]


def _passage(_: Rows, row: Row, properties: Properties) -> None:
    row["text"] = properties["content"]


def _mention(_: Rows, row: Row, properties: Properties) -> None:
    row["label"] = "MENTIONED" if "superseded_at" in properties else "MENTIONS"


def _claim(_: Rows, row: Row, properties: Properties) -> None:
    if properties["kind"] not in _ACTS and "not_embeddable" not in properties:
        row["text"] = properties["statement"]


def _fact(_: Rows, row: Row, __: Properties) -> None:
    row["of"] = "HAS_FACT" if row["label"] == "Fact" else "HAD_FACT"


def _summary(_: Rows, row: Row, properties: Properties) -> None:
    row["of"] = "HAS_SUMMARY" if row["label"] == "Summary" else "HAD_SUMMARY"
    row["labels"], row["rests"], row["text"] = [row["label"]], "CITES", properties["content"] or None


def _entity_summary(of: Rows, row: Row, properties: Properties) -> None:
    _summary(of, row, properties)
    row["labels"] += ["EntitySummary"] if row["label"] == "Summary" else []


def _reflection(_: Rows, row: Row, properties: Properties) -> None:
    row["labels"], row["of"], row["rests"] = [row["label"]], None, "RESTS_ON"
    row["text"] = properties["content"] or None


_MADE: Mapping[str, Callable[[Rows, Row, Properties], None]] = {
    "entity": _entity,
    "episode": _episode,
    "passage": _passage,
    "mention": _mention,
    "claim": _claim,
    "fact": _fact,
    "summary": _summary,
    "entity_summary": _entity_summary,
    "reflection": _reflection,
}


def said_of(line: Properties, group: str) -> Episode:
    """As much of an episode as tells whether it was forgotten, of a line of which a row could be made."""
    return Episode(
        group_id=group,
        user=line["user"],
        session=line.get("session", ""),
        content=line["content"],
        occurred_at=instant_of(line["occurred_at"]),
        external_id=line.get("external_id"),
        redacted_as=tuple(line.get("redacted_as", ())),
    )


def settings_row(settings: Properties) -> Row:
    """The settings of a group, as they are written."""
    _check(settings)
    return _with_instants(HEADER, settings)


def _with_instants(kind: str, properties: Properties) -> Row:
    """Properties; instants apart, those that workers look for kept aside."""
    held = [f"{name}={_checked(properties.pop(name))}" for name in HELD.get(kind, ()) if name in properties]
    instants = [[name, properties.pop(name)] for name in sorted(INSTANTS & properties.keys())]
    for _, value in instants:
        for text in cast("list[str]", value) if isinstance(value, list) else [cast("str", value)]:
            _checked(text)
    return {
        "properties": properties | ({"held": held} if held else {}),
        "instants": [pair for pair in instants if isinstance(pair[1], str)],
        "instant_lists": [pair for pair in instants if isinstance(pair[1], list)],
    }


def _checked(instant: str) -> str:
    instant_of(instant)
    return instant


def _check(properties: Properties) -> None:
    """Raise ValueError unless each property has a name and a value that graphmem writes."""
    for name, value in properties.items():
        values = cast("list[object]", value) if isinstance(value, list) else [cast("object", value)]
        if not _NAME.fullmatch(name) or name in ("group_id", "group_token", "held", "lease"):
            raise ValueError(name)
        if not all(isinstance(one, str | int | float | bool) for one in values):
            raise TypeError(name)


def _named(line: Properties) -> str:
    return str(line.get("id", line.get("episode_id", "")))[:64]
