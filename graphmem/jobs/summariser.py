"""Makes the summaries of a group that are due, one a step: first those of sessions, then those of entities."""

from collections.abc import Awaitable, Callable, Mapping

from graphmem.jobs.embedder import added
from graphmem.model.work import Work, WorkStep

SummariseOne = Callable[[str], Awaitable[Mapping[str, int] | None]]
"""Makes the next summary of one sort in a group; what that was, in counts, and None where none is due."""


class Summariser:
    """The steps of work of the kind ``summarise``."""

    def __init__(self, *sorts: SummariseOne) -> None:
        self._sorts = sorts

    def shrink(self) -> None:
        """A step is one summary, or those of one entity, which is the least."""

    async def step(self, work: Work) -> WorkStep:
        """Make the next summary of the first sort of which one is due.

        Raises:
            ModelUnavailable: a model is away, or the embedding model is not the group's.
            ConfigurationError: a language model refuses the request as such.
        """
        for summarise_one in self._sorts:
            done = await summarise_one(work.group_id)
            if done is not None:
                return WorkStep(cursor={}, progress=added(work.progress, done), result={}, finished=False)
        return WorkStep(cursor={}, progress=work.progress, result={}, finished=True)
