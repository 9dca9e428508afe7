"""Forgets what somebody agreed to forget: some episodes a step, each step one transaction."""

from graphmem.jobs.steps import Steps, stepped
from graphmem.model.work import Work, WorkStep
from graphmem.trust.forgetting import MOST_TRIED, Forgetting


class Forgetter(Steps):
    """Steps of the kind ``forget``: what is left to forget is what is still there, whoever began."""

    def __init__(self, forgetting: Forgetting) -> None:
        self.most = self.size = MOST_TRIED
        self._forgetting = forgetting

    async def step(self, work: Work) -> WorkStep:
        erased = await self._forgetting.step(work, self.size)
        if erased is None:
            return stepped(work, finished=True)
        self.grow()
        return stepped(work, counts={"episodes": erased.episodes})
