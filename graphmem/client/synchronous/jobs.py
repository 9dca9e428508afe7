# Made by scripts/unasync.py from the module of this name in graphmem/client/asynchronous. Change that one.
"""Jobs: what runs in the background."""

import time
from collections.abc import Iterator
from typing import Unpack

from graphmem.answers.jobs import AskedJob, JobOut, JobPage
from graphmem.client.calls import UserOption, given, path_in
from graphmem.client.synchronous.connection import Connection

_PAUSE = 0.1


class Jobs(Connection):
    """Calls about jobs of a group, and of the service itself."""

    def job(
        self, group: str, kind: str, *, target: str | None = None, dry_run: bool = False, wait: float = 0
    ) -> JobOut:
        """Ask for a job, such as ``dedup``; with ``wait``, for so many seconds until it has ended.

        ``target`` is of ``reproject`` the predicate, of ``reflect`` the day on which the week ended, of ``consolidate``
        a session.
        """
        body = given(target=target, dry_run=dry_run)
        asked = (self._post(AskedJob, path_in(group, "jobs", kind), body)).job
        deadline = time.monotonic() + wait
        while asked.status not in {"done", "failed"} and time.monotonic() < deadline:
            time.sleep(_PAUSE)
            asked = self.one_job(group, asked.id)
        return asked

    def one_job(self, group: str, job_id: str, **asked: Unpack[UserOption]) -> JobOut:
        """A job by its id: how far it is, and what came of it."""
        return self._get(JobOut, path_in(group, "jobs", job_id), given(**asked))

    def jobs(self, group: str, *, kind: str | None = None, **asked: Unpack[UserOption]) -> Iterator[JobOut]:
        """The jobs of a group in order of id, page by page; digests only if ``kind`` is ``digest``."""
        for page in self._pages(JobPage, path_in(group, "jobs"), given(kind=kind, **asked)):
            yield from page.jobs

    def service_job(self, job_id: str) -> JobOut:
        """A job about all groups, by its id."""
        return self._get(JobOut, f"/v1/jobs/{job_id}")

    def service_jobs(self) -> Iterator[JobOut]:
        """The jobs about all groups in order of id, page by page."""
        for page in self._pages(JobPage, "/v1/jobs", {}):
            yield from page.jobs
