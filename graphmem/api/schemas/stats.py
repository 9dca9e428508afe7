"""How much a memory holds."""

from dataclasses import asdict
from datetime import datetime

from graphmem.answers.stats import AgeOut, LayersOut, MemoryStatsOut, UnprojectedOut
from graphmem.api.schemas.words import stands
from graphmem.model.stats import MemoryStats
from graphmem.reading import Standing


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
        stale=stats.stale,
        protected=stats.protected,
        uses=stats.uses,
        last_used_at=stats.last_used_at,
        latest_recorded_at=stats.latest_recorded_at,
        unprojected=[
            UnprojectedOut.model_validate({**asdict(one), "user": one.user or None}) for one in stats.unprojected
        ],
    )
