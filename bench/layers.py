"""What the layers of a memory cost: contexts of long conversations, the nightly jobs, and writing while these run.

    python -m bench.layers --json [--turns 100 1000 5000] [--facts 10000 100000]

`contexts`: for each length, one user's conversation in one session, read offline and summarised by the worker. One is
asked for over HTTP with a question and the session, under 2,000 tokens. `tokens` are the mean of what they have;
`verbatim_tokens` those of all turns; `verbatim_by_layers` is how many times more these are than facts and the topmost
summaries, without the window and what a search finds. `floor` has the `statements` of the same contexts, made in this
process, and what a bare driver takes for them, and for as many that read nothing (`bench.floor`).

`nights`: for each number of facts, in a group of its own, what `consolidate` and `reflect` take in seconds, and in
statements to Neo4j; one fact in fifty says what another one says. `enrich` only asks for digests, and is left out.
`growth` is seconds and statements a fact of the largest number by those of the smallest: 1 is linear. The jobs run in
this process, the first of their group.

`posts`: milliseconds of `POST …/claims`, one claim each, while no job of the groups runs, and while the worker
consolidates as many facts as the largest group has, which nobody consolidated before. `by_idle` is the 95th percentile
of these by that of the idle service.

With `--url`, groups of new names are told to that service over HTTP; `nights` are skipped, for their jobs run in this
process, and the exit code says so.
"""

import asyncio
import time
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any
from uuid import uuid4

import httpx

from bench.common import Service, milliseconds, parser, running, say, started, tell
from bench.floor import floor
from bench.scale.opened import Bench, environment, opened
from graphmem.clock import utc_now
from graphmem.derived.reflections import Reflections
from graphmem.embed.local import LocalEmbedder
from graphmem.embed.tokens import FileTokenizer
from graphmem.jobs.consolidator import Consolidator
from graphmem.jobs.steps import Stepper, Steps
from graphmem.jobs.summariser import Reflector
from graphmem.model.claim import AssertedBy, Category
from graphmem.model.composed import ContextQuery
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.scope import Scope
from graphmem.model.work import Work, WorkKind, WorkProgress, WorkRequest, reflection_request, work_id
from graphmem.recall.context import Contexts
from graphmem.recall.vectors import LateVectors
from graphmem.settings.jobs import ConsolidationSettings, JobSettings
from graphmem.settings.recall import EmbeddingSettings
from graphmem.store.work import WorkStore

FIRST = datetime(2025, 1, 1, tzinfo=UTC)
USER = "ann"
SESSION = "talk"
BUDGET = 2_000
WARM, ASKED, POSTS = 5, 60, 200
BATCH = 100
PART = 1_000
PER_PERSON = 50
LETTERS = [a + b for a in "abcdefgh" for b in "abcdefgh"]
"""Names of keys: two facts of which a number differs say two things."""
FOR_POSTS = "posts"
SCHEDULED = 15.0
"""Seconds after which the worker has begun what is asked for all the time."""
ENDED = ("done", "failed")
_KINDS = (WorkKind.CONSOLIDATE, WorkKind.REFLECT)
_LEASE_SECONDS = 60.0
PLACES = ("Lisbon", "Porto", "Rome", "Oslo", "Vienna", "Cork", "Ghent", "Turin", "Bergen", "Lyon", "Kyoto")
PEOPLE = ("Zoe", "Bruno", "Ines", "Karl", "Mona", "Otto", "Rita", "Sven", "Tara", "Uwe", "Vera", "Willa", "Yuri")
THINGS = ("green tea", "jazz", "chess", "long walks", "old maps", "cycling", "crime novels", "pottery", "opera")
SAID = (
    "I met {person} in {place} last week, and we talked for hours.",
    "I like {thing}, and {person} likes it too.",
    "My sister {person} lives in {place} now.",
    "Yesterday I bought a book about {thing} in {place}.",
    "I want to visit {place} with {person} next spring.",
    "{person} works at the museum of {place}.",
    "I was tired today, and did not do much of {thing}.",
)
ANSWERS = ("That sounds good. How was {place}?", "I see. Tell me more about {person}.", "{thing} is a fine thing.")
QUESTIONS = ("What is my name?", "What do I like?", "Where does {person} live?", "Whom did I meet in {place}?")


def words(number: int) -> dict[str, str]:
    """Of a turn, or a question: who, where and what."""
    return {
        "person": PEOPLE[number * 5 % len(PEOPLE)],
        "place": PLACES[number * 7 % len(PLACES)],
        "thing": THINGS[number * 4 % len(THINGS)],
    }


def turns(count: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        spoken = number % 2 == 0
        among = SAID if spoken else ANSWERS
        content = "My name is Ann." if number == 0 else among[number // 2 % len(among)].format(**words(number // 2))
        yield {
            "content": content,
            "role": "user" if spoken else "assistant",
            "speaker": "Ann" if spoken else None,
            "session": SESSION,
            "user": USER,
            "occurred_at": (FIRST + timedelta(minutes=10 * number)).isoformat(),
        }


def questions(count: int) -> list[str]:
    return [QUESTIONS[number % len(QUESTIONS)].format(**words(number)) for number in range(count)]


# contexts -------------------------------------------------------------------------------------------------------------


def of_contexts(client: httpx.Client, count: int, tokens: Callable[[str], int], prefix: str = "") -> dict[str, object]:
    group, said = f"{prefix}talk-{count}", list(turns(count))
    say(f"{count:,} turns: telling them")
    for at in range(0, count, BATCH):
        send(client, f"/v1/groups/{group}/episodes", said[at : at + BATCH])
    _digested(client, group)
    (session,) = client.get(f"/v1/groups/{group}/sessions").raise_for_status().json()["sessions"]
    send(client, f"/v1/groups/{group}/sessions/{session['id']}/close", None)
    asked = send(client, f"/v1/groups/{group}/jobs/summarise", {})
    _done(client, group, asked["job"]["id"])
    say(f"  {ASKED} contexts")
    seconds, found = list[float](), list[int]()
    for number, query in enumerate(questions(WARM + ASKED)):
        body = {"query": query, "session": SESSION, "user": USER, "max_tokens": BUDGET}
        began = perf_counter()
        answer = send(client, f"/v1/groups/{group}/context", body)
        if number >= WARM:
            seconds.append(perf_counter() - began)
            found.append(answer["tokens"])
    layers = _layers(client, group)
    verbatim = sum(tokens(turn["content"]) for turn in said)
    return {
        **milliseconds(seconds),
        "tokens": round(mean(found), 1),
        "verbatim_tokens": verbatim,
        "verbatim_by_layers": round(verbatim / layers, 1) if layers else None,
    }


def _layers(client: httpx.Client, group: str) -> int:
    """Tokens of facts and topmost summaries."""
    body = {
        "session": SESSION,
        "user": USER,
        "exclude_window": True,
        "earlier": 0,
        "beliefs": 0,
        "passages": 0,
        "max_tokens": 100_000,
        "summaries": 100,
    }
    return send(client, f"/v1/groups/{group}/context", body)["tokens"]


async def floors(data_dir: Path, counts: Sequence[int]) -> dict[int, dict[str, float]]:
    """By the length of a conversation the statements of its contexts, and their floor."""
    async with opened(data_dir) as bench:
        memory, tokens = bench.reader, FileTokenizer(None, EmbeddingSettings())
        contexts = Contexts(memory.store, memory.reader, memory.searcher, memory.uses, tokens)

        def reads(group: str) -> Iterator[Callable[[], Awaitable[object]]]:
            for query in questions(ASKED):
                asked = ContextQuery(query=query, session=SESSION, max_tokens=BUDGET)
                yield partial(contexts.context, Scope(group, utc_now(), user=USER), asked)

        return {count: await floor(bench, reads(f"talk-{count}")) for count in counts}


def _digested(client: httpx.Client, group: str) -> None:
    while waiting := client.get(f"/v1/groups/{group}").raise_for_status().json()["work"]["pending"]:
        say(f"  {waiting:,} turns wait to be read")
        time.sleep(5.0)


def _done(client: httpx.Client, group: str, id_: str) -> None:
    while (job := client.get(f"/v1/groups/{group}/jobs/{id_}").raise_for_status().json())["status"] != "done":
        if job["status"] == "failed":
            raise SystemExit(f"{job['kind']} failed: {job['error']}")
        time.sleep(0.5)


def send(client: httpx.Client, path: str, body: object) -> Any:
    answer = client.post(path, json=body)
    if not answer.is_success:
        raise SystemExit(f"POST {path} answered {answer.status_code}: {answer.text}")
    return answer.json()


# nights ---------------------------------------------------------------------------------------------------------------


def facts(count: int) -> Iterator[StructuredClaim]:
    """One in fifty says in other words what the one before it says."""
    for number in range(count):
        again = number % PER_PERSON == PER_PERSON - 1
        at = FIRST + timedelta(minutes=number)
        told = f"walks of kind {number - again} by the sea in the morning with the dog"
        yield StructuredClaim(
            subject=ThingName(f"Person {number // PER_PERSON}", "person"),
            predicate=f"preference.walks_{LETTERS[number % PER_PERSON]}",
            value=f"{told} always" if again else told,
            category=Category.PREFERENCE,
            asserted_by=AssertedBy.PASSING,
            valid_from=at,
            occurred_at=at,
            user=USER,
        )


async def of_nights(bench: Bench, sizes: Sequence[int], settings: EmbeddingSettings) -> dict[str, object]:
    found, each = dict[str, object](), dict[int, dict[str, tuple[float, int]]]()
    for size in sizes:
        group = f"night-{size}"
        await _tell_facts(bench, group, size)
        say("  consolidate, reflect")
        each[size] = {kind: await _run(bench, group, kind, settings) for kind in _KINDS}
        found[str(size)] = {kind: {"seconds": seconds, "statements": n} for kind, (seconds, n) in each[size].items()}
    least, most = min(sizes), max(sizes)
    growth = dict[str, object]()
    for kind in _KINDS:
        of_least, of_most = each[least][kind], each[most][kind]
        growth[kind] = {
            "seconds": round(of_most[0] / most / (of_least[0] / least), 2),
            "statements": round(of_most[1] / most / (of_least[1] / least), 2),
        }
    return {**found, "growth": growth}


async def _tell_facts(bench: Bench, group: str, count: int) -> None:
    say(f"{count:,} facts: telling them")
    told = list(facts(count))
    for at in range(0, count, PART):
        await bench.loader.intake.assert_claims(group, told[at : at + PART])


async def _run(bench: Bench, group: str, kind: WorkKind, settings: EmbeddingSettings) -> tuple[float, int]:
    """Seconds and statements of a job, from its first step to its last."""
    memory, embedder = bench.writer, LocalEmbedder(settings)
    late = LateVectors(memory.store, embedder)
    reflections = Reflections(memory.store, memory.reader, late, FileTokenizer(None, settings))
    steps: dict[WorkKind, Steps] = {
        WorkKind.CONSOLIDATE: Consolidator(memory, ConsolidationSettings()),
        WorkKind.REFLECT: Reflector(reflections),
    }
    week = reflections.policy.week_until(utc_now())
    request = WorkRequest(id=work_id(kind, group))
    if kind is WorkKind.REFLECT:
        request = reflection_request(group, week, anew=True)
    await memory.works.request_work(group, kind, [request])
    bench.database.take()
    began = perf_counter()
    try:
        work = await _do(memory.works, Stepper(steps[kind], memory.works, JobSettings()), group, request.id)
    finally:
        embedder.close()
    say(f"  {kind}: {dict(work.progress)}")
    return round(perf_counter() - began, 2), sum(map(len, bench.database.take()))


async def _do(works: WorkStore, stepper: Stepper, group: str, id_: str) -> Work:
    while True:
        taken = await works.lease_work(group, id_, uuid4().hex, _LEASE_SECONDS)
        if taken is not None:
            await stepper.do(taken)
        (work,) = await works.works_by_id(group, [id_])
        if work.status is WorkProgress.FAILED:
            raise SystemExit(f"{work.kind} failed: {work.error}")
        if work.status is WorkProgress.DONE:
            return work
        await asyncio.sleep(0.1)


# posts ----------------------------------------------------------------------------------------------------------------


def of_posts(client: httpx.Client, group: str, prefix: str = "", others: Sequence[str] = ()) -> dict[str, object]:
    _rest(client, [group, *others])
    say("Posts while nothing else runs")
    idle = _posts(client, f"{prefix}idle", lambda: True)
    say("  while the worker consolidates")
    job = send(client, f"/v1/groups/{group}/jobs/consolidate", {})["job"]
    path = f"/v1/groups/{group}/jobs/{job['id']}"

    def status() -> str:
        return client.get(path).raise_for_status().json()["status"]

    busy = _posts(client, f"{prefix}busy", lambda: status() not in ENDED)
    if status() == "failed":
        raise SystemExit("The job failed while claims were posted.")
    if len(busy) < WARM:
        raise SystemExit("The job ended before anything was posted: take more --facts.")
    figures = {"idle": milliseconds(idle), "while_jobs_run": milliseconds(busy)}
    return {**figures, "by_idle": round(figures["while_jobs_run"]["p95"] / figures["idle"]["p95"], 2)}


def told_over_http(client: httpx.Client, group: str, count: int) -> None:
    say(f"{count:,} facts: telling them")
    told = [in_json(claim) for claim in facts(count)]
    for at in range(0, count, BATCH):
        send(client, f"/v1/groups/{group}/claims", told[at : at + BATCH])


def in_json(claim: StructuredClaim) -> dict[str, object]:
    """A fact of ``facts`` as `POST …/claims` takes it."""
    return {
        "subject": {"name": claim.subject.name, "type": claim.subject.type},
        "predicate": claim.predicate,
        "value": claim.value,
        "category": claim.category,
        "valid_from": claim.occurred_at.isoformat(),
        "occurred_at": claim.occurred_at.isoformat(),
        "user": claim.user,
    }


def _rest(client: httpx.Client, groups: Sequence[str]) -> None:
    """Wait until the worker has done what it does of its own accord in groups that were told so much."""
    say("Waiting for the worker to rest")
    time.sleep(SCHEDULED)
    while not all(_rests(client, group) for group in groups):
        time.sleep(SCHEDULED)


def _rests(client: httpx.Client, group: str) -> bool:
    work = client.get(f"/v1/groups/{group}").raise_for_status().json()["work"]
    jobs = client.get(f"/v1/groups/{group}/jobs").raise_for_status().json()["jobs"]
    return not work["pending"] and not work["vectors_pending"] and all(job["status"] in ENDED for job in jobs)


def _posts(client: httpx.Client, group: str, goes_on: Callable[[], bool]) -> list[float]:
    seconds = list[float]()
    while len(seconds) < WARM + POSTS and goes_on():
        number = len(seconds)
        claim = {
            "subject": {"name": f"Person {number}", "type": "person"},
            "predicate": "likes",
            "value": f"thing {number}",
            "occurred_at": FIRST.isoformat(),
        }
        began = perf_counter()
        send(client, f"/v1/groups/{group}/claims", [claim])
        seconds.append(perf_counter() - began)
    return seconds[WARM:]


async def nights(data_dir: Path, sizes: Sequence[int]) -> dict[str, object]:
    """The nightly jobs; and as many facts as the most of them for posts."""
    async with opened(data_dir) as bench:
        figures = await of_nights(bench, sizes, EmbeddingSettings())
        await _tell_facts(bench, FOR_POSTS, max(sizes))
        return figures


def main(options: Namespace) -> None:
    tokens = FileTokenizer(None, EmbeddingSettings())
    if options.url:
        elsewhere(options, tokens.count)
        raise SystemExit("nights are skipped: their jobs run in this process, on a service of its own without --url.")
    with started(environment("2g", "1g")) as data_dir, running(data_dir).client() as client:
        contexts = {count: of_contexts(client, count, tokens.count) for count in options.turns}
        beside = asyncio.run(floors(data_dir, options.turns))
        figures: dict[str, object] = {
            "contexts": {str(count): {**contexts[count], "floor": beside[count]} for count in options.turns},
            "nights": asyncio.run(nights(data_dir, options.facts)),
            "posts": of_posts(client, FOR_POSTS, others=[f"night-{size}" for size in options.facts]),
        }
    tell(figures, as_json=options.json)


def elsewhere(options: Namespace, tokens: Callable[[str], int]) -> None:
    """What can be measured of a service that runs already, in groups that it does not have."""
    prefix = f"bench-{uuid4().hex[:8]}-"
    with Service(options.url, options.token).client() as client:
        contexts = {str(count): of_contexts(client, count, tokens, prefix) for count in options.turns}
        told_over_http(client, prefix + FOR_POSTS, max(options.facts))
        posts = of_posts(client, prefix + FOR_POSTS, prefix)
    tell({"contexts": contexts, "posts": posts, "skipped": ["nights"]}, as_json=options.json)


if __name__ == "__main__":
    arguments = parser(__doc__ or "")
    arguments.add_argument("--turns", type=int, nargs="+", default=[100, 1_000, 5_000], help="lengths of conversations")
    arguments.add_argument("--facts", type=int, nargs="+", default=[10_000, 100_000], help="facts of a group")
    main(arguments.parse_args())
