"""Makes the summaries and the reflections of a group that are due, one a step."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

from graphmem.derived.reflections import Proposed, ReflectionOutcome, ReflectionResult, Reflections
from graphmem.jobs.steps import Steps, stepped, with_rows
from graphmem.model.cited_writing import Spent
from graphmem.model.reflection import Week
from graphmem.model.scope import EVERYBODY
from graphmem.model.work import UNTIL, Work, WorkStep

_USER, _RENEWED = "user", "renewed"

SummariseOne = Callable[[str], Awaitable[Mapping[str, int] | None]]
"""Makes the next summary of one sort in a group; what that was, in counts, and None where none is due."""


class Reflector(Steps):
    """The steps of work of the kind ``reflect``: one reflection each."""

    def __init__(self, reflections: Reflections, spent: Spent = lambda _: None) -> None:
        """``spent`` is told what was asked of a language model."""
        self._reflections = reflections
        self._spent = spent

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
        return stepped(work, {_USER: EVERYBODY}) if UNTIL in work.arguments else stepped(work, finished=True)

    async def _reflect(self, work: Work, week: Week, user: str) -> WorkStep | None:
        """Reflect for a user. At a scheduled time all who wrote before it are waited for, so that none is missed."""
        group, scheduled = work.group_id, week == self._reflections.policy.week_of(week.day)
        if user == EVERYBODY and scheduled and await self._reflections.may_change(group, week):
            importing = await self._reflections.imports(group)
            return stepped(work, counts={"importing": 1}, finished=True) if importing else None
        following = await self._reflections.next_user(group, user)
        proposed = await self._reflections.proposed(group, user, week)
        return await self._carry_out(work, proposed, None if following is None else {_USER: following})

    async def _carry_out(self, work: Work, proposed: Proposed, cursor: Mapping[str, object] | None) -> WorkStep:
        """Write what is proposed, or say what would be; go on at the cursor, or end where there is none."""
        if work.dry_run:
            done = ReflectionResult(outcome=proposed.outcome, tokens=proposed.text.tokens)
            result = with_rows(work.result, "would", [_row_of(proposed)])
        else:
            done = await self._reflections.write(work.group_id, proposed, self._spent)
            result = work.result
        if done.outcome is ReflectionOutcome.CHANGED:
            return stepped(work, work.cursor, done.counts, result=result)
        return stepped(work, cursor or {}, done.counts, result=result, finished=cursor is None)


def _row_of(proposed: Proposed) -> dict[str, object]:
    """What a proposed reflection would be, and why: by ids, for jobs keep nothing that was said."""
    return {
        "user": proposed.user or None,
        "since": proposed.week.since.isoformat(),
        "until": proposed.week.until.isoformat(),
        "outcome": proposed.outcome,
        "because": proposed.because,
        "memories": proposed.memories,
        "new": proposed.new,
        "sentences": [{"claim_ids": list(sentence.claims)} for sentence in proposed.text.sentences],
    }


class Summariser(Steps):
    """The steps of work of the kind ``summarise``: one summary each, or those of one entity."""

    def __init__(self, *sorts: SummariseOne) -> None:
        self._sorts = sorts

    async def step(self, work: Work) -> WorkStep:
        """Make the next summary of the first sort of which one is due.

        Raises:
            ModelUnavailable: a model is away, or the embedding model is not the group's.
            ConfigurationError: a language model refuses the request as such.
        """
        for summarise_one in self._sorts:
            counts = await summarise_one(work.group_id)
            if counts is not None:
                return stepped(work, counts=counts)
        return stepped(work, finished=True)
