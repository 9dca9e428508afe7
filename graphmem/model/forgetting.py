"""Forgetting: which episodes are meant, what there is of them, and what is said of it once it is gone."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256

MOST_SAMPLES = 5
"""Episodes that a preview shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """Episodes: these, by id or by the name that a caller gave them; or all of which everything asked for is so.

    They were said in a session, by a source, about an entity, or in ``[since, until)``. ``everything`` asks nothing.
    """

    episodes: tuple[str, ...] = ()
    external_ids: tuple[str, ...] = ()
    session: str | None = None
    source: str | None = None
    entity: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    everything: bool = False

    @property
    def kinds(self) -> list[str]:
        """What was asked for, without saying of what."""
        return sorted(name for name, value in asdict(self).items() if value)

    @property
    def is_list(self) -> bool:
        """Whether it names episodes one by one."""
        return bool(self.episodes or self.external_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """The ids, by kind, of what there is of some episodes."""

    episodes: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    mentions: int = 0

    @property
    def manifest(self) -> str:
        """SHA-256 over the sorted ids, by kind: who agrees to it agrees to this and to nothing else."""
        return sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()

    @property
    def samples(self) -> tuple[str, ...]:
        return self.episodes[:MOST_SAMPLES]

    @property
    def counts(self) -> dict[str, int]:
        counts = asdict(self)
        return {name: value if isinstance(value, int) else len(value) for name, value in counts.items()}


def holdings(parts: Iterable[Holdings]) -> Holdings:
    """What there is of all of them, each thing once."""
    known = list(parts)
    return Holdings(
        episodes=tuple(sorted({id_ for one in known for id_ in one.episodes})),
        claims=tuple(sorted({id_ for one in known for id_ in one.claims})),
        passages=tuple(sorted({id_ for one in known for id_ in one.passages})),
        texts=tuple(sorted({id_ for one in known for id_ in one.texts})),
        mentions=sum(one.mentions for one in known),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """How many things of each kind went.

    ``rows`` are versions of beliefs; ``rewritten`` those that were recorded, or end, at another time than before, and
    ``reopened`` those of them that are believed again.
    """

    episodes: int = 0
    claims: int = 0
    mentions: int = 0
    passages: int = 0
    rows: int = 0
    rewritten: int = 0
    reopened: int = 0
    texts: int = 0
    shared: int = 0
    entities: int = 0
    sessions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetPreview:
    """What would be forgotten: its manifest, counts by kind, the ids of some episodes.

    ``would`` is what would become of beliefs, texts and names; None where that is too much to try. ``confirm`` is what
    to send to have just that forgotten, and ``valid_until`` when it is.
    """

    manifest: str
    counts: Mapping[str, int]
    samples: tuple[str, ...]
    would: Erased | None
    confirm: str
    valid_until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureReceipt:
    """What was forgotten, without a word of it.

    ``selectors`` are the kinds of things that were asked for, ``hashes`` are those of the ids of the episodes, keyed by
    the secret of the installation. ``asked_by`` is the id of a key.
    """

    id: str
    manifest: str
    selectors: tuple[str, ...]
    asked_by: str
    version: str
    asked_at: datetime
    began_at: datetime | None
    ended_at: datetime | None
    erased: Erased
    hashes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryPlace:
    """Where a canary stands, by its number: in ``count`` things of some ``kinds``, in their property ``key``.

    ``kinds`` are labels, the type of a relationship, or the name of an index; then there may be no key.
    """

    canary: int
    kinds: tuple[str, ...]
    key: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What is left of what was forgotten: where canaries stand, and which of its episodes are there again.

    ``vectors``: whether vectors were looked at; the embedding model may be away.
    """

    receipt: ErasureReceipt
    places: tuple[CanaryPlace, ...]
    episodes: tuple[str, ...]
    vectors: bool


def written(canary: str) -> set[str]:
    """In which ways a canary may stand in a property, in lower case: as it is, and within JSON."""
    in_json = (json.dumps(way, ensure_ascii=only) for way in (canary, canary.lower()) for only in (True, False))
    return {canary.lower(), *(way[1:-1].lower() for way in in_json)}


def as_phrase(canary: str) -> str:
    """The question to a full-text index for the words of a canary, one after the other."""
    return '"' + canary.replace("\\", "\\\\").replace('"', '\\"') + '"'
