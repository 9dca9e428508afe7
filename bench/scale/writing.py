"""What one more episode costs: stored, leased and digested in this process, by a script instead of models."""

import random
from datetime import UTC, datetime, timedelta
from time import perf_counter

from bench.scale.made import BIG, big_blocks, entity_ids, people
from bench.scale.reads import WARM, Ground, beside
from bench.scale.recorded import renamed, replay
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE, Context, Fragment, ProposedClaim, ProposedMention, ThingName

_SAID = datetime(2030, 1, 1, tzinfo=UTC)
"""After every day that searches are asked of."""
_LEASE = 60.0


class ScriptedExtractor:
    """Reads ``Ann knows Bob. Bob visited Cem.``: names and one verb, sentence by sentence."""

    context_turns = 0
    context_chars = 0
    uses_ontology = False
    piece_chars = 1_000_000

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        del context
        mentions, claims, start = list[ProposedMention](), list[ProposedClaim](), 0
        for sentence in episode.content.split(". "):
            subject, predicate, target = sentence.rstrip(".").split(" ")
            at = start + len(subject) + 1 + len(predicate) + 1
            mentions += [_mention(subject, start), _mention(target, at)]
            claims.append(
                ProposedClaim(
                    subject=ThingName(subject, "person"),
                    predicate=predicate,
                    object=ThingName(target, "person"),
                    kind=ClaimKind.STARTS,
                    statement=sentence,
                    quote_start=start,
                    quote_end=at + len(target),
                    confidence=0.9,
                )
            )
            start += len(sentence) + 2
        return Fragment(mentions=tuple(mentions), claims=tuple(claims), extractor="bench", version="1")


def _mention(name: str, start: int) -> ProposedMention:
    return ProposedMention(entity=ThingName(name, "person"), start=start, end=start + len(name))


async def ingest(ground: Ground, count: int) -> dict[str, object]:
    """One episode at a time about people of the big tenant; the floor are the same writes of another episode."""
    rng = random.Random(ground.blocks)  # noqa: S311 - reproducible on purpose
    whole, digests, cypher = list[float](), list[float](), list[float]()
    for number in range(WARM + count):
        block = rng.choice(big_blocks(ground.blocks))
        episode = _episode(block, number, rng)
        ground.database.take()
        began = perf_counter()
        await ground.writer.intake.remember(BIG, [episode])
        stored = perf_counter()
        await _digest(ground, episode)
        digests.append(perf_counter() - stored)
        whole.append(perf_counter() - began)
        cypher.append(replay(ground.driver, renamed(ground.database.take(), frozenset(entity_ids(block)))))
    return {
        "digest": beside({"ms": digests[WARM:], "cypher_ms": cypher[WARM:]}),
        **beside({"ms": whole[WARM:], "cypher_ms": cypher[WARM:]}),
    }


async def _digest(ground: Ground, episode: Episode) -> None:
    lease = await ground.writer.digestion.lease(BIG, episode.id, _LEASE)
    if lease is None:
        raise SystemExit(f"Episode {episode.id} is somebody else's: something digests what this benchmark writes.")
    await ground.writer.digestion.digest(lease)


def _episode(block: int, number: int, rng: random.Random) -> Episode:
    """Three sentences about four people who are known."""
    a, b, c, d = (person.name for person in rng.sample(people(block), 4))
    return Episode(
        group_id=BIG,
        session=f"bench-{block}-{number}",
        content=f"{a} knows {b}. {b} visited {c}. {c} likes {d}.",
        occurred_at=_SAID + timedelta(hours=number),
    )
