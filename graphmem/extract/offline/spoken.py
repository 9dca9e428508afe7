"""The words of a text as the parser has learned them: greetings and calls cut away, colloquialisms spelled out.

The parser takes the “Audrey” of “Thanks, Audrey! Rome was great” for a part of the sentence, and “gonna” for a name.
Every word keeps its place in the text, so that what is found can be quoted.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from graphmem.extract.offline.shapes import spelled
from graphmem.extract.offline.tables.spoken import (
    CALLED,
    CLOSING,
    DASHES,
    DONE_TO,
    FILLERS,
    GOING_ON,
    GREETINGS,
    INTERJECTIONS,
    LEADING,
    LED_BY,
    LEFT_OUT,
    NAMING,
    OPENING,
    SPELLED,
    SPELLED_AFTER,
)

MOST_WORDS = 128
"""Of a sentence: the parser's work grows faster than a sentence does, and hardly anybody makes longer ones."""
_LONGEST_LEAD = max(map(len, LEADING))
_LONGEST_CALL = 3
_PARTING = frozenset({",", ";", ":", "-", "–", "—", "|", ")", "]", "}"})
_JOINING = frozenset({"and", "or", "but", "because", "so", "&"})


@dataclass(frozen=True, slots=True)
class Word:
    """A word at ``[start, end)`` of the text, spelled ``text``; a sentence is known to begin where it ``begins``.

    ``norm`` is what the parser's vocabulary takes it for (“n't” for “not”), "" for the word itself. ``written`` is how
    the text writes a name that the parser is shown by another word, else "".
    """

    text: str
    start: int
    end: int
    begins: bool = False
    norm: str = ""
    written: str = ""

    @property
    def key(self) -> str:
        return self.text.casefold()

    @property
    def is_mark(self) -> bool:
        """Whether it is punctuation, a symbol or blank."""
        return not any(map(str.isalnum, self.text))


@dataclass(frozen=True, slots=True)
class Spoken:
    """The ``words`` to parse, and the words that ``call`` somebody by name at ``[start, end)`` of the text."""

    words: tuple[Word, ...]
    calls: tuple[tuple[int, int], ...]


def spoken(words: Sequence[Word], names: Collection[str] = ()) -> Spoken:
    """The words less greetings, interjections and calls. ``names`` are those of who may be spoken to."""
    known = frozenset(part.casefold() for name in names for part in name.split())
    kept: list[Word] = []
    calls: list[tuple[int, int]] = []
    for segment in _segments(words):
        first, opening = _greeting(segment, known)
        last, closing = _call_at_end(segment, first, known)
        calls += [*opening, *closing]
        rest = [*segment[first:last], *(word for word in segment[last + 1 :] if word.is_mark)]
        if not all(word.is_mark for word in rest):
            kept += _spelled(_with_subject([replace(rest[0], begins=True), *rest[1:]]))
    return Spoken(tuple(kept), tuple(calls))


def in_sentences(words: Iterable[Word], most: int = MOST_WORDS) -> list[Word]:
    """The words, of which a sentence begins at least every ``most``.

    A longer one ends behind the last mark that ends a sentence, else the last that parts clauses, else before the last
    “and”, else anywhere.
    """
    kept, start = list(words), 0
    for i in range(len(kept)):
        if kept[i].begins:
            start = i
        elif i - start == most:
            start = _place_to_cut(kept, start, i)
            kept[start] = replace(kept[start], begins=True)
    return kept


def _place_to_cut(words: Sequence[Word], start: int, end: int) -> int:
    """Where a sentence may end that begins at ``start`` and goes on at ``end``: as late as the best reason is found."""
    places, half = range(end, start, -1), (start + end) // 2
    whole = (i for i in places if words[i - 1].is_mark and _closes(words[i - 1]))
    clause = (i for i in places if i > half and words[i - 1].text in _PARTING)
    item = (i for i in places if i > half and words[i].key in _JOINING)
    return next((i for candidates in (whole, clause, item) for i in candidates), end)


def joined(words: Iterable[Word], stretches: Iterable[tuple[int, int]], text: str = "") -> list[Word]:
    """The words, those inside one stretch of the text as one name: what is known to be one is not parsed.

    A word that goes on behind a stretch, as with the period of a sentence, is cut there. With the ``text``, each such
    name keeps how that writes it (``Word.written``).
    """
    kept = list(words)
    for start, end in stretches:
        first, last = bisect_left(kept, start, key=attrgetter("start")), bisect_right(kept, end, key=attrgetter("end"))
        if last < len(kept) and start <= kept[last].start < end:
            kept[last : last + 1] = _cut(kept[last], end)
            last += 1
        if first < last:
            name = "".join(word.text for word in kept[first:last])
            kept[first:last] = [Word(spelled(name), start, end, written=text[start:end])]
    return kept


def _cut(word: Word, end: int) -> list[Word]:
    behind = word.end - end
    return [Word(word.text[:-behind], word.start, end), Word(word.text[-behind:], end, word.end)]


def _segments(words: Sequence[Word]) -> Iterator[list[Word]]:
    """What stands between closing marks, dashes set apart, and line ends."""
    segment: list[Word] = []
    closed = False
    for i, word in enumerate(words):
        if "\n" in word.text or _is_dash(words, i):
            yield segment
            segment, closed = [], False
        elif not word.text.isspace():
            if closed and not word.is_mark and _begins(word, after=words[i - 1]):
                yield segment
                segment, closed = [], False
            closed = word.is_mark and (closed or _closes(word))
            segment.append(word)
    yield segment


def _closes(word: Word) -> bool:
    return word.text.strip("".join(CLOSING)) == ""


def _begins(word: Word, *, after: Word) -> bool:
    """Whether a sentence begins with the word: “so fun! we met” has two, “went... home” and “the ‘Help!’ album” one."""
    return not word.text[0].islower() or (after.text[-1] in "!?" and after.end < word.start)


def _is_dash(words: Sequence[Word], i: int) -> bool:
    """Whether the word parts two clauses: “my project - want to see it?”, not “self-taught”."""
    if words[i].text not in DASHES:
        return False
    apart_before = i == 0 or words[i - 1].end < words[i].start or words[i - 1].text.isspace()
    apart_after = i + 1 == len(words) or words[i].end < words[i + 1].start or words[i + 1].text.isspace()
    return (apart_before and apart_after) or words[i].text in (";", "—", "--")


def _greeting(segment: Sequence[Word], known: Collection[str]) -> tuple[int, list[tuple[int, int]]]:
    """Where what is said begins, behind “Hey Mel, wow, thanks!”, and the calls before it."""
    at, calls = 0, list[tuple[int, int]]()
    while at < len(segment) and segment[at].text not in OPENING:
        length, greets = _lead(segment, at)
        after = at + length
        called = after + (length > 0 and [word.text for word in segment[after : after + 1]] == [","])
        size = _call(segment, called, known, anybody=greets)
        if size and _marked(segment, called + size):
            calls.append((segment[called].start, segment[called + size - 1].end))
            at = called + size
        elif length and (_marked(segment, after) or _is_filler(segment, at)):
            at = after
        else:
            break
        while at < len(segment) and segment[at].is_mark and segment[at].text not in OPENING:
            at += 1
    return at, calls


def _is_filler(segment: Sequence[Word], at: int) -> bool:
    """Whether the word can go where no mark follows: “So I left”, not “And Then There Were None”."""
    following = segment[at + 1].text
    return segment[at].key in FILLERS and (not following.istitle() or following == "I")


def _lead(segment: Sequence[Word], at: int) -> tuple[int, bool]:
    """How many words of an interjection begin here, and whether it greets or thanks somebody."""
    for length in range(_LONGEST_LEAD, 1, -1):
        words = tuple(word.key for word in segment[at : at + length])
        if words in LEADING:
            return length, words[0] in GREETINGS
    key = segment[at].key
    leads = key in INTERJECTIONS or key in FILLERS or key in GREETINGS or segment[at].is_mark
    return int(leads), key in GREETINGS


def _call(segment: Sequence[Word], at: int, known: Collection[str], *, anybody: bool) -> int:
    """How many words of a name stand here: of somebody known, or, after a greeting, of ``anybody``."""
    size = 0
    for word in segment[at : at + _LONGEST_CALL]:
        named = word.text[:1].isupper() and (_is_known(word, known) or (anybody and word.text.isalpha()))
        if not named and not (anybody and word.key in CALLED):
            break
        size += 1
    return 0 if size and segment[at].key == "i" else size


def _is_known(word: Word, known: Collection[str]) -> bool:
    """Whether the word is of a name, or short for it: “Mel” is Melanie."""
    return len(word.key) > 1 and any(name.startswith(word.key) for name in known)


def _marked(segment: Sequence[Word], at: int) -> bool:
    return at >= len(segment) or segment[at].is_mark


def _call_at_end(segment: Sequence[Word], first: int, known: Collection[str]) -> tuple[int, list[tuple[int, int]]]:
    """Where “, Maria!” begins at the end, and the call. Who is spoken to is called also where no comma says so."""
    end = len(segment)
    while end > first and segment[end - 1].is_mark:
        end -= 1
    name, comma = end - 1, end - 2
    if comma > first and segment[name].text.istitle() and segment[name].key in known:
        before = segment[comma]
        if before.key.isalpha() and before.text.islower() and before.key not in NAMING:
            return name, [(segment[name].start, segment[name].end)]
    if comma > first and segment[comma].text == ",":
        word = segment[name]
        if word.text[:1].isupper() and _is_known(word, known):
            return comma, [(word.start, word.end)]
        if word.key in CALLED:
            return comma, []
    return len(segment), []


def _with_subject(segment: Sequence[Word]) -> Sequence[Word]:
    """The words with the “I” that is left out, which is nowhere in the text: the parser has learned few without it."""
    at = 1 if segment[0].key in LED_BY else 0
    key, following = segment[at].key if segment[at:] else "", segment[at + 1].key if segment[at + 1 :] else "."
    if key not in LEFT_OUT or following in DONE_TO | GOING_ON.get(key, frozenset()):
        return segment
    if key == "been" and not following.endswith("ing") and following != "busy":
        return segment  # “Been a long day”, “Been hectic”
    first, place = segment[0], segment[0].start
    restored = [Word(text, place, place, begins=text == "I") for text in LEFT_OUT[key]]
    return [*restored, replace(first, text=first.text[0].lower() + first.text[1:], begins=False), *segment[1:]]


def _spelled(words: Sequence[Word]) -> Iterator[Word]:
    before = ""
    for word in words:
        spelling = SPELLED_AFTER.get((before, word.key)) or SPELLED.get(word.key)
        before = word.key
        if spelling is None:
            yield word
            continue
        first, *others = spelling.split()
        yield replace(word, text=first.capitalize() if word.text[0].isupper() else first, norm="")
        yield from (Word(other, word.end, word.end) for other in others)
