"""What language models are asked to write, and write: texts from numbered sources, which each sentence cites."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from graphmem.model.episode import Episode
from graphmem.model.fragment import Fragment, Usage
from graphmem.model.ontology import Ontology
from graphmem.model.reflection import ReflectionSentence, Week
from graphmem.model.summary import SummarySentence

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
        """The words of the sentence in one line."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingTask:
    """A summary that is to be written from ``sources``, in at most so many tokens.

    The sources are turns, as “Maya: ” and what she said, and statements of beliefs (``tier`` 1), or the sentences of
    summaries; their numbers are their places, from 1. ``refused`` says why the answer before was refused.

    Of the ``episodes``, by id, the turns that the sources show may state facts, by the group's ``ontology`` where it
    has one of its own.
    """

    tier: int
    sources: Sequence[SummarySentence]
    most_tokens: int
    refused: tuple[str, ...] = ()
    episodes: Mapping[str, Episode] = field(default_factory=dict[str, Episode])
    ontology: Ontology | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSummary(WrittenText):
    """A summary; ``facts`` are those that a model stated beside it, by the ids of the turns that they quote."""

    facts: Mapping[str, Fragment] = field(default_factory=dict[str, Fragment])


class SummaryWriter(Protocol):
    """Writes summaries."""

    async def write(self, task: WritingTask, spent: Spent) -> WrittenSummary:
        """What it has written.

        Raises:
            ModelUnavailable: no model answers.
            UnusableAnswer: a model refused, or did not fill in the form, though asked again.
            ConfigurationError: a model refuses the request as such.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectionTask:
    """A reflection on a ``week`` that is to be written from ``sources``, in at most so many tokens.

    The numbers of the sources are their places, from 1. ``refused`` says why the answer before was refused.
    """

    week: Week
    sources: Sequence[ReflectionSentence]
    most_tokens: int
    refused: tuple[str, ...] = ()


class ReflectionWriter(Protocol):
    """Writes reflections."""

    async def write(self, task: ReflectionTask, spent: Spent) -> WrittenText:
        """What it has written.

        Raises:
            ModelUnavailable: no model answers.
            UnusableAnswer: a model refused, or did not fill in the form, though asked again.
            ConfigurationError: a model refuses the request as such.
        """
        ...
