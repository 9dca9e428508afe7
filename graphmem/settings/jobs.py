"""Background work: when it is done, and how much of it at a time."""

from pydantic import Field

from graphmem.model.acts import LIKENESS
from graphmem.settings.tables import Table


class JobSettings(Table):
    """Background work (design: three attempts, then ``failed`` with the reason on the episode)."""

    max_attempts: int = Field(default=3, gt=0)
    concurrency: int = Field(default=16, gt=0, description="episodes one worker digests at a time")
    digest_timeout: float = Field(default=120.0, gt=0)
    lease_seconds: float = Field(default=15.0, gt=0, description="a digest not heard of for so long is taken over")
    sweep_seconds: float = Field(
        default=5.0, gt=0, description="how often silent sessions are closed, and damaged slots tried"
    )
    retry_seconds: float = Field(default=1.0, ge=0, description="pause before the second attempt; doubles after that")
    night_hour: int = Field(
        default=2,
        ge=-1,
        le=23,
        description="hour (UTC) at which episodes are enriched, and then facts consolidated; -1: never",
    )
    reprocess_hour: int = Field(
        default=3,
        ge=-1,
        le=23,
        description="hour (UTC) at which episodes of older readings are read again; -1: never",
    )
    reprocess_limit: int = Field(default=50, ge=0, description="episodes read again in a night")
    dedup_seconds: int = Field(
        default=10, ge=0, le=60, description="how often entities are compared of which something was said; 0: never"
    )
    embed_seconds: int = Field(
        default=10, ge=0, le=60, description="how often texts are looked for that wait for their vectors; 0: never"
    )
    summarise_seconds: int = Field(
        default=10, ge=0, le=60, description="how often is looked for what is to be summarised; 0: never"
    )
    reflect_seconds: int = Field(
        default=10, ge=0, le=60, description="how often reflections are looked for that are to be made again; 0: never"
    )
    consolidate_seconds: int = Field(
        default=10, ge=0, le=60, description="how often closed sessions are looked for, to be consolidated; 0: never"
    )
    count_seconds: float = Field(
        default=300.0, ge=0, description="how often is counted what is stale, faded and contested; 0: never"
    )
    metrics_host: str = Field(default="127.0.0.1", description="where a worker shows its numbers to Prometheus")
    metrics_port: int = Field(
        default=0, ge=0, le=65535, description="0: nowhere, for the workers of a machine cannot share a port"
    )


class EnrichmentSettings(Table):
    """What is read again by night because little was found in it."""

    enabled: bool = True
    entities: int = Field(default=2, ge=0, description="episodes with at most so many entities")
    limit: int = Field(default=50, ge=1, le=1_000, description="episodes of a group in one pass")


class ConsolidationSettings(Table):
    """How facts that say the same, and conflicts, are settled."""

    enabled: bool = True
    chunk: int = Field(default=30, ge=1, le=500, description="facts, or episodes, looked at in one transaction")
    likeness: float = Field(
        default=LIKENESS, gt=0, le=1, description="share of words from which two facts say the same"
    )
    model_episodes: int = Field(
        default=300, ge=0, description="episodes read offline that a language model reads again, of a group in a night"
    )
