"""Makes the summaries and the reflections of a group that are due, one a step."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

from graphmem.derived.reflections import Proposed, ReflectionOutcome, ReflectionResult, Reflections
from graphmem.jobs.steps import added, with_told
from graphmem.model.cited_writing import Spent
from graphmem.model.reflection import Week
from graphmem.model.scope import EVERYBODY
from graphmem.model.work import UNTIL, Work, WorkStep

_USER, _RENEWED = "user", "renewed"

SummariseOne = Callable[[str], Awaitable[Mapping[str, int] | None]]
"""Makes the next summary of one sort in a group; what that was, in counts, and None where none is due."""


class Reflector:
    """The steps of work of the kind ``reflect``."""

    def __init__(self, reflections: Reflections, spent: Spent = lambda _: None) -> None:
        """``spent`` is told what was asked of a language model."""
        self._reflections = reflections
        self._spent = spent

    def shrink(self) -> None:
        """A step is one reflection, which is the least."""

    async def step(self, work: Work) -> WorkStep | None:
        """Make the next reflection, or say what it would be; None where writers are to be waited for.

        Raises:
            ModelUnavailable: a model is away, or the embedding model is not the group's.
            ConfigurationError: a language model refuses the request as such.
        """
        if _USER not in work.cursor:
            return await self._renew(work)
        week = self._reflections.policy.week_until(datetime.fromisoformat(str(work.arguments[UNTIL])))
        return await self._reflect(work, week, str(work.cursor[_USER]))

    async def _renew(self, work: Work) -> WorkStep:
        after = str(work.cursor.get(_RENEWED, ""))
        proposed = await self._reflections.next_stale(work.group_id, after)
        if proposed is not None and proposed.before is not None:
            return await self._carry_out(work, proposed, {_RENEWED: proposed.before.reflection_id})
        if UNTIL not in work.arguments:
            return _ended(work)
        return WorkStep(cursor={_USER: EVERYBODY}, progress=work.progress, result=work.result, finished=False)

    async def _reflect(self, work: Work, week: Week, user: str) -> WorkStep | None:
        """Reflect for a user. At a scheduled time all who wrote before it are waited for, so that none is missed."""
        group, scheduled = work.group_id, week == self._reflections.policy.week_of(week.day)
        if user == EVERYBODY and scheduled and await self._reflections.may_change(group, week):
            return _ended(work, {"importing": 1}) if await self._reflections.imports(group) else None
        following = await self._reflections.next_user(group, user)
        proposed = await self._reflections.proposed(group, user, week)
        return await self._carry_out(work, proposed, None if following is None else {_USER: following})

    async def _carry_out(self, work: Work, proposed: Proposed, cursor: Mapping[str, object] | None) -> WorkStep:
        """Write it, or say what would be written, and go on at the cursor; without one, this was the last."""
        if work.dry_run:
            done = ReflectionResult(outcome=proposed.outcome, tokens=proposed.text.tokens)
            work_result = with_told(work.result, "would", [_told(proposed)])
        else:
            done = await self._reflections.write(work.group_id, proposed, self._spent)
            work_result = work.result
        progress = added(work.progress, done.counts)
        if done.outcome is ReflectionOutcome.CHANGED:
            return WorkStep(cursor=work.cursor, progress=progress, result=work_result, finished=False)
        return WorkStep(cursor=cursor or {}, progress=progress, result=work_result, finished=cursor is None)


def _ended(work: Work, counts: Mapping[str, int] | None = None) -> WorkStep:
    return WorkStep(cursor={}, progress=added(work.progress, counts or {}), result=work.result, finished=True)


def _told(proposed: Proposed) -> dict[str, object]:
    """What it would be and why: by ids, for jobs keep nothing that was said."""
    return {
        "user": proposed.user or None,
        "since": proposed.week.since.isoformat(),
        "until": proposed.week.until.isoformat(),
        "outcome": proposed.outcome,
        "because": proposed.because,
        "memories": proposed.memories,
        "new": proposed.new,
        "sentences": [{"claim_ids": list(one.claims)} for one in proposed.text.sentences],
    }


class Summariser:
    """The steps of work of the kind ``summarise``."""

    def __init__(self, *sorts: SummariseOne) -> None:
        self._sorts = sorts

    def shrink(self) -> None:
        """A step is one summary, or those of one entity, which is the least."""

    async def step(self, work: Work) -> WorkStep:
        """Make the next summary of the first sort of which one is due.

        Raises:
            ModelUnavailable: a model is away, or the embedding model is not the group's.
            ConfigurationError: a language model refuses the request as such.
        """
        for summarise_one in self._sorts:
            done = await summarise_one(work.group_id)
            if done is not None:
                return WorkStep(cursor={}, progress=added(work.progress, done), result={}, finished=False)
        return WorkStep(cursor={}, progress=work.progress, result={}, finished=True)
