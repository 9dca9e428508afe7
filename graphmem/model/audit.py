"""The audit: who changed what, when and from where, in rows that are chained, so that what becomes of them shows.

A row has ids and counts, and no word of anybody's: of users and agents it has keyed hashes. It is written in the
transaction of the change. A moment later it gets a place in the chain of its group, with the hash of the row before it.
"""

import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256

INSTALLATION = ""
"""The chain of what is no group's: keys, and that groups are made."""
OF_INSTALLATION = frozenset({"groups"})
"""Kinds of things that are no group's, though what makes them names one."""
MOST_IDS = 100
"""Ids of one kind that a row has; of more it has the first, and how many there are."""
WORKER, PROCESS = "worker", "process"
"""In place of the id of a key: what a worker does by itself, and what a process does unasked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who has something done: the id of a key ("" is that of the settings, or the token of the machine), or a process.

    ``operation`` is a call, with the template of its path, or a kind of job; "" is named after the work itself.
    ``user`` and ``agent`` are hashes, None where nobody in particular is meant. ``address`` is where it comes from.
    """

    key: str = PROCESS
    operation: str = ""
    user: str | None = None
    agent: str | None = None
    address: str = ""


UNASKED = Asker()
_ASKER: ContextVar[Asker] = ContextVar("asker", default=UNASKED)


def current_asker() -> Asker:
    """Who has done what is done now."""
    return _ASKER.get()


def ask_as(asker: Asker) -> None:
    """Say who has done what follows in this task."""
    _ASKER.set(asker)


@contextmanager
def asking(asker: Asker) -> Generator[None]:
    """Say who has done what the block does."""
    token = _ASKER.set(asker)
    try:
        yield
    finally:
        _ASKER.reset(token)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedThings:
    """Things of one kind that an operation changed: how many, and the ids of the first ``MOST_IDS``."""

    kind: str
    count: int
    ids: tuple[str, ...] = ()


@dataclass(slots=True)
class AuditNotes:
    """What a transaction changes, by chain and kind."""

    _counts: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _ids: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict[tuple[str, str], dict[str, None]])

    def note(self, group: str, kind: str, ids: Iterable[str]) -> None:
        """Note things by their ids, each once."""
        known = self._ids.setdefault((INSTALLATION if kind in OF_INSTALLATION else group, kind), {})
        known.update(dict.fromkeys(ids))

    def count(self, group: str, kind: str, number: int) -> None:
        """Note how many there are of things that have no id, or whose id is somebody's word."""
        self._counts[group, kind] = self._counts.get((group, kind), 0) + number

    def chains(self) -> Iterator[tuple[str, tuple[AuditedThings, ...]]]:
        """What changed of each chain, in order of kind; a chain of which nothing did is left out."""
        counts = {place: len(ids) for place, ids in self._ids.items()}
        for place, number in self._counts.items():
            counts[place] = counts.get(place, 0) + number
        for group in sorted({group for (group, _), number in counts.items() if number}):
            yield (
                group,
                tuple(
                    AuditedThings(kind=kind, count=number, ids=tuple(self._ids.get((group, kind), {}))[:MOST_IDS])
                    for (of, kind), number in sorted(counts.items())
                    if of == group and number
                ),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainEnd:
    """Where a chain ends, or begins: the place of a row, and its hash. The first row has place 1."""

    place: int = 0
    hash: str = ""


FIRST = ChainEnd()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """What was done, once: who had it done (as in ``Asker``), and what it changed. A read changed nothing.

    ``place``, ``previous`` (the hash of the row before) and ``hash`` are None until the row is in the chain.
    """

    id: str
    group_id: str
    recorded_at: datetime
    operation: str
    key: str
    user: str | None
    agent: str | None
    address: str
    changed: tuple[AuditedThings, ...]
    place: int | None = None
    previous: str | None = None
    hash: str | None = None

    def hash_at(self, place: int, previous: str) -> str:
        """SHA-256 of all that the row says at a place after a row with this hash, in hexadecimal digits."""
        said: Mapping[str, object] = {
            "id": self.id,
            "group": self.group_id,
            "recorded_at": self.recorded_at.astimezone(UTC).isoformat(),
            "operation": self.operation,
            "key": self.key,
            "user": self.user,
            "agent": self.agent,
            "address": self.address,
            "changed": [[things.kind, things.count, list(things.ids)] for things in self.changed],
            "place": place,
            "previous": previous,
        }
        return sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """Which rows are asked for: those recorded in ``[since, until)``.

    By a key, for a ``user`` (a hash), of operations that begin with ``operation``, and that name a ``thing`` by its id;
    None, and "" of operations, is any.
    """

    since: datetime
    until: datetime
    key: str | None = None
    user: str | None = None
    operation: str = ""
    thing: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """The first place at which a chain does not fit, the row that is there ("" where there is none), and why."""

    place: int
    id: str = ""
    why: str


def chained(rows: Iterable[AuditRow], end: ChainEnd) -> list[AuditRow]:
    """Rows in the chain that ends so, one after the other."""
    sealed = list[AuditRow]()
    for row in rows:
        place, previous = end.place + 1, end.hash
        end = ChainEnd(place=place, hash=row.hash_at(place, previous))
        sealed.append(replace(row, place=place, previous=previous, hash=end.hash))
    return sealed


def verified(rows: Iterable[AuditRow], end: ChainEnd) -> ChainEnd | Misfit:
    """Where a chain that ended so ends after these rows; or the first place at which they do not go on with it."""
    for row in rows:
        place = end.place + 1
        if row.place != place:
            return Misfit(place=place, why=f"the row of place {place} is missing, or another one has its place")
        if row.previous != end.hash:
            return Misfit(place=place, id=row.id, why="it does not name the hash of the row before it")
        end = ChainEnd(place=place, hash=row.hash_at(place, end.hash))
        if row.hash != end.hash:
            return Misfit(place=place, id=row.id, why="it does not say what it said when it was chained")
    return end
