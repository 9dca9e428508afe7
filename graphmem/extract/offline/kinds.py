"""What a name is the name of: spaCy's label, unless the name's own words or those around it tell better.

“Hyrule Labs” is an organization, “Velmore is a village” says so, and who is “Sandra Whitfield” once is a person where
only “Whitfield” stands: one name has one kind in a text, the better supported.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import takewhile

from graphmem.extract.offline.stretches import LONGEST, again, is_naming, key, separated, with_names, words_of
from graphmem.extract.offline.syntax import Parse, Stretch, Token
from graphmem.extract.offline.tables.kinds import (
    DEFINED_BY,
    LAST_WORDS,
    PROJECT,
    SPOKEN_TITLES,
    TITLES,
)

_SURE, _SEEN, _GUESSED = 50, 5, 2
"""Votes of what tells the kind, of spaCy's label, and of “ORG”: it takes for organizations what it does not know."""
_HIM_OR_HER = frozenset({"he", "she", "him", "her", "his", "himself", "herself"})
_DEFINED = frozenset({"GPE", "LOC", "ORG", PROJECT})
_FAR = 50
"""Words from a name to the pronoun that tells who it is."""
_MODEL = re.compile(r"(?=.*\d)[a-z]{1,4}-?\d{1,4}[a-z]{0,2}")
"""“r6”, “x5”, “cs6”: with a name before, it is a model of something."""
_WHERE = frozenset({"in", "at", "near", "from", "to", "of"})


def relabelled(parse: Parse, people: Collection[str] = (), organizations: Collection[str] = ()) -> Parse:
    """The parse with the kinds of its names as the whole text tells them, and with those that spaCy saw elsewhere.

    ``people``: the names of who takes part in the talk. ``organizations``: names that were said before as those of
    organizations, which a tagger often takes for persons.
    """
    parse = separated(parse)
    parse = with_names(parse, [*parse.names, *_defined(parse)])
    kinds = _kinds(parse) | {name.casefold(): "ORG" for name in organizations} | _persons(people)
    named = [
        replace(name, label=kinds.get(key(parse, name), name.label)) if is_naming(name) else name
        for name in parse.names
    ]
    return with_names(parse, [*named, *again(parse, kinds)])


def _kinds(parse: Parse) -> dict[str, str]:
    """One label for each name, however often it is written, and for the last name of a person."""
    votes: dict[str, Counter[str]] = {}
    for name in filter(is_naming, parse.names):
        told_label = _label_of(parse, name)
        weight = _SURE if told_label else _GUESSED if name.label == "ORG" else _SEEN
        votes.setdefault(key(parse, name), Counter())[told_label or name.label] += weight
    best = {key: max(count, key=lambda label: (count[label], label)) for key, count in votes.items() if key}
    families = {key.split()[-1] for key, label in best.items() if label == "PERSON" and " " in key}
    unsure = {key for key, count in votes.items() if max(count.values()) < _SURE}
    return best | dict.fromkeys(families & unsure, "PERSON")


def _defined(parse: Parse) -> Iterator[Stretch]:
    """Names that spaCy does not see, of which the text says what they are: “Velmore is a village”."""
    for last in parse.tokens:
        if not _is_unseen(last) or (_is_unseen(parse.head(last)) and last.head == last.i + 1):
            continue
        run = list(takewhile(_is_unseen, reversed(parse.tokens[max(last.i - LONGEST + 1, 0) : last.i + 1])))[::-1]
        label = _by_definition(parse, run) or _by_words(run)
        if label in _DEFINED:
            yield Stretch(run[0].i, last.i + 1, label)


def _is_unseen(token: Token) -> bool:
    return token.proper and token.name < 0


def _persons(people: Collection[str]) -> dict[str, str]:
    """Who takes part is a person under the whole name and the first."""
    names = (name.casefold() for name in people)
    return {key: "PERSON" for name in names if name.strip() for key in (name, name.split()[0])}


def _label_of(parse: Parse, name: Stretch) -> str | None:
    """The label that the name's words, or those around it, tell. A state or a city is no organization by its words."""
    words = words_of(parse, name)
    if not words:
        return None
    label = _by_title(parse, words) or _by_definition(parse, words) or _by_words(words) or _by_context(parse, words)
    return None if name.label == "GPE" and label == "ORG" else label


def _by_title(parse: Parse, words: list[Token]) -> str | None:
    """“Mr. Whitfield”, “Captain Whitfield”, the title within the name or before it."""
    before = parse.tokens[max(words[0].i - 1, 0)]
    titled = words[0].text.casefold() in TITLES and len(words) > 1
    called = before.i < words[0].i and before.proper and before.text.casefold() in SPOKEN_TITLES
    return "PERSON" if titled or called else None


def _by_words(words: list[Token]) -> str | None:
    first, last = words[0].text.casefold(), words[-1].text.casefold()
    if len(words) == 1:
        return None
    if _MODEL.fullmatch(last):
        return "PRODUCT"
    return PROJECT if first == "project" else LAST_WORDS.get(last) if words[-1].text[0].isupper() else None


def _by_context(parse: Parse, words: list[Token]) -> str | None:
    """“Whitfield said that she …” speaks of a person, “in Velmore, England” of a place."""
    if len(words) > 1:
        return None
    (word,) = words
    rest = parse.tokens[word.i + 1 : min(parse.sentence_of(word).last, word.i + _FAR)]
    if word.dep in ("nsubj", "nsubjpass") and any(token.text.casefold() in _HIM_OR_HER for token in rest):
        return "PERSON"
    within = [token.text for token in rest[:1]] == [","] and [token.label for token in rest[1:2]] == ["GPE"]
    return "GPE" if within and word.i and parse.tokens[word.i - 1].text.casefold() in _WHERE else None


def _by_definition(parse: Parse, words: list[Token]) -> str | None:
    """“X is a village”, “X, a village in …”, “the village X”."""
    labels = (DEFINED_BY.get(noun.lemma) for noun in _definitions(parse, words[-1]) if not noun.proper)
    return next((label for label in labels if label), None)


def _definitions(parse: Parse, last: Token) -> Iterator[Token]:
    above = parse.head(last)
    if last.dep == "nsubj" and above.lemma == "be" and not parse.children(above, "neg"):
        yield from parse.children(above, "attr")
    yield from parse.children(last, "appos")
    if last.dep == "appos":
        yield above
    yield from (child for child in parse.children(last, "compound", "nmod") if child.i < last.i)
