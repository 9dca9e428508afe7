"""What a belief rests on, as shown."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from graphmem.answers.answer import Answer, ReadAnswer, ShownInstant, TextOrNull, attribute
from graphmem.answers.beliefs import BeliefOut
from graphmem.answers.episodes import SaidEpisode
from graphmem.model.claim import AssertedBy


class ClaimOut(Answer):
    """What one episode says, at characters ``start`` to ``end`` of it. A claim that ``ends`` does so at ``valid_from``.

    ``retracted_at`` is null unless it was retracted by ``known_at``.

    One that ``rejects`` or ``lowers`` is about what was said of this value before ``said_at``: it is not believed, or
    at most with the confidence ``cap``, 0 being not at all, for it ``gave_way_to`` another claim, if one is named. A
    ``protecting`` claim is not lowered.
    """

    claim_id: Annotated[str, attribute("id")]
    kind: str
    episode_id: str
    statement: str
    quote: str
    start: Annotated[int, attribute("quote_start")]
    end: Annotated[int, attribute("quote_end")]
    valid_from: ShownInstant
    valid_to: ShownInstant
    from_stated: bool
    to_stated: bool
    said_at: datetime
    recorded_at: datetime
    retracted_at: ShownInstant
    confidence: float
    extractor: str
    extractor_version: str
    asserted_by: AssertedBy
    protecting: bool
    cap: float | None
    gave_way_to: TextOrNull


class GroundsOut(ReadAnswer):
    """A version of a belief, and the claims about it in order of (said_at, claim_id).

    They start, hold and end it, or reject or lower its value.

    A superseded version shows what was recorded until then. ``valid_at`` is null unless it was asked for.
    ``next_cursor`` asks for the claims that follow; null at the end. ``episodes`` are those of the claims shown.
    """

    valid_at: datetime | None
    known_at: datetime
    belief: BeliefOut
    claims: list[ClaimOut]
    episodes: Annotated[list[SaidEpisode], Field(description="In order of (occurred_at, id).")]
    next_cursor: str | None
