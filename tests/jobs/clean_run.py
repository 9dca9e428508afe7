"""What one clean run over episodes amounts to, computed without a database, and what a database holds."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from operator import attrgetter
from pathlib import Path
from typing import LiteralString, cast

from bench.extraction import in_context
from graphmem.model.claim import Claim
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context, Extractor
from graphmem.model.projection.predicate import BUILT_IN_PREDICATES
from graphmem.model.projection.slot import place
from graphmem.model.projection.timeline import project
from graphmem.resolve.plan import resolve
from graphmem.store.driver import Database
from tests.episodes import stored

Present = dict[str, Counter[str]]
_PRESENT = cast("LiteralString", (Path(__file__).parent / "present.cypher").read_text())


async def clean_run(episodes: Iterable[Episode], extractor: Extractor) -> Present:
    """The present of a group after every episode was digested exactly once, with those before it in its session."""
    present: Present = {"belief": Counter(), "claim": Counter(), "entity": Counter(), "mention": Counter()}
    slots: dict[object, list[Claim]] = {}
    names: dict[str, tuple[datetime, str]] = {}
    for episode, context in _in_sessions(episodes, extractor.context_turns):
        evidence = resolve(stored(episode), await extractor.extract(episode, context))
        present["claim"].update(claim.id for claim in evidence.claims)
        present["mention"].update(f"{m.episode_id}{m.entity_id}{m.start}-{m.end}" for m in evidence.mentions)
        for claim in evidence.claims:
            slots.setdefault(BUILT_IN_PREDICATES.slot(place(claim)), []).append(claim)
        for entity in evidence.entities:
            first = (entity.first_seen, entity.name)
            names[entity.id] = min(names.get(entity.id, first), first)
    present["entity"].update(id_ + name for id_, (_, name) in names.items())
    for claims in slots.values():
        beliefs = project(claims, BUILT_IN_PREDICATES.policy(claims[0].predicate))
        present["belief"].update(belief.fingerprint for belief in beliefs)
    return {kind: counted for kind, counted in present.items() if counted}


def _in_sessions(episodes: Iterable[Episode], turns: int) -> Iterator[tuple[Episode, Context]]:
    sessions: dict[str, list[Episode]] = {}
    for episode in sorted(episodes, key=attrgetter("occurred_at")):
        sessions.setdefault(episode.session, []).append(episode)
    for session in sessions.values():
        yield from in_context(session, turns)


async def held(database: Database, group: str) -> Present:
    """The present of a group as the database has it."""
    async with database.session() as session:
        result = await session.run(_PRESENT, group=group)
        return {record["kind"]: Counter(record["ids"]) async for record in result}
