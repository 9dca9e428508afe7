"""Structured claims: evidence that needs no extraction, such as events of a CRM, or imports; and taking claims back."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Response

from graphmem.answers.claims import AcceptedClaims, ClaimReceipt, CorrectedClaim, RefusedClaim, RetractedClaim
from graphmem.api.accepting import Times, as_first_said, times_said
from graphmem.api.bodies import NDJSON, claims_body, json_body
from graphmem.api.deps import ActorDep, ClockDep, GroupPath, HandInDep, IdPath, MemoryDep, PrincipalDep
from graphmem.api.errors import invalid, problem_of
from graphmem.api.openapi import ANYWHERE, CallRouter, TakenBody
from graphmem.api.schemas.claims import (
    ClaimIn,
    ClaimsIn,
    CorrectIn,
    PostedClaims,
    RetractIn,
    claim_in,
    whole_claim_in,
)
from graphmem.api.schemas.words import said_for
from graphmem.errors import Barred, CallerError, GraphmemError, InvalidInput
from graphmem.memory import Memory
from graphmem.model.acts import Seen
from graphmem.model.evidence import ChangeOutcome, Receipt, StructuredClaim, total
from graphmem.model.principal import Right

router = CallRouter(prefix="/v1/groups/{group}/claims", tags=["claims"])

Stored = tuple[dict[int, Receipt], ChangeOutcome]


@router.call(
    "POST",
    "",
    409,
    problems=ANYWHERE,
    takes=TakenBody(ClaimsIn, (NDJSON,), "ClaimsIn"),
    status=201,
    also={207: {"description": "Some of a list or stream were refused", "model": AcceptedClaims}},
)
async def post_claims(
    group: GroupPath,
    posted: Annotated[PostedClaims, Depends(claims_body)],
    principal: PrincipalDep,
    memory: MemoryDep,
    clock: ClockDep,
    hand_in: HandInDep,
    response: Response,
) -> AcceptedClaims:
    """Hand in claims: one, a list, or {claims: […]}, all of them in one transaction, or none; or one a line
    (NDJSON), each taken or refused by itself.

    What was forgotten is refused, and what is of a user who opted out (409); of a list, the others are stored.
    """
    principal.enters(group, Right.WRITE)
    allowed = posted.each_of(lambda item: said_for(item, principal.writes(group, item.user)))
    await hand_in([item.handed() for item in allowed.claims.values()])
    now, refused = clock(), dict(allowed.refused)
    if posted.each:
        receipts, outcome = await _store_each(memory, group, allowed.claims, now, refused)
    else:
        receipts, outcome = await _store(memory, group, allowed.claims, now, barred=None if posted.alone else refused)
    if refused:
        response.status_code = 207
    return AcceptedClaims.of(
        outcome,
        claims=[
            ClaimReceipt.of(receipt, line=number if posted.each else None)
            for number, receipt in sorted(receipts.items())
        ],
        refused=[
            RefusedClaim(
                line=number if posted.each else None,
                item=None if posted.each else number,
                problem=problem_of(error),
            )
            for number, error in sorted(refused.items())
        ],
    )


@router.call("POST", "/{claim_id}/retract", 409, takes=TakenBody(RetractIn, required=False))
async def retract_claim(
    group: GroupPath,
    claim_id: IdPath,
    body: Annotated[RetractIn, json_body(RetractIn, optional=True)],
    by: ActorDep,
    memory: MemoryDep,
) -> RetractedClaim:
    """Withdraw a claim from now on; what was believed before stays as it was."""
    retraction, outcome = await memory.intake.retract(group, claim_id, body.recorded_at, by=by)
    return RetractedClaim.of(retraction, outcome)


@router.call("POST", "/{claim_id}/correct", 409, takes=CorrectIn)
async def correct_claim(
    group: GroupPath,
    claim_id: IdPath,
    body: Annotated[CorrectIn, json_body(CorrectIn)],
    by: ActorDep,
    memory: MemoryDep,
    clock: ClockDep,
    hand_in: HandInDep,
) -> CorrectedClaim:
    """Withdraw a claim and put another in its place, in one transaction; by the same predicate it keeps the status,
    the verb and the days of an event, unless it says otherwise.

    A claim that leaves out its `user` is of the same user as the claim in whose place it stands.
    """
    corrected = await memory.access.own_claim(group, claim_id, by)
    Seen(content_sha256=body.content_sha256).check_content(corrected.statement)
    if by.user is not None and body.claim.user not in (None, by.user):
        raise invalid("body", "/claim/user", f"is not {by.user!r}, who corrects: say what is so for that user")
    posted = said_for(body.claim, body.claim.user or corrected.user or None)
    (said_at,) = (await times_said(memory, group, {0: posted}, clock())).values()
    claim = claim_in(posted, said_at, "/claim")
    await hand_in([posted.handed()])
    retraction, receipt, outcome = await memory.intake.correct(group, claim_id, claim, by=by)
    return CorrectedClaim.of(retraction, outcome, claim=ClaimReceipt.of(receipt, line=None))


async def _store(
    memory: Memory,
    group: str,
    posted: Mapping[int, ClaimIn],
    now: datetime,
    refused: dict[int, GraphmemError] | None = None,
    *,
    barred: dict[int, GraphmemError] | None,
) -> Stored:
    """All of a list, or none; of lines, those that can be understood: the others are added to ``refused``.

    What is barred is added to ``barred``, where that is given.
    """

    async def store(times: Times) -> Stored:
        claims = _understood(posted, times, refused)
        if not claims:
            return {}, total(())
        shut, numbers = dict[int, Barred](), list(claims)
        receipts, outcome = await memory.intake.assert_claims(
            group, list(claims.values()), None if barred is None else shut
        )
        if barred is not None:
            barred.update((numbers[place], error) for place, error in shut.items())
        taken = (number for place, number in enumerate(numbers) if place not in shut)
        return dict(zip(taken, receipts, strict=True)), outcome

    return await as_first_said(memory, group, posted, now, store)


def _understood(
    posted: Mapping[int, ClaimIn], times: Times, refused: dict[int, GraphmemError] | None
) -> dict[int, StructuredClaim]:
    claims: dict[int, StructuredClaim] = {}
    for number, item in posted.items():
        try:
            claim = whole_claim_in(item, times[number], f"/{number}" if refused is None else "")
            claims[number] = replace(claim, position=number if refused is None else number - 1)
        except InvalidInput as error:
            if refused is None:
                raise
            refused[number] = error
    return claims


async def _store_each(
    memory: Memory, group: str, posted: Mapping[int, ClaimIn], now: datetime, refused: dict[int, GraphmemError]
) -> Stored:
    """All at once, and if something is wrong with one of them, one by one."""
    try:
        return await _store(memory, group, posted, now, refused, barred=refused)
    except CallerError:
        stored: list[Stored] = []
        for number in sorted(posted.keys() - refused.keys()):
            try:
                stored.append(await _store(memory, group, {number: posted[number]}, now, refused, barred=refused))
            except CallerError as error:
                refused[number] = error
        receipts = {number: receipt for receipts, _ in stored for number, receipt in receipts.items()}
        return receipts, total(outcome for _, outcome in stored)
