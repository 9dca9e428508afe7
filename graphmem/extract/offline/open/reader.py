"""Every clause of a parse with what it asserts, or why it makes no claim."""

from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.extract.offline.open.clause import heads, words
from graphmem.extract.offline.open.filters import clear, drop
from graphmem.extract.offline.open.statement import Narrator
from graphmem.extract.offline.open.status import Drop, Stand, status
from graphmem.extract.offline.open.subjects import Subject, subject_of
from graphmem.extract.offline.syntax import Token


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as it is read. ``about`` and ``statement`` are None and "" where it makes no claim."""

    verb: Token
    words: tuple[Token, ...]
    stand: Stand
    about: Subject | None = None
    statement: str = ""


def clauses(narrator: Narrator) -> Iterator[Clause]:
    """The clauses in the order of the text."""
    parse = narrator.parse
    for verb in heads(parse):
        found = words(parse, verb)
        if found:
            yield _read(narrator, verb, found)


def _read(narrator: Narrator, verb: Token, found: tuple[Token, ...]) -> Clause:
    parse = narrator.parse
    stand = status(parse, verb)
    if isinstance(stand, Drop):
        return Clause(verb, found, stand)
    about = subject_of(parse, verb, found)
    if isinstance(about, Drop):
        return Clause(verb, found, about)
    found = clear(parse, verb, found)
    dropped = drop(parse, verb, found, about) if found else Drop.UNRESOLVED
    if dropped is not None:
        return Clause(verb, found, dropped)
    return Clause(verb, found, stand, about, narrator.statement(verb, found))
