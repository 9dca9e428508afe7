"""What somebody expected of a recall: which of the things that are known says it, and where a context left that out."""

import re

from graphmem.answers.search import ContextOut, WhyNotOut
from graphmem.model.composed import Because

_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset({"and", "are", "but", "for", "had", "has", "have", "her", "his", "its", "our", "the", "was", "with"})
_SHORTEST, _STEM, _ENDING = 3, 4, 3
"""Letters: of a word that counts, of a stem, and of the endings that do."""
_LINES = {"relationship": {"profile", "belief"}, "fact": {"profile", "belief"}, "episode": {"passage", "turn"}}
"""Kinds of lines of a context, by the kind of what they show."""


def says(text: str, expected: str) -> bool:
    """Whether a text has each word of what is expected, in any order and with any ending; small words do not count."""
    folded = text.casefold()
    words = set(_WORD.findall(folded))
    wanted = [word for word in _WORD.findall(expected.casefold()) if _counts(word)]
    if not wanted:
        return expected.casefold().strip() in folded
    return all(
        any(_alike(word, other) for other in words) or (not word.isascii() and word in folded) for word in wanted
    )


def _counts(word: str) -> bool:
    return not word.isascii() or word[0].isdigit() or (len(word) >= _SHORTEST and word not in _SMALL)


def _alike(word: str, other: str) -> bool:
    stem = max(_STEM, max(len(word), len(other)) - _ENDING)
    return word == other or word[:stem] == other[:stem]


def place_in(context: ContextOut, missed: WhyNotOut) -> tuple[str | None, str]:
    """Why a context does not have a belief or an episode, None where it does; and the same to people."""
    for part in context.parts:
        if any(missed.id in (line.id, line.belief and line.belief.belief_id) for line in part.lines):
            return None, f"A recall has it, under {part.heading}."
    left_out = [
        left
        for left in context.left_out
        if left.kind.value in _LINES.get(missed.kind or "", ()) and left.because is not Because.REPEATED
    ]
    reasons = [left.because for left in left_out if missed.id in left.guaranteed] or [left.because for left in left_out]
    if not reasons:
        return Because.LIMIT.value, "A recall takes the most relevant only, and this is not among them."
    counts = ", ".join(f"{left.count} {left.kind.value} ({left.because.value})" for left in left_out)
    return reasons[0].value, f"A recall left out {counts}: ask a narrower question, or with more max_tokens."
