"""What trust costs: a group as a file and a file as a group, in claims per second; to forget; an audit, and keys.

    python -m bench.trust --json
    python -m bench.trust --claims 10000 100000 1000000 --calls 0 --json

For each number of claims, in a group of its own: `load` tells structured claims in bulk, 1,000 at a time; `export`
writes the group, `import` fills it again after it was taken away; `import_with_vectors` from a file that has them.
Vectors are made up, so that the store is measured and not the model, and the worker rests. `import_of_load` is to be .5
or more, `export` 2,000 or more. `bytes_per_claim` is of the file without vectors. Each export and import has a process
of its own, and `peak_mb` is the most memory that it had: the same for every number of claims.

`erasure` has milliseconds and statements of forgetting an episode of that group, from the preview to the receipt, which
are to be the same for every number of claims; and a user with 1,000 episodes in it, whole.

`audit` has milliseconds of calls of two services in this process on one server, of which one keeps an audit, and `keys`
those of one service with a key that was made, whose requests are counted, and with the token of the machine: call by
call, in turns, while the worker rests. `more` is by how much the median is longer with it, which is to be .05 or less
for both together.

`told_apart` has milliseconds until a user is told that there is nothing, by ids of what another user keeps (`hidden`)
and by ids that nothing has (`absent`), in turns. `longer` is in which part of the rounds the former took longer: .5
where times tell nothing.
"""

import asyncio
import multiprocessing
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import cast
from uuid import uuid4

import httpx

from bench.common import milliseconds, parser, peak_mb, say, started, tell
from bench.scale.made import MadeEmbedder
from bench.scale.opened import resting
from bench.scale.recorded import RecordedDatabase
from bench.scale.writing import ScriptedExtractor
from bench.writers import settings_of
from graphmem.api.app import create_app
from graphmem.api.auth import token_file
from graphmem.api.backend import Backend, limits_of
from graphmem.model.evidence import StructuredClaim
from graphmem.model.forgetting import Selector
from graphmem.model.fragment import ThingName
from graphmem.process.logs import configure
from graphmem.queue.redis import open_queue
from graphmem.queue.wakeups import WakeUp
from graphmem.settings import Settings
from graphmem.settings.servers import LogSettings
from graphmem.store.queries import Query, cypher_root, load_queries, read_queries
from graphmem.trust.forgetting import MOST_TRIED
from graphmem.wiring import Services, open_services

REMOVALS = read_queries(Path(__file__).parent / "trust.cypher")
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
BULK = 1_000
ERASED, OF_A_USER = 30, 1_000
"""Episodes that are forgotten one by one, and that a user has who is forgotten whole."""
USER, KEPT = "zoe", 100
"""Somebody, and how many claims are kept of theirs where others are to hear of none."""
_NOT_FOUND = 404
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


async def restore(services: Services, group: str, file: Path, *, vectors: bool) -> float:  # noqa: ARG001 - as ``export``
    """Seconds that it takes; the file has vectors or not."""
    for removal in REMOVALS:
        await services.database.execute_in_batches(removal, seconds=3_600, group=group)
    began = perf_counter()
    report = await services.restoring.restore(group, pieces(file))
    if report.differences_total:
        raise SystemExit(f"{report.differences_total} beliefs differ after the import.")
    return perf_counter() - began


async def pieces(file: Path) -> AsyncIterator[bytes]:
    with file.open("rb") as content:
        while piece := content.read(65_536):
            yield piece


TRANSFERS: Mapping[str, Callable[..., Awaitable[float]]] = {"export": export, "import": restore}


def alone(data_dir: Path, name: str, group: str, file: Path, *, vectors: bool) -> tuple[float, int]:
    """Seconds of an export or import in a process of its own, and the most memory that it had, in MiB."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        return pool.submit(_transferred, data_dir, name, group, file, vectors=vectors).result()


def _transferred(data_dir: Path, name: str, group: str, file: Path, *, vectors: bool) -> tuple[float, int]:
    async def run() -> float:
        settings = settings_of(data_dir)
        made = MadeEmbedder(settings.embedding.model)
        async with open_services(settings, extractor=ScriptedExtractor(), embedder=made) as services:
            return await TRANSFERS[name](services, group, file, vectors=vectors)

    return asyncio.run(run()), peak_mb()


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


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls a service in this process."""

    client: httpx.AsyncClient
    secret: str

    async def call(self, method: str, path: str, body: object = None) -> httpx.Response:
        return (await self.ask(method, path, body)).raise_for_status()

    async def ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.secret}"}
        return await self.client.request(method, path, json=body, headers=headers)


@asynccontextmanager
async def calling(settings: Settings, queries: Mapping[str, Query]) -> AsyncGenerator[Caller]:
    """Somebody with the token of a service in this process that has these queries."""

    @asynccontextmanager
    async def backend(settings: Settings) -> AsyncGenerator[Backend]:
        made = MadeEmbedder(settings.embedding.model)
        services = open_services(settings, extractor=ScriptedExtractor(), embedder=made, queries=queries)
        async with services as opened, open_queue(settings.redis) as counted:
            yield Backend(services=opened, queue=NoQueue(), limits=limits_of(opened, counted))

    app = create_app(settings, backend)
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1", timeout=60)
    async with app.router.lifespan_context(app), client:
        yield Caller(client, token_file(settings.data_dir).read_text("utf-8").strip())


def calls(number: int, kind: str) -> Mapping[str, tuple[str, str, object]]:
    """What each caller asks in turn, by name: method, path in a group, and body; no two episodes are equal."""
    said = {"content": f"Turn {number} {kind}.", "session": kind, "occurred_at": EPOCH.isoformat()}
    return {
        "episodes": ("POST", "episodes", said),
        "search": ("POST", "search", {"query": f"turn {number}"}),
        "facts": ("GET", "facts?limit=20", None),
    }


async def compared(callers: Mapping[str, Caller], group: str, rounds: int) -> dict[str, object]:
    """Milliseconds of each call ``with`` something and ``without``, and by how much more the median is with it."""
    took = defaultdict[tuple[str, str], list[float]](list)
    for number in range(-WARM, rounds):
        for kind in sorted(callers, reverse=number % 2 == 0):
            for call, (method, path, body) in calls(number, kind).items():
                began = perf_counter()
                await callers[kind].call(method, f"/v1/groups/{group}/{path}", body)
                if number >= 0:
                    took[call, kind].append(perf_counter() - began)
    named = sorted({call for call, _ in took})
    figures = {call: {kind: milliseconds(took[call, kind]) for kind in callers} for call in named}
    more = {call: round(median(took[call, "with"]) / median(took[call, "without"]) - 1, 3) for call in named}
    return {**figures, "more": more}


async def told_apart(owner: Caller, group: str, rounds: int) -> dict[str, object]:
    """How long it takes to say to one user that there is nothing: of what another one keeps, and of what is nowhere."""
    named = [(f"Person {number}", f"Thing {number}") for number in range(KEPT)]
    kept = [
        {
            "subject": {"name": person, "type": "person"},
            "predicate": "lives_in",
            "object": {"name": thing, "type": "place"},
            "user": USER,
        }
        for person, thing in named
    ]
    told = (await owner.call("POST", f"/v1/groups/{group}/claims", kept)).json()["claims"]
    beliefs = (await owner.call("GET", f"/v1/groups/{group}/graph?user={USER}&limit={KEPT}")).json()["beliefs"]
    ids = {
        "episodes": [one["episode_id"] for one in told],
        "entities": [one["subject"]["id"] for one in beliefs],
        "beliefs": [one["belief_id"] for one in beliefs],
    }
    took = defaultdict[tuple[str, str], list[float]](list)
    for number in range(-WARM, rounds):
        for kind in ("absent", "hidden") if number % 2 else ("hidden", "absent"):
            for path, some in ids.items():
                id_ = some[number % len(some)] if kind == "hidden" else uuid4().hex
                began = perf_counter()
                answer = await owner.ask("GET", f"/v1/groups/{group}/{path}/{id_}?user=another")
                seconds = perf_counter() - began
                if answer.status_code != _NOT_FOUND:
                    raise SystemExit(f"{answer.request.url} is told: {answer.status_code}")
                if number >= 0:
                    took[path, kind].append(seconds)
    return {path: apart(took[path, "hidden"], took[path, "absent"]) for path in ids}


def apart(hidden: Sequence[float], absent: Sequence[float]) -> dict[str, object]:
    """Milliseconds of both, and in which part of the rounds the first took longer."""
    longer = sum(one > other for one, other in zip(hidden, absent, strict=True)) / len(hidden)
    return {"hidden": milliseconds(hidden), "absent": milliseconds(absent), "longer": round(longer, 2)}


async def costs(settings: Settings, rounds: int) -> dict[str, object]:
    """What an audit costs, and keys; and whether times tell what there is."""
    configure(LogSettings(level="warning"))
    queries = load_queries(cypher_root())
    unaudited = {name: replace(query, audited=()) for name, query in queries.items()}
    group, figures = f"costs-{uuid4().hex}", dict[str, object]()
    async with calling(settings, queries) as owner, calling(settings, unaudited) as without:
        figures["audit"] = await compared({"with": owner, "without": without}, f"{group}-audit", rounds)
        wanted = {"label": "costs", "groups": [f"{group}-*"], "rights": ["read", "write"]}
        secret = (await owner.call("POST", "/v1/keys", wanted)).json()["secret"]
        bearer = Caller(owner.client, secret)
        figures["keys"] = await compared({"with": bearer, "without": owner}, f"{group}-keys", rounds)
        figures["told_apart"] = await told_apart(owner, f"{group}-kept", rounds)
    return figures


async def loaded(settings: Settings, group: str, claims: int) -> float:
    """Seconds that it takes to tell a group so many claims."""
    made = MadeEmbedder(settings.embedding.model)
    async with open_services(settings, extractor=ScriptedExtractor(), embedder=made) as services:
        return await load(services, group, claims)


def measure(data_dir: Path, claims: int) -> dict[str, object]:
    group, settings = f"trust-{uuid4().hex}", settings_of(data_dir)
    say(f"{claims} claims")
    seconds, peaks = {"load": asyncio.run(loaded(settings, group, claims))}, dict[str, int]()
    for suffix, vectors in (("", False), ("_with_vectors", True)):
        file = data_dir / f"group{suffix}.ndjson"
        for name in TRANSFERS:
            seconds[name + suffix], peaks[name + suffix] = alone(data_dir, name, group, file, vectors=vectors)
            say(f"{name}{suffix}")
    rates = {name: round(claims / took, 1) for name, took in seconds.items()}
    return {
        **rates,
        "import_of_load": round(rates["import"] / rates["load"], 2),
        "bytes_per_claim": (data_dir / "group.ndjson").stat().st_size // claims,
        "peak_mb": peaks,
        "erasure": asyncio.run(erasure(settings, group, claims)),
    }


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--claims", type=int, nargs="*", default=[10_000, 100_000], help="claims of each group")
    arguments.add_argument("--calls", type=int, default=500, help="calls of each kind, with and without; 0: none")
    options = arguments.parse_args()
    if options.url:
        raise SystemExit("This one starts a service of its own; it takes no --url.")
    with started({}) as data_dir, resting(data_dir):
        figures: dict[str, object] = {str(claims): measure(data_dir, claims) for claims in options.claims}
        if options.calls:
            figures |= asyncio.run(costs(settings_of(data_dir), options.calls))
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
