"""Policies of predicates, and what is to be projected again after one changed. Nothing here changes a belief.

A policy and the request to project its slots again are written in one transaction. Writers of evidence read policies
after their locks; so once no transaction is open that began before the policy was there, every subject either was
written under it or is found by its claims (docs/decisions/0009).
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

from graphmem.model.projection.predicate import Policy, SetPredicate, changed, default_policy
from graphmem.model.recall import MARGIN
from graphmem.model.work import SERVICE, Progress, Work, WorkKind, WorkRequest, reprojection_id
from graphmem.store.driver import Transaction
from graphmem.store.named import QueryStore
from graphmem.store.queries import Query
from graphmem.store.rows.digest import PolicyRow
from graphmem.store.rows.predicate import (
    ChangedRow,
    GroupIdRow,
    PredicateRow,
    SubjectCountRow,
    SubjectRow,
    WritersGoneRow,
)
from graphmem.store.rows.work import WorkRow
from graphmem.store.work import request_work

_LOCK = "predicates"
_LAST = "\uffff"
"""After every group, whose ids are ASCII."""


class PredicateStore(QueryStore):
    """Methods are named after their queries; ``keep``, ``change``, ``drop`` are the transactions made of several."""

    # policies -------------------------------------------------------------------------------------------------------

    async def predicate(self, group: str, name: str) -> SetPredicate:
        row = await self._run.optional("predicate", PredicateRow, group=group, predicate=name)
        unset = SetPredicate(group_id=SERVICE, name=name, policy=default_policy(name), changed_at=None)
        return row.to_domain() if row else unset

    async def predicates(self, group: str, after: str, limit: int) -> list[SetPredicate]:
        rows = await self._run.many("predicates", PredicateRow, group=group, after=after, limit=limit)
        return [row.to_domain() for row in rows]

    async def keep(self, policies: Mapping[str, Policy], group: str = SERVICE) -> list[Work]:
        """Make these all the policies of the service, or of a group, and ask for what that changes to be projected.

        Safe when many processes start at once; again is nothing. Where there were no policies at all, nothing has
        been projected by others.
        """

        async def work(transaction: Transaction) -> list[Work]:
            return await _Policies(transaction, self._queries, group).keep(policies)

        if await self.database.read(lambda read: _Policies(read, self._queries, group).policies_of()) == policies:
            return []
        return await self.database.write(work)

    async def change(self, group: str, name: str, policy: Policy) -> Work | None:
        """Give a group a policy of its own; None if it has that one already, and its slots did not fail to follow."""

        async def work(transaction: Transaction) -> Work | None:
            policies = _Policies(transaction, self._queries, group)
            return await policies.follow(name, moved=await policies.set_policies({name: policy}))

        return await self.database.write(work)

    async def drop(self, group: str, name: str) -> Work | None:
        """Let a group follow the service again; None if it does, and its slots did not fail to follow."""

        async def work(transaction: Transaction) -> Work | None:
            policies = _Policies(transaction, self._queries, group)
            return await policies.follow(name, moved=await policies.unset_policies([name]))

        return await self.database.write(work)

    # re-projections -------------------------------------------------------------------------------------------------

    async def reprojections(self, group: str, name: str) -> list[Work]:
        """Those of the group and of the service, the last asked for first."""
        ids = [reprojection_id(owner, name) for owner in (group, SERVICE)]
        rows = await self._run.many("works_by_id", WorkRow, group=group, audience=None, ids=ids)
        return [row.to_domain() for row in rows]

    async def writers_gone(self, since: datetime | None) -> bool:
        """Whether every transaction has ended that was open at that time, as when work was first taken."""
        seconds = self.database.transaction_timeout + MARGIN
        rows = await self._run.many_from_leader("writers_gone", WritersGoneRow, since=since, seconds=seconds)
        return rows[0].gone

    async def count_subjects(self, group: str, predicate: str) -> int:
        """Subjects with claims of a predicate: of a group, or of all."""
        last = _LAST if group == SERVICE else group
        rows = await self._run.many_from_leader(
            "count_subjects", SubjectCountRow, predicate=predicate, first=group, last=last
        )
        return rows[0].subjects

    async def next_subjects(self, group: str, predicate: str, after: str, limit: int) -> list[str]:
        rows = await self._run.many_from_leader(
            "next_subjects", SubjectRow, group=group, predicate=predicate, after=after, limit=limit
        )
        return [row.subject_id for row in rows]

    async def next_group(self, predicate: str, after: str) -> str | None:
        rows = await self._run.many_from_leader("next_group", GroupIdRow, predicate=predicate, after=after)
        return rows[0].group_id if rows else None


class _Policies:
    """The policies of one group, or of the service, in one transaction."""

    def __init__(self, transaction: Transaction, queries: Mapping[str, Query], group: str) -> None:
        self._transaction = transaction
        self._queries = queries
        self._group = group

    async def keep(self, policies: Mapping[str, Policy]) -> list[Work]:
        await self._transaction.execute(self._queries["lock_migrations"], lock=_LOCK)
        held = await self.policies_of()
        await self.set_policies(policies)
        await self.unset_policies(held.keys() - policies.keys())
        return await self._reproject(changed(held, policies) if held else ())

    async def follow(self, name: str, *, moved: bool) -> Work | None:
        """Ask for the slots to follow a policy that moved, or that they failed to follow."""
        if moved or await self._failed(name):
            return (await self._reproject([name]))[0]
        return None

    async def _failed(self, name: str) -> bool:
        ids = [reprojection_id(self._group, name)]
        rows = await self._transaction.run(
            self._queries["works_by_id"], WorkRow, group=self._group, audience=None, ids=ids
        )
        return any(row.work.status is Progress.FAILED for row in rows)

    # one method per query -------------------------------------------------------------------------------------------

    async def policies_of(self) -> dict[str, Policy]:
        rows = await self._transaction.run(self._queries["policies_of"], PolicyRow, group=self._group)
        return {row.name: row.to_domain() for row in rows}

    async def set_policies(self, policies: Mapping[str, Policy]) -> bool:
        """Whether that changed any."""
        rows = [
            {
                "name": name,
                "cardinality": policy.cardinality,
                "rule": policy.rule,
                "bound": policy.bound,
                "irreflexive": policy.irreflexive,
            }
            for name, policy in sorted(policies.items())
        ]
        query = self._queries["set_policies"]
        return any(row.changed for row in await self._transaction.run(query, ChangedRow, group=self._group, rows=rows))

    async def unset_policies(self, names: Iterable[str]) -> bool:
        """Whether there was one to take back."""
        query = self._queries["unset_policies"]
        return bool(await self._transaction.run(query, ChangedRow, group=self._group, names=sorted(names)))

    async def _reproject(self, names: Iterable[str]) -> list[Work]:
        requests = [WorkRequest(id=reprojection_id(self._group, name), target=name) for name in sorted(names)]
        return await request_work(self._transaction, self._queries, self._group, WorkKind.REPROJECT, requests)
