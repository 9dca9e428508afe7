"""Groups as shown: how much they hold, the work on them, what holds for all of their users; and health."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from graphmem.answers.answer import Answer, AsOf, ShownInstant, TextOrNull, Warned, attribute
from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.predicate import Cardinality, PolicySource, WinningRule
from graphmem.model.work import WorkKind, WorkProgress
from graphmem.ontology import WrittenEntityType, WrittenRelationType


class GroupOut(Answer):
    """A tenant's graph. It keeps the embedding model it was made with.

    ``id`` is what it is called; its audit and exported files name it by the name that it was ``made_as``. One that is
    archived is only read. While ``importing``, claims bring their own ``recorded_at``; what lies before
    ``settled_until`` was ``imported``.
    """

    id: Annotated[str, attribute("name")]
    made_as: str
    embedding_model: str
    dimensions: int
    recorded_at: datetime
    importing: bool
    imported: bool
    settled_until: ShownInstant
    archived_at: datetime | None


class BeliefDifferenceOut(Answer):
    """A belief that only the file has, or that only the projection of its claims has.

    ``belief_id`` is of a ``file`` the id of the version, of a ``projection`` that of the belief.
    """

    only_in: Literal["file", "projection"]
    belief_id: str
    subject_id: str
    predicate: str


class ImportOut(Answer):
    """A group that was filled from a file. Answers as known at instants up to ``known_at`` are those of then.

    ``counts`` are lines of the file by kind, also of ``damaged`` things, which it only names. ``embedded`` counts texts
    that got a new vector. ``differences`` are the first 100. ``forgotten`` are the ids of the first 100 episodes of the
    file that stayed out, with all that rests on them, because they were forgotten here, or their user opted out.
    """

    group: str
    known_at: datetime
    counts: dict[str, int]
    embedded: int
    differences_total: int
    differences: list[BeliefDifferenceOut]
    forgotten_total: int
    forgotten: list[str]


class WorkOut(Answer):
    """How many episodes wait, wait for another digest, are digested, have failed, are redacted, are replaced.

    ``digested``, ``redacted`` and ``replaced`` are null unless ``counts`` asked for them. ``vectors_pending`` counts
    those, whatever else they are, of which the content or a claim is still to be embedded.
    """

    pending: int
    refining: int
    digested: int | None
    failed: int
    redacted: int | None
    replaced: int | None
    vectors_pending: int


class GroupWithWork(GroupOut, Warned):
    """``relationships`` and ``facts`` count what is believed now, of any valid time; null unless ``counts`` asked."""

    work: WorkOut
    entities: int | None
    relationships: int | None
    facts: int | None


class GroupPage(Warned):
    """``next_cursor`` asks for what follows; null at the end."""

    groups: list[GroupOut]
    next_cursor: str | None


class Live(Answer):
    status: Literal["live"] = "live"


class ServicePartOut(Answer):
    """One thing that the service needs; ``reason`` says what is wrong and what to do, null where it is ready."""

    status: Literal["ready", "loading", "degraded", "unavailable"]
    reason: str | None


class ReadinessOut(Answer):
    """How the service is, as its worst part is. ``degraded``: it serves, and something waits or is left out.

    ``unavailable``, which comes with status 503: no request that needs Neo4j can be answered.
    """

    status: Literal["ready", "degraded", "unavailable"]
    parts: dict[str, ServicePartOut]


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


class JobOut(Answer):
    """One thing to do in the background.

    ``arguments`` are what was asked for: of ``merge`` the decision, of ``reembed`` the model, of ``reflect`` when the
    week ended. ``progress`` and ``result`` are counts by name, as the kind has them. ``attempts`` counts errors; after
    the last one the job is ``failed``, and ``error`` says why.
    """

    id: str
    kind: WorkKind
    target: TextOrNull
    period: TextOrNull
    status: WorkProgress
    dry_run: bool
    arguments: Mapping[str, Any] = Field(json_schema_extra={"additionalProperties": True})
    progress: Mapping[str, Any] = Field(json_schema_extra={"additionalProperties": True})
    result: Mapping[str, Any] = Field(json_schema_extra={"additionalProperties": True})
    attempts: int
    error: str | None
    due_at: datetime | None
    requested_at: datetime
    began_at: datetime | None
    finished_at: datetime | None


class OneJob(JobOut, Warned):
    """A job that was asked for by its id."""


class AskedJob(Warned):
    """``queued``: workers were told of it; if not, they find it when they look."""

    job: JobOut
    queued: bool


class JobPage(Warned):
    """Jobs in order of id."""

    jobs: list[JobOut]
    next_cursor: str | None


class ReprojectionOut(Answer):
    """The slots of a predicate are projected again, since its policy changed: for the group, or by the service for all.

    What the service does is not counted here, for it is about other groups too.
    """

    scope: Literal["group", "service"]
    status: WorkProgress
    subjects_total: int | None
    subjects_done: int | None
    rows_changed: int | None
    attempts: int
    error: str | None
    requested_at: datetime
    finished_at: datetime | None


class PredicateOut(Answer):
    """The policy in force, and whose it is: the group's own, the service's, or the default of those nobody set.

    ``bound`` and ``irreflexive`` say so also where graphmem's own list decides it.
    """

    name: str
    cardinality: Cardinality
    rule: WinningRule | None
    bound: Bounding
    irreflexive: bool
    source: PolicySource
    changed_at: datetime | None


class PredicateWithWork(PredicateOut, Warned):
    """``reprojection`` is the last one that was asked for; null if the policy never changed."""

    reprojection: ReprojectionOut | None


class PredicatePage(Warned):
    """Policies in order of name. Predicates that are not listed hold many."""

    predicates: list[PredicateOut]
    next_cursor: str | None


class SourceOut(Answer):
    name: str
    unique: bool


class SourceList(Warned):
    """The sources of which something is known, in order of name."""

    sources: list[SourceOut]


class GroupDatesOut(Warned):
    """How a group writes days. ``changed_at`` is null where it never said so.

    ``month_first``: 05/06/2024 is 6 May; otherwise it is 5 June. ``fiscal_year_start`` is the month, 1 to 12, in which
    fiscal years begin; FY24 is the one that ends in 2024.
    """

    month_first: Annotated[bool, attribute("conventions.month_first")]
    fiscal_year_start: Annotated[int, attribute("conventions.fiscal_year_start")]
    changed_at: datetime | None


class RetentionOut(Warned):
    """After how many days episodes are redacted, null where they are kept; and which are older than that.

    ``episodes`` counts those before ``before`` that are read and of which a summary stands: the next night they are
    redacted. ``samples`` are the ids of the first. ``audit_days``: after so many days rows of the audit go.
    ``keep_shared``: what users share stays when they are forgotten.
    """

    episode_days: Annotated[int | None, attribute("policy.episode_days")]
    audit_days: Annotated[int | None, attribute("policy.audit_days")]
    keep_shared: Annotated[bool, attribute("policy.keep_shared")]
    before: datetime | None
    episodes: int
    samples: list[str]


class OntologyShown(Answer):
    """Every type as a table; the call that sets an ontology takes it as it is."""

    entity_types: dict[str, WrittenEntityType]
    relation_types: dict[str, WrittenRelationType]
    open_types: bool
    instructions: str
    open_predicates: dict[str, list[str]]


class OntologyOut(Warned):
    """The ontology in force, and whose it is. The service's changes with its settings."""

    source: Literal["group", "service"]
    changed_at: datetime | None
    ontology: OntologyShown
