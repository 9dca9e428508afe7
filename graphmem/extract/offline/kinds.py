"""What a name is the name of: spaCy's label, unless the name's own words or those around it tell better.

“Hyrule Labs” is an organization, “Heydour is a village” says so, and who is “Sandra Bullock” once is a person where
only “Bullock” stands: one name has one kind in a text, the better supported.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from graphmem.extract.offline.syntax import Parse, Stretch, Token
from graphmem.extract.offline.tables.kinds import (
    DEFINED_BY,
    FIRST_WORDS,
    FIRST_WORDS_OF,
    LAST_WORDS,
    OF_PLACES,
    SPOKEN_TITLES,
    TITLES,
)

_NAMING = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "WORK_OF_ART"})
_SURE, _SEEN, _GUESSED = 50, 5, 2
"""Votes of what tells the kind, of spaCy's label, and of “ORG”: it takes for organizations what it does not know."""
_PARTED = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC"})
_SUFFIXES = frozenset({"inc", "ltd", "llc", "corp", "co", "jr", "sr", "plc", "gmbh"})
"""After a comma, they go on with the name."""
_HIM_OR_HER = frozenset({"he", "she", "him", "her", "his", "himself", "herself"})
_DEFINED = frozenset({"GPE", "LOC", "ORG"})
_WHERE = frozenset({"in", "at", "near", "from", "to", "of"})
_LONGEST = 4
"""Words of a name that is found again."""


def relabelled(parse: Parse, people: Collection[str] = ()) -> Parse:
    """The parse with the kinds of its names as the whole text tells them, and with those that spaCy saw elsewhere.

    ``people``: the names of who takes part in the talk.
    """
    parse = _with_names(parse, [part for name in parse.names for part in _parts(parse, name)])
    parse = _with_names(parse, [*parse.names, *_defined(parse)])
    kinds = _kinds(parse) | _persons(people)
    named = [
        replace(name, label=kinds.get(_key(parse, name), name.label)) if _is_naming(name) else name
        for name in parse.names
    ]
    return _with_names(parse, [*named, *_again(parse, kinds)])


def _with_names(parse: Parse, named: Iterable[Stretch]) -> Parse:
    names = tuple(sorted(named, key=lambda name: name.first))
    if names == parse.names:
        return parse
    at = {i: number for number, name in enumerate(names) for i in range(name.first, name.last)}
    tokens = (
        replace(token, name=at.get(token.i, -1), label=names[at[token.i]].label if token.i in at else "")
        for token in parse.tokens
    )
    return replace(parse, names=names, tokens=tuple(tokens))


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
    return joined and (name.label == "PERSON" or whole)


def _is_naming(name: Stretch) -> bool:
    return name.label in _NAMING


def _kinds(parse: Parse) -> dict[str, str]:
    """One label for each name, however often it is written, and for the last name of a person."""
    votes: dict[str, Counter[str]] = {}
    for name in filter(_is_naming, parse.names):
        told = _told(parse, name)
        weight = _SURE if told else _GUESSED if name.label == "ORG" else _SEEN
        votes.setdefault(_key(parse, name), Counter())[told or name.label] += weight
    best = {key: max(count, key=lambda label: (count[label], label)) for key, count in votes.items() if key}
    families = {key.split()[-1] for key, label in best.items() if label == "PERSON" and " " in key}
    unsure = {key for key, count in votes.items() if max(count.values()) < _SURE}
    return best | dict.fromkeys(families & unsure, "PERSON")


def _defined(parse: Parse) -> Iterator[Stretch]:
    """Names that spaCy does not see, of which the text says what they are: “the village of Asby”."""
    unseen = (token for token in parse.tokens if token.proper and token.name < 0)
    for last in unseen:
        if any(above.i == last.head and above.proper for above in parse.tokens[last.i + 1 : last.i + 2]):
            continue
        first = last.i
        while first and parse.tokens[first - 1].proper and parse.tokens[first - 1].name < 0:
            first -= 1
        label = _by_definition(parse, list(parse.tokens[first : last.i + 1]))
        if label in _DEFINED:
            yield Stretch(first, last.i + 1, label)


def _persons(people: Collection[str]) -> dict[str, str]:
    """Who takes part is a person under the whole name and the first."""
    names = (name.casefold() for name in people)
    return {key: "PERSON" for name in names if name.strip() for key in (name, name.split()[0])}


def _again(parse: Parse, kinds: Mapping[str, str]) -> Iterator[Stretch]:
    """Names that spaCy sees in one place of the text and not in the other."""
    i = 0
    while i < len(parse.tokens):
        name = next((found for size in range(_LONGEST, 0, -1) if (found := _name_at(parse, i, size, kinds))), None)
        if name:
            yield name
        i = name.last if name else i + 1


def _name_at(parse: Parse, i: int, size: int, kinds: Mapping[str, str]) -> Stretch | None:
    tokens = parse.tokens[i : i + size]
    if len(tokens) < size or not all(token.proper and token.name < 0 for token in tokens):
        return None
    label = kinds.get(" ".join(token.text for token in tokens).casefold())
    return Stretch(i, i + size, label) if label else None


def _key(parse: Parse, name: Stretch) -> str:
    return " ".join(token.text for token in _words(parse, name)).casefold()


def _words(parse: Parse, name: Stretch) -> list[Token]:
    """The words of the name, without article and the “'s” at its end."""
    words = list(parse.within(name))
    while words and (words[0].text.casefold() == "the" or not words[0].text[0].isalnum()):
        words.pop(0)
    while words and (words[-1].tag == "POS" or not words[-1].text[-1].isalnum()):
        words.pop()
    return words


def _told(parse: Parse, name: Stretch) -> str | None:
    """The label that the name's words, or those around it, tell. A state or a city is no organization by its words."""
    words = _words(parse, name)
    if not words:
        return None
    label = _by_title(parse, words) or _by_definition(parse, words) or _by_words(words) or _by_context(parse, words)
    return None if name.label == "GPE" and label == "ORG" else label


def _by_title(parse: Parse, words: list[Token]) -> str | None:
    """“Mr. Bullock”, “Captain Bullock”, the title within the name or before it."""
    before = parse.tokens[max(words[0].i - 1, 0)]
    titled = words[0].text.casefold() in TITLES and len(words) > 1
    called = before.i < words[0].i and before.proper and before.text.casefold() in SPOKEN_TITLES
    return "PERSON" if titled or called else None


def _by_words(words: list[Token]) -> str | None:
    keys = [word.text.casefold() for word in words]
    if len(keys) == 1:
        return None
    if keys[1] == "of" and keys[0] in FIRST_WORDS_OF:
        return FIRST_WORDS_OF[keys[0]]
    return FIRST_WORDS.get(keys[0]) or (LAST_WORDS.get(keys[-1]) if words[-1].text[0].isupper() else None)


def _by_context(parse: Parse, words: list[Token]) -> str | None:
    """“Bullock said that she …” speaks of a person, “in Heydour, England” of a place."""
    if len(words) > 1:
        return None
    (word,) = words
    rest = parse.tokens[word.i + 1 : parse.sentence_of(word).last]
    if word.dep in ("nsubj", "nsubjpass") and any(token.text.casefold() in _HIM_OR_HER for token in rest):
        return "PERSON"
    within = [token.text for token in rest[:1]] == [","] and [token.label for token in rest[1:2]] == ["GPE"]
    return "GPE" if within and word.i and parse.tokens[word.i - 1].text.casefold() in _WHERE else None


def _by_definition(parse: Parse, words: list[Token]) -> str | None:
    """“X is a village”, “X, a village in …”, “the village X”, “the village of X”."""
    last = words[-1]
    labels = (DEFINED_BY.get(noun.lemma) for noun in _definitions(parse, last) if not noun.proper)
    defined = next((label for label in labels if label), None)
    return defined or _of_place(parse, last)


def _definitions(parse: Parse, last: Token) -> Iterator[Token]:
    above = parse.head(last)
    if last.dep == "nsubj" and above.lemma == "be" and not parse.children(above, "neg"):
        yield from parse.children(above, "attr")
    yield from parse.children(last, "appos")
    if last.dep == "appos":
        yield above
    yield from (child for child in parse.children(last, "compound", "nmod") if child.i < last.i)


def _of_place(parse: Parse, last: Token) -> str | None:
    """“the village of X”, not “the mayor of X”."""
    above = parse.head(last)
    noun = parse.head(above)
    if last.dep != "pobj" or above.lemma != "of" or noun.proper or noun.lemma not in OF_PLACES:
        return None
    return DEFINED_BY[noun.lemma]
