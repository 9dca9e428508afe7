"""Makes the summaries of a group that are due, one a step."""

from graphmem.jobs.embedder import added
from graphmem.memory.summaries import Summaries
from graphmem.model.work import Step, Work


class Summariser:
    """The steps of work of the kind ``summarise``."""

    def __init__(self, summaries: Summaries) -> None:
        self._summaries = summaries

    def shrink(self) -> None:
        """A step is one summary, which is the least."""

    async def step(self, work: Work) -> Step:
        """Make the next summary.

        Raises:
            ModelUnavailable: the embedding model is away, or is not the group's.
        """
        done = await self._summaries.summarise_one(work.group_id)
        progress = work.progress if done is None else added(work.progress, done)
        return Step(cursor={}, progress=progress, result={}, finished=done is None)
