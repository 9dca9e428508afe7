"""How much a memory holds."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from graphmem.api.schemas.words import Answer, AsOf, stands
from graphmem.model.stats import MemoryStats
from graphmem.reading import Standing


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


def memory_stats_out(
    stats: MemoryStats, valid_at: datetime, known_at: datetime, *, standing: Standing
) -> MemoryStatsOut:
    return MemoryStatsOut(
        valid_at=valid_at,
        known_at=known_at,
        **stands(standing),
        layers=LayersOut.model_validate(stats.layers),
        categories=dict(stats.categories),
        ages=[AgeOut(days=days, beliefs=count) for days, count in stats.ages.items()],
        faded=stats.faded,
        contested=stats.contested,
        protected=stats.protected,
        uses=stats.uses,
        last_used_at=stats.last_used_at,
        latest_recorded_at=stats.latest_recorded_at,
    )
