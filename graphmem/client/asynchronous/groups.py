"""Groups, what each of them says about ontology, predicates and sources, and jobs: what runs in the background."""

import asyncio
from collections.abc import AsyncIterator
from time import monotonic
from typing import Literal, Unpack

import httpx

from graphmem.answers.groups import (
    AskedJob,
    GroupDatesOut,
    GroupOut,
    GroupPage,
    GroupWithWork,
    ImportOut,
    JobOut,
    JobPage,
    MemoryStatsOut,
    OneJob,
    OntologyOut,
    PredicateOut,
    PredicatePage,
    PredicateWithWork,
    ReadinessOut,
    RetentionOut,
    SourceList,
    SourceOut,
)
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import (
    AnyOntology,
    TimeOptions,
    UserOption,
    When,
    given,
    ontology_body,
    path_in,
    read_readiness,
)
from graphmem.client.problems import error_of

_PAUSE = 0.1


class GroupCalls(ClientConnection):
    """Calls about groups as a whole, about their jobs, and about the service itself."""

    async def ready(self) -> bool:
        """Whether the service serves; asked once. ``readiness`` says what it goes without."""
        return (await self.readiness()).status != "unavailable"

    async def readiness(self) -> ReadinessOut:
        """How the service and the parts behind it are; asked once.

        Raises:
            ServiceUnavailable: nothing answers there, or a proxy in place of the service.
        """
        try:
            answer = await self._http.get("/health/ready")
        except httpx.TransportError as error:
            raise error_of(error) from error
        return read_readiness(answer)

    def groups(self) -> AsyncIterator[GroupOut]:
        """The groups in order of what they are called, page by page."""
        return self._items(GroupPage, lambda page: page.groups, "/v1/groups")

    async def group(self, group: str, *, counts: bool = True, **asked: Unpack[UserOption]) -> GroupWithWork:
        """The group, with all its counts; without ``counts`` those alone that cost the same however much it holds."""
        return await self._get(GroupWithWork, path_in(group), counts=counts, **asked)

    async def make_group(self, group: str, *, importing: bool = False) -> GroupOut:
        """Make a group. The first episode or claim makes one too; only this call makes one that imports."""
        body = {"id": group, "importing": importing}
        return await self._post(GroupOut, "/v1/groups", body, repeatable=True)

    async def end_import(self, group: str) -> GroupOut:
        """End an import: from now on the service's clock says when something is recorded."""
        return await self._post(GroupOut, path_in(group, "import", "end"))

    async def rename(self, group: str, name: str) -> GroupOut:
        """Call a group by another name, by which alone keys enter it from then on.

        Raises:
            Conflict: the name is another group's; or a key could enter the group by it, and could not before.
        """
        return await self._put(GroupOut, path_in(group, "name"), {"name": name})

    async def archive(self, group: str, *, archived: bool = True) -> GroupOut:
        """Say that a group is only read from now on, or (``archived`` False) that it is written to again.

        Raises:
            Conflict: episodes wait to be read, or it imports.
        """
        return await self._put(GroupOut, path_in(group, "archived"), {"archived": archived})

    async def export(
        self,
        group: str,
        *,
        user: str | None = None,
        known_at: When = None,
        vectors: bool = False,
        after: str | None = None,
    ) -> AsyncIterator[bytes]:
        """Everything that a group has, or that a user may see, as known then: pieces of a file of one thing a line.

        ``after`` is that of the last position of a file that broke off: what follows comes without a header.

        Raises:
            ServiceUnavailable: it breaks off; what came is a part of a file, which no import takes.
        """
        params = given(user=user, known_at=known_at, vectors=vectors or None, after=after)
        try:
            async with self._http.stream("GET", path_in(group, "export"), params=params) as answer:
                if answer.is_error:
                    await answer.aread()
                    raise error_of(answer)
                async for piece in answer.aiter_bytes():
                    yield piece
        except httpx.TransportError as error:
            raise error_of(error) from error

    async def restore(self, group: str, content: AsyncIterator[bytes] | bytes, *, packed: bool = False) -> ImportOut:
        """Fill a group that is not there, or is empty, from the pieces of an exported file, which may be packed.

        Sent again after it was cut off, what is in of it is passed over.

        Raises:
            Conflict: there is something in the group, or the file is of another one.
            Importing: another run fills it, or was killed less than a minute ago.
            InvalidInput: the file is not whole, or not as it was written.
        """
        headers = {"Content-Type": "application/x-ndjson", **({"Content-Encoding": "gzip"} if packed else {})}
        return await self._post_content(ImportOut, path_in(group, "import"), content, headers=headers)

    async def memory_stats(self, group: str, **asked: Unpack[TimeOptions]) -> MemoryStatsOut:
        """How much is remembered, by layer, category and age."""
        return await self._get(MemoryStatsOut, path_in(group, "memory", "stats"), **asked)

    async def dates(self, group: str, *, known_at: When = None) -> GroupDatesOut:
        """How the group wrote days then: whether the month comes first in figures, and when its fiscal years begin."""
        return await self._get(GroupDatesOut, path_in(group, "dates"), known_at=known_at)

    async def put_dates(self, group: str, *, month_first: bool = False, fiscal_year_start: int = 1) -> GroupDatesOut:
        """Say how the group writes days; what is left out is the usual way.

        Raises:
            InvalidInput: there is no such month.
        """
        body = {"month_first": month_first, "fiscal_year_start": fiscal_year_start}
        return await self._put(GroupDatesOut, path_in(group, "dates"), body)

    async def retention(self, group: str, *, episode_days: int | None = None) -> RetentionOut:
        """What a group keeps for how many days, and which episodes are older; or which would be, if it were so many."""
        return await self._get(RetentionOut, path_in(group, "retention"), episode_days=episode_days)

    async def put_retention(
        self,
        group: str,
        episode_days: int | None = None,
        *,
        audit_days: int | None = None,
        keep_shared: bool = False,
    ) -> RetentionOut:
        """Say for how many days episodes and rows of the audit are kept, and whether shared facts stay.

        Episodes are redacted after that, once they are summarised. Shared facts of users who are forgotten whole are
        the group's from then on.
        """
        body = {"episode_days": episode_days, "audit_days": audit_days, "keep_shared": keep_shared}
        return await self._put(RetentionOut, path_in(group, "retention"), body)

    async def delete_retention(self, group: str) -> RetentionOut:
        """Keep episodes and audit for good."""
        return await self._delete(RetentionOut, path_in(group, "retention"), repeatable=True)

    async def ontology(self, group: str) -> OntologyOut:
        """The ontology in force, and whose it is."""
        return await self._get(OntologyOut, path_in(group, "ontology"))

    async def put_ontology(self, group: str, ontology: AnyOntology) -> OntologyOut:
        """Give a group its own ontology, whole.

        Raises:
            InvalidInput: a name, an end, an attribute or a size does not fit.
        """
        return await self._put(OntologyOut, path_in(group, "ontology"), ontology_body(ontology))

    async def delete_ontology(self, group: str) -> OntologyOut:
        """Let a group follow the service's ontology again."""
        return await self._delete(OntologyOut, path_in(group, "ontology"), repeatable=True)

    def predicates(self, group: str, *, known_at: When = None) -> AsyncIterator[PredicateOut]:
        """The policies in force then, in order of name, page by page. Predicates that are not listed hold many."""
        return self._items(PredicatePage, lambda page: page.predicates, path_in(group, "predicates"), known_at=known_at)

    async def predicate(self, group: str, name: str, *, known_at: When = None) -> PredicateWithWork:
        """The policy of one predicate in force then, and how far beliefs have followed its last change."""
        return await self._get(PredicateWithWork, path_in(group, "predicates", name), known_at=known_at)

    async def put_predicate(
        self,
        group: str,
        name: str,
        cardinality: Literal["one", "many", "successive"],
        *,
        rule: Literal["latest", "confident"] | None = None,
        bound: Literal["begins", "ends", "none"] | None = None,
        irreflexive: bool | None = None,
    ) -> PredicateWithWork:
        """Say how many values of a predicate hold at a time, and which of them is believed.

        Several may of what is ``successive``; one that begins ends those before it, unless it stands ``beside`` them.
        What is ``irreflexive`` never holds between a thing and itself.
        """
        body = given(cardinality=cardinality, rule=rule, bound=bound, irreflexive=irreflexive)
        return await self._put(PredicateWithWork, path_in(group, "predicates", name), body)

    async def delete_predicate(self, group: str, name: str) -> PredicateWithWork:
        """Let a group follow the service's policy for a predicate again."""
        return await self._delete(PredicateWithWork, path_in(group, "predicates", name), repeatable=True)

    async def sources(self, group: str) -> list[SourceOut]:
        """The sources of claims that tell of each thing once."""
        return (await self._get(SourceList, path_in(group, "sources"))).sources

    async def put_source(self, group: str, name: str, *, unique: bool) -> SourceOut:
        """Say whether a source tells of each thing once, so that two ids of it are never one thing."""
        return await self._put(SourceOut, path_in(group, "sources", name), {"unique": unique})

    async def job(
        self, group: str, kind: str, *, target: str | None = None, dry_run: bool = False, wait: float = 0
    ) -> JobOut:
        """Ask for a job, such as ``dedup``; with ``wait``, for so many seconds until it has ended.

        ``target`` is of ``reproject`` the predicate, of ``reflect`` the day on which the week ended, of ``consolidate``
        a session.
        """
        body = given(target=target, dry_run=dry_run)
        asked = (await self._post(AskedJob, path_in(group, "jobs", kind), body)).job
        deadline = monotonic() + wait
        while asked.status not in {"done", "failed"} and monotonic() < deadline:
            await asyncio.sleep(_PAUSE)
            asked = await self.one_job(group, asked.id)
        return asked

    async def one_job(self, group: str, job_id: str, **asked: Unpack[UserOption]) -> OneJob:
        """A job by its id: how far it is, and what came of it."""
        return await self._get(OneJob, path_in(group, "jobs", job_id), **asked)

    def jobs(self, group: str, *, kind: str | None = None, **asked: Unpack[UserOption]) -> AsyncIterator[JobOut]:
        """The jobs of a group in order of id, page by page; digests only if ``kind`` is ``digest``."""
        return self._items(JobPage, lambda page: page.jobs, path_in(group, "jobs"), kind=kind, **asked)

    async def service_job(self, job_id: str) -> OneJob:
        """A job about all groups, by its id."""
        return await self._get(OneJob, f"/v1/jobs/{job_id}")

    def service_jobs(self) -> AsyncIterator[JobOut]:
        """The jobs about all groups in order of id, page by page."""
        return self._items(JobPage, lambda page: page.jobs, "/v1/jobs")
