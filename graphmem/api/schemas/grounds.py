"""What a belief rests on, as shown."""

from datetime import datetime

from graphmem.answers.grounds import ClaimOut, GroundsOut
from graphmem.api.schemas.beliefs import beliefs_out
from graphmem.api.schemas.episodes import said_episode
from graphmem.api.schemas.words import stands
from graphmem.model.interval import shown
from graphmem.model.recall import Grounds, KnownClaim
from graphmem.reading import Standing


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
