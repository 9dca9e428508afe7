"""Redacts by night what groups keep no longer word for word, and drops old rows of their audits."""

from graphmem.jobs.nights import GROUPS, ask_groups, last_asked
from graphmem.jobs.steps import Steps, stepped
from graphmem.memory import Memory
from graphmem.model.work import SERVICE, Work, WorkStep
from graphmem.trust.retention import Retention

MOST_REDACTED = 200
"""Episodes in one transaction."""


class Redactor(Steps):
    """Steps of the kind ``redact``: what is left to redact is what is old and still whole, whoever began."""

    def __init__(self, memory: Memory, retention: Retention) -> None:
        self.most = self.size = MOST_REDACTED
        self._memory = memory
        self._retention = retention

    async def step(self, work: Work) -> WorkStep:
        if work.group_id == SERVICE:
            groups = await self._memory.store.groups_with_retention(last_asked(work), GROUPS)
            last = groups[-1] if groups else None
            return await ask_groups(self._memory, work, groups, last, finished=len(groups) < GROUPS)
        if redacted := await self._retention.redact(work.group_id, self.size):
            self.grow()
            return stepped(work, counts={"episodes": redacted})
        return stepped(work, counts={"audit_rows": await self._retention.drop_audit(work.group_id)}, finished=True)
