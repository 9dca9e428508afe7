"""Makes the summaries of a group that are due, one a step."""

from graphmem.jobs.embedder import added
from graphmem.memory.summaries import Summaries
from graphmem.model.summary_writing import Spent
from graphmem.model.work import Step, Work


class Summariser:
    """The steps of work of the kind ``summarise``."""

    def __init__(self, summaries: Summaries, spent: Spent = lambda _: None) -> None:
        """``spent`` is told what was asked of a language model."""
        self._summaries = summaries
        self._spent = spent

    def shrink(self) -> None:
        """A step is one summary, which is the least."""

    async def step(self, work: Work) -> Step:
        """Make the next summary.

        Raises:
            ModelUnavailable: a model is away, or the embedding model is not the group's.
            ConfigurationError: a language model refuses the request as such.
        """
        done = await self._summaries.summarise_one(work.group_id, self._spent)
        progress = work.progress if done is None else added(work.progress, done)
        return Step(cursor={}, progress=progress, result={}, finished=done is None)
