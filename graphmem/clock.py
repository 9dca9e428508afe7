"""The one place that reads the clock of this machine. What is believed when is stamped by the database's clock."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)
