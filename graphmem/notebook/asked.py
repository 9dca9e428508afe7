"""The service that runs on this machine, and what is asked of it to be shown, as of any two times."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Unpack

from graphmem.answers.beliefs import BeliefOut
from graphmem.client.calls import BeliefOptions, When, address_here, time_options
from graphmem.client.problems import nothing_runs
from graphmem.client.synchronous import GraphmemClient
from graphmem.model.instants import instant_of
from graphmem.notebook.graphs import Svg, graph_picture
from graphmem.notebook.pictures import Png, timeline_picture


def connect(data_dir: Path | str | None = None) -> GraphmemClient:
    """A client of the service that ``graphmem up`` runs here, with its token.

    Raises:
        ServiceUnavailable: nothing runs for this data directory.
    """
    from graphmem.settings import load_settings  # noqa: PLC0415 - the client alone has no settings

    folder = load_settings(data_dir=data_dir).data_dir
    here = address_here(folder)
    if here is None:
        raise nothing_runs(folder)
    return GraphmemClient(here.url, here.token)


_ALWAYS = datetime.min.replace(tzinfo=UTC)


def beliefs_over(
    client: GraphmemClient, group: str, valid_at: Iterable[When], *, known_at: When = None, entity: str | None = None
) -> list[BeliefOut]:
    """What was believed at ``known_at`` to be true at any of these instants, what began first coming first."""
    answers = [client.graph(group, entity=entity, valid_at=instant, known_at=known_at) for instant in valid_at]
    found = {belief.id: belief for answer in answers for belief in answer.beliefs}
    return sorted(found.values(), key=_start)


def graph(
    client: GraphmemClient,
    group: str,
    *,
    entity: str | None = None,
    depth: int | None = None,
    predicate: Sequence[str] = (),
    type: Sequence[str] = (),  # noqa: A002 - the name in the URL
    limit: int | None = None,
    **asked: Unpack[BeliefOptions],
) -> Svg:
    """A picture of what was believed at ``known_at`` to be true at ``valid_at``."""
    found = client.graph(group, entity=entity, depth=depth, predicate=predicate, type=type, limit=limit, **asked)
    return graph_picture(found)


def timeline(
    client: GraphmemClient,
    group: str,
    entity: str,
    since: date | str,
    until: date | str,
    *,
    predicate: Sequence[str] = (),
    title: str = "",
    **asked: Unpack[BeliefOptions],
) -> Png:
    """A picture of all beliefs about an entity (name or id) by when they are true, as known at ``known_at``.

    It reaches from ``since`` to ``until``: as ``valid_at`` and ``known_at`` are written. Hatched are
    beliefs that were no longer held then, pale those that rest on open claims or were planned or wished only; what
    happened once is a dot.

    Raises:
        InvalidInput: ``since`` or ``until`` is no instant, or has no offset; nothing was asked then.
    """
    begin, end = instant_of(since), instant_of(until)
    id_ = client.entity_id(group, entity, **time_options(asked))
    versions = sorted(client.history(group, id_, predicate=predicate, **asked), key=_start)
    within = [one for one in versions if _overlaps(one, begin, end)]
    believed = [one for one in within if one.superseded_at is None]
    no_longer = [one for one in within if one.superseded_at is not None]
    return timeline_picture(believed, no_longer, begin, end, title or f"{entity}, by when it was true")


def _start(belief: BeliefOut) -> tuple[datetime, str]:
    return belief.valid_from or _ALWAYS, belief.statement


def _overlaps(belief: BeliefOut, since: datetime, until: datetime) -> bool:
    """Whether some of it is in between; of what happened once, whether it happened then."""
    begins, ends = belief.valid_from, belief.valid_to
    if belief.event is not None:
        begins, ends = belief.event.from_, belief.event.to
    return (begins is None or begins < until) and (ends is None or ends > since)
