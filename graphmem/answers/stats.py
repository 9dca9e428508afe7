"""How much a memory holds."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from graphmem.answers.answer import Answer, AsOf, TextOrNull


class LayersOut(Answer):
    """``relationships`` and ``facts`` are curated beliefs, ``open`` those that rest on open claims.

    ``summaries`` are of sessions, and ``reflections`` on weeks.
    """

    episodes: int
    sessions: int
    relationships: int
    facts: int
    open: int
    summaries: int
    entity_summaries: int
    reflections: int


class AgeOut(Answer):
    """Beliefs recorded less than so many days ago, and not less than the number before; null: the older ones."""

    days: int | None
    beliefs: int


class UnprojectedOut(Answer):
    """What is believed of a subject by a predicate stays as it is since `asked_at`: something of it cannot be read.

    `why` says what, and the job `job_id` projects it once that is repaired in Neo4j.
    """

    job_id: str
    subject_id: str
    predicate: str
    user: TextOrNull
    why: str
    asked_at: datetime


class MemoryStatsOut(AsOf):
    """``faded`` are beliefs that nobody used for long, ``protected`` those that somebody confirmed.

    ``stale`` are summaries and reflections that are to be made again, for something that they rest on was withdrawn or
    changed.

    ``uses`` counts, for each belief, days on which a search or a context brought it, up to now whatever ``known_at``
    is; with a user, of that user's own beliefs.
    """

    layers: LayersOut
    categories: Annotated[dict[str, int], Field(description="Facts by category; those that there are.")]
    ages: list[AgeOut]
    faded: int
    contested: int
    stale: int
    protected: int
    uses: int
    last_used_at: datetime | None
    latest_recorded_at: datetime | None
    unprojected: Annotated[
        list[UnprojectedOut], Field(description="What cannot be projected now, up to 100; whatever `known_at` is.")
    ]
