"""Projects slots again: of a predicate whose policy changed (docs/decisions/0009), and what has been repaired."""

from graphmem.jobs.steps import Steps, added, stepped
from graphmem.model.work import SERVICE, Work, WorkStep
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.change.statements import slot_of
from graphmem.store.predicates import PredicateStore

STEP = 200
"""Subjects projected in one transaction; fewer, after one that took too long."""


class Repairer(Steps):
    """Steps of the kind ``repair``: each projects the whole slot of the arguments, which say what cannot be read."""

    def __init__(self, evidence: EvidenceStore, pause: float) -> None:
        """``pause`` is how many seconds pass before it looks again."""
        self._evidence = evidence
        self._pause = pause

    async def step(self, work: Work) -> WorkStep:
        changed = await self._evidence.repair(work.group_id, slot_of(work.arguments))
        if changed is None:
            return stepped(work, counts={"looks": 1}, pause=self._pause)
        return stepped(work, counts={"looks": 1}, result={"rows_changed": changed}, finished=True)


class Reprojector(Steps):
    """The steps of work of the kind ``reproject``; its target is the predicate."""

    def __init__(self, predicates: PredicateStore, evidence: EvidenceStore, step: int = STEP) -> None:
        self.most = self.size = step
        self._predicates = predicates
        self._evidence = evidence

    async def step(self, work: Work) -> WorkStep | None:
        """Count, once who may still write by the older policy is gone; then subject by subject, group by group."""
        if "subjects" in work.progress:
            return await self._project(work)
        if not await self._predicates.writers_gone(work.began_at):
            return None
        subjects = await self._predicates.count_subjects(work.group_id, work.target)
        return stepped(work, counts={"subjects": subjects, "done": 0}, result={"rows_changed": 0})

    async def _project(self, work: Work) -> WorkStep:
        """One step: the next subjects of a group, or on to the next group."""
        group = work.group_id or str(work.cursor.get("group", ""))
        after = str(work.cursor.get("subject", ""))
        subjects = await self._predicates.next_subjects(group, work.target, after, self.size) if group else []
        rows = await self._evidence.reproject(group, subjects, work.target) if subjects else 0
        following: str | None = group
        if not subjects:
            following = await self._predicates.next_group(work.target, group) if work.group_id == SERVICE else None
        self.grow()
        cursor = {"group": following or group, "subject": subjects[-1] if subjects else ""}
        result = added(work.result, {"rows_changed": rows})
        return stepped(work, cursor, {"done": len(subjects)}, result=result, finished=following is None)
