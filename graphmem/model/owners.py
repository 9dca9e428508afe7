"""Whose words the parts of a text are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

REPORTED = 0.7
"""The highest confidence of a claim that its episode hands on from somebody else."""
REPORT = "report"
"""The form of a span that tells what was said: “Ana says she quit”."""


class Voice(StrEnum):
    """Who a part of a text is said by: who says the episode, somebody else who is named, or ``nobody`` who claims it.

    Nobody's are quotations, fiction, examples, code, and what is pasted to be worked on.
    """

    SPEAKER = "speaker"
    NAMED = "named"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Owner:
    """``name`` is that of a ``named`` voice, "" of the others."""

    voice: Voice
    name: str = ""

    @property
    def claims(self) -> bool:
        return self.voice is not Voice.NOBODY


SPEAKER, NOBODY = Owner(Voice.SPEAKER), Owner(Voice.NOBODY)


@dataclass(frozen=True, slots=True)
class OwnedSpan:
    """``[start, end)`` of a content, in code points. ``form`` says by what the owner was recognised, "" by nothing."""

    start: int
    end: int
    owner: Owner
    form: str = ""


def within(spans: Sequence[OwnedSpan], start: int, end: int) -> tuple[OwnedSpan, ...]:
    """The spans as far as they lie in ``[start, end)`` of their content, counted from ``start``."""
    parts = (replace(span, start=max(span.start, start), end=min(span.end, end)) for span in spans)
    return tuple(
        replace(part, start=part.start - start, end=part.end - start) for part in parts if part.start < part.end
    )


def overlapping(spans: Sequence[OwnedSpan], start: int, end: int) -> list[OwnedSpan]:
    """The spans that have a code point in common with ``[start, end)``."""
    return [span for span in spans if span.start < end and start < span.end]


def masked(content: str, spans: Sequence[OwnedSpan]) -> str:
    """The content with blanks for all but the spans; line ends stay, and so do all offsets."""
    parts, at = list[str](), 0
    for span in sorted(spans, key=lambda each: each.start):
        parts += [_blank(content[at : span.start]), content[max(at, span.start) : span.end]]
        at = max(at, span.end)
    return "".join((*parts, _blank(content[at:])))


def _blank(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))
