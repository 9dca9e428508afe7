"""Changes of evidence per second by 1, 2, 4 and 8 writers at once: on one slot, on one subject, on many subjects.

    python -m bench.writers --json

Each writer makes one change after the other: one claim, one transaction. Vectors are made up, so that the store alone
is measured. Writers on `one_slot` and `one_subject` follow one another; those on `many_subjects`, whose claims name the
same objects, need not wait.
"""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from uuid import uuid4

from bench.common import milliseconds, parser, say, started, tell
from bench.scale.made import MadeEmbedder
from bench.scale.writing import ScriptedExtractor
from graphmem.local import connection
from graphmem.memory import Memory
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.settings import Settings, load_settings
from graphmem.wiring import open_services

COURSES = ("one_slot", "one_subject", "many_subjects")
WRITERS = (1, 2, 4, 8)
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)


def claim(course: str, writer: int, number: int) -> StructuredClaim:
    subject = f"Person {writer}" if course == "many_subjects" else "Maya"
    predicate = "lives_in" if course != "one_subject" else f"likes_{writer}"
    at = EPOCH + timedelta(minutes=number)
    return StructuredClaim(
        subject=ThingName(subject, "person"),
        predicate=predicate,
        object=ThingName(f"City {number % 7}", "place"),
        valid_from=at,
        occurred_at=at,
        external_id=f"{course} {writer} {number}",
    )


async def rate(memory: Memory, course: str, writers: int, changes: int) -> dict[str, object]:
    """Changes per second, and what one of them takes."""
    group, seconds = f"writers-{uuid4().hex}", list[float]()

    async def write(writer: int) -> None:
        for number in range(writer, changes, writers):
            began = perf_counter()
            await memory.intake.assert_claims(group, [claim(course, writer, number)])
            seconds.append(perf_counter() - began)

    await memory.intake.assert_claims(group, [claim(course, writer, 0) for writer in range(writers)])
    began = perf_counter()
    async with asyncio.TaskGroup() as tasks:
        for writer in range(writers):
            tasks.create_task(write(writer))
    return {"per_s": round(changes / (perf_counter() - began), 1), **milliseconds(seconds)}


async def measure(settings: Settings, changes: int) -> dict[str, object]:
    figures: dict[str, object] = {}
    made = MadeEmbedder(settings.embedding.model)
    async with open_services(settings, extractor=ScriptedExtractor(), embedder=made) as services:
        for course in COURSES:
            await rate(services.memory, course, WRITERS[-1], changes // 2)  # warm
            found: dict[str, object] = {}
            for writers in WRITERS:
                say(f"{course}: {writers} at once")
                found[str(writers)] = await rate(services.memory, course, writers, changes)
            figures[course] = found
    return figures


def settings_of(data_dir: Path) -> Settings:
    found = connection(data_dir, load_settings(data_dir=data_dir))
    if found is None:
        raise SystemExit("This benchmark needs a Neo4j of its own; unset NEO4J_URI.")
    address = {"uri": found.neo4j_uri, "user": found.neo4j_user, "password": found.neo4j_password}
    return load_settings(data_dir=data_dir, neo4j=address, redis={"url": found.redis_url})


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--changes", type=int, default=200, help="changes for each figure")
    options = arguments.parse_args()
    if options.url:
        raise SystemExit("This one starts a service of its own; it takes no --url.")
    with started({}) as data_dir:
        figures = asyncio.run(measure(settings_of(data_dir), options.changes))
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
