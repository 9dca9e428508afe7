"""What a language model is asked to sum up, and what it writes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from graphmem.model.cited_writing import Spent, WrittenText
from graphmem.model.episode import Episode
from graphmem.model.fragment import Fragment
from graphmem.model.ontology import Ontology
from graphmem.model.summary import SummarySentence


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
