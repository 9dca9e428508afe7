"""What another memory held, in the order in which that memory recorded it: what an importing group is told."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from graphmem.model.export import text_of

Body = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """From ``at`` on the other memory held ``claim``; or, if it ``ends``, held it no more, or held ``instead``.

    Claims are bodies of ``POST claims``, without ``recorded_at``.
    """

    at: datetime
    claim: Body
    ends: bool = False
    instead: Body | None = None

    @property
    def told(self) -> Body:
        """The claim as it is handed in."""
        return self._recorded(self.claim)

    @property
    def told_instead(self) -> Body | None:
        return None if self.instead is None else self._recorded(self.instead)

    def _recorded(self, claim: Body) -> Body:
        return claim | {"recorded_at": text_of(self.at)}


def instant(written: str) -> datetime:
    """An instant as other memories write it, in UTC; one without an offset is in UTC already.

    Raises:
        ValueError: it is none.
    """
    read = datetime.fromisoformat(written)
    return (read if read.utcoffset() is not None else read.replace(tzinfo=UTC)).astimezone(UTC)
