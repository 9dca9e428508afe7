"""The words of a text as turns that the reader can take in: sentences together, each with what was said before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.extract.pieces import last_part, sentences
from graphmem.extract.reader.labels import Role
from graphmem.extract.reader.layout import SpokenTurn
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.fragment import Context

_MOST_WORDS = 100
_BEFORE = 2
_REMEMBERED = 300
"""Characters of what was said before."""


@dataclass(frozen=True, slots=True)
class PlacedTurn:
    """A turn whose text begins at ``start`` of a content."""

    turn: SpokenTurn
    start: int


def turns(episode: Episode, text: str, context: Context, speaker: str) -> Iterator[PlacedTurn]:
    """The turns of a text in their order; blanks alone make none."""
    before = [(turn.speaker or turn.role.value, last_part(turn.content, _REMEMBERED)) for turn in context.turns]
    before = before[-_BEFORE:]
    for start, end in _stretches(text):
        said = text[start:end]
        yield PlacedTurn(SpokenTurn(speaker, _role(episode.role), said, tuple(before)), start)
        before = [(speaker, last_part(said, _REMEMBERED))]


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Consecutive sentences with up to so many words together, without the blanks around them."""
    open_: list[tuple[int, int]] = []
    words = 0
    for sentence in sentences(text):
        said = text[sentence.start : sentence.end]
        count = len(said.split())
        if not count:
            continue
        start = sentence.start + len(said) - len(said.lstrip())
        if open_ and words + count > _MOST_WORDS:
            yield _around(open_)
            open_, words = [], 0
        open_.append((start, sentence.start + len(said.rstrip())))
        words += count
    if open_:
        yield _around(open_)


def _around(stretches: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return stretches[0][0], stretches[-1][1]


def _role(role: EpisodeRole) -> Role:
    if role is EpisodeRole.USER:
        return "user"
    return "participant" if role.is_human else "assistant"
