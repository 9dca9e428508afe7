"""Episodes: what was said or happened, verbatim; and what would be read of one."""

import asyncio
from dataclasses import replace
from typing import Annotated

from fastapi import Depends, Query, Response

from graphmem.answers.answer import AnswerContext
from graphmem.answers.episodes import (
    AcceptedEpisode,
    AcceptedEpisodes,
    EpisodePage,
    ExtractOut,
    OneEpisode,
    PutEpisode,
    RefusedEpisode,
    RetriedEpisode,
)
from graphmem.answers.outcomes import MOST_KEPT, kept_of, unread_notice
from graphmem.api import accepting
from graphmem.api.backend import wake
from graphmem.api.bodies import NDJSON, episodes_body, json_body
from graphmem.api.cursors import BY_TIME
from graphmem.api.deps import (
    ActorDep,
    AskedDep,
    AuditDep,
    ClockDep,
    CursorQuery,
    DecidingActorDep,
    ExternalIdPath,
    GroupPath,
    HandInDep,
    IdempotencyKey,
    IdPath,
    LimitQuery,
    MemoryDep,
    NameQuery,
    PrincipalDep,
    QueueDep,
    ServicesDep,
    SettingsDep,
    UserDep,
    read_body,
    written_body,
)
from graphmem.api.errors import invalid, problem_of
from graphmem.api.openapi import ANYWHERE, CallRouter, TakenBody
from graphmem.api.schemas.episodes import Accepting, EpisodeIn, EpisodesIn, ReprocessIn
from graphmem.api.schemas.words import Name, said_for
from graphmem.errors import Barred, ModelUnavailable
from graphmem.model.episode import EpisodeStatus, Reprocessing
from graphmem.model.fragment import Context
from graphmem.model.interval import LATEST
from graphmem.model.limits import HandedText
from graphmem.model.principal import Principal, Right
from graphmem.model.scope import Scope

router = CallRouter(prefix="/v1/groups/{group}", tags=["episodes"])


async def _accepting(
    group: GroupPath, settings: SettingsDep, clock: ClockDep, idempotency_key: IdempotencyKey = None
) -> Accepting:
    return Accepting(group, idempotency_key, settings.api.max_content_chars, clock())


async def _posted(
    group: GroupPath,
    principal: PrincipalDep,
    audit: AuditDep,
    posted: Annotated[EpisodeIn | list[EpisodeIn], Depends(episodes_body)],
) -> EpisodeIn | list[EpisodeIn]:
    """The episodes, each of a user for whom the caller may write."""
    if isinstance(posted, list):
        allowed = [_allowed(principal, group, item) for item in posted]
        audit.ask_for(group, *(item.user for item in allowed))
        return allowed
    one = _allowed(principal, group, posted)
    audit.ask_for(group, one.user, agent=one.agent)
    return one


def _allowed(principal: Principal, group: str, item: EpisodeIn) -> EpisodeIn:
    return said_for(item, principal.writes(group, item.user), agent=principal.acts_as(item.agent))


@router.call(
    "POST",
    "/episodes",
    409,
    problems=ANYWHERE,
    takes=TakenBody(EpisodesIn, (NDJSON,), "EpisodesIn"),
    status=202,
    also={
        200: {"description": "With `?wait`: every episode is digested or has failed", "model": AcceptedEpisodes},
        207: {"description": "Some of a list were refused", "model": AcceptedEpisodes},
    },
)
async def post_episodes(
    posted: Annotated[EpisodeIn | list[EpisodeIn], Depends(_posted)],
    accept: Annotated[Accepting, Depends(_accepting)],
    memory: MemoryDep,
    queue: QueueDep,
    principal: PrincipalDep,
    hand_in: HandInDep,
    response: Response,
    wait: Annotated[float, Query(ge=0, le=60, allow_inf_nan=False, description="Seconds to wait for digests.")] = 0,
) -> AcceptedEpisodes:
    """Hand in episodes: one, a list, or one a line; they are durable when the answer comes. With `wait` it says
    what was kept of each, and what was not, and why.

    What was forgotten is refused, and what is of a user who opted out (409); of a list, the others are stored.
    """
    items = posted if isinstance(posted, list) else [posted]
    refused = dict[int, Barred]() if isinstance(posted, list) else None
    undated = frozenset(index for index, item in enumerate(items) if item.occurred_at is None)
    episodes_in = accept.episodes(posted)
    await hand_in([HandedText.of(item.user, item.content, item.metadata) for item in items])
    remembered = await accepting.remember(memory, accept.group, episodes_in, undated, refused)
    not_stored = [RefusedEpisode(item=place, problem=problem_of(error)) for place, error in (refused or {}).items()]
    pending = [item.id for item in remembered if item.status == EpisodeStatus.PENDING]
    with accepting.expected(queue, pending if wait else ()) as wake_ups:
        queued = not pending or await wake(queue, accept.group)
        if wait == 0:
            episodes = [
                AcceptedEpisode(id=item.id, new=item.new, status=EpisodeStatus(item.status)) for item in remembered
            ]
        else:
            may_read = Right.READ in principal.rights
            episodes = await accepting.wait(memory, accept.group, remembered, wake_ups, wait, may_read=may_read)
    if not_stored:
        response.status_code = 207
    elif wait and all(episode.status is not EpisodeStatus.PENDING for episode in episodes):
        response.status_code = 200
    return AcceptedEpisodes(episodes=episodes, refused=not_stored, queued=queued)


@router.call(
    "PUT",
    "/episodes/by-external-id/{external_id:path}",
    409,
    problems=ANYWHERE,
    takes=EpisodeIn,
    also={201: {"description": "It is stored, and to be digested", "model": PutEpisode}},
)
async def put_episode(
    external_id: ExternalIdPath,
    posted: Annotated[EpisodeIn, written_body(EpisodeIn)],
    accept: Annotated[Accepting, Depends(_accepting)],
    memory: MemoryDep,
    queue: QueueDep,
    hand_in: HandInDep,
    response: Response,
) -> PutEpisode:
    """Hand in the text that an external id of a user has now: another one than before takes the place of that.

    What was claimed from the text before is withdrawn now: it answers for what was known until now, and searches and
    sessions show the new one only. A text that the id had before changes nothing, for it may be a late retry; to put
    it back, send a new `Idempotency-Key`. Without `occurred_at` it was said when the first one was.
    """
    if posted.external_id not in (None, external_id):
        raise invalid("body", "/external_id", "is another one than in the address")
    (episode,) = accept.episodes(posted.model_copy(update={"external_id": external_id}))
    await hand_in([HandedText.of(posted.user, posted.content, posted.metadata)])
    put = await memory.intake.put(episode, undated=posted.occurred_at is None)
    if put.new:
        response.status_code = 201
    queued = put.status is not EpisodeStatus.PENDING or await wake(queue, accept.group)
    return PutEpisode.of(put, queued=queued)


@router.call("GET", "/episodes")
async def list_episodes(
    asked: AskedDep,
    memory: MemoryDep,
    session: NameQuery = None,
    status: Annotated[EpisodeStatus | None, Query()] = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> EpisodePage:
    """The episodes that had occurred at valid_at and were known at known_at, in order of time."""
    scope = replace(asked.scope, session=session)
    page = await memory.reader.episodes(scope, status=status, after=BY_TIME.after(cursor), limit=limit)
    last = page.episodes[-1] if page.more else None
    return EpisodePage.of(page, asked, next_cursor=last and BY_TIME.of((last.episode.occurred_at, last.id)))


@router.call("GET", "/episodes/{episode_id}")
async def episode(group: GroupPath, user: UserDep, episode_id: IdPath, memory: MemoryDep) -> OneEpisode:
    """One episode, with what stands of it, and what was not kept, and why."""
    stored = await memory.reader.episode(group, episode_id, user=user)
    kept = await memory.store.kept_claims(Scope(group, LATEST, user=user), [episode_id], MOST_KEPT)
    return OneEpisode.of(stored, kept_of(stored.outcome, kept.get(episode_id)))


@router.call(
    "POST",
    "/episodes/{episode_id}/reprocess",
    409,
    takes=TakenBody(ReprocessIn, required=False),
    status=202,
)
async def reprocess_episode(
    group: GroupPath,
    episode_id: IdPath,
    posted: Annotated[ReprocessIn, json_body(ReprocessIn, optional=True)],
    by: DecidingActorDep,
    services: ServicesDep,
    queue: QueueDep,
) -> RetriedEpisode:
    """Digest an episode anew, with another strategy, model or version of the prompt, or as the settings say now. What
    was found before stands until then; what the new digest does not find is withdrawn then. One that is everybody's an
    administrator has digested.
    """
    reprocessing = posted.into(Reprocessing)
    services.extractors.check(reprocessing)
    stored = await services.memory.intake.reprocess(group, episode_id, reprocessing, by=by)
    return RetriedEpisode.of(episode=stored, queued=await wake(queue, group))


@router.call("POST", "/episodes/{episode_id}/retry", 409, status=202)
async def retry_episode(
    group: GroupPath, episode_id: IdPath, by: ActorDep, memory: MemoryDep, queue: QueueDep
) -> RetriedEpisode:
    """Digest a failed episode again."""
    stored = await memory.intake.retry(group, episode_id, by=by)
    return RetriedEpisode.of(episode=stored, queued=await wake(queue, group))


class ExtractIn(EpisodeIn):
    """An episode that is read and not stored, by a ``strategy``, else as the settings say."""

    strategy: Name | None = None


@router.call("POST", "/extract", problems=ANYWHERE, takes=ExtractIn)
async def extract(
    group: GroupPath,
    posted: Annotated[ExtractIn, read_body(ExtractIn)],
    services: ServicesDep,
    settings: SettingsDep,
) -> ExtractOut:
    """What would be read of an episode: whose its words are, segments, clauses with their status or why they are
    dropped, mentions and claims. Nothing is stored.
    """
    accept = Accepting(group, None, settings.api.max_content_chars, services.clock())
    (episode,) = accept.episodes(posted)
    own = await services.memory.store.ontology_of_group(group)
    dates = (await services.memory.store.conventions_of_group(group)).conventions
    context = Context(ontology=own.ontology if own else None, dates=dates)
    seconds = settings.neo4j.transaction_timeout
    try:
        async with asyncio.timeout(seconds):
            trace = await services.extractors.trace(Reprocessing(strategy=posted.strategy), episode, context)
    except TimeoutError as error:
        raise ModelUnavailable(
            f"Nothing was read within {seconds:g} s, which is what a request may take. Shorten the text, or take a "
            "strategy that asks no language model."
        ) from error
    notice = unread_notice(trace.fragment.unread)
    return ExtractOut.of(trace, trace.fragment, context=AnswerContext(content=episode.content), notice=notice)
