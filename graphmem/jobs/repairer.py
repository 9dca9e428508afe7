"""Projects slots that stayed as they were because something of them could not be read, once it is repaired."""

from graphmem.jobs.steps import number
from graphmem.model.work import Work, WorkStep
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.change.repairs import slot_of


class Repairer:
    """The steps of work of the kind ``repair``; its arguments are the slot, and what cannot be read of it."""

    def __init__(self, evidence: EvidenceStore, pause: float) -> None:
        """``pause`` is how many seconds pass before it looks again."""
        self._evidence = evidence
        self._pause = pause

    def shrink(self) -> None:
        """A slot is projected as a whole."""

    async def step(self, work: Work) -> WorkStep:
        changed = await self._evidence.repair(work.group_id, slot_of(work.arguments))
        looks = number(work.progress.get("looks", 0)) + 1
        return WorkStep(
            cursor={},
            progress={"looks": looks},
            result={} if changed is None else {"rows_changed": changed},
            finished=changed is not None,
            pause=self._pause if changed is None else 0.0,
        )
