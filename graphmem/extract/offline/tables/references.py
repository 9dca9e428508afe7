"""How a later clause points back to a state that was claimed: “I've been there”, “I've been doing this”."""

from dataclasses import dataclass

from graphmem.extract.offline.tables.words import words


@dataclass(frozen=True, slots=True)
class Reference:
    """One of the ``verbs`` with one of the ``words`` after it can mean a state of one of the ``predicates``."""

    verbs: frozenset[str]
    words: frozenset[str]
    predicates: frozenset[str]


def _reference(verbs: str, pointers: str, predicates: str) -> Reference:
    return Reference(words(verbs), words(pointers), words(predicates))


_HERE = "here there"
_THIS = "it this that"

REFERENCES: tuple[Reference, ...] = (
    _reference("be", _HERE, "lives_in lives_at works_at studies volunteers_at"),
    _reference("live", _HERE, "lives_in lives_at"),
    _reference("work", _HERE, "works_at"),
    _reference("study", _HERE, "studies"),
    _reference("volunteer", _HERE, "volunteers_at"),
    _reference(
        "do", _THIS, "works_at works_as works_on plays practices collects teaches studies volunteers_at leads habit"
    ),
    _reference(
        "play practice practise collect teach study", f"{_THIS} them", "plays practices collects teaches studies"
    ),
    _reference("have own", "it him her them", "owns has_condition"),
    _reference("use", f"{_THIS} them", "uses"),
    _reference("know", "him her them", "knows friend_of"),
)
"""What points back, and to what."""
