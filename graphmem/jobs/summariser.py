"""Makes the summaries of a group that are due, one a step: first those of sessions, then those of entities."""

from collections.abc import Mapping
from typing import Protocol

from graphmem.jobs.embedder import added
from graphmem.model.work import Step, Work


class Summarising(Protocol):
    """What makes summaries of one sort."""

    async def summarise_one(self, group: str) -> Mapping[str, int] | None:
        """Make the next one; what that was, in counts. None where none is due."""
        ...


class Summariser:
    """The steps of work of the kind ``summarise``."""

    def __init__(self, *sorts: Summarising) -> None:
        self._sorts = sorts

    def shrink(self) -> None:
        """A step is one summary, or those of one entity, which is the least."""

    async def step(self, work: Work) -> Step:
        """Make the next summary of the first sort of which one is due.

        Raises:
            ModelUnavailable: the embedding model is away, or is not the group's.
        """
        for sort in self._sorts:
            done = await sort.summarise_one(work.group_id)
            if done is not None:
                return Step(cursor={}, progress=added(work.progress, done), result={}, finished=False)
        return Step(cursor={}, progress=work.progress, result={}, finished=True)
