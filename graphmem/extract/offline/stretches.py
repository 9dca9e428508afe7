"""Where names stand: a stretch that holds two is two, and what is a name in one place is one in all others."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from graphmem.extract.offline.syntax import Parse, Stretch, Token
from graphmem.extract.offline.tables.kinds import PROJECT

_NAMING = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "WORK_OF_ART", PROJECT})
_PARTED = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC"})
_PARTING = frozenset({",", "(", "/"})
_SUFFIXES = frozenset({"inc", "ltd", "llc", "corp", "co", "jr", "sr", "plc", "gmbh"})
"""After a comma, they go on with the name."""
LONGEST = 4
"""Words of a name that is looked for."""


def is_naming(name: Stretch) -> bool:
    """Whether the label is that of a thing with a name, not that of a date or a number."""
    return name.label in _NAMING


def separated(parse: Parse) -> Parse:
    """The parse with each of its names by itself: “Porto, Portugal” and “Anna/Tom” are two; titles of works stay."""
    return with_names(parse, [part for name in parse.names for part in _parts(parse, name)])


def _parts(parse: Parse, name: Stretch) -> Iterator[Stretch]:
    first = name.first
    for before, token, after in zip(*(parse.within(name)[at:] for at in range(3)), strict=False):
        joined = token.text == "and" and (name.label == "PERSON" or before.shaped or after.shaped)
        capitals = before.text[:1].isupper() and after.text[:1].isupper()
        suffix = after.text.casefold().strip(".") in _SUFFIXES
        if name.label in _PARTED and capitals and (joined or token.text in _PARTING) and not suffix:
            yield replace(name, first=first, last=token.i)
            first = after.i
    yield replace(name, first=first)


def with_names(parse: Parse, named: Iterable[Stretch]) -> Parse:
    """The parse with these names and no others."""
    names = tuple(sorted(named, key=lambda name: name.first))
    if names == parse.names:
        return parse
    at = {i: number for number, name in enumerate(names) for i in range(name.first, name.last)}
    tokens = (
        replace(token, name=at.get(token.i, -1), label=names[at[token.i]].label if token.i in at else "")
        for token in parse.tokens
    )
    return replace(parse, names=names, tokens=tuple(tokens))


def again(parse: Parse, kinds: Mapping[str, str]) -> Iterator[Stretch]:
    """Names that spaCy sees in one place of the text and not in the other."""
    i = 0
    while i < len(parse.tokens):
        name = next((stretch for size in range(LONGEST, 0, -1) if (stretch := _name_at(parse, i, size, kinds))), None)
        if name:
            yield name
        i = name.last if name else i + 1


def _name_at(parse: Parse, i: int, size: int, kinds: Mapping[str, str]) -> Stretch | None:
    tokens = parse.tokens[i : i + size]
    if len(tokens) < size or not all(token.proper and token.name < 0 for token in tokens):
        return None
    label = kinds.get(" ".join(token.text for token in tokens).casefold())
    return Stretch(i, i + size, label) if label else None


def key(parse: Parse, name: Stretch) -> str:
    """What is the same for all that are written alike."""
    return " ".join(token.text for token in words_of(parse, name)).casefold()


def words_of(parse: Parse, name: Stretch) -> list[Token]:
    """The words of the name, without article and the “'s” at its end."""
    words = list(parse.within(name))
    while words and (words[0].text.casefold() == "the" or not words[0].text[0].isalnum()):
        words.pop(0)
    while words and (words[-1].tag == "POS" or not words[-1].text[-1].isalnum()):
        words.pop()
    return words
