"""Whom “he” or “she” means: the one person the text has named so far, and nobody if there may be two."""

from collections.abc import Collection

from graphmem.extract.offline.syntax import Parse, Stretch, Token
from graphmem.extract.offline.tables.lexicon import SOMEBODY
from graphmem.extract.offline.tables.roles import ROLES
from graphmem.model.fragment import Name

_PRONOUNS = frozenset({"he", "she"})
_LONGEST_WAY = 2
"""In sentences, from the pronoun back to the name."""


def antecedent(parse: Parse, pronoun: Token, present: Collection[Name] = ()) -> Token | None:
    """The head of the person's name, if that is the only one before, near enough, with no other person about.

    Nobody says “she” of who is ``present``: of the speaker, or of who is spoken to.
    """
    word = pronoun.text.casefold()
    before = parse.tokens[: pronoun.i]
    if word not in _PRONOUNS or any(_is_other(parse, token, word) for token in before):
        return None
    here = [set(name.name.split()) for name in present]
    named = [name for name in parse.names if name.label == "PERSON" and name.last <= pronoun.i]
    people = [name for name in named if not any(_words(parse, name) <= words for words in here)]
    if not people or not _are_one(parse, people):
        return None
    last = parse.tokens[people[-1].last - 1]
    return last if pronoun.sentence - last.sentence <= _LONGEST_WAY else None


def _is_other(parse: Parse, token: Token, word: str) -> bool:
    """Somebody who is not named, or of the other gender."""
    text = token.text.casefold()
    if text in _PRONOUNS - {word} or text in SOMEBODY:
        return True
    return token.lemma in ROLES and not token.proper and not _names(parse, token)


def _names(parse: Parse, noun: Token) -> bool:
    """Whether the next word is the name of who the noun is."""
    return noun.i + 1 < len(parse.tokens) and parse.tokens[noun.i + 1].proper


def _are_one(parse: Parse, people: list[Stretch]) -> bool:
    """Whether all names can be one person's: each is part of the longest."""
    written = [_words(parse, name) for name in people]
    longest = max(written, key=len)
    return all(words <= longest for words in written)


def _words(parse: Parse, name: Stretch) -> set[str]:
    return {token.text for token in parse.within(name)}
