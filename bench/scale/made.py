"""What is loaded: numbered claims, the same every time, in blocks of 1,000 that belong to one tenant each.

Four blocks of five are the big tenant's; each fifth is a small tenant of its own. A block is about 200 people of its
neighbourhood, with five relationships each; one in fifty leads to another neighbourhood. Vectors are made, not
embedded: unit length, around 1,000 centres, cosine about .67 within a cluster.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from graphmem.model.embedding import Vector
from graphmem.model.entity import Entity
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName

BLOCK = 1_000
BIG = "big"
DIMENSIONS = 384
FIRST_DAY = datetime(2000, 1, 1, tzinfo=UTC)
DAYS = 7_300

Floats = npt.NDArray[np.float32]
Days = npt.NDArray[np.int64]

_OPEN = 1_000_000
"""The last day of what has no end."""
_PEOPLE = 200
_PREDICATES = ("knows", "works_with", "visited", "likes", "trusts")
_CENTRES = 1_000
_SPREAD = 0.7
_SYLLABLES = [consonant + vowel for consonant in "bcdfghjklmnprstvwxyz" for vowel in "aeiou"]
_NUMBER = re.compile(r"#(\d+)")


def group_of(block: int) -> str:
    return f"small-{block // 5}" if block % 5 == 4 else BIG


def big_blocks(blocks: int) -> list[int]:
    return [block for block in range(blocks) if group_of(block) == BIG]


def people(block: int) -> list[ThingName]:
    return [ThingName(_name(block * _PEOPLE + number), "person") for number in range(_PEOPLE)]


def entity_ids(block: int) -> list[str]:
    group = group_of(block)
    return [Entity(group_id=group, type=one.type, name=one.name, first_seen=FIRST_DAY).id for one in people(block)]


def number_of(statement: str) -> int | None:
    """The number of the claim that says so; None where it is none of ours."""
    match = _NUMBER.search(statement)
    return int(match[1]) if match else None


@lru_cache(maxsize=1024)
def times(block: int) -> tuple[Days, Days]:
    """First and last day of each claim of a block, counted from ``FIRST_DAY``; three of five are open."""
    source = _source("times", block)
    begins = source.integers(0, DAYS, BLOCK)
    lasts = 1 + source.exponential(400.0, BLOCK).astype(np.int64)
    return begins, np.where(source.random(BLOCK) < 0.6, _OPEN, begins + lasts)


@lru_cache(maxsize=16)
def vectors(block: int) -> Floats:
    """The vectors of a block's claims, one a row."""
    return _around_centres(_source("vectors", block), BLOCK)


def queries(count: int) -> Floats:
    """Vectors to search with, made as those of the claims are."""
    return _around_centres(_source("queries", 0), count)


def claims(block: int) -> Iterator[StructuredClaim]:
    begins, ends = times(block)
    source, own = _source("claims", block), people(block)
    strangers = people(int(source.integers(0, block + 1))) if group_of(block) == BIG else own
    for number in range(BLOCK):
        person, turn = divmod(number, len(_PREDICATES))
        others = strangers if source.random() < 0.02 else own
        other = others[(person + 1 + 7 * turn) % _PEOPLE]
        yield _claim(
            number=block * BLOCK + number,
            subject=own[person],
            predicate=_PREDICATES[turn],
            other=other,
            valid_from=day(int(begins[number])),
            valid_to=None if ends[number] == _OPEN else day(int(ends[number])),
        )


def day(number: int) -> datetime:
    return FIRST_DAY + timedelta(days=number)


class MadeEmbedder:
    """The made vector of each numbered statement; of any other text, one that its hash decides.

    It goes by the name of the service's model, so that the service reads the groups.
    """

    dimensions = DIMENSIONS

    def __init__(self, model: str) -> None:
        self.model = model

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [_vector(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        return _vector(text)


def _vector(text: str) -> Vector:
    number = number_of(text)
    if number is not None:
        return vectors(number // BLOCK)[number % BLOCK].tolist()
    return _around_centres(_source(text, 0), 1)[0].tolist()


def _claim(
    *,
    number: int,
    subject: ThingName,
    predicate: str,
    other: ThingName,
    valid_from: datetime,
    valid_to: datetime | None,
) -> StructuredClaim:
    return StructuredClaim(
        subject=subject,
        predicate=predicate,
        object=other,
        statement=f"{subject.name} {predicate.replace('_', ' ')} {other.name} (#{number}).",
        valid_from=valid_from,
        valid_to=valid_to,
        occurred_at=valid_from,
        source="bench",
        external_id=str(number),
    )


def _name(number: int) -> str:
    """A word of its own for each person."""
    parts = (_SYLLABLES[number // 10_000 % 100], _SYLLABLES[number // 100 % 100], _SYLLABLES[number % 100])
    return "".join(parts).capitalize()


def _source(use: str, block: int) -> np.random.Generator:
    return np.random.default_rng(list(sha256(f"{use} {block}".encode()).digest()))


@lru_cache(maxsize=1)
def _centres() -> Floats:
    return _unit(_source("centres", 0).standard_normal((_CENTRES, DIMENSIONS), dtype=np.float32))


def _around_centres(source: np.random.Generator, count: int) -> Floats:
    centres = _centres()[source.integers(0, _CENTRES, count)]
    noise = source.standard_normal((count, DIMENSIONS), dtype=np.float32)
    return _unit(centres + np.float32(_SPREAD / DIMENSIONS**0.5) * noise)


def _unit(rows: npt.NDArray[np.floating]) -> Floats:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
