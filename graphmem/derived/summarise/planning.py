"""Which summary of a session is to be made next: of turns first, then tier by tier above them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from graphmem.derived.summarise.windows import (
    CoverableSummary,
    Plan,
    Window,
    plan_metas,
    plan_windows,
)
from graphmem.model.summary import Place, StoredSummary, SummaryPolicy, summary_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A summary that is to be made: its tier, what it covers, and the version that stands of it, if there is one."""

    tier: int
    window: Window
    before: StoredSummary | None

    def id_in(self, session_id: str) -> str:
        """The identity of the summary in that session."""
        return summary_id(session_id, self.tier, self.window.first.episode_id)


def next_due(
    turns: Collection[Place],
    made: Iterable[StoredSummary],
    policy: SummaryPolicy,
    *,
    agent: str | None = None,
    closed: bool,
) -> Due | None:
    """The first summary that is missing, stale or covers something else now; None where all are as they should be.

    ``turns`` are all that summaries cover of a session with an ``agent``, ``made`` its summaries that stand, ``closed``
    says that it has ended. Neither the order of the turns nor that of the summaries makes a difference.
    """
    by_tier: dict[int, list[StoredSummary]] = {}
    for summary in sorted(made, key=lambda one: one.first):
        by_tier.setdefault(summary.tier, []).append(summary)
    tier, windows = 1, policy.windows_of(agent)
    plan = plan_windows(turns, map(_window, by_tier.get(1, ())), windows, closed=closed)
    while True:
        stand = by_tier.get(tier, [])
        if due := _first_due(tier, plan, stand):
            return due
        below = [_coverable(summary) for summary in stand if summary.text.content]
        above = by_tier.get(tier + 1, [])
        if not below and not above:
            return None
        tier += 1
        plan = plan_metas(below, map(_window, above), policy.metas, turns=len(turns))


def _first_due(tier: int, plan: Plan, stand: Sequence[StoredSummary]) -> Due | None:
    before = {summary.first: summary for summary in stand}
    changed = {window.first for window in (*plan.stale, *plan.new)}
    for window in plan.windows:
        summary = before.get(window.first)
        if window.first in changed or (summary is not None and summary.stale_at is not None):
            return Due(tier=tier, window=window, before=summary)
    return None


def _window(summary: StoredSummary) -> Window:
    return Window(first=summary.first, last=summary.last, covers=summary.covers)


def _coverable(summary: StoredSummary) -> CoverableSummary:
    return CoverableSummary(id=summary.summary_id, first=summary.first, last=summary.last, tokens=summary.text.tokens)
