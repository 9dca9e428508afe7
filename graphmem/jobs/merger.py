"""Carries out what a person decided on who is who, where that moves many claims."""

from graphmem.identity.decisions import Decisions
from graphmem.model.work import Work, WorkStep


class Merger:
    """The steps of work of the kind ``merge``: one, which is one transaction."""

    def __init__(self, decisions: Decisions) -> None:
        self._decisions = decisions

    def shrink(self) -> None:
        """A decision is carried out whole or not at all."""

    async def step(self, work: Work) -> WorkStep:
        """Carry it out. What was carried out before opens, closes and moves nothing."""
        done = await self._decisions.carry_out(work)
        result: dict[str, object] = {
            "opened": [merge.id for merge in done.opened],
            "closed": [merge.id for merge in done.closed],
            "moved_claims": done.moved_claims,
            "recorded": done.recorded,
            "superseded": done.superseded,
        }
        return WorkStep(cursor={}, progress={}, result=result, finished=True)
