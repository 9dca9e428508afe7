"""Has episodes of which little was read digested anew, by the accurate reader."""

from graphmem.memory import Memory
from graphmem.model.work import Step, Work
from graphmem.settings import JobSettings


class Reprocessor:
    """The steps of work of the kind ``reprocess``: one, that asks for the digests of a night."""

    def __init__(self, memory: Memory, accurate: str, settings: JobSettings) -> None:
        """``accurate`` is the version of the accurate reader."""
        self._memory = memory
        self._accurate = accurate
        self._settings = settings

    def shrink(self) -> None:
        """There is one step, and it is small."""

    async def step(self, work: Work) -> Step:
        """Ask for the digests, or (dry run) count them."""
        episodes = await self._memory.intake.reprocess_low_yield(
            work.group_id, self._accurate, self._settings.reprocess_limit, dry_run=work.dry_run
        )
        return Step(cursor={}, progress={}, result={"episodes": episodes}, finished=True)
