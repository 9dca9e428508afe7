"""How much each key, group, user and address may ask and hand in."""

from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from time import monotonic

import structlog

from graphmem.errors import GroupFull, QueueUnavailable, QuotaUsed, RateLimited
from graphmem.model.limits import DAY, MINUTE, Allowance, Charge, HandedText, LimitReached, block_of
from graphmem.model.principal import Principal
from graphmem.queue.counters import Counters
from graphmem.settings.limits import UNLIMITED, LimitSettings

_PAUSE_SECONDS = 5.0
"""For so long nobody asks the counters after they did not answer: no request waits for them in vain again and again."""
_FRESH_SECONDS = 30.0
"""For so long a process trusts what it has counted of the episodes of a group."""
_AHEAD_SECONDS = 1.0
"""For so long a process may spend requests that it counted ahead; what is left of them then is lost."""
_MOST_REMEMBERED = 10_000

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class _CountedAhead:
    """What a process counted ahead of limits, and has not spent."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._left = dict[tuple[str, ...], tuple[float, Allowance]]()

    def spend(self, charge: Charge) -> Allowance | None:
        """What is left of a limit afterwards; None where less was counted ahead than this costs."""
        until, allowance = self._of(charge)
        if allowance is None or allowance.ahead < charge.cost:
            return None
        left = allowance.less(charge.cost)
        self._left[charge.limit, *charge.whose] = until, left
        return left

    def give_back(self, charge: Charge) -> None:
        until, allowance = self._of(charge)
        if allowance is not None:
            self._left[charge.limit, *charge.whose] = until, allowance.less(-charge.cost)

    def keep(self, charges: Iterable[Charge], taken: Iterable[Allowance]) -> None:
        """Keep what was counted ahead, with what is left from before."""
        for charge, allowance in zip(charges, taken, strict=True):
            if allowance.ahead:
                _, before = self._of(charge)
                if len(self._left) >= _MOST_REMEMBERED:
                    self._left.clear()
                seconds = _AHEAD_SECONDS if charge.refills else allowance.seconds
                kept = allowance.less(-before.ahead) if before else allowance
                self._left[charge.limit, *charge.whose] = self._monotonic() + seconds, kept

    def _of(self, charge: Charge) -> tuple[float, Allowance | None]:
        until, allowance = self._left.get((charge.limit, *charge.whose), (0.0, None))
        return until, allowance if self._monotonic() < until else None


async def _none_stored(_group: str) -> int:
    return 0


class CallerLimits:
    """The limits of one service, and what its processes counted together.

    While the counters are away nothing is limited: a memory that takes no more because it cannot count is worse.
    Of a limit that is far away a process counts some ahead, and spends that without asking. All that was counted is of
    the limit, so that no more is ever let through.
    ``refused`` counts by limit what was too much, ``uncounted`` what went on uncounted.
    """

    def __init__(
        self,
        settings: LimitSettings = UNLIMITED,
        counters: Counters | None = None,
        stored: Callable[[str], Awaitable[int]] = _none_stored,
        monotonic: Callable[[], float] = monotonic,
    ) -> None:
        """``stored`` counts the episodes of a group."""
        self.refused = Counter[str]()
        self.uncounted = Counter[str]()
        self._settings = settings
        self._counters = counters
        self._count_stored = stored
        self._monotonic = monotonic
        self._again_at = 0.0
        self._stored = dict[str, tuple[float, int]]()
        self._ahead = _CountedAhead(monotonic)
        self._under_way = Counter[str]()

    async def ask(self, principal: Principal, group: str | None, address: str) -> Allowance | None:
        """Count a request, and give what the caller has left. Who may not enter a group is not counted there.

        What a group has left is not told: it depends on what others ask.

        Raises:
            RateLimited: it is one too many.
        """
        charges = list[Charge]()
        if principal.key:
            charges += self._a_minute("key_requests_per_minute", principal.key)
        if not principal.rights:
            charges += self._a_minute("address_requests_per_minute", block_of(address))
        own = len(charges)
        if group is not None and principal.may_enter(group):
            charges += self._a_minute("group_requests_per_minute", group)
        taken = await self._take(charges)
        if isinstance(taken, LimitReached):
            raise RateLimited(
                f"No more than {taken.charge.most} requests a minute are answered {_of_whom(taken.charge)}. "
                f"Ask again in {taken.seconds} s.",
                taken.seconds,
            )
        return next(iter(taken[:own]), None)

    async def hand_in(self, principal: Principal, group: str, texts: Sequence[HandedText]) -> None:
        """Count what is handed in, before it is stored: all of it, or none.

        Raises:
            GroupFull: the group holds as many episodes as it may.
            QuotaUsed: it is more than the day has left for the key, a user or the group.
        """
        await self._require_room(group, len(texts))
        taken = await self._take(list(self._charges_of(principal, group, texts)))
        if isinstance(taken, LimitReached):
            what = "characters" if "characters" in taken.charge.limit else "episodes"
            raise QuotaUsed(
                f"No more than {taken.charge.most} {what} a day are taken {_of_whom(taken.charge)}, and these "
                f"{taken.charge.cost} are too many. Nothing of them is stored. The next day begins in "
                f"{taken.seconds} s, at midnight UTC.",
                taken.seconds,
            )
        if group in self._stored:
            until, stored = self._stored[group]
            self._stored[group] = until, stored + len(texts)

    @contextmanager
    def at_once(self, principal: Principal) -> Generator[None]:
        """Be one of the requests that are answered at once with a key, in this process.

        Raises:
            RateLimited: it is one too many.
        """
        key, most = principal.key, self._settings.key_requests_at_once
        if key and 0 < most <= self._under_way[key]:
            self.refused["key_requests_at_once"] += 1
            raise RateLimited(
                f"{most} requests of this key are under way (limits.key_requests_at_once). Wait for one of them.", 1
            )
        self._under_way[key] += 1
        try:
            yield
        finally:
            self._under_way[key] -= 1
            if not self._under_way[key]:
                del self._under_way[key]

    def _charges_of(self, principal: Principal, group: str, texts: Iterable[HandedText]) -> Iterable[Charge]:
        episodes, characters = Counter[str](), Counter[str]()
        for text in texts:
            episodes[text.user or ""] += 1
            characters[text.user or ""] += text.characters
        if principal.key:
            yield from self._a_day("key_episodes_per_day", episodes.total(), principal.key)
            yield from self._a_day("key_characters_per_day", characters.total(), principal.key)
        yield from self._a_day("group_episodes_per_day", episodes.total(), group)
        yield from self._a_day("group_characters_per_day", characters.total(), group)
        for user in filter(None, episodes):
            yield from self._a_day("user_episodes_per_day", episodes[user], group, user)
            yield from self._a_day("user_characters_per_day", characters[user], group, user)

    def _a_minute(self, limit: str, *whose: str) -> Iterable[Charge]:
        if most := self._most(limit):
            yield Charge(limit=limit, whose=whose, most=most, seconds=MINUTE, refills=True)

    def _a_day(self, limit: str, cost: int, *whose: str) -> Iterable[Charge]:
        if most := self._most(limit):
            yield Charge(limit=limit, whose=whose, most=most, seconds=DAY, cost=cost)

    def _most(self, limit: str) -> int:
        return getattr(self._settings, limit)

    async def _take(self, charges: Sequence[Charge]) -> list[Allowance | None] | LimitReached:
        """Count towards limits: what is left of each, None where the counters are away."""
        spent = [self._ahead.spend(charge) for charge in charges]
        rest = [charge for charge, allowance in zip(charges, spent, strict=True) if allowance is None]
        taken = await self._count(rest)
        if isinstance(taken, LimitReached):
            for charge in charges:
                if charge not in rest:
                    self._ahead.give_back(charge)
            return taken
        counted = iter(taken)
        return [allowance or next(counted, None) for allowance in spent]

    async def _count(self, charges: Sequence[Charge]) -> list[Allowance] | LimitReached:
        """Count where all processes do."""
        if not charges or self._counters is None:
            return []
        if self._monotonic() >= self._again_at:
            try:
                taken = await self._counters.take(charges)
            except QueueUnavailable as error:
                self._again_at = self._monotonic() + _PAUSE_SECONDS
                log.warning("limits.not_counted", reason=str(error), again_in=_PAUSE_SECONDS)
            else:
                if isinstance(taken, LimitReached):
                    self.refused[taken.charge.limit] += 1
                else:
                    self._ahead.keep(charges, taken)
                return taken
        self.uncounted.update(charge.limit for charge in charges)
        return []

    async def _require_room(self, group: str, count: int) -> None:
        most = self._settings.group_episodes
        if not most:
            return
        until, stored = self._stored.get(group, (0.0, 0))
        if until <= self._monotonic():
            stored = await self._count_stored(group)
            if len(self._stored) >= _MOST_REMEMBERED:
                self._stored.clear()
            self._stored[group] = self._monotonic() + _FRESH_SECONDS, stored
        if stored + count > most:
            self.refused["group_episodes"] += 1
            raise GroupFull(
                f"Group {group!r} may hold {most} episodes (limits.group_episodes): there is no room for {count} more. "
                "Nothing of them is stored."
            )


_OF_WHOM = {
    "key": "with one key",
    "group": "in one group",
    "user": "for one user",
    "address": "to one address without a key that opens",
}
"""By the first word of a limit, of whom it is."""


def _of_whom(charge: Charge) -> str:
    return f"{_OF_WHOM[charge.limit.partition('_')[0]]} (limits.{charge.limit})"
