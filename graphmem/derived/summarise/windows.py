"""Which turns, or which summaries, each summary covers.

Turns are covered in runs, oldest first, and the last turns stay verbatim. A run that was made keeps its bounds: a turn
that comes late falls into the run around it, and nothing else moves. So a run's first turn identifies its summary for
good. Summaries are covered by meta summaries in the same way, a tier above a tier.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from graphmem.model.summary import MetaPolicy, Place, StoredSummary, SummaryPolicy, WindowPolicy, summary_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A run of turns, or of summaries.

    ``first`` and ``last`` are its bounds: the places of the first and the last turn in it when it was made. ``covers``
    are the ids of all in it now, in their order; what came late before ``first`` is among them in the first window.
    """

    first: Place
    last: Place
    covers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The windows of a session in their order, and the ids of what no window covers.

    ``stale`` are windows that were made and now cover something else, ``new`` those to be made; the rest are as they
    were. A stale window that covers nothing any more has lost all its turns, and its summary has nothing to say.
    """

    windows: tuple[Window, ...]
    stale: tuple[Window, ...]
    new: tuple[Window, ...]
    uncovered: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverable:
    """A turn or a summary, with its first and last place in a session; of a summary the tokens of its content."""

    id: str
    first: Place
    last: Place
    tokens: int = 0


def plan_windows(turns: Iterable[Place], made: Iterable[Window], policy: WindowPolicy, *, closed: bool) -> Plan:
    """The windows over all turns of a session, given those that were made before; ``closed`` says that it has ended.

    Neither the order of ``turns`` nor that of ``made`` makes a difference.
    """
    before = sorted(made, key=_first)
    kept, rest = _assigned(
        [Coverable(id=place.episode_id, first=place, last=place) for place in sorted(set(turns))], before
    )
    new = list[Window]()
    while len(rest) >= (policy.batch if closed else policy.enough):
        new.append(_window(rest[: policy.batch]))
        rest = rest[policy.batch :]
    if closed and len(rest) >= policy.least:
        new.append(_window(rest))
        rest = []
    if closed and rest and (kept or new):
        last = (new or kept)[-1]
        (new or kept)[-1] = replace(last, last=rest[-1].last, covers=(*last.covers, *(turn.id for turn in rest)))
        rest = []
    return _plan(before, kept, new, rest)


def plan_metas(summaries: Iterable[Coverable], made: Iterable[Window], policy: MetaPolicy, *, turns: int) -> Plan:
    """The windows of meta summaries over all summaries of one tier of a session, which has so many ``turns``.

    Summaries that are too few for one more wait for others, also after the session has closed.
    """
    before = sorted(made, key=_first)
    kept, rest = _assigned(sorted(summaries, key=_first), before)
    new = list[Window]()
    while turns >= policy.least_turns and (size := _size(rest, policy)):
        new.append(_window(rest[:size]))
        rest = rest[size:]
    return _plan(before, kept, new, rest)


def _size(rest: Sequence[Coverable], policy: MetaPolicy) -> int:
    """How many of the first make one meta summary; 0 where they are too few as yet."""
    tokens = 0
    for number, summary in enumerate(rest, 1):
        tokens += summary.tokens
        if number >= policy.batch or (number > 1 and tokens >= policy.tokens):
            return number
    return 0


def _assigned(items: Sequence[Coverable], made: Sequence[Window]) -> tuple[list[Window], list[Coverable]]:
    """The windows that were made with what falls into each now, and what comes after the last of them."""
    if not made:
        return [], list(items)
    starts = [window.first for window in made]
    covered: list[list[str]] = [[] for _ in made]
    rest = list[Coverable]()
    for item in items:
        if item.first > made[-1].last:
            rest.append(item)
        else:
            covered[max(0, bisect_right(starts, item.first) - 1)].append(item.id)
    return [replace(window, covers=tuple(ids)) for window, ids in zip(made, covered, strict=True)], rest


def _window(items: Sequence[Coverable]) -> Window:
    return Window(first=items[0].first, last=items[-1].last, covers=tuple(item.id for item in items))


def _plan(before: Sequence[Window], kept: Sequence[Window], new: Sequence[Window], rest: Sequence[Coverable]) -> Plan:
    return Plan(
        windows=(*kept, *new),
        stale=tuple(now for then, now in zip(before, kept, strict=True) if then != now),
        new=tuple(new),
        uncovered=tuple(item.id for item in rest),
    )


def _first(item: Window | Coverable) -> Place:
    return item.first


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
    for summary in sorted(made, key=lambda summary: summary.first):
        by_tier.setdefault(summary.tier, []).append(summary)
    tier, windows = 1, policy.windows_of(agent)
    plan = plan_windows(turns, map(_window_of, by_tier.get(1, ())), windows, closed=closed)
    while True:
        stand = by_tier.get(tier, [])
        if due := _first_due(tier, plan, stand):
            return due
        below = [_coverable(summary) for summary in stand if summary.text.content]
        above = by_tier.get(tier + 1, [])
        if not below and not above:
            return None
        tier += 1
        plan = plan_metas(below, map(_window_of, above), policy.metas, turns=len(turns))


def _first_due(tier: int, plan: Plan, stand: Sequence[StoredSummary]) -> Due | None:
    before = {summary.first: summary for summary in stand}
    stale = {first for first, summary in before.items() if summary.stale_at is not None}
    due = {*stale, *(window.first for window in (*plan.stale, *plan.new))}
    window = next((window for window in plan.windows if window.first in due), None)
    return window and Due(tier=tier, window=window, before=before.get(window.first))


def _window_of(summary: StoredSummary) -> Window:
    return Window(first=summary.first, last=summary.last, covers=summary.covers)


def _coverable(summary: StoredSummary) -> Coverable:
    return Coverable(id=summary.summary_id, first=summary.first, last=summary.last, tokens=summary.text.tokens)
