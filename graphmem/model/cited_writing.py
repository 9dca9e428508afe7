"""Texts that a language model writes from numbered sources, each sentence with the numbers that it rests on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graphmem.model.fragment import Usage

MOST_SENTENCES = 4

Spent = Callable[[Usage], None]
"""Is told what calls of a language model took, whether or not they led to an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSentence:
    """A sentence, and the numbers of the sources that it cites."""

    words: str
    cites: tuple[int, ...]

    @property
    def line(self) -> str:
        """Its words in one line."""
        return " ".join(self.words.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenText:
    """What a language model wrote, by the version of a prompt. None of the sentences has been checked yet."""

    sentences: tuple[WrittenSentence, ...]
    model: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why what was written cannot be used, a reason a fault; what was written is in none of them."""

    reasons: tuple[str, ...]


def faults_of(
    written: WrittenText, sources: int, is_withdrawn: Callable[[WrittenSentence], bool] = lambda _: False
) -> tuple[str, ...]:
    """What is wrong with a text that may cite ``sources`` sources, numbered from 1, and nothing that is withdrawn.

    A sentence is only asked whether it ``is_withdrawn`` if its numbers are those of sources.
    """
    faults = [
        fault
        for number, sentence in enumerate(written.sentences, 1)
        for fault in _faults(number, sentence, sources, is_withdrawn)
    ]
    if not 1 <= len(written.sentences) <= MOST_SENTENCES:
        faults.append(f"There are {len(written.sentences)} sentences; write 2 to {MOST_SENTENCES}.")
    return tuple(faults)


def too_long(tokens: int, most: int) -> Refusal:
    """Why a text of so many tokens cannot be used."""
    return Refusal((f"It has {tokens} tokens, and {most} at most have room: say less.",))


def _faults(
    number: int, sentence: WrittenSentence, sources: int, is_withdrawn: Callable[[WrittenSentence], bool]
) -> Iterator[str]:
    if not sentence.line:
        yield f"Sentence {number} has no words."
    if not sentence.cites:
        yield f"Sentence {number} cites nothing."
    unknown = sorted({cited for cited in sentence.cites if not 1 <= cited <= sources})
    if unknown:
        yield f"Sentence {number} cites {', '.join(map(str, unknown))}; the numbers are 1 to {sources}."
    elif is_withdrawn(sentence):
        yield f"Sentence {number} rests on words that were withdrawn."
