"""How much a memory holds."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from graphmem.answers.answer import Answer, AsOf


class LayersOut(Answer):
    """``relationships`` and ``facts`` are curated beliefs, ``open`` those that rest on open claims."""

    episodes: int
    sessions: int
    relationships: int
    facts: int
    open: int


class AgeOut(Answer):
    """Beliefs recorded less than so many days ago, and not less than the number before; null: the older ones."""

    days: int | None
    beliefs: int


class MemoryStatsOut(AsOf):
    """``faded`` are beliefs that nobody used for long, ``protected`` those that somebody confirmed.

    ``uses`` counts, for each belief, days on which a search or a context brought it, up to now whatever ``known_at``
    is; with a user, of that user's own beliefs.
    """

    layers: LayersOut
    categories: Annotated[dict[str, int], Field(description="Facts by category; those that there are.")]
    ages: list[AgeOut]
    faded: int
    contested: int
    protected: int
    uses: int
    last_used_at: datetime | None
    latest_recorded_at: datetime | None
