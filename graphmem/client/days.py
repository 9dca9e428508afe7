"""Instants as people read them."""

from datetime import datetime


def day(instant: datetime | None, otherwise: str) -> str:
    """An instant as its day, and its time where that is not midnight."""
    if instant is None:
        return otherwise
    date, _, time = instant.isoformat().partition("T")
    return date if time.startswith("00:00:00") else f"{date} {time[:5]}"
