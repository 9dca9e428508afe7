"""Has episodes digested anew that an older version of the offline reader read, or of which a quick one read little."""

from graphmem.jobs.steps import number
from graphmem.memory import Memory
from graphmem.model.work import SERVICE, Work, WorkStep
from graphmem.settings import JobSettings


class Reprocessor:
    """The steps of work of the kind ``reprocess``: one by night, and for a group as many as its episodes take."""

    def __init__(self, memory: Memory, strategy: str, version: str, settings: JobSettings) -> None:
        """``strategy`` reads them, and ``version`` is that of its reader."""
        self._memory = memory
        self._strategy = strategy
        self._version = version
        self._settings = settings

    def shrink(self) -> None:
        """A step is small."""

    async def step(self, work: Work) -> WorkStep:
        """Ask for the next digests, or (dry run) count them."""
        limit = self._settings.reprocess_limit
        episodes = await self._memory.intake.reprocess_low_yield(
            work.group_id, self._version, limit, strategy=self._strategy, dry_run=work.dry_run
        )
        asked = episodes + number(work.result.get("episodes", 0))
        return WorkStep(
            cursor={},
            progress={},
            result={"episodes": asked},
            finished=work.group_id == SERVICE or work.dry_run or episodes < limit or limit == 0,
        )
