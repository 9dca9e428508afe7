"""Jobs: what runs in the background."""

import asyncio
from collections.abc import AsyncIterator
from time import monotonic
from typing import Unpack

from graphmem.answers.groups import AskedJob, JobOut, JobPage
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import UserOption, given, path_in

_PAUSE = 0.1


class JobCalls(ClientConnection):
    """Calls about jobs of a group, and of the service itself."""

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

    async def one_job(self, group: str, job_id: str, **asked: Unpack[UserOption]) -> JobOut:
        """A job by its id: how far it is, and what came of it."""
        return await self._get(JobOut, path_in(group, "jobs", job_id), given(**asked))

    async def jobs(self, group: str, *, kind: str | None = None, **asked: Unpack[UserOption]) -> AsyncIterator[JobOut]:
        """The jobs of a group in order of id, page by page; digests only if ``kind`` is ``digest``."""
        async for page in self._pages(JobPage, path_in(group, "jobs"), given(kind=kind, **asked)):
            for job in page.jobs:
                yield job

    async def service_job(self, job_id: str) -> JobOut:
        """A job about all groups, by its id."""
        return await self._get(JobOut, f"/v1/jobs/{job_id}")

    async def service_jobs(self) -> AsyncIterator[JobOut]:
        """The jobs about all groups in order of id, page by page."""
        async for page in self._pages(JobPage, "/v1/jobs", {}):
            for job in page.jobs:
                yield job
