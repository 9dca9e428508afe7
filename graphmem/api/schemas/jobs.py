"""Jobs as asked for and shown: what runs in the background, how far it is, and what came of it."""

from collections.abc import Mapping, Sequence
from typing import Literal

from graphmem.answers.jobs import JobPage
from graphmem.api.cursors import id_cursor
from graphmem.api.schemas.words import Name, Request
from graphmem.model.work import Work, WorkKind, WorkRequest

AskedKind = Literal[
    WorkKind.REPROJECT,
    WorkKind.REPROCESS,
    WorkKind.DEDUP,
    WorkKind.EMBED,
    WorkKind.REEMBED,
    WorkKind.SUMMARISE,
    WorkKind.REFLECT,
    WorkKind.ENRICH,
    WorkKind.CONSOLIDATE,
]
"""The kinds that may be asked for."""


class JobIn(Request):
    """What is asked for.

    ``target`` is what a kind is about: of ``reproject`` the predicate, of ``reflect`` the day on which a week ended, of
    ``consolidate`` a session, or nothing. ``dry_run`` tells or counts what would be done, and changes nothing.
    """

    target: Name | None = None
    dry_run: bool = False


def job_page(works: Sequence[Work], limit: int) -> JobPage:
    """The first ``limit`` of the works, and where to go on if there are more."""
    return JobPage.of(jobs=works[:limit], next_cursor=id_cursor(works[limit - 1].id) if len(works) > limit else None)


def work_request(id_: str, target: str, posted: JobIn, arguments: Mapping[str, object]) -> WorkRequest:
    return WorkRequest(id=id_, target=target, dry_run=posted.dry_run, arguments=arguments)
