"""Which parts of a text are in another language than English: the offline reader does not read them.

A sentence is in another language where two or more different words are small words that English does not have, and far
fewer are of English alone; or where most of its letters are of a script that English is not written in, and are more
than a name. What tells nothing (“ok”, a name) goes with what stands before it.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphmem.extract.offline.tables.languages import ENGLISH, LanguageTable, SmallWords, language_table
from graphmem.extract.pieces import TextPiece, blanked, sentences

_FEWEST = 2
"""Different small words by which another language is known."""
_OVER_ENGLISH = 2
"""More than so many times as many small words as of English: an English sentence may have a long foreign name."""
_WORDS_OF_NAME, _LETTERS_OF_NAME = 2, 4
"""What is no longer may be a name: words, and letters of a script without blanks."""
_LATIN = "LATIN"
_PAIRED = re.compile(r"^(.{3,200}?)[^\S\n](?:[=≈→|/–—-]|[=-]>)[^\S\n](.{3,200})$", re.MULTILINE)
"""Two halves of a line, as lists of phrases have them."""
_UNREAD = re.compile(r"\S*(?:@|://|www\.)\S*")
_WORD = re.compile(r"(?<![\w/<=:.\\$`{])(?:[^\W\d_]+(?:['’][^\W\d_]+)*['’]?|['’]n\b)(?![\w/=(\[}>\\`]|[:.]\w)")
"""A word of prose: not a part of what is joined by signs, as names in programs are."""
_JOINED = re.compile(r"(?P<before>[a-z]{1,5})'(?P<after>.+)")
_ENGLISH_ENDINGS = frozenset({"s", "t", "re", "ve", "ll", "d", "m"})
_MARKS = ("Mn", "Mc")


@dataclass(frozen=True, slots=True)
class ForeignSpan:
    """``[start, end)`` of a text, in code points, which is in a language that is not read."""

    start: int
    end: int
    language: str


def foreign_spans(text: str) -> tuple[ForeignSpan, ...]:
    """The parts of a text in other languages than English, sentence by sentence, with translations beside them."""
    lines = list(_translated(text))
    others = without(text, lines)
    units = [unit for unit in sentences(others) if not others[unit.start : unit.end].isspace()]
    known = [_language(others[unit.start : unit.end]) for unit in units]
    spans = [
        ForeignSpan(unit.start, unit.end, language)
        for unit, language in zip(units, _filled(known), strict=True)
        if language is not None and language != ENGLISH
    ]
    return tuple(sorted((*lines, *spans), key=lambda span: span.start))


def _translated(text: str) -> Iterator[ForeignSpan]:
    """Lines that say a thing in two languages, as lists of phrases do: “Ich bin hier = I am here”.

    A line that does not tell goes with the one before that does.
    """
    last = ""
    for match in _PAIRED.finditer(text):
        languages = {_language(match[1]), _language(match[2])}
        foreign = next(iter(languages - {None, ENGLISH}), "")
        if ENGLISH in languages and (foreign or (last and None in languages)):
            last = foreign or last
            yield ForeignSpan(*match.span(), last)


def unread(spans: Sequence[ForeignSpan]) -> dict[str, int]:
    """Code points in each language that is not read, the most first."""
    counts = Counter[str]()
    for span in spans:
        counts[span.language] += span.end - span.start
    return dict(counts.most_common())


def without(text: str, spans: Sequence[ForeignSpan]) -> str:
    """The text with these parts blanked; offsets stay the same."""
    return blanked(text, [TextPiece(span.start, span.end) for span in spans])


def _filled(known: Sequence[str | None]) -> Iterator[str | None]:
    """The language of each sentence; of one that tells none that of the sentence before, else of the next that does."""
    last = next((language for language in known if language), None)
    for language in known:
        last = language or last
        yield last


def _language(sentence: str) -> str | None:
    """The language of a sentence; None where it does not tell."""
    text = _UNREAD.sub(" ", sentence)
    scripts = Counter(script for character in text if (script := _script(character)))
    if not scripts:
        return None
    if 2 * scripts[_LATIN] < scripts.total():
        del scripts[_LATIN]
        return _of_script(text, scripts)
    return _by_words(text)


def _of_script(text: str, scripts: Counter[str]) -> str | None:
    """The language of a text that is not in Latin letters; None where it may be a name."""
    table = language_table()
    script, _ = scripts.most_common(1)[0]
    by_words = _by_words(text)
    if by_words not in (None, ENGLISH):
        return by_words
    if "HIRAGANA" in scripts or "KATAKANA" in scripts:
        script = "HIRAGANA"
    words = _WORD.findall(text)
    is_long = (
        scripts.total() > _LETTERS_OF_NAME
        if script in table.unspaced
        else len(words) > _WORDS_OF_NAME and not all(word[0].isupper() for word in words)
    )
    return table.scripts.get(script) if is_long else None


def _by_words(text: str) -> str | None:
    """The language that most of the small words are of alone; None where there are none."""
    table, words = language_table(), _small_words(text)
    seen = {name for word in words for name in table.languages_of.get(word, ())}
    counts = {name: _likelihood(words, its) for name, its in table.words.items() if name in seen}
    best = max(counts, key=lambda name: counts[name], default=None)
    if best is not None and counts[best]:
        return best
    return ENGLISH if _count(words, table.english) else None


def _likelihood(words: Counter[str], its: SmallWords) -> int:
    """How many words are of a language; 0 where they are too few, also beside those of English alone."""
    own = its.own & words.keys()
    lettered = _lettered(words, its)
    different = len(own) + (lettered > 0)
    count = _count(words, own) + lettered
    if different < _FEWEST or max(map(len, own)) == 1:
        return 0
    return count if count > _OVER_ENGLISH * _count(words, its.of_english_alone) else 0


def _count(words: Counter[str], among: frozenset[str]) -> int:
    return sum(count for word, count in words.items() if word in among)


def _lettered(words: Counter[str], its: SmallWords) -> int:
    """How many words have letters of the language's own, and are none of its small ones."""
    return sum(not its.letters.isdisjoint(word) for word in words if word not in its.own)


def _small_words(text: str) -> Counter[str]:
    """How often each word stands there that is no name: names are written large, and have small words between."""
    table, words = language_table(), _WORD.findall(text)
    capitals = text.isupper()
    is_name = [not capitals and _is_name(table, i, word) for i, word in enumerate(words)]
    counts = Counter[str]()
    for i, word in enumerate(words):
        joins = word in table.joining and _is_near_name(table, words, is_name, reversed(range(i)))
        if not is_name[i] and not (joins and _is_near_name(table, words, is_name, range(i + 1, len(words)))):
            counts.update(_parts(_folded(word)))
    return counts


def _is_name(table: LanguageTable, i: int, word: str) -> bool:
    """Whether a word is written as a name is, and is no word of English, nor begins a sentence as a small word."""
    folded = _folded(word)
    return word[0].isupper() and not (folded in table.english or (i == 0 and folded in table.languages_of))


def _is_near_name(table: LanguageTable, words: Sequence[str], is_name: Sequence[bool], places: Iterable[int]) -> bool:
    """Whether the first of these words that joins none is a name."""
    return next((is_name[i] for i in places if words[i] not in table.joining), False)


def _folded(word: str) -> str:
    """The word as tables have it: in small letters, but for the English “I”."""
    return word if word == "I" else word.casefold().replace("’", "'")


def _parts(word: str) -> Iterator[str]:
    """“l'amour” is “l'” and “amour”; “don't” and “Anna's” are English words."""
    joined = _JOINED.fullmatch(word)
    if joined is None or joined["after"] in _ENGLISH_ENDINGS or word in language_table().english:
        yield word
        return
    yield f"{joined['before']}'"
    yield joined["after"]


@lru_cache(maxsize=4096)
def _script(character: str) -> str:
    """The script of a letter, as Unicode names it; "" for what is no letter."""
    if not character.isalpha() and unicodedata.category(character) not in _MARKS:
        return ""
    return unicodedata.name(character, "").partition(" ")[0].partition("-")[0]
