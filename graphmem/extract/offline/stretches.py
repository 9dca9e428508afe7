"""Where names stand: a stretch that holds two is two, one without its last word has it, one seen once is seen again."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from graphmem.extract.offline.syntax import Parse, Stretch, Token
from graphmem.extract.offline.tables.kinds import LAST_WORDS, PROJECT

_NAMING = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "WORK_OF_ART", PROJECT})
_PARTED = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC"})
_SUFFIXES = frozenset({"inc", "ltd", "llc", "corp", "co", "jr", "sr", "plc", "gmbh"})
"""After a comma, they go on with the name."""
MODEL = re.compile(r"(?=.*\d)[a-z]{1,4}-?\d{1,4}[a-z]{0,2}")
"""“r6”, “x5”, “cs6”: with a name before, it is a model of something."""
LONGEST = 4
"""Words of a name that is looked for."""


def is_naming(name: Stretch) -> bool:
    """Whether the label is that of a thing with a name, not that of a date or a number."""
    return name.label in _NAMING


def separated(parse: Parse) -> Parse:
    """The parse with its names as they are written: each by itself, and as a whole."""
    whole = (_with_model(parse, name) for name in parse.names)
    return with_names(parse, [part for name in whole for part in _parts(parse, name)])


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


def _with_model(parse: Parse, name: Stretch) -> Stretch:
    """“EOS” and the “r6” after it."""
    after = parse.tokens[name.last] if name.last < len(parse.tokens) else None
    goes_on = (
        after and after.name < 0 and parse.tokens[name.last - 1].head == after.i and MODEL.fullmatch(after.text.lower())
    )
    return replace(name, last=name.last + 1) if goes_on and name.label in _NAMING else name


def _parts(parse: Parse, name: Stretch) -> Iterator[Stretch]:
    """“Porto, Portugal”, “Anna and Tom”, “Hyrule Labs and Zelda Inc.” are two each; titles of works are left alone."""
    tokens = parse.within(name)
    three = zip(tokens, tokens[1:], tokens[2:], strict=False)
    end = next((token.i for before, token, after in three if _parted(name, before, token, after)), None)
    if name.label not in _PARTED or end is None:
        yield name
        return
    yield replace(name, last=end)
    yield from _parts(parse, replace(name, first=end + 1))


def _parted(name: Stretch, before: Token, token: Token, after: Token) -> bool:
    """Whether one name ends before the token, and another begins after it."""
    if not (after.text[:1].isupper() and before.text[:1].isupper()) or after.text.casefold().strip(".") in _SUFFIXES:
        return False
    if token.text in (",", "(", "/"):
        return True
    joined = token.text in ("and", "&")
    whole = LAST_WORDS.get(before.text.casefold()) == "ORG" and before.i > name.first and token.text == "and"
    return joined and (name.label == "PERSON" or whole or before.shaped or after.shaped)


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
