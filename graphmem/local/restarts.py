"""When a process that does not answer is killed, and when one that ended is started again: counts, no clock."""

from dataclasses import dataclass, replace

_QUICK = 60.0  # seconds: who lives longer has not died of its start
_FIRST_PAUSE = 0.5
_MOST_DOUBLINGS = 20


@dataclass(frozen=True, slots=True)
class Restarts:
    """What one service has been through.

    ``count`` restarts since the supervisor runs; ``quick`` ends in quick succession; ``unanswered`` checks in a row.
    """

    count: int = 0
    quick: int = 0
    unanswered: int = 0

    def ended(self, lived: float) -> "Restarts":
        """After the end of a process that lived so many seconds, or that could not be started (0)."""
        return Restarts(self.count, self.quick + 1 if lived < _QUICK else 1)

    def started(self) -> "Restarts":
        return replace(self, count=self.count + 1, unanswered=0)

    def checked(self, *, answered: bool) -> "Restarts":
        return replace(self, unanswered=0 if answered else self.unanswered + 1)

    def pause(self, longest: float) -> float:
        """Seconds until it is started again: twice as many with each quick end."""
        return min(_FIRST_PAUSE * 2 ** min(max(0, self.quick - 1), _MOST_DOUBLINGS), longest)
