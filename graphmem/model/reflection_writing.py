"""What a language model is asked to tell of a week."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from graphmem.model.cited_writing import Spent, WrittenText
from graphmem.model.reflection import ReflectionSentence, Week


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
