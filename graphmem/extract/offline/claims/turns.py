"""The words of a text as turns that the reader can take in: sentences together, each with what was said before."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.extract.pieces import last_part, readable, sentences
from graphmem.extract.reader.labels import Role
from graphmem.extract.reader.layout import SpokenTurn
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.fragment import Context

REMEMBERED_TURNS, REMEMBERED = 2, 300
"""Turns before, and code points of each, that the reader knows."""
_WORD = re.compile(r"\S+")
_MOST_WORDS = 80
"""Of a turn: more than it has tokens for would not be read."""


@dataclass(frozen=True, slots=True)
class PlacedTurn:
    """A turn whose text begins at ``start`` of a content."""

    turn: SpokenTurn
    start: int


def turns(episode: Episode, text: str, context: Context, speaker: str) -> Iterator[PlacedTurn]:
    """The turns of a text in their order; blanks alone make none."""
    before = [
        (readable(turn.speaker or turn.role.value), last_part(readable(turn.content), REMEMBERED))
        for turn in context.turns[-REMEMBERED_TURNS:]
    ]
    for start, end in _stretches(text):
        turn_text = text[start:end]
        yield PlacedTurn(SpokenTurn(speaker, _role(episode.role), turn_text, tuple(before)), start)
        before = [(speaker, last_part(turn_text, REMEMBERED))]


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Consecutive sentences with up to so many words together, a longer one in parts; without the blanks around."""
    open_: list[tuple[int, int]] = []
    words = 0
    for start, end, count in _parts(text):
        if open_ and words + count > _MOST_WORDS:
            yield open_[0][0], open_[-1][1]
            open_, words = [], 0
        open_.append((start, end))
        words += count
    if open_:
        yield open_[0][0], open_[-1][1]


def _parts(text: str) -> Iterator[tuple[int, int, int]]:
    """Start, end and number of words of each sentence, or of each part of a long one."""
    for sentence in sentences(text):
        words = [match.span() for match in _WORD.finditer(text, sentence.start, sentence.end)]
        for at in range(0, len(words), _MOST_WORDS):
            part = words[at : at + _MOST_WORDS]
            yield part[0][0], part[-1][1], len(part)


def _role(role: EpisodeRole) -> Role:
    if role is EpisodeRole.USER:
        return "user"
    return "participant" if role.is_human else "assistant"
