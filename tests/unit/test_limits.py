"""Limits of callers: whom an address stands for, who waits, and what goes on where nothing can be counted."""

from collections.abc import Sequence

import pytest
from structlog.testing import capture_logs

from graphmem.errors import QueueUnavailable, RateLimited
from graphmem.model.limits import Allowance, Charge, HandedText, LimitReached, block_of
from graphmem.model.principal import NOBODY, Principal
from graphmem.queue.counters import Counters
from graphmem.settings.limits import LimitSettings
from graphmem.trust.limits import CallerLimits

KEY = Principal(key="3f9a1c07be52")


class AwayCounters(Counters):
    """Does not answer, and knows how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def take(self, charges: Sequence[Charge]) -> list[Allowance] | LimitReached:
        self.asked += len(charges)
        raise QueueUnavailable("The queue is away (test).")


class FarCounters(Counters):
    """Has counted nothing yet, counts ahead what it may, and knows how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def take(self, charges: Sequence[Charge]) -> list[Allowance] | LimitReached:
        self.asked += 1
        return [Allowance(charge.most, charge.most - charge.cost, 1, charge.ahead) for charge in charges]


@pytest.mark.parametrize(
    ("address", "block"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("unknown", "unknown"),
        ("", ""),
        ("x" * 1_000, "x" * 64),
    ],
)
def test_an_address_of_ipv6_stands_for_its_block(address: str, block: str) -> None:
    assert block_of(address) == block


def test_texts_are_counted_with_what_is_kept_as_json() -> None:
    assert HandedText.of("ann", "Olá", None, {}, {"a": 1}).characters == 3 + len('{"a": 1}')


def test_so_many_requests_of_a_key_are_answered_at_once() -> None:
    limits = CallerLimits(LimitSettings(key_requests_at_once=2))
    with limits.at_once(KEY):
        with limits.at_once(KEY), limits.at_once(Principal(key="other")), pytest.raises(RateLimited) as refused:
            limits.at_once(KEY).__enter__()
        with limits.at_once(KEY):
            assert refused.value.retry_after == 1
    assert limits.refused == {"key_requests_at_once": 1}


def test_the_first_key_has_as_many_answered_at_once_as_it_likes() -> None:
    limits = CallerLimits(LimitSettings(key_requests_at_once=1))
    with limits.at_once(Principal()), limits.at_once(Principal()):
        assert not limits.refused


async def test_while_the_counters_are_away_all_goes_on_and_they_are_asked_every_five_seconds() -> None:
    seconds, counters = [100.0], AwayCounters()
    limits = CallerLimits(LimitSettings(group_episodes_per_day=1), counters, monotonic=lambda: seconds[0])

    with capture_logs() as logs:
        for now in (100.0, 104.9, 105.1):
            seconds[0] = now
            assert await limits.ask(KEY, "g", "192.0.2.7") is None
            assert await limits.ask(NOBODY, "g", "192.0.2.7") is None
            await limits.hand_in(KEY, "g", [HandedText("ann", 3)] * 2)

    assert counters.asked == 2
    assert [line["event"] for line in logs] == ["limits.not_counted"] * 2
    assert limits.uncounted == {
        "key_requests_per_minute": 3,
        "address_requests_per_minute": 3,
        "key_episodes_per_day": 3,
        "key_characters_per_day": 3,
        "group_episodes_per_day": 3,
    }


async def test_far_from_a_limit_some_is_counted_ahead_of_which_requests_are_spent_for_a_second() -> None:
    seconds, counters = [100.0], FarCounters()
    limits = CallerLimits(LimitSettings(), counters, monotonic=lambda: seconds[0])

    async def left() -> int:
        allowance = await limits.ask(KEY, "g", "192.0.2.7")
        assert allowance is not None
        return allowance.left

    assert [await left() for _ in range(11)] == list(range(5_999, 5_988, -1))
    assert counters.asked == 1
    assert await left() == 5_999
    seconds[0] += 1
    assert await left() == 5_999
    assert counters.asked == 3
