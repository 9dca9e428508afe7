"""What holds in a group for all of its users: policies of predicates, sources, the ontology, how days are written."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Self

from fastapi import Path, Query, Response
from pydantic import ConfigDict, Field, model_validator

from graphmem.answers.groups import (
    GroupDatesOut,
    OntologyOut,
    OntologyShown,
    PredicatePage,
    PredicateWithWork,
    ReprojectionOut,
    RetentionOut,
    SourceList,
    SourceOut,
)
from graphmem.api.backend import WorkQueue, wake
from graphmem.api.bodies import json_body
from graphmem.api.cursors import BY_ID
from graphmem.api.deps import (
    AdministeredGroup,
    CursorQuery,
    EnteredGroup,
    LimitQuery,
    MemoryDep,
    PredicatePath,
    QueueDep,
    RetainedGroup,
    ServicesDep,
    SettingsDep,
)
from graphmem.api.openapi import ANYWHERE, CallRouter
from graphmem.api.schemas.words import Instant, Name, Request
from graphmem.errors import as_value_errors
from graphmem.model.dates import DateConventions
from graphmem.model.group import RetentionPolicy
from graphmem.model.interval import LATEST
from graphmem.model.ontology import GroupOntology, Ontology
from graphmem.model.work import SERVICE, Work
from graphmem.ontology import WrittenOntology, written
from graphmem.settings.matching import PredicateSettings
from graphmem.store.predicates import PredicateStore

predicates_router = CallRouter(prefix="/v1/groups/{group}/predicates", tags=["reading"])
dates_router = CallRouter(prefix="/v1/groups/{group}/dates", tags=["reading"])
ontology_router = CallRouter(prefix="/v1/groups/{group}/ontology", tags=["reading"])
retention_router = CallRouter(prefix="/v1/groups/{group}/retention", tags=["forgetting"])
sources_router = CallRouter(prefix="/v1/groups/{group}/sources", tags=["merges"])


class PolicyIn(PredicateSettings):
    """Whether a predicate holds ``one`` value at a time, ``many``, or ``successive`` ones.

    Several of these may hold, but a start ends those before it, unless it stands ``beside`` them.

    Of one, the ``latest`` start is believed (so by default), or at each instant the most ``confident`` claim. With a
    ``bound``, the existence of the subject ``begins`` or ``ends`` with what is believed, or (``none``) neither; without
    one, graphmem's own list says it (born, founded, opened … died, dissolved, closed).

    Of an ``irreflexive`` predicate nothing is believed whose object is its subject, and claims of that are refused;
    without it, graphmem's own list says it (married_to, parent_of, reports_to …).
    """

    model_config = ConfigDict(strict=True)


def _reprojection_out(reprojection: Work) -> ReprojectionOut:
    own = reprojection.group_id != SERVICE
    return ReprojectionOut.of(
        reprojection,
        scope="group" if own else "service",
        subjects_total=_count(reprojection.progress, "subjects") if own else None,
        subjects_done=(_count(reprojection.progress, "done") or 0) if own else None,
        rows_changed=(_count(reprojection.result, "rows_changed") or 0) if own else None,
    )


def _count(of: Mapping[str, object], name: str) -> int | None:
    value = of.get(name)
    return value if isinstance(value, int) else None


KnownAtQuery = Annotated[Instant | None, Query(description="The policies in force at this time; default: now.")]
DatesKnownAtQuery = Annotated[Instant | None, Query(description="How days were written at this time; default: now.")]
_UNCHANGED: dict[int, dict[str, Any]] = {
    200: {"description": "It was so already; nothing is done", "model": PredicateWithWork}
}


@predicates_router.call("GET", "")
async def list_predicates(
    group: EnteredGroup,
    services: ServicesDep,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
    known_at: KnownAtQuery = None,
) -> PredicatePage:
    """The policies in force in a group at known_at, in order of name; predicates that are not listed hold many."""
    await services.memory.reader.known_group(group)
    predicates = await services.predicates.predicates(group, BY_ID.after(cursor), limit + 1, known_at or LATEST)
    more = BY_ID.after_page(predicates, limit, lambda predicate: predicate.name)
    return PredicatePage.of(predicates=predicates[:limit], next_cursor=more)


@predicates_router.call("GET", "/{name:path}")
async def predicate(
    group: EnteredGroup, name: PredicatePath, services: ServicesDep, known_at: KnownAtQuery = None
) -> PredicateWithWork:
    """The policy of one predicate in force at known_at, and how far its slots have followed the last change."""
    await services.memory.reader.known_group(group)
    return await _shown(services.predicates, group, name, known_at or LATEST)


@predicates_router.call("PUT", "/{name:path}", 409, takes=PolicyIn, status=202, also=_UNCHANGED)
async def set_predicate(
    group: AdministeredGroup,
    name: PredicatePath,
    body: Annotated[PolicyIn, json_body(PolicyIn)],
    services: ServicesDep,
    queue: QueueDep,
    response: Response,
) -> PredicateWithWork:
    """Give a group its own policy for a predicate; what it believes follows in the background."""
    await services.memory.groups.ensure(group)
    requested = await services.predicates.change(group, name, body.policy())
    return await _followed(services.predicates, queue, group, name, requested, response)


@predicates_router.call("DELETE", "/{name:path}", status=202, also=_UNCHANGED)
async def unset_predicate(
    group: AdministeredGroup, name: PredicatePath, services: ServicesDep, queue: QueueDep, response: Response
) -> PredicateWithWork:
    """Let a group follow the service's policy for a predicate again."""
    await services.memory.reader.known_group(group)
    requested = await services.predicates.drop(group, name)
    return await _followed(services.predicates, queue, group, name, requested, response)


async def _followed(
    predicates: PredicateStore,
    queue: WorkQueue,
    group: str,
    name: str,
    requested: Work | None,
    response: Response,
) -> PredicateWithWork:
    """202 once the work is asked for; 200 if there is none."""
    if requested is None:
        response.status_code = 200
    else:
        await wake(queue, group)
    return await _shown(predicates, group, name)


async def _shown(predicates: PredicateStore, group: str, name: str, known_at: datetime = LATEST) -> PredicateWithWork:
    last = next(iter(await predicates.reprojections(group, name)), None)
    reprojection = _reprojection_out(last) if last else None
    return PredicateWithWork.of(await predicates.predicate(group, name, known_at), reprojection=reprojection)


class OntologyIn(WrittenOntology):
    """The types that are looked for in a group, all of them: what is left out here is not kept from before.

    Without entity types it is the default ones. ``open_types``: others may be used where none of these fits.
    ``open_predicates``: names of open claims, each with the verbs that fold into it, beside the packaged ones.
    """

    model_config = ConfigDict(strict=True)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        with as_value_errors():
            self.to_domain()
        return self


def _ontology_out(own: GroupOntology | None, service: Ontology) -> OntologyOut:
    return OntologyOut(
        source="group" if own else "service",
        changed_at=own.changed_at if own else None,
        ontology=OntologyShown.model_validate(written(own.ontology if own else service)),
    )


@ontology_router.call("GET", "")
async def ontology(group: EnteredGroup, memory: MemoryDep, settings: SettingsDep) -> OntologyOut:
    """The ontology in force in a group: its own, or the service's."""
    await memory.reader.known_group(group)
    return _ontology_out(await memory.store.ontology_of_group(group), settings.ontology.to_domain())


@ontology_router.call("PUT", "", 409, problems=ANYWHERE, takes=OntologyIn)
async def set_ontology(
    group: AdministeredGroup,
    body: Annotated[OntologyIn, json_body(OntologyIn)],
    memory: MemoryDep,
    settings: SettingsDep,
) -> OntologyOut:
    """Give a group its own ontology, whole; episodes are read by it from the next one on."""
    return _ontology_out(await memory.groups.set_ontology(group, body.to_domain()), settings.ontology.to_domain())


@ontology_router.call("DELETE", "")
async def unset_ontology(group: AdministeredGroup, memory: MemoryDep, settings: SettingsDep) -> OntologyOut:
    """Let a group follow the service's ontology again."""
    await memory.reader.known_group(group)
    return _ontology_out(await memory.groups.set_ontology(group, None), settings.ontology.to_domain())


class GroupDatesIn(Request):
    """How a group writes days, all of it: what is left out is the usual way.

    ``month_first``: 05/06/2024 is 6 May; otherwise it is 5 June. ``fiscal_year_start`` is the month in which fiscal
    years begin; FY24 is the one that ends in 2024.
    """

    month_first: bool = False
    fiscal_year_start: Annotated[int, Field(ge=1, le=12)] = 1


@dates_router.call("GET", "")
async def dates(group: EnteredGroup, memory: MemoryDep, known_at: DatesKnownAtQuery = None) -> GroupDatesOut:
    """How a group wrote days at known_at: which number of 05/06/2024 is the month, and when its fiscal years begin."""
    await memory.reader.known_group(group)
    return GroupDatesOut.of(await memory.store.conventions_of_group(group, known_at or LATEST))


@dates_router.call("PUT", "", 409, takes=GroupDatesIn)
async def set_dates(
    group: AdministeredGroup, body: Annotated[GroupDatesIn, json_body(GroupDatesIn)], memory: MemoryDep
) -> GroupDatesOut:
    """Say how a group writes days; episodes are read by it from the next one on."""
    return GroupDatesOut.of(await memory.groups.set_conventions(group, body.into(DateConventions)))


KeptDays = Annotated[int, Field(ge=1, le=36_500)]
_RETENTION = """It takes a key that may administer and erase. The answer says which episodes are redacted the next
night."""


class RetentionIn(Request):
    """What a group keeps, all of it. ``episode_days``: for so many days what was said is kept word for word; once it is
    summarised, it is redacted after that. ``audit_days``: for so many days rows of the audit are kept. Null is for
    good. ``keep_shared``: facts that a user shares stay when the user is forgotten whole, as the group's and without a
    quote, known since then.
    """

    episode_days: KeptDays | None = None
    audit_days: KeptDays | None = None
    keep_shared: bool = False


@retention_router.call("GET", "", notes=_RETENTION)
async def retention(
    group: RetainedGroup,
    services: ServicesDep,
    episode_days: Annotated[KeptDays | None, Query(description="As if it were set so; default: as it is.")] = None,
) -> RetentionOut:
    """How long a group keeps what was said, and which episodes are older, read and summarised."""
    await services.memory.reader.known_group(group)
    return RetentionOut.of(await services.retention.preview(group, episode_days))


@retention_router.call("PUT", "", takes=RetentionIn, notes=_RETENTION)
async def set_retention(
    group: RetainedGroup, body: Annotated[RetentionIn, json_body(RetentionIn)], services: ServicesDep
) -> RetentionOut:
    """Say what a group keeps: how long what was said and its audit, and whether what is shared."""
    await services.memory.reader.known_group(group)
    return RetentionOut.of(await services.retention.change(group, body.into(RetentionPolicy)))


@retention_router.call("DELETE", "")
async def unset_retention(group: RetainedGroup, services: ServicesDep) -> RetentionOut:
    """Keep what was said and the audit for good, and of users who are forgotten nothing."""
    await services.memory.reader.known_group(group)
    return RetentionOut.of(await services.retention.change(group, RetentionPolicy()))


class SourceIn(Request):
    """``unique``: the source tells of each thing once, so that two ids of it are never one thing."""

    unique: bool


SourcePath = Annotated[Name, Path(description="A source, as claims have it.", examples=["crm"])]


@sources_router.call("GET", "")
async def list_sources(group: EnteredGroup, memory: MemoryDep) -> SourceList:
    """The sources that tell of each thing once."""
    await memory.reader.known_group(group)
    names = await memory.matching.unique_sources(group)
    return SourceList(sources=[SourceOut(name=name, unique=True) for name in names])


@sources_router.call("PUT", "/{source:path}", takes=SourceIn)
async def put_source(
    group: AdministeredGroup, source: SourcePath, body: Annotated[SourceIn, json_body(SourceIn)], memory: MemoryDep
) -> SourceOut:
    """Say whether a source tells of each thing once; two ids of such a source are never one thing."""
    await memory.reader.known_group(group)
    await memory.matching.set_unique_source(group, source, unique=body.unique)
    return SourceOut(name=source, unique=body.unique)
