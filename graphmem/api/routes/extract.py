"""Extraction without storing: what would be read of an episode, and why not more."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends

from graphmem.answers.answer import AnswerContext
from graphmem.answers.extract import ExtractOut
from graphmem.api.bodies import json_body
from graphmem.api.deps import ClockDep, ExtractorsDep, GroupPath, MemoryDep, PrincipalDep, SettingsDep
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.episodes import Accepting
from graphmem.api.schemas.extract import ExtractIn
from graphmem.api.schemas.words import said_for
from graphmem.errors import ModelUnavailable
from graphmem.model.episode import Reprocessing
from graphmem.model.fragment import Context

router = APIRouter(prefix="/v1/groups/{group}/extract", tags=["episodes"])


@router.post(
    "",
    **takes("ExtractIn"),
    **documented(
        "What would be read of an episode: segments, clauses with their status or why they are dropped, mentions and "
        "claims. Nothing is stored",
        *(401, 403, 413, 415, 422, 503),
    ),
)
async def extract(
    group: GroupPath,
    principal: PrincipalDep,
    posted: Annotated[ExtractIn, Depends(json_body(ExtractIn))],
    extractors: ExtractorsDep,
    memory: MemoryDep,
    settings: SettingsDep,
    clock: ClockDep,
) -> ExtractOut:
    accept = Accepting(group, None, settings.api.max_content_chars, clock())
    (episode,) = accept.episodes(said_for(posted, principal.reads(group, posted.user)))
    own = await memory.store.ontology_of_group(group)
    context = Context(ontology=own.ontology if own else None)
    seconds = settings.neo4j.transaction_timeout
    try:
        async with asyncio.timeout(seconds):
            trace = await extractors.trace(Reprocessing(strategy=posted.strategy), episode, context)
    except TimeoutError as error:
        raise ModelUnavailable(
            f"Nothing was read within {seconds:g} s, which is what a request may take. Shorten the text, or take a "
            "strategy that asks no language model."
        ) from error
    return ExtractOut.of(trace, trace.fragment, context=AnswerContext(content=episode.content))
