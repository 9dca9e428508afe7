"""How a turn is laid out for the encoder: ``[CLS] [SEP] turns before [SEP] role speaker : text [SEP]``.

``[CLS]`` stands for the speaker, the first ``[SEP]`` for the user of whom a note speaks.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.extract.reader.labels import Role

if TYPE_CHECKING:
    from tokenizers import Tokenizer

CLS, SEP = 101, 102
SPEAKER_AT, USER_AT = 0, 1
"""Tokens that stand for the speaker, and for the user of a note."""
LONGEST = 256
"""Tokens of a layout; of a longer text the rest is cut off."""
MOST_BEFORE = 60
"""Tokens of the turns before, of which the last are kept."""
_ELIDED = re.compile(r"(?<![\w'’])['’](?=[snt][- ][A-Z])")
"""The apostrophe of “'s-Hertogenbosch” and “'t Goy”, which would be read as that of “isn't”."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """A turn, and up to two that were said before it, oldest first, as (speaker, text)."""

    speaker: str
    role: Role
    text: str
    before: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """Token ids and types of a turn. ``offsets`` are the code points ``[start, end)`` of each token of the text.

    The text's tokens begin at ``first``; those of the turns before stand in ``[2, before)``, with ``offsets_before`` in
    the text that ``words_before`` gives.
    """

    ids: tuple[int, ...]
    types: tuple[int, ...]
    first: int
    offsets: tuple[Span, ...]
    offsets_before: tuple[Span, ...]

    def tokens(self, start: int, end: int) -> Span | None:
        """First and last token of code points of the text; None where they were cut off."""
        return _tokens(self.offsets, self.first, start, end)

    def tokens_before(self, start: int, end: int) -> Span | None:
        """First and last token of code points of the words before; None where they were cut off."""
        return _tokens(self.offsets_before, USER_AT + 1, start, end)

    def words(self, first: int, last: int) -> Span:
        """The code points ``[start, end)`` from one token of the text to another."""
        return self.offsets[first - self.first][0], self.offsets[last - self.first][1]

    @property
    def last(self) -> int:
        """The last token of the text."""
        return self.first + len(self.offsets) - 1


def tokenizer_from(written: str) -> "Tokenizer":
    """The tokenizer that a ``tokenizer.json`` describes; it adds, pads and cuts nothing by itself."""
    from tokenizers import Tokenizer  # noqa: PLC0415 - only when something is read

    tokenizer = Tokenizer.from_str(written)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def words_before(turn: SpokenTurn) -> str:
    """What was said before, in one line."""
    return " ".join(f"{speaker}: {text}" for speaker, text in turn.before)


def speaker_before(turn: SpokenTurn, position: int) -> str:
    """Who says what stands at a position of what was said before."""
    end = 0
    for speaker, text in turn.before:
        end += len(f"{speaker}: {text}") + 1
        if position < end:
            return speaker
    return ""


def lay_out(tokenizer: "Tokenizer", turn: SpokenTurn) -> Layout:
    """The tokens of a turn, by a tokenizer of ``tokenizer_from``."""
    before = tokenizer.encode(words_before(turn), add_special_tokens=False)
    kept = slice(max(len(before.ids) - MOST_BEFORE, 0), len(before.ids))
    head = tokenizer.encode(f"{turn.role} {turn.speaker} :", add_special_tokens=False).ids[:MOST_BEFORE]
    text = tokenizer.encode(_ELIDED.sub(" ", turn.text), add_special_tokens=False)
    ids = [CLS, SEP, *before.ids[kept], SEP, *head]
    types = [1, *[0] * (len(ids) - len(head) - 1), *[1] * len(head)]
    room = LONGEST - len(ids) - 1
    return Layout(
        ids=(*ids, *text.ids[:room], SEP),
        types=(*types, *[1] * min(room, len(text.ids)), 1),
        first=len(ids),
        offsets=tuple(text.offsets[:room]),
        offsets_before=tuple(before.offsets[kept]),
    )


def _tokens(offsets: Sequence[Span], first: int, start: int, end: int) -> Span | None:
    within = [at for at, (begins, ends) in enumerate(offsets) if begins < end and ends > start]
    return (first + within[0], first + within[-1]) if within and offsets[-1][1] >= end else None
