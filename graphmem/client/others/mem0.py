"""mem0's memories as claims with the times at which mem0 held them, or as episodes.

A memory is a sentence, and becomes a fact in its own words (``remembered``) about the user whose it is. mem0 overwrites
it when it changes, and knows of no time at which it was true: what it said before stands in the history. Each row of
that is dated: until then mem0 held the old text, and since then the new one, or none.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, cast

from graphmem.client.others.steps import Body, Step, instant
from graphmem.errors import InvalidInput
from graphmem.model.export import text_of
from graphmem.model.fragment import REMEMBERED

SOURCE = "mem0"
OF_NOBODY = "deleted memories of which nobody knows whose they were"
_SQLITE = b"SQLite format 3\x00"
_LISTS = ("results", "memories", "history", "data")
"""Under which names files have their list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mem0Memory:
    """A memory as ``get_all`` and exports show it; ``owner`` is the user, agent or run whose it is."""

    id: str
    text: str
    at: datetime
    user: str | None
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mem0Change:
    """A row of the history: what a memory said from ``at`` on; None where it was deleted."""

    memory_id: str
    text: str | None
    at: datetime


def read_memories(path: Path, user: str | None) -> list[Mem0Memory]:
    """The memories of a JSON file; ``user`` is whose those are that name no user.

    Raises:
        InvalidInput: it cannot be read, or one has no id, text or time.
    """
    return [_memory(path, item, user) for item in _items(path)]


def read_history(path: Path) -> list[Mem0Change]:
    """The rows of a history, which is mem0's own SQLite file or JSON, in the order of time.

    Raises:
        InvalidInput: it cannot be read, or a row has no memory or no time.
    """
    try:
        with path.open("rb") as file:
            stored = file.read(len(_SQLITE)) == _SQLITE
        rows = _rows(path) if stored else _items(path)
    except (OSError, sqlite3.Error) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
    return sorted((_change(path, row) for row in rows), key=attrgetter("at"))


def steps(
    memories: Iterable[Mem0Memory], history: Iterable[Mem0Change], user: str | None, left_out: Counter[str]
) -> list[Step]:
    """What mem0 held, step by step. What was deleted is of ``user``; where there is none, ``left_out`` counts it.

    A history names no user, so that nobody is told what somebody else had deleted.
    """
    known = {memory.id: memory for memory in memories}
    of_each = groupby(sorted(history, key=_memory_of), _memory_of)
    changes = {id_: list(rows) for id_, rows in of_each}
    found = list[Step]()
    for memory in known.values():
        found += _held(
            memory, changes.get(memory.id) or [Mem0Change(memory_id=memory.id, text=memory.text, at=memory.at)]
        )
    for id_ in sorted(changes.keys() - known.keys()):
        if user is None:
            left_out[OF_NOBODY] += 1
        else:
            found += _held(Mem0Memory(id=id_, text="", at=changes[id_][0].at, user=user, owner=user), changes[id_])
    return sorted(found, key=attrgetter("at"))


def _held(memory: Mem0Memory, changes: Iterable[Mem0Change]) -> Iterator[Step]:
    """What one memory said, and then said instead."""
    held: Body | None = None
    for number, change in enumerate(changes):
        now = _claim(memory, change, number)
        if held is None and now is not None:
            yield Step(at=change.at, claim=now)
        elif held is not None and (now is None or now["value"] != held["value"]):
            yield Step(at=change.at, claim=held, ends=True, instead=now)
        else:
            continue
        held = now


def _claim(memory: Mem0Memory, change: Mem0Change, number: int) -> Body | None:
    if not change.text:
        return None
    return {
        "subject": {"name": memory.owner, "type": "person" if memory.user else "thing"},
        "predicate": REMEMBERED,
        "value": change.text,
        "statement": change.text,
        "occurred_at": text_of(change.at),
        "user": memory.user,
        "source": SOURCE,
        "external_id": f"{memory.id}:{number}",
    }


def episodes(memories: Iterable[Mem0Memory]) -> Iterator[Body]:
    """Memories as they are now, to be read; of what no claim is read stays a fact in its own words."""
    for memory in sorted(memories, key=attrgetter("at")):
        yield {
            "content": memory.text,
            "occurred_at": text_of(memory.at),
            "content_type": "text",
            "user": memory.user,
            "subject": None if memory.user else memory.owner,
            "source": SOURCE,
            "external_id": memory.id,
            "remember": True,
        }


def _memory_of(change: Mem0Change) -> str:
    return change.memory_id


def _memory(path: Path, item: Mapping[str, Any], user: str | None) -> Mem0Memory:
    text, at = item.get("memory") or item.get("content"), item.get("updated_at") or item.get("created_at")
    whose = str(item.get("user_id") or user or "")
    owner = whose or str(item.get("agent_id") or item.get("run_id") or "")
    if not (item.get("id") and text and at and owner):
        raise InvalidInput(
            f"{path}: a memory has no id, text, time or owner ({item.get('id')}). If it names no user, say whose they "
            "are: --user."
        )
    return Mem0Memory(id=str(item["id"]), text=str(text), at=_instant(path, at), user=whose or None, owner=owner)


def _change(path: Path, row: Mapping[str, Any]) -> Mem0Change:
    event = str(row.get("event", "")).upper()
    at = row.get("created_at") if event == "ADD" else row.get("updated_at") or row.get("created_at")
    if not (row.get("memory_id") and at):
        raise InvalidInput(f"{path}: a row of the history has no memory or no time ({row.get('id')}).")
    text = None if event == "DELETE" else str(row.get("new_memory") or "") or None
    return Mem0Change(memory_id=str(row["memory_id"]), text=text, at=_instant(path, at))


def _instant(path: Path, written: object) -> datetime:
    try:
        return instant(str(written))
    except ValueError:
        raise InvalidInput(f"{path}: {written!r} is no date and time.") from None


def _rows(path: Path) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as stored:
        stored.row_factory = sqlite3.Row
        rows = stored.execute("SELECT id, memory_id, new_memory, event, created_at, updated_at FROM history")
        return [dict(row) for row in rows]


def _items(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON file: a list, or under one of the names that mem0 gives it."""
    try:
        read: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
    if isinstance(read, dict):
        named = cast("dict[str, Any]", read)
        read = next((named[name] for name in _LISTS if isinstance(named.get(name), list)), None)
    if not isinstance(read, list) or not all(isinstance(item, dict) for item in cast("list[Any]", read)):
        raise InvalidInput(f"{path} has no list of memories, as mem0's get_all and exports have.")
    return cast("list[dict[str, Any]]", read)
