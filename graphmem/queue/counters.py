"""What was counted towards limits, on Redis or Valkey, so that all processes of a service share it.

https://valkey.io/topics/eval-intro/
"""

import asyncio
from collections.abc import Sequence
from typing import cast

from redis.asyncio import Redis

from graphmem.model.limits import Allowance, Charge, LimitReached
from graphmem.queue.redis import TIMEOUT, translate_errors

_TAKE = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local uses, ends, answer = {}, {}, {0}
for i, key in ipairs(KEYS) do
  local most, seconds, cost = tonumber(ARGV[5 * i - 4]), tonumber(ARGV[5 * i - 3]), tonumber(ARGV[5 * i - 2])
  local ahead, refills = tonumber(ARGV[5 * i - 1]), ARGV[5 * i] == '1'
  local before = redis.call('HMGET', key, 'used', 'at')
  local used = tonumber(before[1] or 0)
  ends[i] = (math.floor(now / seconds) + 1) * seconds
  if refills then
    used = math.max(0, used - (now - tonumber(before[2] or now)) * most / seconds)
  end
  uses[i] = used + cost
  if uses[i] > most then
    return {i, math.ceil(refills and (uses[i] - most) * seconds / most or ends[i] - now)}
  end
  if 2 * (uses[i] + ahead) > most then
    ahead = 0
  end
  uses[i] = uses[i] + ahead
  if refills then
    ends[i] = math.ceil(now + uses[i] * seconds / most)
  end
  table.insert(answer, math.floor(most - uses[i]) + ahead)
  table.insert(answer, math.ceil(ends[i] - now))
  table.insert(answer, ahead)
end
for i, key in ipairs(KEYS) do
  redis.call('HSET', key, 'used', uses[i], 'at', now)
  redis.call('EXPIREAT', key, ends[i])
end
return answer
"""
"""Counts each charge (most, seconds, cost, how much ahead, whether it refills), or none. What is more than half used is
not counted ahead. Answers with 0 and, for each, what is left, the seconds until all is, and what was counted ahead; or
with the number of one that is too much, and the seconds until it is not."""


class Counters:
    """What was counted; the clock is that of Redis."""

    def __init__(self, redis: Redis) -> None:
        self._take = redis.register_script(_TAKE)

    async def take(self, charges: Sequence[Charge]) -> list[Allowance] | LimitReached:
        """Count an act towards several limits in one round trip; where it is over one of them, towards none.

        Of a limit that is far away ``ahead`` is counted as well, for what the process will be asked next.

        Raises:
            QueueUnavailable: it does not answer in time.
        """
        keys = [":".join(("graphmem:limits", charge.limit, *charge.whose)) for charge in charges]
        numbers = [
            number
            for charge in charges
            for number in (charge.most, charge.seconds, charge.cost, charge.ahead, int(charge.refills))
        ]
        with translate_errors():
            async with asyncio.timeout(TIMEOUT):
                over, *answer = cast("list[int]", await self._take(keys=keys, args=numbers))
        if over:
            return LimitReached(charges[over - 1], answer[0])
        return [
            Allowance(charge.most, left, seconds, ahead)
            for charge, left, seconds, ahead in zip(charges, answer[::3], answer[1::3], answer[2::3], strict=True)
        ]
