"""What is stored and cannot be read: noted by whoever reads it, told by whoever answers.

A reader deep inside notes damage; who began the work, as a request, collects what was noted within it.
"""

from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from graphmem.errors import Unreadable

PUT_OFF_SECONDS = 300.0
"""After so long a job looks again at what it could not finish because something is damaged."""
MOST_TOLD = 100
"""Sentences of one answer; a last one counts the others."""


@dataclass(frozen=True, slots=True, order=True)
class Damage:
    """A stored thing that cannot be read: its label or type, its id, and which property is wrong in which way.

    All four are words of the schema and of graphmem, never content. ``id`` is "" of what has none, ``property`` ""
    where properties contradict each other.
    """

    thing: str
    id: str
    property: str
    why: str

    def __str__(self) -> str:
        where = f"its property {self.property} is wrong" if self.property else "its properties contradict each other"
        name = f"{self.thing} {self.id}" if self.id else self.thing
        return (
            f"{name} cannot be read, and was left out: {where} ({self.why}). Repair it in Neo4j; what is believed on "
            f"account of it stays as it is until then."
        )


class Noted:
    """Damage noted while some work was done, each once, in order."""

    def __init__(self, outer: "Noted | None" = None) -> None:
        self._outer = outer
        self._damages: dict[Damage, None] = {}

    def __iter__(self) -> Iterator[Damage]:
        return iter(self._damages)

    def __len__(self) -> int:
        return len(self._damages)

    def add(self, damages: Iterable[Damage]) -> None:
        added = dict.fromkeys(damages)
        self._damages |= added
        if self._outer is not None:
            self._outer.add(added)

    def error(self) -> Unreadable:
        """The error that names the first damage noted; there has to be one."""
        return Unreadable(str(next(iter(self._damages))))

    def sentences(self) -> list[str]:
        """What to tell people: ``MOST_TOLD`` sentences at most, and how many more there are."""
        lines = [str(damage) for damage in sorted(self._damages)]
        beyond = len(lines) - MOST_TOLD
        return lines if beyond <= 0 else [*lines[:MOST_TOLD], f"And {beyond} more things cannot be read."]


_NOTED: ContextVar[Noted | None] = ContextVar("damage", default=None)


@contextmanager
def noted() -> Generator[Noted]:
    """Collect what is noted within, also by tasks begun within; whoever collects around that has it too."""
    notes = Noted(_NOTED.get())
    token = _NOTED.set(notes)
    try:
        yield notes
    finally:
        _NOTED.reset(token)


def note(damages: Iterable[Damage]) -> None:
    """Tell whoever collects, if anybody does."""
    notes = _NOTED.get()
    if notes is not None:
        notes.add(damages)


def damage_warnings() -> list[str]:
    """The sentences that tell which damage was noted so far in the work under way."""
    notes = _NOTED.get()
    return [] if notes is None else notes.sentences()


def must_be_read(ids: Iterable[str], known: Collection[str]) -> None:
    """Check that all of these ids are among those of what could be read.

    Raises:
        Unreadable: one of them is not.
    """
    for id_ in ids:
        if id_ not in known:
            reason = next((sentence for sentence in damage_warnings() if id_ in sentence), f"{id_} cannot be read.")
            raise Unreadable(reason)
