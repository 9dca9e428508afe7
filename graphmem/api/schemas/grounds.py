"""What a belief rests on, as shown."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from graphmem.api.schemas.beliefs import BeliefOut, beliefs_out
from graphmem.api.schemas.episodes import SaidEpisode, said_episode
from graphmem.api.schemas.words import Answer, ReadAnswer, stands
from graphmem.model.claim import AssertedBy
from graphmem.model.interval import shown
from graphmem.model.recall import Grounds, KnownClaim
from graphmem.reading import Standing


class ClaimOut(Answer):
    """What one episode says, at characters ``start`` to ``end`` of it. A claim that ``ends`` does so at ``valid_from``.

    ``retracted_at`` is null unless it was retracted by ``known_at``.

    One that ``rejects`` or ``lowers`` is about what was said of this value before ``said_at``: it is not believed, or
    at most with the confidence ``cap``, 0 being not at all, for it ``gave_way_to`` another claim, if one is named. A
    ``protecting`` claim is not lowered.
    """

    claim_id: str
    kind: str
    episode_id: str
    statement: str
    quote: str
    start: int
    end: int
    valid_from: datetime | None
    valid_to: datetime | None
    from_stated: bool
    to_stated: bool
    said_at: datetime
    recorded_at: datetime
    retracted_at: datetime | None
    confidence: float
    extractor: str
    extractor_version: str
    asserted_by: AssertedBy
    protecting: bool
    cap: float | None
    gave_way_to: str | None


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


def grounds_out(
    grounds: Grounds, valid_at: datetime | None, known_at: datetime, next_cursor: str | None, *, standing: Standing
) -> GroundsOut:
    (belief,) = beliefs_out([grounds.belief], grounds.entities)
    return GroundsOut(
        **stands(standing),
        valid_at=valid_at,
        known_at=known_at,
        belief=belief,
        claims=[claim_out(claim) for claim in grounds.claims],
        episodes=[said_episode(stored) for stored in grounds.episodes],
        next_cursor=next_cursor,
    )


def claim_out(claim: KnownClaim) -> ClaimOut:
    return ClaimOut(
        claim_id=claim.id,
        kind=claim.kind,
        episode_id=claim.episode_id,
        statement=claim.statement,
        quote=claim.quote,
        start=claim.quote_start,
        end=claim.quote_end,
        valid_from=shown(claim.valid_from),
        valid_to=shown(claim.valid_to),
        from_stated=claim.from_stated,
        to_stated=claim.to_stated,
        said_at=claim.said_at,
        recorded_at=claim.recorded_at,
        retracted_at=shown(claim.retracted_at),
        confidence=claim.confidence,
        extractor=claim.extractor,
        extractor_version=claim.extractor_version,
        asserted_by=claim.asserted_by,
        protecting=claim.protecting,
        cap=claim.cap,
        gave_way_to=claim.gave_way_to or None,
    )
