"""What of a text is read, and a long one in pieces, read one by one: cut where sentences end, nothing left out."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[」』”’）]*|\n")
_BLANKS = re.compile(r"\s+")
_ABBREVIATED = re.compile(r"(?:\b(?:mrs?|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|[a-z]))\.\Z", re.IGNORECASE)
"""What ends with a full stop and ends no sentence: “Dr.”, “J.”."""
_LONGEST_ABBREVIATION = 6
PASSAGE_TOKENS = 256
_BYTES_OF_A_TOKEN, _MOST_BYTES = 3, 4
"""Bytes of a token, and the most bytes of a letter."""


@dataclass(frozen=True, slots=True)
class TextPiece:
    """``[start, end)`` of a text, in code points."""

    start: int
    end: int


def pieces(text: str, most: int, start: int = 0) -> Iterator[TextPiece]:
    """The text from ``start`` on in pieces of at most ``most`` code points.

    Each ends after the last sentence that has room; where a sentence has none, after its last blank that has, else
    anywhere. Joined they are the text; from the end of any piece on they are the same pieces.
    """
    while start < len(text):
        end = _end(text, start, most)
        yield TextPiece(start, end)
        start = end


def sentences(text: str) -> Iterator[TextPiece]:
    """The text's sentences, a line ends one, too. Joined they are the text."""
    start = 0
    for match in _END.finditer(text):
        if not _abbreviated(text, start, match.end()):
            yield TextPiece(start, match.end())
            start = match.end()
    if start < len(text):
        yield TextPiece(start, len(text))


def passages(text: str) -> tuple[TextPiece, ...]:
    """The parts of a long text that have a vector each: of at most some 256 tokens, as many as the default model reads.

    They end where sentences do, and each but the first begins with the last sentence of the one before. None of a text
    that is no longer than one of them.
    """
    if _tokens(text) <= PASSAGE_TOKENS:
        return ()
    closed, open_ = list[TextPiece](), list[TextPiece]()
    for part in _short_sentences(text):
        if open_ and _tokens(text[open_[0].start : part.end]) > PASSAGE_TOKENS:
            closed.append(TextPiece(open_[0].start, open_[-1].end))
            last = open_[-1]
            repeated = _tokens(text[last.start : part.end]) <= PASSAGE_TOKENS and len(open_) > 1
            open_ = [last] if repeated else []
        open_.append(part)
    return (*closed, TextPiece(open_[0].start, open_[-1].end))


def _short_sentences(text: str) -> Iterator[TextPiece]:
    """Sentences with something in them; those that are longer than a passage in pieces."""
    most = PASSAGE_TOKENS * _BYTES_OF_A_TOKEN // _MOST_BYTES
    for sentence in sentences(text):
        words = text[sentence.start : sentence.end]
        if not words.strip():
            continue
        if _tokens(words) <= PASSAGE_TOKENS:
            yield sentence
        else:
            yield from (
                TextPiece(sentence.start + piece.start, sentence.start + piece.end) for piece in pieces(words, most)
            )


def _tokens(text: str) -> float:
    """About how many tokens a text has, at three bytes a token: English has more of them, German as many."""
    return len(text.encode("utf-8", "replace")) / _BYTES_OF_A_TOKEN


def last_part(text: str, most: int) -> str:
    """The end of a text, in at most ``most`` code points.

    It is cut where a sentence begins; where none has room, before a word, else anywhere.
    """
    if len(text) <= most or most <= 0:
        return text[: max(most, 0)]
    start = len(text) - most
    begins = [match.end() for match in _END.finditer(text, start) if not _abbreviated(text, 0, match.end())]
    begins += [match.end() for match in _BLANKS.finditer(text, start - 1)]
    rests = (text[at:].strip() for at in begins)
    return next((rest for rest in rests if rest), text[start:].strip())


def _end(text: str, start: int, most: int) -> int:
    last = start + most
    if last >= len(text):
        return len(text)
    ends = [match.end() for match in _END.finditer(text, start, last) if not _abbreviated(text, start, match.end())]
    if not ends:
        return next((i + 1 for i in range(last - 1, start, -1) if text[i].isspace()), last)
    end = ends[-1]
    while end < last and text[end].isspace():
        end += 1
    return end


def _abbreviated(text: str, start: int, end: int) -> bool:
    return _ABBREVIATED.search(text, max(start, end - _LONGEST_ABBREVIATION), end) is not None


def blanked(text: str, parts: Iterable[TextPiece]) -> str:
    """The text with blanks for all but the line ends of these parts, which follow each other; offsets stay the same."""
    kept, last = list[str](), 0
    for part in parts:
        kept += [text[last : part.start], _NO_LINE_END.sub(" ", text[part.start : part.end])]
        last = part.end
    return "".join((*kept, text[last:]))


_NO_LINE_END = re.compile(r"[^\n]")
_UNREADABLE = re.compile(r"[\ud800-\udfff]|\S{500,}")


def readable(content: str) -> str:
    """The content with what no language has (500 letters in a row, half characters) blanked; offsets stay the same."""
    return _UNREADABLE.sub(lambda match: " " * len(match[0]), content)
