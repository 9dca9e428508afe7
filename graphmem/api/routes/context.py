"""Context: what should go into the next prompt, under a budget of tokens, at a point in time."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends

from graphmem.answers.context import ContextOut
from graphmem.api.bodies import json_body
from graphmem.api.deps import ClockDep, ContextsDep, GroupPath, MemoryDep, PrincipalDep, SettingsDep, asked_of
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.context import ContextIn
from graphmem.model.damage import told

router = APIRouter(prefix="/v1/groups/{group}/context", tags=["search"])


@router.post(
    "",
    **takes("ContextIn"),
    **documented(
        "What goes into the next prompt, within `max_tokens`: what is known about who is named or speaks, what is "
        "relevant, and the last turns of the session",
        *(401, 403, 404, 409, 413, 415, 422, 503),
    ),
)
async def context(
    group: GroupPath,
    posted: Annotated[ContextIn, Depends(json_body(ContextIn))],
    principal: PrincipalDep,
    memory: MemoryDep,
    contexts: ContextsDep,
    settings: SettingsDep,
    clock: ClockDep,
) -> ContextOut:
    user = principal.reads(group, posted.user)
    at = asked_of(group, user, posted.valid_at, posted.known_at, clock(), fades=settings.fading.enabled)
    scope = replace(at.scope, open=posted.open)
    agent = posted.agent
    if agent is None and posted.window is None and settings.windows_with:
        agent = await contexts.agent_of(scope, posted.session)
    asked = posted.to_domain(settings.context_of(agent))
    standing = await memory.reader.standing(group, scope.known_at)
    composed = await contexts.context(scope, asked)
    return ContextOut.of(
        composed,
        at,
        standing,
        max_tokens=asked.max_tokens,
        tokenizer=contexts.tokenizer,
        warnings=list(dict.fromkeys([*composed.warnings, *told()])),
        context=at.context(),
    )
