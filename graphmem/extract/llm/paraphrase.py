"""What a model may say in words of its own, short values and statements, as far as the text bears them out.

Who, where and how many is never its own: a name or number that the text does not have is made up, whatever is around.
"""

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
_KIN = 0.7
"""So much of the longer one do two forms of a word have in common, from their beginning on."""


def bears_out(text: str, words: str) -> bool:
    """Whether a text has at least half of the words that say something, endings aside, and every name and number."""
    if not words.isascii() and find_quote(text, words):
        return True  # not every script has blanks between words
    telling = _telling(words)
    stand = sum(_stands(text, word) for word in telling)
    return 2 * stand >= len(telling) > 0 and not _invents(text, words)


def statement_of(written: str, text: str, subject: str, predicate: str, target: str, *, ends: bool) -> str:
    """A model's sentence where it names what it is about, and nothing that nobody said; else a plain one."""
    names = f"{subject} {target} {predicate.replace('_', ' ')}"
    first, _, others = written.strip().partition(" ")  # the first word has a capital whatever it is
    about = all(_names(written, one) for one in (subject, target) if one)
    if about and not _invents(f"{text} {names}", others):
        return f"{first} {others}".strip()
    sentence = f"{subject} {predicate.replace('_', ' ')} {target}".strip()
    return f"{sentence} no longer." if ends else f"{sentence}."


def _names(sentence: str, name: str) -> bool:
    """Whether a sentence has a name, or one of its words."""
    return any(find_name(sentence, word) for word in _telling(name)) or bool(find_name(sentence, name))


def _invents(text: str, words: str) -> bool:
    named = [word for word in _telling(words) if not word.islower()]
    return not all(_stands(text, word) for word in named)


def _telling(words: str) -> list[str]:
    return [word for word in _WORD.findall(words) if word.casefold() not in _NOTHING]


def _stands(text: str, word: str) -> bool:
    return any(_are_kin(word.casefold(), one.casefold()) for one in _WORD.findall(text))


def _are_kin(one: str, other: str) -> bool:
    if one == other or not (one.isalpha() and other.isalpha()):
        return one == other
    beginning = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return beginning >= _KIN * max(len(one), len(other))
