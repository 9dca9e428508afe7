"""Limits of callers: what one act counts towards each, and what is left of it."""

import json
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import Self

MINUTE, DAY = 60, 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What one act counts towards one limit.

    ``limit`` is the setting from which ``most`` in ``seconds`` is; ``whose`` names what it is counted of: a key, a
    group, a user of a group, an address. With ``refills`` what was counted goes down evenly, by ``most`` in
    ``seconds``. Without, it begins anew with each period of the clock: a day at midnight, UTC.

    ``ahead`` is how much more a process may count at once, for what it will be asked next: a tenth of a second of what
    refills, a thousandth of a day. Small limits have none.
    """

    limit: str
    whose: tuple[str, ...]
    most: int
    seconds: int
    cost: int = 1
    refills: bool = False

    @property
    def ahead(self) -> int:
        return self.most // (10 * self.seconds if self.refills else 1_000)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a limit: ``left`` of ``most``, and after ``seconds`` all of it.

    ``ahead`` of what is left is counted already, for what the process will be asked next.
    """

    most: int
    left: int
    seconds: int
    ahead: int = 0

    def less(self, cost: int) -> "Allowance":
        """What is left once so much of what was counted ahead is spent."""
        return replace(self, left=self.left - cost, ahead=self.ahead - cost)


@dataclass(frozen=True, slots=True)
class LimitReached:
    """The limit that an act would be over, and in how many seconds it would not."""

    charge: Charge
    seconds: int


@dataclass(frozen=True, slots=True)
class HandedText:
    """A text that somebody hands in: for which user, if for one, and how many characters it has."""

    user: str | None
    characters: int

    @classmethod
    def of(cls, user: str | None, *parts: object) -> Self:
        """``parts`` are texts, and what is kept as JSON."""
        return cls(user, sum(len(part if isinstance(part, str) else json.dumps(part)) for part in parts if part))


def block_of(address: str) -> str:
    """The address of a caller; of IPv6 the /64 that it is in, since one subscriber has all of that."""
    try:
        known = ip_address(address)
    except ValueError:
        return address[:64]
    return str(known) if isinstance(known, IPv4Address) else str(IPv6Network((int(known), 64), strict=False))
