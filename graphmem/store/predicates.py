"""Policies of predicates, and what is to be projected again after one changed. Nothing here changes a belief.

Policies change one transaction after the other, each at a stamp; what was in force before stays, dated (decision 0072).

A policy and the request to project its slots again are written in one transaction. Writers of evidence read policies
after their locks; so once no transaction is open that began before the policy was there, every subject either was
written under it or is found by its claims (decision 0009).
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

from graphmem.model.interval import LATEST, MICROSECOND
from graphmem.model.projection.predicate import (
    Policy,
    PolicyChanges,
    SetPredicate,
    changed,
    default_policy,
    policy_changes,
)
from graphmem.model.recall import MARGIN
from graphmem.model.work import SERVICE, Work, WorkKind, WorkProgress, WorkRequest, reprojection_id
from graphmem.store.driver import Transaction
from graphmem.store.named import GroupQueries, QueryStore
from graphmem.store.queries import Query
from graphmem.store.rows import CountRow
from graphmem.store.rows.digest import PolicyRow
from graphmem.store.work import WorkRow, request_work

_LOCK = "predicates"
_PAUSE = 0.1
_LAST = "\uffff"
"""After every group, whose ids are ASCII."""


@dataclass(frozen=True, slots=True)
class PredicateRecord(PolicyRow):
    group_id: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class PredicateRow:
    predicate: PredicateRecord

    def to_domain(self) -> SetPredicate:
        record = self.predicate
        return SetPredicate(
            group_id=record.group_id, name=record.name, policy=record.to_domain(), changed_at=record.recorded_at
        )


@dataclass(frozen=True, slots=True)
class PolicyClockRow:
    """``newest`` is what the next stamp has to exceed."""

    now: datetime
    newest: datetime

    def stamp(self) -> datetime:
        return max(self.now, self.newest + MICROSECOND)


@dataclass(frozen=True, slots=True)
class WritersGoneRow:
    gone: bool


class PredicateStore(QueryStore):
    """Methods are named after their queries; ``keep``, ``change``, ``drop`` are the transactions made of several."""

    # policies -------------------------------------------------------------------------------------------------------

    async def predicate(self, group: str, name: str, known_at: datetime = LATEST) -> SetPredicate:
        """The policy that was in force then."""
        row = await self._run.optional("predicate", PredicateRow, group=group, predicate=name, known_at=known_at)
        unset = SetPredicate(group_id=SERVICE, name=name, policy=default_policy(name), changed_at=None)
        return row.to_domain() if row else unset

    async def predicates(self, group: str, after: str, limit: int, known_at: datetime = LATEST) -> list[SetPredicate]:
        """Those that were in force then, in order of name."""
        rows = await self._run.many(
            "predicates", PredicateRow, group=group, after=after, limit=limit, known_at=known_at
        )
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
        return await self._change(group, name, policy)

    async def drop(self, group: str, name: str) -> Work | None:
        """Let a group follow the service again; None if it does, and its slots did not fail to follow."""
        return await self._change(group, name, None)

    async def _change(self, group: str, name: str, policy: Policy | None) -> Work | None:
        async def work(transaction: Transaction) -> Work | None:
            return await _Policies(transaction, self._queries, group).change(name, policy)

        return await self.database.write(work)

    # re-projections -------------------------------------------------------------------------------------------------

    async def reprojections(self, group: str, name: str) -> list[Work]:
        """Those of the group and of the service, the last asked for first."""
        ids = [reprojection_id(owner, name) for owner in (group, SERVICE)]
        rows = await self._run.many("works_by_id", WorkRow, group=group, audience=None, ids=ids)
        return [row.work for row in rows]

    async def writers_gone(self, since: datetime | None) -> bool:
        """Whether every transaction has ended that was open at that time, as when work was first taken."""
        seconds = self.database.transaction_timeout + MARGIN
        rows = await self._leader.many("writers_gone", WritersGoneRow, since=since, seconds=seconds)
        return rows[0].gone

    async def all_written(self, since: datetime) -> None:
        """Return once ``writers_gone``: nobody writes any more with a stamp up to that time."""
        while not await self.writers_gone(since):  # noqa: ASYNC110 - the database tells nobody
            await asyncio.sleep(_PAUSE)

    async def count_subjects(self, group: str, predicate: str) -> int:
        """Subjects with claims of a predicate: of a group, or of all."""
        last = _LAST if group == SERVICE else group
        rows = await self._leader.many("count_subjects", CountRow, predicate=predicate, first=group, last=last)
        return rows[0].count

    async def next_subjects(self, group: str, predicate: str, after: str, limit: int) -> list[str]:
        return await self._leader.ids("next_subjects", group=group, predicate=predicate, after=after, limit=limit)

    async def next_group(self, predicate: str, after: str) -> str | None:
        return await self._leader.first_id("next_group", predicate=predicate, after=after)


class _Policies:
    """The policies of one group, or of the service, in one transaction."""

    def __init__(self, transaction: Transaction, queries: Mapping[str, Query], group: str) -> None:
        self._transaction = transaction
        self._lock = queries["lock_migrations"]
        self._run = GroupQueries(transaction, queries, group)

    async def keep(self, policies: Mapping[str, Policy]) -> list[Work]:
        held = await self._locked()
        await self._become(policy_changes(held, policies))
        return await self._reproject(changed(held, policies) if held else ())

    async def change(self, name: str, policy: Policy | None) -> Work | None:
        """Ask for the slots to follow a policy that changes, None to none, or that they failed to follow."""
        held = await self._locked()
        wanted = {other: kept for other, kept in held.items() if other != name}
        changes = policy_changes(held, wanted if policy is None else wanted | {name: policy})
        await self._become(changes)
        if changes.names or await self._failed(name):
            return (await self._reproject([name]))[0]
        return None

    async def _locked(self) -> dict[str, Policy]:
        """The policies in force, once nobody else changes any."""
        await self._transaction.execute(self._lock, lock=_LOCK)
        return await self.policies_of()

    async def _become(self, changes: PolicyChanges) -> None:
        if changes.names:
            await self.write_policies(changes, (await self.policy_clock()).stamp())

    async def _failed(self, name: str) -> bool:
        ids = [reprojection_id(self._run.group, name)]
        rows = await self._run.many("works_by_id", WorkRow, audience=None, ids=ids)
        return any(row.work.status is WorkProgress.FAILED for row in rows)

    # one method per query -------------------------------------------------------------------------------------------

    async def policies_of(self) -> dict[str, Policy]:
        rows = await self._run.many("policies_of", PolicyRow)
        return {row.name: row.to_domain() for row in rows}

    async def policy_clock(self) -> PolicyClockRow:
        return await self._run.single("policy_clock", PolicyClockRow)

    async def write_policies(self, changes: PolicyChanges, now: datetime) -> None:
        rows = [{"name": name, **asdict(policy)} for name, policy in sorted(changes.new.items())]
        await self._run.execute("write_policies", now=now, names=sorted(changes.names), rows=rows)

    async def _reproject(self, names: Iterable[str]) -> list[Work]:
        requests = [WorkRequest(id=reprojection_id(self._run.group, name), target=name) for name in sorted(names)]
        return await request_work(self._run, WorkKind.REPROJECT, requests)
