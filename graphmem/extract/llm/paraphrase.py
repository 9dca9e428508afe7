"""What a model may say in words of its own, short values and statements, as far as the text bears them out.

Who, where and how many is never its own: a name or number that the text does not have is made up, whatever is around.
"""

from collections.abc import Iterable
from itertools import takewhile

import regex

from graphmem.extract.llm.grounding import find_name, find_quote

_WORD = regex.compile(r"\w+")
_NOTHING = frozenset(
    _WORD.findall("""
    a an and any are as at be but by can cannot did do does don for from had has have he her hers him his i in is it its
    me my never no none not of off on or our s she so t that the their them they this to too us very was we were with
    yes you your
    """)
)
"""Words that say nothing of a turn by standing in it."""
_SPEAKING = frozenset({"my", "myself", "our", "ours", "ourselves", "you", "your", "yours", "yourself", "yourselves"})
"""Pronouns that are no words of other languages, as “me” and “we” are."""
_KIN = 0.7
"""So much of the longer one do two forms of a word have in common, from their beginning on."""


def bears_out(text: str, words: str) -> bool:
    """Whether a text has at least half of the words that say something, endings aside, and every name and number."""
    if not words.isascii() and find_quote(text, words):
        return True  # not every script has blanks between words
    said = telling(words)
    stand = sum(_stands(text, word) for word in said)
    return 2 * stand >= len(said) > 0 and not _invents(text, words)


def statement_of(written: str, text: str, subject: str, predicate: str, target: str, *, ends: bool) -> str:
    """A model's sentence where it may stand, else a plain one."""
    verb = predicate.replace("_", " ")
    if own := own_sentence(written, f"{text} {verb}", (subject, target)):
        return own
    sentence = f"{subject} {verb} {target}".strip()
    return f"{sentence} no longer." if ends else f"{sentence}."


def own_sentence(written: str, text: str, about: Iterable[str]) -> str:
    """A model's sentence; "" of one that nobody understands by itself, or that says what nobody said.

    That is one that does not name what it is ``about``, that says “my” or “you”, or has other names and numbers than
    the text.
    """
    about = [name for name in about if name]
    first, _, others = written.strip().partition(" ")  # the first word has a capital whatever it is
    words, said = _WORD.findall(others), " ".join((text, *about))
    if not all(_names(written, name) for name in about) or _SPEAKING.intersection(words):
        return ""
    counted = all(_stands(said, word) for word in words if word[0].isdigit())  # also “8th”
    return f"{first} {others}".strip() if counted and not _invents(said, others) else ""


def _names(sentence: str, name: str) -> bool:
    """Whether a sentence has a name, or one of its words."""
    return any(find_name(sentence, word) for word in telling(name)) or bool(find_name(sentence, name))


def _invents(text: str, words: str) -> bool:
    named = [word for word in telling(words) if not word.islower()]
    return not all(_stands(text, word) for word in named)


def telling(words: str) -> list[str]:
    """The words that say something, in their order."""
    return [word for word in _WORD.findall(words) if word.casefold() not in _NOTHING]


def _stands(text: str, word: str) -> bool:
    return any(_are_kin(word.casefold(), one.casefold()) for one in _WORD.findall(text))


def _are_kin(one: str, other: str) -> bool:
    if one == other or not (one.isalpha() and other.isalpha()):
        return one == other
    beginning = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return beginning >= _KIN * max(len(one), len(other))
