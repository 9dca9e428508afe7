"""What a language model is asked to sum up, and what it writes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from graphmem.model.episode import Episode
from graphmem.model.fragment import Fragment, Usage
from graphmem.model.ontology import Ontology
from graphmem.model.summary import SummarySentence

MOST_SENTENCES = 4

Spent = Callable[[Usage], None]
"""Is told what calls of a language model took, whether or not they led to an answer."""


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
class WrittenSentence:
    """A sentence, and the numbers of the sources that it cites."""

    words: str
    cites: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSummary:
    """What a language model wrote, by the version of a prompt. None of the sentences has been checked yet.

    ``facts`` are those that it stated beside them, by the ids of the turns that they quote.
    """

    sentences: tuple[WrittenSentence, ...]
    model: str
    prompt: str
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
