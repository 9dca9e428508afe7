"""What it costs to have a group as a file, and a file as a group: claims per second; to forget; and to keep an audit.

    python -m bench.trust --json

`load` tells structured claims in bulk, 1,000 at a time; `export` writes the group, `import` fills it again after it was
taken away; `import_with_vectors` from a file that has them. Vectors are made up, so that the store is measured and not
the model. `import_of_load` is to be .5 or more, `export` 2,000 or more. `bytes_per_claim` is of the file without
vectors, and `peak_mb` is how much more memory this process took at most.

`erasure` has milliseconds and statements of forgetting an episode of that group, from the preview to the receipt, and
a user with 1,000 episodes in it, whole.

`audit` has milliseconds of calls of two services in this process on one server, of which one keeps an audit: call by
call, in turns. `more` is by how much the median is longer with it, which is to be .05 or less. `--claims 0` does
nothing else.
"""

import asyncio
import resource
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import cast
from uuid import uuid4

import httpx

from bench.common import milliseconds, parser, say, started, tell
from bench.scale.made import MadeEmbedder
from bench.scale.recorded import RecordedDatabase
from bench.scale.writing import ScriptedExtractor
from bench.writers import settings_of
from graphmem.api.app import create_app
from graphmem.api.auth import token_file
from graphmem.api.backend import Backend
from graphmem.model.evidence import StructuredClaim
from graphmem.model.forgetting import Selector
from graphmem.model.fragment import ThingName
from graphmem.queue.wakeups import WakeUp
from graphmem.settings import Settings
from graphmem.store.queries import Query, cypher_root, load_queries, read_queries
from graphmem.trust.forgetting import MOST_TRIED
from graphmem.wiring import Services, open_services

(DELETE,) = read_queries(Path(__file__).parent / "trust.cypher")
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
BULK = 1_000
CALLS = ("episodes", "search")
ERASED, OF_A_USER = 30, 1_000
"""Episodes that are forgotten one by one, and that a user has who is forgotten whole."""
USER = "zoe"
WARM = 50
"""Calls of each kind that are not counted: Neo4j plans, and caches fill."""


def claim(number: int, user: str = "") -> StructuredClaim:
    at = EPOCH + timedelta(minutes=number)
    return StructuredClaim(
        subject=ThingName(f"Person {number % 5_000}", "person"),
        predicate=("lives_in", "works_at", "knows")[number % 3],
        object=ThingName(f"Thing {number % 997}", "place"),
        valid_from=at,
        occurred_at=at,
        external_id=f"trust {number}",
        user=user,
    )


async def load(services: Services, group: str, claims: int, user: str = "") -> float:
    began = perf_counter()
    for first in range(0, claims, BULK):
        told = [claim(number, user) for number in range(first, min(first + BULK, claims))]
        await services.memory.intake.assert_claims(group, told)
    return perf_counter() - began


async def export(services: Services, group: str, file: Path, *, vectors: bool) -> float:
    began = perf_counter()
    exported = await services.exports.export(group, vectors=vectors)
    with file.open("wb") as out:
        async for page in exported.lines:
            out.write(page)
    return perf_counter() - began


async def restore(services: Services, group: str, file: Path) -> float:
    await services.database.execute_in_batches(DELETE, seconds=3_600, group=group)
    began = perf_counter()
    report = await services.restoring.restore(group, pieces(file))
    if report.differences_total:
        raise SystemExit(f"{report.differences_total} beliefs differ after the import.")
    return perf_counter() - began


async def pieces(file: Path) -> AsyncIterator[bytes]:
    with file.open("rb") as content:
        while piece := content.read(65_536):
            yield piece


async def erasure(settings: Settings, group: str, claims: int) -> dict[str, object]:
    """Milliseconds and statements of forgetting an episode of a group, and a user of whom it has 1,000."""
    made, seconds, statements = MadeEmbedder(settings.embedding.model), list[float](), list[int]()
    async with open_services(
        settings, extractor=ScriptedExtractor(), embedder=made, connect=RecordedDatabase
    ) as services:
        await load(services, group, OF_A_USER, USER)
        for number in range(0, claims, max(1, claims // ERASED)):
            took, sent = await forgotten(services, group, Selector(external_ids=(f"trust {number}",)), None)
            seconds.append(took)
            statements.append(sent)
        took, sent = await forgotten(services, group, Selector(everything=True), USER)
    return {
        "episode_ms": milliseconds(seconds[1:]),
        "episode_statements": median(statements[1:]),
        "user_s": round(took, 1),
        "user_statements": sent,
    }


async def forgotten(services: Services, group: str, selector: Selector, user: str | None) -> tuple[float, int]:
    """Seconds and statements that it takes to forget what is selected."""
    database = cast("RecordedDatabase", services.database)
    database.take()
    began = perf_counter()
    preview = await services.forgetting.preview(group, selector, user)
    work, _ = await services.forgetting.confirm(group, selector, user, preview.confirm, "")
    while await services.forgetting.step(work, MOST_TRIED) is not None:
        pass
    return perf_counter() - began, sum(map(len, database.take()))


class NoQueue:
    """No worker is told, and nobody waits."""

    @contextmanager
    def expect(self, episode_id: str) -> Generator[WakeUp]:  # noqa: ARG002 - as queues have it
        yield WakeUp()

    async def wake_workers(self, group: str) -> None: ...

    async def ping(self) -> None: ...


@asynccontextmanager
async def asked(settings: Settings, queries: Mapping[str, Query]) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of a service in this process that has these queries."""

    @asynccontextmanager
    async def backend(settings: Settings) -> AsyncGenerator[Backend]:
        made = MadeEmbedder(settings.embedding.model)
        services = open_services(settings, extractor=ScriptedExtractor(), embedder=made, queries=queries)
        async with services as opened:
            yield Backend(services=opened, queue=NoQueue())

    app = create_app(settings, backend)
    headers = {"Authorization": f"Bearer {token_file(settings.data_dir).read_text('utf-8').strip()}"}
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers, timeout=60) as client,
    ):
        yield client


async def audit(settings: Settings, calls: int) -> dict[str, object]:
    """Milliseconds of each call, with and without an audit."""
    group, queries = f"audit-{uuid4().hex}", load_queries(cypher_root())
    unaudited = {name: replace(query, audited=()) for name, query in queries.items()}
    took = {(call, kind): list[float]() for call in CALLS for kind in ("with", "without")}
    async with asked(settings, queries) as with_, asked(settings, unaudited) as without:
        for number in range(-WARM, calls):
            both = [("with", with_), ("without", without)]
            for kind, client in both if number % 2 else reversed(both):
                said = {"content": f"Turn {number} {kind}.", "session": kind, "occurred_at": EPOCH.isoformat()}
                for call, body in (("episodes", said), ("search", {"query": f"turn {number}"})):
                    began = perf_counter()
                    (await client.post(f"/v1/groups/{group}/{call}", json=body)).raise_for_status()
                    if number >= 0:
                        took[call, kind].append(perf_counter() - began)
    figures = {call: {kind: milliseconds(took[call, kind]) for kind in ("with", "without")} for call in CALLS}
    more = {call: round(median(took[call, "with"]) / median(took[call, "without"]) - 1, 3) for call in CALLS}
    return {**figures, "more": more}


async def measure(settings: Settings, group: str, claims: int, folder: Path) -> dict[str, object]:
    made = MadeEmbedder(settings.embedding.model)
    async with open_services(settings, extractor=ScriptedExtractor(), embedder=made) as services:
        say(f"{claims} claims")
        seconds = {"load": await load(services, group, claims)}
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for name, vectors in (("", False), ("_with_vectors", True)):
            file = folder / f"group{name}.ndjson"
            seconds[f"export{name}"] = await export(services, group, file, vectors=vectors)
            say(f"exported{name}")
            seconds[f"import{name}"] = await restore(services, group, file)
            say(f"imported{name}")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        size = (folder / "group.ndjson").stat().st_size
    rates = {name: round(claims / took, 1) for name, took in seconds.items()}
    share = {"import_of_load": round(rates["import"] / rates["load"], 2)}
    return {**rates, **share, "bytes_per_claim": size // claims, "peak_mb": peak // 1024}


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--claims", type=int, default=100_000, help="claims of the group")
    arguments.add_argument("--calls", type=int, default=500, help="calls of each kind, with and without an audit")
    options = arguments.parse_args()
    if options.url:
        raise SystemExit("This one starts a service of its own; it takes no --url.")
    with started({}) as data_dir:
        settings, figures = settings_of(data_dir), dict[str, object]()
        if options.claims:
            group = f"trust-{uuid4().hex}"
            figures = asyncio.run(measure(settings, group, options.claims, Path(data_dir)))
            figures["erasure"] = asyncio.run(erasure(settings, group, options.claims))
        figures["audit"] = asyncio.run(audit(settings, options.calls))
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
