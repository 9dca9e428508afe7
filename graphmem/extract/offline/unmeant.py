"""Sentences that are not meant: “Yeah right, I live in a palace”, “I married a pilot. Just kidding!”"""

import re
from collections.abc import Iterator

from graphmem.extract.pieces import TextPiece, sentences

_OPENING = re.compile(
    r"\W*(?:yeah,? right|right,? because|sure,? and|oh,? sure|as if|oh,? (?:great|joy|wonderful|fantastic|brilliant),? "
    r"(?:now|another)|pigs might fly)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"(?P<all>\W*)(?:(?:i'?m |i am |i was )?(?:just |only )?(?:kidding|joking)(?: of course)?|jk|j/k|/s|not!|as if!)\W*\Z",
    re.IGNORECASE,
)


def unmeant(text: str) -> Iterator[TextPiece]:
    """The sentences of which how they begin or end, or the next one, says that they are not meant."""
    before: TextPiece | None = None
    for sentence in sentences(text):
        said = text[sentence.start : sentence.end]
        if not said.strip():
            continue
        taken_back = _TAKEN_BACK.search(said)
        if taken_back and not said[: taken_back.start()].strip() and before is not None:
            yield before
        elif taken_back or _OPENING.match(said):
            yield sentence
        before = sentence
