"""Names that their letters tell, or the words around them: “C#”, “H&M”, “A Coruña”, “Nguyễn Văn An”, “June lives here”.

The parser would take them apart, or take them for months and verbs.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import dropwhile

from graphmem.extract.offline.tables.lexicon import BEFORE_NAMES, GIVEN_NAMES_TOO

_MARKED = re.compile(
    r"(?<![\w&+#./-])"
    r"(?:[A-Za-z]{1,3}(?:\+\+|#)"  # C++, C#
    r"|\.NET\b|[A-Z][A-Za-z]{1,20}\.js\b"
    r"|[A-Z]{1,3}&[A-Z]{1,3}\b)"  # H&M, AT&T
    r"(?![\w&+#])"
)
_ARTICLED = re.compile(r"(?<=[a-z,] )[AO] [A-ZÀ-ÖØ-Þ][^\W\d_]+")
_LATIN = r"a-zA-ZªºÀ-ɏḀ-ỿ"
_OTHER_SCRIPT = re.compile(rf"[^\W\d_{_LATIN}]+(?:[ ·・][^\W\d_{_LATIN}]+)*")
_NAME = r"[A-ZÀ-ÖØ-ÞĀ-ɎḀ-Ỿ][^\W\d_]*(?:['’-][^\W\d_]+)*"
_CAPITALISED_RUN = re.compile(rf"(?<![\w'’-]){_NAME}(?: {_NAME}){{1,3}}(?![\w'’-])")
_DOES = (
    r"(?: (?:lives|lived|works|worked|moved|says|said|tells|told|thinks|thought|has|had|loves|likes|hates|wants|wanted"
    r"|got|gets|quit|left|joined|bought|studies|studied|married|called|came|went|met|knows|asked|started|speaks|plays)\b"
    r"|(?: is|'s|’s|,) (?:my|our|his|her|your)\b| and (?:I|me)\b)"
)
_KIN = (
    r"(?:sister|brother|mother|father|mum|mom|dad|wife|husband|partner|son|daughter|aunt|uncle|cousin|niece|nephew"
    r"|friend|boss|manager|colleague|neighbou?r|roommate|flatmate|girlfriend|boyfriend|fianc[ée]e?)"
)
_PERSON_WORD = re.compile(
    rf"(?<![\w'’-])(?P<does>[A-Z][a-z]+)(?={_DOES})"
    rf"|\b(?:{_KIN}|(?:met|married|named|dated|hired)),? (?P<done>[A-Z][a-z]+)\b"
)
_LEARNED = "\u00ff"
"""The last letter that the parser has often seen in names."""
_LONGEST = 12
"""Letters of another script that may be a name; more are a sentence."""
_STAND_IN = "Kim"
"""What the parser is shown for letters of scripts that it has not learned, and for who is called as a month is."""
_UNDECOMPOSED = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "ss", "ı": "i"})


def shapes(text: str) -> Iterator[tuple[int, int]]:
    """The ``[start, end)`` of each name in a text that its letters, or the words around it, tell."""
    for form in (_MARKED, _ARTICLED):
        yield from (match.span() for match in form.finditer(text))
    for match in _PERSON_WORD.finditer(text):
        if match[match.lastgroup or 0].casefold() in GIVEN_NAMES_TOO:
            yield match.span(match.lastgroup or 0)
    if not text.isascii():
        yield from (match.span() for match in _OTHER_SCRIPT.finditer(text) if len(match[0]) <= _LONGEST)
        yield from _foreign(text)


def _foreign(text: str) -> Iterator[tuple[int, int]]:
    """Capitalised words side by side that English does not spell: “Nguyễn Văn An”, not “Renée Berg”, nor “In Łódź”."""
    for line in _CAPITALISED_RUN.finditer(text):
        name = list(dropwhile(_is_before_names, re.finditer(r"\S+", line[0])))
        if len(name) > 1 and any(letter > _LEARNED for word in name for letter in word[0]):
            yield line.start() + name[0].start(), line.start() + name[-1].end()


def _is_before_names(word: re.Match[str]) -> bool:
    return word[0].casefold() in BEFORE_NAMES


def spelled(name: str) -> str:
    """A name as one word that the parser takes for a name: letters of English, the first of them a capital."""
    if name.casefold() in GIVEN_NAMES_TOO:
        return _STAND_IN
    plain = unicodedata.normalize("NFKD", name.translate(_UNDECOMPOSED))
    letters = "".join(letter for letter in plain if letter.isascii() and letter.isalpha()) or _STAND_IN
    return letters if letters.isupper() else letters.capitalize()
