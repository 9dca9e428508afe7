"""Structured claims: evidence that needs no extraction, such as events of a CRM, or imports."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends

from graphmem.api import examples
from graphmem.api.accepting import first_said
from graphmem.api.bodies import json_body
from graphmem.api.deps import ClockDep, GroupPath, MemoryDep
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.claims import (
    CLAIM_TAGS,
    AcceptedClaims,
    ClaimIn,
    ClaimList,
    ClaimReceipt,
    ClaimsIn,
    claim_list,
    claims_in,
    episode_id_of,
)
from graphmem.memory import Memory

router = APIRouter(prefix="/v1/groups/{group}/claims", tags=["claims"])


@router.post(
    "",
    **takes("ClaimsIn", examples.CLAIM_IN),
    **documented(
        "Hand in claims: one, a list, or {claims: […]}; all of them are stored in one transaction, or none",
        examples.CLAIMS_OUT,
        *(401, 403, 409, 413, 415, 422, 503),
        status=201,
    ),
)
async def post_claims(
    group: GroupPath,
    posted: Annotated[ClaimIn | ClaimList | list[ClaimIn], Depends(json_body(ClaimsIn, CLAIM_TAGS))],
    memory: MemoryDep,
    clock: ClockDep,
) -> AcceptedClaims:
    items = claim_list(posted)
    times = await _times(memory, group, items, clock())
    receipts, outcome = await memory.assert_claims(group, claims_in(items, times))
    return AcceptedClaims(
        claims=[ClaimReceipt(**asdict(receipt)) for receipt in receipts],
        entities=outcome.entities,
        new_entities=outcome.new_entities,
        new_claims=outcome.new_claims,
        recorded=outcome.recorded,
        superseded=outcome.superseded,
    )


async def _times(memory: Memory, group: str, items: Sequence[ClaimIn], now: datetime) -> list[datetime]:
    """When each was said: as it says, else when the same ``external_id`` first came, else now."""
    ids = {
        index: episode_id_of(group, item.external_id)
        for index, item in enumerate(items)
        if item.occurred_at is None and item.external_id is not None
    }
    said = await first_said(memory, group, ids.values())
    return [item.occurred_at or said.get(ids.get(index, ""), now) for index, item in enumerate(items)]
