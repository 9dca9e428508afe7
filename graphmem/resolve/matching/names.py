"""A name, taken apart as its type wants it: that of a person is read otherwise than that of a room."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from graphmem.model.entity import GENERIC_TYPES
from graphmem.model.matching import MatchProfile
from graphmem.resolve.matching import vocabulary
from graphmem.resolve.matching.fold import folded, with_digraphs
from graphmem.resolve.matching.numbers import in_digits
from graphmem.resolve.matching.persons import Person, person
from graphmem.resolve.matching.values import moment_of, period_words


class NameKind(StrEnum):
    """How names of a type are built. ``CODE``: a number says which one it is; ``DATE``: days; ``TEXT``: any words."""

    PERSON = "person"
    ORGANIZATION = "organization"
    PLACE = "place"
    CODE = "code"
    DATE = "date"
    TEXT = "text"


_KIND_OF = {type_: NameKind(kind) for type_, kind in vocabulary.first_of("kinds").items()}
_SYNONYMOUS = frozenset({NameKind.PERSON, NameKind.ORGANIZATION, NameKind.PLACE})
"""Kinds whose types say the same in other words: a company is an organization."""


def kind_of(type_: str) -> NameKind:
    return _KIND_OF.get(type_.casefold(), NameKind.TEXT)


def are_compatible(a: str, b: str) -> bool:
    """Whether one thing can be of both types."""
    type_a, type_b = a.casefold(), b.casefold()
    if type_a == type_b or type_a in GENERIC_TYPES or type_b in GENERIC_TYPES:
        return True
    return kind_of(type_a) is kind_of(type_b) and kind_of(type_a) in _SYNONYMOUS


_SORTS = {word: line for line in vocabulary.lines("sorts") for word in line.split()}


def are_of_two_sorts(a: str, b: str) -> bool:
    """Whether the types are of one kind, and each says by itself what it is: a state and a country are two places."""
    of_a, of_b = (_SORTS.get(type_.casefold()) for type_ in (a, b))
    return of_a is not None and of_b is not None and of_a != of_b


def telling(a: str, b: str) -> str:
    """Of two types the one that says more; of equals the smaller."""
    return min((a, b), key=lambda type_: (type_.casefold() in GENERIC_TYPES, type_))


_FORM_OF = {tuple(spelling.split()): line for line in vocabulary.lines("legal_forms") for spelling in line.split(" | ")}
_BEFORE = vocabulary.words("leading_legal_forms")
"""Forms that may stand before the name."""
_CHARACTERS = vocabulary.rest_of("legal_characters")
_MOST_WORDS = max(map(len, _FORM_OF))

_NOBODY = Person()
_GENERIC = vocabulary.words("numbered")
"""Words that say what is numbered, not which one."""
_BRITISH = vocabulary.rest_of("british")
_LEADING = frozenset({"of", "the"})
_FIRST = vocabulary.rest_of("abbreviations_first")
_LATER = vocabulary.rest_of("abbreviations_later")
_MOST_NAMES = 6
_VERSION = re.compile(r"\b[vV](?=\d+\.\d)|(?<=[A-Z]) ?v(?=\d)")
"""The letter before the number of a version: “v1.2”, “TLSv1.3”, “GPL v3”."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Organization:
    """``words`` without “the” and the legal form; ``form`` is "" where none is said."""

    words: tuple[str, ...]
    form: str = ""


@lru_cache(maxsize=1 << 14)
def organization(name: str) -> Organization:
    for characters, latin in _CHARACTERS.items():
        name = f"{name.replace(characters, ' ')} {latin}" if characters in name else name
    words = tuple(folded(name).split())
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    for size in range(min(_MOST_WORDS, len(words) - 1), 0, -1):
        if (form := _FORM_OF.get(words[-size:])) is not None:
            return Organization(words=words[:-size], form=form)
    if len(words) > 1 and words[0] in _BEFORE:
        return Organization(words=words[1:], form=_FORM_OF[words[:1]])
    return Organization(words=words)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedName:
    """``words`` are those that tell it apart, in order: without titles, legal forms and words such as “room”."""

    text: str
    kind: NameKind
    words: tuple[str, ...]
    person: Person = _NOBODY
    form: str = ""

    @property
    def key(self) -> str:
        """The words without their order."""
        return " ".join(sorted(self.words))

    @property
    def joined(self) -> str:
        return "".join(self.words)

    def may_be(self, fuller: "ParsedName") -> bool:
        """Whether a fuller name says the same number or suffix, if this one has any: Henry VIII is not Henry Baker."""
        return self.person.which in ("", fuller.person.which)


@lru_cache(maxsize=1 << 14)
def parsed(text: str, kind: NameKind) -> ParsedName:
    if kind is NameKind.PERSON:
        parts = person(text)
        return ParsedName(text=text, kind=kind, words=parts.words or tuple(folded(text).split()), person=parts)
    if kind is NameKind.ORGANIZATION:
        firm = organization(text)
        return ParsedName(text=text, kind=kind, words=_counted(firm.words), form=firm.form)
    if kind is NameKind.DATE:
        return ParsedName(text=text, kind=kind, words=period_words(text))
    if moment := moment_of(text):
        return ParsedName(text=text, kind=kind, words=(moment,))
    return ParsedName(text=text, kind=kind, words=_words_of(text, kind))


def _words_of(text: str, kind: NameKind) -> tuple[str, ...]:
    plain = folded(_unturned(_VERSION.sub(" ", text) if kind is NameKind.CODE else text))
    words = _counted(tuple(_american(word) for word in plain.split()))
    if kind is NameKind.PLACE:
        return tuple(_written_out(words))
    if kind is NameKind.CODE:
        return tuple(word for word in words if word not in _GENERIC) or words
    return words[1:] if len(words) > 1 and words[0] == "the" else words


def _counted(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with numbers in digits. A word by itself may be no number: the “Seven” of a film, a second."""
    return in_digits(words) if len(words) > 1 else words


def _unturned(text: str) -> str:
    """“Johannesburg, City of” in its usual order."""
    first, _, last = text.partition(",")
    return f"{last} {first}" if last.split()[-1:] and last.split()[-1].casefold() in _LEADING else text


def _american(word: str) -> str:
    """One way of writing for British and American words."""
    return _BRITISH.get(word) or re.sub(r"(?<=\w{4})is(?=ations?$|ed$|ing$)", "iz", word)


def _written_out(words: tuple[str, ...]) -> Iterator[str]:
    """Saint, Mount and Street for their abbreviations, by where they stand."""
    for at, word in enumerate(words):
        yield _FIRST.get(word, word) if at == 0 and len(words) > 1 else _LATER.get(word, word)


def share_word(a: ParsedName, b: ParsedName) -> bool:
    """Whether the two have a word in common; a letter is none."""
    return any(len(word) > 1 for word in {*a.words}.intersection(b.words))


def names_of(profile: MatchProfile, kind: NameKind | None = None) -> tuple[ParsedName, ...]:
    """The names of an entity, its own first, umlauts in both ways; none that is a part of a fuller one."""
    texts = [profile.name, *sorted(profile.names - {profile.name})][:_MOST_NAMES]
    return _names(tuple(texts), kind or kind_of(profile.type))


@lru_cache(maxsize=1 << 14)
def _names(texts: tuple[str, ...], kind: NameKind) -> tuple[ParsedName, ...]:
    ways = dict.fromkeys(way for text in texts for way in (text, with_digraphs(text)))
    names = {(name.words, name.form, name.person.generation): name for name in (parsed(text, kind) for text in ways)}
    return tuple(name for name in names.values() if not _is_part(name, names.values()))


def _is_part(name: ParsedName, others: Iterable[ParsedName]) -> bool:
    return any(set(name.words) < set(other.words) and name.may_be(other) for other in others)
